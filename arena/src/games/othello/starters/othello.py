def choose(request):
    """Returns a legal move, like "c2"."""
    board = request["state"]["board"]  # the rows, the top one first, like "..WB.."
    legal = request["legal"]  # all legal moves, like ["c2", "b3", "e4", "d5"]
    last = len(board)
    for move in legal:
        column, row = ord(move[0]) - ord("a") + 1, int(move[1:])
        if column in (1, last) and row in (1, last):
            return move  # a corner: nobody can ever flip it back
    return legal[0]
