interface State {
  size: number;
  board: string[]; // the rows, the top one first, like "..WB.."
  to_move: "B" | "W";
}

// Returns a legal move, like "c2".
export function choose(request: { state: State; seat: number; legal: string[] }): string {
  const { state, legal } = request; // legal: all legal moves, like ["c2", "b3", "e4", "d5"]
  const ends = [1, state.size];
  const isCorner = (move: string) => ends.includes(move.charCodeAt(0) - 96) && ends.includes(Number(move.slice(1)));
  // A corner, if there is one: nobody can ever flip it back.
  return legal.find(isCorner) ?? legal[0];
}
