#!/usr/bin/env python3
"""A No Tipping client for the course's server (JSON): never tips the board while there is a way not to.

python3 notipping_client_json.py HOST PORT [FIRST] [NAME]     FIRST is 1 to move first, else 0
"""
import json
import socket
import sys


def stands(board, weight, position):
    """Whether the board stands once this is added (a block that is taken off has a negative weight)."""
    blocks = list(enumerate(board, -30)) + [(0, 3), (position, weight)]
    left = sum(-w * (x + 3) for x, w in blocks)
    right = sum(-w * (x + 1) for x, w in blocks)
    return left <= 0 <= right


def place(board, hand):
    moves = [(w, x) for w in sorted(hand) for x in range(30, -31, -1) if not board[x + 30]]
    weight, position = next((m for m in moves if stands(board, *m)), moves[0])
    hand.discard(weight)
    return {"position": position, "weight": weight}


def remove(board):
    moves = [(-w, x) for x, w in enumerate(board, -30) if w]
    return {"position": next((m for m in moves if stands(board, *m)), moves[0])[1]}


if len(sys.argv) < 3 or not sys.argv[2].isdigit():
    sys.exit(__doc__)
host, port = sys.argv[1], int(sys.argv[2])
first = len(sys.argv) > 3 and sys.argv[3] == "1"
name = sys.argv[4] if len(sys.argv) > 4 else "python-json"
with socket.create_connection((host, port)) as server:
    server.sendall(json.dumps({"name": name, "is_first": first}).encode())
    hand = set(range(1, json.loads(server.recv(1024))["num_weights"] + 1))
    while True:
        message = server.recv(4096)
        if not message:
            break
        state = json.loads(message)
        if state["game_over"] == "1":
            print("the winner is", state.get("winner", "nobody"))
            break
        board = [int(weight) for weight in state["board_state"].split()]
        move = place(board, hand) if state["move_type"] == "place" else remove(board)
        server.sendall(json.dumps(move).encode())
