//! Everybody plays everybody: in every parameter set, `pairs` times both ways round.
//!
//! The order is by pair numbers, then sets, then rounds of the circle: a cup that is interrupted has a table in which all
//! have played as much as possible the same. Ids, seeds and seats come from names and numbers alone, and a round is a pair
//! number, so entrants and pairs may be added later without touching what was played.

use super::book::Pair;
use super::circle::circle;
use crate::tournament::{Entrant, Field, Format, Half, Next, Settled};
use std::collections::HashSet;

pub(super) fn build(field: &Field) -> Box<dyn Format> {
    build_meetings(field, |_| true)
}

/// A schedule of those meetings that are wanted.
pub(super) fn build_meetings(field: &Field, wanted: impl Fn([Entrant; 2]) -> bool) -> Box<dyn Format> {
    let meetings = circle(field.names.len()).into_iter().flatten().filter(|&pair| wanted(pair)).collect();
    Box::new(Meetings { field: field.clone(), meetings, handed_out: 0, running: HashSet::new() })
}

/// No match waits for another, and no result changes what follows: a place in the schedule is all there is to know of a match.
struct Meetings {
    field: Field,
    meetings: Vec<[Entrant; 2]>,
    /// How many matches are handed out, in the order of the schedule.
    handed_out: u64,
    /// The ids of those of them that have not ended.
    running: HashSet<String>,
}

impl Meetings {
    fn matches(&self) -> u64 {
        2 * self.meetings.len() as u64 * u64::from(self.field.pairs) * self.field.sets.len() as u64
    }

    /// The pair with this place among all pairs.
    fn pair(&self, place: u64) -> Pair {
        let (meetings, sets) = (self.meetings.len() as u64, self.field.sets.len() as u64);
        let (cycle, meeting) = (place / meetings, (place % meetings) as usize);
        let number = u32::try_from(cycle / sets + 1).expect("it is one of `pairs`");
        Pair::of_meeting(&self.field, number, (cycle % sets) as usize, self.meetings[meeting], number)
    }
}

impl Format for Meetings {
    fn next(&mut self) -> Next {
        if self.handed_out == self.matches() {
            return if self.running.is_empty() { Next::Finished } else { Next::Wait };
        }
        let half = if self.handed_out.is_multiple_of(2) { Half::First } else { Half::Second };
        let pairing = self.pair(self.handed_out / 2).half(&self.field, half);
        self.handed_out += 1;
        self.running.insert(pairing.id.clone());
        Next::Play(pairing)
    }

    fn settle(&mut self, id: &str, _result: Settled, _repeat: bool) {
        self.running.remove(id);
    }

    fn planned(&self) -> Option<u64> {
        Some(self.matches())
    }
}
