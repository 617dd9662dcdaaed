//! `arena tournament feedback DIR --to OUT`: what each entrant of a cup is handed back.

use super::failure::Failure;
use super::{DONE, output};

use crate::config::played_in;
use crate::tournament::feedback::{incomplete, write_feedback};
use crate::tournament::formats;
use std::path::Path;

/// Writes a folder an entrant of the results in `dir` into `to`, which must not be there yet.
pub(super) fn run(dir: &Path, to: &Path) -> Result<u8, Failure> {
    // A folder that does not tell what was to be played is handed back all the same.
    let planned = played_in(dir).and_then(|setup| formats::build(&setup.plan, &setup.field)).ok();
    let planned = planned.and_then(|format| format.planned());
    let feedback = write_feedback(dir, to, planned).map_err(Failure::new)?;
    let (entrants, matches) = (feedback.entrants, feedback.matches);
    output::line(&format!("{}: {entrants} folders, one an entrant, from {matches} matches", to.display()))?;
    if let Some(incomplete) = incomplete(matches, planned) {
        output::complain(&format!("note: {incomplete}"));
    }
    Ok(DONE)
}
