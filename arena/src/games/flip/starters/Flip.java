class Flip {
    /** Straight on first, then more and more to the side. */
    static final double[] TURNS = {0, 0.4, -0.4, 0.8, -0.8, 1.2, -1.2, 1.5, -1.5};

    /** Whether a whole piece fits here: on the table, and no other piece than the own one nearer than 2. */
    static boolean isFree(double x, double y, double[][] pieces, int own) {
        if (Math.abs(x) > 59 || Math.abs(y) > 19) {
            return false;
        }
        for (int i = 0; i < pieces.length; i++) {
            if (i != own && Math.hypot(x - pieces[i][0], y - pieces[i][1]) < 2) {
                return false;
            }
        }
        return true;
    }

    /** One flip as PIECE X Y, made in pieces too; empty when no piece can step forward. */
    static String step(double[][] pieces, int seat, int n) {
        int forward = seat == 0 ? 1 : -1;
        // Those that are home (all inside the other third: 21 and more) only when no other can step.
        for (boolean home : new boolean[] {false, true}) {
            for (int piece = 0; piece < n; piece++) {
                double[] own = pieces[seat * n + piece];
                for (double turn : TURNS) {
                    double x = own[0] + forward * 2 * Math.cos(turn), y = own[1] + 2 * Math.sin(turn);
                    if ((forward * own[0] >= 21) == home && isFree(x, y, pieces, seat * n + piece)) {
                        pieces[seat * n + piece] = new double[] {x, y};
                        return piece + " " + x + " " + y + " ";
                    }
                }
            }
        }
        return "";
    }

    /**
     * words: SEAT N FLIPS ROUND ROUNDS, then x and y of seat 0's pieces and of seat 1's.
     * Returns the flips, each PIECE X Y, the new centre 2 cm from the old one; none for no flip.
     */
    static String choose(String[] words) {
        int seat = Integer.parseInt(words[0]), n = Integer.parseInt(words[1]), flips = Integer.parseInt(words[2]);
        double[][] pieces = new double[2 * n][];
        for (int i = 0; i < pieces.length; i++) {
            pieces[i] = new double[] {Double.parseDouble(words[5 + 2 * i]), Double.parseDouble(words[6 + 2 * i])};
        }
        StringBuilder answer = new StringBuilder();
        for (int i = 0; i < flips; i++) {
            answer.append(step(pieces, seat, n));
        }
        return answer.isEmpty() ? "none" : answer.toString();
    }
}
