//! Everybody plays everybody: in every parameter set, `pairs` times both ways round.
//!
//! The order is by pair numbers, then sets, then rounds of the circle: a cup that is interrupted has a table in which all
//! have played as much as possible the same. Ids, seeds and seats come from names and numbers alone, and a round is a pair
//! number, so entrants and pairs may be added later without touching what was played.

use super::book::{Book, Pair};
use super::circle::circle;
use super::stages::{Staged, Stages};
use crate::tournament::{Entrant, Field, Format};

pub(super) fn build(field: &Field) -> Box<dyn Format> {
    build_meetings(field, |_| true)
}

/// A schedule of those meetings that are wanted.
pub(super) fn build_meetings(field: &Field, wanted: impl Fn([Entrant; 2]) -> bool) -> Box<dyn Format> {
    let meetings: Vec<_> = circle(field.names.len()).into_iter().flatten().filter(|&pair| wanted(pair)).collect();
    let matches = 2 * meetings.len() as u64 * u64::from(field.pairs) * field.sets.len() as u64;
    Staged::boxed(field, Meetings { meetings, matches, is_planned: false })
}

/// All in one stage: no match waits for another.
struct Meetings {
    meetings: Vec<[Entrant; 2]>,
    matches: u64,
    is_planned: bool,
}

impl Stages for Meetings {
    fn stage(&mut self, book: &Book) -> Vec<Pair> {
        if std::mem::replace(&mut self.is_planned, true) {
            return Vec::new();
        }
        let field = &book.field;
        let cycles = (1..=field.pairs).flat_map(|number| (0..field.sets.len()).map(move |set| (number, set)));
        let cycle = |(number, set)| {
            self.meetings.iter().map(move |&players| Pair::of_meeting(field, number, set, players, number))
        };
        cycles.flat_map(cycle).collect()
    }

    fn planned(&self, _book: &Book) -> Option<u64> {
        Some(self.matches)
    }

    fn ranking(&self, _book: &Book) -> Option<Vec<Vec<Entrant>>> {
        None
    }

    fn remarks(&self, _book: &Book) -> Vec<String> {
        Vec::new()
    }
}
