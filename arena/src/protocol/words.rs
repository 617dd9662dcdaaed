//! Bots that read and write words: what they are told, and what the bundled wrapper, which speaks for them in JSON, tells of
//! them. To an answer that is none, or that the rules forbid, it adds under the key `words` what passed between it and the
//! bot; of a line whose newline keeps it waiting it sends the beginning on, under the key `begun` of the answer to come.

use super::explain::shown;
use crate::game::{AnyPosition, GameInfo, Params};
use crate::seat::Seat;
use crate::verdict::STDERR_ENDS;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The bundled bot that starts another one, whose command follows `--`, and speaks for it.
pub const WRAPPER: &str = "plain";

/// What stands in the detail of a fault before the lines that a bot printed besides its answers.
pub const BESIDES: &str = "; besides its answers it printed on stdout: ";

/// Why a line is no answer to the first one.
pub const NOT_READY: &str = "the first line is answered with `ready`";

/// What the detail of a fault begins with where a line of words is no move of the game's shape.
pub const NO_MOVE: &str = "the answer is no move";

/// So many of the lines that came besides are shown.
const BESIDES_SHOWN: usize = 3;

/// How much of a line a detail shows, in characters.
const SHOWN: usize = 200;

const BEGUN: &[u8] = br#"{"begun":"#;

/// The first line that such a bot is sent, without its end: `GAME SEAT NAME=VALUE…`. The values are JSON, without a space in them.
pub fn first_line(
    game: &str,
    seat: Seat,
    seed: u64,
    [move_ms, game_ms]: [Option<u64>; 2],
    increment_ms: u64,
    params: &Params,
) -> String {
    let told = [("seed", Some(seed)), ("move_ms", move_ms), ("game_ms", game_ms), ("increment_ms", Some(increment_ms))];
    let told = told.map(|(name, value)| (name.to_string(), Value::from(value)));
    let params = params.iter().map(|(name, value)| (name.clone(), value.clone()));
    let mut line = format!("{game} {seat}");
    for (name, value) in told.into_iter().chain(params) {
        line.push_str(&format!(" {name}={value}"));
    }
    line
}

/// The line that asks for a move, without its end.
pub fn request_line(position: &dyn AnyPosition) -> String {
    let mut words = Vec::new();
    position.write_plain(&mut words);
    String::from_utf8_lossy(&words).into_owned()
}

/// What an answer in words looks like, and where more is told of it.
pub fn expected_in_words(info: &GameInfo) -> String {
    format!("{} (`arena rules {} --plain`)", info.plain_answer, info.id)
}

/// The same for the answer to the first line.
pub fn ready_in_words(info: &GameInfo) -> String {
    format!("ready (`arena rules {} --plain`)", info.id)
}

/// Whether the detail of a fault speaks of a bot in words. It is looked for in what the arena says, not in the end of the bot's stderr.
pub fn is_in_words(detail: &str) -> bool {
    detail.split(STDERR_ENDS).next().is_some_and(|told| told.contains(" --plain`)"))
}

/// One line to a bot in words, and the one that came back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// What it was sent.
    pub asked: String,
    /// What it answered.
    pub said: String,
    /// What an answer looks like.
    pub expected: String,
    /// The first lines that it printed besides its answers in this match.
    #[serde(default)]
    pub besides: Vec<String>,
    /// How many more of those there were.
    #[serde(default)]
    pub more: usize,
}

impl Exchange {
    /// What passed at one request, after the lines that came besides until then. Only the beginnings of long lines are kept, so that
    /// an answer that has it stays short.
    pub fn after(besides: &Exchange, asked: &str, said: &str, expected: String) -> Exchange {
        let [asked, said] = [asked, said].map(|line| shown(line.as_bytes(), SHOWN));
        Exchange { asked, said, expected, ..besides.clone() }
    }

    /// Adds a line that came besides.
    pub fn add_beside(&mut self, line: &str) {
        if self.besides.len() < BESIDES_SHOWN {
            self.besides.push(shown(line.as_bytes(), SHOWN));
        } else {
            self.more += 1;
        }
    }

    /// The answer for the arena, where the bot's own is no `ready`, or no move that the rules allow: which, and why. `played` is the
    /// turn, and the move or the text in its place.
    pub fn refused(&self, played: Option<(u32, Value)>, why: &str) -> String {
        match played {
            Some((turn, mv)) => json!({"turn": turn, "move": mv, "why": why, "words": self}).to_string(),
            None => json!({"why": why, "words": self}).to_string(),
        }
    }

    /// What an answer for the arena tells of the words, where it does.
    pub fn of(line: &[u8]) -> Option<Exchange> {
        Some(Exchange::and_why(line)?.0)
    }

    /// The same, with why it is none.
    pub(super) fn and_why(line: &[u8]) -> Option<(Exchange, Option<String>)> {
        #[derive(Deserialize)]
        struct Answer {
            words: Exchange,
            why: Option<String>,
        }
        let answer: Answer = serde_json::from_slice(line).ok()?;
        Some((answer.words, answer.why))
    }

    /// What passed, for people: the clauses after what is wrong with the answer.
    pub fn told(&self) -> String {
        let Exchange { asked, said, expected, besides, more } = self;
        let mut text = format!(". The bot sent {said}; expected was {expected}; it was asked {asked}");
        if !besides.is_empty() {
            let lines: Vec<String> = besides.iter().map(|line| format!("{line:?}")).collect();
            text += &format!("{BESIDES}{}", lines.join(", "));
        }
        if *more > 0 {
            text += &format!(", and {more} more lines");
        }
        text
    }
}

/// The beginning of an answer for the arena, while its line in words lacks the newline.
pub fn write_begun(out: &mut Vec<u8>, words: &str) {
    // No more of it is needed to be told.
    let text = Value::from(words.chars().take(SHOWN).collect::<String>()).to_string();
    out.extend_from_slice(BEGUN);
    out.extend_from_slice(text.strip_suffix('"').unwrap_or(&text).as_bytes());
}

/// The rest of an answer, a line for the arena, of which the beginning was written so.
pub fn go_on_from_begun(answer: &[u8]) -> Vec<u8> {
    [b"\",", answer.strip_prefix(b"{").unwrap_or(answer)].concat()
}

/// The words of an answer that is only begun; `None` where it is none.
pub fn begun(partial: &[u8]) -> Option<String> {
    let text = partial.strip_prefix(BEGUN)?;
    serde_json::from_slice(&[text, b"\""].concat()).ok()
}

/// Whether this whole answer was sent in two parts, the first one while its line in words lacked the newline.
pub fn was_begun(line: &[u8]) -> bool {
    line.starts_with(BEGUN)
}
