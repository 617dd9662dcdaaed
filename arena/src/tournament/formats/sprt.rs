//! Is the first entrant stronger than the second? A sequential test that stops as soon as it is sure.
//!
//! It plans batches of pairs, whatever the number of jobs, and looks at the likelihood only when a whole batch has ended:
//! quick matches that come back first have no say. The first decision is final. A pair with a void half or with a repeat is
//! no observation; after [`BARREN_BATCHES`] batches in a row without one the test ends, as nothing new is to be expected.

use super::book::{Book, Pair};
use super::check_batch;
use super::likelihood::{pentanomial_llr, sprt_bounds};
use super::stages::{Staged, Stages};
use crate::tournament::{Entrant, Field, Format};

/// Pairs at most where a cup does not say otherwise.
const MAX_PAIRS: u32 = 50_000;

/// After so many batches in a row that told nothing new the test ends.
const BARREN_BATCHES: u32 = 4;

/// What is tested: leads of the first entrant in Elo, and how often the test may err.
#[derive(Clone, Copy)]
pub(super) struct Test {
    pub(super) elo0: f64,
    pub(super) elo1: f64,
    pub(super) alpha: f64,
    pub(super) beta: f64,
}

pub(super) fn build(field: &Field, test: Test, batch: u32, max_pairs: Option<u32>) -> Result<Box<dyn Format>, String> {
    if field.names.len() != 2 {
        let names = field.names.join("`, `");
        return Err(format!(
            "sprt compares two bots, but there are {}: `{names}`; take until-ranked for more",
            field.names.len()
        ));
    }
    test.check()?;
    check_batch("sprt", batch)?;
    let max_pairs = max_pairs.unwrap_or(MAX_PAIRS);
    if max_pairs == 0 {
        return Err("sprt: `max_pairs` is 0, so nothing would be played: it must be at least 1".to_string());
    }
    let sprt =
        Sprt { test, batch, max_pairs, counts: [0; 5], passed_over: 0, read: 0, barren: 0, stopped: false, end: None };
    Ok(Staged::boxed(field, sprt))
}

impl Test {
    fn check(self) -> Result<(), String> {
        let Test { elo0, elo1, alpha, beta } = self;
        // Beyond this a lead is a score of 0 or 1 in floating point.
        if let Some(elo) = [elo0, elo1].into_iter().find(|elo| !(-2000.0..=2000.0).contains(elo)) {
            return Err(format!("sprt: a lead of {elo} Elo is out of range: it must be between -2000 and 2000"));
        }
        if elo0 >= elo1 {
            return Err(format!("sprt: `elo0` is {elo0} and `elo1` is {elo1}, but `elo0` must be below `elo1`"));
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(1e-9..0.5).contains(&value) {
                return Err(format!("sprt: `{name}` is {value}, but must be above 0 and below 0.5; 0.05 is usual"));
            }
        }
        Ok(())
    }
}

struct Sprt {
    test: Test,
    batch: u32,
    max_pairs: u32,
    /// Observations by half points of the first entrant.
    counts: [u64; 5],
    /// Pairs that are no observation.
    passed_over: u64,
    /// How many pairs of the book are counted.
    read: usize,
    /// Batches in a row without an observation.
    barren: u32,
    stopped: bool,
    end: Option<End>,
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    AcceptedElo0,
    AcceptedElo1,
    NothingNew,
    MaxPairs,
    Stopped,
}

impl Stages for Sprt {
    fn stage(&mut self, book: &Book) -> Vec<Pair> {
        if !book.pairs().is_empty() {
            self.count(book);
        }
        let planned = book.pairs().len() as u32;
        self.end = self.judge(planned);
        if self.end.is_some() {
            return Vec::new();
        }
        let batch = planned / self.batch + 1;
        let numbers = planned + 1..=planned.saturating_add(self.batch).min(self.max_pairs);
        let sets = book.field.sets.len();
        numbers
            .map(|number| Pair::of_meeting(&book.field, batch, (number - 1) as usize % sets, [0, 1], number))
            .collect()
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

    /// By the points of what was observed, which is how Elo orders two.
    fn ranking(&self, _book: &Book) -> Option<Vec<Vec<Entrant>>> {
        let [none, half, _, most, all] = self.counts;
        Some(match (2 * all + most).cmp(&(2 * none + half)) {
            std::cmp::Ordering::Greater => vec![vec![0], vec![1]],
            std::cmp::Ordering::Less => vec![vec![1], vec![0]],
            std::cmp::Ordering::Equal => vec![vec![0, 1]],
        })
    }

    fn remarks(&self, book: &Book) -> Vec<String> {
        let Test { elo0, elo1, alpha, beta } = self.test;
        let [low, high] = sprt_bounds(alpha, beta);
        let [none, half, one, most, all] = self.counts;
        let [first, second] = [0, 1].map(|entrant| &book.field.names[entrant]);
        let mut remarks = vec![
            format!("{first} against {second}, pairs with 0, ½, 1, 1½, 2 points: {none}, {half}, {one}, {most}, {all}"),
            format!("log likelihood ratio {:.2}, elo0 {elo0} below {low:.2}, elo1 {elo1} above {high:.2}", self.llr()),
        ];
        if self.passed_over > 0 {
            remarks.push(format!("{} pairs are no observation: repeated or void in one half", self.passed_over));
        }
        remarks.extend(self.end.map(|end| match end {
            End::AcceptedElo1 => {
                format!("elo1 is accepted: {first} leads {second} by {elo1} Elo rather than by {elo0}")
            }
            End::AcceptedElo0 => {
                format!("elo0 is accepted: {first} leads {second} by {elo0} Elo rather than by {elo1}")
            }
            End::NothingNew => format!(
                "undecided: the last {BARREN_BATCHES} batches told nothing new; with bots that repeat themselves, give \
                 the parameter `opening`"
            ),
            End::MaxPairs => format!("undecided after {} pairs, which is the bound (`max_pairs`)", self.max_pairs),
            End::Stopped => "undecided: the budget was used up".to_string(),
        }));
        remarks
    }
}

impl Sprt {
    fn llr(&self) -> f64 {
        pentanomial_llr(self.counts, self.test.elo0, self.test.elo1)
    }

    /// Counts the batch that has ended.
    fn count(&mut self, book: &Book) {
        let before = self.passed_over;
        let batch = &book.pairs()[self.read..];
        for pair in batch {
            let place = usize::from(pair.players()[1] == 0);
            match pair.news() {
                Some(half_points) => self.counts[half_points[place] as usize] += 1,
                None => self.passed_over += 1,
            }
        }
        let is_barren = self.passed_over - before == batch.len() as u64;
        self.barren = if is_barren { self.barren + 1 } else { 0 };
        self.read = book.pairs().len();
    }

    fn judge(&self, planned: u32) -> Option<End> {
        let [low, high] = sprt_bounds(self.test.alpha, self.test.beta);
        let llr = self.llr();
        let ends = [
            (llr >= high, End::AcceptedElo1),
            (llr <= low, End::AcceptedElo0),
            (self.barren == BARREN_BATCHES, End::NothingNew),
            (planned >= self.max_pairs, End::MaxPairs),
            (self.stopped, End::Stopped),
        ];
        ends.into_iter().find_map(|(holds, end)| holds.then_some(end))
    }
}
