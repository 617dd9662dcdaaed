//! What pages tell of a cup's single matches, gathered row by row: how thinking times are spread, which matches were lost
//! by a fault, and some matches of each pairing. However many rows come, the memory is that of the field, not of the rows.

use super::Entrant;
use crate::record::{Row, RowOutcome};
use crate::seat::Seat;
use crate::verdict::Reason;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// About so many matches are linked in all.
const LINKS: usize = 4000;

/// Of each pairing, each outcome has at least and at most so many links.
const LINKS_OF_OUTCOME: (usize, usize) = (2, 20);

/// So many matches of each kind of fault are linked for each bot.
const LINKS_OF_FAULT: usize = 5;

/// What is kept of the rows of a cup.
#[derive(Clone, Debug)]
pub struct Excerpts {
    numbers: HashMap<String, Entrant>,
    links_of_outcome: usize,
    rows: u64,
    /// How each entrant's thinking times are spread.
    pub spreads: Vec<Spreads>,
    /// The last matches that each entrant lost by each kind of fault.
    pub faults: BTreeMap<(Entrant, &'static str), VecDeque<Excerpt>>,
    /// By pairing, the smaller number first: won by the first, drawn, won by the second.
    meetings: BTreeMap<[Entrant; 2], [VecDeque<Excerpt>; 3]>,
}

/// One match.
#[derive(Clone, Debug)]
pub struct Excerpt {
    /// Its place among all rows.
    pub number: u64,
    /// Its id.
    pub id: String,
    /// Its transcript, seen from the results' folder.
    pub transcript: String,
    /// Who sat in seats 0 and 1.
    pub seats: [Entrant; 2],
    /// How it ended.
    pub outcome: RowOutcome,
    /// Points of seats 0 and 1, as the game counts them.
    pub scores: [i64; 2],
    /// Why it ended.
    pub reason: Reason,
    /// Whose fault ended it.
    pub at_fault: Option<Seat>,
    /// What led to a forfeit, in a sentence, where that was looked up.
    pub cause: Option<String>,
}

/// How an entrant's thinking times are spread, a match each.
#[derive(Clone, Debug, Default)]
pub struct Spreads {
    /// The mean of its turns.
    pub mean: Spread,
    /// The longest turn.
    pub longest: Spread,
}

/// Times counted in bins of equal ratio, [`Spread::PER_DECADE`] a decade, from a tenth of a millisecond up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spread {
    /// From the shortest; the first bin holds all that is shorter as well.
    pub bins: Vec<u64>,
}

impl Excerpts {
    /// Begins with a field, its names in the order of the cup file.
    pub fn new(names: &[String]) -> Excerpts {
        let pairings = (names.len() * names.len().saturating_sub(1) / 2).max(1);
        let (least, most) = LINKS_OF_OUTCOME;
        Excerpts {
            numbers: names.iter().cloned().zip(0..).collect(),
            links_of_outcome: (LINKS / 3 / pairings).clamp(least, most),
            rows: 0,
            spreads: vec![Spreads::default(); names.len()],
            faults: BTreeMap::new(),
            meetings: BTreeMap::new(),
        }
    }

    /// Takes what is told of one match. Void ones tell nothing, nor do bots that are not in the field.
    pub fn add(&mut self, row: &Row) {
        let [Some(first), Some(second)] = row.bots.each_ref().map(|name| self.numbers.get(name).copied()) else {
            return;
        };
        if row.outcome == RowOutcome::Void || first == second {
            return;
        }
        let seats = [first, second];
        for seat in Seat::BOTH {
            self.spreads[seats[seat.index()]].add(row, seat);
        }
        let excerpt = Excerpt::of(self.rows, row, seats);
        self.rows += 1;
        if let Some(seat) = row.at_fault {
            let kept = self.faults.entry((seats[seat.index()], row.reason.as_str())).or_default();
            keep(kept, excerpt.clone(), LINKS_OF_FAULT);
        }
        let pairing = [first.min(second), first.max(second)];
        let place = match excerpt.winner() {
            None => 1,
            Some(winner) if winner == pairing[0] => 0,
            Some(_) => 2,
        };
        keep(&mut self.meetings.entry(pairing).or_default()[place], excerpt, self.links_of_outcome);
    }

    /// Asks for the detail of each forfeit that is kept, by the match's id, and keeps its first sentence.
    pub fn tell_causes(&mut self, detail: impl Fn(&str) -> Option<String>) {
        for excerpt in self.faults.values_mut().flatten() {
            excerpt.cause = detail(&excerpt.id).map(|detail| first_sentence(&detail)).filter(|cause| !cause.is_empty());
        }
    }

    /// The matches kept of two entrants, in the order that they came in.
    pub fn between(&self, one: Entrant, other: Entrant) -> Vec<&Excerpt> {
        let kept = self.meetings.get(&[one.min(other), one.max(other)]);
        let mut matches: Vec<&Excerpt> = kept.into_iter().flatten().flatten().collect();
        matches.sort_by_key(|excerpt| excerpt.number);
        matches
    }

    /// The last match kept that an entrant won against another.
    pub fn last_win(&self, winner: Entrant, loser: Entrant) -> Option<&Excerpt> {
        let kept = self.meetings.get(&[winner.min(loser), winner.max(loser)])?;
        kept[if winner < loser { 0 } else { 2 }].back()
    }
}

impl Excerpt {
    /// What a row tells; `number` is its place among all rows.
    pub fn of(number: u64, row: &Row, seats: [Entrant; 2]) -> Excerpt {
        Excerpt {
            number,
            id: row.id.clone(),
            transcript: row.transcript.clone(),
            seats,
            outcome: row.outcome,
            scores: row.scores,
            reason: row.reason,
            at_fault: row.at_fault,
            cause: None,
        }
    }

    /// Who won; `None` is a draw.
    pub fn winner(&self) -> Option<Entrant> {
        match self.outcome {
            RowOutcome::Won(seat) => Some(self.seats[seat.index()]),
            RowOutcome::Drawn | RowOutcome::Void => None,
        }
    }
}

impl Spreads {
    fn add(&mut self, row: &Row, seat: Seat) {
        let index = seat.index();
        let turns = row.turns_of(seat);
        if turns > 0 {
            self.mean.add(row.thinking_ms[index] as f64 / turns as f64);
            self.longest.add(row.longest_ms[index] as f64);
        }
    }
}

impl Spread {
    /// How many bins there are from one time to ten times as much.
    pub const PER_DECADE: usize = 16;
    /// The shortest time that has a bin of its own, in milliseconds.
    pub const SHORTEST: f64 = 0.1;
    /// Seven decades: 0.1 ms to 1,000 s; the last bin holds all that is longer as well.
    pub const BINS: usize = 7 * Spread::PER_DECADE;

    /// Counts a time in milliseconds.
    pub fn add(&mut self, ms: f64) {
        let bin = (Spread::place(ms) as usize).min(Spread::BINS - 1);
        if self.bins.len() <= bin {
            self.bins.resize(bin + 1, 0);
        }
        self.bins[bin] += 1;
    }

    /// How many times there are.
    pub fn count(&self) -> u64 {
        self.bins.iter().sum()
    }

    /// The time in milliseconds that so great a part (0 to 1) of all is no longer than, to the middle of a bin.
    pub fn quantile(&self, part: f64) -> Option<f64> {
        let wanted = (part * self.count() as f64).ceil().max(1.0) as u64;
        let mut counted = 0;
        let bin = self.bins.iter().position(|count| {
            counted += count;
            counted >= wanted
        })?;
        Some(Spread::start(bin) * 10f64.powf(0.5 / Spread::PER_DECADE as f64))
    }

    /// Where a time in milliseconds lies, in bins; never before the first.
    pub fn place(ms: f64) -> f64 {
        (ms.max(Spread::SHORTEST) / Spread::SHORTEST).log10() * Spread::PER_DECADE as f64
    }

    /// Where a bin begins, in milliseconds.
    pub fn start(bin: usize) -> f64 {
        Spread::SHORTEST * 10f64.powf(bin as f64 / Spread::PER_DECADE as f64)
    }
}

/// Up to the first full stop or line's end, and not all of one that is long.
fn first_sentence(detail: &str) -> String {
    const LONGEST: usize = 120;
    let line = detail.lines().next().unwrap_or_default();
    let sentence = line.split(". ").next().unwrap_or_default().trim();
    match sentence.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &sentence[..end]),
        None => sentence.to_string(),
    }
}

/// Keeps the latest ones.
fn keep(kept: &mut VecDeque<Excerpt>, excerpt: Excerpt, most: usize) {
    if kept.len() == most {
        kept.pop_front();
    }
    kept.push_back(excerpt);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_from_bins_to_some_percent() {
        let mut spread = Spread::default();
        assert_eq!(spread.quantile(0.5), None);
        (1..=1000).for_each(|ms| spread.add(f64::from(ms)));
        for (part, ms) in [(0.5, 500.0), (0.95, 950.0), (0.01, 10.0)] {
            let told = spread.quantile(part).unwrap_or_default();
            assert!((told / ms - 1.0).abs() < 0.1, "{told} for {ms}");
        }
        (0..10).for_each(|_| spread.add(f64::MAX));
        spread.add(0.0);
        assert_eq!(spread.count(), 1011);
    }
}
