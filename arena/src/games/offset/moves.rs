//! Moves of Offset and how they are written: as JSON, as people type them, as people read them.

use crate::game::BadShape;
use crate::game::shape;
use serde_json::Value;
use std::fmt;
use std::io::Write;

const EXPECTED: &str = r#"{"from":[x,y],"to":[x,y]} with whole numbers"#;

/// A move of the game's shape, legal or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// Moves the pile of one cell onto an equal one; cells are `[x, y]`, counted from 1.
    Combine {
        /// The cell that becomes empty.
        from: [i64; 2],
        /// The cell that holds the sum.
        to: [i64; 2],
    },
    /// `null`: no combination. Never legal, since a seat without a move is not asked.
    Pass,
}

/// Two cells of a board, as they are kept, and how far apart they lie in x and in y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) apart: [i64; 2],
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Combine { from: [x, y], to: [to_x, to_y] } => write!(f, "({x},{y})>({to_x},{to_y})"),
            Move::Pass => f.write_str("pass"),
        }
    }
}

pub(super) fn read(value: &Value) -> Result<Move, BadShape> {
    if value.is_null() {
        return Ok(Move::Pass);
    }
    let object = shape::object(value, "the move", EXPECTED)?;
    let cell = |name: &str| {
        let pair = shape::list(shape::key(object, name, "the move", EXPECTED)?, 2, &format!("`{name}`"))?;
        Ok([shape::whole(&pair[0], &format!("x of `{name}`"))?, shape::whole(&pair[1], &format!("y of `{name}`"))?])
    };
    Ok(Move::Combine { from: cell("from")?, to: cell("to")? })
}

pub(super) fn write(mv: &Move, out: &mut Vec<u8>) {
    match mv {
        Move::Combine { from: [x, y], to: [to_x, to_y] } => {
            write!(out, r#"{{"from":[{x},{y}],"to":[{to_x},{to_y}]}}"#).expect("memory takes what is written");
        }
        Move::Pass => out.extend_from_slice(b"null"),
    }
}

/// Reads `X Y X Y`, the words of a bot that writes no JSON.
pub(super) fn read_plain(line: &str) -> Result<Move, BadShape> {
    match shape::plain_numbers(line)?[..] {
        [x, y, to_x, to_y] => Ok(Move::Combine { from: [x, y], to: [to_x, to_y] }),
        ref numbers => Err(BadShape(format!("{} numbers came: four are expected, as in 3 4 9 5", numbers.len()))),
    }
}

pub(super) fn write_plain(mv: &Move, out: &mut Vec<u8>) {
    match mv {
        Move::Combine { from: [x, y], to: [to_x, to_y] } => {
            write!(out, "{x} {y} {to_x} {to_y}").expect("memory takes what is written");
        }
        Move::Pass => out.extend_from_slice(b"pass"),
    }
}

pub(super) fn read_typed(text: &str) -> Result<Move, BadShape> {
    if let Some(value) = shape::typed_value(text) {
        return read(&value);
    }
    match shape::typed_numbers(text).as_deref() {
        Some(&[x, y, to_x, to_y]) => Ok(Move::Combine { from: [x, y], to: [to_x, to_y] }),
        _ => Err(BadShape(format!(
            "{text:?} is no move: four whole numbers are expected, x and y of the cell that becomes empty, then of \
             the one that holds the sum: 3 4 9 5 or (3,4)>(9,5)"
        ))),
    }
}
