//! `arena games`: the games and their parameters.

use super::failure::Failure;
use super::{DONE, output};
use crate::config::suggest;
use crate::game::{AnyGame, ParamSpec};
use crate::games::{GAMES, find};
use serde_json::{Value, json};

#[derive(clap::Args)]
pub(super) struct GamesArguments {
    /// One JSON object a game, on a line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &GamesArguments) -> Result<u8, Failure> {
    for game in GAMES {
        let info = game.info();
        if arguments.json {
            let params: Vec<Value> = game.params().iter().map(|spec| param_json(spec)).collect();
            output::line(
                &json!({"id": info.id, "title": info.title, "summary": info.summary, "params": params}).to_string(),
            )?;
            continue;
        }
        output::line(&format!("{}: {}", info.id, info.summary))?;
        for spec in game.params() {
            let default = spec
                .default
                .map_or_else(|| "set by the game or the seed".to_string(), |value| format!("default {value}"));
            output::line(&format!("    {} ({}; {default}): {}", spec.name, spec.kind.allowed(), spec.help))?;
        }
    }
    Ok(DONE)
}

/// The game that the user named.
pub(super) fn game(id: &str) -> Result<&'static dyn AnyGame, Failure> {
    find(id).ok_or_else(|| {
        let known: Vec<&str> = GAMES.iter().map(|game| game.info().id).collect();
        let (id, meant) = (output::harmless(id), meant(id, &known));
        Failure::new(format!("there is no game `{id}`{meant} The games are {}", known.join(", ")))
    })
}

/// Ends a sentence about a word that is not known: with the one that was most likely meant, if one is near.
pub(super) fn meant(word: &str, known: &[&str]) -> String {
    suggest(word, known).map_or_else(|| ".".to_string(), |meant| format!(", did you mean `{meant}`?"))
}

fn param_json(spec: &ParamSpec) -> Value {
    let default = spec.default.map(|text| serde_json::from_str::<Value>(text).expect("a default is JSON"));
    json!({"name": spec.name, "allowed": spec.kind.allowed(), "default": default, "help": spec.help})
}
