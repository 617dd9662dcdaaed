def stands(torque, weight, position):
    """Whether the board stands with this block added (taken off: give its weight as negative)."""
    left, right = torque
    return left - weight * (position + 3) <= 0 <= right - weight * (position + 1)


def choose(request):
    """Returns a block and where to place it, or where to take one off; one that does not tip the board, if there is."""
    state, seat = request["state"], request["seat"]
    board = {x - 30: weight for x, weight in enumerate(state["board"])}  # 0 where no block lies
    if state["phase"] == "add":
        free = [x for x in board if board[x] == 0]
        moves = [{"weight": weight, "position": x} for weight in state["hands"][seat] for x in free]
        safe = [move for move in moves if stands(state["torque"], move["weight"], move["position"])]
    else:
        moves = [{"position": x} for x in board if board[x] > 0]
        safe = [move for move in moves if stands(state["torque"], -board[move["position"]], move["position"])]
    return (safe or moves)[0]
