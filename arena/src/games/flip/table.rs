//! The table and the circles on it: which flips are valid, and where they land.
//!
//! Centres lie in a uniform grid whose cells are too small for two of them, so a check looks at a handful of cells
//! however many pieces there are. The table does not know whose turn it is, nor how many flips are left.

use super::{Goal, PieceFlip};
use crate::seat::Seat;

/// A centre: x from −60 to 60, y from −20 to 20, in cm; y grows upwards.
pub type Centre = [f64; 2];

/// The length of a flip, and the diameter of a piece: 2 cm.
pub const DIAMETER: f64 = 2.0;
/// From the middle of the table to its edges: 60 and 20 cm.
pub const HALF_TABLE: [f64; 2] = [60.0, 20.0];
/// From the middle of the table to the outer thirds: 20 cm.
pub const THIRD: f64 = 20.0;
/// What lengths may be off by: 1e-7 cm.
pub const TOLERANCE: f64 = 1e-7;

/// A distance this near to 2 is as exact as coordinates can be (they are rounded at 1e-14), so its centre is kept to the last
/// bit; hence a flip that was made is made again by its own record.
const ROUNDING: f64 = 1e-13;
/// Where centres may lie, tolerance included.
pub const LIMIT: [f64; 2] = [HALF_TABLE[0] - DIAMETER / 2.0 + TOLERANCE, HALF_TABLE[1] - DIAMETER / 2.0 + TOLERANCE];

/// Cells of the grid a cm. Their diagonal, 1.98, is less than two centres can be apart.
const PER_CM: f64 = 1.0 / 1.4;
const COLUMNS: usize = 86;
const ROWS: usize = 28;
/// The mark of an empty cell.
const EMPTY: u16 = u16::MAX;

/// The circles of both seats.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Seat 0's and seat 1's pieces in turn, so that a piece's slot is twice its number plus its seat.
    centres: Vec<Centre>,
    /// The slot of the centre that lies in the cell.
    cells: Vec<u16>,
}

/// A valid flip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landing {
    /// Whose piece it is.
    pub seat: Seat,
    /// Which one.
    pub piece: usize,
    /// Its centre before.
    pub from: Centre,
    /// Its centre afterwards, exactly 2 cm away.
    pub to: Centre,
}

/// Why a circle may not be where it was to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Invalid {
    /// The seat has no piece of this number.
    NoPiece {
        /// The number that was given.
        piece: i128,
        /// How many pieces the seat has.
        pieces: usize,
    },
    /// The new centre is not 2 cm away.
    Distance {
        /// The centre as it is.
        from: Centre,
        /// The centre that was asked for.
        to: Centre,
    },
    /// The circle would not be on the table as a whole.
    Edge {
        /// The centre that it would have.
        at: Centre,
    },
    /// It would overlap another piece.
    Overlap {
        /// Whose piece that is.
        seat: Seat,
        /// Its number.
        piece: usize,
        /// How far apart the centres would be.
        distance: f64,
    },
}

impl Table {
    /// The table without any piece.
    pub fn empty() -> Table {
        Table { centres: Vec::new(), cells: vec![EMPTY; COLUMNS * ROWS] }
    }

    /// Adds the next piece: seat 0's piece 0, seat 1's piece 0, seat 0's piece 1, …
    pub fn add(&mut self, at: Centre) -> Result<(), Invalid> {
        let at = without_negative_zero(at);
        let slot = u16::try_from(self.centres.len()).ok().filter(|&slot| slot != EMPTY);
        let slot = slot.expect("a table holds fewer pieces than a slot can number");
        self.check_place(at, slot)?;
        self.cells[cell(at)] = slot;
        self.centres.push(at);
        Ok(())
    }

    /// How many pieces each seat has.
    pub fn pieces_each(&self) -> usize {
        self.centres.len() / 2
    }

    /// The centres of a seat's pieces, in the order of their numbers.
    pub fn centres(&self, seat: Seat) -> impl Iterator<Item = Centre> {
        self.centres.iter().skip(seat.index()).step_by(2).copied()
    }

    /// The centre of the seat's piece of this number, if there is one.
    pub fn centre(&self, seat: Seat, piece: i128) -> Result<Centre, Invalid> {
        let pieces = self.pieces_each();
        let known = usize::try_from(piece).ok().filter(|&piece| piece < pieces);
        known.map(|piece| self.centres[slot(seat, piece)]).ok_or(Invalid::NoPiece { piece, pieces })
    }

    /// Whether the seat may flip so on the table as it is, and where the piece lands.
    pub fn judge(&self, seat: Seat, flip: &PieceFlip) -> Result<Landing, Invalid> {
        let from = self.centre(seat, flip.piece)?;
        let piece = flip.piece as usize;
        let asked = match flip.goal {
            Goal::To(to) => to,
            Goal::Angle(angle) => [from[0] + DIAMETER * angle.cos(), from[1] + DIAMETER * angle.sin()],
        };
        let to = exact(from, asked).ok_or(Invalid::Distance { from, to: asked })?;
        self.check_place(to, slot(seat, piece) as u16)?;
        Ok(Landing { seat, piece, from, to })
    }

    /// Moves the piece. The landing is one that [`Table::judge`] found on the table as it is.
    pub fn make(&mut self, landing: &Landing) {
        let slot = slot(landing.seat, landing.piece);
        self.cells[cell(self.centres[slot])] = EMPTY;
        self.cells[cell(landing.to)] = slot as u16;
        self.centres[slot] = landing.to;
    }

    /// How many of the seat's circles are entirely inside the opposite third.
    pub fn across(&self, seat: Seat) -> usize {
        self.centres(seat).filter(|&at| is_across(seat, at)).count()
    }

    /// Whether all of the seat's circles are entirely inside the opposite third.
    pub fn all_across(&self, seat: Seat) -> bool {
        self.centres(seat).all(|at| is_across(seat, at))
    }

    /// Whether the piece in `own` (or a new one) may lie here.
    fn check_place(&self, at: Centre, own: u16) -> Result<(), Invalid> {
        // Written so that what is not a number is not on the table either.
        if !(at[0].abs() <= LIMIT[0] && at[1].abs() <= LIMIT[1]) {
            return Err(Invalid::Edge { at });
        }
        let (left, right) = (column(at[0] - DIAMETER), column(at[0] + DIAMETER));
        for row in row(at[1] - DIAMETER)..=row(at[1] + DIAMETER) {
            for &slot in &self.cells[row * COLUMNS + left..=row * COLUMNS + right] {
                if slot == EMPTY || slot == own {
                    continue;
                }
                let distance = distance(at, self.centres[usize::from(slot)]);
                if distance < DIAMETER - TOLERANCE {
                    let seat = if slot % 2 == 0 { Seat::First } else { Seat::Second };
                    return Err(Invalid::Overlap { seat, piece: usize::from(slot / 2), distance });
                }
            }
        }
        Ok(())
    }
}

impl Landing {
    /// The flip as it was made, with its exact centre.
    pub fn as_flip(&self) -> PieceFlip {
        PieceFlip { piece: self.piece as i128, goal: Goal::To(self.to) }
    }
}

impl Invalid {
    /// Which rule is broken, for the author of the bot in `mover`.
    pub fn words(&self, mover: Seat) -> String {
        match *self {
            Invalid::NoPiece { piece, pieces } => {
                format!("there is no piece {piece}: you have {pieces}, numbered from 0")
            }
            Invalid::Distance { from, to } => {
                // This form does not overflow, however far the point is.
                let distance = (to[0] - from[0]).hypot(to[1] - from[1]);
                let (off, side) = ((distance - DIAMETER).abs(), if distance < DIAMETER { "near" } else { "far" });
                format!(
                    "the new centre {to:?} is {} cm too {side}: it must be 2 cm from {from:?}, within 1e-7",
                    length(off)
                )
            }
            Invalid::Edge { at } => {
                let (edge, by) = crossed_edge(at);
                format!("the circle around {at:?} would cross the {edge} by {} cm", length(by))
            }
            Invalid::Overlap { seat, piece, distance } => {
                let whose = if seat == mover { "your own" } else { "the opponent's" };
                format!("it would overlap {whose} piece {piece} by {} cm", length(DIAMETER - distance))
            }
        }
    }
}

/// The centre exactly 2 cm from `from` in the direction of `to`; `None` when the two are one point.
pub fn towards(from: Centre, to: Centre) -> Option<Centre> {
    let distance = distance(from, to);
    let scale = DIAMETER / distance;
    let centre = [from[0] + (to[0] - from[0]) * scale, from[1] + (to[1] - from[1]) * scale];
    (distance > 0.0 && distance.is_finite()).then_some(centre)
}

/// The centre that a flip to `to` has: `to` itself where it is 2 cm away but for rounding, else put there within the
/// tolerance; `None` beyond it.
fn exact(from: Centre, to: Centre) -> Option<Centre> {
    let off = (distance(from, to) - DIAMETER).abs();
    let centre = if off <= ROUNDING {
        Some(to)
    } else if off <= TOLERANCE {
        towards(from, to)
    } else {
        None
    };
    centre.map(without_negative_zero)
}

fn distance(a: Centre, b: Centre) -> f64 {
    // Not `hypot`: root and product are the same to the last bit on every machine.
    let [x, y] = [a[0] - b[0], a[1] - b[1]];
    (x * x + y * y).sqrt()
}

fn is_across(seat: Seat, at: Centre) -> bool {
    let inside = THIRD + DIAMETER / 2.0 - TOLERANCE;
    match seat {
        Seat::First => at[0] >= inside,
        Seat::Second => at[0] <= -inside,
    }
}

/// A zero is written without a sign, whatever it came from.
fn without_negative_zero(at: Centre) -> Centre {
    at.map(|coordinate| coordinate + 0.0)
}

fn slot(seat: Seat, piece: usize) -> usize {
    2 * piece + seat.index()
}

fn cell(at: Centre) -> usize {
    row(at[1]) * COLUMNS + column(at[0])
}

fn column(x: f64) -> usize {
    // The conversion takes what is left of the grid for 0.
    (((x + HALF_TABLE[0]) * PER_CM) as usize).min(COLUMNS - 1)
}

fn row(y: f64) -> usize {
    (((y + HALF_TABLE[1]) * PER_CM) as usize).min(ROWS - 1)
}

fn crossed_edge(at: Centre) -> (&'static str, f64) {
    let beyond = |axis: usize| at[axis].abs() + DIAMETER / 2.0 - HALF_TABLE[axis];
    match (beyond(0) >= beyond(1), at[0] < 0.0, at[1] < 0.0) {
        (true, true, _) => ("left edge (x = -60)", beyond(0)),
        (true, false, _) => ("right edge (x = 60)", beyond(0)),
        (false, _, true) => ("lower edge (y = -20)", beyond(1)),
        (false, _, false) => ("upper edge (y = 20)", beyond(1)),
    }
}

/// A length for people: three digits after the point where they say something.
fn length(cm: f64) -> String {
    if (0.001..1e6).contains(&cm) { format!("{cm:.3}") } else { format!("{cm:.1e}") }
}
