//! The best move at first sight, in every game: one short rule a game, looking no further than the move itself.

mod flip;
mod notipping;
mod offset;
mod othello;

use crate::{Player, Request};
use std::process::ExitCode;

/// Plays until the arena closes the input.
pub fn main() -> ExitCode {
    crate::run_without_options(
        "Plays the best move at first sight, in every game; the seed decides between equals.",
        players(),
    )
}

/// Its player of each game.
pub fn players() -> Vec<Player<'static>> {
    vec![
        Player::of(othello::choose),
        Player::of(offset::choose),
        Player::of(notipping::choose),
        Player::of(flip::choose),
    ]
}

/// One of the moves with the greatest worth, each as likely; there must be a move.
fn best<M: Clone, W: Ord>(moves: &[M], request: &Request, worth: impl Fn(&M) -> W) -> M {
    let worths: Vec<W> = moves.iter().map(worth).collect();
    let greatest = worths.iter().max();
    let best: Vec<&M> =
        moves.iter().zip(&worths).filter(|(_, worth)| Some(*worth) == greatest).map(|(mv, _)| mv).collect();
    (*request.random().pick(&best)).clone()
}
