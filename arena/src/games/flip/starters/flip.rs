/// Straight on first, then more and more to the side.
const TURNS: [f64; 9] = [0.0, 0.4, -0.4, 0.8, -0.8, 1.2, -1.2, 1.5, -1.5];

/// Whether a whole piece fits here: on the table, and no other piece than the own one nearer than 2.
fn is_free(at: [f64; 2], pieces: &[[f64; 2]], own: usize) -> bool {
    let far = |(i, other): (usize, &[f64; 2])| i == own || (at[0] - other[0]).hypot(at[1] - other[1]) >= 2.0;
    at[0].abs() <= 59.0 && at[1].abs() <= 19.0 && pieces.iter().enumerate().all(far)
}

/// One flip as PIECE X Y, made in `pieces` too; `None` when no piece can step forward.
fn step(pieces: &mut [[f64; 2]], seat: usize, n: usize) -> Option<String> {
    let forward = if seat == 0 { 1.0 } else { -1.0 };
    // Those that are home (all inside the other third: 21 and more) only when no other can step.
    for home in [false, true] {
        for piece in 0..n {
            let own = seat * n + piece;
            let [x, y] = pieces[own];
            if (forward * x >= 21.0) != home {
                continue;
            }
            for turn in TURNS {
                let to = [x + forward * 2.0 * turn.cos(), y + 2.0 * turn.sin()];
                if is_free(to, pieces, own) {
                    pieces[own] = to;
                    return Some(format!("{piece} {} {}", to[0], to[1]));
                }
            }
        }
    }
    None
}

/// `words`: SEAT N FLIPS ROUND ROUNDS, then x and y of seat 0's pieces and of seat 1's.
/// Returns the flips, each PIECE X Y, the new centre 2 cm from the old one; none for no flip.
pub fn choose(words: &[&str]) -> String {
    let [seat, n, flips] = [0, 1, 2].map(|i| words[i].parse::<usize>().unwrap());
    let numbers: Vec<f64> = words[5..].iter().map(|word| word.parse().unwrap()).collect();
    let mut pieces: Vec<[f64; 2]> = numbers.chunks(2).map(|centre| [centre[0], centre[1]]).collect();
    let made: Vec<String> = (0..flips).filter_map(|_| step(&mut pieces, seat, n)).collect();
    if made.is_empty() { "none".to_string() } else { made.join(" ") }
}
