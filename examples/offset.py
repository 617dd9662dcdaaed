#!/usr/bin/env python3
"""An Offset bot to start from: it takes the combination that wins it the most coins."""
import json
import sys


def moves(state, seat):
    """All moves of this seat: two cells, as far apart as its offsets say, with equally many coins."""
    size, coins = state["size"], state["coins"]
    p, q = state["offsets"][seat]
    steps = [(sign_x * a, sign_y * b) for a, b in ((p, q), (q, p)) for sign_x in (1, -1) for sign_y in (1, -1)]
    for y in range(size):
        for x in range(size):
            for dx, dy in steps if coins[y][x] else ():
                if 0 <= x + dx < size and 0 <= y + dy < size and coins[y + dy][x + dx] == coins[y][x]:
                    yield {"from": [x + 1, y + 1], "to": [x + dx + 1, y + dy + 1]}


def gain(state, seat, move):
    """How far this move puts us ahead: a pile of nobody's counts once, one of the opponent's twice, an own one not."""
    owners = [state["owner"][y - 1][x - 1] for x, y in (move["from"], move["to"])]
    x, y = move["to"]
    return state["coins"][y - 1][x - 1] * sum(0 if owner == seat else 1 if owner == -1 else 2 for owner in owners)


def choose(state, seat):
    """We are only asked when there is a move."""
    return max(moves(state, seat), key=lambda move: gain(state, seat, move))


def say(message):
    print(json.dumps(message), flush=True)  # without flush=True the arena would never see it


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        say({"type": "ready", "reuse": True})
    elif message["type"] == "turn":
        say({"turn": message["turn"], "move": choose(message["state"], message["seat"])})
