//! Why a line is no answer, in words that let a bot's author mend it: what is wrong, the line itself, and what was
//! expected in its place. (Where JSON is broken is the affair of `syntax`.)

use super::read::{Answer, Expect};
use super::words::{Exchange, NO_MOVE};
use serde_json::Value;

/// How much of a line a detail shows, in characters.
const SHOWN: usize = 200;

/// How much of a value a sentence shows, in characters.
const VALUE_SHOWN: usize = 60;

/// The detail of a `malformed` for a move that has not the game's shape, in the manner of those that
/// [`read_line`](super::read_line) gives; `why` says what the game expects and what came.
pub fn malformed_move(turn: u32, line: &[u8], why: &str) -> String {
    if let Some((words, own)) = Exchange::and_why(line) {
        return format!("{NO_MOVE}: {}{}", own.as_deref().unwrap_or(why), words.told());
    }
    let expect = Expect::Move { match_id: "", turn };
    malformed(&format!("`move` has not the shape of this game's moves: {why}"), line, &expect)
}

/// What the awaited answer looks like, for people: `{"turn":4,"move":…}`.
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
    text.push_str(&format!("… ({bytes} more bytes)"));
    text
}

/// Puts a detail together.
pub(super) fn malformed(what: &str, line: &[u8], expect: &Expect<'_>) -> String {
    if let Some((words, why)) = Exchange::and_why(line) {
        // It says itself what is wrong with it.
        return why.unwrap_or_else(|| what.to_string()) + &words.told();
    }
    format!("{what}. The bot sent {}; expected was {}", shown(line, SHOWN), expected(expect))
}

/// Why an object is not `ready`.
pub(super) fn not_ready(answer: &Answer<'_>) -> String {
    match &answer.kind {
        _ if is_request(answer) => ECHO.to_owned(),
        Some(kind) if kind == "move" => "a move came before `ready`: the first answer to `start` is `ready`".to_owned(),
        None if answer.mv.is_some() => "a move came before `ready`: the first answer to `start` is `ready`".to_owned(),
        Some(kind) => format!("`type` is {}, but must be \"ready\"", value(kind)),
        None => format!("`type` is missing: \"type\":\"ready\" is what answers `start`{}", near_key(answer, "type")),
    }
}

/// What is wrong with the type of a move, if anything is.
pub(super) fn wrong_type(answer: &Answer<'_>) -> Option<String> {
    let kind = answer.kind.as_ref()?;
    if kind == "move" {
        return None;
    }
    if is_request(answer) {
        return Some(ECHO.to_owned());
    }
    let way_out = if kind == "ready" { "`ready` answers `start` alone, once" } else { "it may also be left out" };
    Some(format!("`type` is {}, but a move is awaited, whose type is \"move\": {way_out}", value(kind)))
}

/// What is wrong with the number of a move that repeats neither the request's nor an earlier one.
pub(super) fn wrong_turn(answer: &Answer<'_>, turn: u32) -> String {
    let way_out = format!("repeat the number of the request, \"turn\":{turn}");
    match &answer.turn {
        None if is_request(answer) => ECHO.to_owned(),
        None => format!("`turn` is missing: {way_out}{}", near_key(answer, "turn")),
        Some(Value::String(text)) => {
            format!(
                "`turn` is the text {}: write a number without quotes, {way_out}",
                value(&Value::from(text.as_str()))
            )
        }
        Some(Value::Number(number)) if number.is_u64() => {
            format!("`turn` is {number}, a turn that is yet to come: {way_out}")
        }
        Some(other) => format!("`turn` is {}, no whole number from 0: {way_out}", value(other)),
    }
}

/// Why there is no move.
pub(super) fn no_move(answer: &Answer<'_>) -> String {
    if is_request(answer) {
        return ECHO.to_owned();
    }
    format!("`move` is missing: the move stands under the key \"move\", beside `turn`{}", near_key(answer, "move"))
}

/// What is wrong with a `match` that is no text.
pub(super) fn odd_match(answer: &Answer<'_>) -> String {
    let seen = value(answer.match_id.as_ref().unwrap_or(&Value::Null));
    format!("`match` is {seen}, but must be the text that `start` gave, or be left out")
}

/// What is wrong with a `reuse` that is neither true nor false.
pub(super) fn odd_reuse(reuse: &Value) -> String {
    format!("`reuse` is {}, but must be true or false, or be left out", value(reuse))
}

const ECHO: &str =
    "the arena's own message was sent back: send an answer to it, and print what was read to stderr only";

/// Whether this is a message of the arena's.
fn is_request(answer: &Answer<'_>) -> bool {
    let named =
        answer.kind.as_ref().and_then(Value::as_str).is_some_and(|kind| ["start", "turn", "end"].contains(&kind));
    named || (answer.mv.is_none() && answer.others.contains("state") && answer.others.contains("clock"))
}

/// Points at a key that differs from the missing one by its letters' case or by spaces.
fn near_key(answer: &Answer<'_>, missing: &str) -> String {
    let near = answer.others.iter().filter(|key| key.trim().eq_ignore_ascii_case(missing)).min();
    near.map(|key| format!(" (there is {}, which is another key)", value(&Value::from(key.as_str()))))
        .unwrap_or_default()
}

/// A value in a sentence.
fn value(value: &Value) -> String {
    shown(value.to_string().as_bytes(), VALUE_SHOWN)
}
