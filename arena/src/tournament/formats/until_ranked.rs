//! Plays on until each two neighbours of the table are told apart, or the matches are used up.
//!
//! It opens with a few rounds of the circle. Then it plans batches, whatever the number of jobs: of the neighbours whose
//! order is not sure yet those with the fewest matches meet next (so that two equals do not starve the others), the least
//! sure first. It decides on whole batches only. A pair with a void half or with a repeat is no observation; two who told
//! nothing new in [`BARREN_PAIRS`] pairs in a row are let be.

use super::book::{Book, Pair};
use super::circle::circle;
use super::stages::{Staged, Stages};
use super::strength::{Observations, Strengths};
use super::{BATCH, check_batch};
use crate::tournament::{Entrant, Field, Format};

/// Matches at most for each two neighbours where a cup does not say otherwise.
const MATCHES_PER_NEIGHBOURS: u64 = 2_000;

/// After so many pairs in a row that told nothing new two entrants do not meet again.
const BARREN_PAIRS: u32 = BATCH;

pub(super) fn build(
    field: &Field,
    confidence: f64,
    batch: u32,
    max_matches: Option<u64>,
) -> Result<Box<dyn Format>, String> {
    if !(confidence > 0.5 && confidence < 1.0) {
        return Err(format!(
            "until-ranked: `confidence` is {confidence}, but must be above 0.5 and below 1; 0.95 is usual"
        ));
    }
    check_batch("until-ranked", batch)?;
    let entrants = field.names.len();
    let max_matches = max_matches.unwrap_or(MATCHES_PER_NEIGHBOURS * (entrants as u64 - 1));
    if max_matches < 2 {
        return Err(format!(
            "until-ranked: `max_matches` is {max_matches}, but a pair is two matches: give at least 2"
        ));
    }
    let format = UntilRanked {
        confidence,
        batch,
        max_pairs: usize::try_from(max_matches / 2).unwrap_or(usize::MAX),
        observations: Observations::new(entrants),
        meetings: vec![Meeting::default(); entrants * entrants],
        read: 0,
        batches: 0,
        stopped: false,
        order: (0..entrants).collect(),
        neighbours: Vec::new(),
        end: None,
    };
    Ok(Staged::boxed(field, format))
}

struct UntilRanked {
    confidence: f64,
    batch: u32,
    max_pairs: usize,
    observations: Observations,
    /// By both entrants' numbers, the lower first.
    meetings: Vec<Meeting>,
    /// How many pairs of the book are counted.
    read: usize,
    batches: u32,
    stopped: bool,
    /// The table, the strongest first.
    order: Vec<Entrant>,
    /// How sure the order of each two neighbours of it is.
    neighbours: Vec<Neighbours>,
    end: Option<End>,
}

/// What two entrants have had of each other.
#[derive(Clone, Copy, Default)]
struct Meeting {
    planned: u32,
    /// Pairs in a row, up to the last, that told nothing new.
    barren: u32,
}

#[derive(Clone, Copy)]
struct Neighbours {
    players: [Entrant; 2],
    /// 1 and above: their order is sure.
    certainty: f64,
}

#[derive(Clone, Copy)]
enum End {
    Ranked,
    NothingNew,
    MaxMatches,
    Stopped,
}

impl Stages for UntilRanked {
    fn stage(&mut self, book: &Book) -> Vec<Pair> {
        self.count(book);
        let left = self.max_pairs - book.pairs().len();
        let wanted = if book.pairs().is_empty() { self.opening() } else { self.batch() };
        self.end = if self.neighbours.iter().all(|it| it.certainty >= 1.0) && !book.pairs().is_empty() {
            Some(End::Ranked)
        } else if wanted.is_empty() {
            Some(End::NothingNew)
        } else if left == 0 {
            Some(End::MaxMatches)
        } else {
            // Without the opening there would be no table at all.
            (self.stopped && !book.pairs().is_empty()).then_some(End::Stopped)
        };
        if self.end.is_some() {
            return Vec::new();
        }
        self.batches += 1;
        wanted.into_iter().take(left).map(|players| self.pair(&book.field, players)).collect()
    }

    fn stop_planning(&mut self) {
        self.stopped = true;
    }

    fn heeds_repeats(&self) -> bool {
        true
    }

    fn planned(&self, _book: &Book) -> Option<u64> {
        None
    }

    fn ranking(&self, _book: &Book) -> Option<Vec<Vec<Entrant>>> {
        Some(self.order.iter().map(|&entrant| vec![entrant]).collect())
    }

    fn remarks(&self, book: &Book) -> Vec<String> {
        let Some(end) = self.end else { return Vec::new() };
        let percent = 100.0 * self.confidence;
        let matches = book.matches();
        let mut remarks = vec![match end {
            End::Ranked => format!("after {matches} matches the order of each two neighbours is sure at {percent} %"),
            End::NothingNew => format!(
                "after {matches} matches nothing new is to be expected: matches repeat or are void; with bots that repeat \
                 themselves, give the parameter `opening`"
            ),
            End::MaxMatches => format!("the {matches} matches that were allowed are used up"),
            End::Stopped => format!("after {matches} matches the budget was used up"),
        }];
        let unsure = self.neighbours.iter().filter(|it| it.certainty < 1.0);
        remarks.extend(unsure.map(|it| {
            let [one, other] = it.players.map(|player| &book.field.names[player]);
            format!("the order of {one} and {other} is not sure at {percent} %")
        }));
        remarks
    }
}

impl UntilRanked {
    /// Counts what has ended, and draws up the table.
    fn count(&mut self, book: &Book) {
        for pair in &book.pairs()[self.read..] {
            let meeting = self.meeting(pair.players());
            match pair.news() {
                Some(half_points) => {
                    meeting.barren = 0;
                    self.observations.add(pair.players(), half_points);
                }
                None => meeting.barren += 1,
            }
        }
        self.read = book.pairs().len();
        let strengths = Strengths::of(&self.observations);
        let order = strengths.order();
        let neighbours = order.windows(2).map(|two| {
            let players = [two[0], two[1]];
            Neighbours { players, certainty: strengths.certainty(two[0], two[1], self.confidence) }
        });
        self.neighbours = neighbours.collect();
        self.order = order;
    }

    /// Those who meet first of all: rounds of the circle, one more than the binary logarithm of the field.
    fn opening(&self) -> Vec<[Entrant; 2]> {
        let entrants = self.order.len();
        let rounds = entrants.next_power_of_two().ilog2() as usize + 1;
        circle(entrants).into_iter().take(rounds).flatten().collect()
    }

    /// Those who meet in the next batch: the neighbours that are neither sure nor let be, by turns.
    fn batch(&mut self) -> Vec<[Entrant; 2]> {
        let mut open: Vec<(u32, Neighbours)> = Vec::new();
        for neighbours in self.neighbours.clone() {
            let meeting = *self.meeting(neighbours.players);
            if neighbours.certainty < 1.0 && meeting.barren < BARREN_PAIRS {
                open.push((meeting.planned, neighbours));
            }
        }
        let mut wanted = Vec::new();
        while !open.is_empty() && wanted.len() < self.batch as usize {
            let next = open
                .iter_mut()
                .min_by(|one, other| one.0.cmp(&other.0).then(one.1.certainty.total_cmp(&other.1.certainty)));
            let (planned, neighbours) = next.expect("there are open ones");
            *planned += 1;
            wanted.push(neighbours.players);
        }
        wanted
    }

    fn pair(&mut self, field: &Field, players: [Entrant; 2]) -> Pair {
        let round = self.batches;
        let meeting = self.meeting(players);
        meeting.planned += 1;
        let number = meeting.planned;
        Pair::of_meeting(field, round, (number - 1) as usize % field.sets.len(), players, number)
    }

    fn meeting(&mut self, [one, other]: [Entrant; 2]) -> &mut Meeting {
        let entrants = self.order.len();
        &mut self.meetings[one.min(other) * entrants + one.max(other)]
    }
}
