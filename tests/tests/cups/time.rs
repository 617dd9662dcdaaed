//! Cups that end by the clock: at a time of day, or when a budget is used up.

use crate::support::{Cup, ids, json_events, transcripts};
use nix::sys::signal::Signal;
use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tests::processes::wait_until;

const BOUND: Duration = Duration::from_secs(60);

/// The time of day in so many seconds, UTC.
fn in_seconds(seconds: u64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is after 1970").as_secs() + seconds;
    format!("{:02}:{:02}:{:02}", now / 3600 % 24, now / 60 % 60, now % 60)
}

#[test]
fn after_a_time_of_day_no_match_is_begun_and_the_same_command_goes_on() {
    let cup = Cup::othello(12).fixture("slow", "think 100").fixture("also", "think 100");
    let moment = in_seconds(5);
    let flags = format!("--jobs 2 --json --stop-at {moment}");
    let run = cup.run(&flags);
    assert_eq!(run.code, Some(0), "that was what was asked for: {run:#?}");
    let events = json_events(&run.stdout);
    let of = |kind: &str| -> BTreeSet<String> {
        let events = events.iter().filter(|event| event["type"] == kind);
        events.map(|event| event["id"].as_str().expect("an id is text").to_string()).collect()
    };
    let played = of("ended");
    assert!(!played.is_empty() && played.len() < 24, "{run:#?}");
    assert_eq!(of("started"), played, "what was begun is played to its end, and nothing else is");
    assert!(cup.rows().iter().all(|row| row["reason"] == "finished"), "{:?}", cup.rows());
    for id in transcripts(&cup.results()) {
        let header = cup.arena.transcript(&format!("results/cup/transcripts/{id}.jsonl")).remove(0);
        let started = header["started"].as_str().expect("a header has a date");
        let time = started.split_once('T').expect("a date and a time").1;
        // Around midnight the comparison would be the other way round.
        assert!(time.starts_with("23") || time[..8] <= *moment, "{id} was begun at {started}");
    }
    let how = format!(
        "stopped at {moment} UTC: {} of 24 matches are on record in results/cup; the same command goes on: {} {flags}",
        played.len(),
        cup.command()
    );
    assert!(run.stderr.contains(&how), "{how}: {run:#?}");

    // That time comes again tomorrow.
    let rest = cup.played(&flags);
    let again = json_events(&rest.stdout).iter().filter(|event| event["type"] == "ended").count();
    assert_eq!(again + played.len(), 24, "{rest:#?}");
    assert_eq!(ids(&cup.rows()), transcripts(&cup.results()));
    let wrong = cup.run("--stop-at 8");
    assert_eq!(wrong.code, Some(2), "{wrong:#?}");
    assert!(wrong.stderr.contains("--stop-at") && wrong.stderr.contains("08:00"), "{wrong:#?}");
}

const BATCH: usize = 8;

/// Equal bots, which are never ranked with such confidence: nothing but a budget ends it.
fn endless(max_time: &str) -> Cup {
    let table = format!("[until_ranked]\nconfidence = 0.999\nbatch = {BATCH}\nmax_time = \"{max_time}\"\n");
    let head = "game = \"othello\"\nformat = \"until-ranked\"\nseed = 5\n[params]\nsize = 6\nopening = 8\n";
    Cup::new(&format!("{head}{table}")).bot("one", "random").bot("two", "random")
}

/// How many matches there are when the batch in which this many are on record is whole: they meet once before anything can
/// be estimated.
fn whole_batches(matches: usize) -> usize {
    2 + matches.saturating_sub(2).next_multiple_of(2 * BATCH)
}

#[test]
fn a_budget_of_time_ends_a_cup_at_a_batchs_end() {
    let cup = endless("300ms");
    let run = cup.played("--jobs 1");
    let played = cup.rows().len();
    assert!(played > 2 && played == whole_batches(played), "{played} matches are no whole batches: {run:#?}");
    assert!(run.stdout.contains("the budget was used up"), "{run:#?}");
}

#[test]
fn a_budget_is_one_of_the_whole_cup_and_a_batch_that_was_begun_is_finished() {
    let mut cup = endless("1h");
    // Killed somewhere in a batch, twice.
    for goal in [10, 30] {
        let mut running = cup.arena.start_also("tournament run cup.toml --jobs 2");
        let file = cup.results().join("matches.csv");
        let on_record = || fs::read_to_string(&file).map_or(0, |rows| rows.lines().count());
        assert!(wait_until(BOUND, || on_record() > goal), "{goal} matches are never on record");
        running.signal(Signal::SIGKILL);
        running.finish(BOUND).expect("SIGKILL ends everything");
    }
    // As if those runs had lasted for so long.
    fs::write(cup.results().join(".playing-time"), "3600000").expect("the folder is writable");
    let before = transcripts(&cup.results()).len();
    let run = cup.played("--jobs 2");
    assert!(run.stdout.contains("the budget was used up"), "{run:#?}");
    assert_eq!(cup.rows().len(), whole_batches(before), "{before} were on record: {run:#?}");
    assert_eq!(ids(&cup.rows()), transcripts(&cup.results()));
    let verified = cup.arena.also("verify results/cup");
    assert_eq!(verified.code, Some(0), "{verified:#?}");
    // Nothing more is planned, however often it is run.
    let again = cup.played("--json");
    assert!(!again.stdout.contains("\"started\""), "{again:#?}");
    // More time would be another cup.
    cup.edit("max_time = \"1h\"", "max_time = \"2h\"");
    let refused = cup.run("");
    assert!(refused.code == Some(2) && refused.stderr.contains("[until_ranked] max_time"), "{refused:#?}");
}
