#!/usr/bin/env python3
"""The loop that speaks with the arena. What the bot plays is the function `choose` in the file of each game."""
import importlib
import json
import sys


def say(message):
    print(json.dumps(message), flush=True)  # without flush=True the arena would never see it


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        seed = message["seed"]
        choose = importlib.import_module(message["game"]).choose
        # reuse: nothing is remembered from one match to the next. Leave it out if your bot keeps something.
        say({"type": "ready", "reuse": True})
    elif message["type"] == "turn":
        say({"turn": message["turn"], "move": choose({**message, "seed": seed})})
