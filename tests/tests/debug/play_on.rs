//! A new match from a position of a recorded one.

use super::{MATCHES, debug, played};
use serde_json::{Value, json};
use std::fs;
use tests::transcript::{essence, events, heard};

#[test]
fn what_is_played_on_from_the_middle_holds_and_can_be_replayed_and_asked_again() {
    for (words, bots) in MATCHES {
        let arena = played(words, bots);
        let old = arena.transcript("m.jsonl");
        let turns = old.last().expect("a result")["turns"].as_u64().expect("a number");
        let turn = turns / 2;
        let from = turn.to_string();
        let run = debug(
            &arena,
            &[
                "m.jsonl",
                "--from-turn",
                &from,
                "--play-on",
                "--bot",
                bots[0],
                "--seat",
                "0",
                "--against",
                bots[1],
                "--transcript",
                "n.jsonl",
                "--json",
            ],
        );
        assert_eq!(run.code, Some(0), "{words}: {run:#?}");
        let new = arena.transcript("n.jsonl");
        assert_eq!(new[0]["from"], json!({"id": old[0]["id"], "turn": turn}), "{words}");
        assert_eq!(run.json()["turns"], new.last().expect("a result")["turns"], "{words}");
        let replayed: Vec<&Value> = events(&new, "replayed").collect();
        assert_eq!(replayed.len() as u64, turn, "{words}");
        let turns_of_old = old.iter().filter(|line| line["type"] == "move" || line["type"] == "pass");
        for (again, then) in replayed.iter().zip(turns_of_old) {
            assert_eq!((&again["turn"], &again["seat"]), (&then["turn"], &then["seat"]), "{words}");
            assert_eq!(again["move"], then.get("move").cloned().unwrap_or_default(), "{words}");
        }
        let verified = arena.also("verify n.jsonl");
        assert_eq!((verified.code, verified.stderr.as_str()), (Some(0), ""), "{words}: {verified:#?}");
        let shown = arena.also("replay n.jsonl").stdout;
        assert!(
            shown.contains(&format!("goes on from turn {turn} of match {}", old[0]["id"].as_str().unwrap())),
            "{shown}"
        );
        assert!(shown.contains("(replayed)"), "{shown}");
        let again = debug(&arena, &["n.jsonl", "--bot", bots[1], "--seat", "1"]);
        assert_eq!(again.code, Some(0), "{words}: {again:#?}");
        assert_eq!(arena.also("replay n.jsonl --html n.html").code, Some(0));
    }
}

#[test]
fn bots_that_keep_nothing_play_the_same_match_to_its_end() {
    let arena = played("othello --seed 1", ["paper", "greedy"]);
    let run = debug(
        &arena,
        &[
            "m.jsonl",
            "--from-turn",
            "10",
            "--play-on",
            "--bot",
            "paper",
            "--against",
            "greedy",
            "--transcript",
            "n.jsonl",
        ],
    );
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.contains("goes on from turn 10 of match othello-paper-greedy-1\n   a b c"), "{}", run.stdout);
    assert!(!run.stdout.contains("the start\n") && !run.stdout.contains("turn 9 "), "{}", run.stdout);
    let late = |name: &str| {
        let all = essence(&arena.transcript(name));
        all.into_iter().filter(|line| line["turn"].as_u64().is_none_or(|turn| turn >= 10)).collect::<Vec<_>>()
    };
    assert_eq!(late("n.jsonl"), late("m.jsonl"));
}

#[test]
fn the_first_request_of_each_seat_tells_all_that_was_replayed() {
    let arena = played("othello --seed 1", ["paper", "greedy"]);
    let [a, b] = ["a", "b"].map(|name| format!("{name}={}", arena.fixture_command("good --echo")));
    let words = [
        "m.jsonl",
        "--from-turn",
        "5",
        "--play-on",
        "--bot",
        &a,
        "--seat",
        "0",
        "--against",
        &b,
        "--transcript",
        "n.jsonl",
    ];
    let run = debug(&arena, &words);
    assert_eq!(run.code, Some(0), "{run:#?}");
    let new = arena.transcript("n.jsonl");
    for (seat, first) in [(1, 5), (0, 6)] {
        let requests = heard(&new, seat).into_iter().map(|(_, message)| message);
        let request = { requests }.find(|message| message["type"] == "turn").expect("it was asked");
        assert_eq!(request["turn"], first);
        let since = request["since"].as_array().expect("a list");
        assert_eq!(since.len(), first as usize, "{request}");
        assert_eq!(since[0], json!({"turn": 0, "seat": 0, "move": "c2"}));
    }
}

#[test]
fn from_the_position_of_a_forfeit_it_goes_on() {
    let bot = tests::arena::Arena::new(["games"]).fixture_command("illegal-move --at 3");
    let arena = played("othello --seed 1", [&format!("mine={bot}"), "greedy"]);
    let words = ["m.jsonl", "--from-turn", "4", "--play-on", "--bot", "mine=paper", "--against", "random", "--json"];
    let run = debug(&arena, &words);
    assert_eq!((run.code, run.json()["reason"].as_str()), (Some(0), Some("finished")), "{run:#?}");
    for (turn, said) in [("99", "it is 0 to 4"), ("5", "it is 0 to 4")] {
        let run =
            debug(&arena, &["m.jsonl", "--from-turn", turn, "--play-on", "--bot", "mine=paper", "--against", "random"]);
        assert!(run.code == Some(2) && run.stderr.contains(said), "{run:#?}");
    }
    let finished = played("othello --seed 1", ["paper", "greedy"]);
    let run = debug(&finished, &["m.jsonl", "--from-turn", "33", "--play-on", "--bot", "paper", "--against", "random"]);
    assert!(run.code == Some(2) && run.stderr.contains("the game is over there"), "{run:#?}");
}

#[test]
fn options_that_go_with_no_new_match_are_refused_with_the_way_out() {
    let arena = played("othello --seed 1", ["paper", "greedy"]);
    let new = ["--play-on", "--bot", "paper", "--against", "random"];
    let of_match = |more: &[&str]| debug(&arena, &[&["m.jsonl"], more, &new[..]].concat());
    for (run, said) in [
        (of_match(&["--turn", "4"]), "write --from-turn 4 instead of --turn 4"),
        (of_match(&[]), "--from-turn"),
        (of_match(&["--from-turn", "4", "--messages"]), "--messages"),
        (debug(&arena, &[&["--all", "."], &new[..]].concat()), "--all"),
        (debug(&arena, &["--all", ".", "--bot", "paper", "--transcript", "n.jsonl"]), "--transcript"),
    ] {
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:#?}");
        assert!(run.stderr.contains(said), "{said:?} is not told: {}", run.stderr);
    }
}

#[test]
fn replayed_turns_that_are_not_as_they_were_do_not_hold() {
    let arena = played("othello --seed 1", ["paper", "greedy"]);
    debug(
        &arena,
        &[
            "m.jsonl",
            "--from-turn",
            "6",
            "--play-on",
            "--bot",
            "paper",
            "--against",
            "greedy",
            "--transcript",
            "n.jsonl",
        ],
    );
    let text = fs::read_to_string(arena.path("n.jsonl")).expect("it was recorded");
    let mut lines: Vec<&str> = text.lines().collect();
    let first_move = lines.iter().position(|line| line.contains("\"type\":\"move\"")).expect("there are moves");
    let in_between = lines[first_move].replace("\"type\":\"move\"", "\"type\":\"replayed\"");
    lines[first_move] = &in_between;
    for (changed, said) in [
        (text.replace("\"turn\":6}", "\"turn\":5}"), "it goes on from turn 5, but 6 turns are replayed"),
        (text.replacen("\"move\":\"c2\"", "\"move\":\"a1\"", 1), "does not hold"),
        (text.replacen("\"move\":\"c2\"", "\"move\":null", 1), "is a pass"),
        (lines.join("\n") + "\n", "is replayed after a bot was ready"),
    ] {
        arena.write("changed.jsonl", changed);
        let run = arena.also("verify changed.jsonl");
        assert!(run.code == Some(1) && run.stdout.contains(said), "{said}: {run:#?}");
    }
}
