//! A cup's folder: where its files are, who may write in it, and what commits a match.
//!
//! A match is committed by its finished transcript appearing under `transcripts/ID.jsonl`: it is written beside, under a
//! name of its own, and linked there when it is whole. The first one wins; whoever comes second throws its own away. So nothing that
//! is killed leaves half a match, and two writers cannot both be right.

use super::observations::reorder;
use crate::record::read_transcript;
use crate::record::rows::{RowReader, RowWriter};
use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// A cup's folder. Whoever holds this may write in it.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    _lock: Flock<File>,
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
        let system = |path: &Path| {
            let path = path.display().to_string();
            move |error| FolderError::System { path, error }
        };
        let transcripts = path.join("transcripts");
        fs::create_dir_all(&transcripts).map_err(system(&transcripts))?;
        let lock_path = path.join(".lock");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&lock_path)
            .map_err(system(&lock_path))?;
        let mut owner = String::new();
        let _ = file.read_to_string(&mut owner);
        let mut lock = lock_of(file, &owner).map_err(|lock| match lock {
            Errno::EWOULDBLOCK => FolderError::InUse { path: lock_path.display().to_string(), owner: owner.clone() },
            other => system(&lock_path)(other.into()),
        })?;
        // Only for people: the lock itself is the system's, and goes with the process.
        let _ = lock.set_len(0).and_then(|()| lock.rewind()).and_then(|()| write!(lock, "{}", std::process::id()));
        let folder = Folder { path: path.to_path_buf(), _lock: lock };
        folder.remove_unfinished().map_err(system(&transcripts))?;
        Ok(folder)
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
        self.path.join("transcripts").join(format!("{id}.jsonl"))
    }

    /// Where a match is written while it is played.
    pub fn unfinished(&self, id: &str) -> PathBuf {
        self.path.join("transcripts").join(format!("{UNFINISHED}{id}.jsonl"))
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

    /// Keeps a void attempt under a name of its own, `ID.void1` and so on, beside the matches that count.
    pub fn keep_void(&self, id: &str, name: &str) -> io::Result<()> {
        fs::rename(self.unfinished(id), self.transcript(name))
    }

    /// Writes a file of the folder, all at once.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut new = tempfile::NamedTempFile::new_in(&self.path)?;
        new.write_all(bytes)?;
        new.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
        new.persist(self.file(name)).map_err(|error| error.error)?;
        Ok(())
    }

    /// Takes the matches of these bots out of the record: transcripts go to `superseded/`, rows out of the file `rows`.
    /// How many there were.
    pub fn supersede(&self, rows: &str, bots: &[String]) -> Result<u64, String> {
        let aside = self.file("superseded");
        let failed = |path: &Path| {
            let path = path.display().to_string();
            move |error: io::Error| format!("{path}: {error}")
        };
        fs::create_dir_all(&aside).map_err(failed(&aside))?;
        let path = self.file(rows);
        let is_out = |names: [&str; 2]| bots.iter().any(|bot| names.contains(&bot.as_str()));
        let begun = path.with_extension("csv.new");
        let _ = fs::remove_file(&begun);
        let (mut writer, _) = RowWriter::open(&begun).map_err(failed(&begun))?;
        let mut kept = Vec::new();
        for (number, row) in (0..).zip(RowReader::open(&path).map_err(|error| error.to_string())?) {
            let row = row.map_err(|error| error.to_string())?;
            if !is_out([&row.bots[0], &row.bots[1]]) {
                writer.append(&row).map_err(failed(&begun))?;
                kept.push(number);
            }
        }
        // The transcripts go first: killed in between, their rows have no transcript and are named, not counted twice.
        let mut moved = 0;
        // What is moved while a folder is listed may be listed twice or not at all.
        let committed: io::Result<Vec<String>> = self.committed().and_then(Iterator::collect);
        for id in committed.map_err(failed(&self.path))? {
            let from = self.transcript(&id);
            let players = read_transcript(&from).map_err(|error| error.to_string())?.header.players;
            if is_out([&players[0].name, &players[1].name]) {
                fs::rename(&from, aside.join(format!("{id}.jsonl"))).map_err(failed(&from))?;
                let _ = fs::remove_dir_all(self.file("failures").join(&id));
                moved += 1;
            }
        }
        fs::rename(&begun, &path).map_err(failed(&path))?;
        reorder(&self.path, &kept)?;
        Ok(moved)
    }

    /// Forgets a match that was not finished.
    pub fn forget(&self, id: &str) {
        let _ = fs::remove_file(self.unfinished(id));
    }

    /// The ids of all committed matches, in no order, as the system lists them: none is looked up by itself.
    pub fn committed(&self) -> io::Result<impl Iterator<Item = io::Result<String>>> {
        let id = |entry: fs::DirEntry| {
            let name = entry.file_name().into_string().ok()?;
            let id = name.strip_suffix(".jsonl")?;
            (!id.starts_with(UNFINISHED) && !is_void(id)).then(|| id.to_string())
        };
        let entries = fs::read_dir(self.path.join("transcripts"))?;
        Ok(entries.filter_map(move |entry| entry.map(id).transpose()))
    }

    /// What an arena was writing when it was killed.
    fn remove_unfinished(&self) -> io::Result<()> {
        for entry in fs::read_dir(self.path.join("transcripts"))? {
            let entry = entry?;
            if entry.file_name().to_str().is_some_and(|name| name.starts_with(UNFINISHED)) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
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

/// A name begins so while its match is played. Names of entrants begin with a letter or digit, so no id does.
const UNFINISHED: &str = ".";

/// Whether a transcript's name is a void attempt's: `ID.void1`. The last part of an id is a number and a letter, so no id
/// is one.
pub(super) fn is_void(id: &str) -> bool {
    id.rsplit_once(".void")
        .is_some_and(|(_, number)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn committed(folder: &Folder) -> Vec<String> {
        folder.committed().unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn a_match_is_committed_once_and_the_first_one_counts() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::take(place.path()).unwrap();
        fs::write(folder.unfinished("a+b+1a"), "first").unwrap();
        assert!(folder.commit("a+b+1a").unwrap());
        fs::write(folder.unfinished("a+b+1a"), "second").unwrap();
        assert!(!folder.commit("a+b+1a").unwrap());
        assert_eq!(fs::read_to_string(folder.transcript("a+b+1a")).unwrap(), "first");
        assert_eq!(committed(&folder), ["a+b+1a"]);
    }

    #[test]
    fn void_attempts_and_what_was_unfinished_are_no_matches() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::take(place.path()).unwrap();
        fs::write(folder.unfinished("a+b+1a"), "void").unwrap();
        folder.keep_void("a+b+1a", "a+b+1a.void1").unwrap();
        fs::write(folder.unfinished("a+b+1b"), "half").unwrap();
        assert_eq!(committed(&folder), Vec::<String>::new());
        drop(folder);
        let folder = Folder::take(place.path()).unwrap();
        assert!(!folder.unfinished("a+b+1b").exists(), "what a killed arena left is removed");
        assert!(folder.transcript("a+b+1a.void1").exists());
    }

    #[test]
    fn a_folder_has_one_writer_and_a_dead_one_holds_nothing() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::take(place.path()).unwrap();
        let refused = Folder::take(place.path()).unwrap_err().to_string();
        assert!(refused.contains(".lock") && refused.contains(&std::process::id().to_string()), "{refused}");
        drop(folder);
        Folder::take(place.path()).unwrap();
    }
}
