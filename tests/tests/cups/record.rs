//! What is on record and what is not: torn and missing rows, missing transcripts, two arenas at one folder.

use crate::support::{Cup, ids, rows, transcripts};
use nix::sys::signal::Signal;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::time::Duration;
use tests::processes::wait_until;

const BOUND: Duration = Duration::from_secs(60);

fn cup() -> Cup {
    Cup::othello(3).bot("greedy", "greedy").bot("paper", "paper").bot("random", "random")
}

#[test]
fn a_torn_last_row_is_made_again_from_its_transcript() {
    let cup = cup();
    cup.played("");
    let whole = cup.lasting();
    let file = cup.results().join("matches.csv");
    let text = fs::read_to_string(&file).expect("there are rows");
    for cut in [1, 2, 40, 150] {
        fs::write(&file, &text[..text.len() - cut]).expect("the private folder is writable");
        cup.played("");
        assert_eq!(cup.lasting(), whole, "{cut} bytes were missing");
        assert_eq!(fs::read_to_string(&file).expect("there are rows"), text, "rows are made of transcripts only");
    }
}

#[test]
fn rows_that_are_missing_are_made_again_and_nothing_is_played_twice() {
    let cup = cup();
    cup.played("");
    let file = cup.results().join("matches.csv");
    let text = fs::read_to_string(&file).expect("there are rows");
    let some: String = text.split_inclusive('\n').enumerate().filter(|(n, _)| n % 3 != 1).map(|(_, row)| row).collect();
    for left in [some.as_str(), ""] {
        fs::write(&file, left).expect("the private folder is writable");
        let run = cup.played("--json");
        assert!(!run.stdout.contains("\"started\""), "{run:#?}");
        assert_eq!(fs::read_to_string(&file).expect("there are rows"), text);
    }
}

#[test]
fn a_row_that_stands_twice_or_is_another_cups_makes_no_table() {
    let cup = cup();
    cup.played("");
    let file = cup.results().join("matches.csv");
    let text = fs::read_to_string(&file).expect("there are rows");
    let row = text.lines().nth(1).expect("there is a row");
    let standings = fs::read_to_string(cup.results().join("standings.csv")).expect("there is a table");
    for more in [row.to_string(), row.replacen(row.split(',').next().expect("an id"), "greedy+zed+1a", 1)] {
        fs::write(&file, format!("{text}{more}\r\n")).expect("the private folder is writable");
        let run = cup.run("");
        assert_eq!(run.code, Some(2), "{run:#?}");
        assert!(run.stderr.contains("1 rows of ") && run.stderr.contains("verify results/cup"), "{run:#?}");
        assert_eq!(fs::read_to_string(cup.results().join("standings.csv")).ok().as_ref(), Some(&standings));
    }
    fs::write(&file, &text).expect("the private folder is writable");
    cup.played("");
}

#[test]
fn a_row_without_its_transcript_is_named() {
    let cup = cup();
    cup.played("");
    fs::remove_file(cup.results().join("transcripts/greedy+random+2b.jsonl")).expect("it was played");
    let run = cup.run("");
    assert_eq!(run.code, Some(2), "{run:#?}");
    assert!(run.stderr.contains("results/cup/transcripts/greedy+random+2b.jsonl"), "{run:#?}");
    assert!(run.stderr.contains("no transcript") && run.stderr.contains("matches.csv"), "{run:#?}");
    // The way out that it names.
    let file = cup.results().join("matches.csv");
    let text = fs::read_to_string(&file).expect("there are rows");
    let rest: String = text.split_inclusive('\n').filter(|row| !row.starts_with("greedy+random+2b,")).collect();
    fs::write(&file, rest).expect("the private folder is writable");
    cup.played("");
    assert_eq!(fs::read_to_string(&file).expect("there are rows").lines().count(), 19);
    assert_eq!(ids(&cup.rows()), transcripts(&cup.results()));
}

#[test]
fn two_arenas_cannot_play_into_one_folder_and_a_dead_one_holds_nothing() {
    let cup =
        Cup::new("game = \"othello\"\n[clock]\nmove = \"1h\"\n").fixture("mute", "silent").fixture("still", "silent");
    let mut running = cup.arena.start_also("tournament run cup.toml");
    let begun = cup.results().join("matches.csv");
    assert!(wait_until(BOUND, || begun.exists()), "it does not begin");
    let second = cup.run("");
    assert_eq!(second.code, Some(2), "{second:#?}");
    let owner = format!("results/cup/.lock is in use by process {}", running.pid());
    assert!(second.stderr.contains(&owner), "{second:#?}");
    running.signal(Signal::SIGKILL);
    running.finish(BOUND).expect("SIGKILL ends everything");
    assert!(cup.results().join(".lock").exists());

    let mut third = cup.arena.start_also("tournament run cup.toml");
    let owner = third.pid().to_string();
    let lock = cup.results().join(".lock");
    assert!(
        wait_until(BOUND, || fs::read_to_string(&lock).is_ok_and(|text| text == owner)),
        "the lock is not taken over"
    );
    third.signal(Signal::SIGTERM);
    assert_eq!(third.finish(BOUND).and_then(|run| run.code), Some(143));
}

#[test]
fn standings_of_an_unfinished_cup_are_told_and_nothing_is_changed() {
    let cup = cup();
    cup.played("");
    let file = cup.results().join("matches.csv");
    let text = fs::read_to_string(&file).expect("there are rows");
    let half: Vec<&str> = text.split_inclusive('\n').take(8).collect();
    fs::write(&file, half.concat()).expect("the private folder is writable");
    OpenOptions::new().append(true).open(&file).and_then(|mut file| file.write_all(b"greedy+ran")).expect("writable");
    let torn = fs::read(&file).expect("there are rows");
    let run = cup.arena.also("tournament standings results/cup --json");
    assert_eq!(run.code, Some(0), "{run:#?}");
    let table: Vec<serde_json::Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).expect("a row a line")).collect();
    let played: u32 =
        table.iter().map(|row| row["played"].as_str().and_then(|n| n.parse::<u32>().ok()).unwrap_or(0)).sum();
    assert_eq!(played, 14, "seven matches of two: {run:#?}");
    assert_eq!(fs::read(&file).expect("there are rows"), torn);
    assert_eq!(rows(&cup.results().join("standings.csv")).len(), 3);
    let nowhere = cup.arena.also("tournament standings nowhere");
    assert!(nowhere.code == Some(2) && nowhere.stderr.contains("nowhere"), "{nowhere:#?}");
}
