//! Whether a bot's sources were changed since it was built: told from the files' times alone.

use super::bot::Launch;
use super::own_files::NOT_ITS_OWN;
use super::program::inner_launch;
use super::words::{command_text, script_of};
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// How the files that compilers read end.
pub(super) const SOURCES: [&str; 26] = [
    "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "rs", "go", "java", "kt", "scala", "hs", "cs", "fs", "zig",
    "swift", "ml", "mli", "ts", "d", "nim", "pas", "f90", "adb",
];

/// Folders with sources that are built into no bot.
const FOR_TESTS: [&str; 4] = ["tests", "test", "benches", "examples"];

/// Of a bot's folder so many entries are looked at, and so many folders deep: more is no bot, or nobody waits for it.
const MOST_ENTRIES: usize = 2000;
const DEEPEST: usize = 6;

/// A note about a bot with a build step, one of whose sources is newer than what is run: what is played is the old one.
pub fn stale_note(launch: &Launch) -> Option<String> {
    let build = launch.build.as_ref()?;
    let built = built_file(launch)?;
    let since = changed(&fs::metadata(&built).ok()?);
    let mut newest = Newest { than: since, file: None, left: MOST_ENTRIES };
    newest.look(&launch.folder, DEEPEST);
    let inside = |path: &Path| path.strip_prefix(&launch.folder).unwrap_or(path).display().to_string();
    let source = newest.file?;
    Some(format!("{} is newer than {}: build it with `{}`", inside(&source), inside(&built), command_text(build)))
}

/// What `run` names in the bot's folder: a program, or what an interpreter is given.
pub(super) fn built_file(launch: &Launch) -> Option<PathBuf> {
    let inner = inner_launch(launch).ok()?;
    let Launch { argv, folder, .. } = inner.as_ref().unwrap_or(launch);
    let program = Path::new(argv.first()?).to_path_buf();
    let given = || script_of(argv).map(|script| folder.join(script));
    [Some(program), given()].into_iter().flatten().find(|file| file.starts_with(folder) && file.is_file())
}

/// When a file's content was last changed.
fn changed(about: &Metadata) -> (i64, i64) {
    (about.mtime(), about.mtime_nsec())
}

struct Newest {
    /// Seconds and nanoseconds.
    than: (i64, i64),
    file: Option<PathBuf>,
    left: usize,
}

impl Newest {
    fn look(&mut self, folder: &Path, deep: usize) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            let (name, path) = (entry.file_name(), entry.path());
            let name = name.to_string_lossy();
            // No link is followed.
            let Ok(about) = entry.metadata() else { continue };
            if name.starts_with('.') {
                continue;
            }
            if about.is_dir() {
                let others = NOT_ITS_OWN.contains(&&*name) || FOR_TESTS.contains(&&*name);
                if deep > 0 && !others {
                    self.look(&path, deep - 1);
                }
                continue;
            }
            let is_source = path.extension().is_some_and(|ending| SOURCES.iter().any(|source| ending == *source));
            if is_source && about.is_file() && changed(&about) > self.than {
                self.than = changed(&about);
                self.file = Some(path);
            }
        }
    }
}
