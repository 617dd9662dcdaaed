//! Protocol 1: what the arena and a bot write to each other, one JSON object a line.
//!
//! One line becomes one message and one message one line, with a reason wherever a line is no message. Nothing here
//! knows a process, a clock or a game: whoever calls says what is awaited, and judges what was heard.
//!
//! # One exchange
//!
//! The arena's lines are marked `>`, the bot's `<`.
//!
//! ```text
//! > {"type":"start","protocol":1,"game":"nim","params":{"piles":3},"seat":1,"players":["ann","bob"],"seed":8123,"match":"m1",
//!    "clock":{"start_ms":10000,"move_ms":1000,"game_ms":null,"increment_ms":0}}
//! < {"type":"ready"}
//! > {"type":"turn","turn":1,"seat":1,"state":[3,5,0],"since":[{"turn":0,"seat":0,"move":[2,7]}],"legal":[[0,1],[1,1]],
//!    "clock":{"limit_ms":1000,"move_ms":1000,"left_ms":null}}
//! < {"turn":1,"move":[0,1],"note":{"eval":0.5}}
//! > {"type":"end","result":{"winner":0,"scores":[1,0],"reason":"finished","detail":null,"at_fault":null},
//!    "since":[{"turn":1,"seat":1,"move":[0,1]},{"turn":2,"seat":0,"move":[1,5]}]}
//! ```
//!
//! Each message is one line; only this page breaks them. The same exchange, as the arena does it:
//!
//! ```
//! use arena::protocol::{self, ClockLine, Expect, Heard, Since, Start, Turn, TurnClock};
//! use arena::seat::Seat;
//! use arena::verdict::{Reason, Verdict};
//!
//! let params = serde_json::Map::from_iter([("piles".to_owned(), serde_json::json!(3))]);
//! let mut line = Vec::new();
//! protocol::write_start(&mut line, &Start {
//!     game: "nim",
//!     params: &params,
//!     seat: Seat::Second,
//!     players: ["ann", "bob"],
//!     seed: 8123,
//!     match_id: "m1",
//!     clock: ClockLine { start_ms: Some(10_000), move_ms: Some(1000), game_ms: None, increment_ms: 0 },
//! });
//! // … the line is sent, and a first line comes back:
//! let heard = protocol::read_line(br#"{"type":"ready"}"#, true, &Expect::Ready { match_id: "m1", again: false });
//! assert_eq!(heard, Heard::Ready { reuse: false });
//!
//! let mut since = Since::new();
//! since.push(0, Seat::First, Some("[2,7]"));
//! line.clear();
//! protocol::write_turn(&mut line, &Turn {
//!     turn: 1,
//!     seat: Seat::Second,
//!     clock: TurnClock { limit_ms: Some(1000), move_ms: Some(1000), left_ms: None },
//!     since: &since,
//!     write_state: &|out| out.extend_from_slice(b"[3,5,0]"),
//!     write_legal: Some(&|out| out.extend_from_slice(b"[[0,1],[1,1]]")),
//! });
//! assert!(line.starts_with(br#"{"type":"turn","turn":1,"seat":1,"state":[3,5,0],"since":[{"turn":0,"#));
//!
//! let expect = Expect::Move { match_id: "m1", turn: 1 };
//! assert_eq!(protocol::read_line(b"thinking...", false, &expect), Heard::Stray);
//! assert_eq!(protocol::read_line(br#"{"turn":0,"move":[1,1]}"#, false, &expect), Heard::Stale);
//! let heard = protocol::read_line(br#"{"turn":1,"move":[0,1],"note":{"eval":0.5}}"#, false, &expect);
//! let note = Some(r#"{"eval":0.5}"#.to_owned());
//! assert_eq!(heard, Heard::Move { mv: serde_json::json!([0, 1]), note, note_dropped: None });
//!
//! since.clear(); // the bot has been told; its own move as it was accepted is the first thing that it hears next
//! since.push(1, Seat::Second, Some("[0,1]"));
//! since.push(2, Seat::First, Some("[1,5]"));
//! let verdict = Verdict {
//!     winner: Some(Seat::First),
//!     scores: [1, 0],
//!     reason: Reason::Finished,
//!     detail: None,
//!     at_fault: None,
//!     invalid: None,
//! };
//! line.clear();
//! protocol::write_end(&mut line, &verdict, &since);
//! assert!(line.ends_with(b"\n"));
//! ```
//!
//! # How a bot's line is judged
//!
//! | the line | is |
//! |---|---|
//! | nothing but spaces | [`Heard::Blank`] |
//! | does not begin with `{` | [`Heard::Stray`] |
//! | anything else while nothing is awaited | [`Heard::Stale`] |
//! | an answer to an earlier turn, or one that names another match | [`Heard::Stale`] |
//! | to a later `start` of the same process: anything but its `ready` | [`Heard::Stale`] |
//! | broken JSON, a key twice, wrong `type`, no or a later `turn`, no `move`, something else than `ready` | [`Heard::Malformed`] |
//! | what is awaited | [`Heard::Ready`] or [`Heard::Move`] |
//!
//! Spaces, tabs and carriage returns around the object count for nothing, nor does a byte order mark before a bot's
//! first line. The whole line is read strictly, parts that mean nothing to the arena included: what the transcript
//! keeps must be readable by everyone, and in one way only.

pub mod bot;
pub mod words;

mod explain;
mod json;
mod read;
mod result;
mod syntax;
#[cfg(test)]
mod tests;
mod write;

pub use explain::{expected, malformed_move, shown};
pub use json::strict_value;
pub use read::{Expect, Heard, NOTE_LIMIT, read_line};
pub use result::{read_result, result_json};
pub use write::{ClockLine, Since, Start, Turn, TurnClock, WriteJson, write_end, write_start, write_turn};

/// The number of this protocol, as `start` tells it.
pub const VERSION: u32 = 1;
