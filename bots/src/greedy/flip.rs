//! Flip: the piece farthest ahead goes on, straight or around what is in its way, until it is home; then the next.

use crate::Request;
use arena::games::flip::{Flip, Goal, PieceFlip, Table};
use arena::seat::Seat;
use std::f64::consts::PI;

/// As many flips as there are, each of a piece that comes nearer to the other end.
pub(super) fn choose(position: &Flip, request: &Request) -> Vec<PieceFlip> {
    let mut table = position.table().clone();
    let side = if request.random().below(2) == 0 { 1.0 } else { -1.0 };
    (0..position.flips_allowed()).map_while(|_| forward(&mut table, request.turn.seat, side)).collect()
}

/// Turns away from straight on, in radians, the nearest first. None is a right angle: every flip must bring a piece
/// forward, or two pieces could step aside for each other for ever.
const TURNS: [f64; 8] = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.5];

/// One flip, made on the table; `None` when no piece can come forward. `side` is where it turns first.
fn forward(table: &mut Table, me: Seat, side: f64) -> Option<PieceFlip> {
    let straight = if me == Seat::First { 0.0 } else { PI };
    let turns = TURNS.iter().flat_map(|turn| [straight + side * turn, straight - side * turn]);
    for piece in farthest_ahead_first(table, me) {
        for angle in turns.clone() {
            let flip = PieceFlip { piece, goal: Goal::Angle(angle) };
            if let Ok(landing) = table.judge(me, &flip) {
                table.make(&landing);
                return Some(flip);
            }
        }
    }
    None
}

/// The pieces in the order in which they go: those that are home last.
fn farthest_ahead_first(table: &Table, me: Seat) -> Vec<i128> {
    let direction = if me == Seat::First { 1.0 } else { -1.0 };
    let ahead: Vec<f64> = table.centres(me).map(|[x, _]| direction * x).collect();
    let mut pieces: Vec<usize> = (0..ahead.len()).collect();
    let is_home = |piece: usize| ahead[piece] >= HOME;
    pieces.sort_by(|&a, &b| is_home(a).cmp(&is_home(b)).then(ahead[b].total_cmp(&ahead[a])));
    pieces.into_iter().map(|piece| piece as i128).collect()
}

/// From here on a whole piece is inside the other third.
const HOME: f64 = arena::games::flip::THIRD + arena::games::flip::DIAMETER / 2.0;
