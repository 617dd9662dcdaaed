//! Why a line is no answer, in words that let a bot's author mend it: what is wrong, where, the line itself, and
//! what was expected in its place.

use super::read::{Answer, Expect};
use serde_json::Value;

/// How much of a line a detail shows, in characters.
const SHOWN: usize = 200;

/// The byte order mark of UTF-8.
pub(super) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The detail for a move that has not the game's shape; `why` says what the game expects and what came.
pub fn malformed_move(turn: u32, line: &[u8], why: &str) -> String {
    malformed(&format!("the move is not one of this game: {why}"), line, &Expect::Move { match_id: "", turn })
}

/// What the awaited answer looks like: `{"turn":4,"move":…}`.
pub fn expected(expect: &Expect<'_>) -> String {
    match expect {
        Expect::Ready { .. } => r#"{"type":"ready"}"#.to_owned(),
        Expect::Move { turn, .. } => format!(r#"{{"turn":{turn},"move":…}}"#),
        Expect::Nothing => "nothing".to_owned(),
    }
}

/// A line as people can be shown it: valid UTF-8, whatever is not printable escaped (`\t`, `\u{feff}`, `\xff` for a
/// byte that is no UTF-8), and cut after `limit` characters, with how many bytes were cut. Quotes and backslashes stay
/// as they are, so that JSON still reads as JSON.
pub fn shown(line: &[u8], limit: usize) -> String {
    let mut text = String::new();
    let mut room = limit;
    let mut at = 0;
    for chunk in line.utf8_chunks() {
        for character in chunk.valid().chars() {
            let literal = matches!(character, '"' | '\'' | '\\');
            let escaped = character.escape_debug();
            let width = if literal { 1 } else { escaped.len() };
            if width > room {
                return cut(text, line.len() - at);
            }
            if literal {
                text.push(character)
            } else {
                text.extend(escaped)
            }
            room -= width;
            at += character.len_utf8();
        }
        for byte in chunk.invalid() {
            if room < 4 {
                return cut(text, line.len() - at);
            }
            text.push_str(&format!("\\x{byte:02x}"));
            room -= 4;
            at += 1;
        }
    }
    text
}

fn cut(mut text: String, bytes: usize) -> String {
    text.push_str(&format!("… ({bytes} bytes more)"));
    text
}

/// Puts a detail together.
pub(super) fn malformed(what: &str, line: &[u8], expect: &Expect<'_>) -> String {
    format!("{what}. The line: {} Expected: {}", shown(line, SHOWN), expected(expect))
}

/// Where and how the JSON of a line is broken.
pub(super) struct Broken {
    /// The byte at which it was noticed, from 0.
    at: usize,
    /// What the reader says about it.
    message: String,
}

impl Broken {
    /// From the reader's error on a text that begins at byte `offset` of the line.
    pub(super) fn new(error: &serde_json::Error, offset: usize) -> Broken {
        let whole = error.to_string();
        let message = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(message, _)| message).to_owned();
        Broken { at: offset + error.column().saturating_sub(1), message }
    }
}

/// The detail for a line that is no JSON.
pub(super) fn broken(line: &[u8], broken: &Broken, expect: &Expect<'_>) -> String {
    malformed(&format!("broken JSON at column {}: {}", broken.at + 1, broken.message), line, expect)
}

/// Whether this is an object in UTF-16, with or without a byte order mark.
pub(super) fn is_utf16_object(text: &[u8]) -> bool {
    matches!(text, [0xFF, 0xFE, b'{', 0, ..] | [0xFE, 0xFF, 0, b'{', ..] | [b'{', 0, ..] | [0, b'{', ..])
}

/// A value in a sentence.
pub(super) fn value(value: &Value) -> String {
    shown(value.to_string().as_bytes(), 60)
}

pub(super) fn not_ready(_answer: &Answer<'_>) -> String {
    "this is not `ready`".to_owned()
}

pub(super) fn wrong_type(answer: &Answer<'_>) -> Option<String> {
    let kind = answer.kind.as_ref()?;
    (kind.as_str() != Some("move")).then(|| format!("`type` is {}, but must be \"move\"", value(kind)))
}

pub(super) fn wrong_turn(answer: &Answer<'_>, turn: u32) -> String {
    let Some(seen) = &answer.turn else { return format!("`turn` is missing: it must be {turn}") };
    format!("`turn` is {}, but must be {turn}", value(seen))
}

pub(super) fn no_move(_answer: &Answer<'_>) -> String {
    "`move` is missing".to_owned()
}
