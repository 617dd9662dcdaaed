//! No Tipping: get rid of the heaviest block that the board can bear; take off what leaves the opponent the least.

use super::best;
use crate::Request;
use arena::game::Game;
use arena::games::notipping::{Move, NoTipping, Phase};

/// A move that does not tip, while there is one.
pub(super) fn choose(position: &NoTipping, request: &Request) -> Move {
    let moves = position.legal_moves().expect("No Tipping lists its moves");
    best(&moves, request, |mv| match (mv, position.phase()) {
        _ if position.tips(mv) => i64::MIN,
        (Move::Block { weight: Some(weight), .. }, Phase::Add) => *weight,
        _ => -replies(position, mv),
    })
}

/// How many blocks the opponent can take off after this move so that the board stands.
fn replies(position: &NoTipping, mv: &Move) -> i64 {
    let mut after = position.clone();
    after.apply(mv);
    let replies = after.legal_moves().expect("No Tipping lists its moves");
    replies.iter().filter(|reply| !after.tips(reply)).count() as i64
}
