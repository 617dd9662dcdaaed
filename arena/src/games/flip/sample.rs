//! Random moves, mostly of valid flips: for tests, sample matches and the simplest bot.

use super::{Goal, PieceFlip, Table};
use crate::seat::Seat;
use crate::seed::Stream;
use std::f64::consts::TAU;

/// Tries for one flip, the last of which is taken as it is.
const TRIES: usize = 16;

/// One flip in so many is taken as it comes: a sample without any invalid flip would not show what becomes of one.
const UNTRIED: u64 = 16;

/// A random move of as many flips as the turn has.
pub(super) fn draw(table: &Table, mover: Seat, allowed: usize, stream: &mut Stream) -> Vec<PieceFlip> {
    let mut table = table.clone();
    (0..allowed).map(|_| draw_flip(&mut table, mover, stream)).collect()
}

fn draw_flip(table: &mut Table, mover: Seat, stream: &mut Stream) -> PieceFlip {
    let tries = if stream.below(UNTRIED) == 0 { 1 } else { TRIES };
    let mut flip = any_flip(table, stream);
    for _ in 0..tries {
        if let Ok(landing) = table.judge(mover, &flip) {
            table.make(&landing);
            // Half of them as the centre, so that both forms are used.
            return if stream.below(2) == 0 { flip } else { landing.as_flip() };
        }
        flip = any_flip(table, stream);
    }
    flip
}

fn any_flip(table: &Table, stream: &mut Stream) -> PieceFlip {
    let piece = stream.below(table.pieces_each() as u64).into();
    PieceFlip { piece, goal: Goal::Angle(TAU * stream.unit()) }
}
