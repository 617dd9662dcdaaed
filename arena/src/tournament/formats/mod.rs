//! The table of formats: a new one is one file here, one `mod` line and one entry.
//!
//! Each is pure: it says who plays whom from the field and from what was settled. Those whose course depends on results plan
//! in stages (a round, a batch), each of which follows from the whole stages before it; that is what makes the order of
//! settling irrelevant and lets a cup go on after a stop. None knows games, processes, clocks or files.

mod book;
mod circle;
mod double_elimination;
mod gauntlet;
mod heat;
mod knockout;
mod likelihood;
mod matching;
mod round_robin;
mod sprt;
mod stages;
mod strength;
mod swiss;
mod ties;
mod until_ranked;

#[cfg(test)]
mod tests;

use super::{Entrant, Field, Format};

pub use likelihood::{expected_score, pairs_to_go, pentanomial_llr, sprt_bounds};

/// Pairs in a batch of an adaptive format when a cup does not say otherwise, whatever the number of jobs.
pub const BATCH: u32 = 8;

/// A format with its settings.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// Everybody against everybody.
    RoundRobin,
    /// The challengers against everybody, one another included.
    Gauntlet {
        /// At least one; named twice counts once.
        challengers: Vec<Entrant>,
    },
    /// Who loses is out; seeded in the order of the cup file. A tie is [`Field::pairs`] pairs in every set; a level one is
    /// played on, pair by pair, eight at most, then the cup's seed decides, and the remarks say so.
    Knockout,
    /// Who has lost twice is out; seeded and played like a knockout.
    DoubleElimination,
    /// So many rounds among equals.
    Swiss {
        /// From 1 to what the field allows (all have met); one more than the binary logarithm of the field, rounded up,
        /// when left out. A bye is worth winning every match of a round.
        rounds: Option<u32>,
    },
    /// Is the first entrant stronger than the second? Stops when it is sure. The sets are played by turns, and
    /// [`Field::pairs`] has no say.
    Sprt {
        /// The lead of the first entrant, in Elo, that is not enough.
        elo0: f64,
        /// The lead that is; above `elo0`.
        elo1: f64,
        /// How often `elo1` may be accepted where `elo0` holds: above 0, below ½.
        alpha: f64,
        /// How often `elo0` may be accepted where `elo1` holds: above 0, below ½.
        beta: f64,
        /// Pairs a batch, at least one; usually [`BATCH`].
        batch: u32,
        /// The test ends undecided after so many pairs; 50,000 when left out.
        max_pairs: Option<u32>,
    },
    /// Plays on until the order of the table is sure. The sets are played by turns, and [`Field::pairs`] has no say.
    UntilRanked {
        /// How sure each two neighbours of the table are to be of their order: above ½, below 1.
        confidence: f64,
        /// Pairs a batch, at least one; usually [`BATCH`].
        batch: u32,
        /// Matches in all, at least two; 2,000 for each two neighbours when left out.
        max_matches: Option<u64>,
    },
}

impl Plan {
    /// The format's id in [`FORMATS`].
    pub fn id(&self) -> &'static str {
        match self {
            Plan::RoundRobin => "round-robin",
            Plan::Gauntlet { .. } => "gauntlet",
            Plan::Knockout => "knockout",
            Plan::DoubleElimination => "double-elimination",
            Plan::Swiss { .. } => "swiss",
            Plan::Sprt { .. } => "sprt",
            Plan::UntilRanked { .. } => "until-ranked",
        }
    }
}

/// What people are told of a format.
#[derive(Debug)]
pub struct FormatInfo {
    /// What it is called in a cup file.
    pub id: &'static str,
    /// One line about it.
    pub help: &'static str,
}

/// The formats, the default first.
pub static FORMATS: &[FormatInfo] = &[
    FormatInfo { id: "round-robin", help: "everybody plays everybody" },
    FormatInfo { id: "gauntlet", help: "the challengers play everybody, one another once; the others do not meet" },
    FormatInfo { id: "knockout", help: "who loses is out; seeded in the order of the cup file, byes to the first" },
    FormatInfo {
        id: "double-elimination",
        help: "who has lost twice is out; the final is played again if it has to be",
    },
    FormatInfo {
        id: "swiss",
        help: "a fixed number of rounds, each against someone of like points and not met before",
    },
    FormatInfo { id: "sprt", help: "two bots, until it is sure whether the first is stronger than the second" },
    FormatInfo { id: "until-ranked", help: "plays on where the table is least sure, until each place is" },
];

/// Makes a format for a field. What does not fit is told in a sentence: too few entrants, too many rounds, a setting out
/// of range.
pub fn build(plan: &Plan, field: &Field) -> Result<Box<dyn Format>, String> {
    check_field(plan, field)?;
    Ok(match plan {
        Plan::RoundRobin => round_robin::build(field),
        Plan::Gauntlet { challengers } => gauntlet::build(field, challengers)?,
        Plan::Knockout => knockout::build(field),
        Plan::DoubleElimination => double_elimination::build(field),
        Plan::Swiss { rounds } => swiss::build(field, *rounds)?,
        Plan::Sprt { elo0, elo1, alpha, beta, batch, max_pairs } => {
            let test = sprt::Test { elo0: *elo0, elo1: *elo1, alpha: *alpha, beta: *beta };
            sprt::build(field, test, *batch, *max_pairs)?
        }
        Plan::UntilRanked { confidence, batch, max_matches } => {
            until_ranked::build(field, *confidence, *batch, *max_matches)?
        }
    })
}

fn check_field(plan: &Plan, field: &Field) -> Result<(), String> {
    let entrants = field.names.len();
    if entrants < 2 {
        let seen = if entrants == 0 { "no entrant".to_string() } else { format!("only `{}`", field.names[0]) };
        return Err(format!("{} needs at least two entrants, but there is {seen}: name more bots", plan.id()));
    }
    if field.pairs == 0 {
        return Err("`pairs` is 0, so nothing would be played: it must be at least 1".to_string());
    }
    if field.sets.is_empty() {
        return Err("there is no set of parameters to play with: leave out `params`, or name at least one".to_string());
    }
    Ok(())
}

/// The refusal of a batch without pairs.
fn check_batch(format: &str, batch: u32) -> Result<(), String> {
    if batch == 0 {
        return Err(format!(
            "{format}: `batch` is 0, so nothing would be played: it must be at least 1; {BATCH} is usual"
        ));
    }
    Ok(())
}
