//! What of the file system is a bot's own: what it is known by, and all that it sees when it is confined.

use super::bot::{Launch, MANIFEST};
use super::image::{Image, read_image};
use super::stale::built_file;
use crate::files::open_regular;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Folders that a bot's build makes, or that are nobody's business.
pub(super) const NOT_ITS_OWN: [&str; 3] = ["target", "node_modules", "__pycache__"];

/// A bot's own files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnFiles {
    /// The folder with its bot.toml, where it has one.
    pub folder: Option<PathBuf>,
    /// Else its program, and the arguments that name files; of a folder's bot those that are outside of it.
    pub files: Vec<PathBuf>,
    /// What its command names of the folder, where nothing is built: its own, whatever it is called.
    named: Vec<PathBuf>,
    /// The program that its build step makes beside its sources, where that is plain to see.
    made: Option<PathBuf>,
}

/// The files of a bot that is started so.
pub fn own_files(launch: &Launch) -> OwnFiles {
    let has_folder = launch.described || (launch.folder.join(MANIFEST).is_file() && !launch.bundled);
    let folder = has_folder.then(|| launch.folder.clone());
    let named = launch.argv.iter().map(|word| launch.folder.join(word)).filter(|path| path.is_file());
    let files = named.filter(|path| folder.as_ref().is_none_or(|folder| !path.starts_with(folder))).collect();
    let named = match (&folder, &launch.build) {
        (Some(folder), None) => named_in(folder, &launch.argv),
        _ => Vec::new(),
    };
    OwnFiles { folder, files, named, made: made_by_build(launch) }
}

/// The program that `run` names, where the build step names it too: `gcc -o bot bot.c`. A script is none: it may be what builds.
fn made_by_build(launch: &Launch) -> Option<PathBuf> {
    let program = built_file(launch)?;
    let mut words = launch.build.iter().flatten().flat_map(|word| word.split_whitespace());
    let is_named = words.any(|word| launch.folder.join(word.trim_start_matches("./")) == program);
    (is_named && matches!(read_image(&program), Ok(Image::Elf(_)))).then_some(program)
}

/// Whether it is the memory of a program that fell over, as the system or valgrind leave it.
fn is_core(file: &Path, name: &str) -> bool {
    let mut head = [0; 18];
    (name.starts_with("core") || name.starts_with("vgcore"))
        && open_regular(file).and_then(|mut open| open.read_exact(&mut head)).is_ok()
        && head.starts_with(b"\x7fELF")
        && matches!(head[16..], [4, 0] | [0, 4])
}

/// What the words of a command name in a folder: as a word, after `=`, or in a list of paths.
fn named_in(folder: &Path, words: &[String]) -> Vec<PathBuf> {
    let parts = words.iter().flat_map(|word| word.split(['=', ':']).chain([word.as_str()]));
    let paths = parts.filter(|part| !part.is_empty()).filter_map(|part| std::path::absolute(folder.join(part)).ok());
    let is_inside = |path: &PathBuf| {
        path.strip_prefix(folder).is_ok_and(|rest| {
            rest != Path::new("") && !rest.components().any(|part| part == std::path::Component::ParentDir)
        })
    };
    paths.filter(is_inside).collect()
}

/// SHA-256 over a bot's files, in hexadecimal: each with its path and length. Of a folder with a bot.toml all files but hidden ones and
/// what builds leave (what its command names apart, where nothing is built); else the program, and the arguments that name files.
///
/// # Errors
/// A file that cannot be read, in words.
pub fn fingerprint(launch: &Launch) -> Result<String, String> {
    let failed = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    let files = own_files(launch).written().map_err(|error| failed(&launch.folder, error))?;
    let mut hash = Sha256::new();
    for file in files {
        // Where a program of the system is, or this arena, is not what is in it; nor is how the path to it is written.
        let elsewhere = || file.file_name().map(Path::new);
        let inside = file.strip_prefix(&launch.folder).ok().filter(|_| !launch.is_trusted());
        let name = inside.or_else(elsewhere).unwrap_or(&file).to_string_lossy().into_owned();
        let mut open = open_regular(&file).map_err(|error| failed(&file, error))?;
        let length = open.metadata().map_err(|error| failed(&file, error))?.len();
        hash.update(format!("{name}\n{length}\n"));
        io::copy(&mut open, &mut Sink(&mut hash)).map_err(|error| failed(&file, error))?;
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

struct Sink<'a>(&'a mut Sha256);

impl io::Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl OwnFiles {
    /// All files that were written by hand, sorted: of a folder all but hidden ones and what builds leave.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn written(&self) -> io::Result<Vec<PathBuf>> {
        let mut files = match &self.folder {
            Some(folder) => {
                let mut found = Found { made: self.made.clone(), ..Found::default() };
                found.collect(folder, false)?;
                for named in &self.named {
                    match fs::symlink_metadata(named) {
                        Ok(about) if about.is_dir() => found.collect(named, true)?,
                        Ok(about) if about.is_file() => found.files.push(named.clone()),
                        _ => {}
                    }
                }
                found.files
            }
            None => self.files.clone(),
        };
        files.sort();
        files.dedup();
        Ok(files)
    }

    /// What [`OwnFiles::written`] passes over, sorted: the outermost folders, hidden files, links and what is no file.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn passed_over(&self) -> io::Result<Vec<PathBuf>> {
        let Some(folder) = &self.folder else { return Ok(Vec::new()) };
        let mut found = Found { made: self.made.clone(), ..Found::default() };
        found.collect(folder, false)?;
        let mut over = found.passed_over;
        let is_taken = |path: &PathBuf| self.named.contains(path) && !path.is_symlink();
        over.retain(|path| !is_taken(path));
        over.sort();
        Ok(over)
    }
}

#[derive(Default)]
struct Found {
    made: Option<PathBuf>,
    files: Vec<PathBuf>,
    passed_over: Vec<PathBuf>,
}

impl Found {
    /// Files only, no link is followed; `whole`: also what is hidden or left by builds.
    fn collect(&mut self, folder: &Path, whole: bool) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let kind = entry.file_type()?;
            if !whole && (name.starts_with('.') || NOT_ITS_OWN.contains(&&*name)) {
                self.passed_over.push(entry.path());
            } else if kind.is_dir() {
                self.collect(&entry.path(), whole)?;
            } else if kind.is_file() && (whole || !self.is_left(&entry.path(), &name)) {
                self.files.push(entry.path());
            } else {
                self.passed_over.push(entry.path());
            }
        }
        Ok(())
    }

    /// Whether a build, or a program that fell over, has left the file.
    fn is_left(&self, file: &Path, name: &str) -> bool {
        self.made.as_deref() == Some(file) || is_core(file, name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(folder: &Path, words: &[&str], build: Option<&str>) -> Launch {
        Launch {
            argv: words.iter().map(ToString::to_string).collect(),
            folder: folder.to_path_buf(),
            env: Vec::new(),
            build: build.map(|build| vec![build.to_string()]),
            bundled: false,
            described: false,
        }
    }

    #[test]
    fn what_a_command_names_is_its_own_where_nothing_is_built() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path();
        for file in ["bot.toml", "a.py", ".b/c", ".b/d", "target/lib/x", "target/y", "node_modules/z", "__pycache__/w"]
        {
            fs::create_dir_all(folder.join(file).parent().unwrap()).unwrap();
            fs::write(folder.join(file), file).unwrap();
        }
        std::os::unix::fs::symlink("/etc/passwd", folder.join("link")).unwrap();
        let seen = |launch: &Launch| {
            let inside = |paths: Vec<PathBuf>| -> Vec<String> {
                paths.iter().map(|path| path.strip_prefix(folder).unwrap().to_string_lossy().into_owned()).collect()
            };
            let own = own_files(launch);
            (inside(own.written().unwrap()), inside(own.passed_over().unwrap()))
        };
        let words = ["java", "-cp", "target/lib:a.py", "--book=.b/c", "link", "../other", "."];
        let (files, over) = seen(&launch(folder, &words, None));
        assert_eq!(files, [".b/c", "a.py", "bot.toml", "target/lib/x"]);
        assert_eq!(over, [".b", "__pycache__", "link", "node_modules", "target"]);
        let built = launch(folder, &words, Some("make"));
        assert_eq!(seen(&built).0, ["a.py", "bot.toml"]);

        let plain = launch(folder, &words, None);
        let before = [fingerprint(&plain), fingerprint(&built)];
        fs::write(folder.join("target/lib/x"), "other").unwrap();
        let after = [fingerprint(&plain), fingerprint(&built)];
        assert_ne!(before[0], after[0]);
        assert_eq!(before[1], after[1]);
    }
}
