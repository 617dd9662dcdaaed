//! Othello: the move that flips the most discs.

use super::best;
use crate::Request;
use arena::game::Game;
use arena::games::othello::{Move, Othello};

/// The seat to move has a move.
pub(super) fn choose(position: &Othello, request: &Request) -> Move {
    let moves = position.legal_moves().expect("Othello lists its moves");
    let me = request.turn.seat.index();
    best(&moves, request, |mv| {
        let mut after = position.clone();
        after.apply(mv);
        after.scores()[me]
    })
}
