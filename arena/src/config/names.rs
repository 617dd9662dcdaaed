//! Names of bots: the rule, names made from folders and programs, and telling two of the same name apart.

use super::{BotSpec, ConfigError, shown};
use std::collections::HashSet;

/// What a bot may be called, in words.
pub const NAME_RULE: &str =
    "1 to 40 of A-Z a-z 0-9 . _ -, beginning with a letter or digit, and neither `draw` nor `human`";

const LONGEST: usize = 40;
const RESERVED: [&str; 2] = ["draw", "human"];

/// Checks a name against [`NAME_RULE`].
pub fn check_name(name: &str) -> Result<(), ConfigError> {
    if is_valid(name) {
        return Ok(());
    }
    Err(ConfigError(format!("{} cannot be a bot's name: a name is {NAME_RULE}", shown(name))))
}

/// Gives each bot a name of its own, whatever the case: the first of a name keeps it, the next gets `-2`, or the first
/// number from there that no other bot is called by.
pub fn distinct_names(bots: &mut [BotSpec]) {
    let wanted: HashSet<String> = bots.iter().map(|bot| bot.name.to_lowercase()).collect();
    let mut taken = HashSet::new();
    for bot in bots {
        if !taken.insert(bot.name.to_lowercase()) {
            bot.name = (2..)
                .map(|number| numbered(&bot.name, number))
                .find(|name| !wanted.contains(&name.to_lowercase()) && !taken.contains(&name.to_lowercase()))
                .expect("some number is free");
            taken.insert(bot.name.to_lowercase());
        }
    }
}

/// Whether [`NAME_RULE`] allows the name.
pub(super) fn is_valid(name: &str) -> bool {
    (1..=LONGEST).contains(&name.len())
        && name.bytes().all(is_name_byte)
        && name.as_bytes()[0].is_ascii_alphanumeric()
        && !RESERVED.iter().any(|word| word.eq_ignore_ascii_case(name))
}

/// A valid name that is as like the text as can be.
pub(super) fn name_from(text: &str) -> String {
    let mut name = String::new();
    for letter in text.chars() {
        if letter.is_ascii() && is_name_byte(letter as u8) {
            name.push(letter);
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    let mut name = name.trim_start_matches(|c: char| !c.is_ascii_alphanumeric()).to_string();
    name.truncate(LONGEST);
    let trimmed = name.trim_end_matches('-');
    match trimmed {
        "" => "bot".to_string(),
        word if is_valid(word) => word.to_string(),
        reserved => format!("bot-{reserved}"),
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._-".contains(&byte)
}

fn numbered(name: &str, number: u32) -> String {
    let suffix = format!("-{number}");
    let kept = name.len().min(LONGEST - suffix.len());
    format!("{}{suffix}", &name[..kept])
}
