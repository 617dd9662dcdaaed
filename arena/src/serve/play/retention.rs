//! The transcripts of these matches, among the cups: where they are, and how many.

use super::Refusal;
use crate::tournament::folder::{TRANSCRIPTS, owner};
use crate::tournament::ledger::MATCHES;
use crate::tournament::roster::ENTRANTS;
use nix::sys::statvfs::statvfs;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The folder of these matches, among the cups.
pub(in crate::serve) const PLAYED: &str = "played";

/// So many transcripts are kept; the oldest go first. More than there are matches which the page remembers.
const KEPT: usize = 2000;

/// A match that begins finds so much room on the disk, in bytes.
const SPACE: u64 = 1024 * 1024;

/// Where the transcripts are, made on first use, with room for another one.
pub(super) fn folder(results: &Path) -> Result<PathBuf, Refusal> {
    let played = results.join(PLAYED);
    if [MATCHES, ENTRANTS].iter().any(|file| played.join(file).exists()) || owner(&played).is_some() {
        return Err(Refusal::ours(format!(
            "`{PLAYED}` is a cup's folder, so no match can be kept there: rename it, or serve another folder with --results"
        )));
    }
    let transcripts = played.join(TRANSCRIPTS);
    if [&played, &transcripts].iter().any(|folder| folder.is_symlink()) {
        return Err(Refusal::ours(format!("No match can be kept: `{PLAYED}` leads out of the folder of the cups.")));
    }
    let unusable =
        |error: &dyn std::fmt::Display| Refusal::ours(format!("No match can be kept in `{PLAYED}`: {error}"));
    fs::create_dir_all(&transcripts).map_err(|error| unusable(&error))?;
    let space = statvfs(&transcripts).map_err(|error| unusable(&error))?;
    if space.blocks_available() * space.fragment_size() < SPACE {
        return Err(unusable(&"the disk is full"));
    }
    Ok(transcripts)
}

/// Takes the oldest transcripts away where there are too many. Those that are live stay, and one that cannot be taken away.
pub(super) fn thin_out(transcripts: &Path, live: &[PathBuf]) {
    keep(transcripts, live, KEPT);
}

fn keep(transcripts: &Path, live: &[PathBuf], most: usize) {
    let Ok(entries) = fs::read_dir(transcripts) else { return };
    let paths = entries.flatten().map(|entry| entry.path());
    let paths: Vec<PathBuf> = paths.filter(|path| path.extension() == Some(OsStr::new("jsonl"))).collect();
    let Some(too_many @ 1..) = paths.len().checked_sub(most) else { return };
    let age = |path: &PathBuf| fs::symlink_metadata(path).map(|data| (data.mtime(), data.mtime_nsec())).ok();
    let over = paths.into_iter().filter(|path| !live.contains(path));
    let mut by_age: Vec<_> = over.filter_map(|path| age(&path).map(|age| (age, path))).collect();
    by_age.sort();
    for (_, path) in by_age.into_iter().take(too_many) {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::time::{Duration, SystemTime};

    #[test]
    fn the_oldest_transcripts_go_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for (age, name) in ["newest.jsonl", "new.jsonl", "old.jsonl", "oldest.jsonl", "ancient.txt"].iter().enumerate()
        {
            let file = File::create(at(name)).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(100 - age as u64)).unwrap();
        }
        keep(folder.path(), &[], 4);
        assert!(at("oldest.jsonl").exists(), "there are no more than may be kept");
        keep(folder.path(), &[at("oldest.jsonl")], 3);
        assert!(at("oldest.jsonl").exists() && !at("old.jsonl").exists(), "it is being played");
        keep(folder.path(), &[], 2);
        let left =
            ["newest.jsonl", "new.jsonl", "old.jsonl", "oldest.jsonl", "ancient.txt"].map(|name| at(name).exists());
        assert_eq!(left, [true, true, false, false, true]);
    }
}
