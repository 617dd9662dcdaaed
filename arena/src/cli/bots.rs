//! From BOT on the command line to a player that can be seated.

use super::failure::Failure;
use super::output;
use crate::config::{BotSpec, distinct_names, read_bot};
use crate::game::GameInfo;
use crate::play::seat_program;
use crate::table::Chair;
use crate::transport::{Host, Limits, Program};
use std::path::PathBuf;

/// How BOT is written, for `--help`.
pub(super) const BOT_HELP: &str = "A bot: a folder with a bot.toml, a program or script, `human`, a bundled bot (paper, random, greedy, …), or a command line in quotes; `NAME=` before it names it";

/// The same, where a person cannot be one.
pub(super) const PROGRAM_HELP: &str = "A bot: a folder with a bot.toml, a program or script, a bundled bot (paper, random, greedy, …), or a command line in quotes; `NAME=` before it names it";

/// Reads the bots of a match of this game, and gives them distinct names.
pub(super) fn read_bots(texts: &[String], game: &GameInfo) -> Result<Vec<BotSpec>, Failure> {
    let bots = read_bots_of_any_game(texts)?;
    for bot in &bots {
        if let Some(why) = bot.refusal(game) {
            return Err(Failure::new(why));
        }
    }
    Ok(bots)
}

/// The same, whatever they play.
pub(super) fn read_bots_of_any_game(texts: &[String]) -> Result<Vec<BotSpec>, Failure> {
    let caller =
        std::env::current_dir().map_err(|error| Failure::new(format!("the current folder cannot be read: {error}")))?;
    let beside = bundled_folder()?;
    let mut bots = texts.iter().map(|text| read_bot(text, &caller, &beside)).collect::<Result<Vec<_>, _>>()?;
    distinct_names(&mut bots);
    for note in bots.iter().flat_map(|bot| &bot.notes) {
        output::complain(&format!("note: {note}"));
    }
    Ok(bots)
}

/// Starts a bot's program and seats it.
pub(super) fn seat(host: &Host, name: &str, program: &Program, limits: &Limits) -> Result<Chair, Failure> {
    seat_program(host, program, limits).map_err(|error| Failure::new(format!("{name}: {error}")))
}

/// Where the bundled bots are: beside this program.
pub(super) fn bundled_folder() -> Result<PathBuf, Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::new(format!("the arena's own program is not found: {error}")))?;
    Ok(program.parent().map(PathBuf::from).unwrap_or_default())
}
