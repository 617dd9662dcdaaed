//! The result object: how a match ended, as `end` and the last line of a transcript both tell it.

use crate::seat::Seat;
use crate::verdict::{Reason, Verdict};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The result object of a verdict: `winner` (0, 1 or null), `scores` (two whole numbers), `reason`, `detail` (text or
/// null), `at_fault` (0, 1 or null), and `invalid` (two counts) only in games that count ignored parts of moves.
pub fn result_json(verdict: &Verdict) -> Map<String, Value> {
    let mut result = Map::new();
    let mut put = |key: &str, value: Value| result.insert(key.to_owned(), value);
    put("winner", json!(verdict.winner.map(Seat::index)));
    put("scores", json!(verdict.scores));
    put("reason", json!(verdict.reason.as_str()));
    put("detail", json!(verdict.detail));
    put("at_fault", json!(verdict.at_fault.map(Seat::index)));
    if let Some(invalid) = verdict.invalid {
        put("invalid", json!(invalid));
    }
    result
}

/// The verdict that a result object tells; keys that it does not know are ignored.
///
/// # Errors
/// A key that is missing or has not its kind of value, a seat that is neither 0 nor 1, or a reason that there is not.
pub fn read_result(result: &Value) -> Result<Verdict, String> {
    WireResult::deserialize(result).map_err(|error| format!("the result is not one: {error}"))?.verdict()
}

/// The result object as it is written.
#[derive(Deserialize)]
pub(super) struct WireResult {
    winner: Option<u64>,
    scores: [i64; 2],
    reason: String,
    detail: Option<String>,
    at_fault: Option<u64>,
    invalid: Option<[u64; 2]>,
}

impl WireResult {
    pub(super) fn verdict(self) -> Result<Verdict, String> {
        let reason = Reason::parse(&self.reason).ok_or_else(|| format!("there is no reason `{}`", self.reason))?;
        Ok(Verdict {
            winner: self.winner.map(seat).transpose()?,
            scores: self.scores,
            reason,
            detail: self.detail,
            at_fault: self.at_fault.map(seat).transpose()?,
            invalid: self.invalid,
        })
    }
}

/// The seat with this number, which came over the wire.
pub(super) fn seat(number: u64) -> Result<Seat, String> {
    Seat::from_index(number).ok_or_else(|| format!("there is no seat {number}: a seat is 0 or 1"))
}
