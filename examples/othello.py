#!/usr/bin/env python3
"""An Othello bot to start from: the one function to change is `choose`."""
import json
import sys


def choose(board, me, legal):
    """Picks one of the legal moves. `board`: its rows, the top one first; a square is "B", "W" or "."; we are `me`."""
    last = len(board)
    for move in legal:
        column, row = ord(move[0]) - ord("a") + 1, int(move[1:])
        if column in (1, last) and row in (1, last):
            return move  # a corner: nobody can ever flip it back
    return legal[0]


def say(message):
    print(json.dumps(message), flush=True)  # without flush=True the arena would never see it


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        say({"type": "ready", "reuse": True})
    elif message["type"] == "turn":
        state = message["state"]
        say({"turn": message["turn"], "move": choose(state["board"], state["to_move"], message["legal"])})
