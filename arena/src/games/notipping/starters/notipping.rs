/// Whether the board does not tip: no turning to the left about -3, none to the right about -1.
fn stands(board: &[i32]) -> bool {
    // The board itself: 3 kg at 0.
    let (mut left, mut right) = (-3 * 3, -3);
    for (x, weight) in (-30..).zip(board) {
        left -= weight * (x + 3);
        right -= weight * (x + 1);
    }
    left <= 0 && right >= 0
}

/// `words`: PHASE (0 adding, 1 removing), 61 weights (position -30 first, 0 where no block lies), 0, the weights in our hand.
/// Returns WEIGHT POSITION (adding) or POSITION (removing); a move that does not tip the board, if there is.
pub fn choose(words: &[&str]) -> String {
    let numbers: Vec<i32> = words.iter().map(|word| word.parse().unwrap()).collect();
    let (removing, board) = (numbers[0] == 1, &numbers[1..62]);
    // When removing: a place without a block weighs nothing.
    let hand = if removing { &[0] } else { &numbers[63..] };
    let mut any = None;
    for weight in hand {
        for (index, x) in (-30..=30).enumerate() {
            if (board[index] != 0) != removing {
                continue; // no block here to take off, or no room for one
            }
            let mut after = board.to_vec();
            after[index] = *weight;
            let mv = if removing { format!("{x}") } else { format!("{weight} {x}") };
            if stands(&after) {
                return mv;
            }
            any.get_or_insert(mv);
        }
    }
    any.expect("there always is a move")
}
