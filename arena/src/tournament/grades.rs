//! A row an author for a grade book: what the author's best bot did.

#[cfg(test)]
mod tests;

use super::Entrant;
use super::standings::{Standing, Standings, points, tenths};
use super::tally::{Sheet, Totals};
use crate::record::rows::Table;

/// The columns of `grades.csv`.
pub const COLUMNS: [&str; 13] = [
    "author",
    "bot",
    "rank",
    "points",
    "played",
    "won",
    "score_pct",
    "illegal",
    "malformed",
    "timeout",
    "crashed",
    "best_beaten",
    "passed",
];

/// What it takes to pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassRule {
    /// Against whom; `None` is the whole field.
    pub against: Option<Entrant>,
    /// So many percent of the points at least.
    pub pct: f64,
}

/// One author's grade.
#[derive(Clone, Debug, PartialEq)]
pub struct Grade {
    /// The author's id.
    pub author: String,
    /// The author's best bot: that of the best rank, of equals the first in the cup file.
    pub standing: Standing,
    /// The best-ranked bot that it took more than half of the points from, all their matches together.
    pub best_beaten: Option<String>,
    /// Whether it passed: no without a match; `None` without a rule.
    pub passed: Option<bool>,
}

/// The grades of all authors, by id. `authors` has those of each entrant, in the field's order; bots without an author
/// are in nobody's row.
pub fn grades(standings: &Standings, sheet: &Sheet, authors: &[Vec<String>], rule: Option<PassRule>) -> Vec<Grade> {
    let mut grades: Vec<Grade> = Vec::new();
    for standing in &standings.rows {
        for author in authors.get(standing.entrant).into_iter().flatten() {
            if !grades.iter().any(|grade| grade.author == *author) {
                grades.push(Grade {
                    author: author.clone(),
                    best_beaten: best_beaten(standings, sheet, standing.entrant),
                    passed: rule.map(|rule| passes(sheet, standing, rule)),
                    standing: standing.clone(),
                });
            }
        }
    }
    grades.sort_by(|one, other| one.author.cmp(&other.author));
    grades
}

/// `grades.csv`; `passed` is `yes`, `no` or empty.
pub fn grades_table(grades: &[Grade]) -> Table {
    Table { header: COLUMNS.to_vec(), rows: grades.iter().map(Grade::cells).collect() }
}

impl Grade {
    fn cells(&self) -> Vec<String> {
        let Totals { results, faults, .. } = &self.standing.totals;
        vec![
            self.author.clone(),
            self.standing.bot.clone(),
            self.standing.rank.to_string(),
            points(results.half_points()),
            results.played().to_string(),
            results.won.to_string(),
            results.score_pct().map(tenths).unwrap_or_default(),
            faults.illegal.to_string(),
            faults.malformed.to_string(),
            faults.timeout.to_string(),
            faults.crashed.to_string(),
            self.best_beaten.clone().unwrap_or_default(),
            match self.passed {
                Some(true) => "yes",
                Some(false) => "no",
                None => "",
            }
            .to_string(),
        ]
    }
}

fn best_beaten(standings: &Standings, sheet: &Sheet, entrant: Entrant) -> Option<String> {
    let beaten = |other: &&Standing| {
        sheet.between(entrant, other.entrant).is_some_and(|meeting| {
            let results = meeting.results();
            results.won > results.lost
        })
    };
    standings.rows.iter().find(beaten).map(|other| other.bot.clone())
}

fn passes(sheet: &Sheet, standing: &Standing, rule: PassRule) -> bool {
    let results = match rule.against {
        Some(other) => sheet.between(standing.entrant, other).map(|meeting| meeting.results()),
        None => Some(standing.totals.results),
    };
    results.and_then(|results| results.score_pct()).is_some_and(|pct| pct >= rule.pct)
}
