// Returns a legal move, like "c2".
export function choose(request) {
  const board = request.state.board; // the rows, the top one first, like "..WB.."
  const legal = request.legal; // all legal moves, like ["c2", "b3", "e4", "d5"]
  const ends = [1, board.length];
  const isCorner = (move) => ends.includes(move.charCodeAt(0) - 96) && ends.includes(Number(move.slice(1)));
  // A corner, if there is one: nobody can ever flip it back.
  return legal.find(isCorner) ?? legal[0];
}
