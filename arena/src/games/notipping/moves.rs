//! Moves of No Tipping and how they are written: as JSON, as people type them, as people read them.

use super::Phase;
use crate::game::BadShape;
use crate::game::shape;
use serde_json::Value;
use std::fmt;
use std::io::Write;

const EXPECTED: &str = r#"{"weight":W,"position":P} in phase add, {"position":P} in phase remove, with whole numbers,"#;

/// A move of the game's shape, legal or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// Places the block of this weight from the hand at the position, or takes the block at the position off.
    Block {
        /// The block's weight in kg. Needed when adding, ignored when removing.
        weight: Option<i64>,
        /// Its position, from the middle of the board in metres.
        position: i64,
    },
    /// `null`: nothing. Never legal.
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Block { weight: Some(weight), position } => write!(f, "{weight}@{position}"),
            Move::Block { weight: None, position } => write!(f, "{position}"),
            Move::Pass => f.write_str("pass"),
        }
    }
}

/// Reads a move of a phase. A `weight` of null is as good as none; when removing, a weight is of no interest, but must be
/// one.
pub(super) fn read(value: &Value, phase: Phase) -> Result<Move, BadShape> {
    if value.is_null() {
        return Ok(Move::Pass);
    }
    let object = shape::object(value, "the move", EXPECTED)?;
    let position = shape::whole(shape::key(object, "position", "the move", EXPECTED)?, "`position`")?;
    let weight = object.get("weight").filter(|weight| !weight.is_null());
    let weight = weight.map(|weight| shape::whole(weight, "`weight`")).transpose()?;
    if weight.is_none() && phase == Phase::Add {
        return Err(BadShape("the move names no `weight`: in phase add it is {\"weight\":W,\"position\":P}, the block to be placed and where".to_string()));
    }
    Ok(Move::Block { weight, position })
}

pub(super) fn write(mv: &Move, out: &mut Vec<u8>) {
    match mv {
        Move::Block { weight: Some(weight), position } => {
            write!(out, r#"{{"weight":{weight},"position":{position}}}"#).expect("memory takes what is written");
        }
        Move::Block { weight: None, position } => {
            write!(out, r#"{{"position":{position}}}"#).expect("memory takes what is written");
        }
        Move::Pass => out.extend_from_slice(b"null"),
    }
}

/// Reads `WEIGHT POSITION` when adding, `POSITION` when removing: words, without any JSON.
pub(super) fn read_plain(line: &str, phase: Phase) -> Result<Move, BadShape> {
    match (phase, &shape::plain_numbers(line)?[..]) {
        (Phase::Add, [weight, position]) => Ok(Move::Block { weight: Some(*weight), position: *position }),
        (Phase::Remove, [position]) => Ok(Move::Block { weight: None, position: *position }),
        (Phase::Add, [_]) => Err(BadShape("one number came, the position is missing".to_string())),
        (_, numbers) => Err(BadShape(format!("{} numbers came", numbers.len()))),
    }
}

pub(super) fn read_typed(text: &str, phase: Phase) -> Result<Move, BadShape> {
    if let Some(value) = shape::typed_value(text) {
        return read(&value, phase);
    }
    match (phase, shape::typed_numbers(text).as_deref()) {
        (Phase::Add, Some(&[weight, position])) => Ok(Move::Block { weight: Some(weight), position }),
        (Phase::Remove, Some(&[position])) => Ok(Move::Block { weight: None, position }),
        (Phase::Add, _) => Err(BadShape(format!(
            "{text:?} is no placement: two whole numbers are expected, a block's weight and its position: 7 -3 or 7@-3"
        ))),
        (Phase::Remove, _) => Err(BadShape(format!(
            "{text:?} is no removal: one whole number is expected, the position of the block to take off: -4"
        ))),
    }
}
