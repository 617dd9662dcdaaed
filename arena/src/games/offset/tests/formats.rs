//! Parameters, and how moves and states are read and written.

use super::super::deal::choices;
use super::*;
use crate::games;
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("the test's JSON")
}

#[test]
fn parameters_that_cannot_be_played_are_refused_with_the_way_out() {
    let offset = games::find("offset").expect("Offset is listed");
    for (given, words) in [
        (r#"{"size":4}"#, "`size` is 4, but must be a whole number from 5 to 64"),
        (r#"{"size":65}"#, "`size` is 65, but must be"),
        (r#"{"d":4}"#, "`d` is 4, but must be a whole number from 5 to 123"),
        (
            r#"{"size":5,"d":7}"#,
            "`d` is 7, but on a board of size 5 it must be from 5 to 5 (2 times size, minus 5): choose another `d`, or a `size` of at least 6",
        ),
        (r#"{"d":60}"#, "`d` is 60, but on a board of size 32 it must be from 5 to 59"),
        (r#"{"offsets":7}"#, "`offsets` is 7, but must be the pairs of seats 0 and 1, [[p,q],[r,s]]"),
        (
            r#"{"offsets":[[1,6]]}"#,
            "`offsets` is the list [[1,6]], a list of 1: 2 are expected: `offsets` must be [[p,q],[r,s]]",
        ),
        (r#"{"offsets":[[1,6],[3,4,0]]}"#, "the pair of seat 1 is the list [3,4,0], a list of 3"),
        (r#"{"offsets":[[1,6],[3,"4"]]}"#, "the pair of seat 1 is the text \"4\", which is no number"),
        (r#"{"offsets":[[0,7],[3,4]]}"#, "seat 0 the pair [0,7], but both numbers must be at least 1"),
        (r#"{"offsets":[[1,6],[2,4]]}"#, "seat 1 the pair [2,4], but its sum must be `d`, which is 7"),
        (r#"{"d":8,"offsets":[[1,7],[4,4]]}"#, "seat 1 the pair [4,4], but the two numbers must differ"),
        (
            r#"{"size":6,"offsets":[[1,6],[3,4]]}"#,
            "seat 0 the pair [1,6], but the greater number must be below the size of the board, 6",
        ),
        (r#"{"offsets":[[1,6],[6,1]]}"#, "gives both seats the pair of 1 and 6, but they must have different ones"),
        (r#"{"offsets":[[1,6],[9223372036854775807,1]]}"#, "its sum must be `d`"),
        (r#"{"offset":[]}"#, "offset has no parameter `offset`: it has size, d, offsets, opening"),
    ] {
        let why = offset.start(&params(given), 1).err().unwrap_or_else(|| panic!("{given} is refused")).0;
        assert!(why.contains(words), "{given}: {why}");
    }
}

#[test]
fn the_extremes_of_d_can_be_played() {
    for size in 5..=64 {
        for d in [5, 2 * size - 5] {
            let start = started(&format!(r#"{{"size":{size},"d":{d}}}"#), 1);
            for seat in Seat::BOTH {
                let start = Offset::new(start.board.clone(), start.offsets, seat);
                assert_eq!(start.status(), Status::ToMove(seat), "size {size}, d {d}");
            }
        }
    }
}

#[test]
fn a_deal_chooses_among_all_ordered_choices_of_two_different_pairs() {
    assert_eq!(choices(32, 5), [BySeat([[1, 4], [2, 3]]), BySeat([[2, 3], [1, 4]])]);
    assert_eq!(choices(32, 7).len(), 6);
    assert_eq!(choices(5, 5).len(), 2);
    assert_eq!(choices(6, 7), [BySeat([[2, 5], [3, 4]]), BySeat([[3, 4], [2, 5]])], "6 is too far on this board");
    let mut seen: Vec<_> = (0..200).map(|seed| started(r#"{"size":32,"d":7}"#, seed).offsets.0).collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, choices(32, 7).iter().map(|choice| choice.0).collect::<Vec<_>>());
}

/// These boards are a promise: results name their seeds.
#[test]
fn what_a_seed_deals_never_changes() {
    let dealt = |size: i64, d: i64, seed: u64| started(&format!(r#"{{"size":{size},"d":{d}}}"#), seed).offsets.0;
    let golden: Vec<_> = (0..8).map(|seed| dealt(32, 7, seed)).collect();
    assert_eq!(golden, GOLDEN_D7);
    assert_eq!([dealt(32, 20, 1), dealt(64, 123, 1), dealt(32, 14, 9_007_199_254_740_991)], GOLDEN_OTHERS);
}

const GOLDEN_D7: [[[i64; 2]; 2]; 8] = [
    [[2, 5], [3, 4]],
    [[2, 5], [1, 6]],
    [[1, 6], [2, 5]],
    [[2, 5], [3, 4]],
    [[1, 6], [2, 5]],
    [[1, 6], [2, 5]],
    [[3, 4], [2, 5]],
    [[2, 5], [1, 6]],
];
const GOLDEN_OTHERS: [[[i64; 2]; 2]; 3] = [[[5, 15], [1, 19]], [[60, 63], [61, 62]], [[6, 8], [1, 13]]];

#[test]
fn the_parameters_of_a_match_are_complete() {
    let offset = games::find("offset").expect("Offset is listed");
    let complete = |given: &str| Value::from(offset.start(&params(given), 5).expect("allowed").params).to_string();
    let given = r#"{"size":9,"d":7,"offsets":[[6,1],[3,4]],"opening":2}"#;
    assert_eq!(complete(given), given);
    let dealt = started(r#"{"size":32,"d":7}"#, 5).offsets.0;
    let shown = Value::from(dealt.map(Vec::from).to_vec()).to_string();
    assert_eq!(complete("{}"), format!(r#"{{"size":32,"d":7,"offsets":{shown},"opening":0}}"#));
}

#[test]
fn an_opening_is_the_same_for_a_seed_and_each_ply_belongs_to_its_seat() {
    let offset = games::find("offset").expect("Offset is listed");
    let draw = |seed: u64| offset.start(&params(r#"{"size":8,"opening":4}"#), seed).expect("allowed");
    let (one, again, other) = (draw(3), draw(3), draw(4));
    assert_eq!(one.opening, again.opening);
    assert_ne!(one.opening, other.opening);
    assert_eq!(one.opening.len(), 4);
    let text = |position: &dyn crate::game::AnyPosition| {
        let mut text = Vec::new();
        position.write_state(&mut text);
        String::from_utf8(text).expect("a state is UTF-8")
    };
    let mut replayed = Offset::start(&one.params, 3).expect("complete parameters are allowed");
    for mv in &one.opening {
        replayed.apply(&replayed.read_move(mv).expect("an opening has moves"));
    }
    assert_eq!(text(&*one.position), state(&replayed));
    assert_eq!(one.position.status(), Status::ToMove(SEAT_0));
    assert_eq!(one.position.scores().iter().sum::<i64>() % 2, 0);
}

#[test]
fn moves_read_back_as_written() {
    for (text, mv) in [
        (r#"{"from":[3,4],"to":[9,5]}"#, combine([3, 4], [9, 5])),
        (r#"{"from":[-1,0],"to":[9223372036854775807,-9223372036854775808]}"#, combine([-1, 0], [i64::MAX, i64::MIN])),
        ("null", Move::Pass),
    ] {
        assert_eq!(started(r#"{"size":32,"d":7}"#, 0).read_move(&json(text)), Ok(mv.clone()));
        let mut written = Vec::new();
        Offset::write_move(&mv, &mut written);
        assert_eq!(String::from_utf8(written).as_deref(), Ok(text));
    }
    let more = json(r#"{"why":"best","to":[9,5],"from":[3,4]}"#);
    assert_eq!(
        started(r#"{"size":32,"d":7}"#, 0).read_move(&more),
        Ok(combine([3, 4], [9, 5])),
        "other keys and their order do not matter"
    );
}

#[test]
fn what_is_no_move_is_told_with_what_came_and_what_is_expected() {
    for (text, words) in [
        ("7", "the move is the number 7: {\"from\":[x,y],\"to\":[x,y]} with whole numbers is expected"),
        ("\"c2\"", "the move is the text \"c2\": {\"from\""),
        ("[[3,4],[9,5]]", "the move is the list [[3,4],[9,5]]: {\"from\""),
        ("true", "the move is true: {\"from\""),
        ("{}", "the move is empty, `from` is missing: {\"from\""),
        (r#"{"from":[3,4]}"#, "the move has only `from`, `to` is missing"),
        (r#"{"From":[3,4],"to":[9,5]}"#, "the move has only `From`, `to`, `from` is missing"),
        (r#"{"from":[3,4],"to":null}"#, "`to` is null: a list of 2 is expected"),
        (r#"{"from":{"x":3,"y":4},"to":[9,5]}"#, "`from` is the object {\"x\":3,\"y\":4}: a list of 2 is expected"),
        (r#"{"from":[3],"to":[9,5]}"#, "`from` is the list [3], a list of 1: 2 are expected"),
        (r#"{"from":[3,4],"to":[9,5,1]}"#, "`to` is the list [9,5,1], a list of 3: 2 are expected"),
        (r#"{"from":[3,4.5],"to":[9,5]}"#, "y of `from` is the number 4.5, which has a fraction"),
        (r#"{"from":[3,4],"to":["9",5]}"#, "x of `to` is the text \"9\", which is no number"),
        (
            r#"{"from":[3,4],"to":[9,18446744073709551616]}"#,
            "y of `to` is the number 1.8446744073709552e+19, which does not fit in 64 bits",
        ),
    ] {
        let why = started(r#"{"size":32,"d":7}"#, 0).read_move(&json(text)).expect_err(text).0;
        assert!(why.contains(words), "{text}: {why}");
    }
}

#[test]
fn people_may_type_moves_in_many_ways() {
    let position = started(r#"{"size":32,"d":7}"#, 1);
    let typed = |text: &str| position.read_typed(text);
    for text in ["3 4 9 5", "(3,4)>(9,5)", " 3,4 9,5 ", "3,4->9,5", "[3,4] → [9,5]", r#"{"from":[3,4],"to":[9,5]}"#] {
        assert_eq!(typed(text), Ok(combine([3, 4], [9, 5])), "{text}");
    }
    assert_eq!(typed("pass"), Ok(Move::Pass));
    for text in ["", "3 4 9", "3 4 9 5 1", "c2", "3 4 9 5.5"] {
        let why = typed(text).expect_err(text).0;
        assert!(why.contains("four whole numbers are expected") && why.contains("3 4 9 5"), "{why}");
    }
    assert_eq!(Offset::move_text(&combine([3, 4], [9, 5])), "(3,4)>(9,5)");
    assert_eq!(typed(&Offset::move_text(&combine([3, 4], [9, 5]))), Ok(combine([3, 4], [9, 5])));
}

#[test]
fn a_state_reads_back_as_the_same_position() {
    for (text, seed) in [(r#"{"size":5,"d":5}"#, 1), (r#"{"size":12,"d":9}"#, 2), (r#"{"size":64,"d":20}"#, 3)] {
        let positions = random_match(started(text, seed), seed);
        for position in positions.iter().step_by(positions.len() / 20 + 1).chain(positions.last()) {
            let again = Offset::read_state(&position.params(), &json(&state(position)), position.to_move);
            let again = again.expect("a state that was written is read");
            assert_eq!(again.board, position.board);
            assert_eq!((again.status(), again.params()), (position.status(), position.params()));
            assert_eq!(state(&again), state(position));
        }
    }
}

#[test]
fn the_largest_piles_are_written_and_read() {
    let side = 64;
    let cells = (0..side * side).map(|index| if index == 0 { (4096, Some(SEAT_1)) } else { (0, None) });
    let all_in_one = Offset::new(Board::from_cells(side, cells), BySeat([[1, 4], [2, 3]]), SEAT_0);
    let text = state(&all_in_one);
    assert!(text.contains(r#""coins":[[4096,0,0"#) && text.contains(r#""owner":[[1,-1,-1"#), "{text}");
    let again = Offset::read_state(&all_in_one.params(), &json(&text), SEAT_0).expect("it is read");
    assert_eq!(again.board, all_in_one.board);
    assert_eq!(again.scores(), [0, 4096]);
}

#[test]
fn a_state_that_cannot_be_is_refused() {
    let start = started(r#"{"size":5,"d":5,"offsets":[[1,4],[2,3]]}"#, 1);
    let good = state(&start);
    for (from, to, words) in [
        (r#""size":5"#, r#""size":4"#, "`size` is 4: it must be from 5 to 64"),
        (r#""d":5"#, r#""d":6"#, "`d` of the state is the number 6, but the match has the number 5"),
        ("[[1,4],[2,3]]", "[[2,3],[1,4]]", "`offsets` of the state is the list [[2,3],[1,4]], but the match has"),
        ("[[1,1,1,1,1],", "[", "`coins` is the list"),
        ("[[1,1,1,1,1],", "[[1,1,1,1],", "row 1 of `coins` is the list [1,1,1,1], a list of 4: 5 are expected"),
        ("[[1,1,1,1,1],", "[[3,1,1,1,1],", "a pile of 3: a pile is 0 or a power of two"),
        ("[[1,1,1,1,1],", "[[8192,1,1,1,1],", "a pile of 8192"),
        ("[[1,1,1,1,1],", "[[-1,1,1,1,1],", "a pile of -1"),
        ("[[1,1,1,1,1],", "[[2,0,1,1,1],", "a pile of 2 with the owner -1"),
        ("[[1,1,1,1,1],", "[[0,1,1,1,1],", "`coins` has 24 coins: a board of size 5 has 25"),
        ("[[-1,", "[[0,", "a pile of 1 with the owner 0"),
        ("[[-1,", "[[2,", "the owner 2: an owner is -1, 0 or 1"),
        (r#","owner""#, r#","owners""#, "`owner` is missing"),
    ] {
        assert!(good.contains(from), "{from} is in {good}");
        let why = Offset::read_state(&start.params(), &json(&good.replacen(from, to, 1)), SEAT_0).expect_err(to).0;
        assert!(why.contains(words), "{to}: {why}");
    }
    let no_params = params("{}");
    let far = good.replacen("[[1,4],[2,3]]", "[[1,9],[2,8]]", 1);
    assert!(Offset::read_state(&no_params, &json(&far), SEAT_0).is_err(), "pairs beyond the board");
}

#[test]
fn the_examples_in_the_rules_are_true() {
    let rules = Offset::INFO.rules;
    let examples: Vec<&str> = rules.lines().filter(|line| line.starts_with('{')).collect();
    let [shown, mv] = examples[..] else { panic!("a state and a move are shown: {examples:?}") };
    let mut start = started(r#"{"size":5,"d":5,"offsets":[[1,4],[2,3]]}"#, 1);
    start.apply(&combine([1, 1], [2, 5]));
    assert_eq!(state(&start), shown);
    assert_eq!(mv, Offset::INFO.example_move);
    let typed = start.read_typed(Offset::INFO.example_typed);
    assert_eq!(started(r#"{"size":32,"d":7}"#, 0).read_move(&json(mv)), typed);
}

#[test]
fn a_scene_fits_a_terminal_and_its_targets_are_the_legal_moves() {
    let positions = random_match(started(r#"{"size":32,"d":7}"#, 4), 4);
    for position in [&positions[0], &positions[positions.len() / 2], &positions[positions.len() - 1]] {
        let scene = position.scene();
        let [columns, rows] = [scene.view[2] * scene.characters[0], scene.view[3] * scene.characters[1]];
        assert!(columns <= 100.0 && rows <= 36.0, "{columns} × {rows} characters leave room in 100 × 40");
        let paths = scene.paths();
        let moves: Vec<Move> = paths.iter().map(|(_, mv)| position.read_move(mv).expect("a move")).collect();
        let legal = position.legal_moves().expect("they are listed");
        let is_legal = |mv: &Move| *mv == Move::Pass || moves.contains(mv);
        assert!(moves.len() <= legal.len() && legal.iter().all(is_legal), "every legal move can be chosen");
        assert!(paths.iter().all(|(path, _)| path.len() == 2), "a pile, and the one that it is put on");
        for shape in &scene.shapes {
            if let crate::game::Shape::Cell { text, shade, .. } = shape {
                assert!(text.len() <= 3, "{text} fits three characters");
                let pile = text
                    .strip_suffix('k')
                    .map_or_else(|| text.parse().unwrap_or(1), |k| 1024 * k.parse::<u32>().unwrap());
                assert_eq!(1 << shade, pile, "each doubling is a shade");
            }
        }
    }
}
