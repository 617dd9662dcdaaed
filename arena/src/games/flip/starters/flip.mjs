const TURNS = [0, 0.4, -0.4, 0.8, -0.8, 1.2, -1.2, 1.5, -1.5]; // straight on first, then more and more to the side

// Whether a whole piece fits here: on the table, and no other piece nearer than 2.
function free(x, y, others) {
  return Math.abs(x) <= 59 && Math.abs(y) <= 19 && others.every(([a, b]) => Math.hypot(x - a, y - b) >= 2);
}

// One flip, made in `mine` too; undefined when no piece can step forward. `forward`: 1 to the right, -1 to the left.
function flip(mine, theirs, forward) {
  const isHome = (piece) => Number(forward * mine[piece][0] >= 21); // all inside the other third
  // Those that are home step only when no other can.
  for (const piece of [...mine.keys()].sort((a, b) => isHome(a) - isHome(b))) {
    const others = mine.filter((_, other) => other !== piece).concat(theirs);
    for (const turn of TURNS) {
      const to = [mine[piece][0] + forward * 2 * Math.cos(turn), mine[piece][1] + 2 * Math.sin(turn)];
      if (free(to[0], to[1], others)) {
        mine[piece] = to;
        return { piece, to };
      }
    }
  }
  return undefined;
}

// Returns a list of flips, each a piece and its new centre, 2 cm from the old one.
export function choose(request) {
  const { pieces, flips } = request.state;
  const moves = [];
  for (let i = 0; i < flips; i++) {
    const made = flip(pieces[request.seat], pieces[1 - request.seat], request.seat === 0 ? 1 : -1);
    if (made) moves.push(made);
  }
  return moves;
}
