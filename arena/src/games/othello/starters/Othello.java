class Othello {
    /** words: SIZE COLOUR, SIZE rows (top first, like ..WB..), then all legal moves (like c2). Returns one of the moves. */
    static String choose(String[] words) {
        int size = Integer.parseInt(words[0]);
        for (int i = 2 + size; i < words.length; i++) {
            int column = words[i].charAt(0) - 'a' + 1;
            int row = Integer.parseInt(words[i].substring(1));
            if ((column == 1 || column == size) && (row == 1 || row == size)) {
                return words[i]; // a corner: nobody can ever flip it back
            }
        }
        return words[2 + size];
    }
}
