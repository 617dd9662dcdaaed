//! What the course's socket clients say and are told, as text and as JSON: pure reading and writing, both ways, so that
//! whoever plays the server or the client speaks the same. Knows no socket and no clock.

use super::board::PLACES;
use super::{Move, Phase, moves};
use crate::protocol::shown;
use serde_json::{Map, Value, json};
use std::io::Write;

/// How much of a message a sentence shows, in characters.
const SHOWN: usize = 200;

/// How far the board reaches from its middle, as JSON clients are told.
const BOARD_LENGTH: i64 = super::REACH;

/// The two kinds of client. Which one it is, the first byte of its hello tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Numbers with spaces between them.
    Text,
    /// A JSON object a message.
    Json,
}

/// What a client says first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// Which kind of client it is.
    pub kind: Kind,
    /// Its name on one line, whatever letters it has; empty when it gave none.
    pub name: String,
    /// Whether it wants to move first.
    pub flag: Flag,
}

/// Whether a client wants to move first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flag {
    /// It does.
    First,
    /// It does not.
    Second,
    /// It said something else, which counts as that it does not.
    Odd(String),
}

/// What a client is shown of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Whether blocks are placed or taken off.
    pub phase: Phase,
    /// The weight at each position, -30 first.
    pub board: [u8; PLACES],
    /// Whether the match is over.
    pub over: bool,
}

/// Reads a hello: `NAME FLAG`, the last word being the flag, or `{"name":"…","is_first":true}`.
///
/// # Errors
/// An object that is broken, or has no name: why, in a sentence.
pub fn read_hello(message: &[u8]) -> Result<Hello, String> {
    if message.trim_ascii_start().starts_with(b"{") {
        return read_json_hello(message);
    }
    let text = String::from_utf8_lossy(message);
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let flag = match words.last() {
        Some(word) => flag_of(word),
        None => return Err("the hello is empty: a name and 1 or 0 are expected, like `alice 1`".to_string()),
    };
    // A lone word that is no flag is more likely a name.
    let is_lone_name = words.len() == 1 && matches!(flag, Flag::Odd(_));
    if !is_lone_name {
        words.pop();
    }
    let flag = if is_lone_name { Flag::Odd(String::new()) } else { flag };
    Ok(Hello { kind: Kind::Text, name: words.join(" "), flag })
}

fn read_json_hello(message: &[u8]) -> Result<Hello, String> {
    let object = read_object(message, r#"{"name":"…","is_first":true}"#)?;
    let name = object.get("name").and_then(Value::as_str).ok_or_else(|| {
        format!(r#"the hello {} has no `name` that is a text: {{"name":"…","is_first":true}}"#, shown(message, SHOWN))
    })?;
    let flag = match object.get("is_first") {
        Some(Value::Bool(true)) => Flag::First,
        Some(Value::Bool(false)) => Flag::Second,
        Some(Value::String(word)) => flag_of(word),
        Some(other) => flag_of(&other.to_string()),
        None => Flag::Odd(String::new()),
    };
    let name: Vec<&str> = name.split_whitespace().collect();
    Ok(Hello { kind: Kind::Json, name: name.join(" "), flag })
}

fn flag_of(word: &str) -> Flag {
    match word {
        "1" => Flag::First,
        "0" => Flag::Second,
        word if word.eq_ignore_ascii_case("true") => Flag::First,
        word if word.eq_ignore_ascii_case("false") => Flag::Second,
        word => Flag::Odd(word.to_string()),
    }
}

impl Kind {
    /// Appends a client's hello.
    pub fn write_hello(self, name: &str, first: bool, out: &mut Vec<u8>) {
        match self {
            Kind::Text => put(out, format_args!("{name} {}", u8::from(first))),
            Kind::Json => put(out, json!({"name": name, "is_first": first})),
        }
    }

    /// Appends the server's answer to a hello: how many blocks each hand has.
    pub fn write_welcome(self, k: u64, out: &mut Vec<u8>) {
        match self {
            Kind::Text => put(out, format_args!("{k}\n")),
            Kind::Json => put(out, format_args!("{}\n", json!({"num_weights": k, "board_length": BOARD_LENGTH}))),
        }
    }

    /// Reads the server's answer to a hello.
    ///
    /// # Errors
    /// Anything else, a refusal for instance: what came, in a sentence.
    pub fn read_welcome(self, message: &[u8]) -> Result<u64, String> {
        let number = match self {
            Kind::Text => String::from_utf8_lossy(message).trim().parse().ok(),
            Kind::Json => {
                serde_json::from_slice::<Value>(message).ok().and_then(|object| object["num_weights"].as_u64())
            }
        };
        number.ok_or_else(|| format!("the number of blocks is expected, but the server said {}", shown(message, SHOWN)))
    }

    /// Appends a state, with its LF. `winner` is told to JSON clients alone, at the end of a match that somebody won.
    pub fn write_state(self, view: &View, winner: Option<&str>, out: &mut Vec<u8>) {
        let board: String = view.board.iter().map(|weight| format!(" {weight}")).collect();
        let (phase, over) = (u8::from(view.phase == Phase::Remove), u8::from(view.over));
        match self {
            Kind::Text => put(out, format_args!("{phase}{board} {over}\n")),
            Kind::Json => {
                let kind = if view.phase == Phase::Add { "place" } else { "remove" };
                let mut state = json!({"move_type": kind, "game_over": over.to_string(), "board_state": board});
                if let Some(winner) = winner {
                    state["winner"] = winner.into();
                }
                put(out, format_args!("{state}\n"));
            }
        }
    }

    /// Reads a state.
    ///
    /// # Errors
    /// Anything else: what came, in a sentence.
    pub fn read_state(self, message: &[u8]) -> Result<View, String> {
        let view = match self {
            Kind::Text => {
                let text = String::from_utf8_lossy(message);
                let words: Vec<&str> = text.split_whitespace().collect();
                match &words[..] {
                    [phase, board @ .., over] => view(*phase == "1", board, *over == "1"),
                    _ => None,
                }
            }
            Kind::Json => serde_json::from_slice::<Value>(message).ok().and_then(|state| {
                let board: Vec<&str> = state["board_state"].as_str()?.split_whitespace().collect();
                view(state["move_type"] == "remove", &board, state["game_over"] == "1")
            }),
        };
        view.ok_or_else(|| format!("a state is expected, but the server said {}", shown(message, SHOWN)))
    }

    /// Appends a client's move, without a line end.
    pub fn write_move(self, mv: &Move, out: &mut Vec<u8>) {
        let Move::Block { weight, position } = mv else { return };
        match (self, weight) {
            (Kind::Text, Some(weight)) => put(out, format_args!("{weight} {position}")),
            (Kind::Text, None) => put(out, position),
            (Kind::Json, Some(weight)) => put(out, json!({"position": position, "weight": weight})),
            (Kind::Json, None) => put(out, json!({"position": position})),
        }
    }

    /// Reads a client's move of a phase.
    ///
    /// # Errors
    /// What is no move: what is wrong, what came and what is expected, in a sentence.
    pub fn read_move(self, message: &[u8], phase: Phase) -> Result<Move, String> {
        let expected = self.expected(phase);
        match self {
            Kind::Text => moves::read_plain(&String::from_utf8_lossy(message), phase).map_err(|bad| bad.0),
            Kind::Json => read_object(message, expected)
                .and_then(|object| moves::read(&Value::Object(object), phase).map_err(|bad| bad.0)),
        }
        .map_err(|why| format!("{why}. The client sent {}; expected was {expected}", shown(message, SHOWN)))
    }

    /// What a move of a phase looks like, for people.
    pub fn expected(self, phase: Phase) -> &'static str {
        match (self, phase) {
            (Kind::Text, Phase::Add) => "WEIGHT POSITION, two whole numbers",
            (Kind::Text, Phase::Remove) => "POSITION, one whole number",
            (Kind::Json, Phase::Add) => r#"{"position":P,"weight":W}"#,
            (Kind::Json, Phase::Remove) => r#"{"position":P}"#,
        }
    }
}

impl View {
    /// What a client is shown of a state as bots receive it; `None` where it is no such state.
    pub fn of_state(state: &Value, over: bool) -> Option<View> {
        let phase = if state["phase"] == "add" { Phase::Add } else { Phase::Remove };
        let weights: Vec<u8> = state["board"]
            .as_array()?
            .iter()
            .map(|weight| u8::try_from(weight.as_u64()?).ok())
            .collect::<Option<_>>()?;
        Some(View { phase, board: weights.try_into().ok()?, over })
    }

    /// The plies that lead from the board of an earlier view to this one: blocks that came, and blocks that went.
    pub fn plies_since(&self, before: &View) -> Vec<Move> {
        let reach = super::REACH;
        let changed = (-reach..=reach).zip(before.board.iter().zip(&self.board)).filter(|(_, (old, new))| old != new);
        changed
            .map(|(position, (_, new))| Move::Block { weight: (*new > 0).then_some(i64::from(*new)), position })
            .collect()
    }
}

/// A move as bots write it.
pub fn move_value(mv: &Move) -> Value {
    match mv {
        Move::Block { weight: Some(weight), position } => json!({"weight": weight, "position": position}),
        Move::Block { weight: None, position } => json!({"position": position}),
        Move::Pass => Value::Null,
    }
}

fn read_object(message: &[u8], expected: &str) -> Result<Map<String, Value>, String> {
    match serde_json::from_slice(message.trim_ascii()) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(format!("{} is no object: {expected} is expected", shown(message, SHOWN))),
        Err(error) => Err(format!("{} is no JSON ({error}): {expected} is expected", shown(message, SHOWN))),
    }
}

fn view(removing: bool, board: &[&str], over: bool) -> Option<View> {
    let weights: Vec<u8> = board.iter().map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let phase = if removing { Phase::Remove } else { Phase::Add };
    Some(View { phase, board: weights.try_into().ok()?, over })
}

fn put(out: &mut Vec<u8>, text: impl std::fmt::Display) {
    write!(out, "{text}").expect("memory takes what is written");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hello(text: &str) -> (Kind, String, Flag) {
        let hello = read_hello(text.as_bytes()).unwrap_or_else(|why| panic!("{text}: {why}"));
        (hello.kind, hello.name, hello.flag)
    }

    #[test]
    fn the_last_word_of_a_text_hello_is_its_flag() {
        let odd = |word: &str| Flag::Odd(word.to_string());
        for (text, name, flag) in [
            ("alice 1", "alice", Flag::First),
            ("alice 0\r\n", "alice", Flag::Second),
            ("the  two of\tus TRUE", "the two of us", Flag::First),
            ("bob False", "bob", Flag::Second),
            ("bob first", "bob", odd("first")),
            ("1", "", Flag::First),
            ("bob", "bob", odd("")),
        ] {
            assert_eq!(hello(text), (Kind::Text, name.to_string(), flag), "{text}");
        }
        assert!(read_hello(b" \n").is_err());
    }

    #[test]
    fn an_object_is_a_json_hello() {
        for (text, name, flag) in [
            (r#"{"name":"a b","is_first":true}"#, "a b", Flag::First),
            (r#" {"is_first":false,"name":"x\ny","more":1}"#, "x y", Flag::Second),
            (r#"{"name":"x"}"#, "x", Flag::Odd(String::new())),
            (r#"{"name":"x","is_first":1}"#, "x", Flag::First),
        ] {
            assert_eq!(hello(text), (Kind::Json, name.to_string(), flag), "{text}");
        }
        for bad in [r#"{"name":7}"#, "{", r#"{"is_first":true}"#] {
            assert!(read_hello(bad.as_bytes()).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        let mut board = [0; PLACES];
        board[26] = 3;
        board[60] = 15;
        for kind in [Kind::Text, Kind::Json] {
            for (phase, over) in [(Phase::Add, false), (Phase::Remove, true)] {
                let view = View { phase, board, over };
                let mut out = Vec::new();
                kind.write_state(&view, None, &mut out);
                assert_eq!(kind.read_state(&out), Ok(view));
                let weight = (phase == Phase::Add).then_some(7);
                let mv = Move::Block { weight, position: -3 };
                let mut out = Vec::new();
                kind.write_move(&mv, &mut out);
                assert_eq!(kind.read_move(&out, phase), Ok(mv));
            }
            let mut out = Vec::new();
            kind.write_welcome(15, &mut out);
            assert_eq!(kind.read_welcome(&out), Ok(15));
            assert!(kind.read_welcome(b"go away\n").is_err());
        }
    }

    #[test]
    fn what_is_no_move_is_told_with_what_came_and_what_is_expected() {
        for (kind, phase, text, words) in [
            (
                Kind::Text,
                Phase::Add,
                "7",
                "one number came, the position is missing. The client sent 7; expected was WEIGHT",
            ),
            (Kind::Text, Phase::Add, "7 -3 1", "3 numbers came"),
            (Kind::Text, Phase::Remove, "7 -3", "2 numbers came"),
            (Kind::Text, Phase::Add, "7 left", "`left` is no whole number"),
            (Kind::Text, Phase::Remove, "1.5", "`1.5` is no whole number"),
            (Kind::Text, Phase::Remove, "99999999999999999999", "is no whole number"),
            (Kind::Json, Phase::Add, r#"{"position":1}"#, "names no `weight`"),
            (Kind::Json, Phase::Add, r#"{"weight":1}"#, "`position` is missing"),
            (Kind::Json, Phase::Remove, r#"{"position":1.5}"#, "has a fraction"),
            (Kind::Json, Phase::Remove, "-4", "is no object"),
            (Kind::Json, Phase::Remove, "{\"position\"", "is no JSON"),
        ] {
            let why = kind.read_move(text.as_bytes(), phase).expect_err(text);
            assert!(why.contains(words), "{text}: {why}");
        }
    }

    #[test]
    fn plies_are_seen_by_comparing_boards() {
        let before = View { phase: Phase::Add, board: [0; PLACES], over: false };
        let mut after = before.clone();
        after.board[27] = 7;
        assert_eq!(after.plies_since(&before), [Move::Block { weight: Some(7), position: -3 }]);
        assert_eq!(before.plies_since(&after), [Move::Block { weight: None, position: -3 }]);
    }
}
