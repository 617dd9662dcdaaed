//! Cups that take what was filed.

use crate::support::{ground, record, script, submit, write_bot};
use serde_json::Value;
use std::fs;
use tests::arena::{Arena, Run};

const CUP: &str = "name = \"course\"\ngame = \"othello\"\nsubmissions = \"filed\"\n[params]\nsize = 4\n[isolation]\nmode = \"none\"\n";

fn run_cup(arena: &Arena, flags: &str) -> Run {
    arena.also(&format!("tournament run cup.toml {flags}"))
}

/// Name and version of each entrant, as the cup's folder remembers them.
fn versions(arena: &Arena) -> Vec<(String, Option<u64>)> {
    let text = fs::read_to_string(arena.path("results/course/entrants.json")).expect("the cup has begun");
    let entrants: Vec<Value> = serde_json::from_str(&text).expect("a list");
    entrants.iter().map(|one| (one["name"].as_str().unwrap().to_string(), one["version"].as_u64())).collect()
}

fn pair(name: &str, version: Option<u64>) -> (String, Option<u64>) {
    (name.to_string(), version)
}

fn rows(arena: &Arena) -> String {
    fs::read_to_string(arena.path("results/course/matches.csv")).expect("it was played")
}

/// A ground on which alice has filed a good version and a bad one, bob one, carol one of another game, and dave changed his.
fn filed() -> Arena {
    let arena = ground();
    write_bot(&arena, "work/alice", "games = [\"othello\"]");
    write_bot(&arena, "work/bob", "games = [\"othello\", \"offset\"]\nauthors = [\"b1\"]");
    write_bot(&arena, "work/carol", "games = [\"offset\"]");
    write_bot(&arena, "work/dave", "games = [\"othello\"]");
    assert_eq!(submit(&arena, "--bot work/alice --bot work/bob --bot work/carol --bot work/dave").code, Some(0));
    arena.write("work/alice/bot.sh", "exit 3\n");
    assert_eq!(submit(&arena, "--bot work/alice").code, Some(1));
    arena.write("filed/dave/1/bot/bot.sh", format!("{}# since\n", script()));
    arena.write("cup.toml", CUP);
    arena
}

#[test]
fn a_cup_takes_the_newest_fit_version_of_each_name_that_plays_its_game() {
    let arena = filed();
    arena.write("cup.toml", format!("{CUP}[[bots]]\nbot = \"random\"\n[[bots]]\nname = \"Erin\"\nbot = \"random\"\n"));
    // Who hands in a bot does not take a name of the file.
    write_bot(&arena, "work/erin", "games = [\"othello\"]");
    assert_eq!(submit(&arena, "--bot work/erin").code, Some(0));
    let check = arena.also("tournament check cup.toml");
    assert!(check.code == Some(0) && check.stdout.contains("alice: starts"), "{check:#?}");
    let run = run_cup(&arena, "");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert_eq!(
        versions(&arena),
        [pair("random", None), pair("Erin", None), pair("alice", Some(1)), pair("bob", Some(1))]
    );
    for part in [
        "note: left out: carol has no fit version that plays othello",
        "note: left out: the submission erin, whose name is taken by the bot of line 12",
        "note: version 1 of dave is passed over: its files have changed since it was filed",
    ] {
        assert!(run.stderr.contains(part), "{part}: {run:#?}");
    }
    let grades = fs::read_to_string(arena.path("results/course/grades.csv")).unwrap();
    assert!(grades.contains("b1,bob,"), "{grades}");
    let verified = arena.also("verify results/course");
    assert_eq!(verified.code, Some(0), "{verified:#?}");
}

#[test]
fn a_cup_that_goes_on_keeps_the_versions_that_it_began_with() {
    let arena = filed();
    assert_eq!(run_cup(&arena, "").code, Some(0));
    let before = rows(&arena);

    arena.write("work/alice/bot.sh", format!("{}# better\n", script()));
    write_bot(&arena, "work/late", "games = [\"othello\"]");
    assert_eq!(submit(&arena, "--bot work/alice --bot work/late").code, Some(0));
    assert_eq!(record(&arena, "alice", 3)["fit"], true);
    let text = fs::read_to_string(arena.path("cup.toml")).unwrap();
    arena.write("cup.toml", text.replacen("game = ", "pairs = 2\ngame = ", 1));
    let run = run_cup(&arena, "");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert_eq!(versions(&arena), [pair("alice", Some(1)), pair("bob", Some(1))]);
    assert!(
        run.stderr.contains("note: alice plays on as version 1, with which this cup began; version 3 was filed since"),
        "{run:#?}"
    );
    assert!(run.stderr.contains("note: late was filed since this cup began, and is not in it"), "{run:#?}");
    let after = rows(&arena);
    assert_eq!(after.lines().count(), 5);
    assert!(before.lines().all(|row| after.contains(row)), "finished matches stay: {after}");

    // Unless they are asked for.
    let again = run_cup(&arena, "--again alice");
    assert_eq!(again.code, Some(0), "{again:#?}");
    assert_eq!(versions(&arena), [pair("alice", Some(3)), pair("bob", Some(1))]);
    assert_eq!(rows(&arena).lines().count(), 5);

    // A version that went away cannot be played on with.
    fs::remove_dir_all(arena.path("filed/alice/3")).unwrap();
    let gone = run_cup(&arena, "");
    assert_eq!(gone.code, Some(2), "{gone:#?}");
    assert!(gone.stderr.contains("version 3 of alice cannot be played"), "{gone:#?}");
}

#[test]
fn mistakes_are_told_where_they_stand() {
    let arena = filed();
    let rows = [
        (
            "submissions = \"filed\"",
            "submissions = \"field\"",
            "cup.toml:3: `submissions` names `field`, which is no folder",
        ),
        ("submissions = \"filed\"", "submissions = \"\"", "cup.toml:3: `submissions` is empty"),
        (
            "game = \"othello\"\nsubmissions = \"filed\"\n[params]\nsize = 4\n",
            "game = \"notipping\"\nsubmissions = \"filed\"\n",
            "cup.toml:3: a cup has two bots or more, and with the submissions this one has none",
        ),
    ];
    for (old, new, says) in rows {
        arena.write("cup.toml", CUP.replace(old, new));
        let run = run_cup(&arena, "");
        assert!(run.code == Some(2) && run.stderr.contains(says), "{says}: {run:#?}");
    }
}
