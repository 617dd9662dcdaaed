//! The bots of a cup: `[[bots]]` tables, read as paths, patterns of paths or BOT forms, under names of their own.

use super::submitted::{Filed, read_submissions};
use super::{Place, pattern};
use crate::config::program::similar_file;
use crate::config::toml_error::{Placed, TomlSection};
use crate::config::{BotKind, BotSpec, ConfigError, check_name, distinct_names, read_bot, shown, shown_path};
use crate::game::AnyGame;

const PATH: &str = "path = \"../bots/mine\"";
const BOT: &str = "bot = \"random\"";

/// An entrant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CupBot {
    /// The bot, under its name in the cup.
    pub spec: BotSpec,
    /// The line of the cup file that enters it, from 1.
    pub line: usize,
    /// What the file enters it by: a BOT, or a path that can be read as nothing else.
    pub entered: String,
    /// Which version it is, where it was submitted.
    pub filed: Option<Filed>,
}

/// What becomes of a bot that is there and cannot be read: its folder has no bot.toml, or a wrong one, or it does not play
/// the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// It is an error.
    Refuse,
    /// It is left out, and the reason kept.
    Skip,
}

/// Those who play, and why others do not.
pub(super) struct Entrants {
    pub(super) bots: Vec<CupBot>,
    pub(super) skipped: Vec<ConfigError>,
    pub(super) notes: Vec<String>,
}

/// Reads the `[[bots]]` and the submissions: at least two, with names that are unique whatever the case. Names that a person gave stay, names
/// made from folders and programs give way.
pub(super) fn read_entrants(
    root: &TomlSection<'_>,
    game: &dyn AnyGame,
    place: &Place<'_>,
) -> Result<Entrants, ConfigError> {
    let (mut bots, mut skipped) = (Vec::new(), Vec::new());
    for section in root.sections("bots", "[[bots]]")? {
        let entry = Entry { section, game, place };
        for (bot, offset) in entry.read(&mut skipped)? {
            if let Some(why) = clash(&bot, &bots) {
                return Err(entry.section.error_at(offset, &why));
            }
            bots.push(bot);
        }
    }
    let mut notes = Vec::new();
    for bot in read_submissions(root, game, place, &mut notes)? {
        // Whoever hands in a bot decides on nothing that the file says, not even on whom `random` in it means.
        match bots.iter().find(|other| other.spec.name.eq_ignore_ascii_case(&bot.spec.name)) {
            Some(other) => {
                let name = &bot.spec.name;
                notes.push(format!(
                    "left out: the submission {name}, whose name is taken by the bot of line {}",
                    other.line
                ));
            }
            None => bots.push(bot),
        }
    }
    if bots.len() < 2 {
        if let Some(offset) = super::keys::offset_of(root, "submissions") {
            return Err(root.error_at(offset, &too_few_filed(&bots, &notes)));
        }
        let Some(only) = bots.first() else {
            return Err(root.missing("bots", &format!("two [[bots]] or more, each with {PATH} or {BOT}")));
        };
        let why =
            format!("a cup has two bots or more, and this one has only `{}`: add another [[bots]]", only.spec.name);
        return Err(root.error_at(super::keys::offset_of(root, "bots").unwrap_or_default(), &why));
    }
    name_apart(&mut bots);
    Ok(Entrants { bots, skipped, notes })
}

fn too_few_filed(bots: &[CupBot], notes: &[String]) -> String {
    let there = bots.first().map_or("none".to_string(), |only| format!("only `{}`", only.spec.name));
    let why: String = notes.iter().map(|note| format!("; {note}")).collect();
    format!(
        "a cup has two bots or more, and with the submissions this one has {there}: file more, or add [[bots]]{why}"
    )
}

/// Why the bot cannot be entered beside these.
fn clash(bot: &CupBot, bots: &[CupBot]) -> Option<String> {
    let spec = &bot.spec;
    let same_name = |other: &&CupBot| other.spec.name.eq_ignore_ascii_case(&spec.name);
    bots.iter().filter(same_name).find_map(|other| {
        let (name, line) = (&spec.name, other.line);
        if other.spec.kind == spec.kind {
            Some(format!("the bot `{name}` is entered already, in line {line}: give one of the two another `name`"))
        } else if other.spec.name_given && spec.name_given {
            Some(format!(
                "the name `{name}` is taken by the bot of line {line} (capitals make no difference): give one of the two \
                 another `name`"
            ))
        } else {
            None
        }
    })
}

fn name_apart(bots: &mut [CupBot]) {
    let mut order: Vec<usize> = (0..bots.len()).collect();
    order.sort_by_key(|place| !bots[*place].spec.name_given);
    let mut specs: Vec<BotSpec> = order.iter().map(|place| bots[*place].spec.clone()).collect();
    distinct_names(&mut specs);
    for (place, spec) in order.into_iter().zip(specs) {
        bots[place].spec = spec;
    }
}

/// One `[[bots]]` table.
struct Entry<'a> {
    section: TomlSection<'a>,
    game: &'a dyn AnyGame,
    place: &'a Place<'a>,
}

impl Entry<'_> {
    /// The bots that it enters, and where it names them.
    fn read(&self, skipped: &mut Vec<ConfigError>) -> Result<Vec<(CupBot, usize)>, ConfigError> {
        let (path, bot) = (self.section.text("path", PATH)?, self.section.text("bot", BOT)?);
        let (texts, offset) = match (path, bot) {
            (Some(path), None) => (self.paths(&path)?, path.offset),
            (None, Some(bot)) => (vec![bot.value], bot.offset),
            (Some(path), Some(_)) => {
                let why = "`path` and `bot` are both there: one [[bots]] table enters either";
                return Err(self.section.error_at(path.offset, why));
            }
            (None, None) => return Err(self.section.missing("path", &format!("{PATH}, or {BOT}"))),
        };
        let name = self.name(texts.len())?;
        let authors = self.authors()?;
        let mut bots = Vec::new();
        for text in texts {
            let mut spec = match self.spec(&text, offset) {
                Ok(spec) => spec,
                Err(why) if self.place.broken == Broken::Skip => {
                    skipped.push(why);
                    continue;
                }
                Err(why) => return Err(why),
            };
            if let Some(name) = &name {
                spec.name = name.clone();
                spec.name_given = true;
            }
            if let Some(authors) = &authors {
                spec.authors = authors.clone();
            }
            bots.push((CupBot { spec, line: self.section.line_at(offset), entered: text, filed: None }, offset));
        }
        Ok(bots)
    }

    /// The paths that `path` names, each as a BOT that can be read as nothing but a path.
    fn paths(&self, path: &Placed<String>) -> Result<Vec<String>, ConfigError> {
        let Placed { value: text, offset } = path;
        let error = |why: String| self.section.error_at(*offset, &why);
        let there = self.place.folder.join(text);
        let found = if text.trim().is_empty() {
            return Err(error(format!("`path` is empty: write {PATH}")));
        } else if there.symlink_metadata().is_ok() {
            vec![text.clone()]
        } else if pattern::is_pattern(text) {
            pattern::matches(self.place.folder, text)
                .map_err(|why| error(format!("the pattern {} {why}", shown(text))))?
        } else {
            let near = there.parent().zip(there.file_name());
            let near = near.and_then(|(folder, name)| similar_file(folder, &name.to_string_lossy()));
            let way_out = match near {
                Some(near) => {
                    format!(", did you mean {}?", shown_path(near.strip_prefix(self.place.folder).unwrap_or(&near)))
                }
                None => ": paths are taken from the cup file's folder".to_string(),
            };
            return Err(error(format!(
                "there is no bot at {}: {} is not there{way_out}",
                shown(text),
                shown_path(&there)
            )));
        };
        if found.is_empty() {
            let folder = shown_path(self.place.folder);
            let why = format!("the pattern {} matches nothing (it is taken from the folder {folder})", shown(text));
            return Err(error(why));
        }
        Ok(found.into_iter().map(|path| if path.starts_with('/') { path } else { format!("./{path}") }).collect())
    }

    fn name(&self, bots: usize) -> Result<Option<String>, ConfigError> {
        let Some(name) = self.section.text("name", "name = \"mine\"")? else { return Ok(None) };
        check_name(&name.value).map_err(|error| self.section.error_at(name.offset, &error.0))?;
        if bots > 1 {
            let why = format!("`name` is for one bot, but the pattern matches {bots}: leave `name` out");
            return Err(self.section.error_at(name.offset, &why));
        }
        Ok(Some(name.value))
    }

    fn authors(&self) -> Result<Option<Vec<String>>, ConfigError> {
        crate::config::manifest::read_authors(&self.section)
    }

    /// The bot that this text names, if it can play here.
    fn spec(&self, text: &str, offset: usize) -> Result<BotSpec, ConfigError> {
        let spec = read_bot(text, self.place.folder, self.place.bundled_dir)
            .map_err(|error| self.section.error_at(offset, &error.0))?;
        self.check(&spec, offset)?;
        Ok(spec)
    }

    fn check(&self, spec: &BotSpec, offset: usize) -> Result<(), ConfigError> {
        if spec.kind == BotKind::Human {
            let why = "`human` cannot be entered in a cup, which is played without anyone at the terminal";
            return Err(self.section.error_at(offset, why));
        }
        spec.refusal(self.game.info()).map_or(Ok(()), |why| Err(self.section.error_at(offset, &why)))
    }
}
