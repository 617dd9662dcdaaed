//! Laws and figures: what always holds, how many sequences of moves there are, who wins, one whole match on record.

use super::*;
use crate::game::perft;
use crate::games::playthrough::{assert_golden, playthrough};
use std::collections::HashMap;

/// The rules once more, as plainly as can be: lists of weights and places, all torques summed anew.
#[derive(Clone)]
struct Plain {
    board: Vec<(i64, i64)>,
    hands: [Vec<i64>; 2],
}

impl Plain {
    fn start(k: i64) -> Plain {
        Plain { board: vec![(3, -4)], hands: [(1..=k).collect(), (1..=k).collect()] }
    }

    fn tips(&self) -> bool {
        let about = |support: i64| self.board.iter().chain([&(3, 0)]).map(|(w, x)| -w * (x - support)).sum::<i64>();
        about(-3) > 0 || about(-1) < 0
    }

    fn after_each_move(&self, seat: usize) -> Vec<Plain> {
        let mut after = Vec::new();
        for &weight in &self.hands[seat] {
            for x in (-30..=30).filter(|x| self.board.iter().all(|(_, taken)| taken != x)) {
                let mut next = self.clone();
                next.hands[seat].retain(|held| *held != weight);
                next.board.push((weight, x));
                after.push(next);
            }
        }
        if self.hands.iter().all(Vec::is_empty) {
            for index in 0..self.board.len() {
                let mut next = self.clone();
                next.board.remove(index);
                after.push(next);
            }
        }
        after
    }

    fn perft(&self, seat: usize, depth: u32) -> u64 {
        if depth == 0 || self.tips() {
            return 1;
        }
        self.after_each_move(seat).iter().map(|next| next.perft(1 - seat, depth - 1)).sum()
    }
}

#[test]
fn move_sequences_are_as_many_as_on_record() {
    for (k, counts) in PERFT {
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&started(k), depth), count, "k {k}, depth {depth}");
            assert_eq!(Plain::start(i64::from(k)).perft(0, depth), count, "counted plainly: k {k}, depth {depth}");
        }
    }
}

const PERFT: [(u8, &[u64]); 3] =
    [(1, &[60, 872, 1_306, 1_773, 1_773, 1_773]), (2, &[120, 2_694, 33_987]), (15, &[900, 60_128])];

#[test]
fn first_placements_that_do_not_tip_are_those_on_record() {
    for weight in 1..=24 {
        let start = started(24);
        let good: Vec<i64> = (-30..=30).filter(|&x| x != -4 && !start.tips(&place(weight, x))).collect();
        let expected: Vec<i64> = match weight {
            1 => (-9..=5).filter(|x| *x != -4).collect(),
            2 => (-6..=2).filter(|x| *x != -4).collect(),
            3 => (-5..=1).filter(|x| *x != -4).collect(),
            4..=6 => vec![-3, -2, -1, 0],
            _ => vec![-3, -2, -1],
        };
        assert_eq!(good, expected, "{weight} kg");
    }
}

/// Whether the seat to move wins, by trying everything.
fn wins(position: &NoTipping, known: &mut HashMap<Vec<u8>, bool>) -> bool {
    let hands = position.hands.0.into_iter().flat_map(|hand| hand.weights().chain([0]));
    let key: Vec<u8> =
        position.board.weights().iter().copied().chain(hands).chain([position.to_move.index() as u8]).collect();
    if let Some(&answer) = known.get(&key) {
        return answer;
    }
    let wins = position.opening_moves().iter().any(|mv| {
        let mut next = position.clone();
        next.apply(mv);
        !wins(&next, known)
    });
    known.insert(key, wins);
    wins
}

#[test]
fn perfect_play_loses_for_the_first_player_with_up_to_three_blocks() {
    for k in 1..=3 {
        assert!(!wins(&started(k), &mut HashMap::new()), "k {k}");
    }
}

#[test]
fn every_match_is_won_and_ends_within_its_length() {
    for (k, seed) in (1..=24).zip(0..) {
        let positions = careful_match(k, seed);
        let k = usize::from(k);
        let last = positions.last().expect("a match has a position");
        let Status::Over(outcome) = last.status() else { panic!("a match ends") };
        assert!(outcome.winner.is_some() && outcome.detail.is_some());
        assert_eq!(last.scores().iter().sum::<i64>(), 1);
        let removals = positions.iter().filter(|position| position.phase() == Phase::Remove).count().saturating_sub(1);
        assert!(removals <= 2 * k + 1 && positions.len() - 1 <= 4 * k + 1, "k {k}: {removals} removals");
    }
}

#[test]
fn the_empty_board_tips() {
    let over = after(1, "1@-3 1@-2 -4");
    assert!(over.opening_moves().is_empty(), "with two blocks left every removal tips here");
    let mut bare = Plain::start(0);
    bare.board.clear();
    assert!(bare.tips());
    assert!(super::super::board::Board::empty().torque().tips());
}

#[test]
fn listed_moves_are_those_that_are_checked_in_the_stated_order() {
    for (k, seed) in [(1, 0), (3, 1), (8, 2)] {
        for position in careful_match(k, seed) {
            let weights = (0..=i64::from(k) + 1).map(Some);
            let all: Vec<Move> = match position.phase() {
                Phase::Add => {
                    weights.flat_map(|weight| (-31..=31).map(move |x| Move::Block { weight, position: x })).collect()
                }
                Phase::Remove => (-31..=31).map(take).collect(),
            };
            let allowed: Vec<Move> = all.into_iter().filter(|mv| position.check(mv).is_ok()).collect();
            assert_eq!(position.legal_moves(), Some(allowed.clone()), "{}", state(&position));
            assert_eq!(matches!(position.status(), Status::ToMove(_)), !allowed.is_empty());
            let standing: Vec<Move> = allowed
                .into_iter()
                .filter(|mv| {
                    let mut next = position.clone();
                    next.apply(mv);
                    matches!(next.status(), Status::ToMove(_))
                })
                .collect();
            assert_eq!(position.opening_moves(), standing);
        }
    }
}

#[test]
fn torques_are_those_of_all_blocks_summed_anew() {
    for position in careful_match(15, 9) {
        let sum = |support: i64| {
            let blocks = position.board.blocks().map(|block| (i64::from(block.weight), block.position));
            blocks.chain([(3, 0)]).map(|(weight, x)| -weight * (x - support)).sum::<i64>()
        };
        assert_eq!(torques(&position), [sum(-3), sum(-1)]);
    }
}

#[test]
fn a_whole_match_is_as_on_record() {
    assert_golden(&playthrough("notipping", r#"{"k":2,"opening":2}"#, 2498), include_str!("playthrough.txt"));
}
