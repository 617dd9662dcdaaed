//! Random openings: legal plies drawn from the seed and played before turn 0, so that deterministic bots
//! do not play one and the same match for ever.

use super::{Game, ParamError, ParamKind, ParamSpec, Status};
use crate::seed::Stream;

/// The parameter of every game that lists its moves.
pub const OPENING: ParamSpec = ParamSpec {
    name: "opening",
    kind: ParamKind::Even(0, 20),
    default: Some("0"),
    help: "random legal plies before the first turn, drawn from the seed",
};

/// Draws this often before it gives up.
const DRAWS: usize = 1000;

/// Plays `plies` random plies from `start`. A draw in which a side would have to pass, the game would be over, or
/// no ply is allowed, is thrown away and begun anew with the words that follow.
pub(super) fn draw<G: Game>(start: &G, plies: u64, seed: u64) -> Result<(G, Vec<G::Move>), ParamError> {
    let mut stream = Stream::new(seed, "opening");
    for _ in 0..DRAWS {
        if let Some(drawn) = draw_once(start, plies, &mut stream) {
            return Ok(drawn);
        }
    }
    Err(ParamError(format!(
        "{}: no opening of {plies} plies was found with these parameters and seed {seed}: ask for a shorter `opening`",
        G::INFO.id
    )))
}

fn draw_once<G: Game>(start: &G, plies: u64, stream: &mut Stream) -> Option<(G, Vec<G::Move>)> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for _ in 0..plies {
        if !matches!(position.status(), Status::ToMove(_)) {
            return None;
        }
        let allowed = position.opening_moves();
        if allowed.is_empty() {
            return None;
        }
        let mv = stream.pick(&allowed).clone();
        position.apply(&mv);
        moves.push(mv);
    }
    matches!(position.status(), Status::ToMove(_)).then_some((position, moves))
}
