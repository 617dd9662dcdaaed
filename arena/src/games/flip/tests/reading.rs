//! What bots and people write, and what they are shown.

use super::*;

#[test]
fn what_has_not_the_shape_is_told_apart_from_invalid_flips() {
    let game = position(&[[-40.0, 0.0]], &[[40.0, 0.0]], Seat::Second, 1);
    for (mv, named) in [
        (r#"{"piece":0,"angle":0}"#, "expected a list of flips"),
        (r#"[7]"#, "flip 0: expected an object"),
        (r#"[{"angle":0}]"#, "`piece` is missing"),
        (r#"[{"piece":0.5,"angle":0}]"#, "whole number"),
        (r#"[{"piece":18446744073709551616,"angle":0}]"#, "64 bits"),
        (r#"[{"piece":-9223372036854775809,"angle":0}]"#, "64 bits"),
        (r#"[{"piece":"0","angle":0}]"#, r#"not "0""#),
        (r#"[[],{"piece":0}]"#, "flip 0"),
        (r#"[{"piece":0,"angle":1},{"piece":0}]"#, "flip 1: neither `to` nor `angle`"),
        (r#"[{"piece":0,"to":[38,0],"angle":0}]"#, "both there"),
        (r#"[{"piece":0,"to":[38]}]"#, "two numbers"),
        (r#"[{"piece":0,"to":[38,null]}]"#, "two numbers"),
        (r#"[{"piece":0,"angle":"0"}]"#, "`angle` must be a number"),
    ] {
        let told = refusal(&game, mv);
        assert!(told.contains(named), "{mv}: {told}");
    }
    for piece in ["1", "-1", "18446744073709551615", "-9223372036854775808"] {
        let told = why(&game, &format!(r#"{{"piece":{piece},"angle":0}}"#));
        assert!(told.contains(&format!("no piece {piece}: you have 1")), "{told}");
    }
}

#[test]
fn states_that_cannot_be_are_refused() {
    let good = json!({"n":1,"pieces":[[[-40,0]],[[40.5,0]]],"flips":1,"round":1,"rounds":1000,"new":true});
    let read = |value: &Value| Flip::read_state(&params(1), value, Seat::First);
    assert!(read(&good).is_ok(), "a key that is not known is no error");
    for (key, value, named) in [
        ("n", json!(2), "the match has 1"),
        ("rounds", json!(7), "the match has 1000"),
        ("round", json!(0), "from 1 to 2^32"),
        ("round", json!(1002), "over after 1000"),
        ("rounds", json!(5e9 as u64), "from 1 to 2^32"),
        ("n", json!("1"), "whole number"),
        ("round", Value::Null, "no `round`"),
        ("flips", json!(2), "has 1 in round 1"),
        ("pieces", json!([[[-40, 0]]]), "two lists"),
        ("pieces", json!([[[-40, 0]], []]), "a list of 0"),
        ("pieces", json!([[[-40, 0]], [[40]]]), "piece 0 of seat 1"),
        ("pieces", json!([[[-40, 0]], [[-39, 0]]]), "overlap"),
        ("pieces", json!([[[-40, 0]], [[60, 0]]]), "right edge"),
    ] {
        let mut bad = good.clone();
        bad[key] = value;
        let told = read(&bad).expect_err(key).0;
        assert!(told.contains(named), "{bad}: {told}");
    }
}

#[test]
fn a_person_types_flips_forgivingly() {
    let game = position(&[[-40.0, 0.0], [-30.0, 0.0]], &[[40.0, 0.0], [30.0, 0.0]], Seat::First, 2);
    let typed = |text: &str| game.read_typed(text);
    let angle = |piece, angle| PieceFlip { piece, goal: Goal::Angle(angle) };
    let to = |piece, to| PieceFlip { piece, goal: Goal::To(to) };
    for empty in ["", "  ", ";", "[]"] {
        assert_eq!(typed(empty), Ok(Vec::new()), "{empty:?}");
    }
    assert_eq!(typed("0 @0.5"), Ok(vec![angle(0, 0.5)]));
    assert_eq!(typed("1@-1; 0 @ 90deg"), Ok(vec![angle(1, -1.0), angle(0, std::f64::consts::FRAC_PI_2)]));
    assert_eq!(typed("0 -38 0"), Ok(vec![to(0, [-38.0, 0.0])]));
    assert_eq!(
        typed("0 (20, 0); 0 > (-38, 9)"),
        Ok(vec![to(0, [-38.0, 0.0]), to(0, [-38.0, 2.0])]),
        "a point gives the direction"
    );
    assert_eq!(typed(r#"[{"piece":1,"angle":0.5}]"#), Ok(vec![angle(1, 0.5)]));
    for (bad, named) in [
        ("0", "type PIECE @ANGLE"),
        ("0 @up", "type PIECE @ANGLE"),
        ("0 @inf", "type PIECE @ANGLE"),
        ("0 nan 0", "type PIECE @ANGLE"),
        ("0 -40 0", "no direction"),
        ("7 @0", "no piece 7"),
        ("0 @0; 0 @0; 0 @0", "3 flips are too many"),
        ("0 @0; 0 @0.1; 1 @0", "3 flips are too many"),
    ] {
        let told = typed(bad).expect_err(bad).0;
        assert!(told.contains(named), "{bad}: {told}");
    }
    let corner = position(&[[-59.0, 0.0]], &[[40.0, 0.0]], Seat::First, 2);
    let told = corner.read_typed("0 @180deg").expect_err("it would leave the table").0;
    assert!(told.contains("left edge"), "a person may try again: {told}");
}

#[test]
fn a_move_is_short_for_people() {
    let game = position(&[[-40.0, 0.0]], &[[40.0, 0.0]], Seat::First, 2);
    let short = |mv: &str| game::AnyPosition::move_text(&game, &serde_json::from_str(mv).expect("JSON"));
    assert_eq!(short(r#"[{"piece":0,"to":[-38,-0.001]},{"piece":3,"angle":0.523}]"#), "0>(-38.00,0.00) 3@0.52");
    assert_eq!(short("[]"), "no flip");
}

#[test]
fn the_drawing_shows_thirds_circles_and_the_last_flips() {
    let mut game = position(&[[-40.0, 5.0]], &[[19.5, 0.0]], Seat::First, 2);
    play(&mut game, r#"[{"piece":0,"to":[-38,5]}]"#);
    let scene = game.scene();
    assert_eq!((scene.view, scene.characters), ([-60.0, -20.0, 120.0, 40.0], [1.0, 0.5]));
    let disc = Shape::Disc { centre: [-38.0, -5.0], radius: 1.0, tone: Tone::First, text: "0".to_string() };
    assert!(scene.shapes.contains(&disc), "y grows downwards in a drawing");
    let arrow = Shape::Line { from: [-40.0, -5.0], to: [-38.0, -5.0], tone: Tone::Last, arrow: true };
    let rim = Shape::Disc { centre: [-38.0, -5.0], radius: 1.3, tone: Tone::Last, text: String::new() };
    let order = [&rim, &arrow, &disc].map(|shape| scene.shapes.iter().position(|other| other == shape));
    assert!(order[0].is_some() && order.is_sorted(), "neither rim nor arrow covers the number: {order:?}");
    assert_eq!(scene.caption, "Seat 1 to move: up to two flips of 2 cm, all pieces to the left third");
    let facts: Vec<&str> = scene.facts.iter().map(|fact| fact.value.as_str()).collect();
    assert_eq!(facts, ["0 of 1", "0 of 1", "2 of 1000"]);
}

#[test]
fn the_examples_in_the_rules_are_played() {
    let blocks: Vec<&str> =
        Flip::INFO.rules.split("```").skip(1).step_by(2).map(|block| &block["json".len()..]).collect();
    let [state, mv] = blocks[..] else { panic!("the rules show a state and a move") };
    let state = serde_json::from_str(state).expect("JSON");
    let mut game = Flip::read_state(&Params::new(), &state, Seat::First).expect("the state is sound");
    assert_eq!(play(&mut game, mv).ignored, []);
    let start = start(1, 1);
    let typed = game::AnyPosition::read_typed(&start, Flip::INFO.example_typed).expect("it can be typed");
    assert_eq!(typed.to_string(), Flip::INFO.example_move);
}
