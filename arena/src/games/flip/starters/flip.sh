# The words: SEAT N FLIPS ROUND ROUNDS, then x and y of seat 0's pieces and of seat 1's.
# Prints the flips, each PIECE X Y, the new centre 2 cm from the old one; none for no flip.
choose() {
    echo "$*" | awk '
    # Whether a whole piece fits here: on the table, and no other piece than the own one nearer than 2.
    function is_free(a, b, own, i) {
        if (a > 59 || a < -59 || b > 19 || b < -19) return 0
        for (i = 0; i < 2 * n; i++)
            if (i != own && (a - x[i]) * (a - x[i]) + (b - y[i]) * (b - y[i]) < 4) return 0
        return 1
    }
    # One flip, made in x and y too; nothing when no piece can step forward.
    function step(home, piece, own, i, a, b) {
        # Those that are home (all inside the other third: 21 and more) only when no other can step.
        for (home = 0; home <= 1; home++)
            for (piece = 0; piece < n; piece++) {
                own = seat * n + piece
                if ((forward * x[own] >= 21) != home) continue
                for (i = 1; i <= count; i++) {
                    a = x[own] + forward * 2 * cos(turns[i]); b = y[own] + 2 * sin(turns[i])
                    if (!is_free(a, b, own)) continue
                    x[own] = a; y[own] = b
                    return sprintf("%d %.12f %.12f ", piece, a, b)
                }
            }
        return ""
    }
    {
        # Straight on first, then more and more to the side.
        count = split("0 0.4 -0.4 0.8 -0.8 1.2 -1.2 1.5 -1.5", turns)
        seat = $1; n = $2; forward = 1 - 2 * seat
        for (i = 0; i < 2 * n; i++) { x[i] = $(6 + 2 * i); y[i] = $(7 + 2 * i) }
        answer = ""
        for (flip = 0; flip < $3; flip++) answer = answer step()
        print (answer == "" ? "none" : answer)
    }'
}
