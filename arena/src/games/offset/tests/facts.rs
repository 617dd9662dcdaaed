//! Laws and figures: what always holds, how many sequences of moves there are, one whole match on record.

use super::*;
use crate::game::perft;
use crate::games::playthrough::{assert_golden, playthrough};

/// The rules once more, as plainly as can be: a map of all pairs of cells, for small boards.
#[derive(Clone)]
struct Plain {
    size: i64,
    piles: Vec<Vec<u64>>,
    pairs: [[i64; 2]; 2],
}

impl Plain {
    fn start(size: i64, pairs: [[i64; 2]; 2]) -> Plain {
        Plain { size, piles: vec![vec![1; size as usize]; size as usize], pairs }
    }

    /// Every move of a seat: by `from`, then `to`, row by row.
    fn moves(&self, seat: usize) -> Vec<[i64; 4]> {
        let cells = || (1..=self.size).flat_map(|y| (1..=self.size).map(move |x| (x, y)));
        let mut moves = Vec::new();
        for (x, y) in cells() {
            for (to_x, to_y) in cells() {
                let [p, q] = self.pairs[seat];
                let (dx, dy) = (x - to_x, y - to_y);
                let apart = dx * dx == p * p && dy * dy == q * q || dx * dx == q * q && dy * dy == p * p;
                if apart && self.pile(x, y) > 0 && self.pile(x, y) == self.pile(to_x, to_y) {
                    moves.push([x, y, to_x, to_y]);
                }
            }
        }
        moves
    }

    fn pile(&self, x: i64, y: i64) -> u64 {
        self.piles[y as usize - 1][x as usize - 1]
    }

    fn perft(&self, seat: usize, depth: u32) -> u64 {
        let moves = self.moves(seat);
        if depth == 0 {
            1
        } else if !moves.is_empty() {
            let after = |&[x, y, to_x, to_y]: &[i64; 4]| {
                let mut next = self.clone();
                next.piles[y as usize - 1][x as usize - 1] = 0;
                next.piles[to_y as usize - 1][to_x as usize - 1] *= 2;
                next.perft(1 - seat, depth - 1)
            };
            moves.iter().map(after).sum()
        } else if self.moves(1 - seat).is_empty() {
            1
        } else {
            self.perft(1 - seat, depth - 1)
        }
    }
}

#[test]
fn move_sequences_are_as_many_as_on_record() {
    for (size, pairs, counts) in PERFT {
        let [[p, q], [r, s]] = pairs;
        let text = format!(r#"{{"size":{size},"d":{},"offsets":[[{p},{q}],[{r},{s}]]}}"#, p + q);
        let (start, plain) = (started(&text, 1), Plain::start(size, pairs));
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft(&start, depth), count, "size {size}, {pairs:?}, depth {depth}");
            assert_eq!(plain.perft(0, depth), count, "counted plainly: size {size}, {pairs:?}, depth {depth}");
        }
    }
}

const PERFT: [(i64, [[i64; 2]; 2], [u64; 3]); 3] = [
    (5, [[1, 4], [2, 3]], [32, 1_280, 27_264]),
    (5, [[2, 3], [1, 4]], [48, 1_280, 44_160]),
    (6, [[2, 5], [3, 4]], [32, 1_344, 31_440]),
];

/// Near the end seats pass, and matches end within the count.
#[test]
fn move_sequences_to_the_end_are_as_many_as_counted_plainly() {
    for seed in 0..10 {
        let positions = random_match(started(r#"{"size":5,"d":5}"#, seed), seed);
        let late = &positions[positions.len().saturating_sub(5)];
        let plain = Plain {
            size: 5,
            piles: late
                .board
                .cells()
                .map(|(pile, _)| u64::from(pile))
                .collect::<Vec<_>>()
                .chunks(5)
                .map(Vec::from)
                .collect(),
            pairs: late.offsets.0,
        };
        for depth in [2, 9] {
            let counted = plain.perft(late.to_move.index(), depth);
            assert_eq!(perft(late, depth), counted, "seed {seed}, depth {depth}:\n{}", picture(late));
        }
    }
}

#[test]
fn listed_moves_are_those_that_are_checked_in_the_stated_order() {
    for seed in 0..4 {
        for position in random_match(started(r#"{"size":6,"d":6}"#, seed), seed) {
            let cells = || (0..=7).flat_map(|y| (0..=7).map(move |x| [x, y]));
            let all = cells().flat_map(|from| cells().map(move |to| combine(from, to)));
            let allowed: Vec<Move> = all.filter(|mv| position.check(mv).is_ok()).collect();
            assert_eq!(position.legal_moves(), Some(allowed.clone()), "{}", picture(&position));
            assert_eq!(matches!(position.status(), Status::ToMove(_)), !allowed.is_empty(), "{}", picture(&position));
        }
    }
}

#[test]
fn coins_are_never_lost_and_every_match_ends_in_time() {
    for (text, seed) in [(r#"{"size":5,"d":5}"#, 0), (r#"{"size":9,"d":8}"#, 1), (r#"{"size":16,"d":27}"#, 2)] {
        let positions = random_match(started(text, seed), seed);
        for position in &positions {
            let size = position.board.size() as i64;
            let (mut total, mut owned) = (0, [0; 2]);
            for (pile, owner) in position.board.cells() {
                assert!(pile == 0 || pile.is_power_of_two(), "a pile of {pile}");
                assert_eq!(owner.is_some(), pile >= 2, "a pile of {pile} of {owner:?}");
                total += i64::from(pile);
                owner.into_iter().for_each(|seat| owned[seat.index()] += i64::from(pile));
            }
            assert_eq!(total, size * size);
            assert_eq!(position.scores(), owned);
        }
        let size = positions[0].board.size();
        let plies = positions.windows(2).filter(|pair| pair[0].board != pair[1].board).count();
        assert!(plies < size * size, "{plies} combinations on a board of size {size}");
    }
}

#[test]
fn a_whole_match_is_as_on_record() {
    let golden = include_str!("playthrough.txt");
    assert_golden(&playthrough("offset", r#"{"size":6,"d":6,"opening":2}"#, 93), golden);
}
