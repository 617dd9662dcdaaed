# The words: SIZE SEAT P Q R S (the pairs of seats 0 and 1), SIZE*SIZE coins, SIZE*SIZE owners (0, 1, or -1 for nobody).
# Prints X Y X Y, counted from 1: the cell that becomes empty, then the one that holds the sum.
choose() {
    echo "$*" | awk '{
        size = $1; p = $(3 + 2 * $2); q = $(4 + 2 * $2)
        split(p " " p " " q " " q, across); split(q " " (-q) " " p " " (-p), down)
        for (y = 1; y <= size; y++)
            for (x = 1; x <= size; x++)
                for (i = 1; i <= 4; i++) {
                    other_x = x + across[i]; other_y = y + down[i]
                    if (other_x > size || other_y < 1 || other_y > size) continue
                    here = $(6 + (y - 1) * size + x); there = $(6 + (other_y - 1) * size + other_x)
                    if (here > 0 && here == there) { print x, y, other_x, other_y; exit }
                }
    }'
}
