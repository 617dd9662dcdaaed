//! Discs as sets of bits, and the two questions that Othello asks of them: where can a side move, what does a move flip.
//! Knows no seats, no names of squares and no JSON.
//!
//! A row takes [`Word::STRIDE`] bits, column a the lowest of them: 8 in 64 bits (sizes up to 8, smaller boards lie in
//! the corner of the larger), 11 in 128 bits (size 10).

use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

/// A square board, its sets of squares kept in 128 bits whatever its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    size: u32,
    squares: u128,
}

impl Grid {
    /// The board with `size` rows and columns, at most 10.
    pub(super) fn new(size: u32) -> Grid {
        let mut grid = Grid { size, squares: 0 };
        for row in 0..size {
            for column in 0..size {
                grid.squares |= grid.bit(column, row);
            }
        }
        grid
    }

    /// How many rows and columns there are.
    pub(super) fn size(self) -> u32 {
        self.size
    }

    /// How many squares there are.
    pub(super) fn squares(self) -> u32 {
        self.size * self.size
    }

    /// The set of one square; both numbers from 0.
    pub(super) fn bit(self, column: u32, row: u32) -> u128 {
        1 << (row * self.stride() + column)
    }

    /// Column and row of each square of a set, from the top row down, left to right.
    pub(super) fn each(self, mut set: u128) -> impl Iterator<Item = (u32, u32)> {
        std::iter::from_fn(move || {
            let at = set.trailing_zeros();
            set &= set.wrapping_sub(1);
            (at < u128::BITS).then(|| (at % self.stride(), at / self.stride()))
        })
    }

    /// The squares that the owner of `own` can move to.
    pub(super) fn moves(self, own: u128, other: u128) -> u128 {
        if self.is_small() {
            moves(own as u64, other as u64, self.squares as u64).into()
        } else {
            moves(own, other, self.squares)
        }
    }

    /// The discs of `other` that a disc on the one square of `at` turns over.
    pub(super) fn flips(self, at: u128, own: u128, other: u128) -> u128 {
        if self.is_small() { flips(at as u64, own as u64, other as u64).into() } else { flips(at, own, other) }
    }

    /// How many sequences of `depth` plies there are, the owner of `own` moving first.
    pub(super) fn perft(self, own: u128, other: u128, depth: u32) -> u64 {
        if depth == 0 {
            1
        } else if self.is_small() {
            perft(own as u64, other as u64, self.squares as u64, depth)
        } else {
            perft(own, other, self.squares, depth)
        }
    }

    fn is_small(self) -> bool {
        self.size <= u64::STRIDE
    }

    fn stride(self) -> u32 {
        if self.is_small() { u64::STRIDE } else { u128::STRIDE }
    }
}

/// Bits enough for a board.
trait Word:
    Copy
    + PartialEq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    const ZERO: Self;
    /// Bits a row.
    const STRIDE: u32;
    /// All but the first and the last bit of each row: what a line that is not vertical may pass through, so that
    /// none goes over an edge and on at the other side.
    const INNER: Self;
    /// How often two more discs are added to a line of two, until the longest there can be is whole.
    const PAIRS: u32;

    fn count(self) -> u32;
    /// The lowest bit alone, and the others.
    fn split(self) -> (Self, Self);
}

macro_rules! word {
    ($type:ty, stride $stride:literal, pairs $pairs:literal) => {
        impl Word for $type {
            const ZERO: Self = 0;
            const STRIDE: u32 = $stride;
            const INNER: Self = {
                let row: $type = (1 << ($stride - 1)) - 2;
                let mut all = 0;
                let mut at = 0;
                while at + $stride <= <$type>::BITS {
                    all |= row << at;
                    at += $stride;
                }
                all
            };
            const PAIRS: u32 = $pairs;

            fn count(self) -> u32 {
                self.count_ones()
            }

            fn split(self) -> (Self, Self) {
                let rest = self & self.wrapping_sub(1);
                (self ^ rest, rest)
            }
        }
    };
}

word!(u64, stride 8, pairs 2);
word!(u128, stride 11, pairs 3);

#[inline(always)]
fn moves<W: Word>(own: W, other: W, squares: W) -> W {
    let inner = other & W::INNER;
    let ends = ends_both_ways(own, inner, 1)
        | ends_both_ways(own, other, W::STRIDE)
        | ends_both_ways(own, inner, W::STRIDE - 1)
        | ends_both_ways(own, inner, W::STRIDE + 1);
    ends & squares & !(own | other)
}

#[inline(always)]
fn ends_both_ways<W: Word>(own: W, through: W, step: u32) -> W {
    (line(own, through, |set, steps| set << (step * steps)) << step)
        | (line(own, through, |set, steps| set >> (step * steps)) >> step)
}

#[inline(always)]
fn flips<W: Word>(at: W, own: W, other: W) -> W {
    let inner = other & W::INNER;
    trapped_both_ways(at, own, inner, 1)
        | trapped_both_ways(at, own, other, W::STRIDE)
        | trapped_both_ways(at, own, inner, W::STRIDE - 1)
        | trapped_both_ways(at, own, inner, W::STRIDE + 1)
}

#[inline(always)]
fn trapped_both_ways<W: Word>(at: W, own: W, through: W, step: u32) -> W {
    let up = line(at, through, |set, steps| set << (step * steps));
    let down = line(at, through, |set, steps| set >> (step * steps));
    let up = if (up << step) & own == W::ZERO { W::ZERO } else { up };
    let down = if (down >> step) & own == W::ZERO { W::ZERO } else { down };
    up | down
}

/// The squares of `through` that lie in unbroken lines beside `from`, in the one direction of `shift`.
#[inline(always)]
fn line<W: Word>(from: W, through: W, shift: impl Fn(W, u32) -> W) -> W {
    let mut line = through & shift(from, 1);
    line = line | (through & shift(line, 1));
    let pairs = through & shift(through, 1);
    for _ in 0..W::PAIRS {
        line = line | (pairs & shift(line, 2));
    }
    line
}

/// `depth` is at least 1. The last ply is counted, not played; a pass or a finished game is one sequence.
fn perft<W: Word>(own: W, other: W, squares: W, depth: u32) -> u64 {
    let mut left = moves(own, other, squares);
    if left == W::ZERO {
        let passes = depth > 1 && moves(other, own, squares) != W::ZERO;
        return if passes { perft(other, own, squares, depth - 1) } else { 1 };
    }
    if depth == 1 {
        return left.count().into();
    }
    let mut sequences = 0;
    while left != W::ZERO {
        let (at, rest) = left.split();
        left = rest;
        let flipped = flips(at, own, other);
        sequences += perft(other & !flipped, own | flipped | at, squares, depth - 1);
    }
    sequences
}
