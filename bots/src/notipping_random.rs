//! No Tipping's random strategy: a random block, placed or taken off so that the board still stands.

use crate::{Player, Request};
use arena::game::Game;
use arena::games::notipping::{Move, NoTipping};
use std::process::ExitCode;

/// Plays until the arena closes the input.
pub fn main() -> ExitCode {
    let about = "Plays No Tipping by its random strategy; the same seed gives the same moves.";
    crate::run_without_options(about, vec![Player::of(choose)])
}

/// Adding: a random one of the own blocks that have a place where the board still stands, as far left as it can stand.
/// Removing: a random one of the blocks without which the board still stands. When everything tips: any legal move.
pub fn choose(position: &NoTipping, request: &Request) -> Move {
    let moves = position.legal_moves().expect("No Tipping lists its moves");
    let standing = leftmost_of_each_block(moves.iter().filter(|mv| !position.tips(mv)));
    let choice = if standing.is_empty() { moves } else { standing };
    request.random().pick(&choice).clone()
}

/// The first place of each block, of moves listed block by block and from the left. Blocks that are taken off have one
/// place only.
fn leftmost_of_each_block<'a>(moves: impl Iterator<Item = &'a Move>) -> Vec<Move> {
    let mut first: Vec<Move> = Vec::new();
    for mv in moves {
        let is_another_place = first.last().is_some_and(|last| weight(last).is_some() && weight(last) == weight(mv));
        if !is_another_place {
            first.push(mv.clone());
        }
    }
    first
}

/// The weight of the block that a move places.
fn weight(mv: &Move) -> Option<i64> {
    match mv {
        Move::Block { weight, .. } => *weight,
        Move::Pass => None,
    }
}
