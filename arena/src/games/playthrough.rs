//! Golden playthroughs: a whole match of random moves through the erased form, written down, so that any change of what a
//! game does, says or writes shows up as a difference in a text that people can read.

use super::find;
use crate::game::{Params, Status};
use crate::seed::Stream;
use serde_json::Value;
use std::fmt::Write;

/// The match with these parameters that the seed's stream `playthrough` picks: a line a ply, each with the status
/// and the state before it, then how it ended.
pub(super) fn playthrough(game: &str, params: &str, seed: u64) -> String {
    let game = find(game).expect("the test's game");
    let params: Params = serde_json::from_str(params).expect("the test's parameters");
    let started = game.start(&params, seed).expect("the test's parameters are allowed");
    let mut position = started.position;
    let mut stream = Stream::new(seed, "playthrough");
    let mut text = format!("{}\nopening {}\n", Value::from(started.params), Value::from(started.opening));
    loop {
        let mut state = Vec::new();
        position.write_state(&mut state);
        writeln!(text, "{}", String::from_utf8(state).expect("a state is UTF-8")).expect("a string takes it");
        match position.status() {
            Status::Over(outcome) => {
                writeln!(text, "{outcome:?} {:?}", position.scores()).expect("a string takes it");
                return text;
            }
            Status::MustPass(seat) => {
                writeln!(text, "seat {seat} passes").expect("a string takes it");
                position.pass();
            }
            Status::ToMove(seat) => {
                let moves = position.legal_moves().expect("the game lists its moves");
                let mv = stream.pick(&moves).clone();
                let played = position.play(&mv).expect("a listed move is legal");
                let words = position.move_text(&mv);
                writeln!(text, "seat {seat} of {} moves {} {words}", moves.len(), played.accepted)
                    .expect("a string takes it");
            }
        }
    }
}

/// Compares a playthrough with the one on record, and says where they part.
pub(super) fn assert_golden(produced: &str, golden: &str) {
    for (number, (is, was)) in (1..).zip(produced.lines().zip(golden.lines())) {
        assert_eq!(is, was, "line {number} of the playthrough; the whole of it now:\n{produced}");
    }
    assert_eq!(produced.lines().count(), golden.lines().count(), "the playthrough now:\n{produced}");
}
