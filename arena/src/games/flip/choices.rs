//! A turn by clicks: a piece, then a direction, as often as the turn has flips, or less often. Which directions there are
//! is asked of the table, which judges flips: what is offered here is never refused there.

use super::scene::{draw, turned_over};
use super::table::{Centre, DIAMETER, LIMIT, TOLERANCE, Table};
use super::{Flip, Goal, PieceFlip};
use crate::game::{BadShape, Chosen, Game, Next, Ring, Scene, Target};
use crate::seat::Seat;
use serde_json::{Value, json};
use std::f64::consts::{PI, TAU};

/// What can be chosen on the table as it is, once these flips were made: a piece that can be flipped, or to leave it at
/// that.
pub(super) fn targets(game: &Flip, made: &[PieceFlip]) -> Vec<Target> {
    let left = game.flips_allowed().saturating_sub(made.len());
    if left == 0 || (made.is_empty() && game.outcome().is_some()) {
        return Vec::new();
    }
    let enough = if made.is_empty() { "no flip" } else { "no more flips" };
    let enough = Target { at: None, key: Value::Null, label: enough.to_string(), next: Next::Move(as_json(made)) };
    let piece = |(piece, from): (usize, Centre)| {
        let arcs = arcs(&game.table, game.to_move, piece, from);
        let [x, y] = turned_over(from);
        let at = Some([x - DIAMETER / 2.0, y - DIAMETER / 2.0, DIAMETER, DIAMETER]);
        let ring = Ring { centre: [x, y], radius: DIAMETER, arcs, ends: left == 1 };
        Target { at, key: json!(piece), label: format!("piece {piece}"), next: Next::Ring(ring) }
    };
    let can_be_flipped = |target: &Target| matches!(&target.next, Next::Ring(ring) if !ring.arcs.is_empty());
    let pieces = game.table.centres(game.to_move).enumerate().map(piece).filter(can_be_flipped);
    pieces.chain([enough]).collect()
}

/// What a path comes to: pieces and directions by turns, `null` at its end for no more flips.
pub(super) fn choose(game: &Flip, path: &[Value]) -> Result<Chosen, BadShape> {
    if game.outcome().is_some() {
        return Err(BadShape("the game is over: there is nothing to choose".to_string()));
    }
    let (mut game, allowed) = (game.clone(), game.flips_allowed());
    let (mut made, mut last) = (Vec::new(), Vec::new());
    let mut rest = path;
    while made.len() < allowed {
        match rest {
            [] => return Ok(Chosen::Open(scene(game, &made, last))),
            [Value::Null] => return Ok(Chosen::Move(as_json(&made))),
            [piece] => {
                let mut scene = scene(game, &made, last);
                scene.targets.retain(|target| target.key == *piece);
                return if scene.targets.is_empty() { Err(no_piece(piece)) } else { Ok(Chosen::Open(scene)) };
            }
            [piece, direction, after @ ..] => {
                let number = piece.as_u64().ok_or_else(|| no_piece(piece))?;
                let angle = direction.as_f64();
                let angle =
                    angle.ok_or_else(|| BadShape(format!("{direction} is no direction: a number of radians is")))?;
                let flip = PieceFlip { piece: number.into(), goal: Goal::Angle(angle) };
                let landing = game.table.judge(game.to_move, &flip);
                let landing = landing.map_err(|why| BadShape(why.words(game.to_move)))?;
                game.table.make(&landing);
                made.push(landing.as_flip());
                last.push(landing);
                rest = after;
            }
        }
    }
    if rest.is_empty() {
        Ok(Chosen::Move(as_json(&made)))
    } else {
        Err(BadShape(format!("a turn has {allowed} flips")))
    }
}

/// The table in the middle of a turn.
fn scene(mut game: Flip, made: &[PieceFlip], last: Vec<super::Landing>) -> Scene {
    if made.is_empty() {
        return draw(&game);
    }
    game.last = last;
    let mut scene = draw(&game);
    scene.caption = format!("Seat {} to move: one flip more, or none", game.to_move);
    scene.targets = targets(&game, made);
    scene
}

fn no_piece(piece: &Value) -> BadShape {
    BadShape(format!("{piece} is no piece that can be flipped, nor null for no more flips"))
}

fn as_json(made: &[PieceFlip]) -> Value {
    let mut text = Vec::new();
    Flip::write_move(&made.to_vec(), &mut text);
    serde_json::from_slice(&text).expect("a move is written as JSON")
}

/// The directions in which the table accepts a flip of this piece, in the form of [`Ring::arcs`]. Where they may begin and
/// end follows from edges and neighbours; whether they do, and at which number exactly, is asked of the table.
fn arcs(table: &Table, seat: Seat, piece: usize, from: Centre) -> Vec<[f64; 2]> {
    let is_valid =
        |angle: f64| table.judge(seat, &PieceFlip { piece: piece as i128, goal: Goal::Angle(angle) }).is_ok();
    let bounds = bounds(table, from);
    let mut arcs: Vec<[f64; 2]> = Vec::new();
    for pair in bounds.windows(2) {
        let middle = pair[0] + (pair[1] - pair[0]) / 2.0;
        if is_valid(middle) {
            let [low, high] = [pair[0], pair[1]].map(|bound| outermost(bound, middle, is_valid));
            match arcs.last_mut() {
                Some(before) if before[1] == low => before[1] = high,
                _ => arcs.push([low, high]),
            }
        } else if arcs.last().is_none_or(|before| before[1] < pair[0]) && is_valid(pair[0]) {
            // A gap as wide as a circle has a single direction.
            arcs.push([pair[0], pair[0]]);
        }
    }
    // What ends at 2π goes on at 0.
    if let [first, .., last] = arcs.as_mut_slice()
        && first[0] == 0.0
        && last[1] == TAU
    {
        // The same direction a turn further is another number, and the table may judge it otherwise at the very end.
        last[1] = outermost(TAU + first[1], TAU + first[1] / 2.0, is_valid);
        arcs.remove(0);
    }
    arcs
}

/// The directions, from 0 to 2π in order, in which a piece would touch an edge or a neighbour.
fn bounds(table: &Table, from: Centre) -> Vec<f64> {
    let mut bounds = vec![0.0, TAU];
    let mut add = |angles: [f64; 2]| {
        bounds.extend(angles.map(|angle| angle.rem_euclid(TAU)).into_iter().filter(|angle| angle.is_finite()))
    };
    // The arc functions give no number where an edge or a neighbour is too far away.
    for limit in [-LIMIT[0], LIMIT[0]] {
        let angle = ((limit - from[0]) / DIAMETER).acos();
        add([angle, -angle]);
    }
    for limit in [-LIMIT[1], LIMIT[1]] {
        let angle = ((limit - from[1]) / DIAMETER).asin();
        add([angle, PI - angle]);
    }
    let nearest = DIAMETER - TOLERANCE;
    for other in Seat::BOTH.into_iter().flat_map(|seat| table.centres(seat)) {
        let [x, y] = [other[0] - from[0], other[1] - from[1]];
        let square = x * x + y * y;
        if square > 0.0 && square <= 4.0 * DIAMETER * DIAMETER {
            let cosine = (DIAMETER * DIAMETER + square - nearest * nearest) / (2.0 * DIAMETER * square.sqrt());
            let (towards, half) = (y.atan2(x), cosine.acos());
            add([towards - half, towards + half]);
        }
    }
    bounds.sort_by(f64::total_cmp);
    bounds.dedup();
    bounds
}

/// The valid direction that is nearest to a bound, as near as numbers tell, on the side of one that is valid.
fn outermost(bound: f64, inside: f64, is_valid: impl Fn(f64) -> bool) -> f64 {
    let steps = (20..=52).rev().step_by(2).map(|halvings| bound + (inside - bound) * 0.5_f64.powi(halvings));
    std::iter::once(bound).chain(steps).find(|&angle| is_valid(angle)).unwrap_or(inside)
}
