def choose(request):
    """Returns a legal move: the cell that becomes empty and the cell that holds the sum, counted from 1."""
    size, coins = request["state"]["size"], request["state"]["coins"]
    p, q = request["state"]["offsets"][request["seat"]]
    for y in range(size):
        for x in range(size):
            for dx, dy in ((p, q), (p, -q), (q, p), (q, -p)):
                other_x, other_y = x + dx, y + dy
                on_board = other_x < size and 0 <= other_y < size
                if on_board and coins[y][x] and coins[y][x] == coins[other_y][other_x]:
                    return {"from": [x + 1, y + 1], "to": [other_x + 1, other_y + 1]}
    raise AssertionError("a seat without a move is not asked")
