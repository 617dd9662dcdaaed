//! `arena compare`: the answer in plain words and as JSON, what is kept and what is not, and that it stops and goes on.

use nix::sys::signal::Signal;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tests::arena::{Arena, Run};
use tests::processes::wait_until;

const QUICK: &str = "compare --game othello --param size=4 --jobs 1";

fn compare(flags: &str) -> Arena {
    Arena::new(QUICK.split(' ')).args(flags)
}

fn done(run: &Run) -> Value {
    assert_eq!(run.code, Some(0), "{run:#?}");
    let told = run.json();
    assert_eq!(told["type"], "comparison", "{run:#?}");
    told
}

fn started(run: &Run) -> usize {
    run.stdout.lines().filter(|line| line.contains("\"type\":\"started\"")).count()
}

#[test]
fn the_answer_is_told_in_plain_words() {
    // Wide bounds are passed soon: eight pairs are enough.
    let cases = [
        ("illegal-move", "good", "fresh is better (fresh won "),
        ("good", "illegal-move", "stale is better (fresh won "),
        ("good", "good", "no difference of 200 Elo or more (fresh won"),
    ];
    for (old, new, words) in cases {
        let arena = compare("--elo1 200").fixture("stale", old).fixture("fresh", new);
        let run = arena.run();
        assert_eq!(run.code, Some(0), "{run:#?}");
        assert!(run.stdout.starts_with(words), "{words}: {run:#?}");
        assert!(run.stderr.contains("each pair begins with 6 random plies: --param opening=6"), "{run:#?}");
        assert!(run.stderr.contains("is fresh better than stale in othello?"), "{run:#?}");
        if new == "illegal-move" {
            for part in
                [" matches by a fault\nfresh did worse on ", " starts; the worst:\n  0 of 2 points: fresh+stale+"]
            {
                assert!(run.stdout.contains(part), "{part}: {run:#?}");
            }
        }
        assert!(!run.stderr.contains("arena-compare-"), "a folder that is removed is not worth a word: {run:#?}");
        arena.no_process_left().expect("all bots are gone");
    }
}

#[test]
fn what_is_not_decided_says_how_much_is_missing_and_goes_on_with_a_higher_bound() {
    let flags = "--max-pairs 8 --out kept --seed 5";
    let arena = compare(flags).fixture("stale", "good").arg("--bot").arg("fresh=greedy");
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.starts_with("not decided (fresh won "), "{run:#?}");
    assert!(
        run.stdout.contains("note: it was not sure after 8 pairs (--max-pairs); it would likely need about "),
        "{run:#?}"
    );
    assert!(run.stdout.ends_with("the matches are in kept\n"), "{run:#?}");
    let rows = || fs::read_to_string(arena.path("kept/matches.csv")).expect("it is a cup's folder").lines().count() - 1;
    assert_eq!(rows(), 16);

    // It is a cup's folder like any other.
    let verified = arena.also("verify kept");
    assert_eq!(verified.code, Some(0), "{verified:#?}");
    let one = fs::read_dir(arena.path("kept/transcripts")).unwrap().next().unwrap().unwrap().path();
    let replayed = arena.also(&format!("replay {}", one.display()));
    assert_eq!(replayed.code, Some(0), "{replayed:#?}");
    let asked = arena.also(&format!("debug {} --bot fresh=greedy", one.display()));
    assert_eq!(asked.code, Some(0), "{asked:#?}");

    let bot = arena.fixture_command("good");
    let words = format!("{QUICK} --out kept --seed 5 --json --max-pairs");
    let with = |bound: &'static str| {
        let mut words: Vec<&str> = words.split(' ').collect();
        words.extend([bound, "--bot"]);
        let old = format!("stale={bot}");
        arena.also_words(&[&words[..], &[&old, "--bot", "fresh=greedy"]].concat())
    };
    let more = with("12");
    let told = done(&more);
    assert_eq!((started(&more), rows()), (8, 24), "what was played is not played again");
    assert_eq!((&told["verdict"], &told["results"]), (&"undecided".into(), &"kept".into()));
    assert!(told["more_matches"].as_u64() > Some(0), "{told}");
    let refused = with("8");
    assert_eq!(refused.code, Some(2), "a lower bound is another comparison: {refused:#?}");
    assert!(refused.stderr.contains("`[sprt] max_pairs` was 12 and is 8"), "{refused:#?}");
}

#[test]
fn the_starts_on_which_it_does_worse_can_be_played_again() {
    let arena = compare("--max-pairs 8 --json").fixture("fresh", "good").arg("--bot").arg("other=greedy");
    let told = done(&arena.run());
    let worse = told["worse"].as_array().expect("a list");
    assert!(!worse.is_empty(), "greedy does not win every pair of such a small board: {told}");
    for pair in worse.iter().take(2) {
        assert!(
            pair["points"].as_f64() < Some(1.0)
                && pair["seed"].is_u64()
                && pair["opening"].as_array().unwrap().len() == 6,
            "{pair}"
        );
        let command = format!("{} --json --quiet", pair["again"].as_str().expect("a command"));
        let run = Command::new("sh").args(["-c", &command]).current_dir("/").output().expect("a shell");
        let result: Value = serde_json::from_slice(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"));
        assert_eq!(result["seed"], pair["seed"], "{command}");
        let winner = result["winner"].as_u64().map(|seat| result["players"][seat as usize].as_str().map(String::from));
        assert_ne!(
            winner.flatten().as_deref(),
            Some("other"),
            "the match that it did not win is played again: {command}\n{result}"
        );
    }
}

#[test]
fn repeats_count_once_and_without_an_opening_it_ends_by_itself() {
    let arena = compare("--param opening=0 --json").fixture("stale", "good").arg("--bot").arg("fresh=paper");
    let run = arena.run();
    let told = done(&run);
    assert!(!run.stderr.contains("random plies"), "what was asked for is taken: {run:#?}");
    let pairs: u64 = told["pairs"].as_array().unwrap().iter().filter_map(Value::as_u64).sum();
    assert!(pairs <= 1, "deterministic bots from one position play one pair: {told}");
    assert_eq!(told["verdict"], "undecided");
    assert!(run.stderr.contains("the bots repeat themselves"), "{run:#?}");
}

#[test]
fn two_versions_of_one_bot_are_told_apart_and_nothing_is_left_behind() {
    let arena = compare("--elo1 200 --json --bot v1 --bot v2");
    for version in ["v1", "v2"] {
        let greedy = tests::binaries::program("greedy");
        arena.write(
            &format!("{version}/bot.toml"),
            format!("name = \"mine\"\nrun = [{:?}]\n", greedy.display().to_string()),
        );
    }
    let temporary = arena.path("temporary");
    fs::create_dir(&temporary).unwrap();
    let arena = arena.env("TMPDIR", temporary);
    let run = arena.run();
    let told = done(&run);
    assert_eq!((&told["old"], &told["new"]), (&"mine-old".into(), &"mine-new".into()));
    assert_eq!((&told["verdict"], &told["results"]), (&"no_difference".into(), &Value::Null));
    assert_eq!(entries(&arena.path("temporary")), Vec::<String>::new());
    assert!(!arena.path("results").exists());
}

#[test]
fn ctrl_c_ends_it_with_what_is_known_and_the_same_command_goes_on() {
    let arena = compare("--elo1 1 --out kept --bot one=random --bot other=random");
    let mut running = arena.start();
    let rows = arena.path("kept/matches.csv");
    let some = || fs::read_to_string(&rows).is_ok_and(|text| text.lines().count() > 4);
    assert!(wait_until(Duration::from_secs(50), some), "matches are played");
    running.signal(Signal::SIGINT);
    let run = running.finish(Duration::from_secs(30)).expect("it ends");
    assert_eq!(run.code, Some(130), "{run:#?}");
    assert!(run.stdout.starts_with("not decided (other won "), "{run:#?}");
    for part in ["it was stopped before it was sure; it would likely need about ", "the same command goes on: cd "] {
        assert!(run.stdout.contains(part), "{part}: {run:#?}");
    }
}

#[test]
fn mistakes_are_told_before_anything_is_played() {
    let rows = [
        ("--bot random", "two bots are compared, the old one and the new one, but `--bot` was given once"),
        ("--bot a=random --bot b=random --elo0 30", "`elo0` is 30 and `elo1` is 20, but `elo0` must be below `elo1`"),
        ("--bot a=random --bot b=random --increment 1s", "--increment is added to a bank"),
        ("--bot a=random --bot b=random --elo1 nan", "it is a number"),
        ("--bot a=random --bot human", "`human` cannot be compared"),
    ];
    for (flags, says) in rows {
        let run = compare(flags).run();
        assert!(run.code == Some(2) && run.stderr.contains(says), "{flags}: {run:#?}");
    }
}

fn entries(folder: &Path) -> Vec<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}
