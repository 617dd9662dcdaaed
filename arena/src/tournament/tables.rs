//! A cup's tables from its rows, which are read once, in little memory.

use super::Entrant;
use super::crosstable::{Crosstable, crosstable};
use super::excerpts::Excerpts;
use super::ledger::MATCHES;
use super::observations::Observations;
use super::standings::{Standings, notes, standings, warnings};
use super::tally::{Tally, set_of};
use crate::record::rows::RowReader;
use crate::record::{Row, RowOutcome};
use std::path::Path;

/// What a cup's rows come to.
pub struct Tables {
    /// The counts of all rows.
    pub tally: Tally,
    /// The table of all parameter sets together.
    pub standings: Standings,
    /// Who did what against whom.
    pub crosstable: Crosstable,
    /// What is to be known of the numbers.
    pub notes: Vec<String>,
    /// What an organiser is warned of.
    pub warnings: Vec<String>,
    /// Single matches that pages show.
    pub excerpts: Excerpts,
    /// The ids of matches that stayed void.
    pub void: Vec<String>,
}

/// Rows that are counted, and not made tables of yet.
pub struct Counts {
    tally: Tally,
    excerpts: Excerpts,
    void: Vec<String>,
}

/// A row as it is met in the file.
pub struct Met<'a> {
    /// The row.
    pub row: &'a Row,
    /// Where it begins in the file, in bytes.
    pub begin: u64,
    /// Its parameter set, from 0.
    pub set: usize,
    /// What it is an observation of, where that is known.
    pub observation: Option<u64>,
}

/// Reads a results folder's rows; `sets` is the number of parameter sets. Counted are those of the set `only` (from 0), or all;
/// `each` is told of every row.
///
/// # Errors
/// The rows cannot be read, or name somebody who is not in the cup: a sentence.
pub fn count(
    folder: &Path,
    names: &[String],
    sets: usize,
    only: Option<usize>,
    each: &mut dyn FnMut(&Met<'_>),
) -> Result<Counts, String> {
    let (mut tally, mut excerpts) = (Tally::new(names, sets), Excerpts::new(names));
    let mut void = Vec::new();
    let mut observations = Observations::open(folder);
    let mut rows = RowReader::open(&folder.join(MATCHES)).map_err(|error| error.to_string())?;
    loop {
        let begin = rows.position();
        let Some(row) = rows.next() else { break };
        let row = row.map_err(|error| error.to_string())?;
        let (set, observation) = (set_of(&row), observations.next(&row.id));
        each(&Met { row: &row, begin, set, observation });
        if only.is_some_and(|only| only != set) {
            continue;
        }
        excerpts.add(&row);
        if row.outcome == RowOutcome::Void {
            void.push(row.id.clone());
        }
        tally.count(&row, set, observation).map_err(|stranger| {
            let (file, id, name) = (folder.join(MATCHES), stranger.id, stranger.name);
            format!("{}: match {id} names {name}, who is not in the cup", file.display())
        })?;
    }
    Ok(Counts { tally, excerpts, void })
}

impl Counts {
    /// The tables. `ranking` is the format's own order, where it has one.
    pub fn tables(self, ranking: Option<&[Vec<Entrant>]>) -> Tables {
        let Counts { tally, excerpts, void } = self;
        let whole = tally.whole();
        let standings = standings(tally.names(), &whole, ranking);
        let crosstable = crosstable(&standings, &whole);
        let (notes, warnings) = (notes(&tally), warnings(&tally));
        Tables { tally, standings, crosstable, notes, warnings, excerpts, void }
    }
}

impl Tables {
    /// What is to be said of matches that stayed void, where there are any.
    pub fn void_note(&self) -> Option<String> {
        const NAMED: usize = 5;
        let what = match self.void.len() {
            0 => return None,
            1 => "1 match stayed void, and counts for nothing".to_string(),
            count => format!("{count} matches stayed void, and count for nothing"),
        };
        let more = if self.void.len() > NAMED { ", …" } else { "" };
        Some(format!("{what}: {}{more}", self.void[..self.void.len().min(NAMED)].join(", ")))
    }
}
