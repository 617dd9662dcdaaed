//! How a match ended, and what a bot did wrong. Plain data: nothing here decides anything.

use crate::seat::Seat;

/// What stands in the detail of a fault before the last lines of the bot's stderr.
pub const STDERR_ENDS: &str = "\nits stderr ends:\n";

/// The detail of a fault without the end of the bot's stderr, where `shown`, what it wrote on stderr in that turn, stands
/// beside it and ends the same.
pub fn detail_beside<'a>(detail: &'a str, shown: &str) -> &'a str {
    let Some((what, tail)) = detail.rsplit_once(STDERR_ENDS) else { return detail };
    // One of them goes further back than the other, and the first line of the tail may have lost its beginning.
    let mut both = tail.lines().rev().zip(shown.trim_end().lines().rev());
    let same = !shown.trim().is_empty() && both.all(|(line, shown)| shown.ends_with(line));
    if same { what } else { detail }
}

/// Why a match ended. [`Reason::as_str`] is the word on the wire, in transcripts and in CSV files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The game came to its end.
    Finished,
    /// The game's limit of turns was reached.
    TurnLimit,
    /// A move of the game's shape that the rules forbid.
    Illegal,
    /// An answer that is none: broken JSON, wrong type, no move, …
    Malformed,
    /// No answer in time.
    Timeout,
    /// The bot ended, or closed its output, after its `ready`.
    Crashed,
    /// The bot did not get as far as `ready`.
    NoStart,
    /// More output than the caps allow.
    Flood,
    /// A resource limit was passed.
    Resource,
    /// The arena itself was stopped: the match is void.
    Interrupted,
    /// The machine, not the bot, was late: the match is void.
    Disturbed,
}

impl Reason {
    /// Every reason there is.
    pub const ALL: [Reason; 11] = [
        Reason::Finished,
        Reason::TurnLimit,
        Reason::Illegal,
        Reason::Malformed,
        Reason::Timeout,
        Reason::Crashed,
        Reason::NoStart,
        Reason::Flood,
        Reason::Resource,
        Reason::Interrupted,
        Reason::Disturbed,
    ];

    /// The word for it in messages and files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::Finished => "finished",
            Reason::TurnLimit => "turn_limit",
            Reason::Illegal => "illegal",
            Reason::Malformed => "malformed",
            Reason::Timeout => "timeout",
            Reason::Crashed => "crashed",
            Reason::NoStart => "no_start",
            Reason::Flood => "flood",
            Reason::Resource => "resource",
            Reason::Interrupted => "interrupted",
            Reason::Disturbed => "disturbed",
        }
    }

    /// Whether the game itself came to an end; else it was ended, by a fault or from outside.
    pub const fn is_by_rules(self) -> bool {
        matches!(self, Reason::Finished | Reason::TurnLimit)
    }

    /// Whether its details are words of the rules or of the arena alone; all others may quote what a bot wrote.
    pub const fn quotes_nobody(self) -> bool {
        matches!(self, Reason::Finished | Reason::TurnLimit | Reason::Illegal | Reason::Interrupted | Reason::Disturbed)
    }

    /// The reason that is written so.
    pub fn parse(word: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.as_str() == word)
    }
}

/// What a bot did wrong. Its seat forfeits the match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of fault; never `Finished`, `TurnLimit`, `Interrupted` or `Disturbed`.
    pub reason: Reason,
    /// What happened, in words that let the bot's author mend it.
    pub detail: String,
    /// The line that was judged, where there is one, made valid UTF-8.
    pub line: Option<String>,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Who won; `None` is a draw with `Finished` or `TurnLimit`, else the match is void.
    pub winner: Option<Seat>,
    /// Points of seats 0 and 1, as the game counts them.
    pub scores: [i64; 2],
    /// Why the match ended.
    pub reason: Reason,
    /// More about it, in words.
    pub detail: Option<String>,
    /// Whose fault ended it.
    pub at_fault: Option<Seat>,
    /// Moves in part ignored by the rules, a seat each, in games that count them (Flip's invalid flips).
    pub invalid: Option<[u64; 2]>,
}

impl Verdict {
    /// Whether the match counts nowhere.
    pub fn is_void(&self) -> bool {
        self.winner.is_none() && !self.reason.is_by_rules()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stderr_that_is_shown_is_not_told_again() {
        let detail = format!("the bot exited with code 1{STDERR_ENDS}one\ntwo");
        for shown in ["one\ntwo\n", "two\n", "zero\none\ntwo"] {
            assert_eq!(detail_beside(&detail, shown), "the bot exited with code 1", "{shown:?}");
        }
        for other in ["", "\n", "one\n", "two\nthree\n"] {
            assert_eq!(detail_beside(&detail, other), detail, "{other:?}");
        }
        assert_eq!(detail_beside("no stderr", "one\n"), "no stderr");
    }
}
