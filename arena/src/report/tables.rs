//! Standings and cross tables as aligned plain text.

#[cfg(test)]
mod tests;

use crate::tournament::crosstable::Crosstable;
use crate::tournament::rating::Hold;
use crate::tournament::standings::{Standing, Standings};

/// The standings, a line an entrant under a line of headings; with how likely it is that each is stronger than the next
/// below. `~` before an Elo means that it is not known on both sides. Where lines would have more than `columns` letters,
/// columns are left out, the least telling ones first. `byes` has twice the points of each entrant's byes, where the order counts
/// them. Lines end with LF.
pub fn standings_text(standings: &Standings, byes: &[u64], columns: usize) -> String {
    let headings =
        ["rank", "bot", "points", "played", "won", "drawn", "lost", "score", "Elo", "95 %", "beats next", "faults"];
    let mut lines = vec![headings.map(str::to_string).to_vec()];
    lines.extend(standings.rows.iter().map(standing_cells));
    if byes.iter().any(|more| *more > 0) {
        let of = |row: &Standing| match byes[row.entrant] {
            0 => String::new(),
            more => format!("+{}", more as f64 / 2.0),
        };
        let cells = std::iter::once("byes".to_string()).chain(standings.rows.iter().map(of));
        lines.iter_mut().zip(cells).for_each(|(line, cell)| line.insert(AFTER_POINTS, cell));
    }
    for expendable in ["drawn", "lost", "won", "score", "beats next", "95 %", "faults"] {
        if width(&aligned(&lines, &[])) <= columns {
            break;
        }
        let place = lines[0].iter().position(|heading| heading == expendable).expect("it is one of the headings");
        for line in &mut lines {
            line.remove(place);
        }
    }
    let faults = lines[0].iter().position(|heading| heading == "faults");
    aligned(&lines, &[1, faults.unwrap_or(1)])
}

/// The place of the column that follows the points.
const AFTER_POINTS: usize = 3;

/// Of the longest line.
fn width(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

/// The points of each against each, in the order of the standings: columns are numbered like rows. `-` means that two have
/// not met. Lines end with LF.
pub fn crosstable_text(table: &Crosstable) -> String {
    let numbers = (1..=table.bots.len()).map(|number| number.to_string());
    let mut lines = vec![["".to_string(), "bot".to_string()].into_iter().chain(numbers).collect::<Vec<String>>()];
    for (row, (bot, cells)) in table.bots.iter().zip(&table.cells).enumerate() {
        let points = cells.iter().enumerate().map(|(column, cell)| match cell {
            _ if column == row => String::new(),
            None => "-".to_string(),
            Some(cell) => format!("{}/{}", cell.results.points(), cell.results.played()),
        });
        lines.push([(row + 1).to_string(), bot.clone()].into_iter().chain(points).collect());
    }
    aligned(&lines, &[1])
}

fn standing_cells(row: &Standing) -> Vec<String> {
    let results = row.totals.results;
    let faults = row.totals.faults;
    let counts = [
        (faults.illegal, "illegal"),
        (faults.malformed, "malformed"),
        (faults.timeout, "timeout"),
        (faults.crashed, "crashed"),
        (faults.other, "other"),
    ];
    let faults: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    let guess = if row.rating.is_some_and(|rating| rating.hold != Hold::Both) { "~" } else { "" };
    vec![
        row.rank.to_string(),
        row.bot.clone(),
        results.points().to_string(),
        results.played().to_string(),
        results.won.to_string(),
        results.drawn.to_string(),
        results.lost.to_string(),
        results.score_pct().map(|pct| format!("{pct:.1} %")).unwrap_or_default(),
        row.rating.map(|rating| format!("{guess}{}", whole(rating.elo))).unwrap_or_default(),
        row.rating.map(|rating| format!("{} to {}", whole(rating.low), whole(rating.high))).unwrap_or_default(),
        row.superior.map(likelihood).unwrap_or_default(),
        faults.join(", "),
    ]
}

/// A likelihood in percent, never told as certain.
fn likelihood(superior: f64) -> String {
    match 100.0 * superior {
        pct if pct > 99.9 => ">99.9 %".to_string(),
        pct if pct < 0.1 => "<0.1 %".to_string(),
        pct => format!("{pct:.1} %"),
    }
}

/// Rounded to a whole number; zero has no sign.
fn whole(number: f64) -> i64 {
    number.round() as i64
}

/// Columns as wide as their widest cell, two spaces apart, to the right except for those named.
fn aligned(lines: &[Vec<String>], to_the_left: &[usize]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for line in lines {
        let cells: Vec<String> = line
            .iter()
            .enumerate()
            .map(|(column, cell)| {
                let width = widths[column];
                let left = to_the_left.contains(&column);
                if left { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            })
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}
