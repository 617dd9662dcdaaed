//! No Tipping for the eye: the loaded board on its supports, tilted once it has tipped, hands and torques.

use super::board::{Block, Hand, REACH, SUPPORTS};
use super::{Move, NoTipping, Phase, Ply};
use crate::game::{Fact, Game, Next, Scene, Shape, Status, Target, Tone};
use crate::seat::Seat;
use serde_json::json;

/// How far a tipped board goes down for each metre.
const TILT: f64 = 0.08;

/// Where things lie below the top of the board (y grows downwards).
const THICKNESS: f64 = 0.6;
const GROUND: f64 = 3.0;

/// Draws a position. A metre is one unit; what stands side by side is written in rows of its own by turns, since two
/// characters are wider than a metre in a terminal of 100 columns.
pub(super) fn draw(position: &NoTipping) -> Scene {
    let beam = Beam::of(position);
    Scene {
        view: [-31.0, -6.0, 62.0, 12.0],
        characters: [1.6, 1.0],
        shapes: shapes(position, beam),
        facts: facts(position),
        caption: caption(position),
        targets: targets(position),
    }
}

/// How the board lies: about which support it has turned, and how steeply.
#[derive(Clone, Copy)]
struct Beam {
    pivot: f64,
    slope: f64,
}

impl Beam {
    fn of(position: &NoTipping) -> Beam {
        let torque = position.board.torque();
        match (torque.left > 0, torque.right < 0) {
            (true, _) => Beam { pivot: SUPPORTS[0] as f64, slope: -TILT },
            (_, true) => Beam { pivot: SUPPORTS[1] as f64, slope: TILT },
            _ => Beam { pivot: 0.0, slope: 0.0 },
        }
    }

    fn tipped(self) -> bool {
        self.slope != 0.0
    }

    /// The height of the board's top at a place.
    fn top(self, x: f64) -> f64 {
        (x - self.pivot) * self.slope
    }
}

fn shapes(position: &NoTipping, beam: Beam) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = SUPPORTS.into_iter().map(support).collect();
    shapes.push(plank(beam));
    shapes.extend((-REACH..=REACH).map(|x| position_label(x, position.board.at(x) != Some(0))));
    shapes.extend(position.board.blocks().flat_map(|block| {
        let last = position.last.is_some_and(|ply| ply.phase == Phase::Add && ply.position == block.position);
        block_shapes(block, beam, last)
    }));
    if let Some(Ply { phase: Phase::Remove, position: x, .. }) = position.last {
        let at = [x as f64, beam.top(x as f64) - 0.5];
        shapes.push(Shape::Label { at, text: "×".to_string(), height: 1.4, tone: last_tone(beam) });
    }
    shapes
}

fn support(x: i64) -> Shape {
    let x = x as f64;
    Shape::Polygon { points: vec![[x, THICKNESS], [x + 0.9, GROUND], [x - 0.9, GROUND]], tone: Tone::Neutral }
}

fn plank(beam: Beam) -> Shape {
    let [left, right] = [-(REACH as f64) - 0.5, REACH as f64 + 0.5];
    let [left_top, right_top] = [beam.top(left), beam.top(right)];
    let points =
        vec![[left, left_top], [right, right_top], [right, right_top + THICKNESS], [left, left_top + THICKNESS]];
    Shape::Polygon { points, tone: if beam.tipped() { Tone::Alarm } else { Tone::Ink } }
}

/// Positions are written in three rows by turns, those with a block darker.
fn position_label(x: i64, occupied: bool) -> Shape {
    let row = GROUND + 0.5 + x.rem_euclid(3) as f64;
    let tone = if occupied { Tone::Ink } else { Tone::Neutral };
    Shape::Label { at: [x as f64, row], text: x.to_string(), height: 1.0, tone }
}

/// A block in the colour of who placed it, its weight above.
fn block_shapes(block: Block, beam: Beam, last: bool) -> [Shape; 2] {
    let x = block.position as f64;
    let tone = match block.placed_by {
        Some(Seat::First) => Tone::First,
        Some(Seat::Second) => Tone::Second,
        None => Tone::Neutral,
    };
    let top = beam.top(x);
    let text_tone = if last { last_tone(beam) } else { Tone::Ink };
    [
        Shape::Cell { at: [x - 0.5, top - 1.0, 1.0, 1.0], tone, shade: 0, text: String::new() },
        Shape::Label {
            at: [x, top - weight_row(block.position)],
            text: block.weight.to_string(),
            height: 1.05,
            tone: text_tone,
        },
    ]
}

/// How far above the board a weight is written: in two rows by turns.
fn weight_row(x: i64) -> f64 {
    1.5 + x.rem_euclid(2) as f64
}

fn last_tone(beam: Beam) -> Tone {
    if beam.tipped() { Tone::Alarm } else { Tone::Last }
}

fn facts(position: &NoTipping) -> Vec<Fact> {
    let torque = position.board.torque();
    let mut facts: Vec<Fact> = position
        .hands
        .iter()
        .map(|(seat, hand): (Seat, &Hand)| Fact {
            seat: Some(seat.index()),
            label: "hand".to_string(),
            value: hand.to_string(),
        })
        .collect();
    for (support, torque, tips) in [(SUPPORTS[0], torque.left, "above"), (SUPPORTS[1], torque.right, "below")] {
        facts.push(Fact {
            seat: None,
            label: format!("torque about {support}"),
            value: format!("{torque:+} (tips {tips} 0)"),
        });
    }
    facts
}

fn caption(position: &NoTipping) -> String {
    match position.status() {
        Status::Over(_) => {
            let winner = position.to_move;
            format!("Seat {} {} and tipped the board: seat {winner} wins.", winner.other(), position.last_in_words())
        }
        Status::ToMove(seat) | Status::MustPass(seat) => match position.phase() {
            Phase::Add => format!("Seat {seat} is to place one of its blocks."),
            Phase::Remove => format!("Seat {seat} is to take a block off."),
        },
    }
}

/// A block of the hand, then its place; once hands are empty, a block on the board.
fn targets(position: &NoTipping) -> Vec<Target> {
    let mut targets: Vec<Target> = Vec::new();
    for mv in position.legal_moves().unwrap_or_default() {
        let Move::Block { weight, position: x } = mv else { continue };
        let made = match weight {
            Some(weight) => json!({"weight": weight, "position": x}),
            None => json!({"position": x}),
        };
        let at = Some([x as f64 - 0.5, -1.0, 1.0, 1.0]);
        let place = Target { at, key: json!(x), label: mv.to_string(), next: Next::Move(made) };
        let Some(weight) = weight.filter(|_| position.phase() == Phase::Add) else {
            targets.push(place);
            continue;
        };
        match targets.iter_mut().find(|target| target.key == json!(weight)) {
            Some(Target { next: Next::Targets(places), .. }) => places.push(place),
            _ => {
                let next = Next::Targets(vec![place]);
                targets.push(Target { at: None, key: json!(weight), label: format!("{weight} kg"), next });
            }
        }
    }
    targets
}
