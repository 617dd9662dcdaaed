// What the first line of a match tells, for choose in the file of each game.
#pragma once

struct Start {
    int seat = 0;            // 0 moves first, 1 second
    long long seed = 0;      // this bot's own: draw from it, and a match can be played again
    long long move_ms = -1;  // the limit on a move in milliseconds; -1 without one
};

inline Start start;
