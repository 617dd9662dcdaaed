//! Filing a version: prepared out of sight in the same folder, then renamed to its place, whole or not at all. Versions count up, also when
//! several are filed at the same moment: a rename onto a folder with something in it fails, and the next number is tried.

use super::{numbers, user_name};
use nix::unistd::Uid;
use std::fs::{self, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What is being prepared begins so: a name never does.
const INCOMING: &str = ".incoming-";

/// The bit of a folder whose group what is made in it gets.
const SET_GROUP: u32 = 0o2000;

/// A version in preparation. What is not filed goes with this value.
#[derive(Debug)]
pub struct Incoming {
    dir: PathBuf,
    place: TempDir,
    entry: PathBuf,
}

impl Incoming {
    /// Begins a version in a folder of submissions, which has to be there.
    pub fn begin(dir: &Path) -> Result<Incoming, String> {
        if !dir.is_dir() {
            return Err(format!(
                "there is no folder {}: whoever runs the cup makes it (`mkdir -m 1777 DIR` lets everybody file there)",
                dir.display()
            ));
        }
        let failed = |error: io::Error| format!("nothing can be filed in {}: {error}", dir.display());
        let place = tempfile::Builder::new().prefix(INCOMING).tempdir_in(dir).map_err(failed)?;
        let entry = place.path().join("entry");
        make_folder(&entry, 0o755).map_err(failed)?;
        Ok(Incoming { dir: dir.to_path_buf(), place, entry })
    }

    /// Where the version is prepared: this folder becomes `DIR/NAME/VERSION`.
    pub fn entry(&self) -> &Path {
        &self.entry
    }

    /// Files it under a name. Its number.
    ///
    /// # Errors
    /// The name is somebody else's, or the system refused: a sentence.
    pub fn file(self, name: &str) -> Result<u32, String> {
        let shelf = claim(&self.dir, name)?;
        let mut number = numbers(&shelf).into_iter().max().unwrap_or(0);
        loop {
            number = number.checked_add(1).ok_or_else(|| format!("{} has no number left", shelf.display()))?;
            let place = shelf.join(number.to_string());
            match fs::rename(&self.entry, &place) {
                Ok(()) => break,
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::AlreadyExists | ErrorKind::DirectoryNotEmpty | ErrorKind::NotADirectory
                    ) => {}
                Err(error) => return Err(format!("{} cannot be filed: {error}", place.display())),
            }
        }
        drop(self.place);
        Ok(number)
    }
}

/// Refuses a name that is somebody else's, or that differs from a filed one in capitals only.
pub fn check_owner(dir: &Path, name: &str) -> Result<(), String> {
    // Who may not list the folder files there all the same.
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let Ok(other) = entry.file_name().into_string() else { continue };
        if other != name && other.eq_ignore_ascii_case(name) {
            return Err(format!(
                "the name {other} is taken in {}, and capitals make no difference: take another name",
                dir.display()
            ));
        }
    }
    let shelf = dir.join(name);
    match shelf.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(format!("{}: {error}", shelf.display())),
        Ok(about) if !about.is_dir() => Err(format!("{} is no folder: take another name", shelf.display())),
        Ok(about) if about.uid() != Uid::effective().as_raw() => Err(format!(
            "the name {name} belongs to {}, who filed it first in {}: take another name (--name); whoever runs the cup can hand it over",
            user_name(about.uid()),
            dir.display()
        )),
        Ok(_) => Ok(()),
    }
}

/// The folder of a name, made where it is not there; ours.
fn claim(dir: &Path, name: &str) -> Result<PathBuf, String> {
    check_owner(dir, name)?;
    let shelf = dir.join(name);
    // Where files get the folder's group, that group reads them and other students do not.
    let apart = dir.metadata().is_ok_and(|about| about.mode() & SET_GROUP != 0);
    match make_folder(&shelf, if apart { 0o750 } else { 0o755 }) {
        Ok(()) => Ok(shelf),
        // Somebody was quicker: another process of ours, or somebody else.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => check_owner(dir, name).map(|()| shelf),
        Err(error) => Err(format!("{} cannot be made: {error}", shelf.display())),
    }
}

/// Makes a folder with just these rights, whatever the caller's mask is.
pub(super) fn make_folder(path: &Path, mode: u32) -> io::Result<()> {
    fs::DirBuilder::new().mode(mode).create(path)?;
    fs::set_permissions(path, Permissions::from_mode(mode))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn file_one(dir: &Path, name: &str) -> Result<u32, String> {
        let incoming = Incoming::begin(dir).unwrap();
        fs::write(incoming.entry().join("what"), name).unwrap();
        incoming.file(name)
    }

    #[test]
    fn versions_count_up_also_when_many_file_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let mut numbers: Vec<u32> = thread::scope(|scope| {
            let all: Vec<_> = (0..8)
                .map(|_| scope.spawn(|| (0..5).map(|_| file_one(dir.path(), "mine").unwrap()).collect::<Vec<_>>()))
                .collect();
            all.into_iter().flat_map(|one| one.join().unwrap()).collect()
        });
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=40).collect::<Vec<_>>());
        let left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["mine"], "nothing that was prepared is left");
    }

    #[test]
    fn a_name_is_one_whatever_its_capitals_and_a_gap_is_never_filled() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(file_one(dir.path(), "Mine"), Ok(1));
        assert_eq!(file_one(dir.path(), "Mine"), Ok(2));
        fs::remove_dir_all(dir.path().join("Mine/1")).unwrap();
        assert_eq!(file_one(dir.path(), "Mine"), Ok(3));
        let refused = file_one(dir.path(), "mine").unwrap_err();
        assert!(refused.contains("the name Mine is taken"), "{refused}");
        fs::write(dir.path().join("other"), "").unwrap();
        assert!(file_one(dir.path(), "other").unwrap_err().contains("is no folder"));
    }
}
