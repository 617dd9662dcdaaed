//! The bots of a folder of submissions (`submissions = "DIR"`): of each name the newest version that is fit and plays the cup's game.

use super::{CupBot, Place};
use crate::config::toml_error::TomlSection;
use crate::config::{BotKind, ConfigError, check_name, fingerprint, read_bot, shown, shown_path};
use crate::game::AnyGame;
use crate::submissions::{Shelf, Version, shelves};
use std::path::{Path, PathBuf};

const EXAMPLE: &str = "submissions = \"../submissions\"";

/// Which version of a submission plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filed {
    /// The folder of the name: `DIR/NAME`.
    pub shelf: PathBuf,
    /// The version, from 1.
    pub version: u32,
    /// `DIR` as the cup file has it.
    written: String,
    line: usize,
}

/// Those who are taken, where the file names a folder, with notes on what is not.
pub(super) fn read_submissions(
    root: &TomlSection<'_>,
    game: &dyn AnyGame,
    place: &Place<'_>,
    notes: &mut Vec<String>,
) -> Result<Vec<CupBot>, ConfigError> {
    let Some(given) = root.text("submissions", EXAMPLE)? else { return Ok(Vec::new()) };
    let error = |why: String| root.error_at(given.offset, &why);
    if given.value.trim().is_empty() {
        return Err(error(format!("`submissions` is empty: write {EXAMPLE}")));
    }
    let dir = place.folder.join(&given.value);
    if !dir.is_dir() {
        return Err(error(format!(
            "`submissions` names {}, which is no folder: {} is not there",
            shown(&given.value),
            shown_path(&dir)
        )));
    }
    let mut bots = Vec::new();
    for shelf in shelves(&dir).map_err(error)? {
        if let Err(why) = check_name(&shelf.name) {
            notes.push(format!("left out of {}: {why}", given.value));
            continue;
        }
        let filed = |version: u32| Filed {
            shelf: dir.join(&shelf.name),
            version,
            written: given.value.clone(),
            line: root.line_at(given.offset),
        };
        match newest(&shelf, game, place.bundled_dir, &filed, notes) {
            Some(bot) => bots.push(bot),
            None => notes.push(format!("left out: {} has no fit version that plays {}", shelf.name, game.info().id)),
        }
    }
    Ok(bots)
}

fn newest(
    shelf: &Shelf,
    game: &dyn AnyGame,
    bundled_dir: &Path,
    filed: &dyn Fn(u32) -> Filed,
    notes: &mut Vec<String>,
) -> Option<CupBot> {
    let plays =
        |version: &&Version| version.record.as_ref().is_ok_and(|record| record.fit && record.plays(game.info().id));
    for version in shelf.versions.iter().filter(plays) {
        match bot_of(version, filed(version.number), game, bundled_dir) {
            Ok(bot) => return Some(bot),
            Err(why) => notes.push(format!("version {} of {} is passed over: {why}", version.number, shelf.name)),
        }
    }
    None
}

fn bot_of(version: &Version, filed: Filed, game: &dyn AnyGame, bundled_dir: &Path) -> Result<CupBot, String> {
    let record = version.record.as_ref().map_err(String::clone)?;
    let folder = version.bot();
    let path = folder.to_str().ok_or("its path is not valid UTF-8")?;
    let mut spec = read_bot(path, Path::new("/"), bundled_dir).map_err(|error| error.to_string())?;
    let BotKind::Program(launch) = &spec.kind else { return Err("it is no program".to_string()) };
    if fingerprint(launch)? != record.sha256 {
        return Err("its files have changed since it was filed".to_string());
    }
    if let Some(why) = spec.refusal(game.info()) {
        return Err(why);
    }
    spec.name.clone_from(&record.name);
    spec.name_given = true;
    spec.authors.clone_from(&record.authors);
    let entered = format!("{}/{}/{}", filed.written.trim_end_matches('/'), record.name, version.number);
    Ok(CupBot { spec, line: filed.line, entered, filed: Some(filed) })
}

/// Another version of the bot than the one that is entered, by the same checks, fit or not.
///
/// # Errors
/// It is not there any more, or not what was filed: a sentence.
pub fn other_version(bot: &CupBot, number: u32, game: &dyn AnyGame, bundled_dir: &Path) -> Result<CupBot, ConfigError> {
    let failed = |why: String| ConfigError(format!("version {number} of {} cannot be played: {why}", bot.spec.name));
    let filed = bot.filed.clone().ok_or_else(|| failed("it is no submission".to_string()))?;
    let version = Version::open(&filed.shelf, &bot.spec.name, number);
    bot_of(&version, Filed { version: number, ..filed }, game, bundled_dir).map_err(failed)
}
