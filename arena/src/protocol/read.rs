//! A bot's line becomes what was heard: an answer, something to pass over, or the reason why it is none.
//!
//! What counts depends on what is awaited, which the caller says; whether a move has the game's shape is the game's
//! affair.

use super::explain::{self, malformed};
use super::json::{Strict, duplicate, strict_value_within};
use super::syntax::{Broken, is_utf16_object};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::fmt;

/// The most bytes that a note's JSON text may have to be kept.
pub const NOTE_LIMIT: usize = 16 * 1024;

/// The byte order mark of UTF-8.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// What is awaited from a player when a line comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect<'a> {
    /// The `ready` to a `start`.
    Ready {
        /// The match that `start` named.
        match_id: &'a str,
        /// Whether this process has played a match before: until its `ready`, all else belongs to that one.
        again: bool,
    },
    /// The move of a turn.
    Move {
        /// The match that `start` named.
        match_id: &'a str,
        /// The request's number.
        turn: u32,
    },
    /// Nothing: no request is open.
    Nothing,
}

/// What a line turned out to be.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// Nothing, or spaces.
    Blank,
    /// Text that is no JSON object: a debug print, a banner.
    Stray,
    /// Something that is not for what is awaited, but for an earlier turn, another match, or nothing at all.
    Stale,
    /// The bot is ready.
    Ready {
        /// Whether its process can play further matches.
        reuse: bool,
    },
    /// The answer to the request that is open.
    Move {
        /// The move, of whatever shape.
        mv: Value,
        /// The note that came with it, as JSON text without line breaks of any kind.
        note: Option<String>,
        /// The size in bytes of a note that was left out, because it is over [`NOTE_LIMIT`].
        note_dropped: Option<usize>,
    },
    /// No valid answer: the detail says what is wrong with it, where, and how it should be.
    Malformed(String),
}

/// Tells what a line is. It comes without its newline (a carriage return at its end is a space like others); before
/// a bot's first line a byte order mark is skipped.
pub fn read_line(line: &[u8], first_line: bool, expect: &Expect<'_>) -> Heard {
    let text = if first_line { line.strip_prefix(BOM).unwrap_or(line) } else { line };
    let text = trim(text);
    if text.is_empty() {
        return Heard::Blank;
    }
    if text[0] != b'{' && !is_utf16_object(text) {
        return Heard::Stray;
    }
    match *expect {
        Expect::Nothing => Heard::Stale,
        Expect::Ready { match_id, again } => match (read_ready(text, match_id, expect), again) {
            (Heard::Malformed(_), true) => Heard::Stale,
            (heard, _) => heard,
        },
        Expect::Move { match_id, turn } => read_move(text, match_id, turn, expect),
    }
}

fn read_ready(text: &[u8], match_id: &str, expect: &Expect<'_>) -> Heard {
    let answer = match parse(text) {
        Ok(answer) => answer,
        Err(broken) => return Heard::Malformed(malformed(&broken.explain(text), text, expect)),
    };
    match answer.is_of_match(match_id) {
        Some(true) => {}
        Some(false) => return Heard::Stale,
        None => return Heard::Malformed(malformed(&explain::odd_match(&answer), text, expect)),
    }
    if answer.kind.as_ref().and_then(Value::as_str) != Some("ready") {
        return Heard::Malformed(malformed(&explain::not_ready(&answer), text, expect));
    }
    match answer.reuse {
        None | Some(Value::Null) => Heard::Ready { reuse: false },
        Some(Value::Bool(reuse)) => Heard::Ready { reuse },
        Some(other) => Heard::Malformed(malformed(&explain::odd_reuse(&other), text, expect)),
    }
}

fn read_move(text: &[u8], match_id: &str, turn: u32, expect: &Expect<'_>) -> Heard {
    let answer = match parse(text) {
        Ok(answer) => answer,
        Err(broken) => return Heard::Malformed(malformed(&broken.explain(text), text, expect)),
    };
    let wrong = match answer.is_of_match(match_id) {
        Some(false) => return Heard::Stale,
        None => Some(explain::odd_match(&answer)),
        // Whether a second `ready` is read before or after the first request is chance: it answers nothing either way.
        Some(true) if answer.kind.as_ref().and_then(Value::as_str) == Some("ready") => return Heard::Stale,
        Some(true) => explain::wrong_type(&answer),
    };
    if let Some(what) = wrong {
        return Heard::Malformed(malformed(&what, text, expect));
    }
    match answer.turn.as_ref().map(Value::as_u64) {
        Some(Some(number)) if number < u64::from(turn) => return Heard::Stale,
        Some(Some(number)) if number == u64::from(turn) => {}
        _ => return Heard::Malformed(malformed(&explain::wrong_turn(&answer, turn), text, expect)),
    }
    let Some(mv) = answer.mv else {
        return Heard::Malformed(malformed(&explain::no_move(&answer), text, expect));
    };
    match answer.note.map(RawValue::get) {
        Some(note) if note.len() > NOTE_LIMIT => Heard::Move { mv, note: None, note_dropped: Some(note.len()) },
        // A carriage return can only stand between the note's parts; some readers would take it for the line's end.
        note => Heard::Move { mv, note: note.map(|note| note.replace('\r', " ")), note_dropped: None },
    }
}

/// The keys of an answer that mean something, each as it came.
#[derive(Default)]
pub(super) struct Answer<'a> {
    pub(super) kind: Option<Value>,
    pub(super) turn: Option<Value>,
    pub(super) mv: Option<Value>,
    pub(super) note: Option<&'a RawValue>,
    pub(super) match_id: Option<Value>,
    pub(super) reuse: Option<Value>,
    /// The other keys.
    pub(super) others: HashSet<String>,
}

impl Answer<'_> {
    /// Whether it belongs to this match, which an answer need not say; `None` when what it says is no match's name.
    fn is_of_match(&self, match_id: &str) -> Option<bool> {
        match &self.match_id {
            None | Some(Value::Null) => Some(true),
            Some(Value::String(echoed)) => Some(echoed == match_id),
            Some(_) => None,
        }
    }
}

/// Reads the whole object strictly.
fn parse(text: &[u8]) -> Result<Answer<'_>, Broken> {
    let answer: Answer<'_> = serde_json::from_slice(text).map_err(|error| Broken::new(&error, 0))?;
    if let Some(note) = answer.note {
        // Its text was only passed over so far: it is held to the same rules as the rest.
        let offset = note.get().as_ptr() as usize - text.as_ptr() as usize;
        strict_value_within(note.get().as_bytes(), 1).map_err(|error| Broken::new(&error, offset))?;
    }
    Ok(answer)
}

impl<'de: 'a, 'a> Deserialize<'de> for Answer<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(AnswerVisitor)
    }
}

struct AnswerVisitor;

impl<'de> Visitor<'de> for AnswerVisitor {
    type Value = Answer<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Answer<'de>, A::Error> {
        let mut answer = Answer::default();
        while let Some(key) = object.next_key::<Key>()? {
            let (slot, name) = match key {
                Key::Type => (&mut answer.kind, "type"),
                Key::Turn => (&mut answer.turn, "turn"),
                Key::Move => (&mut answer.mv, "move"),
                Key::Match => (&mut answer.match_id, "match"),
                Key::Reuse => (&mut answer.reuse, "reuse"),
                Key::Note if answer.note.is_some() => return Err(duplicate("note")),
                Key::Note => {
                    answer.note = Some(object.next_value()?);
                    continue;
                }
                Key::Other(name) if answer.others.contains(&name) => return Err(duplicate(&name)),
                Key::Other(name) => {
                    object.next_value_seed(Strict { depth: 1 })?;
                    answer.others.insert(name);
                    continue;
                }
            };
            if slot.is_some() {
                return Err(duplicate(name));
            }
            *slot = Some(object.next_value_seed(Strict { depth: 1 })?);
        }
        Ok(answer)
    }
}

/// A key of an answer.
enum Key {
    Type,
    Turn,
    Move,
    Note,
    Match,
    Reuse,
    Other(String),
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl Visitor<'_> for KeyVisitor {
            type Value = Key;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key in double quotes")
            }

            fn visit_str<E: Error>(self, key: &str) -> Result<Key, E> {
                Ok(match key {
                    "type" => Key::Type,
                    "turn" => Key::Turn,
                    "move" => Key::Move,
                    "note" => Key::Note,
                    "match" => Key::Match,
                    "reuse" => Key::Reuse,
                    other => Key::Other(other.to_owned()),
                })
            }
        }
        deserializer.deserialize_str(KeyVisitor)
    }
}

/// The line without the spaces around it, as JSON understands spaces.
fn trim(mut line: &[u8]) -> &[u8] {
    while let [b' ' | b'\t' | b'\r' | b'\n', rest @ ..] = line {
        line = rest;
    }
    while let [rest @ .., b' ' | b'\t' | b'\r' | b'\n'] = line {
        line = rest;
    }
    line
}
