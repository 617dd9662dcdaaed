//! Counts a cup's rows, one by one and in little memory: whatever tables and ratings are made of.
//!
//! Void rows count nowhere. A match that repeats another move for move counts in the table, but is no new observation.
//! Two matches of the same bots, parameters and seed with the seats swapped are a pair.

#[cfg(test)]
pub(crate) mod tests;

use super::Entrant;
use super::rating::Encounter;
use super::seen::{Ready, Seen};
use crate::record::{Row, RowOutcome};
use crate::seat::Seat;
use crate::verdict::Reason;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};

/// What a row was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// A match that tells something new.
    Fresh,
    /// A match that was there already, move for move.
    Repeat,
    /// No match.
    Void,
}

/// The counts of a cup, by parameter set.
#[derive(Clone, Debug)]
pub struct Tally {
    names: Vec<String>,
    numbers: HashMap<String, Entrant>,
    sets: Vec<Sheet>,
    /// Matches whose other half has not been counted, by what makes a pair.
    halves: HashMap<u64, Half, BuildHasherDefault<Ready>>,
    /// Pairs of which one match was a repeat, by what makes a pair.
    half_repeats: HashSet<u64, BuildHasherDefault<Ready>>,
    seen: Seen,
}

/// Who did what.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// An entrant each, in the field's order.
    pub totals: Vec<Totals>,
    /// Who has met whom, the smaller number first.
    pub meetings: BTreeMap<[Entrant; 2], Meeting>,
}

/// What an entrant did in all its matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Matches won, drawn and lost.
    pub results: Results,
    /// The sum of its scores, as the game counts them.
    pub scores_for: i64,
    /// The sum of its opponents' scores.
    pub scores_against: i64,
    /// Matches that it lost by a fault, by kind.
    pub faults: Faults,
    /// Its thinking time in all, in milliseconds.
    pub thinking_ms: u64,
    /// How many turns were its own, forced passes and those included in which a forfeit ended the match.
    pub turns: u64,
    /// Its longest thinking time, in milliseconds.
    pub longest_ms: u64,
}

/// Matches won, drawn and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// How many were won.
    pub won: u64,
    /// How many were drawn.
    pub drawn: u64,
    /// How many were lost.
    pub lost: u64,
}

/// Matches lost by a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// By a move that the rules forbid.
    pub illegal: u64,
    /// By an answer that is none.
    pub malformed: u64,
    /// By no answer in time.
    pub timeout: u64,
    /// By ending before the match did.
    pub crashed: u64,
    /// By not starting, by a flood, by passing a resource limit.
    pub other: u64,
}

/// What two entrants did against each other, seen from the one with the smaller number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meeting {
    /// Its results in seat 0 and in seat 1.
    pub by_seat: [Results; 2],
    /// Its results as the ratings take them: pairs, and matches without their other half; repeats left out.
    pub encounter: Encounter,
    /// How many matches repeated another one move for move.
    pub repeats: u64,
}

/// Half of a pair.
#[derive(Clone, Copy, Debug)]
struct Half {
    set: usize,
    players: [Entrant; 2],
    /// The first of the players' seat.
    seat: Seat,
    /// The first of the players' half-points.
    half_points: usize,
}

/// A row that names a bot which is not in the cup.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "match {id} was played by {name}, who is not in this cup: put it back into the cup file, or choose another folder"
)]
pub struct Stranger {
    /// The match.
    pub id: String,
    /// The name.
    pub name: String,
}

impl Tally {
    /// Begins to count a field, its names in the order of the cup file, with at least one parameter set.
    pub fn new(names: &[String], sets: usize) -> Tally {
        let sheet = Sheet { totals: vec![Totals::default(); names.len()], meetings: BTreeMap::new() };
        Tally {
            names: names.to_vec(),
            numbers: names.iter().cloned().zip(0..).collect(),
            sets: vec![sheet; sets.max(1)],
            halves: HashMap::default(),
            half_repeats: HashSet::default(),
            seen: Seen::default(),
        }
    }

    /// Counts a row of the parameter set with this number, from 0. `observation` is the hash of an
    /// [`Observation`](super::observation::Observation), where the moves are known; without it nothing is a repeat.
    ///
    /// # Errors
    /// A bot that is not in the field; then nothing is counted.
    pub fn count(&mut self, row: &Row, set: usize, observation: Option<u64>) -> Result<Counted, Stranger> {
        let seats = [self.number(row, Seat::First)?, self.number(row, Seat::Second)?];
        if row.outcome == RowOutcome::Void || seats[0] == seats[1] {
            return Ok(Counted::Void);
        }
        let set = set.min(self.sets.len() - 1);
        let repeat = observation.is_some_and(|key| !self.seen.insert(key));
        let (players, seat) =
            if seats[0] < seats[1] { (seats, Seat::First) } else { ([seats[1], seats[0]], Seat::Second) };
        let sheet = &mut self.sets[set];
        Seat::BOTH.into_iter().for_each(|seat| sheet.totals[seats[seat.index()]].count(row, seat));
        let meeting = sheet.meeting(players);
        meeting.by_seat[seat.index()].count(row.outcome, seat);
        let key = pair_key(row, set, players);
        if repeat {
            meeting.repeats += 1;
            // When the other half is a repeat too, none is left alone.
            if !self.half_repeats.remove(&key) {
                self.half_repeats.insert(key);
            }
            return Ok(Counted::Repeat);
        }
        let half = Half { set, players, seat, half_points: half_points(row.outcome, seat) };
        self.pair(key, half);
        Ok(Counted::Fresh)
    }

    /// The names, in the field's order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many parameter sets there are.
    pub fn sets(&self) -> usize {
        self.sets.len()
    }

    /// How many matches are without their other half, which was not played yet or stayed void; those whose other half was a
    /// repeat do not count. Each is an observation by itself.
    pub fn lone_halves(&self) -> usize {
        self.halves.keys().filter(|key| !self.half_repeats.contains(key)).count()
    }

    /// The counts of one parameter set.
    pub fn of_set(&self, set: usize) -> Sheet {
        let mut sheet = self.sets[set].clone();
        for half in self.halves.values().filter(|half| half.set == set) {
            sheet.meeting(half.players).encounter.singles[half.half_points] += 1;
        }
        sheet
    }

    /// The counts of all parameter sets together.
    pub fn whole(&self) -> Sheet {
        let mut whole = self.of_set(0);
        (1..self.sets.len()).for_each(|set| whole.add(&self.of_set(set)));
        whole
    }

    fn number(&self, row: &Row, seat: Seat) -> Result<Entrant, Stranger> {
        let name = &row.bots[seat.index()];
        self.numbers.get(name).copied().ok_or_else(|| Stranger { id: row.id.clone(), name: name.clone() })
    }

    /// Puts two halves together.
    fn pair(&mut self, key: u64, half: Half) {
        match self.halves.get(&key).copied() {
            None => {
                self.halves.insert(key, half);
            }
            Some(first) if first.seat != half.seat && first.players == half.players => {
                self.halves.remove(&key);
                let encounter = &mut self.sets[half.set].meeting(half.players).encounter;
                encounter.pairs[first.half_points + half.half_points] += 1;
            }
            Some(_) => self.sets[half.set].meeting(half.players).encounter.singles[half.half_points] += 1,
        }
    }
}

impl Sheet {
    /// What two did against each other, as the first of them sees it; `None` when they have not met.
    pub fn between(&self, one: Entrant, other: Entrant) -> Option<Meeting> {
        let meeting = self.meetings.get(&[one.min(other), one.max(other)])?;
        Some(if one < other { meeting.clone() } else { meeting.reversed() })
    }

    /// What the ratings are made of.
    pub fn encounters(&self) -> Vec<Encounter> {
        self.meetings.values().map(|meeting| meeting.encounter.clone()).collect()
    }

    fn meeting(&mut self, players: [Entrant; 2]) -> &mut Meeting {
        let fresh = || Meeting { encounter: Encounter { players, ..Encounter::default() }, ..Meeting::default() };
        self.meetings.entry(players).or_insert_with(fresh)
    }

    fn add(&mut self, other: &Sheet) {
        self.totals.iter_mut().zip(&other.totals).for_each(|(one, other)| one.add(other));
        for (players, other) in &other.meetings {
            let one = self.meeting(*players);
            one.by_seat.iter_mut().zip(&other.by_seat).for_each(|(one, other)| one.add(other));
            one.encounter.add(&other.encounter);
            one.repeats += other.repeats;
        }
    }
}

impl Totals {
    fn count(&mut self, row: &Row, seat: Seat) {
        self.results.count(row.outcome, seat);
        self.scores_for += row.scores[seat.index()];
        self.scores_against += row.scores[seat.other().index()];
        if row.at_fault == Some(seat) {
            self.faults.count(row.reason);
        }
        self.thinking_ms += row.thinking_ms[seat.index()];
        self.longest_ms = self.longest_ms.max(row.longest_ms[seat.index()]);
        self.turns += row.turns_of(seat);
    }

    fn add(&mut self, other: &Totals) {
        self.results.add(&other.results);
        self.scores_for += other.scores_for;
        self.scores_against += other.scores_against;
        self.faults.add(&other.faults);
        self.thinking_ms += other.thinking_ms;
        self.turns += other.turns;
        self.longest_ms = self.longest_ms.max(other.longest_ms);
    }

    /// The mean thinking time of a turn, in milliseconds: thinking time in all by [`Totals::turns`].
    pub fn mean_ms(&self) -> f64 {
        self.thinking_ms as f64 / self.turns.max(1) as f64
    }
}

impl Results {
    /// How many matches.
    pub fn played(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// Twice the points: 2 for a win, 1 for a draw.
    pub fn half_points(&self) -> u64 {
        2 * self.won + self.drawn
    }

    /// Points: 1 for a win, ½ for a draw.
    pub fn points(&self) -> f64 {
        self.half_points() as f64 / 2.0
    }

    /// Points in percent of the matches; `None` when there were none.
    pub fn score_pct(&self) -> Option<f64> {
        (self.played() > 0).then(|| 100.0 * self.points() / self.played() as f64)
    }

    /// The same matches as the opponent sees them.
    pub fn reversed(&self) -> Results {
        Results { won: self.lost, drawn: self.drawn, lost: self.won }
    }

    /// Counts these matches too.
    pub fn add(&mut self, other: &Results) {
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
    }

    fn count(&mut self, outcome: RowOutcome, seat: Seat) {
        match half_points(outcome, seat) {
            2 => self.won += 1,
            1 => self.drawn += 1,
            _ => self.lost += 1,
        }
    }
}

impl Faults {
    /// Of any kind.
    pub fn total(&self) -> u64 {
        self.illegal + self.malformed + self.timeout + self.crashed + self.other
    }

    fn count(&mut self, reason: Reason) {
        *match reason {
            Reason::Illegal => &mut self.illegal,
            Reason::Malformed => &mut self.malformed,
            Reason::Timeout => &mut self.timeout,
            Reason::Crashed => &mut self.crashed,
            _ => &mut self.other,
        } += 1;
    }

    fn add(&mut self, other: &Faults) {
        self.illegal += other.illegal;
        self.malformed += other.malformed;
        self.timeout += other.timeout;
        self.crashed += other.crashed;
        self.other += other.other;
    }
}

impl Meeting {
    /// The results in both seats.
    pub fn results(&self) -> Results {
        let mut results = self.by_seat[0];
        results.add(&self.by_seat[1]);
        results
    }

    fn reversed(&self) -> Meeting {
        let [first, second] = &self.by_seat;
        Meeting {
            by_seat: [second.reversed(), first.reversed()],
            encounter: self.encounter.reversed(),
            repeats: self.repeats,
        }
    }
}

/// The parameter set of a row, from 0, as its id tells it ([`super::Field::pair_id`]); 0 where it tells none.
pub fn set_of(row: &Row) -> usize {
    let [first, second] = &row.bots;
    let after_names = |names: String| {
        let rest = row.id.strip_prefix(&names).or_else(|| row.id.split_once('+')?.1.strip_prefix(&names))?;
        rest.strip_prefix("+s")?.split_once('+')?.0.parse::<usize>().ok()?.checked_sub(1)
    };
    after_names(format!("{first}+{second}")).or_else(|| after_names(format!("{second}+{first}"))).unwrap_or(0)
}

/// What a seat gets of a match, doubled; nobody gets anything of a void one.
fn half_points(outcome: RowOutcome, seat: Seat) -> usize {
    match outcome {
        RowOutcome::Won(winner) if winner == seat => 2,
        RowOutcome::Drawn => 1,
        RowOutcome::Won(_) | RowOutcome::Void => 0,
    }
}

fn pair_key(row: &Row, set: usize, players: [Entrant; 2]) -> u64 {
    let mut hasher = DefaultHasher::new();
    (players, set, row.seed, &row.params).hash(&mut hasher);
    hasher.finish()
}
