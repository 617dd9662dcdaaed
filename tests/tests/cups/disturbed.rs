//! Matches that the machine disturbs. A bot stops the arena itself, as somebody does who presses Ctrl-Z and comes back later:
//! no deadline moves so far.

use crate::support::{Cup, Row, json_events, names, rows};
use nix::sys::signal::Signal;
use serde_json::json;
use std::fs;
use std::time::Duration;
use tests::processes::wait_until;

const BOUND: Duration = Duration::from_secs(60);

/// One pair, whose first match is disturbed so often.
fn cup(times: u32) -> Cup {
    let clock = "[clock]\nmove = \"200ms\"\n";
    let cup = Cup::new(&format!("game = \"othello\"\nseed = 7\n{clock}[params]\nsize = 4\nopening = 2\n"));
    cup.fixture("good", "good").fixture("stops", &format!("stop-arena {times} --seat 1"))
}

fn column(rows: &[Row], column: &str) -> Vec<String> {
    rows.iter().map(|row| row[column].clone()).collect()
}

#[test]
fn disturbed_three_times_a_match_stays_void_and_everybody_is_told() {
    let cup = cup(3);
    let run = cup.run("--jobs 1 --json");
    assert_eq!(run.code, Some(1), "{run:#?}");
    let disturbed: Vec<_> = json_events(&run.stdout).into_iter().filter(|event| event["type"] == "disturbed").collect();
    let id = "good+stops+1a";
    let told = |attempt: u32| json!({"type": "disturbed", "id": id, "attempt": attempt, "gives_up": attempt == 3});
    assert_eq!(disturbed, [told(1), told(2), told(3)]);
    let note = format!("note: 1 match stayed void, and counts for nothing: {id}");
    assert!(run.stderr.contains(&note), "{run:#?}");
    let told = cup.arena.also("tournament standings results/cup");
    assert!(told.code == Some(0) && told.stdout.contains(&note), "{told:#?}");

    let files = names(&cup.results().join("transcripts"));
    let void = |attempt: u32| format!("{id}.void{attempt}.jsonl");
    assert_eq!(files, [void(1), void(2), void(3), "good+stops+1b.jsonl".to_string()]);
    for attempt in 1..=3 {
        let result = cup.arena.transcript(&format!("results/cup/transcripts/{}", void(attempt))).pop();
        let result = result.expect("a transcript has lines");
        assert_eq!((&result["reason"], &result["winner"]), (&json!("disturbed"), &json!(null)), "{result}");
    }
    let played = cup.rows();
    assert_eq!(column(&played, "id"), [id, "good+stops+1b"]);
    assert_eq!(column(&played, "reason"), ["disturbed", "finished"]);
    assert_eq!((played[0]["winner"].as_str(), played[0]["at_fault"].as_str()), ("", ""));
    assert_eq!(played[0]["transcript"], format!("transcripts/{}", void(3)));
    let standings = rows(&cup.results().join("standings.csv"));
    assert_eq!(column(&standings, "played"), ["1", "1"], "it counts nowhere: {standings:?}");
    let page = fs::read_to_string(cup.results().join("report.html")).expect("a cup has a page");
    assert!(page.contains(id) && page.contains("void"), "the page does not tell of it");
    let verified = cup.arena.also("verify results/cup");
    assert_eq!(verified.code, Some(0), "{verified:#?}");

    // It stays void when the cup is run again, also when its row is lost.
    let file = cup.results().join("matches.csv");
    let text = fs::read_to_string(&file).expect("there are rows");
    let lost: String = text.split_inclusive('\n').filter(|row| !row.starts_with(id)).collect();
    for left in [&text, &lost] {
        fs::write(&file, left).expect("the private folder is writable");
        let again = cup.run("--json");
        assert_eq!(again.code, Some(1), "{again:#?}");
        assert!(!again.stdout.contains("\"started\""), "{again:#?}");
        assert_eq!(fs::read_to_string(&file).expect("there are rows"), text);
    }
}

#[test]
fn disturbed_once_a_match_is_played_again_and_has_its_row() {
    let cup = cup(1);
    let run = cup.played("--jobs 1");
    let told = "good+stops+1a: the machine was too busy (attempt 1): it is played again";
    assert!(run.stderr.contains(told) && !run.stdout.contains("void"), "{run:#?}");
    assert_eq!(column(&cup.rows(), "reason"), ["finished", "finished"]);
    let files = names(&cup.results().join("transcripts"));
    assert_eq!(files, ["good+stops+1a.jsonl", "good+stops+1a.void1.jsonl", "good+stops+1b.jsonl"]);
    assert_eq!(cup.arena.also("verify results/cup").code, Some(0));
    assert_eq!(cup.arena.no_process_left(), Ok(()));
}

#[test]
fn void_attempts_of_a_cup_that_was_killed_are_kept_and_counted() {
    let cup = cup(3);
    let void = |attempt: u32| cup.results().join(format!("transcripts/good+stops+1a.void{attempt}.jsonl"));
    let stops = || fs::read(cup.arena.path("stops.txt")).map_or(0, |stops| stops.len());
    let mut running = cup.arena.start_also("tournament run cup.toml --jobs 1");
    assert!(wait_until(BOUND, || void(1).exists() && stops() == 2), "no second attempt is begun");
    running.signal(Signal::SIGKILL);
    running.finish(BOUND).expect("SIGKILL ends everything");
    assert_eq!(cup.arena.no_process_left(), Ok(()));
    let first = fs::read(void(1)).expect("it was kept");
    cup.played("--jobs 1");
    assert_eq!(fs::read(void(1)).expect("it is kept"), first);
    assert!(void(2).exists() && !void(3).exists(), "the attempt that was killed does not count");
    assert_eq!(column(&cup.rows(), "reason"), ["finished", "finished"]);
}
