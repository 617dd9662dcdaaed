//! `arena tournament standings DIR`: the tables of what has been played so far.

use super::begun::HOME;
use super::entrants::EntrantRecord;
use super::tables;
use crate::cli::DONE;
use crate::cli::bots::bundled_folder;
use crate::cli::failure::Failure;
use crate::cli::output::{self, Paper};
use crate::config::{Broken, cup_from_text};
use crate::files::read_regular_text;
use crate::tournament::roster::ENTRANTS;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct StandingsArguments {
    /// The cup's folder
    dir: PathBuf,
    /// The rows of standings.csv as JSON, one object a line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &StandingsArguments) -> Result<u8, Failure> {
    let dir = &arguments.dir;
    let (names, sets) = field(dir)?;
    let tables = tables::read(dir, &names, sets, None)?;
    if arguments.json {
        let table = tables.standings.table();
        for row in &table.rows {
            let object: serde_json::Map<String, serde_json::Value> = table
                .header
                .iter()
                .map(|key| key.to_string())
                .zip(row.iter().map(|cell| cell.clone().into()))
                .collect();
            output::line(&serde_json::Value::Object(object).to_string())?;
        }
        return Ok(DONE);
    }
    tables.show(&mut Paper::new(false), &[])?;
    Ok(DONE)
}

/// The entrants' names and the number of parameter sets of the cup in a folder.
fn field(dir: &Path) -> Result<(Vec<String>, usize), Failure> {
    let read = |name: &str| {
        let path = dir.join(name);
        read_regular_text(&path)
            .map_err(|error| Failure::new(format!("{}: {error}: is this a cup's folder?", path.display())))
    };
    let entrants: Vec<EntrantRecord> = serde_json::from_str(&read(ENTRANTS)?)
        .map_err(|error| Failure::new(format!("{}: {error}", dir.join(ENTRANTS).display())))?;
    let home = PathBuf::from(read(HOME)?);
    let label = dir.join("cup.toml").display().to_string();
    let cup = cup_from_text(&read("cup.toml")?, &label, &home, &bundled_folder()?, Broken::Skip, None)?;
    Ok((entrants.into_iter().map(|entrant| entrant.name).collect(), cup.sets.len()))
}
