//! What the rules allow, forbid, and make of a move.

use super::*;
use crate::game::{Illegal, Outcome};

/// For both seats: `from` [1,1] and `to` [2,5] for seat 0, [3,4] for seat 1.
#[track_caller]
fn becomes(mover: Seat, before: &str, to: [i64; 2], after: &str, scores: [i64; 2]) {
    let mut played = position(before, mover);
    let mv = combine([1, 1], to);
    assert_eq!(played.check(&mv), Ok(()));
    assert_eq!(played.apply(&mv).accepted, mv);
    assert_eq!(picture(&played), picture(&position(after, mover)));
    assert_eq!(played.scores(), scores);
}

#[test]
fn single_coins_become_a_pile_of_two_that_the_mover_owns() {
    let before = "1 1 1 1 1
                  1 1 1 1 1
                  1 1 1 1 1
                  1 1 1 1 1
                  1 1 1 1 1";
    becomes(
        SEAT_0,
        before,
        [2, 5],
        ". 1 1 1 1
         1 1 1 1 1
         1 1 1 1 1
         1 1 1 1 1
         1 2a 1 1 1",
        [2, 0],
    );
    becomes(
        SEAT_1,
        before,
        [3, 4],
        ". 1 1 1 1
         1 1 1 1 1
         1 1 1 1 1
         1 1 2b 1 1
         1 1 1 1 1",
        [0, 2],
    );
}

#[test]
fn whose_the_piles_were_does_not_matter() {
    for (piles, mover, scores) in [
        (["4a", "4b"], SEAT_0, [8, 0]),
        (["4b", "4b"], SEAT_0, [8, 0]),
        (["4a", "4a"], SEAT_1, [0, 8]),
        (["4b", "4a"], SEAT_1, [0, 8]),
    ] {
        let [from, to] = piles;
        let (cell, at_0, at_1) = if mover == SEAT_0 { ([2, 5], to, ".") } else { ([3, 4], ".", to) };
        let before = format!("{from} . . . .  . . . . .  . . . . .  . . {at_1} . .  . {at_0} . . .");
        let sum = if mover == SEAT_0 { "8a" } else { "8b" };
        let (at_0, at_1) = if mover == SEAT_0 { (sum, ".") } else { (".", sum) };
        let after = format!(". . . . .  . . . . .  . . . . .  . . {at_1} . .  . {at_0} . . .");
        becomes(mover, &before, cell, &after, scores);
    }
}

#[test]
fn every_direction_of_the_pair_is_allowed_and_no_other_distance() {
    let full = started(r#"{"size":15,"d":5,"offsets":[[1,4],[2,3]]}"#, 1);
    for to_move in Seat::BOTH {
        let full = Offset::new(full.board.clone(), full.offsets, to_move);
        for across in -7..=7_i64 {
            for down in -7..=7_i64 {
                let apart = [across.abs().min(down.abs()), across.abs().max(down.abs())];
                let allowed = apart == full.offsets[to_move];
                let checked = full.check(&combine([8, 8], [8 + across, 8 + down]));
                assert_eq!(checked.is_ok(), allowed, "seat {to_move}, {across} across, {down} down: {checked:?}");
            }
        }
    }
}

#[test]
fn each_broken_rule_is_named_for_either_seat() {
    let board = ". 1 1 1 1
                 1 1 1 1 2a
                 1 1 1 1 1
                 1 1 1 1 1
                 1 1 1 1 1";
    let refused = |seat: Seat, from: [i64; 2], to: [i64; 2]| match position(board, seat).check(&combine(from, to)) {
        Err(Illegal(why)) => why,
        Ok(()) => panic!("seat {seat} may combine {from:?} and {to:?}"),
    };
    for seat in Seat::BOTH {
        let off = "is off the board: x and y go from 1 to 5";
        assert_eq!(refused(seat, [0, 1], [1, 5]), format!("`from` [0,1] {off}"));
        assert_eq!(refused(seat, [2, 2], [6, 3]), format!("`to` [6,3] {off}"));
        assert_eq!(refused(seat, [2, 2], [i64::MIN, i64::MAX]), format!("`to` [{},{}] {off}", i64::MIN, i64::MAX));
    }
    assert_eq!(
        refused(SEAT_0, [2, 1], [4, 4]),
        "[2,1] and [4,4] lie 2 across and 3 down from each other, but the pair of seat 0 is [1,4]: the two cells must lie \
         1 and 4 apart, either way round"
    );
    assert_eq!(
        refused(SEAT_1, [2, 1], [1, 5]),
        "[2,1] and [1,5] lie 1 across and 4 down from each other, but the pair of seat 1 is [2,3]: the two cells must lie \
         2 and 3 apart, either way round"
    );
    assert!(refused(SEAT_0, [2, 2], [2, 2]).contains("lie 0 across and 0 down"), "a cell does not combine with itself");
    for (seat, cell) in [(SEAT_0, [2, 5]), (SEAT_1, [3, 4])] {
        assert_eq!(refused(seat, [1, 1], cell), "`from` [1,1] is empty: both cells must hold coins");
        assert_eq!(refused(seat, cell, [1, 1]), "`to` [1,1] is empty: both cells must hold coins");
    }
    assert_eq!(refused(SEAT_0, [5, 2], [1, 1]), "`to` [1,1] is empty: both cells must hold coins");
    for (seat, cell) in [(SEAT_0, [1, 3]), (SEAT_1, [2, 4])] {
        let [x, y] = cell;
        let words = "only piles of the same number combine";
        assert_eq!(refused(seat, [5, 2], cell), format!("[5,2] holds 2 and [{x},{y}] holds 1: {words}"));
        assert_eq!(refused(seat, cell, [5, 2]), format!("[{x},{y}] holds 1 and [5,2] holds 2: {words}"));
    }
}

#[test]
fn two_empty_cells_do_not_combine() {
    let board = "1 . . . 1  . . . . .  . . . . .  . . . . .  . . . . .";
    let why = position(board, SEAT_0).check(&combine([2, 1], [1, 5])).expect_err("both are empty");
    assert_eq!(why.0, "`from` [2,1] is empty: both cells must hold coins");
}

#[test]
fn passing_with_a_move_at_hand_is_illegal_for_either_seat() {
    let board = "1 . . . .  . . . . .  . . . . .  . . 1 . .  . 1 . . .";
    for (seat, example) in [(SEAT_0, "(1,1)>(2,5)"), (SEAT_1, "(1,1)>(3,4)")] {
        let why = position(board, seat).check(&Move::Pass).expect_err("there is a move").0;
        assert!(why.starts_with(&format!("passing with a move at hand, {example} for instance")), "{why}");
    }
}

#[test]
fn a_seat_without_a_move_is_passed_over_while_the_other_has_one() {
    let only_seat_0 = "1 . . . .  . . . . .  . . . . .  . . . . .  . 1 . . .";
    let only_seat_1 = "1 . . . .  . . . . .  . . . . .  . . 1 . .  . . . . .";
    for (board, has, has_not) in [(only_seat_0, SEAT_0, SEAT_1), (only_seat_1, SEAT_1, SEAT_0)] {
        assert_eq!(position(board, has).status(), Status::ToMove(has));
        let mut passed = position(board, has_not);
        assert_eq!(passed.status(), Status::MustPass(has_not));
        assert_eq!(passed.legal_moves(), Some(vec![]));
        passed.pass();
        assert_eq!(passed.status(), Status::ToMove(has));
    }
}

#[test]
fn a_match_is_over_when_neither_seat_has_a_move_and_coins_decide() {
    for (board, winner, scores) in [
        ("4a 1 . . .  . . . . .  . . 2b . .  . . . . .  . . . . .", Some(SEAT_0), [4, 2]),
        ("4a 1 . . .  . . . . .  . . 8b . .  . . . . .  . . . . .", Some(SEAT_1), [4, 8]),
        ("4a 1 . . .  . . . . .  . . 4b . .  . . . . .  . . . . .", None, [4, 4]),
        ("2b 1 2a . .  . . . . .  . . 4b . .  . 4a . . .  . . . . .", None, [6, 6]),
    ] {
        for seat in Seat::BOTH {
            let over = position(board, seat);
            assert_eq!(over.status(), Status::Over(Outcome { winner, turn_limit: false, detail: None }), "{board}");
            assert_eq!(over.scores(), scores);
            assert_eq!(over.legal_moves(), Some(vec![]));
            assert!(over.check(&Move::Pass).is_err() && over.check(&combine([1, 1], [2, 5])).is_err());
        }
    }
}

#[test]
fn a_forfeit_leaves_the_scores_of_the_position() {
    let board = position("4a 1 . . .  . . . . .  . . 2b . .  . . . . .  1 . . . .", SEAT_0);
    assert_eq!([board.forfeit_scores(SEAT_0), board.forfeit_scores(SEAT_1)], [[4, 2], [4, 2]]);
}
