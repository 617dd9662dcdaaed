//! A cup's folder: where its files are, who may write in it, and what commits a match.
//!
//! A match is committed by its finished transcript appearing under `transcripts/ID.jsonl`: it is written beside, under a
//! name of its own, and linked there when it is whole. The first one wins; whoever comes second throws its own away. So nothing that
//! is killed leaves half a match, and two writers cannot both be right.

use super::observations::reorder;
use crate::files::{open_regular_with, read_regular_text};
use crate::record::read_transcript;
use crate::record::rows::{RowReader, RowWriter};
use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// A match that the machine disturbed is tried so often in all; then it stays void.
pub const TRIES: u32 = 3;

/// A cup's folder. Whoever holds this may write in it. Until the cup has [begun](Folder::begin) it takes away with itself
/// what it has made, so that a cup that is refused leaves nothing.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Folders and the lock's file, as far as they were not there before.
    made: Vec<PathBuf>,
    lock: Flock<File>,
}

/// Which matches are taken out of the record.
#[derive(Clone, Copy, Debug)]
pub enum Out<'a> {
    /// All of these bots.
    Bots(&'a [String]),
    /// Those with these ids.
    Matches(&'a BTreeSet<String>),
}

/// Why a folder cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Somebody else is writing in it.
    #[error("{path} is in use by process {owner}: wait for it, or end it")]
    InUse {
        /// The lock's file.
        path: String,
        /// The process that holds it, as it wrote itself down.
        owner: String,
    },
    /// The system refused.
    #[error("{path}: {error}")]
    System {
        /// What was to be made or opened.
        path: String,
        /// The system's word.
        error: io::Error,
    },
}

impl Folder {
    /// Takes a folder for one cup, made where it is not there. A lock whose owner has died is free.
    pub fn take(path: &Path) -> Result<Folder, FolderError> {
        // Whoever is refused takes away what he made, the lock's file as well: a lock on that is a lock on nothing.
        for _ in 0..TAKES {
            if let Some(folder) = Folder::try_to_take(path)? {
                return Ok(folder);
            }
        }
        Err(FolderError::InUse { path: path.join(LOCK).display().to_string(), owner: "(several)".to_string() })
    }

    /// `None` when the lock's file is not there any more by the time that it is locked.
    fn try_to_take(path: &Path) -> Result<Option<Folder>, FolderError> {
        let missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let mut made: Vec<PathBuf> = path.ancestors().take_while(missing).map(Path::to_path_buf).collect();
        made.reverse();
        fs::create_dir_all(path).map_err(system(path))?;
        let lock_path = path.join(LOCK);
        if !lock_path.exists() {
            made.push(lock_path.clone());
        }
        let mut file = match open_own(OpenOptions::new().read(true), &lock_path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(system(&lock_path))?,
        };
        let mut owner = String::new();
        let _ = file.read_to_string(&mut owner);
        let mut lock = lock_of(file, &owner).map_err(|lock| match lock {
            Errno::EWOULDBLOCK => FolderError::InUse { path: lock_path.display().to_string(), owner: owner.clone() },
            other => system(&lock_path)(other.into()),
        })?;
        let inode = |data: io::Result<fs::Metadata>| data.ok().map(|data| data.ino());
        if inode(fs::metadata(&lock_path)) != inode(lock.metadata()) {
            return Ok(None);
        }
        // Only for people: the lock itself is the system's, and goes with the process.
        let _ = lock.set_len(0).and_then(|()| lock.rewind()).and_then(|()| write!(lock, "{}", std::process::id()));
        Ok(Some(Folder { path: path.to_path_buf(), made, lock }))
    }

    /// The cup begins, or goes on: from here on what is in the folder stays. What a killed arena was writing is removed.
    pub fn begin(&mut self) -> Result<(), FolderError> {
        let transcripts = self.path.join(TRANSCRIPTS);
        fs::create_dir_all(&transcripts).and_then(|()| self.remove_unfinished()).map_err(system(&transcripts))?;
        self.made.clear();
        Ok(())
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Where a committed match is.
    pub fn transcript(&self, id: &str) -> PathBuf {
        self.path.join(TRANSCRIPTS).join(format!("{id}.jsonl"))
    }

    /// Where a match is written while it is played.
    pub fn unfinished(&self, id: &str) -> PathBuf {
        self.path.join(TRANSCRIPTS).join(format!("{UNFINISHED}{id}.jsonl"))
    }

    /// Commits a match. False when it was there already: the one that was first counts.
    pub fn commit(&self, id: &str) -> io::Result<bool> {
        let unfinished = self.unfinished(id);
        let linked = match fs::hard_link(&unfinished, self.transcript(id)) {
            Ok(()) => true,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => false,
            Err(error) => return Err(error),
        };
        fs::remove_file(&unfinished)?;
        Ok(linked)
    }

    /// Keeps a void attempt under a name of its own, `ID.void1` and so on, beside the matches that count. The number of
    /// this attempt, from 1, those of earlier runs counted.
    pub fn keep_void(&self, id: &str) -> io::Result<u32> {
        let is_free = |attempt: &u32| !self.transcript(&void_name(id, *attempt)).exists();
        let attempt = (1..).find(is_free).expect("there are more numbers than files");
        fs::rename(self.unfinished(id), self.transcript(&void_name(id, attempt)))?;
        Ok(attempt)
    }

    /// Writes a file of the folder, all at once.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        if self.file(name).is_dir() {
            return Err(io::Error::other("it is a folder, not a regular file: take it away, and it is made again"));
        }
        let mut new = tempfile::NamedTempFile::new_in(&self.path)?;
        new.write_all(bytes)?;
        new.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
        new.persist(self.file(name)).map_err(|error| error.error)?;
        Ok(())
    }

    /// Takes matches out of the record: transcripts go to `superseded/`, rows out of the file `rows`. How many there were.
    pub fn supersede(&self, rows: &str, out: Out<'_>) -> Result<u64, String> {
        let aside = self.file(SUPERSEDED);
        let failed = |path: &Path| {
            let path = path.display().to_string();
            move |error: io::Error| format!("{path}: {error}")
        };
        fs::create_dir_all(&aside).map_err(failed(&aside))?;
        let path = self.file(rows);
        let begun = path.with_extension("csv.new");
        let _ = fs::remove_file(&begun);
        let (mut writer, _) = RowWriter::open(&begun).map_err(failed(&begun))?;
        let mut kept = Vec::new();
        for (number, row) in (0..).zip(RowReader::open(&path).map_err(|error| error.to_string())?) {
            let row = row.map_err(|error| error.to_string())?;
            let is_out = match out {
                Out::Bots(bots) => row.bots.iter().any(|bot| bots.contains(bot)),
                Out::Matches(ids) => ids.contains(&row.id),
            };
            if !is_out {
                writer.append(&row).map_err(failed(&begun))?;
                kept.push(number);
            }
        }
        // The transcripts go first: killed in between, their rows have no transcript and are named, not counted twice.
        let mut moved = 0;
        let names: Result<Vec<String>, io::Error> = self.transcripts().and_then(Iterator::collect);
        for name in names.map_err(failed(&self.path))? {
            let from = self.transcript(&name);
            let is_out = match out {
                Out::Bots(bots) => {
                    let header = read_transcript(&from).map_err(|error| error.to_string())?.header;
                    header.players.iter().any(|player| bots.contains(&player.name))
                }
                Out::Matches(ids) => ids.contains(match_of(&name)),
            };
            if is_out {
                fs::rename(&from, free_name(&aside, &name)).map_err(failed(&from))?;
                let _ = fs::remove_dir_all(self.file("failures").join(&name));
                moved += u64::from(!is_void(&name));
            }
        }
        fs::rename(&begun, &path).map_err(failed(&path))?;
        reorder(&self.path, &kept)?;
        Ok(moved)
    }

    /// Whether matches were taken out of the record, this one among them.
    pub fn has_superseded(&self, id: &str) -> bool {
        self.file(SUPERSEDED).join(format!("{id}.jsonl")).exists()
    }

    /// Whether any matches were taken out of the record.
    pub fn has_superseded_any(&self) -> bool {
        self.file(SUPERSEDED).is_dir()
    }

    /// Forgets a match that was not finished.
    pub fn forget(&self, id: &str) {
        let _ = fs::remove_file(self.unfinished(id));
    }

    /// The names of all transcripts, void attempts among them, in no order: of those that count it is the match's id.
    pub fn transcripts(&self) -> io::Result<impl Iterator<Item = io::Result<String>>> {
        let whole = |entry: io::Result<fs::DirEntry>| {
            let name = entry.map(|entry| entry.file_name().into_string());
            let whole = |name: String| Some(name.strip_suffix(".jsonl")?.to_string());
            name.map(|name| name.ok().and_then(whole).filter(|name| !name.starts_with(UNFINISHED))).transpose()
        };
        Ok(fs::read_dir(self.path.join(TRANSCRIPTS))?.filter_map(whole))
    }

    /// What an arena was writing when it was killed.
    fn remove_unfinished(&self) -> io::Result<()> {
        for (folder, prefix) in [(self.path.clone(), ".tmp"), (self.file("failures"), ".new-")] {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix)) {
                    let _ = fs::remove_file(entry.path()).or_else(|_| fs::remove_dir_all(entry.path()));
                }
            }
        }
        for entry in fs::read_dir(self.path.join(TRANSCRIPTS))? {
            let entry = entry?;
            let is_file = entry.file_type().is_ok_and(|kind| !kind.is_dir());
            if is_file && entry.file_name().to_str().is_some_and(|name| name.starts_with(UNFINISHED)) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

/// The process that is writing in a cup's folder just now, as far as can be told without getting in its way.
pub fn owner(folder: &Path) -> Option<u32> {
    let pid = read_regular_text(&folder.join(LOCK)).ok()?.trim().parse().ok()?;
    Path::new("/proc").join(format!("{pid}")).exists().then_some(pid)
}

/// The ids of the matches that are being played in a cup's folder just now, in the order of their names. Which they are is only
/// known of a folder that has an [`owner`].
pub fn being_played(folder: &Path) -> Vec<String> {
    let id = |entry: io::Result<fs::DirEntry>| {
        let name = entry.ok()?.file_name().into_string().ok()?;
        Some(name.strip_prefix(UNFINISHED)?.strip_suffix(".jsonl")?.to_string())
    };
    let mut ids: Vec<String> = fs::read_dir(folder.join(TRANSCRIPTS)).into_iter().flatten().filter_map(id).collect();
    ids.sort();
    ids
}

/// A name in this folder that no file has: a match may be played again more than once.
fn free_name(folder: &Path, name: &str) -> PathBuf {
    let numbered = (2..).map(|number: u32| folder.join(format!("{name}.{number}.jsonl")));
    let mut names = std::iter::once(folder.join(format!("{name}.jsonl"))).chain(numbered);
    names.find(|path| path.symlink_metadata().is_err()).expect("numbers do not end")
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nobody has it any more; what was made for nothing goes as long as nobody else can take it.
        let _ = self.lock.set_len(0);
        for path in self.made.iter().rev() {
            let _ = if path.is_dir() { fs::remove_dir(path) } else { fs::remove_file(path) };
        }
    }
}

fn system(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.display().to_string();
    move |error| FolderError::System { path, error }
}

/// Opens a file that only the arena reads, to be written too, and made where it is not there.
///
/// # Errors
/// The system's; of what is no regular file also the way out.
pub fn open_own(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    open_regular_with(options.write(true).create(true), path).map_err(|error| match error.kind() {
        ErrorKind::InvalidInput => io::Error::new(error.kind(), format!("{error}: take it away, and it is made again")),
        _ => error,
    })
}

/// The lock on an open file. `owner` is who wrote himself down in it last.
fn lock_of(mut file: File, owner: &str) -> Result<Flock<File>, Errno> {
    // A bot that was just being started when its arena was killed holds the lock until it is a program of its own: an
    // owner that is dead is waited for, an instant as a rule, 2 s at most.
    const STEP: Duration = Duration::from_millis(10);
    let is_dead = !owner.is_empty() && !Path::new("/proc").join(owner).exists();
    for _ in 0..if is_dead { 200 } else { 0 } {
        match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Err((same, Errno::EWOULDBLOCK)) => file = same,
            other => return other.map_err(|(_, error)| error),
        }
        thread::sleep(STEP);
    }
    Flock::lock(file, FlockArg::LockExclusiveNonblock).map_err(|(_, error)| error)
}

/// The file that tells what is played.
pub const CUP: &str = "cup.toml";

/// The table of all bots.
pub const STANDINGS: &str = "standings.csv";

/// The lock's file.
pub const LOCK: &str = ".lock";

/// Where matches are that were taken out of the record.
const SUPERSEDED: &str = "superseded";

/// Where the matches are.
pub const TRANSCRIPTS: &str = "transcripts";

/// So often a folder is tried whose lock's file is taken away meanwhile.
const TAKES: u32 = 10;

/// A name begins so while its match is played. Names of entrants begin with a letter or digit, so no id does.
const UNFINISHED: &str = ".";

/// What a void attempt's transcript is called.
pub(super) fn void_name(id: &str, attempt: u32) -> String {
    format!("{id}.void{attempt}")
}

/// The id of the match that a transcript's name is of, of a void attempt too.
fn match_of(name: &str) -> &str {
    name.rsplit_once(".void").filter(|_| is_void(name)).map_or(name, |(id, _)| id)
}

/// Whether a transcript's name is a void attempt's: `ID.void1`. The last part of an id is a number and a letter, so no id
/// is one.
pub fn is_void(id: &str) -> bool {
    id.rsplit_once(".void")
        .is_some_and(|(_, number)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun(path: &Path) -> Folder {
        let mut folder = Folder::take(path).unwrap();
        folder.begin().unwrap();
        folder
    }

    fn names(folder: &Folder) -> Vec<String> {
        folder.transcripts().unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn a_match_is_committed_once_and_the_first_one_counts() {
        let place = tempfile::tempdir().unwrap();
        let folder = begun(place.path());
        fs::write(folder.unfinished("a+b+1a"), "first").unwrap();
        assert!(folder.commit("a+b+1a").unwrap());
        fs::write(folder.unfinished("a+b+1a"), "second").unwrap();
        assert!(!folder.commit("a+b+1a").unwrap());
        assert_eq!(fs::read_to_string(folder.transcript("a+b+1a")).unwrap(), "first");
        assert_eq!(names(&folder), ["a+b+1a"]);
    }

    #[test]
    fn void_attempts_are_numbered_over_all_runs_and_what_was_unfinished_is_removed() {
        let place = tempfile::tempdir().unwrap();
        let folder = begun(place.path());
        for attempt in 1..=2 {
            fs::write(folder.unfinished("a+b+1a"), format!("void {attempt}")).unwrap();
            assert_eq!(folder.keep_void("a+b+1a").unwrap(), attempt);
        }
        fs::write(folder.unfinished("a+b+1b"), "half").unwrap();
        drop(folder);
        let folder = begun(place.path());
        assert!(!folder.unfinished("a+b+1b").exists(), "what a killed arena left is removed");
        fs::write(folder.unfinished("a+b+1a"), "void 3").unwrap();
        assert_eq!(folder.keep_void("a+b+1a").unwrap(), 3);
        let mut names = names(&folder);
        names.sort();
        assert_eq!(names, ["a+b+1a.void1", "a+b+1a.void2", "a+b+1a.void3"]);
        assert_eq!(fs::read_to_string(folder.transcript("a+b+1a.void1")).unwrap(), "void 1");
        assert!(names.iter().all(|name| is_void(name)) && !is_void("a+b+1a"));
    }

    #[test]
    fn what_is_set_aside_more_than_once_is_kept_each_time() {
        let place = tempfile::tempdir().unwrap();
        for number in 1..=3 {
            fs::write(free_name(place.path(), "a+b+1a"), number.to_string()).unwrap();
        }
        let read = |name: &str| fs::read_to_string(place.path().join(name)).unwrap();
        assert_eq!([read("a+b+1a.jsonl"), read("a+b+1a.2.jsonl"), read("a+b+1a.3.jsonl")], ["1", "2", "3"]);
    }

    #[test]
    fn a_folder_has_one_writer_and_a_dead_one_holds_nothing() {
        let place = tempfile::tempdir().unwrap();
        let folder = begun(place.path());
        let refused = Folder::take(place.path()).unwrap_err().to_string();
        assert!(refused.contains(".lock") && refused.contains(&std::process::id().to_string()), "{refused}");
        drop(folder);
        Folder::take(place.path()).unwrap();
    }

    #[test]
    fn what_does_not_begin_leaves_what_was_there_and_no_more() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("results/cup");
        drop(Folder::take(&path).unwrap());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);

        let folder = Folder::take(&path).unwrap();
        fs::create_dir(folder.file("builds")).unwrap();
        drop(folder);
        let left: Vec<_> = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["builds"]);

        let folder = begun(&path);
        fs::write(folder.unfinished("a+b+1a"), "half").unwrap();
        drop(folder);
        drop(Folder::take(&path).unwrap());
        assert!(path.join(LOCK).exists() && path.join(TRANSCRIPTS).join(".a+b+1a.jsonl").exists());
    }
}
