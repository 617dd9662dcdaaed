//! Moves as they are written and typed: `c2`. Knows the names of all squares there can be, not the size of a board.

use crate::game::BadShape;
use serde_json::Value;
use std::fmt;

/// The most columns and rows of a board.
const LARGEST: u32 = 10;

/// What a player says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// A disc on this square.
    At(Square),
    /// A text that is no square's name.
    Unknown(String),
    /// `null`: no disc at all.
    Nothing,
}

/// A square by its place; it may lie outside a small board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Square {
    /// From 0, at the left.
    pub column: u32,
    /// From 0, at the top.
    pub row: u32,
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = char::from_u32('a' as u32 + self.column).expect("columns are letters");
        write!(f, "{column}{}", self.row + 1)
    }
}

impl Square {
    /// The square with exactly this name.
    fn named(name: &str) -> Option<Square> {
        let (letter, number) = name.split_at_checked(1)?;
        let column = u32::from(letter.as_bytes()[0]).checked_sub('a'.into())?;
        let row = number.parse::<u32>().ok()?.checked_sub(1)?;
        let square = Square { column, row };
        (column < LARGEST && row < LARGEST && square.to_string() == name).then_some(square)
    }
}

pub(super) fn read(value: &Value) -> Result<Move, BadShape> {
    match value {
        Value::Null => Ok(Move::Nothing),
        Value::String(text) => Ok(Square::named(text).map_or_else(|| Move::Unknown(text.clone()), Move::At)),
        Value::Bool(_) => Err(not_a_name(value)),
        Value::Number(number) => Err(not_a_name(format_args!("the number {number}"))),
        Value::Array(_) => Err(not_a_name("a list")),
        Value::Object(_) => Err(not_a_name("an object")),
    }
}

fn not_a_name(what_came: impl fmt::Display) -> BadShape {
    BadShape(format!("a move is the name of a square, a text such as \"c2\", but {what_came} came"))
}

pub(super) fn write(mv: &Move, out: &mut Vec<u8>) {
    match mv {
        Move::At(square) => out.extend_from_slice(format!("\"{square}\"").as_bytes()),
        Move::Unknown(text) => out.extend_from_slice(Value::from(text.as_str()).to_string().as_bytes()),
        Move::Nothing => out.extend_from_slice(b"null"),
    }
}

/// Letter and number in either order, large or small, with spaces anywhere.
pub(super) fn read_typed(text: &str) -> Result<Move, BadShape> {
    let bare: String = text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect();
    let (letters, digits): (String, String) = bare.chars().partition(char::is_ascii_alphabetic);
    let in_one_of_two_orders = bare == format!("{letters}{digits}") || bare == format!("{digits}{letters}");
    match Square::named(&format!("{letters}{digits}")) {
        Some(square) if in_one_of_two_orders => Ok(Move::At(square)),
        _ => Err(BadShape(format!("\"{}\" is no square: type a letter and a number, such as c2", text.trim()))),
    }
}

pub(super) fn text(mv: &Move) -> String {
    match mv {
        Move::At(square) => square.to_string(),
        Move::Unknown(text) => text.clone(),
        Move::Nothing => "null".to_string(),
    }
}
