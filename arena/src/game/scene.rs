//! A position as a drawing, in data: shapes in the plane, facts beside them, places to click.
//! The terminal, SVG files and web pages all draw it; none of them knows a game.

use serde_json::Value;

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
    /// Places that a person can choose, each with the move that it makes.
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

/// A place that can be chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Left, top, width, height of the place.
    pub at: [f64; 4],
    /// The move that it makes, or that it is a part of.
    pub mv: Value,
    /// What it is called.
    pub label: String,
}
