//! `arena rules GAME`: what a bot's author and a teacher need to know of a game.

use super::failure::Failure;
use super::{DONE, games, output};

#[derive(clap::Args)]
pub(super) struct RulesArguments {
    /// The game
    game: String,
}

pub(super) fn run(arguments: &RulesArguments) -> Result<u8, Failure> {
    output::line(games::game(&arguments.game)?.info().rules.trim_end())?;
    Ok(DONE)
}
