//! `arena submissions DIR`: what was filed, fit or not, and why.

use super::DONE;
use super::failure::Failure;
use super::output::{self, harmless};
use crate::submissions::{Shelf, Version, shelves, user_name};
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct SubmissionsArguments {
    /// The folder of submissions
    dir: PathBuf,
    /// An object a name on stdout
    #[arg(long)]
    json: bool,
}

/// So much of a reason is shown, in letters; `--json` has all of it.
const SHOWN: usize = 120;

/// So much of what names each further one.
const SHORT: usize = 40;

/// The columns, but for what stands after them.
const HEAD: [&str; 5] = ["name", "version", "fit", "when", "who"];

pub(super) fn run(arguments: &SubmissionsArguments) -> Result<u8, Failure> {
    let shelves = shelves(&arguments.dir).map_err(Failure::new)?;
    if arguments.json {
        for shelf in &shelves {
            output::line(&as_json(shelf).to_string())?;
        }
        return Ok(DONE);
    }
    if shelves.is_empty() {
        output::line(&format!("nothing is filed in {}", arguments.dir.display()))?;
        return Ok(DONE);
    }
    let rows: Vec<[String; 5]> = std::iter::once(HEAD.map(String::from)).chain(shelves.iter().map(cells)).collect();
    let widths: Vec<usize> =
        (0..HEAD.len()).map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)).collect();
    let why = std::iter::once("why".to_string()).chain(shelves.iter().map(why));
    for (row, why) in rows.iter().zip(why) {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        output::line(format!("{}  {why}", cells.join("  ")).trim_end())?;
    }
    Ok(DONE)
}

fn newest(shelf: &Shelf) -> &Version {
    &shelf.versions[0]
}

/// The newest version that is fit, as far as records say.
fn fit(shelf: &Shelf) -> Option<u32> {
    shelf.versions.iter().find(|version| version.is_fit()).map(|version| version.number)
}

fn cells(shelf: &Shelf) -> [String; 5] {
    let newest = newest(shelf);
    let fit = if newest.is_fit() { "fit" } else { "NOT FIT" };
    let when = newest.record.as_ref().map_or_else(|_| "?".to_string(), |record| record.when.clone());
    [&shelf.name, &newest.number.to_string(), fit, &when, &user_name(shelf.owner)].map(one_line)
}

/// Why the newest version is not fit, and which one is.
fn why(shelf: &Shelf) -> String {
    let newest = newest(shelf);
    if newest.is_fit() {
        return String::new();
    }
    let problems = match &newest.record {
        Ok(record) => record.problems.as_slice(),
        Err(why) => std::slice::from_ref(why),
    };
    let instead = fit(shelf).map_or("no version is fit".to_string(), |number| format!("version {number} is fit"));
    let first = problems.first().map_or("no reason is recorded".to_string(), |why| cut(why, SHOWN));
    let others: Vec<String> = problems.iter().skip(1).map(|why| short(why)).collect();
    let others = if others.is_empty() { String::new() } else { format!("; also: {}", others.join(", ")) };
    format!("{first}{others} ({instead})")
}

/// What another check is told by, beside the reason of the first one: its name.
fn short(why: &str) -> String {
    cut(why.lines().next().unwrap_or_default().split(": ").next().unwrap_or_default(), SHORT)
}

/// The first line of a text, in so many letters.
fn cut(text: &str, letters: usize) -> String {
    let line = one_line(text.lines().next().unwrap_or_default());
    let cut: String = line.chars().take(letters).collect();
    let more = if cut.len() < line.len() { "…" } else { "" };
    format!("{cut}{more}")
}

fn one_line(text: &str) -> String {
    harmless(text).replace(['\n', '\t'], " ")
}

fn as_json(shelf: &Shelf) -> Value {
    let newest = newest(shelf);
    let record = newest.record.as_ref();
    let problems = match record {
        Ok(record) => record.problems.clone(),
        Err(why) => vec![why.clone()],
    };
    json!({
        "name": shelf.name, "version": newest.number, "fit": newest.is_fit(), "fit_version": fit(shelf),
        "when": record.map(|record| record.when.as_str()).ok(), "user": user_name(shelf.owner), "uid": shelf.owner,
        "authors": record.map(|record| record.authors.clone()).ok(), "games": record.ok().and_then(|record| record.games.clone()),
        "sha256": record.map(|record| record.sha256.as_str()).ok(), "problems": problems,
        "versions": shelf.versions.iter().map(|version| json!({"version": version.number, "fit": version.is_fit()})).collect::<Vec<_>>(),
    })
}
