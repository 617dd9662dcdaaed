interface State {
  size: number;
  d: number;
  offsets: [number, number][]; // the pairs of seats 0 and 1
  coins: number[][]; // the rows, y = 1 first
  owner: number[][]; // 0, 1, or -1 for nobody
}

interface Move {
  from: [number, number]; // the cell that becomes empty, counted from 1
  to: [number, number]; // the cell that holds the sum
}

// Returns a legal move.
export function choose(request: { state: State; seat: number }): Move {
  const { size, coins, offsets } = request.state;
  const [p, q] = offsets[request.seat];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      for (const [dx, dy] of [[p, q], [p, -q], [q, p], [q, -p]]) {
        const other: number | undefined = coins[y + dy]?.[x + dx]; // undefined off the board
        if (coins[y][x] > 0 && coins[y][x] === other) {
          return { from: [x + 1, y + 1], to: [x + dx + 1, y + dy + 1] };
        }
      }
    }
  }
  throw new Error("a seat without a move is not asked");
}
