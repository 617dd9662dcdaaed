//! A cup that was played, from the copy of its file beside its results: its bots are known by their names alone, and need
//! not be there any more.

use super::{plan, read_game, read_hints, read_pairs, read_seed, sets, settings};
use crate::config::ConfigError;
use crate::config::toml_error::TomlFile;
use crate::tournament::Field;
use crate::tournament::audit::Setup;

/// What was to be played by bots of these names, in the order of the cup file. `label` is what errors call the file.
pub fn played_cup(text: &str, label: &str, names: &[String]) -> Result<Setup, ConfigError> {
    let file = TomlFile::from_bytes(label, text.as_bytes().to_vec())?;
    let root = file.root()?;
    let game = read_game(&root)?;
    let format = plan::read_format(&root)?;
    let seed = read_seed(&root)?;
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    Ok(Setup {
        game,
        field: Field {
            names: names.to_vec(),
            sets: sets::read_sets(&root, game, seed)?,
            pairs: read_pairs(&root)?,
            seed,
        },
        plan: plan::read_plan(&root, format, &known)?,
        clock: settings::read_clock(&root)?,
        hints: read_hints(&root)?,
        in_time: plan::read_max_time(&root)?.is_some(),
    })
}
