//! The board of Offset: piles, their owners, what combines with what. Knows neither whose turn it is nor JSON.

use super::moves::{Move, Step};
use crate::seat::{BySeat, Seat};

/// A seat's pair.
pub(super) type Pair = [i64; 2];

/// Cells row by row. A pile is kept as one byte: 0 for an empty cell, else 1 more than the exponent of its power of
/// two, so that a row of a board is compared with another in a few instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board {
    size: usize,
    piles: Vec<u8>,
    owners: Vec<Option<Seat>>,
    owned: BySeat<u32>,
}

impl Board {
    /// The starting board: one coin on each cell, owned by nobody.
    pub(super) fn full(size: usize) -> Board {
        Board { size, piles: vec![1; size * size], owners: vec![None; size * size], owned: BySeat([0, 0]) }
    }

    /// The board with these piles (0 or a power of two) and owners, row by row.
    pub(super) fn from_cells(size: usize, cells: impl IntoIterator<Item = (u32, Option<Seat>)>) -> Board {
        let mut board = Board { size, piles: Vec::new(), owners: Vec::new(), owned: BySeat([0, 0]) };
        for (pile, owner) in cells {
            debug_assert!(pile == 0 || pile.is_power_of_two(), "a pile is a power of two, not {pile}");
            board.piles.push(if pile == 0 { 0 } else { pile.ilog2() as u8 + 1 });
            board.owners.push(owner);
            if let Some(seat) = owner {
                board.owned[seat] += pile;
            }
        }
        assert_eq!(board.piles.len(), size * size, "a board is given whole");
        board
    }

    /// Cells a side.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Coins in the piles of each seat.
    pub(super) fn owned(&self) -> BySeat<u32> {
        self.owned
    }

    /// Each cell's pile and owner, row by row.
    pub(super) fn cells(&self) -> impl Iterator<Item = (u32, Option<Seat>)> {
        self.piles.iter().map(|&pile| coins(pile)).zip(self.owners.iter().copied())
    }

    /// Each cell's pile as it is kept, and its owner, a row at a time.
    pub(super) fn rows(&self) -> (impl Iterator<Item = &[u8]>, impl Iterator<Item = &[Option<Seat>]>) {
        (self.piles.chunks_exact(self.size), self.owners.chunks_exact(self.size))
    }

    /// How many coins lie on a cell of the board; 0 elsewhere.
    pub(super) fn pile(&self, cell: [i64; 2]) -> u32 {
        self.index(cell).map_or(0, |index| coins(self.piles[index]))
    }

    /// Where a cell (counted from 1) is kept; `None` off the board.
    pub(super) fn index(&self, [x, y]: [i64; 2]) -> Option<usize> {
        let (column, row) = (x.wrapping_sub(1) as u64, y.wrapping_sub(1) as u64);
        let size = self.size as u64;
        (column < size && row < size).then(|| (row * size + column) as usize)
    }

    /// Two cells of the board; `None` when one is off it.
    pub(super) fn step(&self, from: [i64; 2], to: [i64; 2]) -> Option<Step> {
        Some(Step {
            from: self.index(from)?,
            to: self.index(to)?,
            apart: [(to[0] - from[0]).abs(), (to[1] - from[1]).abs()],
        })
    }

    /// Whether a seat with this pair may combine these cells.
    pub(super) fn allows(&self, step: Step, pair: Pair) -> bool {
        let pile = self.piles[step.from];
        pile != 0 && pile == self.piles[step.to] && at_offset(step.apart, pair)
    }

    /// Combines two equal piles: `to` holds the sum and belongs to the mover, `from` becomes empty.
    pub(super) fn combine(&mut self, step: Step, mover: Seat) {
        let pile = coins(self.piles[step.from]);
        for cell in [step.from, step.to] {
            if let Some(owner) = self.owners[cell] {
                self.owned[owner] -= pile;
            }
        }
        self.owned[mover] += 2 * pile;
        self.piles[step.from] = 0;
        self.owners[step.from] = None;
        self.piles[step.to] += 1;
        self.owners[step.to] = Some(mover);
    }

    /// Whether a seat with this pair has a move. Who lies above whom does not matter here: half of the directions do.
    pub(super) fn has_move(&self, [p, q]: Pair) -> bool {
        [(p, q), (-p, q), (q, p), (-q, p)].into_iter().any(|(across, down)| self.has_equal(across, down as usize))
    }

    /// All moves of a seat with this pair: by `from`, then by `to`, each row by row from y = 1, x = 1 first.
    pub(super) fn moves(&self, [p, q]: Pair) -> Vec<Move> {
        let (small, large) = (p.min(q), p.max(q));
        let directions = [
            [-small, -large],
            [small, -large],
            [-large, -small],
            [large, -small],
            [-large, small],
            [large, small],
            [-small, large],
            [small, large],
        ];
        let mut moves = Vec::new();
        for (row, piles) in self.piles.chunks_exact(self.size).enumerate() {
            for (column, &pile) in piles.iter().enumerate().filter(|&(_, &pile)| pile != 0) {
                let from = [column as i64 + 1, row as i64 + 1];
                for [across, down] in directions {
                    let to = [from[0] + across, from[1] + down];
                    if self.index(to).is_some_and(|index| self.piles[index] == pile) {
                        moves.push(Move::Combine { from, to });
                    }
                }
            }
        }
        moves
    }

    /// Whether any pile is equal to the one so far across (to the right) and down from it.
    fn has_equal(&self, across: i64, down: usize) -> bool {
        let shift = across.unsigned_abs() as usize;
        let (upper_start, lower_start) = if across < 0 { (shift, 0) } else { (0, shift) };
        let width = self.size - shift;
        let rows = self.piles.chunks_exact(self.size);
        rows.clone().zip(rows.skip(down)).any(|(upper, lower)| {
            let upper = &upper[upper_start..upper_start + width];
            let lower = &lower[lower_start..lower_start + width];
            // No early exit within a row: so it is compared many cells at once.
            upper.iter().zip(lower).fold(false, |found, (a, b)| found | ((a == b) & (*a != 0)))
        })
    }
}

/// Whether two cells so far apart (both from 0) lie at this pair's offset.
pub(super) fn at_offset(apart: [i64; 2], [p, q]: Pair) -> bool {
    apart == [p, q] || apart == [q, p]
}

/// How many coins a kept pile has.
pub(super) fn coins(pile: u8) -> u32 {
    (1 << pile) >> 1
}
