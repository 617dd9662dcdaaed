//! What the Paper's rules look at: a position of Othello with its corners, its border and its moves.
//! Knows no rule of the Paper's.

use arena::game::{Game, Status};
use arena::games::othello::{Move, Othello, Square};
use arena::seat::Seat;

/// A position in which a seat has to move.
#[derive(Clone, Copy)]
pub(super) struct Board<'a> {
    position: &'a Othello,
    mover: Seat,
}

impl<'a> Board<'a> {
    /// The position, and who is to move in it; `None` when nobody is.
    pub(super) fn new(position: &'a Othello) -> Option<Board<'a>> {
        match position.status() {
            Status::ToMove(mover) => Some(Board { position, mover }),
            Status::MustPass(_) | Status::Over(_) => None,
        }
    }

    /// The legal moves.
    pub(super) fn moves(&self) -> Vec<Square> {
        squares(self.position)
    }

    /// Whether the square is a corner.
    pub(super) fn is_corner(&self, Square { column, row }: Square) -> bool {
        self.is_end(column) && self.is_end(row)
    }

    /// Whether the square is on the border, corners included.
    pub(super) fn is_border(&self, Square { column, row }: Square) -> bool {
        self.is_end(column) || self.is_end(row)
    }

    /// Whether a corner that is empty is among the square's eight neighbours.
    pub(super) fn touches_empty_corner(&self, square: Square) -> bool {
        self.neighbours(square).any(|near| self.is_corner(near) && self.position.disc(near).is_none())
    }

    /// How many discs a move flips.
    pub(super) fn flips(&self, square: Square) -> i64 {
        let discs = |position: &Othello| position.scores()[self.mover.index()];
        discs(&self.after(square)) - discs(self.position) - 1
    }

    /// How many moves a move leaves to the opponent.
    pub(super) fn replies(&self, square: Square) -> i64 {
        let after = self.after(square);
        match after.status() {
            Status::ToMove(_) => squares(&after).len() as i64,
            Status::MustPass(_) | Status::Over(_) => 0,
        }
    }

    /// How far a square is from the middle of the board: the square of the distance, in half squares.
    pub(super) fn distance_to_middle(&self, Square { column, row }: Square) -> i64 {
        let off = |place: u32| (2 * i64::from(place) + 1 - i64::from(self.position.size())).pow(2);
        off(column) + off(row)
    }

    /// How many own discs touch an empty square after a move.
    pub(super) fn frontier(&self, square: Square) -> i64 {
        let after = self.after(square);
        let is_empty = |near: Square| after.disc(near).is_none();
        let open = |at: &Square| after.disc(*at) == Some(self.mover) && self.neighbours(*at).any(is_empty);
        self.all().filter(open).count() as i64
    }

    fn after(&self, square: Square) -> Othello {
        let mut after = self.position.clone();
        after.apply(&Move::At(square));
        after
    }

    fn all(&self) -> impl Iterator<Item = Square> {
        let size = self.position.size();
        (0..size).flat_map(move |row| (0..size).map(move |column| Square { column, row }))
    }

    fn neighbours(&self, square: Square) -> impl Iterator<Item = Square> {
        let near = |place: u32| place.saturating_sub(1)..=(place + 1).min(self.position.size() - 1);
        let columns = near(square.column);
        let around = near(square.row).flat_map(move |row| columns.clone().map(move |column| Square { column, row }));
        around.filter(move |near| *near != square)
    }

    fn is_end(&self, place: u32) -> bool {
        place == 0 || place + 1 == self.position.size()
    }
}

fn squares(position: &Othello) -> Vec<Square> {
    let moves = position.legal_moves().unwrap_or_default();
    let square = |mv| match mv {
        Move::At(square) => Some(square),
        Move::Unknown(_) | Move::Nothing => None,
    };
    moves.into_iter().filter_map(square).collect()
}
