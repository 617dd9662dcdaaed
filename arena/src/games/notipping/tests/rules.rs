//! What the rules allow, forbid, and make of a move.

use super::*;

#[test]
fn the_board_at_the_start_stands() {
    let start = started(15);
    assert_eq!(torques(&start), [-6, 6]);
    assert_eq!(blocks(&start), "3@-4");
    assert_eq!(start.status(), Status::ToMove(SEAT_0));
    assert_eq!(start.scores(), [0, 0]);
}

#[test]
fn a_torque_of_exactly_0_stands_and_one_more_tips() {
    for (ply, expected, stands) in [
        ("1@-9", [0, 14], true),
        ("1@-10", [1, 15], false),
        ("1@5", [-14, 0], true),
        ("1@6", [-15, -1], false),
        ("2@-6", [0, 16], true),
        ("2@-7", [2, 18], false),
    ] {
        let position = after(2, ply);
        assert_eq!(torques(&position), expected, "{ply}");
        assert_eq!(position.status() == Status::ToMove(SEAT_1), stands, "{ply}");
    }
}

#[test]
fn blocks_go_from_the_hand_to_the_board_and_then_off_it_in_turn() {
    let mut position = after(1, "1@-3");
    assert_eq!((position.phase(), position.status()), (Phase::Add, Status::ToMove(SEAT_1)));
    assert_eq!([position.hands[SEAT_0].to_string(), position.hands[SEAT_1].to_string()], ["none", "1"]);
    position = after(1, "1@-3 1@-2");
    assert_eq!((position.phase(), position.status()), (Phase::Remove, Status::ToMove(SEAT_0)), "seat 0 begins again");
    assert_eq!(blocks(&position), "3@-4 1@-3 1@-2");
    position = after(1, "1@-3 1@-2 -4");
    assert_eq!(blocks(&position), "1@-3 1@-2", "the first block may be taken off");
    assert_eq!((torques(&position), position.status()), ([-10, 0], Status::ToMove(SEAT_1)));
    assert_eq!(blocks(&after(1, "1@-3 1@-2 -2")), "3@-4 1@-3", "so may one that the opponent placed");
}

#[test]
fn who_tips_the_board_loses_and_the_detail_tells_how() {
    let about = |left: &str, right: &str| {
        format!("torque {left} about the left support (tips above 0), {right} about the right one (tips below 0)")
    };
    for (k, plies, winner, left_on_board, how) in [
        (
            1,
            "1@-10",
            SEAT_1,
            "1@-10 3@-4",
            format!("seat 0 placed 1 kg at -10 and the board tipped to the left: {}", about("+1", "+15")),
        ),
        (
            2,
            "1@-3 2@6",
            SEAT_0,
            "3@-4 1@-3 2@6",
            format!("seat 1 placed 2 kg at 6 and the board tipped to the right: {}", about("-24", "-6")),
        ),
        (
            1,
            "1@5 1@-3 -4",
            SEAT_1,
            "1@-3 1@5",
            format!("seat 0 took 3 kg off -4 and the board tipped to the right: {}", about("-17", "-7")),
        ),
        (
            1,
            "1@-3 1@-2 -4 -3",
            SEAT_0,
            "1@-2",
            format!("seat 1 took 1 kg off -3 and the board tipped to the right: {}", about("-10", "-2")),
        ),
    ] {
        let over = after(k, plies);
        let Status::Over(outcome) = over.status() else { panic!("{plies} tips") };
        assert_eq!(outcome.detail.as_deref(), Some(how.as_str()));
        assert_eq!((outcome.winner, outcome.turn_limit), (Some(winner), false));
        assert_eq!(over.scores(), if winner == SEAT_0 { [1, 0] } else { [0, 1] });
        assert_eq!(blocks(&over), left_on_board, "the block that tipped it is shown placed, or gone");
        assert_eq!(over.legal_moves(), Some(vec![]));
        assert!(over.check(&place(2, 0)).is_err() && over.check(&take(-4)).is_err());
    }
}

#[test]
fn the_last_placement_may_tip_too() {
    let over = after(1, "1@-3 1@30");
    let Status::Over(outcome) = over.status() else { panic!("it tips") };
    assert_eq!(outcome.winner, Some(SEAT_0));
    assert!(outcome.detail.expect("it says how").starts_with("seat 1 placed 1 kg at 30"));
}

#[test]
fn each_broken_rule_of_placing_is_named_for_either_seat() {
    for (plies, seat, hand) in [("", SEAT_0, "1, 2"), ("2@-3", SEAT_1, "1, 2"), ("2@-3 1@-2", SEAT_0, "1")] {
        let position = after(2, plies);
        let refused = |mv: Move| position.check(&mv).expect_err("it is refused").0;
        for weight in [3, 0, -1, i64::MAX, i64::MIN, 257] {
            let why = format!("no block of {weight} kg is in the hand of seat {seat}: it has {hand}");
            assert_eq!(refused(place(weight, 0)), why);
        }
        assert_eq!(refused(place(1, -4)), "position -4 is occupied by a block of 3 kg");
        for outside in [31, -31, i64::MAX, i64::MIN] {
            assert_eq!(refused(place(1, outside)), format!("position {outside} is outside the board, from -30 to 30"));
        }
        let why = refused(take(0));
        assert!(why.contains("names no `weight`") && why.contains(&format!("one of {hand}, ")), "{why}");
        assert!(refused(Move::Pass).contains("no passing"));
    }
    let why = after(2, "2@-3 1@-2").check(&place(2, 0)).expect_err("it was placed").0;
    assert_eq!(why, "no block of 2 kg is in the hand of seat 0: it has 1");
}

#[test]
fn each_broken_rule_of_taking_off_is_named_for_either_seat() {
    for plies in ["1@-3 1@-2", "1@-3 1@-2 -2"] {
        let position = after(1, plies);
        let refused = |mv: Move| position.check(&mv).expect_err("it is refused").0;
        assert_eq!(refused(take(0)), "position 0 is empty: there is no block to take off");
        for outside in [31, -31, i64::MAX, i64::MIN] {
            assert_eq!(refused(take(outside)), format!("position {outside} is outside the board, from -30 to 30"));
        }
        assert!(refused(Move::Pass).contains("no passing"));
        assert_eq!(position.check(&place(99, -3)), Ok(()), "a weight is ignored here");
        let accepted = position.clone().apply(&place(99, -3)).accepted;
        assert_eq!(accepted, take(-3), "and is no part of the move as accepted");
    }
}

#[test]
fn a_forfeit_gives_the_winner_one_point_at_any_time() {
    for plies in ["", "1@-3", "1@-3 1@-2"] {
        let position = after(1, plies);
        assert_eq!([position.forfeit_scores(SEAT_0), position.forfeit_scores(SEAT_1)], [[0, 1], [1, 0]]);
        assert_eq!(position.scores(), [0, 0], "nobody has won yet");
    }
}

#[test]
fn random_play_places_as_far_left_as_stands_and_takes_off_what_does_not_tip() {
    let sampled = |position: &NoTipping| {
        let mut stream = Stream::new(1, "random play");
        let mut moves: Vec<String> =
            (0..300).map(|_| NoTipping::move_text(&position.sample_move(&mut stream))).collect();
        moves.sort();
        moves.dedup();
        moves
    };
    assert_eq!(sampled(&started(3)), ["1@-9", "2@-6", "3@-5"]);
    assert_eq!(sampled(&after(1, "1@-3 1@-2")), ["-2", "-3", "-4"]);
    assert_eq!(sampled(&after(1, "1@5 1@-3")), ["-3", "5"], "without the block at -4 the board tips");
    assert_eq!(sampled(&after(1, "1@-3 1@-2 -4")), ["-2", "-3"], "both tip, and one must be played");
}
