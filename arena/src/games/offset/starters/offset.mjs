// Returns a legal move: the cell that becomes empty and the cell that holds the sum, counted from 1.
export function choose(request) {
  const { size, coins, offsets } = request.state;
  const [p, q] = offsets[request.seat];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      for (const [dx, dy] of [[p, q], [p, -q], [q, p], [q, -p]]) {
        const other = coins[y + dy]?.[x + dx]; // undefined off the board
        if (coins[y][x] > 0 && coins[y][x] === other) {
          return { from: [x + 1, y + 1], to: [x + dx + 1, y + dy + 1] };
        }
      }
    }
  }
  throw new Error("a seat without a move is not asked");
}
