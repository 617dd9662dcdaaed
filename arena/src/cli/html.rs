//! `arena replay TRANSCRIPT --html FILE`: a recorded match as a page.

use super::failure::Failure;
use super::matches::is_there_already;
use super::{DONE, output};
use crate::play::Reenactment;
use crate::record::Transcript;
use crate::report::replay_page;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Writes the page of a match into a new file; one that is there already is not touched.
pub(super) fn write(file: &Path, transcript: &Transcript, reenactment: &Reenactment<'_>) -> Result<u8, Failure> {
    let cannot = |error: std::io::Error| match error.kind() {
        ErrorKind::AlreadyExists => is_there_already(file),
        _ => Failure::new(format!("{}: the page cannot be written: {error}", file.display())),
    };
    let mut page = OpenOptions::new().write(true).create_new(true).open(file).map_err(cannot)?;
    if let Err(error) = page.write_all(replay_page(transcript, reenactment).as_bytes()) {
        // Half a page would be in the way of the next attempt.
        let _ = fs::remove_file(file);
        return Err(cannot(error));
    }
    output::line(&file.display().to_string())?;
    Ok(DONE)
}
