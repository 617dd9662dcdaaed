//! `arena tournament new CUP.toml`: a commented cup to edit.

use crate::cli::failure::Failure;
use crate::cli::{DONE, games, output};
use crate::config::template;
use crate::games::GAMES;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct NewArguments {
    /// The file to be written, which must not be there yet
    file: PathBuf,
    /// The game [default: the first that `arena games` lists]
    #[arg(long)]
    game: Option<String>,
    /// A pattern of bots to enter, like `bots/*`
    #[arg(long, value_name = "GLOB")]
    bots: Option<String>,
}

pub(super) fn run(arguments: &NewArguments) -> Result<u8, Failure> {
    let game = arguments.game.as_deref().map_or(Ok(GAMES[0]), games::game)?;
    let path = arguments.file.display();
    let mut file =
        OpenOptions::new().write(true).create_new(true).open(&arguments.file).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                Failure::new(format!("{path} is there already, and is not written over: give another name"))
            }
            _ => Failure::new(format!("{path} cannot be written: {error}")),
        })?;
    file.write_all(template(game.info().id, arguments.bots.as_deref()).as_bytes())?;
    output::line(&format!(
        "{path} is ready to be edited. Then: arena tournament check {path}; arena tournament run {path}"
    ))?;
    Ok(DONE)
}
