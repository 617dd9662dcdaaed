//! Random moves, in every game: each legal move as likely, or what the game itself calls a random move.
//! No Tipping has a random strategy of its own.

use crate::{Player, Request, notipping_random};
use arena::game::Game;
use arena::games::flip::Flip;
use arena::games::notipping::NoTipping;
use arena::games::offset::Offset;
use arena::games::othello::Othello;
use std::process::ExitCode;

/// Plays until the arena closes the input.
pub fn main() -> ExitCode {
    crate::run_table(players())
}

/// Its player of each game.
pub fn players() -> Vec<Player<'static>> {
    vec![
        Player::of(any_legal::<Othello>),
        Player::of(any_legal::<Offset>),
        Player::of(|position: &NoTipping, request| notipping_random::choose(position, request)),
        Player::of(|position: &Flip, request| position.sample_move(&mut request.random())),
    ]
}

/// Each legal move as likely.
fn any_legal<G: Game>(position: &G, request: &Request) -> G::Move {
    let moves = position.legal_moves().expect("the game lists its moves");
    request.random().pick(&moves).clone()
}
