import java.util.Arrays;

class Notipping {
    /** Whether the board does not tip: no turning to the left about -3, none to the right about -1. */
    static boolean stands(int[] board) {
        int left = -3 * 3, right = -3 * 1; // the board itself: 3 kg at 0
        for (int x = -30; x <= 30; x++) {
            left -= board[x + 30] * (x + 3);
            right -= board[x + 30] * (x + 1);
        }
        return left <= 0 && right >= 0;
    }

    /**
     * words: PHASE (0 adding, 1 removing), 61 weights (position -30 first, 0 where no block lies), 0, the weights in our hand.
     * Returns WEIGHT POSITION (adding) or POSITION (removing); a move that does not tip the board, if there is.
     */
    static String choose(String[] words) {
        int[] numbers = Arrays.stream(words).mapToInt(Integer::parseInt).toArray();
        boolean removing = numbers[0] == 1;
        int[] board = Arrays.copyOfRange(numbers, 1, 62);
        // When removing: a place without a block weighs nothing.
        int[] hand = removing ? new int[] {0} : Arrays.copyOfRange(numbers, 63, numbers.length);
        String any = null;
        for (int weight : hand) {
            for (int x = -30; x <= 30; x++) {
                if ((board[x + 30] != 0) != removing) {
                    continue; // no block here to take off, or no room for one
                }
                int[] after = board.clone();
                after[x + 30] = weight;
                String move = removing ? "" + x : weight + " " + x;
                if (stands(after)) {
                    return move;
                }
                any = any == null ? move : any;
            }
        }
        return any;
    }
}
