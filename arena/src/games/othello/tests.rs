//! Othello's rules: published counts, published lines, and little pictures of the cases that programs get wrong.

use super::*;
use crate::game::{AnyPosition, MoveError, Scene, Shape, Tone, erase, perft};

const FEINSTEIN: &str =
    "c2 b4 c5 d2 e4 e3 d1 c1 b1 d5 d6 f4 b3 b2 f3 f2 e2 b6 a4 c6 a6 a2 b5 a5 e6 e5 a3 a1 f5 f6 - e1 f1";
const PAPER: &str = "c2 d2 e4 d5 c6 f4 d1 b4 f3 c1 a4 e3 b3 d6 c5 a3 b1 f2 a2 f5 e6 b2 e2 a1 a5 a6 b5 f1 b6 f6 e5 e1";

#[test]
fn six_by_six_has_as_many_sequences_as_it_should() {
    counts(6, &[1, 4, 12, 56, 244, 1364, 7604, 47740, 308716, 2114912]);
}

#[test]
fn eight_by_eight_has_as_many_sequences_as_published() {
    // Aart Bik's figures.
    counts(8, &[1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284]);
}

fn counts(size: i64, expected: &[u64]) {
    let start = start(size);
    let counted: Vec<u64> = (0..expected.len()).map(|depth| Game::perft(&start, depth as u32)).collect();
    assert_eq!(counted, expected);
}

#[test]
fn the_fast_count_agrees_with_the_rules_one_by_one() {
    for (size, depth) in [(4, 6), (6, 6), (8, 6), (10, 5)] {
        assert_eq!(Game::perft(&start(size), depth), perft(&start(size), depth), "size {size}");
    }
    // To the end of the game, passes and early ends among the plies.
    for plies in [26, 29] {
        let late = played(6, &FEINSTEIN.split(' ').take(plies).collect::<Vec<_>>().join(" "));
        for depth in 1..=9 {
            assert_eq!(Game::perft(&late, depth), perft(&late, depth), "depth {depth} after {plies} plies");
        }
    }
}

#[test]
fn feinsteins_perfect_line_ends_16_to_20_after_one_pass() {
    let before_the_pass = played(6, FEINSTEIN.split_once(" -").expect("it has a pass").0);
    assert_eq!(Game::status(&before_the_pass), Status::MustPass(Seat::First));
    assert_eq!(end_of(6, FEINSTEIN), ([16, 20], Some(Seat::Second), None));
}

#[test]
fn the_paper_against_itself_ends_6_to_30() {
    assert_eq!(end_of(6, PAPER), ([6, 30], Some(Seat::Second), None));
}

#[test]
fn one_side_passes_twice_in_a_row() {
    let line = "b3 b4 b5 a4 a5 a6 b6 c2 a3 e4 f4 d2 e3 a2 d1 c5 c6 d6 - f3 b2 e1 c1 b1 e2 f1 f2 d5 - e5 - f5";
    let first = played(6, line.strip_suffix(" - e5 - f5").expect("it ends so"));
    assert_eq!(Game::status(&first), Status::MustPass(Seat::First));
    let second = played(6, line.strip_suffix(" - f5").expect("it ends so"));
    assert_eq!(Game::status(&second), Status::MustPass(Seat::First));
    assert_eq!(
        end_of(6, line),
        ([1, 32], Some(Seat::Second), Some("neither side can move, 3 squares stay empty".into()))
    );
}

#[test]
fn both_are_stuck_before_the_board_is_full() {
    let line = "e4 e5 c2 f4 f5 b2 b3 f6 a1 e3 f3 f2 d5 b1 d1 c6 c1 b5 d6 a2 b6 e6 d2 a6 a4 c5 a3 e2";
    let detail = "neither side can move, 4 squares stay empty";
    assert_eq!(end_of(6, line), ([12, 20], Some(Seat::Second), Some(detail.to_string())));
}

#[test]
fn a_side_is_wiped_out() {
    let detail = "neither side can move, 51 squares stay empty";
    assert_eq!(end_of(8, "f5 d6 c5 f4 e7 f6 g5 e6 e3"), ([13, 0], Some(Seat::First), Some(detail.to_string())));
}

#[test]
fn as_many_discs_are_a_draw() {
    let even = picture("W", &["BBBB", "BBBB", "WWWW", "WWWW"]);
    assert_eq!(Game::status(&even), Status::Over(Outcome { winner: None, turn_limit: false, detail: None }));
}

#[test]
fn starts_have_the_same_pattern_in_the_middle() {
    assert_eq!(
        state(&start(6)),
        r#"{"size":6,"board":["......","......","..WB..","..BW..","......","......"],"to_move":"B"}"#
    );
    assert_eq!(state(&start(4)), r#"{"size":4,"board":["....",".WB.",".BW.","...."],"to_move":"B"}"#);
    assert_eq!(board(&start(10))[4..6], ["....WB....", "....BW...."]);
    assert_eq!(legal(&start(6)), "c2 b3 e4 d5");
    assert_eq!(legal(&start(8)), "d3 c4 f5 e6");
    assert_eq!(legal(&start(10)), "e4 d5 g6 f7");
}

#[test]
fn all_eight_directions_are_flipped_at_once() {
    let star = ["B.B.B.", ".WWW..", "BW.WB.", ".WWW..", "B.B.B.", "......"];
    let after = ["B.B.B.", ".BBB..", "BBBBB.", ".BBB..", "B.B.B.", "......"];
    moves_to(&star, "c3", &after);
}

#[test]
fn only_trapped_lines_are_flipped() {
    // To the right there is a gap, downwards the edge, to the left an own disc at the end.
    moves_to(
        &["......", "......", "BWW.W.", "...W..", "...W..", "...W.."],
        "d3",
        &["......", "......", "BBBBW.", "...W..", "...W..", "...W.."],
    );
}

#[test]
fn lines_across_the_whole_board_are_flipped() {
    let run = |size: usize| format!("B{}.", "W".repeat(size - 2));
    for size in [4, 6, 8, 10] {
        let empty = ".".repeat(size);
        let mut rows = vec![empty.as_str(); size];
        let (first, full) = (run(size), "B".repeat(size));
        rows[size - 1] = &first;
        let corner = format!("{}{size}", char::from(b'a' + size as u8 - 1));
        let mut after = rows.clone();
        after[size - 1] = &full;
        moves_to(&rows, &corner, &after);
    }
}

#[test]
fn no_line_goes_over_an_edge_and_on_at_the_other_side() {
    for size in [4, 6, 8, 10] {
        let empty = ".".repeat(size);
        for (end, begin) in [("BW", ""), ("", "WB"), ("B", "W"), ("W", "B")] {
            let upper = format!("{}{end}", &empty[end.len()..]);
            let lower = format!("{begin}{}", &empty[begin.len()..]);
            let mut rows = vec![empty.as_str(); size];
            (rows[1], rows[2]) = (&upper, &lower);
            assert_eq!(legal(&picture("B", &rows)), "", "{rows:?}");
        }
    }
}

#[test]
fn refusals_say_which_rule_and_what_is_legal() {
    let refused = |mv: Value| match (&start(6) as &dyn AnyPosition).clone_box().play(&mv) {
        Err(MoveError::Illegal(why)) => why,
        other => panic!("{mv}: {other:?}"),
    };
    let legal = "; legal here: c2, b3, e4, d5";
    assert_eq!(refused(json!("c3")), format!("c3 is occupied: a disc of White is there{legal}"));
    assert_eq!(refused(json!("a1")), format!("Black on a1 traps no disc of White{legal}"));
    let squares = "they are a1 to f6, a small letter and a number";
    for name in ["g1", "a7", "j10", "C2", "c02", "c", "", "2c", "z99999999999", "é2", "c2 "] {
        let expected = format!("no square of this board is called {name:?}: {squares}{legal}");
        assert_eq!(refused(json!(name)), expected);
    }
    assert!(refused(json!("x".repeat(5000))).len() < 200, "a long text is cut");
    assert!(refused(Value::Null).starts_with("null is no move: whoever can move must"), "{}", refused(Value::Null));
}

#[test]
fn what_is_no_text_is_no_move() {
    for (value, came) in
        [(json!(7), "the number 7"), (json!(true), "true"), (json!(["c2"]), "a list"), (json!({"x": 3}), "an object")]
    {
        let expected = format!("a move is the name of a square, a text such as \"c2\", but {came} came");
        assert_eq!(Othello::read_move(&value), Err(BadShape(expected)));
    }
}

#[test]
fn people_may_type_as_they_like() {
    for typed in ["b3", "B3", " b3 ", "b 3", "3b", "3 B\n"] {
        assert_eq!(AnyPosition::read_typed(&start(6), typed), Ok(json!("b3")), "{typed:?}");
    }
    assert_eq!(Game::read_typed(&start(10), "J10").map(|mv| moves::text(&mv)), Ok("j10".to_string()));
    for typed in ["", "b", "3", "b3b", "1a0", "hello", "b3 e4"] {
        let bad = AnyPosition::read_typed(&start(6), typed);
        assert!(matches!(&bad, Err(MoveError::BadShape(why)) if why.contains("such as c2")), "{typed:?}: {bad:?}");
    }
    assert!(matches!(AnyPosition::read_typed(&start(6), "a1"), Err(MoveError::Illegal(_))));
}

#[test]
fn a_state_that_is_none_is_refused() {
    let params = start(6).params();
    for bad in [
        json!(null),
        json!({"size": 5, "board": [], "to_move": "B"}),
        json!({"size": 4, "board": ["....", "....", "...."], "to_move": "B"}),
        json!({"size": 4, "board": ["....", "....", "....", "....."], "to_move": "B"}),
        json!({"size": 4, "board": ["....", ".XO.", "....", "...."], "to_move": "B"}),
        json!({"size": 4, "board": ["....", "....", "....", "...."], "to_move": "BW"}),
    ] {
        assert!(Othello::read_state(&Params::new(), &bad, Seat::First).is_err(), "{bad}");
    }
    let of_size_4: Value = serde_json::from_str(&state(&start(4))).expect("a state is JSON");
    assert!(Othello::read_state(&params, &of_size_4, Seat::First).is_err(), "the match is on 6×6");
}

#[test]
fn openings_are_golden() {
    let opening = |seed: u64, size: u64, plies: u64| {
        let given = [("size".into(), json!(size)), ("opening".into(), json!(plies))].into_iter().collect();
        let begun = erase::<Othello>().start(&given, seed).expect("there is an opening");
        let plies: Vec<&str> = begun.opening.iter().filter_map(Value::as_str).collect();
        (plies.join(" "), text(|out| begun.position.write_state(out)))
    };
    let (plies, reached) = opening(1, 6, 4);
    assert_eq!(plies, "e4 e3 d2 e1");
    assert_eq!(reached, r#"{"size":6,"board":["....W.","...W..","..WBW.","..BBB.","......","......"],"to_move":"B"}"#);
    assert_eq!(opening(8123, 6, 4).0, "b3 b4 b5 b2");
    assert_eq!(opening(8123, 4, 4).0, "a2 a3 b4 c1");
    assert_eq!(opening(1, 8, 10).0, "f5 f4 e3 f2 c4 d6 g4 d3 e2 b4");
    assert_eq!(opening(1, 10, 20).0, "g6 g5 f4 g3 d5 e7 h5 e4 f3 c5 h3 g2 f7 h6 d7 g4 b5 i2 i6 f8");
}

#[test]
fn a_match_played_at_random_is_golden() {
    let mut stream = crate::seed::Stream::new(1, "playthrough");
    let mut position = played(6, "e4 e3 d2 e1");
    let mut line = Vec::new();
    loop {
        match Game::status(&position) {
            Status::ToMove(_) => {
                let mv = Game::sample_move(&position, &mut stream);
                line.push(moves::text(&mv));
                position.apply(&mv);
            }
            Status::MustPass(_) => {
                line.push("-".to_string());
                Game::pass(&mut position);
            }
            Status::Over(_) => break,
        }
    }
    assert_eq!(line.join(" "), "f2 c5 c1 e2 b3 e5 b6 b4 d1 a2 f5 f4 c2 d5 a5 b5 f1 b2 d6 f6 a1 b1 a3 c6 f3 a4 a6 e6");
    assert_eq!(Game::scores(&position), [21, 15]);
}

#[test]
fn the_drawing_shows_discs_last_move_and_choices() {
    let scene: Scene = Game::scene(&played(6, "c2"));
    let discs = |tone| scene.shapes.iter().filter(|s| matches!(s, Shape::Disc { tone: t, .. } if *t == tone)).count();
    assert_eq!((discs(Tone::First), discs(Tone::Second)), (4, 1));
    let choices: Vec<&str> = scene.targets.iter().map(|target| target.label.as_str()).collect();
    assert_eq!(choices, ["b2", "d2", "b4"]);
    assert_eq!(scene.caption, "White to move");
    let last: Vec<[f64; 4]> = scene
        .shapes
        .iter()
        .filter_map(|shape| match shape {
            Shape::Cell { at, tone: Tone::Last, .. } => Some(*at),
            _ => None,
        })
        .collect();
    assert_eq!(last, [[2.0, 1.0, 1.0, 1.0]]);
}

fn start(size: i64) -> Othello {
    Othello::start(&[("size".to_string(), json!(size))].into_iter().collect(), 0).expect("the size is allowed")
}

/// Plays a line of legal moves, `-` being a pass that must be made.
fn played(size: i64, line: &str) -> Othello {
    let mut position = start(size);
    for word in line.split(' ') {
        if word == "-" {
            assert!(matches!(Game::status(&position), Status::MustPass(_)), "a pass in {line}");
            Game::pass(&mut position);
        } else {
            let mv = AnyPosition::play(&mut position, &json!(word));
            assert!(mv.is_ok(), "{word} in {line}: {mv:?}");
        }
    }
    position
}

fn end_of(size: i64, line: &str) -> ([i64; 2], Option<Seat>, Option<String>) {
    let position = played(size, line);
    match Game::status(&position) {
        Status::Over(outcome) => (Game::scores(&position), outcome.winner, outcome.detail),
        other => panic!("not over but {other:?}: {}", state(&position)),
    }
}

fn picture(to_move: &str, rows: &[&str]) -> Othello {
    let state = json!({"size": rows.len(), "board": rows, "to_move": to_move});
    Othello::read_state(&Params::new(), &state, Seat::First).expect("the picture is a board")
}

/// Black plays the move; and White does, with all colours swapped.
fn moves_to(before: &[&str], mv: &str, after: &[&str]) {
    let swap = |rows: &[&str]| -> Vec<String> {
        rows.iter().map(|row| row.replace('B', "-").replace('W', "B").replace('-', "W")).collect()
    };
    for (to_move, before, after) in [
        ("B", before.iter().map(|row| row.to_string()).collect(), after.iter().map(|row| row.to_string()).collect()),
        ("W", swap(before), swap(after)),
    ] {
        let before: Vec<&str> = before.iter().map(String::as_str).collect();
        let after: Vec<String> = after;
        let mut position = picture(to_move, &before);
        AnyPosition::play(&mut position, &json!(mv)).expect("the move is legal");
        assert_eq!(board(&position), after);
    }
}

fn legal(position: &Othello) -> String {
    let moves = Game::legal_moves(position).expect("Othello lists its moves");
    moves.iter().map(moves::text).collect::<Vec<_>>().join(" ")
}

fn board(position: &Othello) -> Vec<String> {
    let state: Value = serde_json::from_str(&state(position)).expect("a state is JSON");
    serde_json::from_value(state["board"].clone()).expect("a board is a list of texts")
}

fn state(position: &Othello) -> String {
    text(|out| Game::write_state(position, out))
}

fn text(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8(out).expect("JSON is UTF-8")
}
