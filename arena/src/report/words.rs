//! What pages say of limits and of how matches end.

use crate::record::ClockRecord;
use crate::verdict::Reason;

/// The limits of a move and of a match, in seconds.
pub(super) fn limits(clock: &ClockRecord) -> String {
    let seconds = |ms: u64| format!("{} s", ms as f64 / 1e3);
    let a_move = clock.move_ms.map(|ms| format!("{} a move", seconds(ms)));
    let a_match = clock.game_ms.map(|ms| match clock.increment_ms {
        0 => format!("{} a match", seconds(ms)),
        more => format!("{} a match + {} a move", seconds(ms), seconds(more)),
    });
    let limits: Vec<String> = a_move.into_iter().chain(a_match).collect();
    if limits.is_empty() { "no limit".to_string() } else { limits.join(", ") }
}

/// Why a match ended, as a part of a sentence.
pub(super) fn in_words(reason: Reason) -> &'static str {
    match reason {
        Reason::Finished => "played to the end",
        Reason::TurnLimit => "the last turn that the rules allow was played",
        Reason::Illegal => "a move that the rules forbid",
        Reason::Malformed => "an answer that is none",
        Reason::Timeout => "no answer in time",
        Reason::Crashed => "it ended before the match did",
        Reason::NoStart => "it did not start",
        Reason::Flood => "too much output",
        Reason::Resource => "too much of the machine",
        Reason::Interrupted => "the match was interrupted",
        Reason::Disturbed => "the arena was disturbed",
    }
}
