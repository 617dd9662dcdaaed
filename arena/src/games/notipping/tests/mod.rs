//! Tests of No Tipping. Positions are reached by plies as people type them: `1@-3` places, `-3` takes off.

mod facts;
mod formats;
mod rules;

use super::{Move, NoTipping, Phase};
use crate::game::{Game, Params, Status};
use crate::seat::Seat;
use crate::seed::Stream;

const SEAT_0: Seat = Seat::First;
const SEAT_1: Seat = Seat::Second;

fn params(text: &str) -> Params {
    serde_json::from_str(text).expect("the test's parameters are JSON")
}

fn started(k: u8) -> NoTipping {
    NoTipping::start(&params(&format!(r#"{{"k":{k}}}"#)), 1).expect("k is in its range")
}

/// The position after these plies, all legal.
#[track_caller]
fn after(k: u8, plies: &str) -> NoTipping {
    let mut position = started(k);
    for ply in plies.split_whitespace() {
        let mv = position.read_typed(ply).expect("the test's ply");
        assert_eq!(position.check(&mv), Ok(()), "{ply}");
        position.apply(&mv);
    }
    position
}

fn place(weight: i64, position: i64) -> Move {
    Move::Block { weight: Some(weight), position }
}

fn take(position: i64) -> Move {
    Move::Block { weight: None, position }
}

fn torques(position: &NoTipping) -> [i64; 2] {
    let torque = position.board.torque();
    [torque.left, torque.right]
}

fn blocks(position: &NoTipping) -> String {
    let blocks = position.board.blocks().map(|block| format!("{}@{}", block.weight, block.position));
    blocks.collect::<Vec<_>>().join(" ")
}

fn state(position: &NoTipping) -> String {
    let mut text = Vec::new();
    position.write_state(&mut text);
    String::from_utf8(text).expect("a state is UTF-8")
}

/// Every position of a match, the last one being over. The moves are random ones that do not tip while there are any.
fn careful_match(k: u8, seed: u64) -> Vec<NoTipping> {
    let mut stream = Stream::new(seed, "careful match");
    let mut positions = vec![started(k)];
    loop {
        let mut next = positions.last().expect("a match has a position").clone();
        if let Status::Over(_) = next.status() {
            return positions;
        }
        let (careful, all) = (next.opening_moves(), next.legal_moves().expect("No Tipping lists its moves"));
        next.apply(stream.pick(if careful.is_empty() { &all } else { &careful }));
        positions.push(next);
    }
}
