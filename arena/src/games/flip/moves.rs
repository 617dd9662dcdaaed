//! Moves: from JSON and from what a person types, and back. What a move's shape is, is decided here; whether a
//! flip is valid, by the table.

use super::table::{self, Centre, Table};
use crate::game::BadShape;
use crate::seat::Seat;
use serde_json::Value;
use std::fmt::Write;

/// A flip that is asked for, valid or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PieceFlip {
    /// The number of the piece among the mover's own. Any 64-bit whole number has the shape of one, also unsigned.
    pub piece: i128,
    /// Where it goes.
    pub goal: Goal,
}

/// Where a flip goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// To this centre, 2 cm away.
    To(Centre),
    /// In this direction: radians from the +x axis, counter-clockwise.
    Angle(f64),
}

const SHAPE: &str = r#"a list of flips, each {"piece":0,"to":[x,y]} or {"piece":0,"angle":radians} ([] for none)"#;

/// Reads a move of at most `allowed` flips.
pub(super) fn read(value: &Value, allowed: usize) -> Result<Vec<PieceFlip>, BadShape> {
    let flips = value.as_array().ok_or_else(|| BadShape(format!("expected {SHAPE}, not {}", cut(value))))?;
    check_count(flips.len(), allowed).map_err(BadShape)?;
    let numbered = flips.iter().enumerate();
    numbered.map(|(part, flip)| read_flip(flip).map_err(|why| BadShape(format!("flip {part}: {why}")))).collect()
}

/// Whether a turn has so many flips.
pub(super) fn check_count(flips: usize, allowed: usize) -> Result<(), String> {
    match (flips <= allowed, allowed) {
        (true, _) => Ok(()),
        (false, 1) => Err(format!("{flips} flips are too many: the first turn of the match has one")),
        (false, _) => Err(format!("{flips} flips are too many: a turn has {allowed}")),
    }
}

/// Writes a move as JSON.
pub(super) fn write(mv: &[PieceFlip], out: &mut Vec<u8>) {
    out.push(b'[');
    for (index, flip) in mv.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(format!("{{\"piece\":{},", flip.piece).as_bytes());
        match flip.goal {
            Goal::To(to) => {
                out.extend_from_slice(b"\"to\":");
                write_centre(to, out);
            }
            Goal::Angle(angle) => {
                out.extend_from_slice(b"\"angle\":");
                write_number(angle, out);
            }
        }
        out.push(b'}');
    }
    out.push(b']');
}

/// Writes `[x,y]`, so that reading it gives the same numbers to the last bit.
pub(super) fn write_centre(at: Centre, out: &mut Vec<u8>) {
    out.push(b'[');
    write_number(at[0], out);
    out.push(b',');
    write_number(at[1], out);
    out.push(b']');
}

/// Reads `[x,y]`.
pub(super) fn read_centre(value: &Value) -> Option<Centre> {
    let [x, y] = value.as_array()?.as_slice() else { return None };
    Some([x.as_f64()?, y.as_f64()?])
}

/// Reads what a person typed: flips with `;` between them, each `PIECE @ANGLE` or `PIECE X Y`, the angle in radians or
/// with `°` or `deg`; a move's JSON too. A point gives only the direction, since nobody types one 2 cm away to seven
/// digits. A flip that is not valid is refused with the reason, so that a slip costs a person nothing.
pub(super) fn read_typed(text: &str, table: &Table, mover: Seat, allowed: usize) -> Result<Vec<PieceFlip>, BadShape> {
    let parts = typed_parts(text)?;
    check_count(parts.len(), allowed).map_err(BadShape)?;
    let mut table = table.clone();
    let mut flips = Vec::new();
    for part in parts {
        let flip = resolve(part, &table, mover)?;
        let landing = table.judge(mover, &flip).map_err(|why| BadShape(why.words(mover)))?;
        table.make(&landing);
        flips.push(flip);
    }
    Ok(flips)
}

/// A move as people write it.
pub(super) fn short_text(mv: &[PieceFlip]) -> String {
    let mut text = String::new();
    for flip in mv {
        let gap = if text.is_empty() { "" } else { " " };
        // Writing to a string cannot fail.
        let _ = match flip.goal {
            Goal::To([x, y]) => write!(text, "{gap}{}>({},{})", flip.piece, short(x), short(y)),
            Goal::Angle(angle) => write!(text, "{gap}{}@{}", flip.piece, short(angle)),
        };
    }
    if text.is_empty() { "no flip".to_string() } else { text }
}

fn read_flip(value: &Value) -> Result<PieceFlip, String> {
    let flip = value
        .as_object()
        .ok_or_else(|| format!("expected an object like {{\"piece\":0,\"angle\":0.5}}, not {}", cut(value)))?;
    let piece = flip.get("piece").ok_or_else(|| format!("`piece` is missing in {}", cut(value)))?;
    let piece = (piece.as_i64().map(i128::from))
        .or(piece.as_u64().map(i128::from))
        .ok_or_else(|| format!("`piece` must be a whole number of at most 64 bits, not {}", cut(piece)))?;
    let goal = match (flip.get("to"), flip.get("angle")) {
        (Some(to), None) => {
            let to = read_centre(to).ok_or_else(|| format!("`to` must be two numbers [x,y], not {}", cut(to)))?;
            Goal::To(to)
        }
        (None, Some(angle)) => Goal::Angle(
            angle.as_f64().ok_or_else(|| format!("`angle` must be a number (radians), not {}", cut(angle)))?,
        ),
        (Some(_), Some(_)) => return Err("`to` and `angle` are both there: give one of them".to_string()),
        (None, None) => return Err(format!("neither `to` nor `angle` is there in {}", cut(value))),
    };
    Ok(PieceFlip { piece, goal })
}

/// What a person typed for one flip.
enum Typed {
    /// A flip as it will be made.
    Flip(PieceFlip),
    /// A piece, and a point in whose direction it goes.
    Towards(i128, Centre),
}

fn typed_parts(text: &str) -> Result<Vec<Typed>, BadShape> {
    if let Ok(value @ Value::Array(_)) = serde_json::from_str(text) {
        return Ok(read(&value, usize::MAX)?.into_iter().map(Typed::Flip).collect());
    }
    let parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
    let unclear = |part| format!("`{part}` is no flip: type PIECE @ANGLE or PIECE X Y, as `0 @0.5` or `0 -18.5 4`");
    parts.map(|part| typed_part(part).ok_or_else(|| BadShape(unclear(part)))).collect()
}

fn typed_part(text: &str) -> Option<Typed> {
    if let Some((piece, angle)) = text.split_once('@') {
        let (piece, goal) = (piece.trim().parse().ok()?, Goal::Angle(typed_angle(angle.trim())?));
        return Some(Typed::Flip(PieceFlip { piece, goal }));
    }
    let spaced = text.replace([',', '(', ')', '[', ']', '>'], " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let [piece, x, y] = words.as_slice() else { return None };
    Some(Typed::Towards(piece.parse().ok()?, [typed_number(x)?, typed_number(y)?]))
}

fn resolve(typed: Typed, table: &Table, mover: Seat) -> Result<PieceFlip, BadShape> {
    let (piece, point) = match typed {
        Typed::Flip(flip) => return Ok(flip),
        Typed::Towards(piece, point) => (piece, point),
    };
    let from = table.centre(mover, piece).map_err(|why| BadShape(why.words(mover)))?;
    let to = table::towards(from, point);
    let to =
        to.ok_or_else(|| BadShape(format!("piece {piece} is at {from:?}: the point gives no direction to flip in")))?;
    Ok(PieceFlip { piece, goal: Goal::To(to) })
}

fn typed_angle(text: &str) -> Option<f64> {
    let degrees = text.strip_suffix("deg").or(text.strip_suffix('°'));
    degrees.map_or_else(|| typed_number(text), |degrees| Some(typed_number(degrees.trim())?.to_radians()))
}

fn typed_number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Reads flips as words: `PIECE X Y` or `PIECE @RADIANS` each, one after the other; `none` for no flip.
pub(super) fn read_plain(line: &str, allowed: usize) -> Result<Vec<PieceFlip>, BadShape> {
    let unclear =
        |what: String| BadShape(format!("{what}: a flip is PIECE X Y or PIECE @RADIANS, and `none` is no flip"));
    let mut words = line.split_whitespace().peekable();
    if words.peek().is_none() {
        return Err(unclear("the line is empty".to_string()));
    }
    if line.trim() == "none" {
        return Ok(Vec::new());
    }
    let mut flips = Vec::new();
    while let Some(word) = words.next() {
        let no_piece = || unclear(format!("`{word}` is no piece's number"));
        let piece = word.parse::<i64>().map_err(|_| no_piece())?.into();
        let number = |word: Option<&str>| {
            word.and_then(typed_number).ok_or_else(|| unclear(format!("`{}` is no number", word.unwrap_or_default())))
        };
        let goal = match words.next() {
            Some(word) if word.starts_with('@') => Goal::Angle(number(word.strip_prefix('@'))?),
            x => Goal::To([number(x)?, number(words.next())?]),
        };
        flips.push(PieceFlip { piece, goal });
    }
    check_count(flips.len(), allowed).map_err(BadShape)?;
    Ok(flips)
}

pub(super) fn write_plain(mv: &[PieceFlip], out: &mut Vec<u8>) {
    if mv.is_empty() {
        out.extend_from_slice(b"none");
    }
    for (index, flip) in mv.iter().enumerate() {
        out.extend_from_slice(if index > 0 { b" " } else { b"" });
        out.extend_from_slice(format!("{} ", flip.piece).as_bytes());
        match flip.goal {
            Goal::To([x, y]) => {
                write_number(x, out);
                out.push(b' ');
                write_number(y, out);
            }
            Goal::Angle(angle) => {
                out.push(b'@');
                write_number(angle, out);
            }
        }
    }
}

pub(super) fn write_number(number: f64, out: &mut Vec<u8>) {
    serde_json::to_writer(out, &number).expect("a number is written to memory");
}

/// Two digits after the point, and no minus before a zero.
fn short(number: f64) -> String {
    format!("{:.2}", (number * 100.0).round() / 100.0 + 0.0)
}

/// A value in a message: not longer than a line can bear.
fn cut(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
