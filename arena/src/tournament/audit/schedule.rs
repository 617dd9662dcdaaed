//! The schedule once more: the format is asked again, and told what the rows say.

use super::{Auditor, Setup};
use crate::tournament::ledger::MATCHES;
use crate::tournament::{Entrant, Next, Pairing, formats};
use std::collections::HashSet;

/// So many missing matches are named at most.
const NAMED: usize = 3;

/// What came of it.
pub(super) struct Walk {
    /// The format's own ranking, when everything is played: `None` within where points decide.
    pub(super) ranking_when_complete: Option<Option<Vec<Vec<Entrant>>>>,
    /// Whether all matches of the schedule are known.
    pub(super) is_whole: bool,
    /// Those that have no row, as far as they are known.
    pub(super) missing: Vec<String>,
}

impl Auditor<'_> {
    pub(super) fn schedule(&mut self, setup: &Setup) -> Walk {
        let mut format = match formats::build(&setup.plan, &setup.field) {
            Ok(format) => format,
            Err(why) => {
                self.problem(format!("cup.toml: {why}"));
                return Walk { ranking_when_complete: None, is_whole: false, missing: Vec::new() };
            }
        };
        let planned = format.planned();
        let (mut asked, mut met, mut missing) = (0, 0, Vec::new());
        let mut seen = HashSet::new();
        let mut last: Option<(String, u64)> = None;
        let mut misplaced = None;
        let finished = loop {
            if setup.in_time && met == self.entries.len() {
                format.stop_planning();
            }
            let pairing = match format.next() {
                Next::Play(pairing) => pairing,
                Next::Wait => break false,
                Next::Finished => break true,
            };
            asked += 1;
            let Some(entry) = self.entries.get_mut(&pairing.id) else {
                missing.push(pairing.id);
                continue;
            };
            met += 1;
            entry.scheduled = true;
            let (line, settled, observation) = (entry.line, entry.settled, entry.observation);
            match &last {
                Some((before, at)) if *at > line && misplaced.is_none() => {
                    misplaced = Some(format!(
                        "{MATCHES}:{line}: {} stands before {before}, which comes first in the schedule",
                        pairing.id
                    ));
                }
                _ => last = Some((pairing.id.clone(), line)),
            }
            self.compare(setup, &pairing);
            let repeat = observation.is_some_and(|observation| !seen.insert(observation));
            format.settle(&pairing.id, settled, repeat);
        };
        if !missing.is_empty() {
            self.found.incomplete = Some(not_complete(&missing, planned, met as u64));
        }
        let is_whole = finished || planned == Some(asked);
        if is_whole {
            self.unscheduled();
        }
        let complete = finished && missing.is_empty();
        if complete {
            self.found.problems.extend(misplaced);
        }
        Walk { ranking_when_complete: complete.then(|| format.ranking()), is_whole, missing }
    }

    /// A row has to say of a match what the schedule says.
    fn compare(&mut self, setup: &Setup, pairing: &Pairing) {
        let Some(entry) = self.entries.get(&pairing.id) else { return };
        let place = format!("{MATCHES}:{}: {}", entry.line, pairing.id);
        let mut problems = Vec::new();
        let mut expect = |column: &str, is: String, should_be: String| {
            if is != should_be {
                problems.push(format!("{place}: `{column}` is {is}, but the schedule has {should_be}"));
            }
        };
        expect("round", entry.round.to_string(), pairing.round.to_string());
        expect("seed", entry.seed.to_string(), pairing.seed.to_string());
        expect("params", format!("set {}", entry.set + 1), format!("set {}", pairing.set + 1));
        // Strangers were named with their rows.
        if let Some(seats) = entry.seats {
            let name = |entrant: Entrant| setup.field.names[entrant].clone();
            expect("first", name(seats[0]), name(pairing.seats[0]));
            expect("second", name(seats[1]), name(pairing.seats[1]));
        }
        self.found.problems.extend(problems);
    }

    fn unscheduled(&mut self) {
        let mut strangers: Vec<(u64, &String)> =
            self.entries.iter().filter(|(_, entry)| !entry.scheduled).map(|(id, entry)| (entry.line, id)).collect();
        strangers.sort_unstable();
        let problems: Vec<String> =
            strangers.iter().map(|(line, id)| format!("{MATCHES}:{line}: {id} is not in the schedule")).collect();
        self.found.problems.extend(problems);
    }
}

/// `planned` is how many matches the cup has, where that is known before; of them `met` were played.
fn not_complete(missing: &[String], planned: Option<u64>, met: u64) -> String {
    let (left, of) = match planned {
        Some(planned) => (planned.saturating_sub(met), format!(" of {planned}")),
        None => (missing.len() as u64, String::new()),
    };
    let at_least = if planned.is_none() { "at least " } else { "" };
    let are = if left == 1 { "is" } else { "are" };
    let matches = if left == 1 && planned.is_none() { "match" } else { "matches" };
    let named = match missing.len() {
        1..=NAMED => format!(" ({})", missing.join(", ")),
        _ => String::new(),
    };
    format!(
        "the cup is not complete: {at_least}{left}{of} {matches} {are} still to be played{named}; `arena tournament run` with \
         the same cup file goes on with it"
    )
}
