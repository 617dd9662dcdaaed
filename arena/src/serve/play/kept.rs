//! The transcripts of these matches, among the cups: where they are, and how many.

use super::Refusal;
use crate::tournament::folder::owner;
use crate::tournament::ledger::MATCHES;
use crate::tournament::roster::ENTRANTS;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The folder of these matches, among the cups.
pub(in crate::serve) const PLAYED: &str = "played";

/// So many transcripts are kept; the oldest go first. More than there are matches which the page remembers.
const KEPT: usize = 2000;

/// Where the transcripts are, made on first use.
pub(super) fn folder(results: &Path) -> Result<PathBuf, Refusal> {
    let played = results.join(PLAYED);
    if [MATCHES, ENTRANTS].iter().any(|file| played.join(file).exists()) || owner(&played).is_some() {
        return Err(Refusal::ours(format!(
            "{} is a cup's folder, so no match can be kept there: rename it, or serve another folder with --results",
            played.display()
        )));
    }
    let transcripts = played.join("transcripts");
    fs::create_dir_all(&transcripts)
        .map_err(|error| Refusal::ours(format!("{} cannot be made: {error}", transcripts.display())))?;
    Ok(transcripts)
}

/// Takes the oldest transcripts away where there are too many. One that cannot be taken away stays.
pub(super) fn thin_out(transcripts: &Path) {
    keep(transcripts, KEPT);
}

fn keep(transcripts: &Path, most: usize) {
    let Ok(entries) = fs::read_dir(transcripts) else { return };
    let paths = entries.flatten().map(|entry| entry.path());
    let paths: Vec<PathBuf> = paths.filter(|path| path.extension() == Some(OsStr::new("jsonl"))).collect();
    let Some(too_many @ 1..) = paths.len().checked_sub(most) else { return };
    let age = |path: &PathBuf| fs::symlink_metadata(path).map(|data| (data.mtime(), data.mtime_nsec())).ok();
    // A match that is being played was begun by one of the last: its transcript is none of the oldest.
    let mut by_age: Vec<_> = paths.into_iter().filter_map(|path| age(&path).map(|age| (age, path))).collect();
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
        keep(folder.path(), 4);
        assert!(at("oldest.jsonl").exists(), "there are no more than may be kept");
        keep(folder.path(), 2);
        let left =
            ["newest.jsonl", "new.jsonl", "old.jsonl", "oldest.jsonl", "ancient.txt"].map(|name| at(name).exists());
        assert_eq!(left, [true, true, false, false, true]);
    }
}
