//! The keys of a cup file: which there are and where, and values within bounds.

use crate::config::toml_error::{Placed, TomlSection};
use crate::config::{ConfigError, shown, suggest};
use crate::games;

const TOP: [&str; 22] = [
    "name",
    "game",
    "format",
    "pairs",
    "seed",
    "hints",
    "jobs",
    "cores",
    "thinking",
    "reuse",
    "submissions",
    "clock",
    "params",
    "bots",
    "limits",
    "isolation",
    "build",
    "swiss",
    "sprt",
    "until_ranked",
    "gauntlet",
    "grades",
];

/// The tables with keys of their own; those of `[params]` are the game's.
const TABLES: [(&str, &[&str]); 10] = [
    ("clock", &["start", "move", "game", "increment", "stop"]),
    ("bots", &["path", "bot", "name", "authors"]),
    ("limits", &["memory", "processes", "files", "temp", "cpu"]),
    ("isolation", &["mode", "read", "users"]),
    ("build", &["network", "time"]),
    ("swiss", &["rounds"]),
    ("sprt", &["elo0", "elo1", "alpha", "beta", "batch", "max_pairs"]),
    ("until_ranked", &["confidence", "batch", "max_matches", "max_time"]),
    ("gauntlet", &["challengers"]),
    ("grades", &["pass_against", "pass_pct"]),
];

/// Refuses what is no key: at the top, and in every table but `[params]`.
pub(super) fn refuse_unknown(root: &TomlSection<'_>) -> Result<(), ConfigError> {
    for key in root.keys().iter().filter(|key| !TOP.contains(&key.value.as_str())) {
        if suggest(&key.value, TOP).is_none()
            && let Some((table, meant)) = place_of(root, &key.value)
        {
            let way_out = if meant == key.value {
                format!(": it is a key of {table}, and stands above it")
            } else {
                format!(", did you mean `{meant}`? It is a key of {table}")
            };
            return Err(root.error_at(key.offset, &format!("unknown key {}{way_out}", shown(&key.value))));
        }
    }
    root.allow_only(&TOP)?;
    for (table, keys) in TABLES {
        for section in root.sections(table, &header(table))? {
            known_only(&section, table, keys)?;
        }
    }
    Ok(())
}

/// Refuses what is no key of this table; a key of the top that stands below a table's header is told for what it is.
pub(super) fn known_only(section: &TomlSection<'_>, table: &str, keys: &[&str]) -> Result<(), ConfigError> {
    let stray = |key: &&Placed<String>| {
        let name = key.value.as_str();
        !keys.contains(&name) && TOP.contains(&name) && suggest(name, keys).is_none()
    };
    if let Some(key) = section.keys().iter().find(stray) {
        let why = format!(
            "`{}` stands in {}, but is a key of the whole cup: write it above the first table",
            key.value,
            header(table)
        );
        return Err(section.error_at(key.offset, &why));
    }
    section.allow_only(keys)
}

/// A table of the cup that may be there once.
pub(super) fn table<'a>(root: &TomlSection<'a>, name: &str) -> Result<Option<TomlSection<'a>>, ConfigError> {
    root.section(name, &header(name))
}

/// Where a key stands, for errors about its presence.
pub(super) fn offset_of(section: &TomlSection<'_>, key: &str) -> Option<usize> {
    section.keys().iter().find(|placed| placed.value == key).map(|placed| placed.offset)
}

/// A whole number from `least` to `most`, if the key is there.
pub(super) fn whole(
    section: &TomlSection<'_>,
    key: &str,
    least: i64,
    most: i64,
    example: &str,
) -> Result<Option<Placed<i64>>, ConfigError> {
    let Some(number) = section.whole_number(key, example)? else { return Ok(None) };
    if (least..=most).contains(&number.value) {
        return Ok(Some(number));
    }
    let why = format!("`{key}` is {}, but must be from {least} to {most}", number.value);
    Err(section.error_at(number.offset, &why))
}

/// Where the key stands that a complaint names first, in these quotes.
pub(super) fn named_in(section: &TomlSection<'_>, complaint: &str, quote: &str) -> Option<usize> {
    let named = |key: Placed<String>| Some((complaint.find(&format!("{quote}{}{quote}", key.value))?, key.offset));
    section.keys().into_iter().filter_map(named).min().map(|(_, offset)| offset)
}

/// The place of an entrant that is called so.
pub(super) fn entrant(
    section: &TomlSection<'_>,
    key: &str,
    name: &str,
    offset: usize,
    names: &[&str],
) -> Result<usize, ConfigError> {
    names.iter().position(|known| *known == name).ok_or_else(|| {
        let way_out = match suggest(name, names) {
            Some(meant) => format!(", did you mean `{meant}`?"),
            None => format!(": the bots are {}", names.join(", ")),
        };
        section.error_at(offset, &format!("`{key}` names {}, which no bot of this cup is called{way_out}", shown(name)))
    })
}

/// The table that a key belongs to, and how it is spelt there.
fn place_of(root: &TomlSection<'_>, key: &str) -> Option<(String, String)> {
    let known = TABLES.iter().find_map(|(table, keys)| Some((header(table), suggest(key, *keys)?)));
    known.or_else(|| {
        let game = games::find(&root.text("game", "").ok()??.value)?;
        let meant = suggest(key, game.params().iter().map(|spec| spec.name))?;
        Some((header("params"), meant))
    })
}

fn header(table: &str) -> String {
    if table == "bots" { "[[bots]]".to_string() } else { format!("[{table}]") }
}
