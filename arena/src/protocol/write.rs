//! The arena's lines to a bot: `start`, `turn` and `end`, as bytes that are ready to be sent.
//! A `turn` is written straight into the buffer, because it is written once a move.

use super::VERSION;
use super::result::result_json;
use crate::seat::Seat;
use crate::verdict::Verdict;
use serde::Serialize;
use serde_json::{Map, Value};

/// The clocks of a match as `start` tells them, in whole milliseconds; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClockLine {
    /// How long the bot may take to say `ready`.
    pub start_ms: Option<u64>,
    /// How long each answer may take.
    pub move_ms: Option<u64>,
    /// The bank for the whole match.
    pub game_ms: Option<u64>,
    /// What a move adds to the bank.
    pub increment_ms: u64,
}

/// What a bot is told before a match.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The game's word.
    pub game: &'a str,
    /// All parameters of the match.
    pub params: &'a Map<String, Value>,
    /// The seat of the bot that reads this.
    pub seat: Seat,
    /// The bots' names, seat 0 first.
    pub players: [&'a str; 2],
    /// The bot's own random seed, below 2^53.
    pub seed: u64,
    /// What this match is called.
    pub match_id: &'a str,
    /// The match's clocks.
    pub clock: ClockLine,
}

/// Appends the `start` line.
pub fn write_start(out: &mut Vec<u8>, start: &Start<'_>) {
    out.extend_from_slice(br#"{"type":"start","protocol":"#);
    json(out, &VERSION);
    out.extend_from_slice(br#","game":"#);
    json(out, start.game);
    out.extend_from_slice(br#","params":"#);
    json(out, start.params);
    out.extend_from_slice(br#","seat":"#);
    seat(out, start.seat);
    out.extend_from_slice(br#","players":"#);
    json(out, &start.players);
    out.extend_from_slice(br#","seed":"#);
    json(out, &start.seed);
    out.extend_from_slice(br#","match":"#);
    json(out, start.match_id);
    out.extend_from_slice(br#","clock":"#);
    json(out, &start.clock);
    out.extend_from_slice(b"}\n");
}

/// The clocks of one request, in whole milliseconds; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TurnClock {
    /// What this answer is judged by: the smaller of the other two.
    pub limit_ms: Option<u64>,
    /// The limit of each move.
    pub move_ms: Option<u64>,
    /// What is left of the bank.
    pub left_ms: Option<u64>,
}

/// What appends a part of a message as JSON text, on one line.
pub type WriteJson<'a> = &'a dyn Fn(&mut Vec<u8>);

/// One request for a move.
pub struct Turn<'a> {
    /// Its number in the match, from 0.
    pub turn: u32,
    /// The seat that is asked.
    pub seat: Seat,
    /// The clocks.
    pub clock: TurnClock,
    /// What was played since this bot's last request.
    pub since: &'a Since,
    /// Appends the state as JSON text, on one line.
    pub write_state: WriteJson<'a>,
    /// Appends the legal moves as a JSON list, on one line, where they are told.
    pub write_legal: Option<WriteJson<'a>>,
}

/// Appends the `turn` line.
pub fn write_turn(out: &mut Vec<u8>, turn: &Turn<'_>) {
    out.extend_from_slice(br#"{"type":"turn","turn":"#);
    json(out, &turn.turn);
    out.extend_from_slice(br#","seat":"#);
    seat(out, turn.seat);
    out.extend_from_slice(br#","state":"#);
    (turn.write_state)(out);
    out.extend_from_slice(br#","since":"#);
    turn.since.write(out);
    if let Some(write_legal) = turn.write_legal {
        out.extend_from_slice(br#","legal":"#);
        write_legal(out);
    }
    out.extend_from_slice(br#","clock":"#);
    json(out, &turn.clock);
    out.extend_from_slice(b"}\n");
}

/// What was played since a bot's last request, kept as the JSON text that its next request will carry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Since {
    /// The entries, with commas between them and no brackets.
    entries: Vec<u8>,
}

impl Since {
    /// Nothing yet.
    pub fn new() -> Since {
        Since::default()
    }

    /// Adds a move as it was accepted, as JSON text on one line; `None` is a forced pass.
    pub fn push(&mut self, turn: u32, who: Seat, mv: Option<&str>) {
        if !self.entries.is_empty() {
            self.entries.push(b',');
        }
        self.entries.extend_from_slice(br#"{"turn":"#);
        json(&mut self.entries, &turn);
        self.entries.extend_from_slice(br#","seat":"#);
        seat(&mut self.entries, who);
        self.entries.extend_from_slice(br#","move":"#);
        self.entries.extend_from_slice(mv.unwrap_or("null").as_bytes());
        self.entries.push(b'}');
    }

    /// Forgets everything: the bot has been told. The memory is kept for what follows.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Whether nothing was played.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Appends it as a JSON list.
    fn write(&self, out: &mut Vec<u8>) {
        out.push(b'[');
        out.extend_from_slice(&self.entries);
        out.push(b']');
    }
}

/// Appends the `end` line.
pub fn write_end(out: &mut Vec<u8>, verdict: &Verdict, since: &Since) {
    out.extend_from_slice(br#"{"type":"end","result":"#);
    json(out, &result_json(verdict));
    out.extend_from_slice(br#","since":"#);
    since.write(out);
    out.extend_from_slice(b"}\n");
}

/// Appends a value as JSON text.
pub(super) fn json<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(out, value).expect("plain data is JSON, and a vector takes what is written to it");
}

fn seat(out: &mut Vec<u8>, seat: Seat) {
    out.push(b'0' + seat.index() as u8);
}
