//! `arena rules GAME`: what a bot's author and a teacher need to know of a game.

use super::failure::Failure;
use super::{DONE, games, output};

#[derive(clap::Args)]
pub(super) struct RulesArguments {
    /// The game
    game: String,
    /// Tell instead the lines of words that a bot without JSON reads and writes
    #[arg(long)]
    plain: bool,
}

pub(super) fn run(arguments: &RulesArguments) -> Result<u8, Failure> {
    let info = games::game(&arguments.game)?.info();
    output::line(if arguments.plain { info.plain } else { info.rules }.trim_end())?;
    Ok(DONE)
}
