//! What the arena and a bot say to each other. `P`, `S` and `M` are a game's parameters, its state and a move of it.

use arena::verdict::Reason;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;
use std::borrow::Cow;

/// What a bot is told before a match, once. It answers with `ready`.
#[derive(JsonSchema)]
#[schemars(rename = "start")]
pub struct Start<P> {
    /// What this message is.
    #[schemars(rename = "type", extend("const" = "start"))]
    pub kind: String,
    /// The number of the protocol.
    #[schemars(extend("const" = 1))]
    pub protocol: u32,
    /// The game's word.
    pub game: String,
    /// All parameters of the match, defaults and what was dealt filled in.
    pub params: P,
    /// The seat of the bot that reads this: 0 moves first, 1 second.
    pub seat: Seat,
    /// Both names, seat 0 first.
    pub players: [String; 2],
    /// The bot's own random seed, below 2^53.
    pub seed: Seed,
    /// What this match is called.
    #[schemars(rename = "match")]
    pub match_id: String,
    /// The match's limits.
    pub clock: StartClock,
}

/// Limits in whole milliseconds; null is no limit.
#[derive(JsonSchema)]
#[schemars(inline)]
pub struct StartClock {
    /// Until `ready`.
    pub start_ms: Option<u64>,
    /// For a move.
    pub move_ms: Option<u64>,
    /// For all moves of the match.
    pub game_ms: Option<u64>,
    /// Added to the bank after each move.
    pub increment_ms: u64,
}

/// A request for a move.
#[derive(JsonSchema)]
#[schemars(rename = "turn")]
pub struct Turn<S: JsonSchema, M: JsonSchema> {
    /// What this message is.
    #[schemars(rename = "type", extend("const" = "turn"))]
    pub kind: String,
    /// Its number, counted from 0 over the whole match; the answer repeats it.
    pub turn: u32,
    /// The seat that is asked: that of the bot that reads this.
    pub seat: Seat,
    /// The whole position.
    pub state: S,
    /// What was played since this bot's last request, in order.
    pub since: Vec<Played<M>>,
    /// The legal moves, where the game lists them or hints were asked for.
    #[schemars(with = "Vec<M>", skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<M>>,
    /// What this answer is judged by.
    pub clock: TurnClock,
}

/// Times in whole milliseconds; null is no limit.
#[derive(JsonSchema)]
#[schemars(inline)]
pub struct TurnClock {
    /// The limit of this answer: the smaller of the other two.
    pub limit_ms: Option<u64>,
    /// The limit of each move.
    pub move_ms: Option<u64>,
    /// What is left in the bank.
    pub left_ms: Option<u64>,
}

/// A turn that was played.
#[derive(JsonSchema)]
#[schemars(rename = "played")]
pub struct Played<M> {
    /// Its number.
    pub turn: u32,
    /// Who played it.
    pub seat: Seat,
    /// The move as it was accepted; null is a forced pass.
    #[schemars(rename = "move")]
    pub mv: Option<M>,
}

/// What a bot is told at the end of a match, once.
#[derive(JsonSchema)]
#[schemars(rename = "end")]
pub struct End<M> {
    /// What this message is.
    #[schemars(rename = "type", extend("const" = "end"))]
    pub kind: String,
    /// How the match ended.
    pub result: Outcome,
    /// What was played since this bot's last request, in order.
    pub since: Vec<Played<M>>,
}

/// How a match ended.
#[derive(JsonSchema)]
#[schemars(inline)]
pub struct Outcome {
    /// The seat that won; null for a draw and for a void match.
    pub winner: Option<Seat>,
    /// Points of seats 0 and 1.
    pub scores: [i64; 2],
    /// Why it ended.
    pub reason: ReasonWord,
    /// More in words.
    pub detail: Option<String>,
    /// The seat whose fault ended it.
    pub at_fault: Option<Seat>,
    /// How many flips of each seat were ignored, where the game counts them.
    #[schemars(with = "[u64; 2]", skip_serializing_if = "Option::is_none")]
    pub invalid: Option<[u64; 2]>,
}

/// The answer to `start`.
#[derive(JsonSchema)]
#[schemars(rename = "ready")]
pub struct Ready {
    /// What this message is.
    #[schemars(rename = "type", extend("const" = "ready"))]
    pub kind: String,
    /// Whether this process can play further matches.
    pub reuse: Option<bool>,
    /// What `start` called the match.
    #[schemars(rename = "match")]
    pub match_id: Option<String>,
}

/// The answer to a request.
#[derive(JsonSchema)]
#[schemars(rename = "move")]
pub struct Move<M> {
    /// What this message is; may be left out.
    #[schemars(rename = "type", default, extend("const" = "move"))]
    pub kind: String,
    /// The request's number.
    pub turn: u32,
    /// The move.
    #[schemars(rename = "move")]
    pub mv: M,
    /// Anything, up to 16 KiB: kept in the transcript, never shown to the rival.
    pub note: Option<Value>,
    /// What `start` called the match.
    #[schemars(rename = "match")]
    pub match_id: Option<String>,
}

/// 0 or 1.
#[derive(JsonSchema)]
#[schemars(inline)]
pub struct Seat(#[schemars(range(max = 1))] pub u8);

/// A number below 2^53, which every language reads exactly.
#[derive(JsonSchema)]
#[schemars(inline)]
pub struct Seed(#[schemars(range(max = 9_007_199_254_740_991_u64))] pub u64);

/// A word of the table of reasons.
pub struct ReasonWord;

impl JsonSchema for ReasonWord {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "reason".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "enum": Reason::ALL.map(|reason| reason.as_str())})
    }
}
