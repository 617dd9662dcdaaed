//! What the rows of a cup are observations of, noted beside them: a record each of 16 bytes, in the order of the rows, so that
//! both are read in one pass and none is looked up. A record names its row by the hash of the id; where it does not fit, as
//! after a row was taken out by hand, nothing is known, and the transcript tells it again: the file is only for speed.

use super::folder::open_own;
use crate::files::open_regular;
use crate::seed::{HASH_OF_NOTHING, hash};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// The file in a cup's folder.
pub const OBSERVATIONS: &str = ".observations";

/// The bytes of a record: the hash of the row's id and that of the observation, both little-endian. Zeroes know nothing.
const RECORD: usize = 16;

/// The writer of the file.
pub struct ObservationWriter(File);

impl ObservationWriter {
    /// Opens the file of a cup's folder, or begins it.
    pub fn open(folder: &Path) -> Result<ObservationWriter, String> {
        let path = folder.join(OBSERVATIONS);
        let file = open_own(&mut OpenOptions::new(), &path);
        file.map(ObservationWriter).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Notes what the row with this number (from 0) and id is an observation of.
    pub fn note(&self, number: usize, id: &str, observation: u64) -> Result<(), String> {
        let mut record = [0; RECORD];
        record[..8].copy_from_slice(&key(id).to_le_bytes());
        record[8..].copy_from_slice(&observation.to_le_bytes());
        let written = self.0.write_all_at(&record, (number * RECORD) as u64);
        written.map_err(|error| format!("{OBSERVATIONS}: {error}"))
    }
}

/// What is noted of the rows of a cup, row by row.
pub struct Observations(Option<BufReader<File>>);

impl Observations {
    /// Begins at the first row. A file that is not there knows nothing.
    pub fn open(folder: &Path) -> Observations {
        Observations(open_regular(&folder.join(OBSERVATIONS)).ok().map(BufReader::new))
    }

    /// What the next row is an observation of; it has this id.
    pub fn next(&mut self, id: &str) -> Option<u64> {
        let mut record = [0; RECORD];
        self.0.as_mut()?.read_exact(&mut record).ok()?;
        let word = |at: usize| u64::from_le_bytes(record[at..at + 8].try_into().expect("a record has two words"));
        (word(0) == key(id)).then(|| word(8))
    }
}

/// Puts the records of a folder, where there are any, in the order of the rows: `order` has the old numbers of the rows in
/// their new order.
pub(super) fn reorder(folder: &Path, order: &[u32]) -> Result<(), String> {
    let path = folder.join(OBSERVATIONS);
    let unless_missing = |error: io::Error| if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) };
    reorder_file(folder, &path, order).or_else(unless_missing).map_err(|error| format!("{}: {error}", path.display()))
}

fn reorder_file(folder: &Path, path: &Path, order: &[u32]) -> io::Result<()> {
    let old = open_regular(path)?;
    let mut new = io::BufWriter::new(tempfile::NamedTempFile::new_in(folder)?);
    for number in order {
        let mut record = [0; RECORD];
        // Past the end nothing was noted.
        let _ = old.read_exact_at(&mut record, u64::from(*number) * RECORD as u64);
        new.write_all(&record)?;
    }
    new.into_inner().map_err(io::Error::from)?.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// The hash of an id.
pub(super) fn key(id: &str) -> u64 {
    hash(HASH_OF_NOTHING, id.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_noted_is_read_with_its_rows_and_never_for_another_row() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Observations::open(folder.path()).next("a"), None, "there is no file");
        let writer = ObservationWriter::open(folder.path()).unwrap();
        writer.note(0, "a", 1).unwrap();
        writer.note(2, "c", 3).unwrap();
        let read = |ids: &[&str]| {
            let mut observations = Observations::open(folder.path());
            ids.iter().map(|id| observations.next(id)).collect::<Vec<_>>()
        };
        assert_eq!(read(&["a", "b", "c", "d"]), [Some(1), None, Some(3), None]);
        assert_eq!(
            read(&["a", "c"]),
            [Some(1), None],
            "the row of b was taken out: the third record is not c's any more"
        );
        reorder(folder.path(), &[2, 3, 1, 0]).unwrap();
        assert_eq!(read(&["c", "d", "b", "a"]), [Some(3), None, None, Some(1)]);
    }
}
