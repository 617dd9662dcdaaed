//! A new version against all that its name was asked in a cup.

use super::debug;
use serde_json::Value;
use std::fs;
use tests::arena::{Arena, Run};

/// A cup of three bots, played into `results/cup`.
fn cup() -> Arena {
    let arena = Arena::new(["tournament", "run", "cup.toml"]);
    let bots = ["paper", "greedy", "random"].map(|name| format!("[[bots]]\nbot = \"{name}\"\n"));
    let head = "name = \"cup\"\ngame = \"othello\"\nseed = 7\n[params]\nsize = 6\nopening = 4\n";
    arena.write("cup.toml", head.to_string() + &bots.concat());
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    arena
}

fn ask(arena: &Arena, words: &[&str]) -> Run {
    debug(arena, &[&["--all", "results/cup"], words].concat())
}

#[test]
fn every_changed_decision_of_a_cup_is_listed_and_summed_up() {
    let arena = cup();
    let run = ask(&arena, &["--bot", "paper"]);
    assert_eq!((run.code, run.complaints().as_str()), (Some(0), ""), "{run:#?}");
    assert!(run.stdout.starts_with("0 of ") && run.stdout.ends_with(" in 0 of 4 matches of paper\n"), "{run:#?}");

    let new = "paper=paper --rules corner,avoid,most,edge";
    let run = ask(&arena, &["--bot", new]);
    assert_eq!(run.code, Some(1), "{run:#?}");
    let (summary, changes) =
        run.stdout.lines().collect::<Vec<_>>().split_last().map(|(a, b)| (*a, b.to_vec())).unwrap();
    assert!(
        summary.starts_with(&format!("{} of ", changes.len())) && summary.ends_with(" of 4 matches of paper"),
        "{summary}"
    );
    assert!(
        !changes.is_empty() && changes.iter().all(|line| line.contains("  turn ") && line.contains(" -> ")),
        "{run:#?}"
    );

    let rows = ask(&arena, &["--bot", new, "--json"]);
    let rows: Vec<Value> = rows.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(rows.len(), changes.len() + 1);
    for (row, line) in rows.iter().zip(&changes) {
        let text = |value: &Value| value["move"].as_str().expect("a square").to_string();
        let expected = format!(
            "{}  turn {}: {} -> {}",
            row["match"].as_str().expect("an id"),
            row["turn"],
            text(&row["old"]),
            text(&row["new"])
        );
        assert_eq!(**line, *expected);
    }
    assert_eq!(rows.last().expect("a summary")["changed"], changes.len());
}

#[test]
fn another_player_can_be_named_and_one_that_is_not_there_is_told_who_is() {
    let arena = cup();
    let run = ask(&arena, &["--bot", "paper", "--name", "greedy"]);
    assert_eq!(run.code, Some(1), "{run:#?}");
    assert!(run.stdout.ends_with(" of 4 matches of greedy\n"), "{run:#?}");
    let run = ask(&arena, &["--bot", "nobody=paper"]);
    assert_eq!(run.code, Some(2), "{run:#?}");
    assert!(
        run.stderr.contains("no match of `nobody` is there; --name names another player: greedy, paper, random"),
        "{run:#?}"
    );
    let run = debug(&arena, &["--all", "results/other", "--bot", "paper"]);
    assert!(run.code == Some(2) && run.stderr.contains("results/other: there is no such file"), "{run:#?}");
}

#[test]
fn attempts_that_were_void_are_left_out() {
    let arena = cup();
    let folder = arena.path("results/cup/transcripts");
    let any = fs::read_dir(&folder).expect("a folder").next().expect("a file").expect("it can be read").path();
    let name = any.file_stem().expect("a name").to_string_lossy().into_owned();
    fs::copy(&any, folder.join(format!("{name}.void1.jsonl"))).expect("it is writable");
    let run = ask(&arena, &["--bot", "paper"]);
    assert!(run.code == Some(0) && run.stdout.ends_with(" in 0 of 4 matches of paper\n"), "{run:#?}");
}

#[test]
fn what_could_not_be_asked_is_counted() {
    let arena = cup();
    let bot = format!("paper={}", arena.fixture_command("exit 3 --at 2"));
    let run = ask(&arena, &["--bot", &bot]);
    assert_eq!(run.code, Some(1), "{run:#?}");
    assert_eq!(run.stdout.matches(" -> crashed\n").count(), 4, "{run:#?}");
    assert!(run.stdout.ends_with(" further requests were not asked, because it could not go on\n"), "{run:#?}");
}
