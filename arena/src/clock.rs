//! The limits of a match, and what is left of a bank. Plain data: nothing here looks at the time.

use std::time::Duration;

/// The limits of a match. `None` is no limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// From `start` to `ready`, counted apart from all move time.
    pub start: Option<Duration>,
    /// For one move.
    pub per_move: Option<Duration>,
    /// A bank for all moves of a match, each seat.
    pub game: Option<Duration>,
    /// Added to the bank after each move.
    pub increment: Duration,
    /// From the closing of a bot's stdin until its processes are killed.
    pub stop: Duration,
}

impl Default for Clock {
    fn default() -> Self {
        Clock {
            start: Some(Duration::from_secs(10)),
            per_move: Some(Duration::from_secs(1)),
            game: None,
            increment: Duration::ZERO,
            stop: Duration::from_secs(1),
        }
    }
}

impl Clock {
    /// The same without any limit on thinking, as for a person or under a debugger.
    pub fn without_limits(&self) -> Clock {
        Clock { start: None, per_move: None, game: None, ..self.clone() }
    }
}

/// What is left of one seat's bank, in microseconds; without a bank there is always time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bank {
    left_us: Option<u64>,
    increment_us: u64,
}

impl Bank {
    /// A full bank.
    pub fn new(clock: &Clock) -> Bank {
        Bank { left_us: clock.game.map(micros), increment_us: micros(clock.increment) }
    }

    /// What is left.
    pub fn left(&self) -> Option<Duration> {
        self.left_us.map(Duration::from_micros)
    }

    /// Takes the charged time of a move, then adds the increment.
    pub fn charge(&mut self, charged_us: u64) {
        if let Some(left) = &mut self.left_us {
            *left = left.saturating_sub(charged_us) + self.increment_us;
        }
    }

    /// The limit of the next answer: the smaller of the move's and the bank's.
    pub fn limit(&self, per_move: Option<Duration>) -> Option<Duration> {
        match (per_move, self.left()) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}

/// Whole microseconds, rounded down.
pub fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// Whole milliseconds, rounded down.
pub fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
