# The words: PHASE (0 adding, 1 removing), 61 weights (position -30 first, 0 where no block lies), 0, the weights in our hand.
# Prints WEIGHT POSITION (adding) or POSITION (removing); a move that does not tip the board, if there is.
choose() {
    echo "$*" | awk '
    # Whether the board stands when w kg are added at x (taken off: w is negative).
    function stands(w, x) { return left - w * (x + 3) <= 0 && right - w * (x + 1) >= 0 }
    {
        left = -3 * 3; right = -3 * 1   # the board itself: 3 kg at 0
        for (x = -30; x <= 30; x++) { left -= $(x + 32) * (x + 3); right -= $(x + 32) * (x + 1) }
        any = ""
        for (x = -30; x <= 30; x++) {
            here = $(x + 32)
            if ($1 == 1 && here > 0) {
                if (stands(-here, x)) { print x; exit }
                if (any == "") any = x
            }
            if ($1 == 0 && here == 0)
                for (i = 64; i <= NF; i++) {
                    if (stands($i, x)) { print $i, x; exit }
                    if (any == "") any = $i " " x
                }
        }
        print any
    }'
}
