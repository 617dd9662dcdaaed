//! The state of Offset as JSON text. Written straight from the board, since it is sent with every turn: a size-32
//! board is some 5 KB.

use super::board::Board;
use super::deal::{self, Offsets};
use crate::game::{BadShape, Params, shape};
use crate::seat::Seat;
use serde_json::Value;
use std::io::Write;

const EXPECTED: &str = r#"{"size":…,"d":…,"offsets":[[p,q],[r,s]],"coins":[[…]],"owner":[[…]]}"#;

/// The greatest pile that is kept: all coins of the largest board.
const GREATEST: u32 = 1 << 12;

/// The longest text of a cell: a pile of four digits and its comma, in a piece that is copied whole.
const PIECE: usize = 8;

/// How each kept pile is written, a comma after it, and how much of the piece that is.
static PILES: [(&[u8; PIECE], usize); 14] = [
    (b"0,      ", 2),
    (b"1,      ", 2),
    (b"2,      ", 2),
    (b"4,      ", 2),
    (b"8,      ", 2),
    (b"16,     ", 3),
    (b"32,     ", 3),
    (b"64,     ", 3),
    (b"128,    ", 4),
    (b"256,    ", 4),
    (b"512,    ", 4),
    (b"1024,   ", 5),
    (b"2048,   ", 5),
    (b"4096,   ", 5),
];

/// Writes the state.
pub(super) fn write(board: &Board, offsets: Offsets, out: &mut Vec<u8>) {
    let [[p, q], [r, s]] = offsets.0;
    let (size, d) = (board.size(), deal::sum(offsets));
    let (piles, owners) = board.rows();
    write!(out, r#"{{"size":{size},"d":{d},"offsets":[[{p},{q}],[{r},{s}]],"coins":"#).expect("memory takes it");
    write_grid(out, piles, |&pile| PILES[usize::from(pile)]);
    out.extend_from_slice(br#","owner":"#);
    write_grid(out, owners, |&owner| match owner {
        None => (b"-1,     ", 3),
        Some(Seat::First) => (b"0,      ", 2),
        Some(Seat::Second) => (b"1,      ", 2),
    });
    out.push(b'}');
}

/// Writes `SIZE SEAT P Q R S`, all piles and all owners as words.
pub(super) fn write_plain(board: &Board, offsets: Offsets, to_move: Seat, out: &mut Vec<u8>) {
    let [[p, q], [r, s]] = offsets.0;
    write!(out, "{} {} {p} {q} {r} {s}", board.size(), to_move.index()).expect("memory takes it");
    let mut digits = itoa::Buffer::new();
    for (pile, _) in board.cells() {
        out.push(b' ');
        out.extend_from_slice(digits.format(pile).as_bytes());
    }
    for (_, owner) in board.cells() {
        out.extend_from_slice(match owner {
            None => b" -1",
            Some(Seat::First) => b" 0",
            Some(Seat::Second) => b" 1",
        });
    }
}

/// Writes rows of cells as a list of lists. Pieces of one length are copied and overlap: that is faster than copying
/// each cell's own number of bytes.
fn write_grid<'a, T: 'a>(
    out: &mut Vec<u8>,
    rows: impl Iterator<Item = &'a [T]>,
    text: impl Fn(&T) -> (&'static [u8; PIECE], usize),
) {
    out.push(b'[');
    for row in rows {
        out.push(b'[');
        let mut end = out.len();
        out.resize(end + row.len() * PIECE, b' ');
        for cell in row {
            let (piece, length) = text(cell);
            out[end..end + PIECE].copy_from_slice(piece);
            end += length;
        }
        // The last comma makes way for the bracket.
        out.truncate(end - 1);
        out.extend_from_slice(b"],");
    }
    out.pop();
    out.push(b']');
}

/// Reads the state of a match with these parameters.
pub(super) fn read(params: &Params, state: &Value) -> Result<(Board, Offsets), BadShape> {
    let state = shape::object(state, "the state", EXPECTED)?;
    let part = |name: &str| shape::key(state, name, "the state", EXPECTED);
    let size = shape::whole(part("size")?, "`size`")?;
    if !(deal::SIZES.0..=deal::SIZES.1).contains(&size) {
        return Err(BadShape(format!("`size` is {size}: it must be from {} to {}", deal::SIZES.0, deal::SIZES.1)));
    }
    let offsets = deal::read(part("offsets")?)?;
    for name in ["size", "d", "offsets"] {
        let (own, given) = (part(name)?, params.get(name));
        if given.is_some_and(|given| given != own) {
            let given = given.map(shape::shown).unwrap_or_default();
            return Err(BadShape(format!("`{name}` of the state is {}, but the match has {given}", shape::shown(own))));
        }
    }
    deal::check(offsets, size, deal::sum(offsets)).map_err(|wrong| BadShape(wrong.0))?;
    let piles = read_grid(part("coins")?, size as usize, "coins")?;
    let owners = read_grid(part("owner")?, size as usize, "owner")?;
    let cells: Vec<_> = piles.into_iter().zip(owners).map(read_cell).collect::<Result<_, _>>()?;
    let total: u64 = cells.iter().map(|(pile, _)| u64::from(*pile)).sum();
    if total != (size * size) as u64 {
        return Err(BadShape(format!("`coins` has {total} coins: a board of size {size} has {}", size * size)));
    }
    Ok((Board::from_cells(size as usize, cells), offsets))
}

fn read_grid(value: &Value, size: usize, name: &str) -> Result<Vec<i64>, BadShape> {
    let mut cells = Vec::with_capacity(size * size);
    for (y, row) in (1..).zip(shape::list(value, size, &format!("`{name}`"))?) {
        let what = format!("row {y} of `{name}`");
        for cell in shape::list(row, size, &what)? {
            cells.push(shape::whole(cell, &what)?);
        }
    }
    Ok(cells)
}

fn read_cell((pile, owner): (i64, i64)) -> Result<(u32, Option<Seat>), BadShape> {
    let coins = u32::try_from(pile).ok().filter(|&pile| pile == 0 || (pile <= GREATEST && pile.is_power_of_two()));
    let coins = coins.ok_or_else(|| BadShape(format!("a pile of {pile}: a pile is 0 or a power of two")))?;
    let owner = match owner {
        -1 => None,
        0 => Some(Seat::First),
        1 => Some(Seat::Second),
        _ => return Err(BadShape(format!("the owner {owner}: an owner is -1, 0 or 1"))),
    };
    if (coins >= 2) != owner.is_some() {
        return Err(BadShape(format!(
            "a pile of {coins} with the owner {}: from 2 coins on a pile is owned, else not",
            owner.map_or(-1, |seat| seat.index() as i64)
        )));
    }
    Ok((coins, owner))
}
