//! `arena perft GAME --depth N`: counts move sequences, for those who check a rules engine against another.

use super::failure::Failure;
use super::values::params;
use super::{DONE, games, output};
use serde_json::json;

#[derive(clap::Args)]
pub(super) struct PerftArguments {
    /// The game
    game: String,
    /// Count up to so many plies
    #[arg(long, value_name = "N")]
    depth: u32,
    /// A parameter of the game
    #[arg(long = "param", value_name = "K=V")]
    params: Vec<String>,
    /// The seed, for games that deal from one
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// One JSON object a depth, on a line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &PerftArguments) -> Result<u8, Failure> {
    let game = games::game(&arguments.game)?;
    let started = game.start(&params(game, &arguments.params)?, arguments.seed)?;
    for depth in 1..=arguments.depth {
        let Some(count) = started.position.perft(depth) else {
            return Err(Failure::new(format!(
                "{} has no list of legal moves to be counted: its moves are continuous",
                game.info().id
            )));
        };
        let text = if arguments.json {
            json!({"depth": depth, "count": count}).to_string()
        } else {
            format!("{depth} {count}")
        };
        output::line(&text)?;
    }
    Ok(DONE)
}
