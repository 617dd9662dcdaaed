//! `arena new LANGUAGE DIR`: a folder with a starter bot.

use super::failure::Failure;
use super::{DONE, games, output};
use crate::config::{Starter, language, starter};
use crate::game::GameInfo;
use crate::games::GAMES;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
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
    for (path, text) in &starter.files {
        write_new(&dir.join(path), text)?;
    }
    output::line(&next_steps(language.title, &played, dir, &starter))?;
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
    match fs::read_dir(dir).map(Iterator::count) {
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

/// Writes a file that must not be there, with the folders on the way.
fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error| Failure::new(format!("{} cannot be written: {error}", path.display()));
    fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).map_err(failed)?;
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)
}

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
