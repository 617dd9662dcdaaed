// Whether the board stands with this block added (taken off: give its weight as negative).
function stands([left, right], weight, position) {
  return left - weight * (position + 3) <= 0 && right - weight * (position + 1) >= 0;
}

// Returns a block and where to place it, or where to take one off; one that does not tip the board, if there is.
export function choose(request) {
  const { phase, board, hands, torque } = request.state; // board: 61 weights, position -30 first, 0 where no block lies
  const at = (position) => board[position + 30];
  const positions = board.map((_, index) => index - 30);
  if (phase === "add") {
    const free = positions.filter((position) => at(position) === 0);
    const moves = hands[request.seat].flatMap((weight) => free.map((position) => ({ weight, position })));
    return moves.find((move) => stands(torque, move.weight, move.position)) ?? moves[0];
  }
  const moves = positions.filter((position) => at(position) > 0).map((position) => ({ position }));
  return moves.find((move) => stands(torque, -at(move.position), move.position)) ?? moves[0];
}
