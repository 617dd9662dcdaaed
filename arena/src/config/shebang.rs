//! A script's first line, `#!INTERPRETER [ARGUMENT]`: whether the system will find that interpreter.

use super::image::read_image;
use super::program::{Lookup, binary_problem, look_in_path, may_execute};
use super::words::quoted;
use super::{shown, shown_path};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

/// What keeps the system from starting the script: a clause that goes on from the script's path, with the way out.
/// `first_line` is what follows `#!`; `folder` is where the script is started, `path` the PATH it is given.
pub(super) fn interpreter_problem(
    script: &Path,
    first_line: &[u8],
    whole_line: bool,
    folder: &Path,
    path: Option<&OsStr>,
) -> Option<String> {
    let line = String::from_utf8_lossy(first_line);
    let first = shown(&format!("#!{line}"));
    if line.contains('\r') {
        let script = quoted(&script.to_string_lossy());
        let interpreter = shown(line.split(' ').next_back().unwrap_or(&line));
        return Some(format!(
            "is there, but its interpreter is not: the first line {first} has Windows line endings, and the system takes \
             the carriage return as part of {interpreter}; save it with Unix line endings (`sed -i 's/\\r$//' {script}`)"
        ));
    }
    let line = line.trim_start_matches([' ', '\t']);
    let (interpreter, argument) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    if !whole_line && argument.is_empty() {
        return Some(format!("has a first line that is longer than the system reads: {first}; shorten it"));
    }
    if interpreter.is_empty() {
        return Some(format!("names no interpreter in its first line {first}: write one, as `#!/usr/bin/env python3`"));
    }
    let at = folder.join(interpreter);
    let about = match fs::metadata(&at) {
        Ok(about) => about,
        Err(_) => {
            let name = at.file_name().unwrap_or_default();
            let elsewhere = match look_in_path(name, path, folder) {
                Lookup::Found(found) => format!("; here it is {}", shown_path(&found)),
                _ => String::new(),
            };
            return Some(format!(
                "is there, but the interpreter of its first line {first} is not: {} does not exist{elsewhere}; install \
                 it, or name one that is there",
                shown_path(&at)
            ));
        }
    };
    if !about.is_file() || !may_execute(&at, &about) {
        return Some(format!(
            "names {} in its first line {first}, which is no program that can be executed; name its interpreter there",
            shown_path(&at)
        ));
    }
    if let Some(problem) = read_image(&at).ok().and_then(|image| binary_problem(&image)) {
        return Some(format!("names {} in its first line {first}, which {problem}", shown_path(&at)));
    }
    if whole_line && at.file_name() == Some(OsStr::new("env")) {
        env_problem(&first, argument.trim(), folder, path)
    } else {
        None
    }
}

/// The same for `#!/usr/bin/env ARGUMENT`: the system gives `env` all that follows as one word, which it splits itself
/// only when told to (`-S`).
fn env_problem(first: &str, argument: &str, folder: &Path, path: Option<&OsStr>) -> Option<String> {
    let words = match split_argument(argument) {
        Some(words) => words,
        None if argument.contains([' ', '\t']) => {
            return Some(format!(
                "gives `env` more than one word in its first line {first}, which the system passes as a single one; \
                 write `#!/usr/bin/env -S {argument}`"
            ));
        }
        None => vec![argument.to_string()],
    };
    let Some(target) = env_target(&words) else {
        return Some(format!(
            "names no interpreter after `env` in its first line {first}; write one, as `#!/usr/bin/env python3`"
        ));
    };
    let found = if target.contains('/') {
        folder.join(target).is_file()
    } else {
        matches!(look_in_path(OsStr::new(target), path, folder), Lookup::Found(_))
    };
    (!found).then(|| {
        format!(
            "is there, but the interpreter of its first line {first} is not: no program {} is in PATH; install it, or \
             name one that is there",
            shown(target)
        )
    })
}

/// The words of `-S WORDS` (also `-vS`, `--split-string=`); `None` without such an option.
fn split_argument(argument: &str) -> Option<Vec<String>> {
    let long = argument.strip_prefix("--split-string").map(|rest| rest.trim_start_matches('='));
    let short = || {
        let (flags, rest) = argument.strip_prefix('-')?.split_once('S')?;
        flags.chars().all(|flag| "0iv".contains(flag)).then_some(rest)
    };
    long.or_else(short).map(|rest| shlex::split(rest).unwrap_or_default())
}

/// The program that `env` is told to run: the first word that is neither an option, nor one's value, nor `KEY=VALUE`.
fn env_target(words: &[String]) -> Option<&String> {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if ["-u", "-C", "-a", "--unset", "--chdir", "--argv0"].contains(&word.as_str()) {
            words.next();
        } else if !word.is_empty() && !word.starts_with('-') && !word.contains('=') {
            return Some(word);
        }
    }
    None
}
