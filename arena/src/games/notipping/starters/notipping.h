#include <stdio.h>
#include <stdlib.h>
#include "start.h"

/* Whether the board does not tip: no turning to the left about -3, none to the right about -1. */
static int stands(const int *board)
{
    int left = -3 * 3, right = -3 * 1; /* the board itself: 3 kg at 0 */
    for (int x = -30; x <= 30; x++) {
        left -= board[x + 30] * (x + 3);
        right -= board[x + 30] * (x + 1);
    }
    return left <= 0 && right >= 0;
}

/* words: PHASE (0 adding, 1 removing), 61 weights (position -30 first, 0 where no block lies), 0, the weights in our hand.
   Puts WEIGHT POSITION (adding) or POSITION (removing) into answer; a move that does not tip the board, if there is. */
static void choose_notipping(char **words, int count, char *answer)
{
    int removing = atoi(words[0]), board[61], found = 0;
    for (int i = 0; i < 61; i++)
        board[i] = atoi(words[1 + i]);
    for (int hand = 63; hand < count || (removing && hand == 63); hand++)
        for (int x = -30; x <= 30; x++) {
            int before = board[x + 30], weight = removing ? 0 : atoi(words[hand]);
            if ((before != 0) != removing)
                continue; /* no block here to take off, or no room for one */
            board[x + 30] = weight;
            int safe = stands(board);
            board[x + 30] = before;
            if (safe || !found) {
                if (removing)
                    sprintf(answer, "%d", x);
                else
                    sprintf(answer, "%d %d", weight, x);
            }
            if (safe)
                return;
            found = 1;
        }
}
