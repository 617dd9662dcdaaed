//! How far a cup has got, and by which rounds: its format is asked again, and told what the rows say.

use super::audit::Setup;
use super::formats::{self, Plan};
use super::observations::key;
use super::{Entrant, Next, Round, Settled};
use crate::record::{Row, RowOutcome};
use std::collections::{HashMap, HashSet};

/// How far a cup has got.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// How many matches are on record.
    pub played: u64,
    /// How many there will be, where that is known.
    pub planned: Option<u64>,
    /// Whether nothing is left to be played.
    pub is_over: bool,
    /// The format's own order of a cup that is over, where it has one.
    pub ranking: Option<Vec<Vec<Entrant>>>,
    /// What the format has to say, a line each.
    pub remarks: Vec<String>,
    /// The rounds so far, of formats in which who meets whom follows from results.
    pub rounds: Vec<Round>,
}

/// Gathers what a format needs of rows.
pub struct Gathered<'a> {
    setup: &'a Setup,
    played: u64,
    /// By the hash of the id. Nothing is kept where every match is known from the beginning.
    settled: HashMap<u64, (Settled, Option<u64>)>,
}

impl<'a> Gathered<'a> {
    /// Before the first row.
    pub fn new(setup: &'a Setup) -> Gathered<'a> {
        Gathered { setup, played: 0, settled: HashMap::new() }
    }

    /// So many rows, where that is all that matters: see [`Gathered::counts_only`].
    pub fn add_all(&mut self, rows: u64) {
        self.played += rows;
    }

    /// Whether the format cares for nothing but how many rows there are: every match is known from the beginning.
    pub fn counts_only(&self) -> bool {
        matches!(self.setup.plan, Plan::RoundRobin | Plan::Gauntlet { .. })
    }

    /// A row, and what it is an observation of.
    pub fn add(&mut self, row: &Row, observation: Option<u64>) {
        self.played += 1;
        if !self.counts_only() {
            let settled = match row.outcome {
                RowOutcome::Won(seat) => Settled::Won(seat),
                RowOutcome::Drawn => Settled::Drawn,
                RowOutcome::Void => Settled::Void,
            };
            self.settled.insert(key(&row.id), (settled, observation));
        }
    }

    /// What it comes to.
    ///
    /// # Errors
    /// The format does not fit the field: a sentence.
    pub fn course(mut self) -> Result<Course, String> {
        let (setup, played) = (self.setup, self.played);
        let mut format = formats::build(&setup.plan, &setup.field)?;
        if let (true, Some(planned)) = (self.counts_only(), format.planned()) {
            return Ok(Course { played, planned: Some(planned), is_over: played >= planned, ..Course::default() });
        }
        let mut seen = HashSet::new();
        let mut missing = false;
        let finished = loop {
            if setup.in_time && self.settled.is_empty() {
                format.stop_planning();
            }
            match format.next() {
                Next::Finished => break true,
                Next::Wait => break false,
                Next::Play(pairing) => match self.settled.remove(&key(&pairing.id)) {
                    Some((settled, observation)) => {
                        let repeat = observation.is_some_and(|observation| !seen.insert(observation));
                        format.settle(&pairing.id, settled, repeat);
                    }
                    None => missing = true,
                },
            }
        };
        let is_over = finished && !missing;
        Ok(Course {
            played,
            planned: format.planned(),
            is_over,
            ranking: format.ranking().filter(|_| is_over),
            remarks: format.remarks(),
            rounds: format.rounds(),
        })
    }
}
