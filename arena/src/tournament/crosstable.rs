//! Who did what against whom.

use super::Entrant;
use super::standings::{Standings, points, tenths};
use super::tally::{Results, Sheet};
use crate::record::rows::Table;

/// The columns of `crosstable.csv`, a row for each entrant and each opponent that it has met: what the entrant did in
/// all, in seat 0 and in seat 1. Counts stand in columns of their own, because spreadsheets take `3-2-1` for a date.
pub const COLUMNS: [&str; 15] = [
    "bot",
    "opponent",
    "played",
    "won",
    "drawn",
    "lost",
    "points",
    "score_pct",
    "first_won",
    "first_drawn",
    "first_lost",
    "second_won",
    "second_drawn",
    "second_lost",
    "repeats",
];

/// A cup's cross table, both ways in the order of the standings.
#[derive(Clone, Debug, PartialEq)]
pub struct Crosstable {
    /// Names, in the order of rows and columns.
    pub bots: Vec<String>,
    /// What each did against each; `None` where they have not met.
    pub cells: Vec<Vec<Option<Cell>>>,
}

/// What one did against another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// In all.
    pub results: Results,
    /// In seat 0 and in seat 1.
    pub by_seat: [Results; 2],
    /// How many of the matches repeated another one move for move.
    pub repeats: u64,
}

/// The cross table that belongs to a table.
pub fn crosstable(standings: &Standings, sheet: &Sheet) -> Crosstable {
    let order: Vec<Entrant> = standings.rows.iter().map(|row| row.entrant).collect();
    let cell = |one: Entrant, other: Entrant| {
        let meeting = sheet.between(one, other)?;
        Some(Cell { results: meeting.results(), by_seat: meeting.by_seat, repeats: meeting.repeats })
    };
    Crosstable {
        bots: standings.rows.iter().map(|row| row.bot.clone()).collect(),
        cells: order.iter().map(|one| order.iter().map(|other| cell(*one, *other)).collect()).collect(),
    }
}

impl Crosstable {
    /// `crosstable.csv`.
    pub fn table(&self) -> Table {
        let mut rows = Vec::new();
        for (bot, cells) in self.bots.iter().zip(&self.cells) {
            for (opponent, cell) in self.bots.iter().zip(cells) {
                rows.extend(cell.map(|cell| cell.cells(bot, opponent)));
            }
        }
        Table { header: COLUMNS.to_vec(), rows }
    }
}

impl Cell {
    fn cells(&self, bot: &str, opponent: &str) -> Vec<String> {
        let counts = |results: &Results| [results.won, results.drawn, results.lost].map(|count| count.to_string());
        let mut cells = vec![bot.to_string(), opponent.to_string(), self.results.played().to_string()];
        cells.extend(counts(&self.results));
        cells.push(points(self.results.half_points()));
        cells.push(self.results.score_pct().map(tenths).unwrap_or_default());
        cells.extend(self.by_seat.iter().flat_map(counts));
        cells.push(self.repeats.to_string());
        cells
    }
}
