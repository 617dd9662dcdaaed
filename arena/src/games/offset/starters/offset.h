#include <stdio.h>
#include <stdlib.h>
#include "start.h"

/* words: SIZE SEAT P Q R S (the pairs of seats 0 and 1), SIZE*SIZE coins, SIZE*SIZE owners (0, 1, or -1 for nobody).
   Puts X Y X Y into answer, counted from 1: the cell that becomes empty, then the one that holds the sum. */
static void choose_offset(char **words, int count, char *answer)
{
    int size = atoi(words[0]), seat = atoi(words[1]);
    int p = atoi(words[2 + 2 * seat]), q = atoi(words[3 + 2 * seat]);
    int steps[4][2] = {{p, q}, {p, -q}, {q, p}, {q, -p}};
    char **coins = words + 6; /* cell x, y from 0: coins[y * size + x]; after them the owners, in the same order */
    (void)count;
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++)
            for (int i = 0; i < 4; i++) {
                int other_x = x + steps[i][0], other_y = y + steps[i][1];
                if (other_x >= size || other_y < 0 || other_y >= size)
                    continue;
                int here = atoi(coins[y * size + x]), there = atoi(coins[other_y * size + other_x]);
                if (here > 0 && here == there) {
                    sprintf(answer, "%d %d %d %d", x + 1, y + 1, other_x + 1, other_y + 1);
                    return;
                }
            }
}
