//! The record of a match: events as they happen, and the transcript file that keeps them.
//!
//! Whoever views a match reads events or transcripts, never the runner.

mod event;
mod header;
mod reader;
pub mod rows;
mod writer;

pub use event::{Closing, Event, Everyone, Recorder, Times};
pub use header::{ClockRecord, GoesOn, Header, PlayerRecord, SCHEMA};
pub use reader::{
    Followed, Follower, Recorded, RecordedKind, RecordedResult, Transcript, TranscriptError, read_transcript, stderr,
    why_unread,
};
pub use rows::{Row, RowError, RowOutcome, RowReader, RowWriter, Table, read_rows, write_in_order};
pub use writer::TranscriptWriter;
