//! A cup's tables: written whole, and shown.

use crate::cli::failure::Failure;
use crate::cli::output::Paper;
use crate::config::Grades;
use crate::record::read_transcript;
use crate::report::{crosstable_text, standings_text};
use crate::tournament::Entrant;
use crate::tournament::folder::Folder;
use crate::tournament::grades::{Grade, PassRule, grades, grades_table};
use crate::tournament::standings::BYES_COUNT;
use crate::tournament::tables::{Tables, count};
use std::path::Path;

/// Reads a results folder's rows; `sets` is the number of parameter sets.
pub(super) fn read(
    folder: &Path,
    names: &[String],
    sets: usize,
    ranking: Option<&[Vec<Entrant>]>,
) -> Result<Tables, Failure> {
    Ok(count(folder, names, sets, None, &mut |_| {}).map_err(Failure::new)?.tables(ranking))
}

impl Tables {
    /// Shows standings and cross table to people, and what is remarked besides. `byes` has twice the points of each entrant's byes,
    /// where the order counts them.
    pub(in crate::cli) fn show(&self, paper: &mut Paper, byes: &[u64], remarks: &[String]) -> Result<(), Failure> {
        let columns = paper.size().map_or(usize::MAX, |(columns, _)| columns.into());
        paper.line(&standings_text(&self.standings, byes, columns))?;
        paper.line(&crosstable_text(&self.crosstable))?;
        let of_byes = byes.iter().any(|more| *more > 0).then(|| BYES_COUNT.to_string());
        let ours = [of_byes.into_iter().collect(), self.standings.remarks(), self.notes.clone(), self.warnings.clone()];
        let ours = ours.concat();
        for remark in remarks.iter().chain(&ours).chain(&self.void_note()) {
            paper.folded(&format!("note: {remark}"))?;
        }
        Ok(())
    }

    /// What each author's best bot did; `authors` has those of each entrant.
    pub(in crate::cli) fn grades(&self, authors: &[Vec<String>], rule: Option<&Grades>) -> Vec<Grade> {
        let rule = rule.map(|grades| PassRule { against: Some(grades.pass_against), pct: grades.pass_pct });
        grades(&self.standings, &self.tally.whole(), authors, rule)
    }

    /// Looks up what led to the forfeits that the page shows; rows do not tell. One whose transcript is not to be read
    /// is shown without.
    pub(in crate::cli) fn tell_causes(&mut self, folder: &Folder) {
        self.excerpts.tell_causes(|id| {
            let transcript = read_transcript(&folder.transcript(id)).ok()?;
            transcript.result?.verdict.detail
        });
    }

    /// Writes the tables beside the rows, each at once.
    pub(in crate::cli) fn write(&self, folder: &Path, grades: &[Grade]) -> Result<(), Failure> {
        let write = |name: &str, table: crate::record::rows::Table| {
            let path = folder.join(name);
            table.write(&path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
        };
        write("standings.csv", self.standings.table())?;
        write("crosstable.csv", self.crosstable.table())?;
        write("grades.csv", grades_table(grades))
    }
}
