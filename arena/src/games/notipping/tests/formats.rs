//! Parameters, and how moves and states are read and written.

use super::*;
use crate::games;
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("the test's JSON")
}

#[test]
fn k_is_from_1_to_24() {
    let game = games::find("notipping").expect("No Tipping is listed");
    for given in [r#"{"k":0}"#, r#"{"k":25}"#, r#"{"k":"15"}"#, r#"{"k":1.5}"#] {
        let why = game.start(&params(given), 1).err().unwrap_or_else(|| panic!("{given} is refused")).0;
        assert!(why.contains("`k` is") && why.contains("must be a whole number from 1 to 24"), "{given}: {why}");
    }
    let complete = |given: &str| Value::from(game.start(&params(given), 1).expect("allowed").params).to_string();
    assert_eq!(complete("{}"), r#"{"k":15,"opening":0}"#);
    assert_eq!(started(24).hands[SEAT_1].weights().map(i64::from).sum::<i64>(), 300);
}

#[test]
fn an_opening_never_tips_even_over_both_phases() {
    let game = games::find("notipping").expect("No Tipping is listed");
    for seed in 0..20 {
        for given in [r#"{"k":15,"opening":20}"#, r#"{"k":3,"opening":8}"#] {
            let started = game.start(&params(given), seed).expect("an opening is found");
            assert_eq!(started.position.status(), Status::ToMove(SEAT_0), "{given}, seed {seed}");
            assert_eq!(started.position.scores(), [0, 0]);
        }
    }
    let why = game.start(&params(r#"{"k":1,"opening":6}"#), 1).err().expect("no match is that long").0;
    assert!(why.contains("no opening of 6 plies was found") && why.contains("shorter `opening`"), "{why}");
}

#[test]
fn moves_read_back_as_written() {
    let (adding, removing) = (started(15), after(1, "1@-3 1@-2"));
    for (position, text, mv) in [
        (&adding, r#"{"weight":7,"position":-3}"#, place(7, -3)),
        (&adding, r#"{"weight":-9223372036854775808,"position":9223372036854775807}"#, place(i64::MIN, i64::MAX)),
        (&removing, r#"{"position":-4}"#, take(-4)),
        (&adding, "null", Move::Pass),
        (&removing, "null", Move::Pass),
    ] {
        assert_eq!(position.read_move(&json(text)), Ok(mv.clone()));
        let mut written = Vec::new();
        NoTipping::write_move(&mv, &mut written);
        assert_eq!(String::from_utf8(written).as_deref(), Ok(text));
    }
    for (position, text, mv) in [
        (&adding, r#"{"position":-3,"why":"best","weight":7}"#, place(7, -3)),
        (&removing, r#"{"weight":null,"position":-4}"#, take(-4)),
        (&removing, r#"{"position":-0}"#, take(0)),
    ] {
        assert_eq!(position.read_move(&json(text)), Ok(mv), "{text}");
    }
}

#[test]
fn a_placement_without_its_weight_is_no_move() {
    for text in [r#"{"position":-3}"#, r#"{"weight":null,"position":-3}"#] {
        let why = started(15).read_move(&json(text)).expect_err(text).0;
        assert!(why.contains("names no `weight`") && why.contains(r#"{"weight":W,"position":P}"#), "{why}");
    }
}

#[test]
fn what_is_no_move_is_told_with_what_came_and_what_is_expected() {
    let expected =
        r#"{"weight":W,"position":P} in phase add, {"position":P} in phase remove, with whole numbers, is expected"#;
    for (text, words) in [
        ("7", "the move is the number 7: "),
        ("\"7 -3\"", "the move is the text \"7 -3\": "),
        ("[7,-3]", "the move is the list [7,-3]: "),
        ("{}", "the move is empty, `position` is missing: "),
        (r#"{"weight":7}"#, "the move has only `weight`, `position` is missing: "),
        (r#"{"weight":7,"pos":-3}"#, "the move has only `weight`, `pos`, `position` is missing: "),
    ] {
        assert_eq!(started(15).read_move(&json(text)).expect_err(text).0, format!("{words}{expected}"));
    }
    for (text, words) in [
        (r#"{"weight":7,"position":null}"#, "`position` is null, which is no number"),
        (r#"{"weight":7,"position":"-3"}"#, "`position` is the text \"-3\", which is no number"),
        (r#"{"weight":7,"position":-3.5}"#, "`position` is the number -3.5, which has a fraction"),
        (r#"{"weight":"7","position":-3}"#, "`weight` is the text \"7\", which is no number"),
        (r#"{"weight":7.0,"position":-3}"#, "`weight` is the number 7.0, which has a fraction"),
        (r#"{"weight":1e400,"position":-3}"#, "number out of range"),
        (r#"{"weight":18446744073709551616,"position":-3}"#, "which does not fit in 64 bits"),
    ] {
        let why = match serde_json::from_str(text) {
            Ok(value) => started(15).read_move(&value).expect_err(text).0,
            Err(broken) => broken.to_string(),
        };
        assert!(why.contains(words), "{text}: {why}");
    }
}

#[test]
fn people_may_type_moves_in_many_ways() {
    let (adding, removing) = (started(7), after(1, "1@-3 1@-2"));
    for text in ["7 -3", "7@-3", "7 @ -3", "7,-3", "7 \u{2212}3", r#"{"weight":7,"position":-3}"#] {
        assert_eq!(adding.read_typed(text), Ok(place(7, -3)), "{text}");
    }
    for text in ["-4", " -4 ", "@-4", r#"{"position":-4}"#] {
        assert_eq!(removing.read_typed(text), Ok(take(-4)), "{text}");
    }
    for text in ["", "7", "7 -3 1", "seven"] {
        let why = adding.read_typed(text).expect_err(text).0;
        assert!(why.contains("a block's weight and its position: 7 -3"), "{why}");
    }
    for text in ["", "7 -3", "x"] {
        let why = removing.read_typed(text).expect_err(text).0;
        assert!(why.contains("the position of the block to take off: -4"), "{why}");
    }
    assert_eq!([NoTipping::move_text(&place(7, -3)), NoTipping::move_text(&take(-4))], ["7@-3", "-4"]);
}

#[test]
fn a_state_reads_back_as_the_same_position() {
    for (k, seed) in [(1, 1), (2, 2), (15, 3), (24, 4)] {
        for position in careful_match(k, seed) {
            let again = NoTipping::read_state(&position.params(), &json(&state(&position)), position.to_move);
            let again = again.expect("a state that was written is read");
            assert_eq!(state(&again), state(&position));
            assert_eq!(again.legal_moves(), position.legal_moves());
            assert_eq!((again.scores(), again.params()), (position.scores(), position.params()));
            match (again.status(), position.status()) {
                (Status::Over(read), Status::Over(played)) => assert_eq!(read.winner, played.winner),
                (read, played) => assert_eq!(read, played),
            }
        }
    }
}

#[test]
fn a_state_that_cannot_be_is_refused() {
    let position = after(2, "2@-3");
    let good = state(&position);
    for (from, to, words) in [
        (r#""k":2"#, r#""k":3"#, "`k` of the state is the number 3, but the match has 2"),
        (r#""add""#, r#""remove""#, "`phase` is the text \"remove\", but with these hands it is add"),
        ("[[1],", "[[1,1],", "the hand of seat 0 has 1: it may hold one block of each weight from 1 to 2"),
        ("[1,2]]", "[]]", "the hand of seat 1 is empty, but it is that seat's turn to place a block"),
        ("[1,2]]", "[1,3]]", "the hand of seat 1 has 3"),
        ("[1,2]]", "2]", "the hand of seat 1 is the number 2: a list is expected"),
        ("[0,0,", "[0,", "a list of 60: 61 are expected"),
        ("[0,0,", "[25,0,", "`board` has 25 kg at -30: no block weighs that"),
        ("[0,0,", "[-1,0,", "`board` has -1 kg at -30: no block weighs that"),
        ("[0,0,", "[1,0,", "`torque` is the list [-6,10], but this board has 21, 39"),
        (r#""torque""#, r#""torques""#, "`torque` is missing"),
    ] {
        assert!(good.contains(from), "{from} is in {good}");
        let bad = json(&good.replacen(from, to, 1));
        let why = NoTipping::read_state(&position.params(), &bad, SEAT_1).expect_err(to).0;
        assert!(why.contains(words), "{to}: {why}");
    }
    assert!(NoTipping::read_state(&params("{}"), &json(&good.replacen(r#""k":2"#, r#""k":25"#, 1)), SEAT_1).is_err());
}

#[test]
fn the_examples_in_the_rules_are_true() {
    let examples: Vec<&str> = NoTipping::INFO.rules.lines().filter(|line| line.starts_with('{')).collect();
    let [shown, placing, taking] = examples[..] else { panic!("a state and two moves are shown: {examples:?}") };
    assert_eq!(state(&after(2, "2@-3")), shown);
    assert_eq!(placing, NoTipping::INFO.example_move);
    assert_eq!(started(15).read_move(&json(placing)), started(7).read_typed(NoTipping::INFO.example_typed));
    assert_eq!(after(1, "1@-3 1@-2").read_move(&json(taking)), Ok(take(-4)));
}

#[test]
fn a_scene_fits_a_terminal_and_its_targets_are_the_legal_moves() {
    for position in careful_match(15, 5) {
        let scene = position.scene();
        let [columns, rows] = [scene.view[2] * scene.characters[0], scene.view[3] * scene.characters[1]];
        assert!(columns <= 100.0 && rows <= 30.0, "{columns} × {rows} characters leave room in 100 × 40");
        let moves: Vec<Move> = scene.paths().iter().map(|(_, mv)| position.read_move(mv).expect("a move")).collect();
        let legal = position.legal_moves().expect("they are listed");
        assert!(moves.len() == legal.len() && legal.iter().all(|mv| moves.contains(mv)));
        assert!(!scene.caption.is_empty());
    }
}
