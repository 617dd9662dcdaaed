/* What the first line of a match tells, for choose_GAME in the file of each game. */
#pragma once

extern struct start {
    int seat;          /* 0 moves first, 1 second */
    long long seed;    /* this bot's own: draw from it, and a match can be played again */
    long long move_ms; /* the limit on a move in milliseconds; -1 without one */
} start;
