//! What people write, read and checked: the BOT forms of the command line, `bot.toml`, cup files, durations and sizes;
//! and whether a bot's program can be started here.
//!
//! Files are looked at, nothing is started and nothing is printed. What is wrong becomes a [`ConfigError`]: a sentence
//! that names the thing, what was seen, and the way out.

mod bot;
mod cup;
mod durations;
mod image;
mod manifest;
mod names;
mod own_files;
mod program;
mod shebang;
mod stale;
mod starters;
mod toml_error;
mod words;

#[cfg(test)]
mod tests;

pub use bot::{BotKind, BotSpec, Launch, read_bot};
pub use cup::{
    BUILD_TIME, Broken, Change, Cup, CupBot, CupParts, Filed, Grades, Remedy, bot_changes, cup_from_parts,
    cup_from_text, other_version, played_cup, played_in, read_cup, read_cup_with, setting_changes, template,
};
pub use durations::{parse_duration, parse_size};
pub use names::{NAME_RULE, check_name, distinct_names};
pub use own_files::{OwnFiles, fingerprint, own_files};
pub use program::{check_startable, program_in};
pub use stale::stale_note;
pub use starters::{Language, Starter, language, starter};
pub use toml_error::{Placed, TomlFile, TomlSection};
pub use words::{same_interpreter, script_of, split_command};

/// Something that a person wrote, or put in a place, and that cannot be used: a sentence with the way out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub String);

/// The candidate that was most likely meant by `word`, if one is near enough (a slip of a letter or two); of two as
/// near, the one that begins more alike.
pub fn suggest<C: AsRef<str>>(word: &str, candidates: impl IntoIterator<Item = C>) -> Option<String> {
    let word = word.to_lowercase();
    let allowed = word.chars().count().div_ceil(4).min(3);
    let mut best = None;
    for candidate in candidates {
        let other = candidate.as_ref().to_lowercase();
        let distance = strsim::damerau_levenshtein(&word, &other);
        let unlike = usize::MAX - word.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        let near = distance <= allowed && distance < other.chars().count();
        if near && best.as_ref().is_none_or(|(rank, _)| (distance, unlike) < *rank) {
            best = Some(((distance, unlike), candidate.as_ref().to_string()));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// A text between back quotes, as [`escaped`] writes it.
fn shown(text: &str) -> String {
    format!("`{}`", escaped(text))
}

/// A path as [`shown`] shows texts.
fn shown_path(path: &std::path::Path) -> String {
    shown(&path.to_string_lossy())
}

/// A text on one line, its control characters escaped, cut when it is long.
fn escaped(text: &str) -> String {
    const LONGEST: usize = 200;
    let mut escaped = String::new();
    for (count, letter) in text.chars().enumerate() {
        if count == LONGEST {
            escaped.push('…');
            break;
        }
        if letter.is_control() || is_invisible(letter) {
            escaped.extend(letter.escape_default());
        } else {
            escaped.push(letter);
        }
    }
    escaped
}

/// Marks that show nothing, or turn the text after them around.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}
