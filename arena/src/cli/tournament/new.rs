//! `arena tournament new CUP.toml`: a commented cup to edit.

use crate::cli::bots::bundled_folder;
use crate::cli::failure::Failure;
use crate::cli::{DONE, games, output};
use crate::config::{BotKind, Broken, check_startable, cup_from_text, template};
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
            output::complain(&format!(
                "note: no bot is entered but the bundled ones: {}",
                output::harmless(&error.to_string())
            ));
            return Ok(());
        }
    };
    let mut wrong: Vec<String> = cup.skipped.iter().map(ToString::to_string).collect();
    let mut bots = 0;
    for bot in &cup.bots {
        let BotKind::Program(launch) = &bot.spec.kind else { continue };
        match check_startable(launch) {
            _ if launch.bundled => {}
            // What is not built yet may be lacking.
            Err(why) if launch.build.is_none() => wrong.push(why.to_string()),
            _ => bots += 1,
        }
    }
    if bots == 0 {
        let what = format!("nothing that `{pattern}` matches is a bot that can be started");
        output::complain(&format!("note: {what}: none is entered but the bundled ones"));
    }
    for why in wrong.iter().take(NAMED) {
        output::complain(&format!("note: {}", output::harmless(why)));
    }
    if wrong.len() > NAMED {
        output::complain(&format!("note: {} more that it matches are no bots", wrong.len() - NAMED));
    }
    Ok(())
}
