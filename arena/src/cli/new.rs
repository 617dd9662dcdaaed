//! `arena new LANGUAGE DIR`: a folder with a starter bot.

use super::failure::Failure;
use super::{DONE, games, output};
use crate::config::{Starter, language, starter};
use crate::game::GameInfo;
use crate::games::GAMES;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct NewArguments {
    /// python, javascript, typescript, c, cpp, java, go, rust or shell
    language: String,
    /// The bot's folder, which must not be there yet, or be empty
    dir: PathBuf,
    /// The game that it plays [default: all of them]
    #[arg(long)]
    game: Option<String>,
}

pub(super) fn run(arguments: &NewArguments) -> Result<u8, Failure> {
    let language = language(&arguments.language)?;
    let played: Vec<&GameInfo> = match &arguments.game {
        Some(id) => vec![games::game(id)?.info()],
        None => {
            let infos = GAMES.iter().map(|game| game.info());
            infos.filter(|info| language.source_for(info).is_some()).collect()
        }
    };
    let dir = &arguments.dir;
    let starter = starter(language, &played, &folder_name(dir), played.len() == GAMES.len())?;
    refuse_what_is_there(dir)?;
    write_all(dir, &starter)?;
    output::line(&output::harmless(&next_steps(language.title, &played, dir, &starter)))?;
    Ok(DONE)
}

/// The folder's own name, also of `.`.
fn folder_name(dir: &Path) -> String {
    let absolute = std::path::absolute(dir).unwrap_or_else(|_| dir.to_path_buf());
    let known = absolute.canonicalize().unwrap_or(absolute);
    known.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn refuse_what_is_there(dir: &Path) -> Result<(), Failure> {
    let shown = output::harmless(&dir.display().to_string());
    let counts = |entry: &io::Result<fs::DirEntry>| {
        !entry.as_ref().is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with(HIDDEN))
    };
    match fs::read_dir(dir).map(|entries| entries.filter(counts).count()) {
        Ok(0) => Ok(()),
        Ok(_) => Err(Failure::new(format!(
            "the folder {shown} is not empty, and nothing in it is written over: give another name"
        ))),
        Err(error) if error.kind() == ErrorKind::NotFound && fs::symlink_metadata(dir).is_err() => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotADirectory || error.kind() == ErrorKind::NotFound => {
            Err(Failure::new(format!("{shown} is there already, and is no folder: give another name")))
        }
        Err(error) => Err(Failure::new(format!("the folder {shown} cannot be read: {error}"))),
    }
}

/// Writes all files or none: beside the place where they belong, in a hidden folder, and moves them there when they are whole.
fn write_all(dir: &Path, starter: &Starter) -> Result<(), Failure> {
    // With what is missing on the way to it.
    let is_there = |folder: &&Path| folder.as_os_str().is_empty() || folder.is_dir();
    let base = dir.ancestors().find(is_there).unwrap_or(Path::new(""));
    let beyond = dir.strip_prefix(base).expect("an ancestor is a beginning");
    let base = if base.as_os_str().is_empty() { Path::new(".") } else { base };
    let failed = |error: io::Error| Failure::new(format!("{} cannot be written: {error}", dir.display()));
    let hidden = tempfile::Builder::new().prefix(HIDDEN).tempdir_in(base).map_err(failed)?;
    for (path, text) in &starter.files {
        let file = hidden.path().join(beyond).join(path);
        let folder = file.parent().expect("a file is in a folder");
        fs::create_dir_all(folder).and_then(|()| fs::write(&file, text)).map_err(failed)?;
    }
    for entry in fs::read_dir(hidden.path()).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        fs::rename(entry.path(), base.join(entry.file_name())).map_err(failed)?;
    }
    Ok(())
}

/// So the folder's name begins in which a bot is written. One that was left by an arena that was killed is nothing.
const HIDDEN: &str = ".arena-new-";

fn next_steps(language: &str, played: &[&GameInfo], dir: &Path, starter: &Starter) -> String {
    let quoted = |path: &Path| {
        let text = path.to_string_lossy().into_owned();
        shlex::try_quote(&text).map_or_else(|_| text.clone(), |quoted| quoted.into_owned())
    };
    let ids: Vec<&str> = played.iter().map(|game| game.id).collect();
    let mut lines = vec![format!("{} is a bot in {language} that plays {}.", quoted(dir), ids.join(", "))];
    let (files, functions): (Vec<String>, Vec<&str>) =
        starter.to_change.iter().map(|(file, name)| (quoted(&dir.join(file)), name.as_str())).unzip();
    let mut functions = functions;
    functions.dedup();
    lines.push(format!("What it plays is the function {} in {}: change it.", functions.join(", "), files.join(", ")));
    let build =
        starter.build.as_ref().map(|build| format!("To build it after a change: cd {} && {build}", quoted(dir)));
    lines.extend(build);
    // A folder that is called like a bundled bot, or like a person, has to be told from it.
    let is_plainly_a_path = dir.is_absolute() || dir.starts_with(".") || dir.starts_with("..");
    let bot = if is_plainly_a_path { quoted(dir) } else { quoted(&Path::new(".").join(dir)) };
    lines.push(format!("A first match: arena match {} --bot {bot} --bot random", ids[0]));
    lines.join("\n")
}
