//! The other side of the protocol, for bots written in Rust: reads the arena's lines and writes the answers.
//! Keys that are not known are ignored.

use super::result::{WireResult, seat};
use super::write::json;
use super::{ClockLine, TurnClock};
use crate::seat::Seat;
use crate::verdict::Verdict;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// One line of the arena, told apart by its `type`: `serde_json::from_str::<Message>(&line)`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Wire")]
pub enum Message {
    /// A match begins: answer with [`write_ready`].
    Start(Start),
    /// A move is asked for: answer with [`write_move`].
    Turn(Turn),
    /// The match is over; the next line, if one comes, is a `start`.
    End(End),
}

/// What is known before a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// The number of the protocol.
    pub protocol: u32,
    /// The game's word.
    pub game: String,
    /// All parameters of the match.
    pub params: Map<String, Value>,
    /// The seat of this bot.
    pub seat: Seat,
    /// The bots' names, seat 0 first.
    pub players: [String; 2],
    /// This bot's own random seed, below 2^53.
    pub seed: u64,
    /// What this match is called.
    pub match_id: String,
    /// The match's clocks.
    pub clock: ClockLine,
}

/// One request for a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Its number, which the answer repeats.
    pub turn: u32,
    /// The seat that is asked: this bot's.
    pub seat: Seat,
    /// The state, in the game's own shape.
    pub state: Value,
    /// What was played since this bot's last request.
    pub since: Vec<Played>,
    /// The legal moves, where they are told.
    pub legal: Option<Vec<Value>>,
    /// The clocks.
    pub clock: TurnClock,
}

/// The end of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// How it ended.
    pub result: Verdict,
    /// What was played since this bot's last request.
    pub since: Vec<Played>,
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Played {
    /// Its turn.
    pub turn: u32,
    /// Who played it.
    #[serde(deserialize_with = "read_seat")]
    pub seat: Seat,
    /// The move as it was accepted; null is a forced pass.
    #[serde(rename = "move")]
    pub mv: Value,
}

/// Appends the line that answers `start`. `reuse` says that this process can play further matches.
pub fn write_ready(out: &mut Vec<u8>, reuse: bool) {
    out.extend_from_slice(if reuse { br#"{"type":"ready","reuse":true}"# } else { br#"{"type":"ready"}"# });
    out.push(b'\n');
}

/// Appends the line that answers the request of this turn. The move and the note are JSON texts on one line.
pub fn write_move(out: &mut Vec<u8>, turn: u32, mv: &str, note: Option<&str>) {
    out.extend_from_slice(br#"{"type":"move","turn":"#);
    json(out, &turn);
    out.extend_from_slice(br#","move":"#);
    out.extend_from_slice(mv.as_bytes());
    if let Some(note) = note {
        out.extend_from_slice(br#","note":"#);
        out.extend_from_slice(note.as_bytes());
    }
    out.extend_from_slice(b"}\n");
}

/// All keys of all messages in one, so that a line is read in one pass whatever its type is.
#[derive(Deserialize)]
struct Wire {
    #[serde(rename = "type")]
    kind: String,
    protocol: Option<u32>,
    game: Option<String>,
    params: Option<Map<String, Value>>,
    seat: Option<u64>,
    players: Option<[String; 2]>,
    seed: Option<u64>,
    #[serde(rename = "match")]
    match_id: Option<String>,
    clock: Option<WireClock>,
    turn: Option<u32>,
    state: Option<Value>,
    #[serde(default)]
    since: Vec<Played>,
    legal: Option<Vec<Value>>,
    result: Option<WireResult>,
}

/// The clocks of `start` and of `turn` in one.
#[derive(Default, Deserialize)]
#[serde(default)]
struct WireClock {
    start_ms: Option<u64>,
    move_ms: Option<u64>,
    game_ms: Option<u64>,
    increment_ms: u64,
    limit_ms: Option<u64>,
    left_ms: Option<u64>,
}

impl TryFrom<Wire> for Message {
    type Error = String;

    fn try_from(wire: Wire) -> Result<Message, String> {
        match wire.kind.as_str() {
            "start" => wire.start().map(Message::Start),
            "turn" => wire.turn().map(Message::Turn),
            "end" => wire.end().map(Message::End),
            other => Err(format!("there is no message of type `{other}`: only start, turn and end")),
        }
    }
}

impl Wire {
    fn start(self) -> Result<Start, String> {
        let clock = self.clock.unwrap_or_default();
        Ok(Start {
            protocol: there("protocol", self.protocol)?,
            game: there("game", self.game)?,
            params: self.params.unwrap_or_default(),
            seat: seat(there("seat", self.seat)?)?,
            players: there("players", self.players)?,
            seed: there("seed", self.seed)?,
            match_id: there("match", self.match_id)?,
            clock: ClockLine {
                start_ms: clock.start_ms,
                move_ms: clock.move_ms,
                game_ms: clock.game_ms,
                increment_ms: clock.increment_ms,
            },
        })
    }

    fn turn(self) -> Result<Turn, String> {
        let clock = self.clock.unwrap_or_default();
        Ok(Turn {
            turn: there("turn", self.turn)?,
            seat: seat(there("seat", self.seat)?)?,
            state: there("state", self.state)?,
            since: self.since,
            legal: self.legal,
            clock: TurnClock { limit_ms: clock.limit_ms, move_ms: clock.move_ms, left_ms: clock.left_ms },
        })
    }

    fn end(self) -> Result<End, String> {
        Ok(End { result: there("result", self.result)?.verdict()?, since: self.since })
    }
}

fn there<T>(key: &str, value: Option<T>) -> Result<T, String> {
    value.ok_or_else(|| format!("the message has no `{key}`"))
}

fn read_seat<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
    seat(u64::deserialize(deserializer)?).map_err(serde::de::Error::custom)
}
