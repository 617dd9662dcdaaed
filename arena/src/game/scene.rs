//! A position as a drawing, in data: shapes in the plane, facts beside them, places to click.
//! The terminal, SVG files and web pages all draw it; none of them knows a game.

use super::BadShape;
use serde_json::Value;
use std::collections::HashSet;

/// The strongest shade of a tone.
pub const DEEPEST: u8 = 6;

/// What a person is shown of a position.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Scene {
    /// The part of the plane that is shown: left, top, width, height, in the scene's units; y grows downwards.
    pub view: [f64; 4],
    /// How a terminal draws it: columns and rows of characters a unit.
    pub characters: [f64; 2],
    /// The shapes, those behind first.
    pub shapes: Vec<Shape>,
    /// What stands beside the board, in order: counts, hands, torques, …
    pub facts: Vec<Fact>,
    /// One line about the position: whose turn it is and what is to be done.
    pub caption: String,
    /// What a person can choose first; empty where nobody is to move.
    pub targets: Vec<Target>,
}

/// One shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A rectangle: left, top, width, height.
    Cell {
        /// Left, top, width, height.
        at: [f64; 4],
        /// Its colour by meaning.
        tone: Tone,
        /// How far that colour is towards its strongest, where what is there comes in sizes: from 0, the colour as it is,
        /// to [`DEEPEST`]. More is drawn like `DEEPEST`. Whoever is drawn for cannot tell neighbours apart for sure: the
        /// size stands in the text too.
        shade: u8,
        /// Written in its middle; empty for none.
        text: String,
    },
    /// A circle: centre and radius.
    Disc {
        /// Its centre.
        centre: [f64; 2],
        /// Its radius.
        radius: f64,
        /// Its colour by meaning.
        tone: Tone,
        /// Written in its middle; empty for none.
        text: String,
    },
    /// A closed polygon.
    Polygon {
        /// Its corners.
        points: Vec<[f64; 2]>,
        /// Its colour by meaning.
        tone: Tone,
    },
    /// A line, with a head at its end where it is an arrow.
    Line {
        /// Where it begins.
        from: [f64; 2],
        /// Where it ends.
        to: [f64; 2],
        /// Its colour by meaning.
        tone: Tone,
        /// Whether its end has a head.
        arrow: bool,
    },
    /// Text around a point.
    Label {
        /// Its middle.
        at: [f64; 2],
        /// What it says.
        text: String,
        /// The height of its letters, in units.
        height: f64,
        /// Its colour by meaning.
        tone: Tone,
    },
}

/// A colour by what it means; whoever draws chooses the colour itself (dark or light, or a character).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tone {
    /// The board.
    Board,
    /// The board's other field colour.
    BoardOther,
    /// What belongs to seat 0.
    First,
    /// What belongs to seat 1.
    Second,
    /// What belongs to nobody.
    Neutral,
    /// The last move.
    Last,
    /// What can be chosen.
    Choice,
    /// What went wrong.
    Alarm,
    /// Text and lines.
    Ink,
}

/// Something to know about the position, for both seats (`seat` is `None`) or one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Whose it is.
    pub seat: Option<usize>,
    /// What it is.
    pub label: String,
    /// Its value.
    pub value: String,
}

/// Something that can be chosen: a step on a path of choices that ends in a move.
///
/// Whoever lets a person play needs to know no game. The person chooses one of [`Scene::targets`]; what `next` says is
/// chosen then, and so on. The keys of what was chosen, in order, are the path; `choose` of the position makes the move of
/// a whole path, and tells of an open one what can be chosen next:
///
/// - one click: a target whose `next` is [`Next::Move`];
/// - a click, then another: [`Next::Targets`], all of which lie in the scene;
/// - a click, then a direction: [`Next::Ring`]. The direction is a key as well, a number. After it the path is whole, or
///   `choose` gives the next scene, with what was done so far drawn into it.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Left, top, width, height of its place; `None` for what lies beside the board, for a button with the label on it.
    pub at: Option<[f64; 4]>,
    /// What it adds to the path; no two targets that stand together have the same.
    pub key: Value,
    /// What it is called.
    pub label: String,
    /// What comes after it.
    pub next: Next,
}

/// What comes after a choice.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// Nothing: this move is made.
    Move(Value),
    /// One of these is to be chosen.
    Targets(Vec<Target>),
    /// A direction is to be chosen.
    Ring(Ring),
}

/// Directions around a point: in radians, counter-clockwise from the right, as a person sees them. The direction `a` leads
/// to the point `[x + radius * cos a, y - radius * sin a]` of the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Ring {
    /// The point.
    pub centre: [f64; 2],
    /// How far away the chosen place lies.
    pub radius: f64,
    /// The directions that the rules allow, both ends included: from, to, with 0 ≤ from < 2π and from ≤ to. Only the last
    /// may lead on beyond 2π. All others can be shown as barred.
    pub arcs: Vec<[f64; 2]>,
    /// Whether the move is whole with it; else what comes next is to be asked for.
    pub ends: bool,
}

/// What a path of choices has come to.
#[derive(Clone, Debug, PartialEq)]
pub enum Chosen {
    /// A move, as JSON, that the rules allow.
    Move(Value),
    /// It goes on: the targets of this scene are what can be chosen next.
    Open(Scene),
}

impl Scene {
    /// Every place that can be chosen now or later, once each.
    pub fn places(&self) -> Vec<[f64; 4]> {
        let mut seen = HashSet::new();
        let mut places = Vec::new();
        let mut rest: Vec<&[Target]> = vec![&self.targets];
        while let Some(targets) = rest.pop() {
            for target in targets {
                places.extend(target.at.filter(|at| seen.insert(at.map(f64::to_bits))));
                if let Next::Targets(next) = &target.next {
                    rest.push(next);
                }
            }
        }
        places
    }

    /// Every path of choices that leads to a move without a direction, with that move, in order.
    pub fn paths(&self) -> Vec<(Vec<Value>, Value)> {
        fn walk(targets: &[Target], path: &mut Vec<Value>, found: &mut Vec<(Vec<Value>, Value)>) {
            for target in targets {
                path.push(target.key.clone());
                match &target.next {
                    Next::Move(mv) => found.push((path.clone(), mv.clone())),
                    Next::Targets(next) => walk(next, path, found),
                    Next::Ring(_) => {}
                }
                path.pop();
            }
        }
        let mut found = Vec::new();
        walk(&self.targets, &mut Vec::new(), &mut found);
        found
    }
}

/// Follows a path through a scene that holds all its targets.
pub(super) fn follow(mut scene: Scene, path: &[Value]) -> Result<Chosen, BadShape> {
    for (step, key) in path.iter().enumerate() {
        let target = std::mem::take(&mut scene.targets).into_iter().find(|target| target.key == *key);
        let target =
            target.ok_or_else(|| BadShape(format!("choice {step}, {key}, is none of those that there are")))?;
        match target.next {
            Next::Move(mv) if step + 1 == path.len() => return Ok(Chosen::Move(mv)),
            Next::Targets(targets) => scene.targets = targets,
            Next::Move(_) | Next::Ring(_) => {
                return Err(BadShape(format!("after choice {step}, {key}, nothing is to be chosen")));
            }
        }
    }
    Ok(Chosen::Open(scene))
}
