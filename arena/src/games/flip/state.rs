//! The state as bots receive it: writing and reading.
//!
//! A state of 400 circles is 16 KB of digits, of which a turn changes two centres: the text of the others is kept.

use super::moves::{read_centre, write_centre, write_number};
use super::{Centre, Flip, Table};
use crate::game::{BadShape, Params};
use crate::seat::Seat;
use serde_json::Value;
use std::ops::Range;

/// Both seats' centres as JSON text, `[[[x,y],…],[[x,y],…]]`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PiecesText {
    text: Vec<u8>,
    /// Where each piece's `[x,y]` stands: seat 0's pieces, then seat 1's.
    places: Vec<Range<usize>>,
}

impl PiecesText {
    pub(super) fn new(table: &Table) -> PiecesText {
        let mut written = PiecesText { text: Vec::new(), places: Vec::new() };
        for seat in Seat::BOTH {
            written.text.extend_from_slice(if seat == Seat::First { b"[[" } else { b"],[" });
            for (piece, centre) in table.centres(seat).enumerate() {
                if piece > 0 {
                    written.text.push(b',');
                }
                let start = written.text.len();
                write_centre(centre, &mut written.text);
                written.places.push(start..written.text.len());
            }
        }
        written.text.extend_from_slice(b"]]");
        written
    }

    /// The piece has moved.
    pub(super) fn replace(&mut self, seat: Seat, piece: usize, centre: Centre) {
        let index = seat.index() * self.places.len() / 2 + piece;
        let old = self.places[index].clone();
        let mut new = Vec::with_capacity(64);
        write_centre(centre, &mut new);
        self.places[index].end = old.start + new.len();
        for place in &mut self.places[index + 1..] {
            // Added before it is taken away: these places begin behind the old text.
            *place = place.start + new.len() - old.len()..place.end + new.len() - old.len();
        }
        self.text.splice(old, new);
    }
}

/// Writes the state.
pub(super) fn write(game: &Flip, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("{{\"n\":{},\"pieces\":", game.table.pieces_each()).as_bytes());
    out.extend_from_slice(&game.pieces_text.text);
    let (flips, round, rounds) = (game.flips_allowed(), game.round, game.rounds);
    out.extend_from_slice(format!(",\"flips\":{flips},\"round\":{round},\"rounds\":{rounds}}}").as_bytes());
}

/// Writes `SEAT N FLIPS ROUND ROUNDS`, then x and y of each piece as words.
pub(super) fn write_plain(game: &Flip, out: &mut Vec<u8>) {
    let (n, flips, seat) = (game.table.pieces_each(), game.flips_allowed(), game.to_move);
    out.extend_from_slice(format!("{seat} {n} {flips} {} {}", game.round, game.rounds).as_bytes());
    for coordinate in Seat::BOTH.into_iter().flat_map(|seat| game.table.centres(seat)).flatten() {
        out.push(b' ');
        write_number(coordinate, out);
    }
}

/// Reads a state that was written so, in a match with these complete parameters.
pub(super) fn read(params: &Params, state: &Value, to_move: Seat) -> Result<Flip, BadShape> {
    let n = whole(state, "n")?;
    let rounds = whole(state, "rounds")?;
    for (key, value) in [("n", n), ("rounds", rounds)] {
        if let Some(expected) = params.get(key).and_then(Value::as_u64).filter(|&expected| expected != value) {
            return Err(BadShape(format!("the state's `{key}` is {value}, but the match has {expected}")));
        }
    }
    let round = whole(state, "round")?;
    if round > rounds + 1 {
        return Err(BadShape(format!("the state's `round` is {round}, but the match is over after {rounds}")));
    }
    let game = Flip::new(read_table(&state["pieces"], n)?, rounds, round, to_move);
    let flips = whole(state, "flips")?;
    if flips != game.flips_allowed() as u64 {
        let allowed = game.flips_allowed();
        return Err(BadShape(format!(
            "the state's `flips` is {flips}, but seat {to_move} has {allowed} in round {round}"
        )));
    }
    Ok(game)
}

fn read_table(pieces: &Value, n: u64) -> Result<Table, BadShape> {
    let lists = pieces.as_array().map(Vec::as_slice);
    let Some([Value::Array(first), Value::Array(second)]) = lists else {
        return Err(BadShape("the state's `pieces` must be two lists of centres".to_string()));
    };
    if let Some(list) = [first, second].into_iter().find(|list| list.len() as u64 != n) {
        return Err(BadShape(format!("the state's `n` is {n}, but `pieces` has a list of {}", list.len())));
    }
    let mut table = Table::empty();
    for (piece, pair) in first.iter().zip(second).enumerate() {
        for (seat, value) in [(Seat::First, pair.0), (Seat::Second, pair.1)] {
            let named = |why: &str| BadShape(format!("piece {piece} of seat {seat} in the state, {value}: {why}"));
            let centre = read_centre(value).ok_or_else(|| named("expected two numbers [x,y]"))?;
            table.add(centre).map_err(|invalid| named(&invalid.words(seat)))?;
        }
    }
    Ok(table)
}

/// A number of the state: all of them count from 1.
fn whole(state: &Value, key: &str) -> Result<u64, BadShape> {
    let value = &state[key];
    value.as_u64().filter(|number| (1..=1 << 32).contains(number)).ok_or_else(|| {
        BadShape(if value.is_null() {
            format!("the state has no `{key}`")
        } else {
            format!("the state's `{key}` is {value}, but must be a whole number from 1 to 2^32")
        })
    })
}
