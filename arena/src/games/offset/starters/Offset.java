import java.util.Arrays;

class Offset {
    /**
     * words: SIZE SEAT P Q R S (the pairs of seats 0 and 1), SIZE*SIZE coins, SIZE*SIZE owners (0, 1, or -1 for nobody).
     * Returns X Y X Y, counted from 1: the cell that becomes empty, then the one that holds the sum.
     */
    static String choose(String[] words) {
        int[] numbers = Arrays.stream(words).mapToInt(Integer::parseInt).toArray();
        int size = numbers[0], seat = numbers[1];
        int p = numbers[2 + 2 * seat], q = numbers[3 + 2 * seat];
        int[] coins = Arrays.copyOfRange(numbers, 6, 6 + size * size); // cell x, y from 0: coins[y * size + x]
        for (int y = 0; y < size; y++) {
            for (int x = 0; x < size; x++) {
                for (int[] step : new int[][] {{p, q}, {p, -q}, {q, p}, {q, -p}}) {
                    int otherX = x + step[0], otherY = y + step[1];
                    boolean onBoard = otherX < size && otherY >= 0 && otherY < size;
                    if (onBoard && coins[y * size + x] > 0 && coins[y * size + x] == coins[otherY * size + otherX]) {
                        return (x + 1) + " " + (y + 1) + " " + (otherX + 1) + " " + (otherY + 1);
                    }
                }
            }
        }
        throw new IllegalStateException("a seat without a move is not asked");
    }
}
