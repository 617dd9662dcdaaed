//! The board as a drawing: a unit is a square, the names of columns and rows stand around it.

use super::{NAMES, Othello, Square};
use crate::game::{Fact, Game, Next, Scene, Shape, Status, Target, Tone};
use crate::seat::{BySeat, Seat};

const TONES: BySeat<Tone> = BySeat([Tone::First, Tone::Second]);

pub(super) fn draw(position: &Othello) -> Scene {
    let side = f64::from(position.grid.size()) + 2.0;
    let mut shapes = coordinates(position);
    for row in 0..position.grid.size() {
        for column in 0..position.grid.size() {
            shapes.extend(square(position, Square { column, row }));
        }
    }
    Scene {
        view: [-1.0, -1.0, side, side],
        characters: [2.0, 1.0],
        shapes,
        facts: facts(position),
        caption: caption(position),
        targets: position.legal_squares().map(target).collect(),
    }
}

fn coordinates(position: &Othello) -> Vec<Shape> {
    let size = position.grid.size();
    let label =
        |x: f64, y: f64, text: &str| Shape::Label { at: [x, y], text: text.to_string(), height: 0.4, tone: Tone::Ink };
    let outside = [-0.5, f64::from(size) + 0.5];
    let mut labels = Vec::new();
    for index in 0..size {
        let name = Square { column: index, row: index }.to_string();
        let (letter, number) = name.split_at(1);
        let middle = f64::from(index) + 0.5;
        for edge in outside {
            labels.push(label(middle, edge, letter));
            labels.push(label(edge, middle, number));
        }
    }
    labels
}

/// The square itself, and its disc on top.
fn square(position: &Othello, square: Square) -> Vec<Shape> {
    let at = place(square);
    let tone = if position.last == Some(square) { Tone::Last } else { Tone::Board };
    let mut shapes = vec![Shape::Cell { at, tone, shade: 0, text: String::new() }];
    if let Some(owner) = position.owner(square.column, square.row) {
        let centre = [at[0] + 0.5, at[1] + 0.5];
        shapes.push(Shape::Disc { centre, radius: 0.4, tone: TONES[owner], text: String::new() });
    }
    shapes
}

fn place(square: Square) -> [f64; 4] {
    [square.column.into(), square.row.into(), 1.0, 1.0]
}

fn target(square: Square) -> Target {
    let name = square.to_string();
    let key: serde_json::Value = name.as_str().into();
    Target { at: Some(place(square)), key: key.clone(), label: name, next: Next::Move(key) }
}

fn facts(position: &Othello) -> Vec<Fact> {
    let scores = Game::scores(position);
    let discs = Seat::BOTH.map(|seat| Fact {
        seat: Some(seat.index()),
        label: NAMES[seat].to_string(),
        value: scores[seat.index()].to_string(),
    });
    let empty = Fact { seat: None, label: "empty".to_string(), value: position.empty().to_string() };
    let last =
        position.last.map(|square| Fact { seat: None, label: "last move".to_string(), value: square.to_string() });
    discs.into_iter().chain([empty]).chain(last).collect()
}

fn caption(position: &Othello) -> String {
    let [black, white] = Game::scores(position);
    match Game::status(position) {
        Status::ToMove(seat) => format!("{} to move", NAMES[seat]),
        Status::MustPass(seat) => format!("{} cannot move and passes", NAMES[seat]),
        Status::Over(outcome) => match outcome.winner {
            Some(seat) => format!("{} wins: {} {black}, {} {white}", NAMES[seat], NAMES.0[0], NAMES.0[1]),
            None => format!("A draw, {black}–{white}"),
        },
    }
}
