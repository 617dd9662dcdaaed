//! The forms of BOT: a path, `human`, a bundled bot, or a command line, each with `NAME=` before it or not; read in a
//! fixed order, so that what runs is what was meant, or an error.
//!
//! Whether the program can be started is judged elsewhere (`check_startable`).

use super::manifest::read_manifest;
use super::names::{NAME_RULE, is_valid, name_from};
use super::program::{Lookup, look_in_path, similar_file};
use super::words::{self, Split, default_name, list_text, quoted, stem};
use super::{ConfigError, escaped, shown, shown_path, suggest};
use crate::game::GameInfo;
use crate::games::{GAMES, bundled_bots};
use crate::protocol::words::WRAPPER;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf, absolute};

/// How a bot's description is called.
pub(super) const MANIFEST: &str = "bot.toml";

/// A bot as a person named it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotSpec {
    /// What it is called: by the rule for names, or `human`.
    pub name: String,
    /// Whether a person chose the name (`NAME=`, or in bot.toml); else it was made from the folder or program.
    pub name_given: bool,
    /// Who plays.
    pub kind: BotKind,
    /// Who it belongs to; empty when nobody is named.
    pub authors: Vec<String>,
    /// The games that it plays; `None` for all.
    pub games: Option<Vec<String>>,
    /// What the person should be told of how the text was read, in sentences.
    pub notes: Vec<String>,
}

impl BotSpec {
    /// Why it cannot play this game, in a sentence, where it does not.
    pub fn refusal(&self, game: &GameInfo) -> Option<String> {
        let games = self.games.as_ref().filter(|games| !games.iter().any(|id| id == game.id))?;
        let (name, id, plays) = (&self.name, game.id, games.join(", "));
        Some(match &self.kind {
            BotKind::Program(launch) if launch.bundled && !launch.described => {
                let others = game.bots.join(", ");
                format!("{name} does not play {id}: it plays {plays}. The bundled bots that play {id}: {others}")
            }
            _ => format!("{name} does not play {id}: its bot.toml lists {plays}"),
        })
    }
}

/// Who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotKind {
    /// A program.
    Program(Launch),
    /// A person at the terminal.
    Human,
}

/// How a bot's program is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The program (or interpreter) as an absolute path, then its arguments as they were written.
    pub argv: Vec<String>,
    /// The folder that it is started in, absolute: that of its bot.toml; a lone program's or script's own; the
    /// caller's for a command line and for a bundled bot.
    pub folder: PathBuf,
    /// Variables set for it, besides those that every bot has.
    pub env: Vec<(String, String)>,
    /// A command to be run in `folder` when the program cannot be started yet; its program is looked up as a shell would.
    pub build: Option<Vec<String>>,
    /// Whether its program is one of [`bundled_bots`].
    pub bundled: bool,
    /// Whether a bot.toml in `folder` describes it.
    pub described: bool,
}

impl Launch {
    /// Whether it is the arena's own word that nothing bad comes of it: it is a bundled bot, and starts no other.
    pub fn is_trusted(&self) -> bool {
        self.bundled && !self.described && !self.is_wrapped()
    }

    /// Whether the bundled bot that speaks for other bots speaks for it.
    pub fn is_wrapped(&self) -> bool {
        self.bundled && Path::new(&self.argv[0]).file_name() == Some(OsStr::new(WRAPPER))
    }
}

/// Reads a BOT. `caller` is the folder that relative paths are taken from, `bundled_dir` the folder of the arena's own
/// program. In this order: `NAME=` when what precedes `=` is a valid name; an existing path as it is written (a folder
/// with a bot.toml, a bot.toml, a program or script); `human`; a bundled bot, alone or with arguments; a command line.
pub fn read_bot(text: &str, caller: &Path, bundled_dir: &Path) -> Result<BotSpec, ConfigError> {
    if text.contains('\0') {
        return Err(ConfigError(format!("{} cannot be a bot: it has a NUL character", shown(text))));
    }
    let made_absolute = |path: &Path| {
        absolute(path).map_err(|error| ConfigError(format!("the folder {} cannot be used: {error}", shown_path(path))))
    };
    let place = Place {
        caller: made_absolute(caller)?,
        bundled_dir: made_absolute(bundled_dir)?,
        path: std::env::var_os("PATH"),
    };
    match text.split_once('=') {
        Some((name, bot)) if is_valid(name) => place.read_named(text, name, bot),
        _ => place.read_unnamed(text),
    }
}

/// Where a BOT is read.
struct Place {
    caller: PathBuf,
    bundled_dir: PathBuf,
    path: Option<OsString>,
}

impl Place {
    fn read_named(&self, whole: &str, name: &str, bot: &str) -> Result<BotSpec, ConfigError> {
        let whole_exists = self.caller.join(whole).exists();
        let as_path = format!("to mean the path {}, write {}", shown(whole), shown(&format!("./{whole}")));
        let mut spec = self.read_unnamed(bot).map_err(|error| {
            let hint = if whole_exists {
                format!("; {as_path}")
            } else if !bot.trim().is_empty() && self.caller.join(bot.trim()).exists() {
                return error;
            } else if bot.trim().contains(char::is_whitespace) {
                format!("; a variable is set with \"env {}\"", escaped(whole))
            } else {
                String::new()
            };
            ConfigError(format!("{error} (`{name}=` was read as the bot's name{hint})"))
        })?;
        if whole_exists {
            spec.notes.push(format!("`{name}=` was read as the bot's name; {as_path}"));
        }
        spec.name = name.to_string();
        spec.name_given = true;
        Ok(spec)
    }

    fn read_unnamed(&self, text: &str) -> Result<BotSpec, ConfigError> {
        if text.trim().is_empty() {
            return Err(ConfigError(format!(
                "an empty text names no bot: give a folder with a {MANIFEST}, a program, a command line, `human`, or a \
                 bundled bot ({})",
                bundled_bots().join(", ")
            )));
        }
        let mut notes = Vec::new();
        let found = match self.read_path(text, &mut notes)? {
            None if text != text.trim() => self.read_path(text.trim(), &mut notes)?,
            found => found,
        };
        if let Some(found) = found {
            return Ok(with_notes(found, notes));
        }
        if text.trim() == "human" {
            return Ok(with_notes(spec("human".to_string(), BotKind::Human), notes));
        }
        self.refuse_broken_path(text)?;
        let Split { words, notes: more } = words::split(text)?;
        notes.extend(more);
        let found = self.read_command(text, words, &mut notes)?;
        Ok(with_notes(found, notes))
    }

    /// The text as an existing path; `None` when it is none, or a folder that is no bot and a word that is.
    fn read_path(&self, text: &str, notes: &mut Vec<String>) -> Result<Option<BotSpec>, ConfigError> {
        let path = self.absolute(text);
        let about = match fs::metadata(&path) {
            Ok(about) => about,
            Err(error) => return unreachable_path(&path, &error).map_or(Ok(None), Err),
        };
        let meaning = other_meaning(text);
        if about.is_dir() {
            let manifest = path.join(MANIFEST);
            if fs::symlink_metadata(&manifest).is_err() {
                let Some(meaning) = meaning else { return Err(no_manifest(&path)) };
                notes.push(format!("{meaning} is taken: the folder {} has no {MANIFEST}", shown(&format!("./{text}"))));
                return Ok(None);
            }
            notes.extend(meaning.map(|meaning| both_fit(text, &meaning)));
            return self.read_manifest(&manifest).map(Some);
        }
        if path.file_name() == Some(OsStr::new(MANIFEST)) {
            return self.read_manifest(&path).map(Some);
        }
        if path.extension() == Some(OsStr::new("toml")) {
            let file = shown_path(&path);
            return Err(ConfigError(format!("{file} is no bot: a bot's description has to be called `{MANIFEST}`")));
        }
        notes.extend(meaning.map(|meaning| both_fit(text, &meaning)));
        let folder = path.parent().unwrap_or(Path::new("/")).to_path_buf();
        let argv = vec![utf8(path)?];
        Ok(Some(program(name_from(stem(&argv[0])), argv, folder, false)))
    }

    fn read_manifest(&self, manifest: &Path) -> Result<BotSpec, ConfigError> {
        let label = manifest.strip_prefix(&self.caller).unwrap_or(manifest).to_string_lossy();
        read_manifest(manifest, &escaped(&label), &self.bundled_dir, self.path.as_deref())
    }

    /// A path with a space in it that is not quoted, or not quite right, must not start a program of its first word.
    fn refuse_broken_path(&self, text: &str) -> Result<(), ConfigError> {
        let text = text.trim();
        for (end, _) in text.char_indices().filter(|(_, letter)| letter.is_whitespace()).skip(1) {
            let (prefix, rest) = text.split_at(end);
            if prefix.trim().contains(char::is_whitespace) && self.caller.join(prefix).exists() {
                return Err(ConfigError(format!(
                    "{} begins with the path {}, which has a space in it: quote it for a command with arguments, as in \
                     \"{}{}\"",
                    shown(text),
                    shown(prefix),
                    escaped(&quoted(prefix)),
                    escaped(rest),
                )));
            }
        }
        let folder = Path::new(text).parent().filter(|folder| folder.to_string_lossy().contains(char::is_whitespace));
        match folder.map(|folder| self.caller.join(folder)) {
            Some(folder) if folder.is_dir() => Err(not_in_folder(&self.absolute(text), &folder)),
            _ => Ok(()),
        }
    }

    fn read_command(
        &self,
        text: &str,
        mut words: Vec<String>,
        notes: &mut Vec<String>,
    ) -> Result<BotSpec, ConfigError> {
        let first = words[0].clone();
        let beside = self.absolute(&first);
        let name = default_name(&words);
        let is_file = beside.is_file();
        if bundled_bots().contains(&first.as_str()) && !is_file {
            words[0] = utf8(self.bundled_dir.join(&first))?;
            let games = GAMES.iter().map(|game| game.info()).filter(|game| game.bots.contains(&first.as_str()));
            let games = Some(games.map(|game| game.id.to_string()).collect());
            return Ok(BotSpec { games, ..program(name, words, self.caller.clone(), true) });
        }
        if is_file {
            notes.extend(other_meaning(&first).map(|meaning| both_fit(&first, &meaning)));
            words[0] = utf8(beside)?;
        } else if !first.contains('/')
            && let Lookup::Found(found) | Lookup::NotExecutable(found) =
                look_in_path(OsStr::new(&first), self.path.as_deref(), &self.caller)
        {
            words[0] = utf8(found)?;
        } else {
            return Err(self.not_found(text, &words, &beside));
        }
        Ok(program(name, words, self.caller.clone(), false))
    }

    fn not_found(&self, text: &str, words: &[String], beside: &Path) -> ConfigError {
        let first = &words[0];
        if beside.is_dir() {
            return ConfigError(format!(
                "{} is a folder and cannot be given arguments: write them into `run` in its {MANIFEST}, or name the \
                 program in it",
                shown_path(beside)
            ));
        }
        let tried = if first.contains('/') { "" } else { ", and no program of that name is in PATH" };
        let list = if words.len() > 1 { format!(" (the words are {})", list_text(words)) } else { String::new() };
        let hint = self.hint(text, first, beside).map(|hint| format!("; {hint}")).unwrap_or_default();
        ConfigError(format!("there is no bot {}: {} is not there{tried}{list}{hint}", shown(text), shown_path(beside)))
    }

    fn hint(&self, text: &str, first: &str, beside: &Path) -> Option<String> {
        if first.starts_with('~') {
            return Some("`~` is the shell's: write the path in full".to_string());
        }
        let slashes = text.trim().replace('\\', "/");
        if slashes != text.trim() && self.caller.join(&slashes).exists() {
            return Some(format!("write {} with slashes", shown(&slashes)));
        }
        if let Some((name, _)) = text.split_once('=').filter(|(name, _)| !name.contains('/') && first.starts_with(name))
        {
            return Some(format!("{} before `=` is no name: a name is {NAME_RULE}", shown(name)));
        }
        let words = bundled_bots().into_iter().chain(["human"]);
        if let Some(meant) = suggest(first, words) {
            return Some(format!("did you mean `{meant}`?"));
        }
        let near = beside.parent().and_then(|folder| similar_file(folder, &beside.file_name()?.to_string_lossy()))?;
        let near = near.strip_prefix(&self.caller).unwrap_or(&near);
        let near = if first.starts_with("./") { Path::new(".").join(near) } else { near.to_path_buf() };
        Some(format!("did you mean {}?", shown_path(&near)))
    }

    /// The path from the caller's folder, without `.` in it.
    fn absolute(&self, text: &str) -> PathBuf {
        let joined = self.caller.join(text);
        absolute(&joined).unwrap_or(joined)
    }
}

fn spec(name: String, kind: BotKind) -> BotSpec {
    BotSpec { name, name_given: false, kind, authors: Vec::new(), games: None, notes: Vec::new() }
}

fn program(name: String, argv: Vec<String>, folder: PathBuf, bundled: bool) -> BotSpec {
    spec(name, BotKind::Program(Launch { argv, folder, env: Vec::new(), build: None, bundled, described: false }))
}

fn with_notes(mut spec: BotSpec, notes: Vec<String>) -> BotSpec {
    spec.notes.extend(notes);
    spec
}

/// The error for a path that something stands at, though it cannot be looked at.
fn unreachable_path(path: &Path, error: &io::Error) -> Option<ConfigError> {
    if let Ok(target) = fs::read_link(path) {
        let target = shown_path(&target);
        return Some(ConfigError(format!(
            "{} is a symbolic link to {target}, which is not there: {error}",
            shown_path(path)
        )));
    }
    let denied = error.kind() == io::ErrorKind::PermissionDenied;
    denied.then(|| ConfigError(format!("{} cannot be reached by this user: {error}", shown_path(path))))
}

/// What a word means besides a path of that name.
fn other_meaning(word: &str) -> Option<String> {
    match word {
        "human" => Some("a person at the terminal (`human`)".to_string()),
        _ => bundled_bots().contains(&word).then(|| format!("a bundled bot `{word}`")),
    }
}

fn both_fit(word: &str, meaning: &str) -> String {
    format!("both a path {} and {meaning} exist: the path is taken", shown(&format!("./{word}")))
}

fn no_manifest(folder: &Path) -> ConfigError {
    let meant = similar_file(folder, MANIFEST).map(|near| format!("; is {} meant to be it?", shown_path(&near)));
    ConfigError(format!(
        "the folder {} has no {MANIFEST}: give it one with a line like run = [\"python3\", \"bot.py\"], or name the program \
         in it{}",
        shown_path(folder),
        meant.unwrap_or_default()
    ))
}

fn not_in_folder(path: &Path, folder: &Path) -> ConfigError {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let near = similar_file(folder, &name).map(|near| format!(", did you mean {}?", shown_path(&near)));
    ConfigError(format!(
        "{} is not there, though the folder {} is{}",
        shown_path(path),
        shown_path(folder),
        near.unwrap_or_default()
    ))
}

fn utf8(path: PathBuf) -> Result<String, ConfigError> {
    path.into_os_string().into_string().map_err(|path| {
        let path = shown_path(Path::new(&path));
        ConfigError(format!("the path {path} is not valid UTF-8, which transcripts need: rename it"))
    })
}
