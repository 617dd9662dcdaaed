//! The position as a drawing: the table with its thirds, the numbered circles, the last flips as arrows.
//!
//! In the game y grows upwards, in a drawing downwards: this is the one place where it is turned over.

use super::table::{Centre, DIAMETER, HALF_TABLE, THIRD};
use super::{Flip, choices};
use crate::game::{Fact, Game, Outcome, Scene, Shape, Tone};
use crate::seat::Seat;

/// Draws the position.
pub(super) fn draw(game: &Flip) -> Scene {
    let [right, bottom] = HALF_TABLE;
    Scene {
        view: [-right, -bottom, 2.0 * right, 2.0 * bottom],
        characters: [1.0, 0.5],
        // What was flipped last has a rim, and its arrow trails behind it: its number stays readable.
        shapes: [thirds(), rims(game), arrows(game), pieces(game)].concat(),
        facts: facts(game),
        caption: game.outcome().map_or_else(|| caption(game), |outcome| final_caption(game, &outcome)),
        targets: choices::targets(game, &[]),
    }
}

fn thirds() -> Vec<Shape> {
    let [right, bottom] = HALF_TABLE;
    let third = |left: f64, width: f64, tone| Shape::Cell {
        at: [left, -bottom, width, 2.0 * bottom],
        tone,
        shade: 0,
        text: String::new(),
    };
    let line = |x: f64| Shape::Line { from: [x, -bottom], to: [x, bottom], tone: Tone::Ink, arrow: false };
    vec![
        third(-right, right - THIRD, Tone::Board),
        third(-THIRD, 2.0 * THIRD, Tone::BoardOther),
        third(THIRD, right - THIRD, Tone::Board),
        line(-THIRD),
        line(THIRD),
    ]
}

fn pieces(game: &Flip) -> Vec<Shape> {
    let of_seat = |seat: Seat| {
        let tone = if seat == Seat::First { Tone::First } else { Tone::Second };
        game.table.centres(seat).enumerate().map(move |(piece, centre)| Shape::Disc {
            centre: turned_over(centre),
            radius: DIAMETER / 2.0,
            tone,
            text: piece.to_string(),
        })
    };
    Seat::BOTH.into_iter().flat_map(of_seat).collect()
}

/// Circles a little larger, to lie behind those that were flipped last.
fn rims(game: &Flip) -> Vec<Shape> {
    let rim = |to: Centre| Shape::Disc {
        centre: turned_over(to),
        radius: 0.65 * DIAMETER,
        tone: Tone::Last,
        text: String::new(),
    };
    let stays = |index: usize| !game.last[index + 1..].iter().any(|later| later.from == game.last[index].to);
    game.last.iter().enumerate().filter(|(index, _)| stays(*index)).map(|(_, flip)| rim(flip.to)).collect()
}

fn arrows(game: &Flip) -> Vec<Shape> {
    let arrow = |from: Centre, to: Centre| Shape::Line {
        from: turned_over(from),
        to: turned_over(to),
        tone: Tone::Last,
        arrow: true,
    };
    game.last.iter().map(|flip| arrow(flip.from, flip.to)).collect()
}

fn facts(game: &Flip) -> Vec<Fact> {
    let scores = game.scores();
    let across = Seat::BOTH.map(|seat| Fact {
        seat: Some(seat.index()),
        label: format!("in the {} third", goal_side(seat)),
        value: format!("{} of {}", scores[seat.index()], game.table.pieces_each()),
    });
    let round = Fact {
        seat: None,
        label: "round".to_string(),
        value: format!("{} of {}", game.round.min(game.rounds), game.rounds),
    };
    across.into_iter().chain([round]).collect()
}

fn caption(game: &Flip) -> String {
    let (seat, side) = (game.to_move, goal_side(game.to_move));
    let flips = if game.flips_allowed() == 1 { "one flip" } else { "up to two flips" };
    format!("Seat {seat} to move: {flips} of 2 cm, all pieces to the {side} third")
}

fn final_caption(game: &Flip, outcome: &Outcome) -> String {
    let [first, second] = game.scores();
    let counted = format!("{first} to {second} pieces across after {} rounds", game.rounds);
    match outcome.winner {
        Some(seat) if outcome.turn_limit => format!("Seat {seat} wins: {counted}"),
        Some(seat) => format!("Seat {seat} wins: all its pieces are in the {} third", goal_side(seat)),
        None => format!("A draw: {counted}"),
    }
}

/// Where the seat's pieces have to go.
fn goal_side(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "right",
        Seat::Second => "left",
    }
}

pub(super) fn turned_over(at: Centre) -> [f64; 2] {
    [at[0], 0.0 - at[1]]
}
