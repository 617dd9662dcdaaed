//! Who played a cup, as its folder remembers it: the bots themselves may have gone since.

use crate::files::read_regular;
use serde::Deserialize;
use std::path::Path;

/// The file that remembers the entrants, in the order of the cup file.
pub const ENTRANTS: &str = "entrants.json";

/// The names of those who played, in the order of the cup file: at least one, each a plain file name, none twice.
///
/// # Errors
/// A file that cannot be read, or that does not say so: a sentence.
pub fn entrant_names(folder: &Path) -> Result<Vec<String>, String> {
    Ok(remembered(folder)?.into_iter().map(|entrant| entrant.name).collect())
}

/// Those who played, in the order of the cup file, with who they belong to; as of [`entrant_names`].
///
/// # Errors
/// As of [`entrant_names`].
pub fn remembered(folder: &Path) -> Result<Vec<Remembered>, String> {
    let path = folder.join(ENTRANTS);
    let at = |why: String| format!("{}: {why}", path.display());
    let text = read_regular(&path).map_err(|error| {
        at(format!("{error}: it names those who played; `arena tournament run` with the same cup writes it again"))
    })?;
    let entrants: Vec<Remembered> = serde_json::from_slice(&text).map_err(|error| at(error.to_string()))?;
    let names: Vec<&String> = entrants.iter().map(|entrant| &entrant.name).collect();
    for (place, name) in names.iter().enumerate() {
        if !is_file_name(name) {
            return Err(at(format!("{name:?} is no bot's name")));
        }
        if names[..place].iter().any(|other| other.eq_ignore_ascii_case(name)) {
            return Err(at(format!("{name} is there twice")));
        }
    }
    if names.is_empty() { Err(at("it names nobody".to_string())) } else { Ok(entrants) }
}

/// Whether a text from a file is the name of a file in a folder, and leads nowhere else.
pub(super) fn is_file_name(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('.') && !text.contains(['/', '\\', '\0'])
}

/// What matters of an entrant when its matches are told.
#[derive(Clone, Debug, Deserialize)]
pub struct Remembered {
    /// Its name.
    pub name: String,
    /// Who it belongs to.
    #[serde(default)]
    pub authors: Vec<String>,
}
