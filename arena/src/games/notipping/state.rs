//! The state of No Tipping as JSON text, written and read.

use super::board::{Board, Hand, PLACES, REACH};
use super::{MOST_BLOCKS, NoTipping, Phase};
use crate::game::{BadShape, Params, shape};
use crate::seat::{BySeat, Seat};
use serde_json::Value;
use std::io::Write;

const EXPECTED: &str = r#"{"k":…,"phase":"add" or "remove","board":[…],"hands":[[…],[…]],"torque":[…,…]}"#;

/// Writes the state.
pub(super) fn write(position: &NoTipping, out: &mut Vec<u8>) {
    let (k, phase, torque) = (position.k, word(position.phase()), position.board.torque());
    write!(out, r#"{{"k":{k},"phase":"{phase}","board":"#).expect("memory takes what is written");
    write_list(out, position.board.weights().iter().copied());
    let [first, second] = position.hands.0;
    out.extend_from_slice(br#","hands":["#);
    write_list(out, first.weights());
    out.push(b',');
    write_list(out, second.weights());
    write!(out, r#"],"torque":[{},{}]}}"#, torque.left, torque.right).expect("memory takes what is written");
}

fn write_list(out: &mut Vec<u8>, numbers: impl Iterator<Item = u8>) {
    out.push(b'[');
    for (index, number) in numbers.enumerate() {
        let comma = if index > 0 { "," } else { "" };
        write!(out, "{comma}{number}").expect("memory takes what is written");
    }
    out.push(b']');
}

fn word(phase: Phase) -> &'static str {
    match phase {
        Phase::Add => "add",
        Phase::Remove => "remove",
    }
}

/// Reads the state of a match with these parameters. Who placed a block is not in it, so that is not known then.
pub(super) fn read(params: &Params, state: &Value, to_move: Seat) -> Result<NoTipping, BadShape> {
    let state = shape::object(state, "the state", EXPECTED)?;
    let part = |name: &str| shape::key(state, name, "the state", EXPECTED);
    let k = read_k(params, part("k")?)?;
    let board = read_board(part("board")?)?;
    let hands = shape::list(part("hands")?, 2, "`hands`")?;
    let hands = BySeat([read_hand(&hands[0], Seat::First, k)?, read_hand(&hands[1], Seat::Second, k)?]);
    let position = NoTipping { k, board, hands, to_move, last: None };
    let (phase, torque) = (word(position.phase()), position.board.torque());
    if position.phase() == Phase::Add && hands[to_move].is_empty() {
        return Err(BadShape(format!(
            "the hand of seat {to_move} is empty, but it is that seat's turn to place a block"
        )));
    }
    if part("phase")? != phase {
        return Err(BadShape(format!(
            "`phase` is {}, but with these hands it is {phase}",
            shape::shown(part("phase")?)
        )));
    }
    if *part("torque")? != serde_json::json!([torque.left, torque.right]) {
        let given = shape::shown(part("torque")?);
        return Err(BadShape(format!("`torque` is {given}, but this board has {}, {}", torque.left, torque.right)));
    }
    Ok(position)
}

fn read_k(params: &Params, value: &Value) -> Result<u8, BadShape> {
    if let Some(given) = params.get("k").filter(|given| *given != value) {
        return Err(BadShape(format!("`k` of the state is {}, but the match has {given}", shape::shown(value))));
    }
    let k = shape::whole(value, "`k`")?;
    let known = u8::try_from(k).ok().filter(|_| (1..=MOST_BLOCKS).contains(&k));
    known.ok_or_else(|| BadShape(format!("`k` is {k}: it must be from 1 to {MOST_BLOCKS}")))
}

fn read_board(value: &Value) -> Result<Board, BadShape> {
    let mut board = Board::empty();
    for (position, weight) in (-REACH..).zip(shape::list(value, PLACES, "`board`")?) {
        let weight = shape::whole(weight, &format!("position {position} of `board`"))?;
        match u8::try_from(weight) {
            Ok(0) => {}
            Ok(weight) if i64::from(weight) <= MOST_BLOCKS => board.set(position, weight, None),
            _ => return Err(BadShape(format!("`board` has {weight} kg at {position}: no block weighs that"))),
        }
    }
    Ok(board)
}

fn read_hand(value: &Value, seat: Seat, k: u8) -> Result<Hand, BadShape> {
    let what = format!("the hand of seat {seat}");
    let weights =
        value.as_array().ok_or_else(|| BadShape(format!("{what} is {}: a list is expected", shape::shown(value))))?;
    let mut hand = Hand::EMPTY;
    for weight in weights {
        let weight = shape::whole(weight, &what)?;
        match u8::try_from(weight) {
            Ok(weight) if (1..=k).contains(&weight) && !hand.has(weight) => hand.put(weight),
            _ => {
                return Err(BadShape(format!(
                    "{what} has {weight}: it may hold one block of each weight from 1 to {k}"
                )));
            }
        }
    }
    Ok(hand)
}
