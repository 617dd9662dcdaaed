//! What the Paper's rules look at: a position of Othello with its corners, its border and its moves.

use arena::game::{Game, Status};
use arena::games::othello::Othello;
use arena::seat::Seat;
use std::fmt;

/// A square: row and column from 0, the top row and the left column first. The order of squares is reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    /// The row, 0 at the top.
    pub row: i64,
    /// The column, 0 at the left.
    pub column: i64,
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = char::from(b'a' + self.column as u8);
        write!(f, "{column}{}", self.row + 1)
    }
}
