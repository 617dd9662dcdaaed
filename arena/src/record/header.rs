//! The first line of a transcript: everything that is needed to play the match again.

use crate::clock::{Clock, millis};
use crate::game::Params;
use crate::seat::Seat;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The number of the transcript's format.
pub const SCHEMA: u32 = 1;

/// The first line of a transcript. Keys that it does not know are ignored: newer arenas may write more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The number of the format.
    pub schema: u32,
    /// The version of the arena that wrote it.
    pub arena: String,
    /// The match's id.
    pub id: String,
    /// The game's word.
    pub game: String,
    /// All parameters, defaults and what was dealt filled in.
    pub params: Params,
    /// The match's seed.
    pub seed: u64,
    /// The match, and its turn, from which this one goes on; its turns before that are not played but replayed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<GoesOn>,
    /// The plies of the opening, drawn from the seed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening: Vec<Value>,
    /// The limits.
    pub clock: ClockRecord,
    /// Whether the legal moves were sent also where the game does not always do so.
    #[serde(default)]
    pub hints: bool,
    /// What a bot might do in its rival's turn: `own-turn` or `any`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<String>,
    /// The cores that the match was held to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<Vec<usize>>,
    /// How bots were confined: `strict`, `best-effort` or `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isolation: Option<String>,
    /// The layers of it that held.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<String>,
    /// What each bot might use of the machine, where that was said: `NAME=VALUE`, as `arena match --limit` takes it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
    /// Both players, seat 0 first.
    pub players: [PlayerRecord; 2],
    /// When it began, RFC 3339, UTC.
    pub started: String,
}

impl Header {
    /// The limits that held for a seat.
    pub fn clock_of(&self, seat: Seat) -> &ClockRecord {
        self.players[seat.index()].clock.as_ref().unwrap_or(&self.clock)
    }
}

/// A turn of another match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoesOn {
    /// The other match's id.
    pub id: String,
    /// The turn's number: so many turns of the other match stand before the first one that is played.
    pub turn: u32,
}

/// A match's limits, in whole milliseconds; `null` is no limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockRecord {
    /// From `start` to `ready`.
    pub start_ms: Option<u64>,
    /// For one move.
    pub move_ms: Option<u64>,
    /// For all moves of a match.
    pub game_ms: Option<u64>,
    /// Added to the bank after each move.
    pub increment_ms: u64,
    /// From the closing of stdin to the kill.
    pub stop_ms: u64,
}

impl From<&Clock> for ClockRecord {
    fn from(clock: &Clock) -> ClockRecord {
        ClockRecord {
            start_ms: clock.start.map(millis),
            move_ms: clock.per_move.map(millis),
            game_ms: clock.game.map(millis),
            increment_ms: millis(clock.increment),
            stop_ms: millis(clock.stop),
        }
    }
}

impl From<&ClockRecord> for Clock {
    fn from(record: &ClockRecord) -> Clock {
        let duration = std::time::Duration::from_millis;
        Clock {
            start: record.start_ms.map(duration),
            per_move: record.move_ms.map(duration),
            game: record.game_ms.map(duration),
            increment: duration(record.increment_ms),
            stop: duration(record.stop_ms),
        }
    }
}

/// One player of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerRecord {
    /// Its name in this match.
    pub name: String,
    /// Program and arguments, the program as an absolute path; empty for a person.
    pub command: Vec<String>,
    /// Where it was started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Its own seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Its limits, where they are not the match's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockRecord>,
    /// Where its waiting time was read from: `cgroup`, `schedstat` or `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fair_clock: Option<String>,
}
