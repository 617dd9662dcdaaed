//! Finding programs, and telling before the first match whether one can be started: what the system would refuse with
//! two bare words is told apart here, with the path that was tried and the way out.
//!
//! Looks at files only; nothing is started.

use super::bot::Launch;
use super::image::{Elf, Image, read_image};
use super::shebang::interpreter_problem;
use super::stale::SOURCES;
use super::words::{command_text, interpreter_for, quoted, script_of};
use super::{ConfigError, shown, shown_path, suggest};
use crate::protocol::words::WRAPPER;
use nix::fcntl::{AT_FDCWD, AtFlags};
use nix::sys::statvfs::{FsFlags, statvfs};
use nix::unistd::{AccessFlags, faccessat, geteuid};
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Whether this can be started here and now; if not, why not and what to do. Call it again after `build` was run.
pub fn check_startable(launch: &Launch) -> Result<(), ConfigError> {
    let Some(program) = launch.argv.first() else {
        return Err(ConfigError("a bot without a command cannot be started: give it a program".to_string()));
    };
    if !launch.folder.is_dir() {
        let folder = shown_path(&launch.folder);
        return Err(ConfigError(format!("the folder {folder}, in which {} is started, is not there", shown(program))));
    }
    let program = Path::new(program);
    let about = fs::metadata(program).map_err(|error| missing(program, &error, launch))?;
    if let Some(problem) = problem(program, &about, launch) {
        return Err(ConfigError(format!("{} {problem}", shown_path(program))));
    }
    check_script(launch)?;
    inner_launch(launch)?.map_or(Ok(()), |inner| check_startable(&inner))
}

/// The bot that a wrapper starts in its turn, as it will start it; `None` where nothing is wrapped.
pub(super) fn inner_launch(launch: &Launch) -> Result<Option<Launch>, ConfigError> {
    if !launch.is_wrapped() {
        return Ok(None);
    }
    let [_, dashes, program, arguments @ ..] = &launch.argv[..] else {
        return Err(ConfigError(format!("`{WRAPPER}` needs the command of a bot: {WRAPPER} -- ./mybot")));
    };
    if dashes != "--" {
        let why = format!("`{WRAPPER}` has no option {}: write {WRAPPER} -- ./mybot", shown(dashes));
        return Err(ConfigError(why));
    }
    let program = look_up(program, &launch.folder, search_path(launch).as_deref());
    let mut argv = vec![program.to_string_lossy().into_owned()];
    argv.extend_from_slice(arguments);
    Ok(Some(Launch { argv, bundled: false, ..launch.clone() }))
}

/// The PATH that the bot will have.
fn search_path(launch: &Launch) -> Option<OsString> {
    let bound = launch.env.iter().find(|(key, _)| key == "PATH").map(|(_, value)| OsString::from(value));
    bound.or_else(|| std::env::var_os("PATH"))
}

/// What a search for a program came to.
pub(super) enum Lookup {
    Found(PathBuf),
    /// Only files that may not be executed: the first one.
    NotExecutable(PathBuf),
    Nowhere,
}

/// The program that a word means for whoever is started in `folder`: with a slash, or the name of a file there, that file;
/// else what is found in PATH. What is nowhere may yet be built, so that it counts as a file in the folder.
pub(super) fn look_up(word: &str, folder: &Path, path: Option<&OsStr>) -> PathBuf {
    let own = folder.join(word);
    if word.contains('/') || own.is_file() {
        return std::path::absolute(&own).unwrap_or(own);
    }
    match look_in_path(OsStr::new(word), path, folder) {
        Lookup::Found(found) | Lookup::NotExecutable(found) => found,
        Lookup::Nowhere => own,
    }
}

/// Looks for a program's name in PATH, as the system does; relative entries are taken from `folder`.
pub(super) fn look_in_path(name: &OsStr, path: Option<&OsStr>, folder: &Path) -> Lookup {
    let mut refused = None;
    for entry in std::env::split_paths(path.unwrap_or_default()) {
        if entry.as_os_str().is_empty() {
            continue;
        }
        let file = folder.join(entry).join(name);
        match fs::metadata(&file) {
            Ok(about) if about.is_file() && may_execute(&file, &about) => return Lookup::Found(file),
            Ok(about) if about.is_file() => refused = refused.or(Some(file)),
            _ => {}
        }
    }
    refused.map_or(Lookup::Nowhere, Lookup::NotExecutable)
}

/// The program of this name in the folders of `path`, which are written as in PATH.
pub fn program_in(name: &OsStr, path: &str) -> Option<PathBuf> {
    match look_in_path(name, Some(OsStr::new(path)), Path::new("/")) {
        Lookup::Found(found) => Some(found),
        Lookup::NotExecutable(_) | Lookup::Nowhere => None,
    }
}

/// Whether this process may execute the file. Root too needs an execute bit, whosever; for others the system knows
/// more than the mode tells (access lists).
pub(super) fn may_execute(file: &Path, about: &Metadata) -> bool {
    about.mode() & 0o111 != 0 && faccessat(AT_FDCWD, file, AccessFlags::X_OK, AtFlags::AT_EACCESS).is_ok()
}

/// What keeps a file that is there from being started: a clause that goes on from its path.
fn problem(program: &Path, about: &Metadata, launch: &Launch) -> Option<String> {
    if about.is_dir() {
        return Some("is a folder, not a program: name the program in it, or give the folder a bot.toml".to_string());
    }
    if !about.is_file() {
        return Some("is no regular file (a pipe, a socket or a device), so it cannot be started".to_string());
    }
    let path = quoted(&program.to_string_lossy());
    let image = match read_image(program) {
        Ok(image) => image,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            return Some(format!("may not be read by {}: run `chmod a+rx {path}` as its owner", this_user(about)));
        }
        Err(error) => return Some(format!("cannot be read: {error}")),
    };
    let executable = may_execute(program, about);
    let bit = if executable { String::new() } else { format!("`chmod +x {path}`") };
    let search = search_path(launch);
    let inside = match image {
        Image::Script { first_line, whole_line } => {
            interpreter_problem(program, &first_line, whole_line, &launch.folder, search.as_deref())
        }
        Image::Text { marked } => Some(text_problem(program, marked, &bit)),
        other => binary_problem(&other),
    };
    inside.or_else(|| no_execution(program)).or_else(|| (!executable).then(|| not_executable(program, about)))
}

fn not_executable(program: &Path, about: &Metadata) -> String {
    let path = quoted(&program.to_string_lossy());
    if about.mode() & 0o111 == 0 {
        let or_write = interpreter_for(program)
            .map(|interpreter| format!(", or write the bot as \"{interpreter} {path}\""))
            .unwrap_or_default();
        return format!("is not executable (mode {:04o}): run `chmod +x {path}`{or_write}", about.mode() & 0o7777);
    }
    format!("is executable for others, but not for {}: run `chmod a+rx {path}` as its owner", this_user(about))
}

fn this_user(about: &Metadata) -> String {
    format!("user {} (mode {:04o}, owner {})", geteuid(), about.mode() & 0o7777, about.uid())
}

/// A file system that is mounted so that nothing on it can be executed, whatever its mode.
fn no_execution(program: &Path) -> Option<String> {
    let flags = statvfs(program).ok()?.flags();
    flags.contains(FsFlags::ST_NOEXEC).then(|| {
        "lies on a file system that is mounted without execution (noexec): copy the bot to another one".to_string()
    })
}

fn text_problem(program: &Path, marked: bool, chmod: &str) -> String {
    if marked {
        return "begins with a byte order mark, so that its first line is not found: save it as UTF-8 without BOM, with \
                `#!` and its interpreter as the very first bytes"
            .to_string();
    }
    let path = program.to_string_lossy();
    let ending = program.extension().and_then(OsStr::to_str).unwrap_or_default();
    let lacks = if chmod.is_empty() { "has no" } else { "is not executable and has no" };
    let and_chmod = if chmod.is_empty() { String::new() } else { format!(" and {chmod}") };
    if let Some(interpreter) = interpreter_for(program) {
        let first = interpreter.split(' ').next().unwrap_or(interpreter);
        return format!(
            "{lacks} first line that names its interpreter: give it the first line `#!/usr/bin/env {first}`{and_chmod}, \
             or write the bot as \"{interpreter} {}\"",
            quoted(&path)
        );
    }
    if SOURCES.contains(&ending) {
        return "is source code, not a program: build it, and name what the build makes".to_string();
    }
    format!(
        "is a text, not a program, and {} first line that names an interpreter: if it is a script, give it one, as \
         `#!/usr/bin/env python3`{and_chmod}",
        if chmod.is_empty() { "has no" } else { "has neither an execute bit nor a" }
    )
}

pub(super) fn binary_problem(image: &Image) -> Option<String> {
    let host = std::env::consts::ARCH;
    Some(match image {
        Image::Empty => "is an empty file, not a program: build it or copy it again".to_string(),
        Image::Foreign { what, way_out } => format!("is {what}, which does not run here by itself: {way_out}"),
        Image::Elf(Elf::CutShort) => "is only the beginning of a program: build it or copy it again".to_string(),
        Image::Elf(Elf::NotLinked) => "is an object file that was compiled but not linked: link it".to_string(),
        Image::Elf(Elf::OtherMachine(machine)) => {
            format!("was built for another machine ({machine}), and this one is {host}: build it here")
        }
        Image::Elf(Elf::Native { loader: Some(loader) }) if !Path::new(loader).exists() => format!(
            "was built for another system: the loader that it asks for, {}, is not on this machine; build it here, or \
             link it statically",
            shown(loader)
        ),
        Image::Unknown => {
            format!("is neither a program for this machine ({host}) nor a script: build it here, or name another file")
        }
        Image::Elf(Elf::Native { .. }) | Image::Script { .. } | Image::Text { .. } => return None,
    })
}

/// An interpreter that is there still needs its script.
fn check_script(launch: &Launch) -> Result<(), ConfigError> {
    let Some(script) = script_of(&launch.argv).filter(|word| interpreter_for(Path::new(word)).is_some()) else {
        return Ok(());
    };
    let path = launch.folder.join(script);
    match fs::metadata(&path) {
        Ok(about) if about.is_file() => Ok(()),
        Ok(_) => Err(ConfigError(format!("{}, given to {}, is not a file", shown_path(&path), shown(&launch.argv[0])))),
        Err(error) => Err(missing(&path, &error, launch)),
    }
}

/// The error for a file that is not there, or cannot be reached.
fn missing(path: &Path, error: &io::Error, launch: &Launch) -> ConfigError {
    let file = shown_path(path);
    if let Ok(target) = fs::read_link(path) {
        return ConfigError(format!(
            "{file} is a symbolic link to {}, which cannot be reached: {error}",
            shown_path(&target)
        ));
    }
    if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) {
        return ConfigError(format!("{file} cannot be reached: {error}"));
    }
    if launch.bundled {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let folder = shown_path(path.parent().unwrap_or(path));
        let debug = path.parent().and_then(Path::file_name) == Some(OsStr::new("debug"));
        let here = if debug { "; for this debug build of the arena, with `cargo build --workspace`" } else { "" };
        return ConfigError(format!(
            "the bundled bot `{name}` is not built: there is no {file}; build it with `cargo build --release --workspace` \
             (bundled bots are looked for beside the arena, in {folder}{here})"
        ));
    }
    if let Some(build) = &launch.build {
        let folder = quoted(&launch.folder.to_string_lossy());
        let command = command_text(build);
        return ConfigError(format!("{file} is not built yet: build the bot with `cd {folder} && {command}`"));
    }
    ConfigError(format!("{file} is not there{}", elsewhere(path, launch)))
}

/// Where a missing file may be after all.
fn elsewhere(path: &Path, launch: &Launch) -> String {
    let name = path.file_name().unwrap_or_default();
    if let Some(near) = path.parent().and_then(|folder| similar_file(folder, &name.to_string_lossy())) {
        return format!(", did you mean {}?", shown_path(&near));
    }
    if path.parent() != Some(&launch.folder) {
        return match path.ancestors().skip(1).find(|folder| folder.is_dir()) {
            Some(folder) if path.parent() != Some(folder) => {
                format!(": {} is as far as the path leads", shown_path(folder))
            }
            _ => String::new(),
        };
    }
    match look_in_path(name, std::env::var_os("PATH").as_deref(), &launch.folder) {
        Lookup::Found(found) => format!("; write {} to mean {}", shown(&name.to_string_lossy()), shown_path(&found)),
        Lookup::NotExecutable(found) => format!("; {} is in PATH, but is not executable", shown_path(&found)),
        Lookup::Nowhere => ", and no program of that name is in PATH".to_string(),
    }
}

/// A file in the folder whose name is nearly this one.
pub(super) fn similar_file(folder: &Path, name: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = entries.collect();
    names.sort();
    suggest(name, names).map(|near| folder.join(near))
}
