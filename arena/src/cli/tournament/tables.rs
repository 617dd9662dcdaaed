//! A cup's tables from its rows: read once, written whole, and shown.

use crate::cli::failure::Failure;
use crate::cli::output::Paper;
use crate::config::Grades;
use crate::record::rows::RowReader;
use crate::record::{RowOutcome, read_transcript};
use crate::report::{Excerpts, crosstable_text, standings_text};
use crate::tournament::Entrant;
use crate::tournament::crosstable::{Crosstable, crosstable};
use crate::tournament::folder::Folder;
use crate::tournament::grades::{Grade, PassRule, grades, grades_table};
use crate::tournament::ledger::MATCHES;
use crate::tournament::observations::Observations;
use crate::tournament::standings::{Standings, notes, standings, warnings};
use crate::tournament::tally::{Tally, set_of};
use std::path::Path;

/// What a cup's rows come to.
pub(in crate::cli) struct Tables {
    pub tally: Tally,
    pub standings: Standings,
    pub crosstable: Crosstable,
    /// What is to be known of the numbers.
    pub notes: Vec<String>,
    /// What an organiser is warned of.
    pub warnings: Vec<String>,
    /// Single matches that the page shows.
    pub excerpts: Excerpts,
    /// The ids of matches that stayed void.
    pub void: Vec<String>,
}

/// Reads a results folder's rows; `sets` is the number of parameter sets.
pub(super) fn read(
    folder: &Path,
    names: &[String],
    sets: usize,
    ranking: Option<&[Vec<Entrant>]>,
) -> Result<Tables, Failure> {
    let mut tally = Tally::new(names, sets);
    let mut observations = Observations::open(folder);
    let (mut excerpts, mut void) = (Excerpts::new(names), Vec::new());
    for row in RowReader::open(&folder.join(MATCHES)).map_err(Failure::new)? {
        let row = row.map_err(Failure::new)?;
        excerpts.add(&row);
        if row.outcome == RowOutcome::Void {
            void.push(row.id.clone());
        }
        let observation = observations.next(&row.id);
        tally.count(&row, set_of(&row), observation).map_err(|stranger| {
            Failure::new(format!(
                "{}: match {} names {}, who is not in the cup",
                folder.join(MATCHES).display(),
                stranger.id,
                stranger.name
            ))
        })?;
    }
    let whole = tally.whole();
    let standings = standings(names, &whole, ranking);
    let crosstable = crosstable(&standings, &whole);
    let (notes, warnings) = (notes(&tally), warnings(&tally));
    Ok(Tables { tally, standings, crosstable, notes, warnings, excerpts, void })
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

    /// Shows standings and cross table to people, and what is remarked besides.
    pub fn show(&self, paper: &mut Paper, remarks: &[String]) -> Result<(), Failure> {
        let columns = paper.size().map_or(usize::MAX, |(columns, _)| columns.into());
        paper.line(&standings_text(&self.standings, columns))?;
        paper.line(&crosstable_text(&self.crosstable))?;
        let ours = [self.standings.remarks(), self.notes.clone(), self.warnings.clone()].concat();
        for remark in remarks.iter().chain(&ours).chain(&self.void_note()) {
            paper.folded(&format!("note: {remark}"))?;
        }
        Ok(())
    }

    /// What each author's best bot did; `authors` has those of each entrant.
    pub fn grades(&self, authors: &[Vec<String>], rule: Option<&Grades>) -> Vec<Grade> {
        let rule = rule.map(|grades| PassRule { against: Some(grades.pass_against), pct: grades.pass_pct });
        grades(&self.standings, &self.tally.whole(), authors, rule)
    }

    /// Looks up what led to the forfeits that the page shows; rows do not tell. One whose transcript is not to be read
    /// is shown without.
    pub fn tell_causes(&mut self, folder: &Folder) {
        self.excerpts.tell_causes(|id| {
            let transcript = read_transcript(&folder.transcript(id)).ok()?;
            transcript.result?.verdict.detail
        });
    }

    /// Writes the tables beside the rows, each at once.
    pub fn write(&self, folder: &Path, grades: &[Grade]) -> Result<(), Failure> {
        let write = |name: &str, table: crate::record::rows::Table| {
            let path = folder.join(name);
            table.write(&path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
        };
        write("standings.csv", self.standings.table())?;
        write("crosstable.csv", self.crosstable.table())?;
        write("grades.csv", grades_table(grades))
    }
}
