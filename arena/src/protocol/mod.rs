//! Protocol 1: what the arena and a bot write to each other, one JSON object a line.
//!
//! One line becomes one message and one message one line, with a reason wherever a line is no message. Nothing here
//! knows a process, a clock or a game: whoever calls says what is awaited, and judges what was heard.

pub mod bot;

mod explain;
mod json;
mod read;
mod result;
#[cfg(test)]
mod tests;
mod write;

pub use explain::{expected, malformed_move, shown};
pub use json::strict_value;
pub use read::{Expect, Heard, NOTE_LIMIT, read_line};
pub use result::{read_result, result_json};
pub use write::{ClockLine, Since, Start, Turn, TurnClock, write_end, write_start, write_turn};

/// The number of this protocol, as `start` tells it.
pub const VERSION: u32 = 1;
