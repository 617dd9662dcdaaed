//! One match from the first start to the last farewell: the referee asks, the table answers, the recorder is told.

mod reenact;
mod run;
mod verify;

pub use reenact::{Reenactment, Seen};
pub use run::{MatchPlan, play_match};
pub use verify::verify;
