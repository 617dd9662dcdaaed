//! Whole matches of the bundled bots and of the examples, as separate programs, with the games as referees.

mod support;

use arena::game::{Game, Played};
use arena::games::flip::Flip;
use arena::games::notipping::NoTipping;
use arena::games::offset::Offset;
use arena::games::othello::Othello;
use serde_json::json;
use support::{Process, bundled, example, play};

#[test]
fn the_paper_plays_its_line_against_itself_and_tells_why() {
    let mut bots = [bundled("paper", &[]), bundled("paper", &["--rules", "corner,avoid,edge,most"])];
    let mut notes = Vec::new();
    let end = play::<Othello>(&json!({"size": 6}), 1, &mut bots, |_, _, _, note| notes.push(note.clone()));
    assert_eq!(end.scores(), [6, 30]);
    assert_eq!(notes[0], json!({"rule": "most", "left": ["c2", "b3", "e4", "d5"]}));
    assert_eq!(notes[6], json!({"rule": "edge", "left": ["d1", "f3"]}));
}

#[test]
fn random_and_greedy_play_legal_moves_in_every_game() {
    let mut bots = [bundled("random", &[]), bundled("greedy", &[])];
    for (seed, size) in [4, 6, 8, 10, 6].into_iter().enumerate() {
        let seed = seed as u64;
        // The same two processes go on from match to match and from game to game.
        play::<Othello>(&json!({ "size": size }), seed, &mut bots, |_, _, _, _| ());
        play::<Offset>(&json!({"size": 12, "d": 7}), seed, &mut bots, |_, _, _, _| ());
        play::<NoTipping>(&json!({"k": 1 + seed * 5}), seed, &mut bots, |_, _, _, _| ());
        play::<Flip>(&json!({"n": 1 + seed, "rounds": 200}), seed, &mut bots, |_, _, _, _| ());
        bots.reverse();
    }
}

#[test]
fn greedy_brings_its_pieces_over_without_an_invalid_flip() {
    for n in [1, 5, 20] {
        let mut bots = [bundled("greedy", &[]), bundled("greedy", &[])];
        let end = play::<Flip>(&json!({ "n": n }), 3, &mut bots, |_, _, played, _| assert_eq!(played.ignored, []));
        assert!(end.scores().contains(&n), "one of them has all {n} pieces over: {:?}", end.scores());
    }
}

#[test]
fn the_random_strategy_of_no_tipping_places_as_far_left_as_can_be() {
    let mut bots = [bundled("notipping-random", &[]), bundled("random", &[])];
    play::<NoTipping>(&json!({"k": 10}), 5, &mut bots, |position, mv, _, _| {
        let standing = position.opening_moves();
        assert!(standing.is_empty() || standing.contains(mv), "{mv:?} tips, and there is a move that does not");
        let first = standing.iter().find(|other| block(other).0.is_some() && block(other).0 == block(mv).0);
        assert!(first.is_none_or(|first| first == mv), "{mv:?} is not the leftmost place of its block: {first:?}");
    });
}

#[test]
fn a_seed_gives_the_same_match_again_and_another_seed_another() {
    let mut scripts = [4, 4, 5].map(|seed| {
        let mut moves = Vec::new();
        let mut bots = [bundled("random", &[]), bundled("greedy", &[])];
        play::<Othello>(&json!({"size": 8}), seed, &mut bots, |_, mv, _, _| moves.push(Othello::move_text(mv)));
        moves.join(" ")
    });
    assert_eq!(scripts[0], scripts[1]);
    scripts[1..].sort();
    assert_ne!(scripts[1], scripts[2]);
}

#[test]
fn the_othello_example_takes_corners() {
    let Some(mut bots) = examples("othello.py") else { return };
    for size in [4, 6, 8, 10] {
        play::<Othello>(&json!({ "size": size }), 1, &mut bots, |position, mv, _, _| {
            let last = position.size() - 1;
            let corner = |square: &String| {
                ["a1", &corner_name(last, 0), &corner_name(0, last), &corner_name(last, last)]
                    .contains(&square.as_str())
            };
            let legal: Vec<String> = position.legal_moves().into_iter().flatten().map(|mv| text(&mv)).collect();
            assert!(corner(&text(mv)) || !legal.iter().any(corner), "{} of {legal:?}", text(mv));
        });
    }
}

#[test]
fn the_offset_example_plays_legal_moves() {
    let Some(mut bots) = examples("offset.py") else { return };
    for (size, d) in [(5, 5), (12, 7), (12, 15)] {
        let end = play::<Offset>(&json!({"size": size, "d": d}), 2, &mut bots, |_, _, _, _| ());
        assert!(end.scores().iter().sum::<i64>() > 0, "coins were combined");
    }
}

#[test]
fn the_no_tipping_example_never_tips_while_there_is_a_way_not_to() {
    let Some(mut bots) = examples("notipping.py") else { return };
    for k in [1, 2, 15, 24] {
        play::<NoTipping>(&json!({ "k": k }), 1, &mut bots, |position, mv, _, _| {
            assert!(!position.tips(mv) || position.opening_moves().is_empty(), "{mv:?} tips");
        });
    }
}

#[test]
fn the_flip_example_brings_its_pieces_over_without_an_invalid_flip() {
    let Some(mut bots) = examples("flip.py") else { return };
    for seed in 0..3 {
        let end = play::<Flip>(&json!({"n": 5}), seed, &mut bots, |_, _, played: &Played<_>, _| {
            assert_eq!(played.ignored, []);
        });
        assert!(end.scores().contains(&5), "one of them has all 5 pieces over: {:?}", end.scores());
    }
}

/// Two of an example's bots; `None`, and a word about it, where Python is missing.
fn examples(file: &str) -> Option<[Process; 2]> {
    tests::skip::needs("python3").then(|| [example(file), example(file)])
}

fn text(mv: &arena::games::othello::Move) -> String {
    Othello::move_text(mv)
}

fn corner_name(column: u32, row: u32) -> String {
    arena::games::othello::Square { column, row }.to_string()
}

/// The weight, where one is placed, and the position of a move.
fn block(mv: &arena::games::notipping::Move) -> (Option<i64>, i64) {
    match *mv {
        arena::games::notipping::Move::Block { weight, position } => (weight, position),
        arena::games::notipping::Move::Pass => panic!("nobody may pass in No Tipping"),
    }
}
