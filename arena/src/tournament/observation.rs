//! What a match tells: two matches of the same bots in the same seats, with the same parameters and the same moves, are one
//! observation, however often they are played.

use super::Entrant;
use crate::record::Transcript;
use crate::seed::{HASH_OF_NOTHING, hash};

/// A 64-bit FNV-1a hash of who sat where, with which parameter set, and of every ply in order.
#[derive(Clone, Debug)]
pub struct Observation(u64);

impl Observation {
    /// Of a match of these entrants, seat 0 first, with this parameter set, before its first ply.
    pub fn of(seats: [Entrant; 2], set: usize) -> Observation {
        let mut observation = Observation(HASH_OF_NOTHING);
        observation.add(&format!("{} {} {set}", seats[0], seats[1]));
        observation
    }

    /// The same for a match that is on record.
    pub fn of_transcript(transcript: &Transcript, seats: [Entrant; 2], set: usize) -> u64 {
        let mut observation = Observation::of(seats, set);
        transcript.header.opening.iter().for_each(|ply| observation.add(&ply.to_string()));
        for event in &transcript.events {
            if let Some(mv) = event.kind.played() {
                observation.add(&mv.to_string());
            }
        }
        observation.hash()
    }

    /// One more ply, as JSON text.
    pub fn add(&mut self, ply: &str) {
        self.0 = hash(hash(self.0, ply.as_bytes()), b"\n");
    }

    /// What it comes to.
    pub fn hash(&self) -> u64 {
        self.0
    }
}
