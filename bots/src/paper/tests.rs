//! The Paper's rules as pictures: a position, the list of rules, and what each rule leaves.

use super::*;
use arena::game::{Game, Params, Status};
use arena::seat::Seat;

#[test]
fn paper_against_paper_is_the_line_of_the_worksheet() {
    let line = "c2 d2 e4 d5 c6 f4 d1 b4 f3 c1 a4 e3 b3 d6 c5 a3 b1 f2 a2 f5 e6 b2 e2 a1 a5 a6 b5 f1 b6 f6 e5 e1";
    let (moves, scores) = play(start(6), &Rule::WORKSHEET);
    assert_eq!(moves.join(" "), line);
    assert_eq!(scores, [6, 30]);
}

#[test]
fn the_first_move_of_all_is_the_topmost_whatever_the_rules() {
    // The start looks the same from all four moves, so no rule that treats all sides alike can tell them apart.
    for (size, first) in [(4, "b1"), (6, "c2"), (8, "d3"), (10, "e4")] {
        for list in ["corner,avoid,edge,most", "most", "fewest", "mobility", "center", "frontier", "avoid", "edge"] {
            assert_eq!(chosen(&start(size), list), first, "{size}×{size}, --rules {list}");
        }
    }
}

#[test]
fn a_corner_comes_before_a_move_that_flips_more() {
    let position = picture("B", [".WB...", "......", "......", "BWWW..", "......", "......"]);
    assert_eq!(steps(&position, "corner,avoid,edge,most"), "corner: a1");
    assert_eq!(steps(&position, "avoid,edge,most,corner"), "avoid: a1 e4; edge: a1 e4; most: e4");
}

#[test]
fn squares_beside_an_empty_corner_are_crossed_off() {
    let position = picture("B", ["..WB..", "......", "......", "BW....", "......", "......"]);
    assert_eq!(steps(&position, "corner,avoid,edge,most"), "corner: b1 c4; avoid: c4; edge: c4; most: c4");
    let explanation = explain(&position, &Rule::WORKSHEET).expect("Black has a move");
    assert_eq!(names(&explanation.steps[1].crossed_off), "b1");
    assert_eq!(explanation.rule, Some(Rule::Most));
}

#[test]
fn squares_beside_a_corner_that_is_taken_are_not_crossed_off() {
    let position = picture("B", ["W.WB..", "......", "......", "BW....", "......", "......"]);
    assert_eq!(steps(&position, "corner,avoid,edge,most"), "corner: b1 c4; avoid: b1 c4; edge: b1");
}

#[test]
fn when_all_moves_touch_an_empty_corner_none_is_crossed_off() {
    let position = picture("B", ["..WB..", "......", "......", "......", "......", "..BW.."]);
    assert_eq!(steps(&position, "corner,avoid,edge,most"), "corner: b1 e6; avoid: b1 e6; edge: b1 e6");
    assert_eq!(chosen(&position, "corner,avoid,edge,most"), "b1");
}

#[test]
fn the_rule_of_most_discs_does_not_choose_among_edges() {
    // d1 flips two discs, c1 only one.
    let position = picture("B", ["......", "..WW..", "..BW..", "...B..", "......", "......"]);
    let crossed_off = "corner: c1 d1 e1 e3; avoid: c1 d1 e3";
    assert_eq!(steps(&position, "corner,avoid,edge,most"), format!("{crossed_off}; edge: c1 d1"));
    assert_eq!(chosen(&position, "corner,avoid,edge,most"), "c1");
    assert_eq!(steps(&position, "corner,avoid,most,edge"), format!("{crossed_off}; most: d1"));
}

#[test]
fn the_further_rules_pick_by_what_they_are_called_after() {
    let position = picture("B", ["......", "..WW..", "..BW..", "...B..", "......", "......"]);
    assert_eq!(steps(&position, "fewest"), "fewest: c1 e1 e3");
    assert_eq!(steps(&position, "center"), "center: e3");
    // c3 leaves White e6, b6 leaves it nothing.
    let position = picture("B", ["......", "......", "BW....", "......", "......", "..WB.."]);
    assert_eq!(steps(&position, "avoid,mobility"), "avoid: c3; mobility: c3");
    assert_eq!(steps(&position, "mobility"), "mobility: b6");
    // After e2 six black discs touch an empty square, after b6 four.
    let position = picture("B", ["......", "BWWW..", "......", "......", "......", "..WB.."]);
    assert_eq!(steps(&position, "frontier"), "frontier: b6");
}

#[test]
fn of_equal_moves_the_topmost_is_played_then_the_farthest_left() {
    let position = picture("B", ["......", "......", "..WB..", "....W.", "....B.", "......"]);
    assert_eq!(steps(&position, "corner,avoid,edge,most"), "corner: b3 e3 f5; avoid: b3 e3; edge: b3 e3; most: b3 e3");
    assert_eq!(chosen(&position, "most"), "b3");
}

#[test]
fn a_list_that_never_picks_plays_the_first_of_what_is_left() {
    let position = picture("B", ["..WB..", "......", "......", "BW....", "......", "......"]);
    let explanation = explain(&position, &[Rule::Corner, Rule::Avoid]).expect("Black has a move");
    assert_eq!((explanation.rule, explanation.chosen.to_string()), (None, "c4".to_string()));
    assert_eq!(chosen(&position, "corner"), "b1");
}

#[test]
fn either_colour_and_every_size_is_played_to_the_end() {
    for size in [4, 6, 8, 10] {
        for rule in Rule::ALL {
            let (moves, [black, white]) = play(start(size), &[Rule::Corner, Rule::Avoid, rule]);
            assert!(black + white <= size * size && !moves.is_empty(), "{size}×{size}, {}", rule.name());
        }
    }
}

#[test]
fn nobody_is_asked_where_nobody_can_move() {
    assert_eq!(explain(&picture("B", ["BBBB..", "......", "......", "......", "......", "......"]), &[]), None);
}

#[test]
fn an_unknown_rule_is_named_and_all_rules_are_listed() {
    let why = parse("corner,middle").expect_err("there is no such rule");
    assert!(why.starts_with("there is no rule `middle`: the rules are corner, avoid, edge, most, fewest"), "{why}");
    assert_eq!(parse(" corner, edge "), Ok(vec![Rule::Corner, Rule::Edge]));
    assert!(parse("").is_err(), "an empty list is a slip");
}

#[test]
fn a_note_tells_the_outcome_and_every_step_only_when_asked() {
    let position = picture("B", ["..WB..", "......", "......", "BW....", "......", "......"]);
    let short = json!({ "rule": "most", "left": ["c4"] });
    let mv = || Move::At(explain(&position, &Rule::WORKSHEET).expect("Black has a move").chosen);
    assert_eq!(answer(&position, &Rule::WORKSHEET, Told::Outcome), Answer::new(mv()).with_note(short));
    let long = json!({ "rule": "most", "left": ["c4"], "chosen": "c4", "steps": [
        { "rule": "corner", "crossed_off": [], "kept": ["b1", "c4"] },
        { "rule": "avoid", "crossed_off": ["b1"], "kept": ["c4"] },
        { "rule": "edge", "crossed_off": [], "kept": ["c4"] },
        { "rule": "most", "crossed_off": [], "kept": ["c4"] },
    ] });
    assert_eq!(answer(&position, &Rule::WORKSHEET, Told::EveryStep), Answer::new(mv()).with_note(long));
}

#[test]
fn the_list_of_rules_names_them_all_and_the_worksheet_in_order() {
    let list = list_of_rules();
    assert_eq!(list["worksheet"], json!(["corner", "avoid", "edge", "most"]));
    let rules = list["rules"].as_array().expect("an array");
    let texts: Vec<&str> = rules.iter().filter_map(|rule| rule["text"].as_str()).collect();
    assert_eq!(texts, Rule::ALL.map(Rule::about));
    let cross_off: Vec<&str> =
        rules.iter().filter(|rule| rule["picks"] == false).filter_map(|rule| rule["name"].as_str()).collect();
    assert_eq!(cross_off, ["avoid"]);
}

#[test]
fn options_stand_in_any_order_and_others_are_refused() {
    let read = |words: &str| read_arguments(words.split_whitespace().map(str::to_string));
    let rules = vec![Rule::Most, Rule::Edge];
    let told = Told::EveryStep;
    assert_eq!(read("--explain --rules most,edge"), Ok(Wish::Play { rules: rules.clone(), told }));
    assert_eq!(read("--rules=most,edge --explain"), Ok(Wish::Play { rules, told }));
    assert_eq!(read(""), Ok(Wish::Play { rules: Rule::WORKSHEET.to_vec(), told: Told::Outcome }));
    assert_eq!(read("--rules most --list-rules"), Ok(Wish::ListRules));
    let why = read("--explains").expect_err("there is no such option");
    assert!(why.contains("`--explains` is no option") && why.contains("`--list-rules`"), "{why}");
}

/// Both sides by the same rules; the moves and the discs at the end.
fn play(mut position: Othello, rules: &[Rule]) -> (Vec<String>, [i64; 2]) {
    let mut moves = Vec::new();
    loop {
        match position.status() {
            Status::ToMove(_) => {
                let chosen = explain(&position, rules).expect("a seat has to move").chosen;
                position.check(&Move::At(chosen)).expect("the Paper plays legal moves");
                position.apply(&Move::At(chosen));
                moves.push(chosen.to_string());
            }
            Status::MustPass(_) => position.pass(),
            Status::Over(_) => return (moves, position.scores()),
        }
    }
}

fn start(size: i64) -> Othello {
    Othello::start(&Params::from_iter([("size".to_string(), size.into())]), 0).expect("the size is allowed")
}

/// A position on 6×6, the top row first.
fn picture(to_move: &str, rows: [&str; 6]) -> Othello {
    let state = json!({ "size": 6, "board": rows, "to_move": to_move });
    Othello::read_state(&Params::new(), &state, Seat::First).expect("the picture is a position")
}

fn chosen(position: &Othello, list: &str) -> String {
    let rules = parse(list).expect("the test's rules");
    explain(position, &rules).expect("a seat has to move").chosen.to_string()
}

/// What each rule left.
fn steps(position: &Othello, list: &str) -> String {
    let rules = parse(list).expect("the test's rules");
    let steps = explain(position, &rules).expect("a seat has to move").steps;
    let step = |step: &Step| format!("{}: {}", step.rule.name(), names(&step.kept));
    steps.iter().map(step).collect::<Vec<_>>().join("; ")
}

fn names(squares: &[Square]) -> String {
    super::names(squares).join(" ")
}
