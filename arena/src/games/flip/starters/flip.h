#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "start.h"

/* Whether a whole piece fits here: on the table, and no other piece nearer than 2. xy: all centres, the own one left out. */
static int is_free(double x, double y, const double *xy, int pieces, int own)
{
    if (fabs(x) > 59 || fabs(y) > 19)
        return 0;
    for (int i = 0; i < pieces; i++)
        if (i != own && hypot(x - xy[2 * i], y - xy[2 * i + 1]) < 2)
            return 0;
    return 1;
}

/* words: SEAT N FLIPS ROUND ROUNDS, then x and y of seat 0's pieces and of seat 1's.
   Puts the flips into answer, each PIECE X Y, the new centre 2 cm from the old one; none for no flip. */
static void choose_flip(char **words, int count, char *answer)
{
    /* straight on first, then more and more to the side */
    static const double turns[] = {0, 0.4, -0.4, 0.8, -0.8, 1.2, -1.2, 1.5, -1.5};
    int seat = atoi(words[0]), n = atoi(words[1]), flips = atoi(words[2]), made = 0, length = 0;
    double xy[800], forward = seat == 0 ? 1 : -1;
    for (int i = 5; i < count; i++)
        xy[i - 5] = atof(words[i]);
    strcpy(answer, "none");
    for (int flip = 0; flip < flips; flip++)
        /* Those that are home (all inside the other third: 21 and more) only when no other can step. */
        for (int home = 0; home <= 1 && made == flip; home++)
            for (int piece = 0; piece < n && made == flip; piece++) {
                int at = seat * n + piece;
                if ((forward * xy[2 * at] >= 21) != home)
                    continue;
                for (int i = 0; i < 9 && made == flip; i++) {
                    double x = xy[2 * at] + forward * 2 * cos(turns[i]), y = xy[2 * at + 1] + 2 * sin(turns[i]);
                    if (!is_free(x, y, xy, 2 * n, at))
                        continue;
                    xy[2 * at] = x, xy[2 * at + 1] = y, made++;
                    length += sprintf(answer + length, "%d %.12f %.12f ", piece, x, y);
                }
            }
}
