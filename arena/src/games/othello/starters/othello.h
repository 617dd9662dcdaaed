#include <stdlib.h>
#include <string.h>
#include "start.h"

/* words: SIZE COLOUR, SIZE rows (top first, like ..WB..), then all legal moves (like c2).
   Puts one of the moves into answer. */
static void choose_othello(char **words, int count, char *answer)
{
    int size = atoi(words[0]);
    char **legal = words + 2 + size;
    char *best = legal[0];
    for (int i = 0; i < count - 2 - size; i++) {
        int column = legal[i][0] - 'a' + 1, row = atoi(legal[i] + 1);
        if ((column == 1 || column == size) && (row == 1 || row == size))
            best = legal[i]; /* a corner: nobody can ever flip it back */
    }
    strcpy(answer, best);
}
