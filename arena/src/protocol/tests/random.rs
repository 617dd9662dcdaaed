//! Thousands of seeded random lines: whatever comes is judged, what is accepted was meant, and what is told is text.

use super::*;
use crate::seed::Stream;
use serde_json::{Map, Value};

/// Pieces of what bots send, right and wrong.
const PIECES: [&str; 46] = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "'",
    "\\",
    "\"turn\"",
    "\"move\"",
    "\"type\"",
    "\"note\"",
    "\"match\"",
    "\"reuse\"",
    "\"state\"",
    "\"clock\"",
    "\"m1\"",
    "\"ready\"",
    "\"start\"",
    "4",
    "3",
    "5",
    "-1",
    "4.0",
    "1e999",
    "04",
    "NaN",
    "-Infinity",
    "None",
    "True",
    "null",
    "true",
    "\\ud800",
    "\\u0000",
    "ü",
    "😀",
    "\u{feff}",
    "\u{2028}",
    "\0",
    "\t",
    "\r",
    " ",
    "\"move\":1",
    "\"turn\":4",
    "\"x\":{\"a\":1}",
];

const LINES: [&str; 8] = [
    r#"{"turn":4,"move":"b3"}"#,
    r#"{"type":"move","turn":4,"move":{"from":[3,4],"to":[9,5]},"note":{"depth":7,"eval":0.31,"pv":["b3","d5"]}}"#,
    r#"{"turn":4,"move":[{"piece":3,"to":[-18.5,4.0]},{"piece":3,"angle":0.5}],"match":"m1"}"#,
    r#"{"type":"ready","reuse":true,"match":"m1"}"#,
    r#"{'turn': 4, 'move': None, 'note': "it's"}"#,
    r#"{"turn":4,"move":null,"note":"ü😀\ud83d\ude00\n","other":{"a":{"a":[1e5,-0.0]}}}"#,
    r#"{"type":"turn","turn":4,"seat":0,"state":{},"since":[],"clock":{"limit_ms":1}}"#,
    "{\"turn\":4,\"move\":1,\"note\":\"0123456789012345678901234567890123456789012345678901234567890123456789012345678901\
     2345678901234567890123456789012345678901234567890123456789012345678901234567890123456789\",\"y\":NaN}",
];

#[test]
fn random_and_damaged_lines_are_judged_soundly() {
    let mut stream = Stream::new(1, "damaged lines");
    for round in 0..20_000 {
        let line = match round % 4 {
            0 => noise(&mut stream),
            1 => assembled(&mut stream),
            _ => damaged(&mut stream),
        };
        for expect in [READY, READY_AGAIN, TURN_4, Expect::Nothing] {
            for first_line in [false, true] {
                check_soundness(&line, &expect, &read_line(&line, first_line, &expect));
            }
        }
    }
}

/// What holds of every line, whatever it is.
fn check_soundness(line: &[u8], expect: &Expect<'_>, heard: &Heard) {
    let context = || format!("{} as {expect:?} is {heard:?}", shown(line, 1000));
    match heard {
        Heard::Malformed(detail) => {
            assert!(!detail.chars().any(char::is_control), "{}", context());
            assert!(detail.chars().count() < 800, "{}", context());
            assert!(detail.ends_with(&format!("; expected was {}", expected(expect))), "{}", context());
            assert!(matches!(expect, Expect::Move { .. } | Expect::Ready { again: false, .. }), "{}", context());
        }
        Heard::Move { mv, note, .. } => {
            let object = object_of(line);
            assert_eq!(object.get("turn"), Some(&json!(4)), "{}", context());
            assert_eq!(object.get("move"), Some(mv), "{}", context());
            let read = note.as_ref().map(|note| serde_json::from_str::<Value>(note).expect("a note is JSON"));
            assert_eq!(object.get("note"), read.as_ref(), "{}", context());
            assert!(matches!(expect, Expect::Move { .. }), "{}", context());
        }
        Heard::Ready { reuse } => {
            let object = object_of(line);
            assert_eq!(object.get("type"), Some(&json!("ready")), "{}", context());
            assert_eq!(object.get("reuse") == Some(&json!(true)), *reuse, "{}", context());
            assert!(matches!(expect, Expect::Ready { .. }), "{}", context());
        }
        Heard::Blank => assert!(line.trim_ascii().is_empty() || line.starts_with(b"\xEF\xBB\xBF"), "{}", context()),
        Heard::Stray => assert_ne!(line.trim_ascii().first(), Some(&b'{'), "{}", context()),
        Heard::Stale => {}
    }
}

/// The line as an ordinary reader of JSON understands it.
fn object_of(line: &[u8]) -> Map<String, Value> {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    serde_json::from_slice(line).expect("what is accepted is an object")
}

#[test]
fn moves_and_notes_come_back_as_they_were() {
    let mut stream = Stream::new(2, "round trips");
    for _ in 0..3000 {
        let (mv, note) = (value(&mut stream, 0), value(&mut stream, 0).to_string());
        let mut line = Vec::new();
        bot::write_move(&mut line, 4, &mv.to_string(), Some(&note));
        let heard = hear(line.strip_suffix(b"\n").expect("a line"), TURN_4);
        assert_eq!(heard, Heard::Move { mv, note: Some(note), note_dropped: None });
    }
}

#[test]
fn strict_reading_gives_the_value_that_ordinary_reading_gives() {
    let mut stream = Stream::new(3, "strict values");
    for _ in 0..3000 {
        let value = value(&mut stream, 0);
        assert_eq!(strict_value(value.to_string().as_bytes()).expect("it is JSON without doubles"), value);
    }
}

#[test]
fn shown_text_is_printable_and_bounded() {
    let mut stream = Stream::new(4, "shown");
    for _ in 0..5000 {
        let line = noise(&mut stream);
        let limit = stream.below(100) as usize;
        let text = shown(&line, limit);
        assert!(!text.chars().any(char::is_control), "{text:?}");
        assert!(text.chars().count() <= limit + "… (1234 more bytes)".chars().count(), "{text:?}");
    }
}

fn noise(stream: &mut Stream) -> Vec<u8> {
    let start: &[u8] = if stream.below(2) == 0 { b"{" } else { b"" };
    let length = stream.below(60);
    start.iter().copied().chain((0..length).map(|_| stream.word() as u8)).filter(|&byte| byte != b'\n').collect()
}

fn assembled(stream: &mut Stream) -> Vec<u8> {
    let inside: String = (0..stream.below(12)).map(|_| *stream.pick(&PIECES)).collect();
    format!("{{{inside}}}").into_bytes()
}

/// A line that bots do send, with one to three things done to it.
fn damaged(stream: &mut Stream) -> Vec<u8> {
    let mut line = stream.pick(&LINES).as_bytes().to_vec();
    for _ in 0..1 + stream.below(3) {
        let at = stream.below(line.len() as u64 + 1) as usize;
        let end = (at + stream.below(12) as usize).min(line.len());
        match stream.below(6) {
            0 => line.truncate(at),
            1 => drop(line.drain(at..end)),
            2 => drop(line.splice(at..at, line[at..end].to_vec())),
            3 => drop(line.splice(at..end, stream.pick(&PIECES).bytes())),
            4 => drop(line.splice(at..at, stream.pick(&PIECES).bytes())),
            _ => line.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << stream.below(8)),
        }
    }
    line.retain(|&byte| byte != b'\n');
    line
}

/// A random value without a key that comes twice.
fn value(stream: &mut Stream, depth: u32) -> Value {
    match stream.below(if depth > 4 { 6 } else { 8 }) {
        0 => Value::Null,
        1 => Value::Bool(stream.below(2) == 0),
        2 => Value::from(stream.word() as i64 >> stream.below(64)),
        3 => Value::from(stream.word()),
        4 => Some(f64::from_bits(stream.word())).filter(|number| number.is_finite()).map_or(json!(0.5), Value::from),
        5 => Value::from(text(stream)),
        6 => (0..stream.below(4)).map(|_| value(stream, depth + 1)).collect(),
        _ => Value::Object((0..stream.below(4)).map(|_| (text(stream), value(stream, depth + 1))).collect()),
    }
}

fn text(stream: &mut Stream) -> String {
    let characters = ['a', '"', '\\', '/', '\n', '\r', '\0', '\u{7f}', 'ü', '\u{2028}', '\u{feff}', '😀', '{', '\''];
    (0..stream.below(6)).map(|_| *stream.pick(&characters)).collect()
}
