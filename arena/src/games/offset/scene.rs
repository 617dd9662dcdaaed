//! Offset for the eye: the board with its piles in their owners' colours, the larger the stronger, the last combination, the counts.

use super::{Move, Offset};
use crate::game::{Fact, Game, Next, Scene, Shape, Target, Tone};
use crate::seat::Seat;
use serde_json::json;
use std::collections::BTreeMap;

/// Draws a position. A cell is one unit; three characters hold a pile, so that size 32 fits 100 columns.
pub(super) fn draw(position: &Offset) -> Scene {
    Scene { targets: targets(position), ..picture(position) }
}

/// The same with nothing to choose: no pile that can be moved lies bare.
pub(super) fn picture(position: &Offset) -> Scene {
    let side = position.board.size() as f64 + 1.0;
    Scene {
        view: [-1.0, -1.0, side, side],
        characters: [3.0, 1.0],
        shapes: shapes(position),
        facts: facts(position),
        caption: caption(position),
        targets: Vec::new(),
    }
}

fn shapes(position: &Offset) -> Vec<Shape> {
    let size = position.board.size();
    let mut shapes = Vec::with_capacity(size * size + 2 * size + 2);
    for index in 0..size {
        let middle = index as f64 + 0.5;
        for at in [[middle, -0.5], [-0.5, middle]] {
            shapes.push(Shape::Label { at, text: (index + 1).to_string(), height: 0.45, tone: Tone::Ink });
        }
    }
    for (index, (pile, owner)) in position.board.cells().enumerate() {
        let is_emptied = position.last.is_some_and(|step| step.from == index);
        let (at, tone) = (place(index, size), tone(pile, owner, is_emptied));
        shapes.push(Shape::Cell { at, tone, shade: shade(pile), text: text(pile) });
    }
    if let Some(step) = position.last {
        let [from, to] = [step.from, step.to].map(|index| {
            let [left, top, width, height] = place(index, size);
            [left + width / 2.0, top + height / 2.0]
        });
        shapes.push(Shape::Line { from, to, tone: Tone::Last, arrow: true });
    }
    shapes
}

fn place(index: usize, size: usize) -> [f64; 4] {
    [(index % size) as f64, (index / size) as f64, 1.0, 1.0]
}

fn tone(pile: u32, owner: Option<Seat>, is_emptied: bool) -> Tone {
    match owner {
        Some(Seat::First) => Tone::First,
        Some(Seat::Second) => Tone::Second,
        None if pile > 0 => Tone::Neutral,
        None if is_emptied => Tone::Last,
        None => Tone::Board,
    }
}

/// One more for each doubling: piles are powers of two.
fn shade(pile: u32) -> u8 {
    pile.checked_ilog2().unwrap_or(0) as u8
}

/// A pile in at most three characters. Piles are powers of two, so `1k` is 1024 and nothing else.
fn text(pile: u32) -> String {
    match pile {
        0 => String::new(),
        1..1024 => pile.to_string(),
        _ => format!("{}k", pile / 1024),
    }
}

fn facts(position: &Offset) -> Vec<Fact> {
    let size = position.board.size();
    let owned = position.scores();
    let fact = |(seat, [p, q]): (Seat, &[i64; 2])| {
        let (seat, label) = (seat.index(), format!("coins, pair {p} and {q}"));
        Fact { seat: Some(seat), label, value: owned[seat].to_string() }
    };
    let mut facts: Vec<Fact> = position.offsets.iter().map(fact).collect();
    let free = (size * size) as i64 - owned[0] - owned[1];
    facts.push(Fact { seat: None, label: "coins of nobody".to_string(), value: free.to_string() });
    facts
}

fn caption(position: &Offset) -> String {
    let seat = position.to_move;
    match position.next {
        super::Next::Move => format!("Seat {seat} is to combine two equal piles."),
        super::Next::Pass => format!("Seat {seat} has no move and passes."),
        super::Next::Over => {
            let [first, second] = position.scores();
            let end = position.ahead().map_or("a draw".to_string(), |seat| format!("seat {seat} wins"));
            format!("Nobody has a move: {end}, {first} to {second} coins.")
        }
    }
}

/// First the pile that is moved, then the one that it is put on.
fn targets(position: &Offset) -> Vec<Target> {
    let size = position.board.size();
    let target = |cell: [i64; 2], label: String, next| {
        let index = position.board.index(cell).expect("a legal move is on the board");
        Target { at: Some(place(index, size)), key: json!(cell), label, next }
    };
    let mut ways: BTreeMap<[i64; 2], Vec<Target>> = BTreeMap::new();
    for mv in position.legal_moves().unwrap_or_default() {
        if let Move::Combine { from, to } = mv {
            let made = Next::Move(json!({"from": from, "to": to}));
            ways.entry(from).or_default().push(target(to, mv.to_string(), made));
        }
    }
    let source =
        |(from, ways): ([i64; 2], Vec<Target>)| target(from, format!("({},{})", from[0], from[1]), Next::Targets(ways));
    ways.into_iter().map(source).collect()
}
