//! The lines of a transcript. `P` and `M` are a game's parameters and a move of it.

use super::message::{Outcome, ReasonWord, Seat, Seed};
use schemars::JsonSchema;
use serde_json::Value;

/// One line of a transcript, schema 1. Newer arenas may write lines of further types.
#[derive(JsonSchema)]
#[schemars(rename = "transcript line", tag = "type", rename_all = "lowercase")]
#[allow(missing_docs)] // The keys are explained on the page of transcripts.
#[allow(clippy::large_enum_variant)] // There is never a value of it.
pub enum Line<P: JsonSchema, M: JsonSchema> {
    /// The first line: everything that is needed to play the match again.
    Match {
        #[schemars(extend("const" = 1))]
        schema: u32,
        arena: String,
        id: String,
        game: String,
        params: P,
        seed: Seed,
        #[schemars(with = "GoesOn", skip_serializing_if = "Option::is_none")]
        from: Option<GoesOn>,
        #[schemars(skip_serializing_if = "Vec::is_empty")]
        opening: Vec<M>,
        clock: Clock,
        hints: bool,
        #[schemars(with = "String", skip_serializing_if = "Option::is_none", extend("enum" = ["own-turn", "any"]))]
        thinking: Option<String>,
        #[schemars(with = "Vec<usize>", skip_serializing_if = "Option::is_none")]
        cores: Option<Vec<usize>>,
        #[schemars(with = "String", skip_serializing_if = "Option::is_none", extend("enum" = ["strict", "best-effort", "none"]))]
        isolation: Option<String>,
        #[schemars(skip_serializing_if = "Vec::is_empty")]
        layers: Vec<String>,
        players: [Player; 2],
        started: String,
    },
    /// A seat said that it is ready.
    Ready {
        ms: u64,
        seat: Seat,
        /// In microseconds.
        took: u64,
        #[schemars(flatten)]
        times: Times,
    },
    /// A move was accepted.
    Move {
        ms: u64,
        turn: u32,
        seat: Seat,
        r#move: M,
        took_us: u64,
        #[schemars(flatten)]
        times: Times,
        #[schemars(skip_serializing_if = "Option::is_none")]
        note: Option<Value>,
    },
    /// A turn of the match that `from` names; null is a forced pass.
    Replayed { ms: u64, turn: u32, seat: Seat, r#move: Option<M> },
    /// A seat without a legal move was skipped.
    Pass { ms: u64, turn: u32, seat: Seat },
    /// A flip that the rules ignore.
    Invalid { ms: u64, turn: u32, seat: Seat, flip: usize, why: String },
    /// A line on stdout that is no message.
    Stray { ms: u64, seat: Seat, text: String },
    /// A message that answered nothing that was open.
    Stale { ms: u64, seat: Seat, text: String },
    /// What a seat wrote on stderr.
    Stderr {
        ms: u64,
        turn: u32,
        seat: Seat,
        text: String,
        /// How many bytes are missing before it.
        #[schemars(with = "u64", skip_serializing_if = "Option::is_none")]
        cut: Option<u64>,
    },
    /// A seat is at fault.
    Fault {
        ms: u64,
        seat: Seat,
        reason: ReasonWord,
        detail: String,
        /// The line that was judged.
        #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
        line: Option<String>,
        /// The move that was refused.
        #[schemars(skip_serializing_if = "Option::is_none")]
        r#move: Option<Value>,
    },
    /// The last line: how the match ended, and what it took.
    Result {
        ms: u64,
        #[schemars(flatten)]
        outcome: Outcome,
        turns: u32,
        duration_ms: u64,
        total_us: [u64; 2],
        max_us: [u64; 2],
        cpu_us: [Option<u64>; 2],
        peak_kib: [Option<u64>; 2],
        left_behind: [u32; 2],
    },
}

/// In microseconds, where they were read.
#[derive(JsonSchema)]
pub struct Times {
    /// Processor time that the bot used.
    #[schemars(with = "u64", skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// Time in which the bot was ready to run and got no processor.
    #[schemars(with = "u64", skip_serializing_if = "Option::is_none")]
    pub stalled_us: Option<u64>,
    /// Time in which the arena itself was late.
    #[schemars(with = "u64", skip_serializing_if = "Option::is_none")]
    pub arena_us: Option<u64>,
}

/// A turn of another match.
#[derive(JsonSchema)]
#[schemars(inline)]
pub struct GoesOn {
    /// The other match's id.
    pub id: String,
    /// So many turns of it stand before the first one that is played.
    pub turn: u32,
}

/// Limits in whole milliseconds; null is no limit.
#[derive(JsonSchema)]
#[schemars(rename = "clock")]
pub struct Clock {
    /// Until `ready`.
    pub start_ms: Option<u64>,
    /// For a move.
    pub move_ms: Option<u64>,
    /// For all moves of the match.
    pub game_ms: Option<u64>,
    /// Added to the bank after each move.
    pub increment_ms: u64,
    /// From the closing of stdin to the kill.
    pub stop_ms: u64,
}

/// A player of the match.
#[derive(JsonSchema)]
#[schemars(rename = "player")]
pub struct Player {
    /// Its name in this match.
    pub name: String,
    /// Program and arguments; empty for a person.
    pub command: Vec<String>,
    /// Where it was started.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Its own seed.
    #[schemars(with = "Seed", skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
    /// Its limits, where they are not the match's.
    #[schemars(with = "Clock", skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    /// Where its waiting time was read from.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none", extend("enum" = ["cgroup", "schedstat", "none"]))]
    pub fair_clock: Option<String>,
}
