//! `arena tournament feedback DIR --to OUT`: what each entrant of a cup is handed back.

use super::failure::Failure;
use super::{DONE, output};
use crate::tournament::feedback::write_feedback;
use std::path::Path;

/// Writes a folder an entrant of the results in `dir` into `to`, which must not be there yet.
pub(super) fn run(dir: &Path, to: &Path) -> Result<u8, Failure> {
    let feedback = write_feedback(dir, to).map_err(Failure::new)?;
    let (entrants, matches) = (feedback.entrants, feedback.matches);
    output::line(&format!("{}: {entrants} folders, one an entrant, from {matches} matches", to.display()))?;
    Ok(DONE)
}
