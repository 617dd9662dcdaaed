//! The schedule once more: the format is asked again, and told what the rows say.

use super::{Auditor, Setup};
use crate::tournament::ledger::MATCHES;
use crate::tournament::{Entrant, Next, Pairing, formats};
use std::collections::HashSet;

/// So many missing matches are named, the rest counted.
const NAMED: usize = 10;

/// What came of it.
pub(super) struct Walk {
    /// The format's own ranking, when everything is played: `None` within where points decide.
    pub(super) ranking_when_complete: Option<Option<Vec<Vec<Entrant>>>>,
}

impl Auditor<'_> {
    pub(super) fn schedule(&mut self, setup: &Setup) -> Walk {
        let mut format = match formats::build(&setup.plan, &setup.field) {
            Ok(format) => format,
            Err(why) => {
                self.problem(format!("cup.toml: {why}"));
                return Walk { ranking_when_complete: None };
            }
        };
        let planned = format.planned();
        let (mut asked, mut met, mut missing) = (0, 0, 0);
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
                missing += 1;
                if missing <= NAMED {
                    self.problem(format!("{MATCHES}: match {} of the schedule has no row", pairing.id));
                }
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
        if missing > NAMED {
            self.problem(format!("{MATCHES}: {} more matches of the schedule have no row", missing - NAMED));
        }
        if missing > 0 {
            self.problem(
                "the cup is not complete: `arena tournament run` with the same cup file goes on with it".to_string(),
            );
        }
        if finished || planned == Some(asked) {
            self.unscheduled();
        }
        let complete = finished && missing == 0;
        if complete {
            self.found.problems.extend(misplaced);
        }
        Walk { ranking_when_complete: complete.then(|| format.ranking()) }
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
