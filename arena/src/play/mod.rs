//! One match from the first start to the last farewell: the referee asks, the table answers, the recorder is told.

mod continuation;
mod forfeit;
mod inquiry;
mod meter;
mod player;
mod reenact;
mod requests;
mod run;
mod trial;
mod verify;

pub mod fitness;

pub use crate::transport::Program;
pub use continuation::Continuation;
pub use forfeit::{Forfeit, Mistake};
pub use inquiry::{Came, Inquiry};
pub use meter::Sent;
pub use player::{player_record, seat_person, seat_program, seat_visitor, those_who_can_play_again, words_bot};
pub use reenact::{Reenactment, Seen, play_recorded, start_of};
pub use requests::{Asked, Requests};
pub use run::{MatchPlan, play_match};
pub use trial::{Bench, Kind, Observed, Trial, TrialError};
pub use verify::verify;
