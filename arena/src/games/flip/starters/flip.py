import math

TURNS = [0, 0.4, -0.4, 0.8, -0.8, 1.2, -1.2, 1.5, -1.5]  # straight on first, then more and more to the side


def free(x, y, others):
    """Whether a whole piece fits here: on the table, and no other piece nearer than 2."""
    return abs(x) <= 59 and abs(y) <= 19 and all(math.hypot(x - a, y - b) >= 2 for a, b in others)


def flip(mine, theirs, forward):
    """One flip, made in `mine` too; None when no piece can step forward. `forward`: 1 to the right, -1 to the left."""
    # Those that are home (all inside the other third: 21 and more) only when no other can step.
    for piece in sorted(range(len(mine)), key=lambda piece: forward * mine[piece][0] >= 21):
        others = mine[:piece] + mine[piece + 1:] + theirs
        for turn in TURNS:
            x = mine[piece][0] + forward * 2 * math.cos(turn)
            y = mine[piece][1] + 2 * math.sin(turn)
            if free(x, y, others):
                mine[piece] = [x, y]
                return {"piece": piece, "to": [x, y]}
    return None


def choose(request):
    """Returns a list of flips, each a piece and its new centre, 2 cm from the old one."""
    state, seat = request["state"], request["seat"]
    mine, theirs = state["pieces"][seat], state["pieces"][1 - seat]
    flips = [flip(mine, theirs, 1 if seat == 0 else -1) for _ in range(state["flips"])]
    return [made for made in flips if made]
