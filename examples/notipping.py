#!/usr/bin/env python3
"""A No Tipping bot to start from: it never tips the board while there is a way not to."""
import json
import sys


def stands(torque, weight, position):
    """Whether the board stands after this block is added (after it is taken off: give its weight as negative)."""
    left, right = torque
    return left - weight * (position + 3) <= 0 <= right - weight * (position + 1)


def choose_add(state, seat):
    """The heaviest block that can still be placed: later it will be harder."""
    free = [x for x in range(-30, 31) if state["board"][x + 30] == 0]
    hand = sorted(state["hands"][seat], reverse=True)
    for weight in hand:
        for position in free:
            if stands(state["torque"], weight, position):
                return {"weight": weight, "position": position}
    return {"weight": hand[-1], "position": free[0]}


def choose_remove(state):
    """The lightest block that can be taken off: the heavy ones are left to the opponent."""
    blocks = sorted((weight, x - 30) for x, weight in enumerate(state["board"]) if weight)
    for weight, position in blocks:
        if stands(state["torque"], -weight, position):
            return {"position": position}
    return {"position": blocks[0][1]}


def say(message):
    print(json.dumps(message), flush=True)  # without flush=True the arena would never see it


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        say({"type": "ready", "reuse": True})
    elif message["type"] == "turn":
        state = message["state"]
        move = choose_add(state, message["seat"]) if state["phase"] == "add" else choose_remove(state)
        say({"turn": message["turn"], "move": move})
