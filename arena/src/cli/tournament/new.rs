//! `arena tournament new CUP.toml`: a commented cup to edit.

use crate::cli::bots::bundled_folder;
use crate::cli::failure::Failure;
use crate::cli::{DONE, games, output};
use crate::config::{Broken, cup_from_text, template};
use crate::games::GAMES;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct NewArguments {
    /// The file to be written, which must not be there yet
    file: PathBuf,
    /// The game [default: the first that `arena games` lists]
    #[arg(long)]
    game: Option<String>,
    /// A pattern of bots to enter, like `entrants/*`
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
    let title = arguments.file.file_stem().unwrap_or_default().to_string_lossy();
    let text = template(&title, game.info().id, arguments.bots.as_deref());
    file.write_all(text.as_bytes())?;
    if let Some(pattern) = &arguments.bots {
        tell_what_is_no_bot(&arguments.file, &text, pattern)?;
    }
    output::line(&format!(
        "{path} is ready to be edited. Then: arena tournament check {path}; arena tournament run {path}"
    ))?;
    Ok(DONE)
}

/// Says so where the pattern enters no bot, or something else beside them.
fn tell_what_is_no_bot(file: &Path, text: &str, pattern: &str) -> Result<(), Failure> {
    const NAMED: usize = 3;
    let home = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let home = std::path::absolute(home)?;
    let cup = match cup_from_text(text, &file.display().to_string(), &home, &bundled_folder()?, Broken::Skip, None) {
        Ok(cup) => cup,
        Err(error) => {
            output::complain(&format!("note: no bot is entered but the bundled ones: {error}"));
            return Ok(());
        }
    };
    let others = cup.bots.iter().filter(|bot| bot.entered.contains('/')).count();
    if others == 0 {
        output::complain(&format!(
            "note: nothing that `{pattern}` matches is a bot, and none is entered but the bundled ones"
        ));
    }
    for error in cup.skipped.iter().take(NAMED) {
        output::complain(&format!("note: {error}"));
    }
    if cup.skipped.len() > NAMED {
        output::complain(&format!("note: {} more that it matches are no bots", cup.skipped.len() - NAMED));
    }
    Ok(())
}
