//! The board of No Tipping, its blocks and their torques, and the blocks in a hand. Knows no turns and no JSON.

use crate::seat::Seat;
use std::fmt;

/// The board reaches so far from its middle, both ways.
pub(super) const REACH: i64 = 30;

/// Positions on the board.
pub(super) const PLACES: usize = 2 * REACH as usize + 1;

/// Where the supports stand, the left one first.
pub(super) const SUPPORTS: [i64; 2] = [-3, -1];

/// What the board weighs; its centre of gravity is at 0.
const OWN_WEIGHT: i64 = 3;

/// The block that lies on the board from the start: its position and its weight.
const FIRST_BLOCK: (i64, u8) = (-4, 3);

/// The loaded board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board {
    /// The weight at each position from the left end on, 0 where none lies.
    weights: [u8; PLACES],
    /// Who placed it.
    placed_by: [Option<Seat>; PLACES],
    torque: Torque,
}

/// A block on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) position: i64,
    pub(super) weight: u8,
    /// `None` for the block that was there from the start, and where it is not known.
    pub(super) placed_by: Option<Seat>,
}

/// The torques about both supports, in kg·m, counter-clockwise positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Torque {
    pub(super) left: i64,
    pub(super) right: i64,
}

impl Torque {
    /// Of the board alone.
    const OF_BOARD: Torque = Torque::of(OWN_WEIGHT, 0);

    /// Whether a board with these torques tips; exactly 0 stands.
    pub(super) fn tips(self) -> bool {
        self.left > 0 || self.right < 0
    }

    const fn of(weight: i64, position: i64) -> Torque {
        Torque { left: -weight * (position - SUPPORTS[0]), right: -weight * (position - SUPPORTS[1]) }
    }

    fn add(&mut self, weight: i64, position: i64) {
        let more = Torque::of(weight, position);
        self.left += more.left;
        self.right += more.right;
    }
}

impl Board {
    /// The board at the start of a match.
    pub(super) fn start() -> Board {
        let mut board = Board::empty();
        board.set(FIRST_BLOCK.0, FIRST_BLOCK.1, None);
        board
    }

    /// The board without any block; it would tip.
    pub(super) fn empty() -> Board {
        Board { weights: [0; PLACES], placed_by: [None; PLACES], torque: Torque::OF_BOARD }
    }

    /// The weight at a position, 0 where none lies; `None` outside the board.
    pub(super) fn at(&self, position: i64) -> Option<u8> {
        (-REACH..=REACH).contains(&position).then(|| self.weights[place(position)])
    }

    /// The weights, position -30 first.
    pub(super) fn weights(&self) -> &[u8; PLACES] {
        &self.weights
    }

    /// The torques as the board is loaded.
    pub(super) fn torque(&self) -> Torque {
        self.torque
    }

    /// The free positions, from the left.
    pub(super) fn free(&self) -> impl Iterator<Item = i64> {
        (-REACH..=REACH).filter(|&position| self.weights[place(position)] == 0)
    }

    /// The blocks, from the left.
    pub(super) fn blocks(&self) -> impl Iterator<Item = Block> {
        let block = |position| {
            let index = place(position);
            Block { position, weight: self.weights[index], placed_by: self.placed_by[index] }
        };
        (-REACH..=REACH).map(block).filter(|block| block.weight > 0)
    }

    /// Puts a block on a free position.
    pub(super) fn place(&mut self, position: i64, weight: u8, seat: Seat) {
        self.set(position, weight, Some(seat));
    }

    /// Puts a block that nobody is known to have placed on a free position.
    pub(super) fn set(&mut self, position: i64, weight: u8, placed_by: Option<Seat>) {
        let index = place(position);
        debug_assert_eq!(self.weights[index], 0, "a block is placed on a free position");
        self.weights[index] = weight;
        self.placed_by[index] = placed_by;
        self.torque.add(i64::from(weight), position);
    }

    /// Takes the block at a position off.
    pub(super) fn clear(&mut self, position: i64) {
        let index = place(position);
        self.torque.add(-i64::from(self.weights[index]), position);
        self.weights[index] = 0;
        self.placed_by[index] = None;
    }
}

fn place(position: i64) -> usize {
    usize::try_from(position + REACH).expect("a position is on the board")
}

/// The blocks that a seat still has: at most one of each weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hand(u32);

impl Hand {
    /// A hand without blocks.
    pub(super) const EMPTY: Hand = Hand(0);

    /// One block of each weight from 1 to `k`.
    pub(super) fn full(k: u8) -> Hand {
        Hand(((1 << k) - 1) << 1)
    }

    pub(super) fn is_empty(self) -> bool {
        self == Hand::EMPTY
    }

    pub(super) fn has(self, weight: u8) -> bool {
        weight < 32 && self.0 & (1 << weight) != 0
    }

    pub(super) fn take(&mut self, weight: u8) {
        self.0 &= !(1 << weight);
    }

    pub(super) fn put(&mut self, weight: u8) {
        self.0 |= 1 << weight;
    }

    /// The weights, lightest first.
    pub(super) fn weights(self) -> impl Iterator<Item = u8> {
        (0..32).filter(move |&weight| self.has(weight))
    }
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weights: Vec<String> = self.weights().map(|weight| weight.to_string()).collect();
        f.write_str(if weights.is_empty() { "none".to_string() } else { weights.join(", ") }.as_str())
    }
}
