//! Some entrants, the challengers, play everybody else; the others do not meet.
//!
//! Two challengers meet once, like any two of a round-robin: ids, seeds and seats are the same as there, so entrants,
//! pairs and challengers may be added later.

use super::round_robin::build_meetings;
use crate::tournament::{Entrant, Field, Format};

pub(super) fn build(field: &Field, challengers: &[Entrant]) -> Result<Box<dyn Format>, String> {
    let entrants = field.names.len();
    if challengers.is_empty() {
        let name = &field.names[0];
        return Err(format!(
            "gauntlet needs at least one challenger: name one of the bots, as in `challengers = [\"{name}\"]`"
        ));
    }
    if let Some(stranger) = challengers.iter().find(|&&entrant| entrant >= entrants) {
        return Err(format!(
            "gauntlet: challenger number {stranger} is not in the cup, which has entrants 0 to {}",
            entrants - 1
        ));
    }
    Ok(build_meetings(field, |players| players.iter().any(|player| challengers.contains(player))))
}
