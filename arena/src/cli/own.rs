//! Commands for a person to paste: they work in any folder, whether the arena is in PATH or not.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The word that starts this very program from any folder: `arena` where PATH leads to it, else its path.
pub(super) fn arena() -> String {
    let program = std::env::current_exe().unwrap_or_default();
    word(&program, std::env::var_os("PATH").as_deref())
}

/// The command line as it was given, in the folder that it was given in.
pub(super) fn same_command() -> String {
    in_this_folder(given())
}

/// The same for a cup that goes on: what was to be played again is out of the record already, and not to be taken out twice.
pub(super) fn command_that_goes_on() -> String {
    let mut words = given().into_iter();
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        if word == "--again" {
            words.next();
        } else if !word.starts_with("--again=") {
            kept.push(word);
        }
    }
    in_this_folder(kept)
}

fn given() -> Vec<String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

fn in_this_folder(given: Vec<String>) -> String {
    let words: Vec<String> = std::iter::once(arena()).chain(given).collect();
    match std::env::current_dir() {
        Ok(folder) => format!("cd {} && {}", joined(&[folder.to_string_lossy().into_owned()]), joined(&words)),
        Err(_) => joined(&words),
    }
}

fn word(program: &Path, path: Option<&OsStr>) -> String {
    let program = still_there(program);
    let folders = path.map(|path| std::env::split_paths(path).collect::<Vec<_>>()).unwrap_or_default();
    let found = folders.iter().map(|folder| folder.join("arena")).find(|file| file.is_file());
    let is_this = |file: &PathBuf| {
        file.is_absolute() && file.canonicalize().is_ok_and(|file| Some(file) == program.canonicalize().ok())
    };
    if found.as_ref().is_some_and(is_this) { "arena".to_string() } else { program.to_string_lossy().into_owned() }
}

/// The system marks a program whose file was replaced while it runs; another is in its place.
fn still_there(program: &Path) -> PathBuf {
    let text = program.to_string_lossy();
    match text.strip_suffix(" (deleted)") {
        Some(replaced) if !program.exists() => PathBuf::from(replaced),
        _ => program.to_path_buf(),
    }
}

fn joined(words: &[String]) -> String {
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::word;
    use std::ffi::OsString;
    use std::fs;

    #[test]
    fn the_word_alone_only_where_path_leads_to_this_program() {
        let place = tempfile::tempdir().expect("a folder for temporary files");
        let folder = |name: &str| {
            let folder = place.path().join(name);
            fs::create_dir(&folder).expect("the folder is writable");
            folder
        };
        let (ours, other, links) = (folder("o u r s"), folder("other"), folder("links"));
        let program = ours.join("arena");
        for file in [&program, &other.join("arena")] {
            fs::write(file, "").expect("the folder is writable");
        }
        std::os::unix::fs::symlink(&program, links.join("arena")).expect("the folder is writable");
        let path = |folders: &[&std::path::Path]| Some(std::env::join_paths(folders).expect("no colon is in them"));
        let told = |path: Option<OsString>| word(&program, path.as_deref());
        let whole = program.to_string_lossy().into_owned();
        assert_eq!(told(path(&[&ours])), "arena");
        assert_eq!(told(path(&[&links, &other])), "arena");
        assert_eq!(told(path(&[&other, &ours])), whole, "another arena is found first");
        assert_eq!(told(path(&[place.path()])), whole);
        assert_eq!(told(None), whole);
        let replaced = std::path::PathBuf::from(format!("{whole} (deleted)"));
        assert_eq!(word(&replaced, path(&[&ours]).as_deref()), "arena", "it was built anew while it ran");
    }
}
