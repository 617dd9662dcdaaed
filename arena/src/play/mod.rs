//! One match from the first start to the last farewell: the referee asks, the table answers, the recorder is told.

mod player;
mod reenact;
mod run;
mod verify;

pub use crate::transport::Program;
pub use player::{seat_person, seat_program, those_who_can_play_again};
pub use reenact::{Reenactment, Seen};
pub use run::{MatchPlan, play_match};
pub use verify::verify;
