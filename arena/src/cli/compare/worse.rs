//! The starts on which the new one did worse than the old one: where to look for what went wrong.

use crate::cli::failure::Failure;
use crate::cli::output::Paper;
use crate::cli::own;
use crate::record::rows::RowReader;
use crate::record::{Row, RowOutcome, Transcript, read_transcript};
use crate::seat::Seat;
use crate::tournament::failures::again_command;
use crate::tournament::ledger::MATCHES;
use crate::tournament::observations::Observations;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// So many are shown to people, and to programs.
const SHOWN: usize = 5;
const LISTED: usize = 100;

/// A pair of which the new one had less than half of the points.
pub(super) struct Pair {
    /// Its matches: ids and transcripts, a lost one first.
    matches: [(String, String); 2],
    seed: u64,
    /// The new one's half points: 0 or 1.
    half_points: u8,
}

/// All of them in a folder of results, the worst first. What repeats another match is left out.
pub(super) fn pairs(folder: &Path, new: &str) -> Result<Vec<Pair>, Failure> {
    let mut observations = Observations::open(folder);
    let mut seen = HashSet::new();
    let mut halves: HashMap<String, Row> = HashMap::new();
    let mut pairs = Vec::new();
    for row in RowReader::open(&folder.join(MATCHES)).map_err(Failure::new)? {
        let row = row.map_err(Failure::new)?;
        let repeat = observations.next(&row.id).is_some_and(|observation| !seen.insert(observation));
        if repeat || row.outcome == RowOutcome::Void {
            continue;
        }
        let pair = row.id[..row.id.len() - 1].to_string();
        match halves.remove(&pair) {
            None => drop(halves.insert(pair, row)),
            Some(first) => pairs.extend(Pair::of(first, row, new)),
        }
    }
    pairs.sort_by_key(|pair: &Pair| pair.half_points);
    Ok(pairs)
}

impl Pair {
    fn of(first: Row, second: Row, new: &str) -> Option<Pair> {
        let of = [half_points(&first, new), half_points(&second, new)];
        let half_points = of[0] + of[1];
        let mut matches = [first.clone(), second].map(|row| (row.id, row.transcript));
        if of[0] > of[1] {
            matches.reverse();
        }
        (half_points < 2).then_some(Pair { matches, seed: first.seed, half_points })
    }

    fn lost(&self, folder: &Path) -> Result<Transcript, Failure> {
        read_transcript(&folder.join(&self.matches[0].1)).map_err(Failure::new)
    }
}

fn half_points(row: &Row, new: &str) -> u8 {
    match row.outcome {
        RowOutcome::Drawn => 1,
        RowOutcome::Won(seat) if row.bots[Seat::index(seat)] == new => 2,
        _ => 0,
    }
}

/// For people: the worst of them.
pub(super) fn tell(paper: &mut Paper, pairs: &[Pair], folder: &Path, new: &str) -> Result<(), Failure> {
    if pairs.is_empty() {
        return Ok(());
    }
    let starts = if pairs.len() == 1 { "1 start".to_string() } else { format!("{} starts", pairs.len()) };
    paper.line(&format!("{new} did worse on {starts}{}", if pairs.len() > SHOWN { "; the worst:" } else { ":" }))?;
    for pair in &pairs[..pairs.len().min(SHOWN)] {
        let lost = pair.lost(folder)?;
        let points = ["0", "½"][usize::from(pair.half_points.min(1))];
        let [one, other] = [0, 1].map(|place: usize| pair.matches[place].0.as_str());
        let opening: Vec<String> = lost.header.opening.iter().map(plain).collect();
        let opening = if opening.is_empty() { String::new() } else { format!(", opening {}", opening.join(" ")) };
        paper.line(&format!("  {points} of 2 points: {one} and {other}, seed {}{opening}", pair.seed))?;
        paper.line(&format!("    again: {}", again_command(&lost, &own::arena())))?;
    }
    Ok(())
}

/// For programs.
pub(super) fn json(pairs: &[Pair], folder: &Path) -> Result<Value, Failure> {
    let pair = |pair: &Pair| -> Result<Value, Failure> {
        let lost = pair.lost(folder)?;
        Ok(json!({
            "matches": [pair.matches[0].0, pair.matches[1].0], "points": f64::from(pair.half_points) / 2.0, "seed": pair.seed,
            "opening": lost.header.opening, "again": again_command(&lost, &own::arena()),
        }))
    };
    pairs.iter().take(LISTED).map(pair).collect()
}

/// A ply as people write it, as far as that can be told without the game.
fn plain(ply: &Value) -> String {
    ply.as_str().map_or_else(|| ply.to_string(), String::from)
}
