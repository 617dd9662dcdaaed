//! Flip's rules case by case; what the other test files share.

mod exact;
mod reading;
mod whole_match;

use super::table::{DIAMETER, TOLERANCE};
use super::*;
use crate::game::{self, MoveError, PlayedMove, Shape, Tone, erase};
use serde_json::json;

const LEAST: f64 = DIAMETER - TOLERANCE;

fn params(n: u64) -> Params {
    Params::from_iter([("n".to_string(), n.into()), ("rounds".to_string(), 1000.into())])
}

fn start(n: u64, seed: u64) -> Flip {
    Flip::start(&params(n), seed).expect("the start is dealt")
}

/// A position with these centres, `seat` to move in `round`.
fn position(first: &[Centre], second: &[Centre], seat: Seat, round: u64) -> Flip {
    let flips = if round == 1 && seat == Seat::First { 1 } else { 2 };
    let n = first.len();
    let state = json!({"n": n, "pieces": [first, second], "flips": flips, "round": round, "rounds": 1000});
    Flip::read_state(&params(n as u64), &state, seat).expect("the state is sound")
}

fn play(game: &mut Flip, mv: &str) -> PlayedMove {
    game::AnyPosition::play(game, &serde_json::from_str(mv).expect("JSON")).expect("the move has the game's shape")
}

fn refusal(game: &Flip, mv: &str) -> String {
    match game::AnyPosition::play(&mut game.clone(), &serde_json::from_str(mv).expect("JSON")) {
        Err(MoveError::BadShape(why)) => why,
        other => panic!("{mv} was to be refused for its shape: {other:?}"),
    }
}

fn why(game: &Flip, flip: &str) -> String {
    let played = play(&mut game.clone(), &format!("[{flip}]"));
    assert_eq!(played.accepted, "[]", "{flip} was to be invalid");
    played.ignored[0].why.clone()
}

fn state(game: &Flip) -> String {
    let mut out = Vec::new();
    game.write_state(&mut out);
    String::from_utf8(out).expect("UTF-8")
}

fn read_back(game: &Flip, to_move: Seat) -> Flip {
    let value: Value = serde_json::from_str(&state(game)).expect("JSON");
    Flip::read_state(&game.params(), &value, to_move).expect("the state is sound")
}

fn all_centres(game: &Flip) -> Vec<Centre> {
    Seat::BOTH.into_iter().flat_map(|seat| game.table.centres(seat)).collect()
}

fn apart(a: Centre, b: Centre) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// Every pair of circles apart, every circle on the table: told without the grid.
fn assert_sound(game: &Flip) {
    let centres = all_centres(game);
    for (index, &at) in centres.iter().enumerate() {
        assert!(at[0].abs() <= 59.0 + TOLERANCE && at[1].abs() <= 19.0 + TOLERANCE, "{at:?} is not on the table");
        for &other in &centres[..index] {
            assert!(apart(at, other) >= LEAST - 1e-12, "{at:?} and {other:?} overlap");
        }
    }
}

#[test]
fn more_pieces_than_fit_are_an_error_that_names_the_way_out() {
    let error = deal::deal(500, 1).expect_err("500 circles do not fit into a third");
    assert!(error.0.contains("`n` is 500") && error.0.contains("ask for fewer"), "{error}");
}

#[test]
fn rounds_follow_n_and_are_reported() {
    let flip = erase::<Flip>();
    let given =
        |text: &str| flip.start(&serde_json::from_str(text).expect("JSON"), 7).map(|started| json!(started.params));
    assert_eq!(given("{}").unwrap(), json!({"n": 5, "rounds": 1000}));
    assert_eq!(given(r#"{"n":20}"#).unwrap(), json!({"n": 20, "rounds": 1000}));
    assert_eq!(given(r#"{"n":21}"#).unwrap(), json!({"n": 21, "rounds": 1050}));
    assert_eq!(given(r#"{"n":200,"rounds":3}"#).unwrap(), json!({"n": 200, "rounds": 3}));
    for (bad, named) in
        [(r#"{"n":201}"#, "from 1 to 200"), (r#"{"rounds":0}"#, "`rounds`"), (r#"{"opening":2}"#, "no parameter")]
    {
        let error = given(bad).expect_err(bad);
        assert!(error.0.contains(named), "{error}");
    }
}

#[test]
fn the_first_turn_has_one_flip_and_every_later_one_two() {
    let mut game = position(&[[-40.0, 0.0]], &[[40.0, 0.0]], Seat::First, 1);
    assert!(state(&game).ends_with(r#""flips":1,"round":1,"rounds":1000}"#));
    assert!(
        refusal(&game, r#"[{"piece":0,"angle":0},{"piece":0,"angle":0}]"#)
            .contains("2 flips are too many: the first turn")
    );
    play(&mut game, r#"[{"piece":0,"angle":0}]"#);
    assert_eq!(game.status(), Status::ToMove(Seat::Second));
    let two = play(&mut game, r#"[{"piece":0,"to":[38,0]},{"piece":0,"to":[36,0]}]"#);
    assert_eq!(two.accepted, r#"[{"piece":0,"to":[38.0,0.0]},{"piece":0,"to":[36.0,0.0]}]"#, "both of one piece");
    assert_eq!(state(&game), r#"{"n":1,"pieces":[[[-38.0,0.0]],[[36.0,0.0]]],"flips":2,"round":2,"rounds":1000}"#);
    let three = r#"[{"piece":0,"angle":0},{"piece":0,"angle":0},{"piece":0,"angle":0}]"#;
    assert!(refusal(&game, three).contains("3 flips are too many: a turn has 2"));
    assert!(game.check(&vec![PieceFlip { piece: 0, goal: Goal::Angle(0.0) }; 3]).is_err());
}

#[test]
fn no_flip_is_a_move_and_null_is_none() {
    let mut game = start(2, 1);
    let before = all_centres(&game);
    assert_eq!(play(&mut game, "[]"), PlayedMove { accepted: "[]".to_string(), ignored: Vec::new() });
    assert_eq!(all_centres(&game), before);
    assert_eq!(game.status(), Status::ToMove(Seat::Second));
    assert!(refusal(&game, "null").contains("not null"));
}

#[test]
fn an_invalid_flip_costs_itself_and_nothing_else() {
    let mut game = position(&[[-59.0, 0.0]], &[[59.0, 0.0]], Seat::First, 2);
    let played = play(&mut game, r#"[{"piece":0,"to":[-61,0]},{"piece":0,"to":[-57,0]}]"#);
    assert_eq!(played.accepted, r#"[{"piece":0,"to":[-57.0,0.0]}]"#);
    assert_eq!(played.ignored.len(), 1);
    assert_eq!(played.ignored[0].part, 0);
    assert_eq!(game.status(), Status::ToMove(Seat::Second));
}

#[test]
fn an_invalid_flip_is_explained() {
    let game = position(&[[-59.0, 19.0], [-57.0, 19.0]], &[[-58.0, 16.5], [20.0, 0.0]], Seat::First, 2);
    assert_eq!(why(&game, r#"{"piece":0,"to":[-57,19]}"#), "it would overlap your own piece 1 by 2.000 cm");
    assert_eq!(why(&game, r#"{"piece":0,"to":[-59,17]}"#), "it would overlap the opponent's piece 0 by 0.882 cm");
    assert_eq!(
        why(&game, r#"{"piece":0,"to":[-61,19]}"#),
        "the circle around [-61.0, 19.0] would cross the left edge (x = -60) by 2.000 cm"
    );
    assert_eq!(
        why(&game, r#"{"piece":1,"to":[-57,21]}"#),
        "the circle around [-57.0, 21.0] would cross the upper edge (y = 20) by 2.000 cm"
    );
    assert_eq!(
        why(&game, r#"{"piece":1,"to":[-54.5,19]}"#),
        "the new centre [-54.5, 19.0] is 0.500 cm too far: it must be 2 cm from [-57.0, 19.0], within 1e-7"
    );
    assert!(why(&game, r#"{"piece":1,"to":[-57,19]}"#).contains("2.000 cm too near"));
    assert!(why(&game, r#"{"piece":1,"to":[1.7e308,-1.7e308]}"#).contains("cm too far"));
    let down = position(&[[40.0, -19.0]], &[[59.0, 0.0]], Seat::Second, 2);
    assert!(why(&down, r#"{"piece":0,"angle":0}"#).contains("right edge (x = 60)"));
    let down = position(&[[40.0, -18.5]], &[[59.0, 0.0]], Seat::First, 2);
    assert!(why(&down, r#"{"piece":0,"to":[40,-20.5]}"#).contains("lower edge (y = -20) by 1.500 cm"));
}

#[test]
fn circles_may_touch_and_be_flipped_over() {
    let mut game = position(&[[-59.0, 19.0], [-57.0, 17.0]], &[[-57.0, 15.0], [20.0, 0.0]], Seat::First, 2);
    let touching = play(&mut game, r#"[{"piece":0,"to":[-57,19]}]"#);
    assert!(touching.ignored.is_empty(), "touching a circle and the edge: {touching:?}");
    let mut row = position(&[[0.0, 0.0], [1.0 + 0.9, 1.0]], &[[4.0, 0.0], [30.0, 0.0]], Seat::First, 2);
    let over = play(&mut row, r#"[{"piece":1,"to":[1.9,-1.0]}]"#);
    assert_eq!(over.ignored, [], "only where the circle lands counts");
    assert_sound(&row);
}

#[test]
fn bringing_the_last_circle_across_wins_at_once() {
    for seat in Seat::BOTH {
        let side = if seat == Seat::First { 1.0 } else { -1.0 };
        let own = [[side * 18.99999995, 0.0], [side * 50.0, 0.0]];
        let other = [[side * 30.0, 5.0], [side * 30.0, 10.0]];
        let (first, second) = if seat == Seat::First { (own, other) } else { (other, own) };
        let mut game = position(&first, &second, seat, 9);
        assert_eq!(game.scores()[seat.index()], 1);
        play(&mut game, &format!(r#"[{{"piece":0,"to":[{},0]}}]"#, side * 20.99999995));
        assert_eq!(game.status(), Status::Over(Outcome { winner: Some(seat), turn_limit: false, detail: None }));
        assert_eq!(game.scores()[seat.index()], 2);
        assert!(scene::draw(&game).caption.contains(&format!("Seat {seat} wins")));
        assert_eq!(read_back(&game, seat.other()).status(), game.status());
    }
}

#[test]
fn a_circle_on_the_line_is_not_across() {
    let mut game = position(&[[18.9999997, 0.0]], &[[40.0, 0.0]], Seat::First, 9);
    assert_eq!(play(&mut game, r#"[{"piece":0,"to":[20.9999997,0]}]"#).ignored, []);
    assert_eq!(game.status(), Status::ToMove(Seat::Second));
}

#[test]
fn after_the_last_round_the_circles_across_are_counted() {
    for (first, second, winner) in
        [(25.0, 40.0, Some(Seat::First)), (0.0, -25.0, Some(Seat::Second)), (25.0, -25.0, None), (0.0, 0.0, None)]
    {
        let mut game = position(&[[first, 0.0], [0.0, 5.0]], &[[second, 10.0], [0.0, 15.0]], Seat::First, 1000);
        play(&mut game, "[]");
        assert_eq!(game.status(), Status::ToMove(Seat::Second), "the round has a second turn");
        play(&mut game, "[]");
        let Status::Over(outcome) = game.status() else { panic!("the last round is over") };
        assert_eq!((outcome.winner, outcome.turn_limit), (winner, true));
        assert!(outcome.detail.expect("the count is told").contains("after 1000 rounds"));
        assert_eq!(read_back(&game, Seat::First).status(), game.status());
    }
}
