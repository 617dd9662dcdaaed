interface State {
  k: number;
  phase: "add" | "remove";
  board: number[]; // 61 weights, position -30 first, 0 where no block lies
  hands: [number[], number[]];
  torque: [number, number]; // about the left and the right support
}

interface Move {
  weight?: number; // not when removing
  position: number;
}

// Whether the board stands with this block added (taken off: give its weight as negative).
function stands([left, right]: [number, number], weight: number, position: number): boolean {
  return left - weight * (position + 3) <= 0 && right - weight * (position + 1) >= 0;
}

// Returns a block and where to place it, or where to take one off; one that does not tip the board, if there is.
export function choose(request: { state: State; seat: number }): Move {
  const { phase, board, hands, torque } = request.state;
  const at = (position: number) => board[position + 30];
  const positions = board.map((_, index) => index - 30);
  if (phase === "add") {
    const free = positions.filter((position) => at(position) === 0);
    const moves = hands[request.seat].flatMap((weight) => free.map((position) => ({ weight, position })));
    return moves.find((move) => stands(torque, move.weight, move.position)) ?? moves[0];
  }
  const moves = positions.filter((position) => at(position) > 0).map((position) => ({ position }));
  return moves.find((move) => stands(torque, -at(move.position), move.position)) ?? moves[0];
}
