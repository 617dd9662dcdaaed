//! Random moves, in every game: each legal move as likely, or what the game itself calls a random move; in No Tipping
//! the game's random strategy.

use crate::{Player, Request, notipping_random};
use arena::game::Game;
use arena::games::flip::Flip;
use arena::games::offset::Offset;
use arena::games::othello::Othello;
use std::process::ExitCode;

/// Plays until the arena closes the input.
pub fn main() -> ExitCode {
    crate::run_without_options("Plays random moves, in every game; the same seed gives the same moves.", players())
}

/// Its player of each game.
pub fn players() -> Vec<Player<'static>> {
    vec![
        Player::of(any::<Othello>),
        Player::of(any::<Offset>),
        Player::of(notipping_random::choose),
        Player::of(any::<Flip>),
    ]
}

/// What the game calls a random move.
fn any<G: Game>(position: &G, request: &Request) -> G::Move {
    position.sample_move(&mut request.random())
}
