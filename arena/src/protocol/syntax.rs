//! Where and how the JSON of a line is broken, told by what usually breaks it: another language's notation, several
//! lines or several objects, another encoding.

use super::explain::shown;

/// How much a detail shows around a place that lies far to the right, in bytes to either side.
const AROUND: usize = 20;

/// From which column on the place is shown beside the line, whose end a detail cuts off.
const FAR: usize = 150;

/// How much of a number or bare word is shown, in characters.
const WORD_SHOWN: usize = 30;

/// Where the reader stopped, and what it says about it.
pub(super) struct Broken {
    /// The byte at which it was noticed, from 0.
    at: usize,
    /// The reader's own words.
    message: String,
}

impl Broken {
    /// From the reader's error in a text that begins at byte `offset` of the line.
    pub(super) fn new(error: &serde_json::Error, offset: usize) -> Broken {
        let whole = error.to_string();
        let message = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(message, _)| message).to_owned();
        Broken { at: offset + error.column().saturating_sub(1), message }
    }

    /// What is wrong with the line, where, and the way out.
    pub(super) fn explain(&self, line: &[u8]) -> String {
        if is_utf16_object(line) {
            return "this is UTF-16 text: write UTF-8".to_owned();
        }
        let (at, what) = self.place_and_cause(line);
        let at = at.min(line.len());
        let column = String::from_utf8_lossy(&line[..at]).chars().count() + 1;
        let near = if column > FAR { format!(" (near {})", around(line, at)) } else { String::new() };
        let kind = if self.is_ours() { "JSON that is refused" } else { "broken JSON" };
        format!("{kind} at column {column}{near}: {what}")
    }

    /// Whether this is JSON, but refused by the strict reader on top of `serde_json`.
    fn is_ours(&self) -> bool {
        self.message.starts_with("the key ") || self.message.starts_with("lists and objects ")
    }

    fn place_and_cause(&self, line: &[u8]) -> (usize, String) {
        if let Err(error) = std::str::from_utf8(line)
            && error.valid_up_to() <= self.at
        {
            let at = error.valid_up_to();
            return (at, format!("the byte 0x{:02x} is no UTF-8: write all output as UTF-8", line[at]));
        }
        let message = self.message.as_str();
        if message.starts_with("EOF") {
            return (line.len(), unfinished(message).to_owned());
        }
        if self.is_ours() {
            return (key_start(line, self.at), message.to_owned());
        }
        let at = token_start(line, self.at, message);
        (at, cause(&line[at.min(line.len())..], message))
    }
}

/// Whether this is an object in UTF-16, with or without a byte order mark, in either byte order.
pub(super) fn is_utf16_object(text: &[u8]) -> bool {
    matches!(text, [0xFF, 0xFE, b'{', 0, ..] | [0xFE, 0xFF, 0, b'{', ..] | [b'{', 0, ..] | [0, b'{', ..])
}

/// The way out of a line that ends too early.
fn unfinished(message: &str) -> &'static str {
    if message.ends_with("string") {
        "a text is opened and not closed on this line: close it with a double quote; a line break in a text is written \\n"
    } else {
        "the object is opened and not closed on this line, as in pretty-printed JSON: \
         write the whole answer on one line (json.dumps without indent, JSON.stringify with one argument)"
    }
}

/// The cause, from what stands at the place.
fn cause(rest: &[u8], message: &str) -> String {
    match message {
        "expected value" | "expected ident" | "invalid number" => no_value(rest),
        "key must be a string" if rest.starts_with(b"'") => format!("{SINGLE_QUOTE}: {PYTHON}"),
        "key must be a string" if rest.starts_with(b",") => "a comma too many: leave it out".to_owned(),
        "key must be a string" => "a key is not in double quotes: write {\"turn\":…}".to_owned(),
        "trailing comma" => format!("a comma before {}: leave it out", after_comma(rest)),
        "trailing characters" if rest.starts_with(b"{") => {
            "a second object begins on the same line: end each with a line feed, and answer a request once".to_owned()
        }
        "trailing characters" => "something follows the object: send nothing else on its line".to_owned(),
        "number out of range" => {
            format!("the number {} is too large: only finite numbers can be sent", shown(word(rest), WORD_SHOWN))
        }
        "invalid escape" => {
            "a backslash in a text that begins no escape of JSON's: write a backslash as \\\\".to_owned()
        }
        "unexpected end of hex escape" | "lone leading surrogate in hex escape" => {
            "half of a surrogate pair in a text: write both halves, or the character itself".to_owned()
        }
        _ if message.starts_with("control character") => {
            "a control character in a text: escape it (a tab is \\t, a line break \\n)".to_owned()
        }
        _ => format!("{message}, but {} stands there", first_character(rest)),
    }
}

const SINGLE_QUOTE: &str = "a single quote, as in a printed Python dictionary";

const PYTHON: &str = "print json.dumps(answer), not the dictionary itself";

/// Why what stands here is no value.
fn no_value(rest: &[u8]) -> String {
    let word = word(rest);
    let seen = shown(word, WORD_SHOWN);
    match (word, rest.get(word.len())) {
        (b"True" | b"False" | b"None", _) => format!("{seen}, as in a printed Python dictionary: {PYTHON}"),
        (b"" | b"u" | b"b", Some(b'\'')) => format!("{SINGLE_QUOTE}: {PYTHON}"),
        (b"undefined", _) => "undefined is JavaScript's: JSON has only null for it".to_owned(),
        _ if is_not_finite(word) => format!("{seen} is no JSON number: only finite numbers can be sent"),
        ([b'0'..=b'9' | b'-' | b'+' | b'.', ..], _) => format!("{seen} is not how JSON writes a number"),
        ([_, ..], _) => format!("{seen} is no JSON value: texts stand in double quotes"),
        (_, Some(b',' | b'}' | b']' | b':')) => format!("a value is missing before {}", first_character(rest)),
        _ => format!("{} begins no JSON value", first_character(rest)),
    }
}

/// The numbers that other notations have and JSON has not.
fn is_not_finite(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"-").or(word.strip_prefix(b"+")).unwrap_or(word);
    [&b"nan"[..], b"inf", b"infinity"].iter().any(|name| digits.eq_ignore_ascii_case(name))
}

fn after_comma(rest: &[u8]) -> &'static str {
    if rest.starts_with(b"]") { "the end of a list" } else { "the end of the object" }
}

fn first_character(rest: &[u8]) -> String {
    String::from_utf8_lossy(rest)
        .chars()
        .next()
        .map(|first| shown(first.to_string().as_bytes(), 12))
        .unwrap_or_default()
}

/// The number or bare word at the beginning of a text; empty when there is none.
fn word(text: &[u8]) -> &[u8] {
    &text[..text.iter().position(|&byte| !is_word(byte)).unwrap_or(text.len())]
}

/// Whether a byte belongs to a number or a bare word.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.' | b'_')
}

/// Where the number or bare word begins in which the reader stopped, maybe just behind it.
fn token_start(line: &[u8], at: usize, message: &str) -> usize {
    let behind = matches!(message, "invalid number" | "number out of range" | "expected ident");
    let inside = matches!(message, "expected value") && line.get(at).copied().is_some_and(is_word);
    if !behind && !inside {
        return at;
    }
    let mut start = at.min(line.len());
    while start > 0 && is_word(line[start - 1]) {
        start -= 1;
    }
    start
}

/// Where the key begins at whose last quote the reader stopped.
fn key_start(line: &[u8], at: usize) -> usize {
    let inner = &line[..at.min(line.len())];
    inner.iter().rposition(|&byte| byte == b'"').unwrap_or(at)
}

/// The text around a place.
fn around(line: &[u8], at: usize) -> String {
    let is_inside_character = |index: usize| line.get(index).is_some_and(|byte| byte & 0xC0 == 0x80);
    let mut start = at.saturating_sub(AROUND);
    while start > 0 && is_inside_character(start) {
        start -= 1;
    }
    let mut end = (at + AROUND).min(line.len());
    while is_inside_character(end) {
        end += 1;
    }
    shown(&line[start..end], 4 * AROUND)
}
