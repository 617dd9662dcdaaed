#!/usr/bin/env python3
"""A Flip bot to start from: it brings its pieces over one by one, around whatever is in their way."""
import json
import math
import sys

TURNS = [0, 0.4, -0.4, 0.8, -0.8, 1.2, -1.2, 1.5, -1.5]  # straight on first, then more and more to the side


def free(x, y, others):
    """Whether a whole piece fits here: on the table, and no other piece nearer than 2."""
    on_table = abs(x) <= 59 and abs(y) <= 19
    return on_table and all(math.hypot(x - other_x, y - other_y) >= 2 for other_x, other_y in others)


def flip(mine, theirs, forward):
    """One flip, made in `mine` too; None when no piece can step forward. `forward`: 1 to the right, -1 to the left."""
    ahead = [forward * x for x, _ in mine]
    # The one farthest ahead first; those at home (all inside the other third, from 21 on) only when no other can step.
    for piece in sorted(range(len(mine)), key=lambda piece: (ahead[piece] >= 21, -ahead[piece])):
        others = mine[:piece] + mine[piece + 1:] + theirs
        for turn in TURNS:
            x = mine[piece][0] + forward * 2 * math.cos(turn)
            y = mine[piece][1] + 2 * math.sin(turn)
            if free(x, y, others):
                mine[piece] = [x, y]
                return {"piece": piece, "to": [x, y]}
    return None


def choose(state, seat):
    mine, theirs = state["pieces"][seat], state["pieces"][1 - seat]
    flips = [flip(mine, theirs, 1 if seat == 0 else -1) for _ in range(state["flips"])]
    return [made for made in flips if made]


def say(message):
    print(json.dumps(message), flush=True)  # without flush=True the arena would never see it


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        say({"type": "ready", "reuse": True})
    elif message["type"] == "turn":
        say({"turn": message["turn"], "move": choose(message["state"], message["seat"])})
