//! What happens in a match, as one stream with many readers: transcript, screen, page.

use super::Header;
use crate::seat::Seat;
use crate::verdict::{Fault, Verdict};
use std::io;

/// The times of an answer, in microseconds; `None` where nothing was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// From the first byte of the request to the reading of the answer's newline.
    pub took_us: u64,
    /// Processor time that the bot used.
    pub cpu_us: Option<u64>,
    /// Time in which the bot was ready to run and got no processor.
    pub stalled_us: Option<u64>,
    /// Time in which the arena itself was late.
    pub arena_us: Option<u64>,
}

impl Times {
    /// The time that is charged.
    pub fn charged_us(&self) -> u64 {
        self.took_us.saturating_sub(self.excused_us())
    }

    /// The larger of the bot's and the arena's own waiting: they may be one and the same time.
    pub fn excused_us(&self) -> u64 {
        self.stalled_us.unwrap_or(0).max(self.arena_us.unwrap_or(0))
    }
}

/// One thing that happened.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// A seat said that it is ready.
    Ready {
        /// Whose.
        seat: Seat,
        /// How long it took.
        times: Times,
    },
    /// A move was accepted.
    Move {
        /// The turn's number.
        turn: u32,
        /// Whose.
        seat: Seat,
        /// The move as JSON text.
        mv: &'a str,
        /// How long it took.
        times: Times,
        /// The bot's note, as JSON text.
        note: Option<&'a str>,
    },
    /// A seat without a legal move was skipped.
    Pass {
        /// The turn's number.
        turn: u32,
        /// Whose.
        seat: Seat,
    },
    /// A turn of the match from which this one goes on, before the first one that is played.
    Replayed {
        /// The turn's number.
        turn: u32,
        /// Whose.
        seat: Seat,
        /// The move as JSON text; `None` for a forced pass.
        mv: Option<&'a str>,
    },
    /// A part of the move that follows was ignored by the rules.
    Invalid {
        /// The turn's number.
        turn: u32,
        /// Whose.
        seat: Seat,
        /// Which part, from 0.
        part: usize,
        /// Which rule it breaks.
        why: &'a str,
    },
    /// A line on stdout that is no message.
    Stray {
        /// Whose.
        seat: Seat,
        /// The line.
        text: &'a str,
    },
    /// A message that answers nothing that was open.
    Stale {
        /// Whose.
        seat: Seat,
        /// The line.
        text: &'a str,
    },
    /// What a seat wrote on stderr in a turn.
    Stderr {
        /// Whose.
        seat: Seat,
        /// The number of the turn after which it was read.
        turn: u32,
        /// The text.
        text: &'a str,
        /// How many bytes are missing before it.
        cut: Option<u64>,
    },
    /// A seat is at fault.
    Fault {
        /// Whose.
        seat: Seat,
        /// What it did.
        fault: &'a Fault,
        /// The move that was refused, as JSON text, where one was.
        mv: Option<&'a str>,
    },
    /// Something that people should know while the match goes on; no part of the transcript.
    Warning {
        /// Whose.
        seat: Seat,
        /// What.
        text: &'a str,
    },
    /// The match is over. The last event.
    Result(&'a Closing),
}

/// How a match ended, and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Closing {
    /// The verdict.
    pub verdict: Verdict,
    /// How many turns there were, passes included.
    pub turns: u32,
    /// From the first start to the verdict.
    pub duration_ms: u64,
    /// Each seat's thinking time in all, as charged.
    pub total_us: [u64; 2],
    /// Each seat's longest thinking time, as charged.
    pub max_us: [u64; 2],
    /// Each seat's processor time in all, where the system told.
    pub cpu_us: [Option<u64>; 2],
    /// The largest resident set of a seat's processes, in KiB, where the system told.
    pub peak_kib: [Option<u64>; 2],
    /// Processes that a seat's bot left behind, and that were killed.
    pub left_behind: [u32; 2],
}

/// Whoever follows a match. A failure here is ours, never a bot's: it voids the match.
pub trait Recorder {
    /// The match begins.
    fn begin(&mut self, header: &Header) -> io::Result<()>;

    /// Something happened, so many milliseconds after the match began.
    fn record(&mut self, ms: u64, event: &Event<'_>) -> io::Result<()>;

    /// There is time to spare: a bot is thinking for longer than an instant.
    fn idle(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Several recorders as one, in order.
pub struct Everyone<'a>(pub Vec<&'a mut dyn Recorder>);

impl Recorder for Everyone<'_> {
    fn begin(&mut self, header: &Header) -> io::Result<()> {
        self.0.iter_mut().try_for_each(|one| one.begin(header))
    }

    fn record(&mut self, ms: u64, event: &Event<'_>) -> io::Result<()> {
        self.0.iter_mut().try_for_each(|one| one.record(ms, event))
    }

    fn idle(&mut self) -> io::Result<()> {
        self.0.iter_mut().try_for_each(|one| one.idle())
    }
}
