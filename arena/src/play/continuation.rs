//! A match that goes on from a turn of another one.

use crate::record::{GoesOn, Transcript};

/// The part of another match that stands before the first turn of this one.
pub struct Continuation {
    /// The other match and the turn's number, which is how many turns there are.
    pub from: GoesOn,
    /// Its turns, which the rules have accepted: moves as JSON text, `None` for a forced pass.
    pub turns: Vec<Option<String>>,
}

impl Continuation {
    /// The first so many turns of a recorded match; all, where there are no more.
    pub fn of(transcript: &Transcript, turns: usize) -> Continuation {
        let kinds = transcript.events.iter().map(|event| &event.kind).filter(|kind| kind.is_turn());
        let turns: Vec<_> = kinds.take(turns).map(|kind| kind.played().map(ToString::to_string)).collect();
        Continuation { from: GoesOn { id: transcript.header.id.clone(), turn: turns.len() as u32 }, turns }
    }
}
