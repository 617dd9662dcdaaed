//! What kind of mistake a forfeit was, what was expected instead, and what its likely cause is: told in the same words wherever
//! a forfeit is told. Nothing is run or printed here; all of it follows from the fault as it was recorded.

use crate::protocol::words::{BESIDES, NO_MOVE, NOT_READY, is_in_words};
use crate::verdict::{Fault, Reason};

/// Kinds of mistakes that forfeit a match, as a bot's author would look for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mistake {
    /// Its process ended before it was ready.
    DoesNotStart,
    /// What it said first is not `ready`, or nothing was said.
    NotReady,
    /// `ready` came, or would have come, too late.
    ReadyTooLate,
    /// A line that begins like an object and is no JSON, or text where an object belongs.
    NotJson,
    /// A line that is not UTF-8.
    NotUtf8,
    /// An object of another type than was asked for.
    WrongType,
    /// The number of the request is not repeated.
    WrongTurn,
    /// There is no move in the answer.
    NoMove,
    /// The move has not the game's shape.
    WrongShape,
    /// The rules forbid the move.
    IllegalMove,
    /// No answer, though the bot was not computing.
    NoAnswer,
    /// It answers only when more lines follow than it was asked by. (Only a trial tells; a fault alone does not.)
    SkipsLines,
    /// The answer took too long.
    TooLate,
    /// The answer stayed in the bot's buffer.
    NotFlushed,
    /// The answer had no newline.
    NoNewline,
    /// Its process ended in the match.
    Crashes,
    /// It closed a stream.
    ClosesOutput,
    /// It wrote too much.
    Floods,
    /// It passed a limit on resources.
    OverLimit,
}

impl Mistake {
    /// Every kind there is.
    pub const ALL: [Mistake; 19] = [
        Mistake::DoesNotStart,
        Mistake::NotReady,
        Mistake::ReadyTooLate,
        Mistake::NotJson,
        Mistake::NotUtf8,
        Mistake::WrongType,
        Mistake::WrongTurn,
        Mistake::NoMove,
        Mistake::WrongShape,
        Mistake::IllegalMove,
        Mistake::NoAnswer,
        Mistake::SkipsLines,
        Mistake::TooLate,
        Mistake::NotFlushed,
        Mistake::NoNewline,
        Mistake::Crashes,
        Mistake::ClosesOutput,
        Mistake::Floods,
        Mistake::OverLimit,
    ];

    /// Which kind a fault is, by what is told of it.
    pub fn of(fault: &Fault) -> Mistake {
        let detail = fault.detail.as_str();
        let has = |part: &str| detail.contains(part);
        match fault.reason {
            Reason::Illegal => Mistake::IllegalMove,
            Reason::Flood => Mistake::Floods,
            Reason::Resource => Mistake::OverLimit,
            Reason::Malformed => malformed(detail),
            Reason::NoStart if has("expected was") => match malformed(detail) {
                mistake @ (Mistake::NotJson | Mistake::NotUtf8) => mistake,
                _ => Mistake::NotReady,
            },
            Reason::NoStart if detail.starts_with("no `ready`") => match late(fault) {
                Mistake::TooLate => Mistake::ReadyTooLate,
                Mistake::NoAnswer => Mistake::NotReady,
                mistake => mistake,
            },
            Reason::NoStart => Mistake::DoesNotStart,
            Reason::Timeout => late(fault),
            _ if has("closed its stdout") => Mistake::ClosesOutput,
            _ => Mistake::Crashes,
        }
    }

    /// The likely cause, and the way out, in a sentence.
    pub const fn cause(self) -> &'static str {
        match self {
            Mistake::DoesNotStart => {
                "the program ends while it starts: start it by hand in its folder, type a `start` line, and read what it says"
            }
            Mistake::NotReady => {
                "`ready` is never said, or stays in a buffer: answer the first line at once with {\"type\":\"ready\"}, and flush stdout after every line; read line by line, not to the end of the input"
            }
            Mistake::ReadyTooLate => {
                "loading takes longer than the time to start: say `ready` first and load in the first turns, or load less"
            }
            Mistake::NotJson => {
                "the line is put together by hand, or is a printed value: let a JSON library write the whole object, on one line"
            }
            Mistake::NotUtf8 => "stdout is written in another encoding: write UTF-8",
            Mistake::WrongType => {
                "another message than the one that was asked for is sent: `start` is answered by `ready`, `turn` by a move"
            }
            Mistake::WrongTurn => {
                "the bot counts turns by itself, or answers another request: copy `turn` from the request"
            }
            Mistake::NoMove => "the move is left out, or stands under another key: it belongs under \"move\"",
            Mistake::WrongShape => "the move is written in another form than the game's: `arena rules GAME` shows one",
            Mistake::IllegalMove => {
                "the bot's idea of the position or of the rules differs from the arena's: take the position from `state` in each request"
            }
            Mistake::NoAnswer => {
                "the answer stays in a buffer (flush stdout after every line), or the bot waits for something else: it reads more than one line, waits for the end of its input, or has a branch that does not answer"
            }
            Mistake::SkipsLines => {
                "it reads more than one line for each message, or throws its first line away: every message is one line, and none comes before `start`"
            }
            Mistake::TooLate => {
                "it computes for longer than the limit: stop in time by `clock.limit_ms` of the request, with some to spare"
            }
            Mistake::NotFlushed => {
                "output to a pipe is kept in a buffer: flush stdout after every line (a bot that reads all of its input before it answers looks the same: read line by line)"
            }
            Mistake::NoNewline => {
                "the answer is printed without a line end: end every line with a newline, and flush it"
            }
            Mistake::Crashes => {
                "the program falls over: its own last words on stderr say where; ask it the same again under a debugger"
            }
            Mistake::ClosesOutput => "stdout is closed, or given to another process, while answers are still awaited",
            Mistake::Floods => {
                "far more is printed than one line an answer: logs belong on stderr, and a loop may not end"
            }
            Mistake::OverLimit => {
                "the program needs more than the limit allows: measure it, and free what is not needed"
            }
        }
    }
}

impl Mistake {
    /// The same for a fault that tells this: a bot that reads and writes words is spoken to in words.
    pub fn cause_of(self, detail: &str) -> &'static str {
        if !is_in_words(detail) {
            return self.cause();
        }
        let of_answer = matches!(
            self,
            Mistake::NotReady
                | Mistake::NotJson
                | Mistake::WrongType
                | Mistake::WrongTurn
                | Mistake::NoMove
                | Mistake::WrongShape
                | Mistake::IllegalMove
                | Mistake::NoAnswer
        );
        if of_answer && detail.contains(BESIDES) {
            return "stdout is for answers alone: every line there is taken for an answer, a debug print too, and the answers after it \
                    come when nothing is asked; print to stderr whatever is no answer";
        }
        let answered = detail.contains(". The bot sent ");
        match self {
            Mistake::NotReady if answered => {
                "something else than `ready` is printed first: stdout is for answers alone, and the first line is answered with `ready`"
            }
            Mistake::NotReady => {
                "`ready` is never said, or stays in a buffer: answer the first line at once with `ready`, and flush stdout after every line"
            }
            Mistake::NotJson | Mistake::WrongType | Mistake::WrongTurn | Mistake::NoMove | Mistake::WrongShape => {
                "a line is printed that is no move as this game writes them: stdout is for answers alone, so print to stderr whatever is \
                 no answer; `arena rules GAME --plain` shows what a move looks like"
            }
            Mistake::IllegalMove => {
                "the bot's idea of the position or of the rules differs from the arena's: take the position from the words of each request. \
                 Or the line was no answer: stdout is for answers alone"
            }
            Mistake::TooLate => {
                "it computes for longer than the limit: stop in time by `move_ms` of the first line, with some to spare"
            }
            other => other.cause(),
        }
    }
}

/// What a malformed answer gets wrong: the first words of its detail say so.
fn malformed(detail: &str) -> Mistake {
    let what = detail.split(". The bot sent ").next().unwrap_or(detail);
    if what.contains("UTF-8") || what.contains("UTF-16") {
        Mistake::NotUtf8
    } else if what.starts_with("`turn` ") {
        Mistake::WrongTurn
    } else if what.starts_with("`move` is missing") {
        Mistake::NoMove
    } else if what.starts_with("`move` has not") || what.starts_with(NO_MOVE) {
        Mistake::WrongShape
    } else if [NOT_READY, "`type` ", "`match` ", "`reuse` ", "a move came", "the arena's own"]
        .iter()
        .any(|start| what.starts_with(start))
    {
        Mistake::WrongType
    } else {
        Mistake::NotJson
    }
}

/// Why nothing came in time.
fn late(fault: &Fault) -> Mistake {
    let has = |part: &str| fault.detail.contains(part);
    if has("most likely it does not flush") {
        Mistake::NotFlushed
    } else if has("if that is its answer: it must end with a newline") {
        Mistake::NoNewline
    } else if fault.line.is_some()
        || has("still computing")
        || has("after its stdin was closed")
        || has("process was running")
    {
        Mistake::TooLate
    } else if has(r#"what came is no answer, the last line: {"type":"ready""#) {
        Mistake::WrongType
    } else if has("what came is no answer, the last line: {") {
        Mistake::WrongTurn
    } else if has("what came is no answer") {
        Mistake::NotJson
    } else {
        Mistake::NoAnswer
    }
}

/// A forfeit, as it is told to whoever has to mend it.
#[derive(Clone, Debug)]
pub struct Forfeit<'a> {
    /// What was done.
    pub fault: &'a Fault,
    /// What kind of mistake it was, where more is known than the fault tells.
    pub mistake: Option<Mistake>,
    /// The command that plays it again.
    pub again: Option<String>,
    /// The command that asks the bot the same again.
    pub debug: Option<String>,
}

impl<'a> Forfeit<'a> {
    /// A forfeit of which no more is known than its fault.
    pub fn of(fault: &'a Fault) -> Forfeit<'a> {
        Forfeit { fault, mistake: None, again: None, debug: None }
    }

    /// The parts of it, each under its label, in the order in which they are told: what happened, the line, what was
    /// expected, the likely cause, and the commands. What the first part has already is not told twice.
    pub fn parts(&self) -> Vec<(&'static str, String)> {
        let mut parts = vec![("what happened", self.fault.detail.clone())];
        parts.extend(self.explained());
        parts.extend(self.commands());
        parts
    }

    /// What the detail leaves out: the line that was judged, what was expected, the likely cause.
    pub fn explained(&self) -> Vec<(&'static str, String)> {
        let fault = self.fault;
        // What the wrapper sent for a bot in words was never written by it; its own line is in the detail.
        let line =
            fault.line.as_ref().filter(|line| !fault.detail.contains(line.as_str()) && !is_in_words(&fault.detail));
        let told = fault.detail.contains("expected was") || fault.detail.contains("an answer is ");
        let mut parts: Vec<(&'static str, String)> =
            line.map(|line| ("the line that was judged", line.clone())).into_iter().collect();
        if !told {
            parts.push(("expected", self.expected()));
        }
        let mistake = self.mistake.unwrap_or_else(|| Mistake::of(fault));
        parts.push(("likely cause", mistake.cause_of(&fault.detail).to_string()));
        parts
    }

    /// The commands that go on from here.
    pub fn commands(&self) -> Vec<(&'static str, String)> {
        Forfeit::commands_of(self.again.clone(), self.debug.clone())
    }

    /// The same, where nobody was at fault.
    pub fn commands_of(again: Option<String>, debug: Option<String>) -> Vec<(&'static str, String)> {
        let debug = debug.map(|command| ("to ask it the same again", command));
        debug.into_iter().chain(again.map(|command| ("to play it again", command))).collect()
    }

    fn expected(&self) -> String {
        let answer = match turn_in(&self.fault.detail) {
            Some(turn) => format!(r#"{{"turn":{turn},"move":…}}"#),
            None => r#"{"turn":N,"move":…}, N as in the request,"#.to_string(),
        };
        match self.fault.reason {
            Reason::NoStart => r#"{"type":"ready"} on one line on stdout, in time"#.to_string(),
            Reason::Illegal => format!("{answer} with a move that the rules allow here"),
            _ => format!("{answer} on one line on stdout, in time"),
        }
    }
}

/// The turn that a detail tells of first.
fn turn_in(detail: &str) -> Option<u32> {
    let numbers = detail.split("turn ").skip(1);
    let mut numbers =
        numbers.map(|rest| rest.split(|letter: char| !letter.is_ascii_digit()).next().unwrap_or_default());
    numbers.find_map(|digits| digits.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::STDERR_ENDS;

    fn fault(reason: Reason, detail: &str) -> Fault {
        Fault { reason, detail: detail.to_string(), line: None }
    }

    #[test]
    fn a_forfeit_tells_what_was_expected_and_the_likely_cause_and_nothing_twice() {
        let illegal = fault(Reason::Illegal, "turn 12: \"a1\" is not allowed: it is occupied");
        let parts = Forfeit::of(&illegal).parts();
        let labels: Vec<&str> = parts.iter().map(|(label, _)| *label).collect();
        assert_eq!(labels, ["what happened", "expected", "likely cause"]);
        assert!(parts[1].1.contains(r#"{"turn":12,"#), "{parts:?}");
        let broken =
            fault(Reason::Malformed, "`turn` is missing: … The bot sent {}; expected was {\"turn\":4,\"move\":…}");
        let labels: Vec<&str> = Forfeit::of(&broken).parts().iter().map(|(label, _)| *label).collect();
        assert_eq!(labels, ["what happened", "likely cause"], "what was expected is in the detail");
        assert_eq!(Mistake::of(&broken), Mistake::WrongTurn);
    }

    #[test]
    fn a_bot_is_not_taken_for_one_in_words_by_what_it_wrote_on_stderr() {
        let named = "(`arena rules othello --plain`)";
        let late = "no answer to turn 3 within 100 ms: 101 ms passed; nothing had arrived; the process was running";
        let in_words = format!("{late}; it was asked p (an answer is a square {named}){STDERR_ENDS}thinking");
        assert_ne!(Mistake::TooLate.cause_of(&in_words), Mistake::TooLate.cause());
        let in_json = format!("{late}{STDERR_ENDS}is it a square {named}?");
        assert_eq!(Mistake::TooLate.cause_of(&in_json), Mistake::TooLate.cause());
    }
}
