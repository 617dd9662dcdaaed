//! The table once more: `standings.csv` has to say what the rows give.

use super::{Auditor, Setup};
use crate::tournament::Entrant;
use crate::tournament::standings::standings;
use std::fs;

const STANDINGS: &str = "standings.csv";

/// Another machine's arithmetic may round an Elo to the next tenth.
const ELO_SLACK: f64 = 0.11;

impl Auditor<'_> {
    pub(super) fn standings(&mut self, setup: &Setup, ranking: Option<&[Vec<Entrant>]>) {
        let Some(tally) = self.tally.take() else { return };
        let expected = standings(&setup.field.names, &tally.whole(), ranking).table().to_csv();
        match fs::read(self.folder.join(STANDINGS)) {
            Ok(found) => self.found.problems.extend(differences(&found, &expected)),
            Err(error) => self.problem(format!("{STANDINGS}: {error}")),
        }
    }
}

/// Where a table differs from the one that the rows give.
pub(super) fn differences(found: &[u8], expected: &[u8]) -> Vec<String> {
    let (found, expected) = match (cells(found), cells(expected)) {
        (Ok(found), Ok(expected)) => (found, expected),
        (Err(error), _) | (_, Err(error)) => return vec![format!("{STANDINGS}: {error}")],
    };
    let (Some(head), Some(columns)) = (found.first(), expected.first()) else {
        return vec![format!("{STANDINGS}: the file is empty")];
    };
    if head != columns {
        return vec![format!("{STANDINGS}:1: the head is not {}", columns.join(","))];
    }
    let mut problems = Vec::new();
    for (line, (is, should_be)) in (1..).zip(found.iter().zip(&expected)) {
        let bot = should_be.get(1).map_or("", String::as_str);
        if is.len() != columns.len() {
            problems.push(format!("{STANDINGS}:{line}: has {} cells, not {}", is.len(), columns.len()));
            continue;
        }
        for ((column, is), should_be) in columns.iter().zip(is).zip(should_be) {
            if !agree(column, is, should_be) {
                problems
                    .push(format!("{STANDINGS}:{line}: {bot}: `{column}` is {is:?}, but the rows give {should_be:?}"));
            }
        }
    }
    if found.len() != expected.len() {
        problems.push(format!(
            "{STANDINGS}: has {} rows, but there are {} entrants",
            found.len() - 1,
            expected.len() - 1
        ));
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
