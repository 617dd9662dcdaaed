//! `bot.toml`: how a bot in a folder is started, and what is told about it.

use super::bot::{BotKind, BotSpec, Launch};
use super::names::{check_name, name_from};
use super::program::look_up;
use super::toml_error::{Placed, TomlFile, TomlSection};
use super::words::list_text;
use super::{ConfigError, shown, shown_path, suggest};
use crate::games::{GAMES, bundled_bots};
use std::ffi::OsStr;
use std::path::Path;

const KEYS: [&str; 6] = ["name", "run", "build", "games", "authors", "env"];
const NAME_EXAMPLE: &str = "name = \"mine\"";
const RUN_EXAMPLE: &str = "run = [\"python3\", \"bot.py\"]";
const BUILD_EXAMPLE: &str = "build = [\"cargo\", \"build\", \"--release\"]";
const GAMES_EXAMPLE: &str = "games = [\"GAME\"]";
const AUTHORS_EXAMPLE: &str = "authors = [\"id1\", \"id2\"]";
const ENV_EXAMPLE: &str = "env = { KEY = \"value\" }";

/// Reads a `bot.toml` (an absolute path); `label` is what errors call it, `bundled_dir` the folder of the bundled bots,
/// `path` the PATH in which programs are looked up.
pub(super) fn read_manifest(
    file: &Path,
    label: &str,
    bundled_dir: &Path,
    path: Option<&OsStr>,
) -> Result<BotSpec, ConfigError> {
    let folder = file.parent().unwrap_or(Path::new("/"));
    let file = TomlFile::read(file, label)?;
    let root = file.root()?;
    root.allow_only(&KEYS)?;
    let name = read_name(&root)?;
    let run = read_command(&root, "run", RUN_EXAMPLE)?.ok_or_else(|| root.missing("run", RUN_EXAMPLE))?;
    let bundled = is_bundled(&run.value[0], folder);
    let launch = Launch {
        argv: resolve(&root, run, folder, bundled.then_some(bundled_dir), path)?,
        folder: folder.to_path_buf(),
        env: read_env(&root)?,
        build: read_command(&root, "build", BUILD_EXAMPLE)?.map(|build| build.value),
        bundled,
        described: true,
    };
    Ok(BotSpec {
        name_given: name.is_some(),
        name: name.unwrap_or_else(|| folder_name(folder)),
        kind: BotKind::Program(launch),
        authors: read_authors(&root)?.unwrap_or_default(),
        games: read_games(&root)?,
        notes: Vec::new(),
    })
}

/// A bot's name from its folder's.
fn folder_name(folder: &Path) -> String {
    let named = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let real = || folder.canonicalize().ok().and_then(|real| Some(real.file_name()?.to_string_lossy().into_owned()));
    name_from(&named.or_else(real).unwrap_or_default())
}

fn read_name(root: &TomlSection<'_>) -> Result<Option<String>, ConfigError> {
    let Some(name) = root.text("name", NAME_EXAMPLE)? else { return Ok(None) };
    check_name(&name.value).map_err(|error| root.error_at(name.offset, &error.0))?;
    Ok(Some(name.value))
}

fn read_command(root: &TomlSection<'_>, key: &str, example: &str) -> Result<Option<Placed<Vec<String>>>, ConfigError> {
    if let Ok(Some(line)) = root.text(key, example) {
        let words = shlex::split(&line.value).unwrap_or_default();
        let list = if words.is_empty() { example.to_string() } else { format!("{key} = {}", list_text(&words)) };
        let why = format!("`{key}` must be a list of words, but is the text {}: write {list}", shown(&line.value));
        return Err(root.error_at(line.offset, &why));
    }
    let Some(command) = root.texts(key, example)? else { return Ok(None) };
    match command.value.first() {
        None => Err(root.error_at(command.offset, &format!("`{key}` is an empty list: write {example}"))),
        Some(program) if program.is_empty() => {
            Err(root.error_at(command.offset, &format!("`{key}` begins with an empty text: write {example}")))
        }
        Some(_) => Ok(Some(command)),
    }
}

/// Whether the first word of `run` means a bundled bot: a file of that name in the bot's folder goes first.
fn is_bundled(word: &str, folder: &Path) -> bool {
    bundled_bots().contains(&word) && !folder.join(word).is_file()
}

/// A bundled bot, where `bundled_dir` is given, is a file in it; else the program is looked up from the bot's folder.
fn resolve(
    root: &TomlSection<'_>,
    run: Placed<Vec<String>>,
    folder: &Path,
    bundled_dir: Option<&Path>,
    path: Option<&OsStr>,
) -> Result<Vec<String>, ConfigError> {
    let mut words = run.value;
    let program = match bundled_dir {
        Some(bundled_dir) => bundled_dir.join(&words[0]),
        None => look_up(&words[0], folder, path),
    };
    words[0] = program.into_os_string().into_string().map_err(|path| {
        let why = format!("the path {} is not valid UTF-8: rename its folders", shown_path(Path::new(&path)));
        root.error_at(run.offset, &why)
    })?;
    Ok(words)
}

fn read_env(root: &TomlSection<'_>) -> Result<Vec<(String, String)>, ConfigError> {
    let Some(table) = root.section("env", ENV_EXAMPLE)? else { return Ok(Vec::new()) };
    let mut variables = Vec::new();
    for key in table.keys() {
        if key.value.is_empty() || key.value.contains(['=', '\0']) {
            let why =
                format!("{} cannot be the name of a variable: it is empty, or has `=` or NUL in it", shown(&key.value));
            return Err(root.error_at(key.offset, &why));
        }
        let value = table.text(&key.value, "KEY = \"value\"")?.expect("the key was listed");
        variables.push((key.value, value.value));
    }
    Ok(variables)
}

/// The `authors` of a bot, where they are named.
pub(super) fn read_authors(root: &TomlSection<'_>) -> Result<Option<Vec<String>>, ConfigError> {
    let Some(authors) = root.texts("authors", AUTHORS_EXAMPLE)? else { return Ok(None) };
    let bad = |author: &&String| author.trim().is_empty() || author.contains(char::is_control);
    if let Some(author) = authors.value.iter().find(bad) {
        let why = format!("{} cannot be an author: write an id on one line, {AUTHORS_EXAMPLE}", shown(author));
        return Err(root.error_at(authors.offset, &why));
    }
    Ok(Some(authors.value))
}

/// A game that this arena does not know may be another arena's; one that is nearly known is a slip.
fn read_games(root: &TomlSection<'_>) -> Result<Option<Vec<String>>, ConfigError> {
    let Some(games) = root.texts("games", GAMES_EXAMPLE)? else { return Ok(None) };
    if games.value.is_empty() {
        return Err(root.error_at(games.offset, "`games` is an empty list: name the bot's games, or leave `games` out"));
    }
    let known = || GAMES.iter().map(|game| game.info().id);
    for game in games.value.iter().filter(|game| !known().any(|id| id == *game)) {
        if let Some(meant) = suggest(game, known()) {
            let why = format!("there is no game {}, did you mean `{meant}`?", shown(game));
            return Err(root.error_at(games.offset, &why));
        }
    }
    Ok(Some(games.value))
}
