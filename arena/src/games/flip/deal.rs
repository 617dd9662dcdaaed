//! The start: which seed deals which circles.
//!
//! The promise to users: words come from the stream "flip deal". Seat 0's pieces are placed in the order of their
//! numbers. A draw takes two numbers u, v in [0, 1); its centre is x = −59 + 38·u, y = −19 + 38·v. A centre that
//! overlaps an earlier piece is thrown away and drawn anew. Seat 1's piece i is the mirror image (−x, y) of seat 0's.

use super::Table;
use crate::game::ParamError;
use crate::seed::Stream;

/// So many draws a piece has. At 200 pieces the slowest needs about a hundred of them, so only a number of pieces that does
/// not fit comes to their end.
const DRAWS: usize = 10_000;

/// The table at the start of a match.
pub(super) fn deal(n: usize, seed: u64) -> Result<Table, ParamError> {
    let mut stream = Stream::new(seed, "flip deal");
    let mut table = Table::empty();
    for piece in 0..n {
        let Some([x, y]) = place(&mut table, &mut stream) else {
            return Err(ParamError(format!(
                "flip: `n` is {n}, but with seed {seed} only {piece} pieces fit into a third of the table: \
                 ask for fewer, or another seed"
            )));
        };
        table.add([-x, y]).expect("the mirror image of a free place is free");
    }
    Ok(table)
}

/// Adds seat 0's next piece and says where it lies.
fn place(table: &mut Table, stream: &mut Stream) -> Option<[f64; 2]> {
    (0..DRAWS).find_map(|_| {
        let x = -59.0 + 38.0 * stream.unit();
        let y = -19.0 + 38.0 * stream.unit();
        table.add([x, y]).is_ok().then_some([x, y])
    })
}
