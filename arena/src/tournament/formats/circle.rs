//! The circle method: rounds in which everybody plays once, until everybody has met everybody. It knows numbers only.

use crate::tournament::Entrant;

/// The rounds of `entrants` (at least two): in each everybody meets somebody, but for one who rests where they are odd;
/// over all rounds each two meet once.
///
/// One place stands still while the others turn around it by one place a round (Schurig's tables).
pub(super) fn circle(entrants: usize) -> Vec<Vec<[Entrant; 2]>> {
    let places = entrants.next_multiple_of(2);
    let turning = places - 1;
    let round = |turn: usize| {
        let fixed = [turn, turning];
        let facing = (1..places / 2).map(|step| [(turn + step) % turning, (turn + turning - step) % turning]);
        // With an odd number the place that stands still is empty, and who faces it rests.
        std::iter::once(fixed).chain(facing).filter(|pair| pair.iter().all(|&place| place < entrants)).collect()
    };
    (0..turning).map(round).collect()
}
