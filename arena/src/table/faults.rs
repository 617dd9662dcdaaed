//! From what happened to a fault, in words that let the bot's author mend it without asking anyone. One place decides
//! which reason a cause has.

use super::chair::Chair;
use crate::clock::{micros, millis};
use crate::game::AnyPosition;
use crate::protocol::words::begun;
use crate::protocol::{Expect, shown};
use crate::transport::{BYTES_LIMIT, Ended, Flood, LINE_LIMIT, LINES_LIMIT, ProcessState};
use crate::verdict::{Fault, Reason, STDERR_ENDS};
use nix::sys::signal::Signal;
use std::time::Duration;

/// How much of a line a detail shows, in characters.
const SHOWN: usize = 200;

/// How much of a judged line a fault keeps, in characters.
pub const LINE_KEPT: usize = 16 * 1024;

/// How many of the last lines of a log a detail shows.
const LOG_LINES: usize = 8;

/// What ended the wait for a bot.
#[derive(Debug)]
pub(super) enum Cause {
    /// Its answer was none.
    Malformed { why: String, line: Vec<u8> },
    /// It wrote too much.
    Flood(Flood),
    /// Its process ended.
    Ended(Ended),
    /// Its stdout was closed, though its process lives.
    ClosedOutput,
    /// Its keeper was killed.
    Lost(String),
    /// The time was up; `line` is the answer that came too late, if one was there.
    Late { line: Option<Vec<u8>> },
}

/// In what circumstances it happened.
pub(super) struct Circumstances<'a> {
    pub awaited: Expect<'a>,
    /// The position in which a move is awaited.
    pub position: Option<&'a dyn AnyPosition>,
    /// Whether the bot has not yet been ready in this match.
    pub before_ready: bool,
    pub limit: Option<Duration>,
    pub took: Duration,
    pub charged: Duration,
}

/// The fault that a cause is.
pub(super) fn fault(chair: &mut Chair, cause: Cause, circumstances: &Circumstances<'_>) -> Fault {
    let kept = |line: &[u8]| Some(shown(line, LINE_KEPT));
    chair.drain_log();
    let (reason, detail, line) = match cause {
        Cause::Malformed { why, line } => (Reason::Malformed, why, kept(&line)),
        Cause::Flood(flood) => (Reason::Flood, flooded(chair, flood), None),
        Cause::Ended(ended) => match chair.channel.limit_passed(ended) {
            Some(limit) => {
                let how = match ended.over {
                    Some(_) => "it was ended for that".to_string(),
                    None => format!("it {}", describe_end(ended)),
                };
                (Reason::Resource, format!("passed its limit of {limit}: {how}{}", said_last(chair)), None)
            }
            None => (Reason::Crashed, crashed(chair, &describe_end(ended), circumstances), None),
        },
        Cause::ClosedOutput => {
            let how = chair.channel.hung_up();
            (Reason::Crashed, crashed(chair, how, circumstances), None)
        }
        Cause::Lost(how) => (
            Reason::Crashed,
            crashed(
                chair,
                &format!("is lost: {how}, and nothing but the bot, or somebody with its rights, does that"),
                circumstances,
            ),
            None,
        ),
        Cause::Late { line } => {
            let detail = late(chair, line.as_deref(), circumstances);
            (Reason::Timeout, detail, line.as_deref().and_then(kept))
        }
    };
    let detail = if matches!(reason, Reason::Malformed) { detail } else { in_words(chair, detail, circumstances) };
    let no_start =
        circumstances.before_ready && matches!(reason, Reason::Malformed | Reason::Crashed | Reason::Timeout);
    Fault { reason: if no_start { Reason::NoStart } else { reason }, detail, line }
}

/// The same detail with what a bot that reads words was sent, and what would have answered it.
fn in_words(chair: &Chair, detail: String, circumstances: &Circumstances<'_>) -> String {
    let asked =
        chair.dialect.asked_in_words(circumstances.position).filter(|_| circumstances.awaited != Expect::Nothing);
    let Some(asked) = asked else { return detail };
    let (what, stderr) = detail.split_at(detail.find(STDERR_ENDS).unwrap_or(detail.len()));
    let asked = shown(asked.as_bytes(), SHOWN);
    let example = chair.dialect.example(&circumstances.awaited);
    let answer = if what.contains(&example) { String::new() } else { format!(" (an answer is {example})") };
    format!("{what}; it was asked {asked}{answer}{stderr}")
}

/// How a process ended, as what it did: `exited with code 3`, `was killed by SIGSEGV (…)`.
pub fn describe_end(ended: Ended) -> String {
    match (ended.code, ended.signal) {
        (Some(code), _) => format!("exited with code {code}{}", meaning_of_code(code)),
        (_, Some(number)) => match Signal::try_from(number) {
            Ok(signal) => format!("was killed by {}{}", signal.as_str(), meaning_of_signal(signal)),
            Err(_) => format!("was killed by signal {number}"),
        },
        _ => "ended".to_string(),
    }
}

fn meaning_of_code(code: i32) -> &'static str {
    match code {
        126 => " (a shell's word for: the command cannot be executed)",
        127 => " (a shell's word for: there is no such command)",
        137 => " (a shell's word for: killed by SIGKILL)",
        139 => " (a shell's word for: killed by SIGSEGV, an access to memory that is not there)",
        _ => "",
    }
}

fn meaning_of_signal(signal: Signal) -> &'static str {
    match signal {
        Signal::SIGSEGV | Signal::SIGBUS => " (an access to memory that is not there)",
        Signal::SIGABRT => " (it gave up by itself: a failed assertion, an uncaught exception)",
        Signal::SIGFPE => " (an impossible calculation, such as a division by zero)",
        Signal::SIGILL => " (an instruction that this processor does not have)",
        Signal::SIGPIPE => " (it wrote to a pipe that nobody reads any more)",
        Signal::SIGKILL => " (from outside: by hand, or by the system when memory runs out)",
        Signal::SIGXCPU => " (the limit of processor time)",
        Signal::SIGXFSZ => " (the limit of file size)",
        _ => "",
    }
}

fn flooded(chair: &mut Chair, flood: Flood) -> String {
    let inbox = chair.channel.inbox();
    let what = match flood {
        Flood::Line => format!("printed a line of over {} KiB", LINE_LIMIT / 1024),
        Flood::Bytes => format!("printed over {} KiB between two requests", BYTES_LIMIT / 1024),
        Flood::Lines => format!("printed over {LINES_LIMIT} lines between two requests"),
    };
    let head = if inbox.partial().is_empty() {
        String::new()
    } else {
        format!("; the line begins: {}", shown(inbox.partial(), SHOWN))
    };
    let last = chair
        .last_no_answer
        .as_ref()
        .map(|line| format!("; the last line that was no answer: {}", shown(line.as_bytes(), SHOWN)));
    format!(
        "{what}: one short line is all that an answer needs{head}{}",
        last.filter(|_| head.is_empty()).unwrap_or_default()
    )
}

fn crashed(chair: &mut Chair, how: &str, circumstances: &Circumstances<'_>) -> String {
    let after = format!("{} after it was asked", time(circumstances.took));
    let when = match circumstances.awaited {
        Expect::Ready { .. } => format!("before it was ready, {after}"),
        Expect::Move { turn, .. } => format!("when its answer to turn {turn} was awaited, {after}"),
        Expect::Nothing => "while nothing was asked of it".to_string(),
    };
    format!("the bot {how}, {when}{}{}{}", unfinished(chair), said_last(chair), misses_something(chair))
}

/// What programs of any language say of a file that they do not find.
const MISSING: [&str; 9] = [
    "no such file",
    "not found",
    "no module named",
    "cannot find",
    "can't locate",
    "cannot open",
    "can't open",
    "could not find",
    "permission denied",
];

/// What a confined bot's author is told that has named something out of its sight.
fn misses_something(chair: &Chair) -> &'static str {
    let said = chair.log.last_lines(LOG_LINES).to_lowercase();
    if !chair.channel.confined() || !MISSING.iter().any(|words| said.contains(words)) {
        return "";
    }
    "\nit is confined: it sees the system's programs in /usr and its own files, which are its folder when there is a bot.toml in \
     it, else only what its command names; `read` in the cup's [isolation] shows it more"
}

fn late(chair: &mut Chair, line: Option<&[u8]>, circumstances: &Circumstances<'_>) -> String {
    let what = match circumstances.awaited {
        Expect::Move { turn, .. } => format!("no answer to turn {turn}"),
        _ => "no `ready`".to_string(),
    };
    let limit = circumstances.limit.map(|limit| format!(" within {}", time(limit))).unwrap_or_default();
    let charged = if millis(circumstances.charged) == millis(circumstances.took) {
        String::new()
    } else {
        format!(", of which {} are charged", time(circumstances.charged))
    };
    let arrived = match (line, &chair.last_no_answer) {
        (Some(line), _) => {
            format!("; it came too late: {}", shown(&chair.dialect.as_written(line, circumstances.position), SHOWN))
        }
        (None, _) if !chair.channel.inbox().partial().is_empty() => unfinished(chair),
        (None, Some(stray)) => format!(
            "; what came is no answer, the last line: {} (an answer is {})",
            shown(stray.as_bytes(), SHOWN),
            chair.dialect.example(&circumstances.awaited)
        ),
        (None, None) => "; nothing had arrived".to_string(),
    };
    let state = chair.channel.process_state();
    let whole = chair.channel.inbox().partial().is_empty();
    // A line that came shows that it flushes: what is wrong with it is told already.
    let silent = chair.last_no_answer.is_none();
    let flush = match (line, state) {
        (None, Some(ProcessState::Waiting)) if whole && !silent => "",
        (None, Some(ProcessState::Waiting)) if whole => {
            " (if it has printed its answer: output to a pipe must be flushed after every line)"
        }
        (None, Some(ProcessState::Waiting)) => {
            " (if that is its answer: it must end with a newline, and be flushed after it)"
        }
        _ => "",
    };
    let state = state.map(|state| format!("; the process was {}", state.as_str())).unwrap_or_default();
    format!("{what}{limit}: {} passed{charged}{arrived}{state}{flush}{}", time(circumstances.took), said_last(chair))
}

fn unfinished(chair: &mut Chair) -> String {
    let partial = chair.channel.inbox().partial();
    if partial.is_empty() {
        return String::new();
    }
    let words = begun(partial).map(String::into_bytes);
    let partial = words.as_deref().unwrap_or(partial);
    format!("; {} bytes of a line without its newline had arrived: {}", partial.len(), shown(partial, SHOWN))
}

fn said_last(chair: &Chair) -> String {
    let lines = chair.log.last_lines(LOG_LINES);
    if lines.trim().is_empty() { String::new() } else { format!("{STDERR_ENDS}{lines}") }
}

/// A time for people: milliseconds, with a tenth where it is short.
fn time(duration: Duration) -> String {
    let us = micros(duration);
    if us < 100_000 && !us.is_multiple_of(1000) {
        format!("{}.{} ms", us / 1000, us % 1000 / 100)
    } else {
        format!("{} ms", us / 1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_told_with_its_code_or_the_name_of_its_signal() {
        let ended = |code, signal| Ended { code, signal, cpu_us: 0, over: None };
        assert_eq!(describe_end(ended(Some(3), None)), "exited with code 3");
        assert!(describe_end(ended(None, Some(11))).starts_with("was killed by SIGSEGV"));
        assert_eq!(describe_end(ended(None, Some(64))), "was killed by signal 64");
    }

    #[test]
    fn times_are_short() {
        assert_eq!(time(Duration::from_micros(1_500)), "1.5 ms");
        assert_eq!(time(Duration::from_millis(300)), "300 ms");
        assert_eq!(time(Duration::from_micros(300_900)), "300 ms");
    }
}
