//! `arena tournament standings DIR`: the tables of what has been played so far.

use super::tables;
use crate::cli::DONE;
use crate::cli::failure::Failure;
use crate::cli::output::{self, Paper};
use crate::config::played_in;
use std::path::PathBuf;

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
    let field = played_in(dir).map_err(|why| Failure::new(format!("{why}: is this a cup's folder?")))?.field;
    let tables = tables::read(dir, &field.names, field.sets.len(), None)?;
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
    tables.show(&mut Paper::new(false), &[], &[])?;
    Ok(DONE)
}
