#!/usr/bin/env python3
"""A No Tipping client for the course's server (text): never tips the board while there is a way not to.

python3 notipping_client.py HOST PORT [FIRST] [NAME]     FIRST is 1 to move first, else 0
"""
import socket
import sys


def stands(board, weight, position):
    """Whether the board stands once this is added (a block that is taken off has a negative weight)."""
    blocks = list(enumerate(board, -30)) + [(0, 3), (position, weight)]
    left = sum(-w * (x + 3) for x, w in blocks)
    right = sum(-w * (x + 1) for x, w in blocks)
    return left <= 0 <= right


def choose(removing, board, hand):
    """The numbers to be sent: a weight and a position, or a position."""
    if removing:
        moves = [(-w, x) for x, w in enumerate(board, -30) if w]
    else:
        moves = [(w, x) for w in sorted(hand, reverse=True) for x in range(-30, 31) if not board[x + 30]]
    weight, position = next((m for m in moves if stands(board, *m)), moves[0])
    hand.discard(weight)
    return [position] if removing else [weight, position]


if len(sys.argv) < 3 or not sys.argv[2].isdigit():
    sys.exit(__doc__)
host, port = sys.argv[1], int(sys.argv[2])
first = sys.argv[3] if len(sys.argv) > 3 else "0"
name = sys.argv[4] if len(sys.argv) > 4 else "python"
with socket.create_connection((host, port)) as server:
    server.sendall(f"{name} {first}".encode())
    hand = set(range(1, int(server.recv(1024)) + 1))
    while True:
        message = server.recv(1024)
        if not message:
            break
        removing, *board, over = map(int, message.split())
        if over:
            break
        server.sendall(" ".join(map(str, choose(removing, board, hand))).encode())
