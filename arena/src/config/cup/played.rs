//! A cup that was played, from the copy of its file beside its results: its bots are known by their names alone, and need
//! not be there any more.

use super::{plan, read_game, read_hints, read_pairs, read_seed, sets, settings};
use crate::config::ConfigError;
use crate::config::toml_error::TomlFile;
use crate::files::read_regular_text;
use crate::tournament::Field;
use crate::tournament::audit::Setup;
use crate::tournament::roster::entrant_names;
use std::path::Path;

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

/// What was to be played, as a results folder tells it.
///
/// # Errors
/// A file of it is not there, cannot be read, or is damaged: a sentence.
pub fn played_in(folder: &Path) -> Result<Setup, String> {
    let names = entrant_names(folder)?;
    let path = folder.join("cup.toml");
    let text = read_regular_text(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    played_cup(&text, &path.to_string_lossy(), &names).map_err(|error| error.to_string())
}
