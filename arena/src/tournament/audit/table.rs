//! The tables once more: `standings.csv` and `crosstable.csv` have to say what the rows give. The page made of them only has to be
//! there: it is for people.

use super::{Auditor, Setup};
use crate::files::read_regular;
use crate::tournament::Entrant;
use crate::tournament::crosstable::crosstable;
use crate::tournament::standings::standings;

/// A table's file, and in which of its columns stands of whom a row tells.
pub(super) struct Kind(pub &'static str, pub &'static [usize]);

pub(super) const STANDINGS: Kind = Kind("standings.csv", &[1]);
pub(super) const CROSSTABLE: Kind = Kind("crosstable.csv", &[0, 1]);

/// All of a cup on one page.
const REPORT: &str = "report.html";

/// Another machine's arithmetic may round an Elo to the next tenth.
const ELO_SLACK: f64 = 0.11;

impl Auditor<'_> {
    pub(super) fn tables(&mut self, setup: &Setup, ranking: Option<&[Vec<Entrant>]>) {
        let Some(tally) = self.tally.take() else { return };
        let sheet = tally.whole();
        let standings = standings(&setup.field.names, &sheet, ranking);
        for (kind, table) in [(STANDINGS, standings.table()), (CROSSTABLE, crosstable(&standings, &sheet).table())] {
            match read_regular(&self.folder.join(kind.0)) {
                Ok(found) => self.found.problems.extend(differences(&kind, &found, &table.to_csv())),
                Err(error) => self.problem(format!("{}: {error}", kind.0)),
            }
        }
        if !self.folder.join(REPORT).is_file() {
            self.problem(format!("{REPORT} is not there: `arena tournament run` with the same cup writes it again"));
        }
    }
}

/// Where a table differs from the one that the rows give.
pub(super) fn differences(Kind(file, who): &Kind, found: &[u8], expected: &[u8]) -> Vec<String> {
    let (found, expected) = match (cells(found), cells(expected)) {
        (Ok(found), Ok(expected)) => (found, expected),
        (Err(error), _) | (_, Err(error)) => return vec![format!("{file}: {error}")],
    };
    let (Some(head), Some(columns)) = (found.first(), expected.first()) else {
        return vec![format!("{file}: the file is empty")];
    };
    if head != columns {
        return vec![format!("{file}:1: the head is not {}", columns.join(","))];
    }
    let mut problems = Vec::new();
    for (line, (is, should_be)) in (1..).zip(found.iter().zip(&expected)) {
        let names: Vec<&str> = who.iter().filter_map(|column| should_be.get(*column)).map(String::as_str).collect();
        let of = names.join(" against ");
        if is.len() != columns.len() {
            problems.push(format!("{file}:{line}: has {} cells, not {}", is.len(), columns.len()));
            continue;
        }
        for ((column, is), should_be) in columns.iter().zip(is).zip(should_be) {
            if !agree(column, is, should_be) {
                problems.push(format!("{file}:{line}: {of}: `{column}` is {is:?}, but the rows give {should_be:?}"));
            }
        }
    }
    if found.len() != expected.len() {
        let (has, should_have) = (found.len() - 1, expected.len() - 1);
        problems.push(format!("{file}: has {has} rows, but the rows of matches.csv give {should_have}"));
    }
    problems
}

fn agree(column: &str, is: &str, should_be: &str) -> bool {
    let near = || {
        let numbers = is.parse::<f64>().ok().zip(should_be.parse::<f64>().ok());
        numbers.is_some_and(|(is, should_be)| (is - should_be).abs() < ELO_SLACK)
    };
    is == should_be || (column.starts_with("elo") && near())
}

fn cells(table: &[u8]) -> Result<Vec<Vec<String>>, csv::Error> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(table);
    reader.records().map(|record| Ok(record?.iter().map(String::from).collect())).collect()
}
