//! Tests of Offset. Boards are written as pictures: `.` an empty cell, `1` a single coin, else a pile with its owner,
//! `a` for seat 0 and `b` for seat 1.

mod facts;
mod formats;
mod rules;

use super::board::Board;
use super::{Move, Offset};
use crate::game::{Game, Params, Status};
use crate::seat::{BySeat, Seat};
use crate::seed::Stream;

const SEAT_0: Seat = Seat::First;
const SEAT_1: Seat = Seat::Second;

/// The position of a picture, the pairs being [1,4] and [2,3].
fn position(picture: &str, to_move: Seat) -> Offset {
    let cells: Vec<_> = picture.split_whitespace().map(read_cell).collect();
    Offset::new(Board::from_cells(cells.len().isqrt(), cells), BySeat([[1, 4], [2, 3]]), to_move)
}

fn read_cell(text: &str) -> (u32, Option<Seat>) {
    let owner = match text.chars().last() {
        Some('a') => Some(SEAT_0),
        Some('b') => Some(SEAT_1),
        _ => None,
    };
    (text.trim_end_matches(['a', 'b']).parse().unwrap_or(0), owner)
}

/// The picture of a position, a row a line.
fn picture(position: &Offset) -> String {
    let cell = |(pile, owner): (u32, Option<Seat>)| match (pile, owner) {
        (0, _) => ".".to_string(),
        (pile, None) => pile.to_string(),
        (pile, Some(seat)) => format!("{pile}{}", ["a", "b"][seat.index()]),
    };
    let cells: Vec<String> = position.board.cells().map(cell).collect();
    cells.chunks(position.board.size()).map(|row| row.join(" ")).collect::<Vec<_>>().join("\n")
}

fn combine(from: [i64; 2], to: [i64; 2]) -> Move {
    Move::Combine { from, to }
}

fn params(text: &str) -> Params {
    serde_json::from_str(text).expect("the test's parameters are JSON")
}

fn started(text: &str, seed: u64) -> Offset {
    Offset::start(&params(text), seed).expect("the test's parameters are allowed")
}

fn state(position: &Offset) -> String {
    let mut text = Vec::new();
    position.write_state(&mut text);
    String::from_utf8(text).expect("a state is UTF-8")
}

/// Every position of a match of random moves, the last one being over.
fn random_match(start: Offset, seed: u64) -> Vec<Offset> {
    let mut stream = Stream::new(seed, "random match");
    let mut positions = vec![start];
    loop {
        let mut next = positions.last().expect("a match has a position").clone();
        match next.status() {
            Status::Over(_) => return positions,
            Status::MustPass(_) => next.pass(),
            Status::ToMove(_) => {
                let moves = next.legal_moves().expect("Offset lists its moves");
                next.apply(stream.pick(&moves));
            }
        }
        positions.push(next);
    }
}
