import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** The loop that speaks with the arena, in lines of words. What the bot plays is choose in the class of each game. */
class Bot {
    /** What the first line tells, for choose: Bot.seat (0 moves first, 1 second). */
    static int seat;
    /** This bot's own seed: draw from it, and a match can be played again. */
    static long seed;
    /** The limit on a move in milliseconds; -1 without one. */
    static long moveMs = -1;

    static final Map<String, Function<String[], String>> GAMES = new HashMap<>();

    static {
        GAMES.put("@game@", @Game@::choose);
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        Function<String[], String> choose = null;
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.trim().split(" +");
            if (choose != null) {
                say(choose.apply(words));
                continue;
            }
            // The first line: GAME SEAT NAME=VALUE...
            choose = GAMES.get(words[0]);
            if (choose == null) {
                System.err.println("this bot does not play " + words[0]);
                System.exit(1);
            }
            seat = Integer.parseInt(words[1]);
            for (String word : words) {
                if (word.startsWith("seed=")) {
                    seed = Long.parseLong(word.substring(5));
                } else if (word.startsWith("move_ms=") && !word.equals("move_ms=null")) {
                    moveMs = Long.parseLong(word.substring(8));
                }
            }
            say("ready");
        }
    }

    static void say(String line) {
        System.out.println(line);
        System.out.flush(); // without it the arena might never see the line
    }
}
