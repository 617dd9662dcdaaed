//! Ctrl-C and SIGTERM: running matches are voided, what is on record stays, nothing is left running.

use crate::support::{Cup, groups_of, ids, transcripts};
use nix::sys::signal::Signal::{self, SIGINT, SIGTERM};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use tests::arena::{Run, Running};
use tests::processes::{wait_until, with_marker};

const BOUND: Duration = Duration::from_secs(60);

/// Two good bots, and two who never answer when they meet somebody: with limits of an hour, a cup without an end.
fn endless(words: &str) -> Cup {
    let clock = "[clock]\nstart = \"10s\"\nmove = \"1h\"\n";
    let head = format!("game = \"othello\"\nseed = 7\npairs = 2\n{clock}[params]\nsize = 4\nopening = 2\n");
    // The first round is `good` against `well` and the other two against each other.
    let cup = Cup::new(&head).fixture("good", "good").fixture("mute", words);
    cup.fixture("still", words).fixture("well", "good")
}

/// Starts it, and waits until at least one match is on record and one that never ends is being played.
fn started(cup: &Cup) -> Running {
    let running = cup.arena.start_also("tournament run cup.toml --jobs 2");
    let file = cup.results().join("matches.csv");
    let on_record = || fs::read_to_string(&file).is_ok_and(|rows| rows.lines().count() > 1);
    // Two seats in each of two slots, with a keeper each: nobody else is left to be played with.
    let hangs = || with_marker(cup.arena.marker()).len() >= 4 && transcripts(&cup.results()).len() == 2;
    assert!(wait_until(BOUND, || on_record() && hangs()), "the cup does not come to its endless matches");
    running
}

fn stop(cup: &Cup, signals: &[Signal]) -> Run {
    let mut running = started(cup);
    let pid = running.pid();
    for signal in signals {
        running.signal(*signal);
    }
    let run = running.finish(BOUND).unwrap_or_else(|| panic!("{signals:?} did not end it"));
    assert_eq!(cup.arena.no_process_left(), Ok(()), "{signals:?}");
    assert_eq!(ids(&cup.rows()), transcripts(&cup.results()), "{signals:?}");
    assert!(cup.rows().iter().all(|row| row["reason"] == "finished"), "an interrupted match has a row");
    assert!(wait_until(BOUND, || groups_of(pid) == Vec::<PathBuf>::new()), "{signals:?}: {:?}", groups_of(pid));
    run
}

#[test]
fn once_voids_what_runs_and_tells_how_to_go_on() {
    for (signal, code) in [(SIGINT, 130), (SIGTERM, 143)] {
        let cup = endless("silent");
        let run = stop(&cup, &[signal]);
        assert_eq!(run.code, Some(code), "{run:#?}");
        assert!(run.stdout.contains("stopped: 2 of 24 matches are on record in results/cup"), "{run:#?}");
        let how = format!("the same command goes on: {} --jobs 2\n", cup.command());
        assert!(run.stdout.contains(&how), "{how}{run:#?}");
        let verified = cup.arena.also("verify results/cup");
        let told = "results/cup: the cup is not complete: 22 of 24 matches are still to be played; ";
        assert!(verified.stdout.starts_with(told) && verified.stdout.lines().count() == 1, "{verified:#?}");
        assert_eq!(verified.code, Some(1), "{verified:#?}");
        let unfinished = crate::support::names(&cup.results().join("transcripts"));
        assert!(unfinished.iter().all(|name| !name.starts_with('.')), "{unfinished:?}");
        let points = crate::support::rows(&cup.results().join("standings.csv"));
        assert_eq!(points.iter().filter(|row| row["played"] == "0").count(), 2, "{points:?}");
    }
}

#[test]
fn a_second_time_ends_it_at_once() {
    // They do not go in good order, and there is an hour of patience for them.
    let mut cup = endless("ignore-eof --at 1");
    cup.edit("move = \"1h\"", "move = \"1h\"\nstop = \"1h\"");
    let mut running = cup.arena.start_also("tournament run cup.toml --jobs 2");
    // Who ignores its end is waited for in one slot, while the good ones have played in the other.
    let waits = || transcripts(&cup.results()).len() >= 2 && with_marker(cup.arena.marker()).len() >= 2;
    let results = cup.results();
    assert!(wait_until(BOUND, || results.join("transcripts").exists() && waits()));
    running.signal(SIGINT);
    let waits = wait_until(BOUND, || has_taken(running.pid()));
    assert!(waits, "the first signal is not taken");
    running.signal(SIGINT);
    let run = running.finish(BOUND).expect("a second signal does not wait");
    assert_eq!(run.code, Some(130), "{run:#?}");
    assert_eq!(cup.arena.no_process_left(), Ok(()));
    assert_eq!(cup.arena.also("tournament standings results/cup").code, Some(0));
}

/// Whether no signal waits to be handled by this process.
fn has_taken(pid: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let pending = status.lines().filter(|line| line.starts_with("SigPnd:") || line.starts_with("ShdPnd:"));
    pending.clone().count() == 2 && pending.clone().all(|line| line.ends_with(":\t0000000000000000"))
}

#[test]
fn stopped_twice_on_the_way_a_cup_ends_like_one_that_was_left_alone() {
    let cup = || Cup::othello(20).fixture("good", "good").bot("paper", "paper").bot("random", "random");
    let (calm, stopped) = (cup(), cup());
    calm.played("");
    for goal in [10, 40] {
        let mut running = stopped.arena.start_also("tournament run cup.toml");
        let file = stopped.results().join("matches.csv");
        let lines = || fs::read_to_string(&file).map_or(0, |rows| rows.lines().count());
        assert!(wait_until(BOUND, || lines() > goal), "{goal} matches are never on record");
        running.signal(SIGINT);
        let run = running.finish(BOUND).expect("Ctrl-C ends it");
        assert_eq!(run.code, Some(130), "{run:#?}");
        assert!(lines() < 121, "it was done before it was stopped");
    }
    stopped.played("");
    assert_eq!(stopped.lasting(), calm.lasting());
}

#[test]
fn a_build_step_does_not_hold_up_a_stop_and_leaves_nothing() {
    for words in ["tournament run cup.toml", "tournament check cup.toml"] {
        let cup = Cup::othello(1).bot("random", "random");
        let child = cup.arena.fixture_command("ignore-eof --life 60");
        // The shell waits for a child of its own.
        let build = format!("build = [\"sh\", \"-c\", {:?}]\n", format!("read line | {child}; true"));
        cup.arena.write("slow/bot.toml", format!("name = \"slow\"\nrun = [\"sh\"]\n{build}"));
        let cup = cup.bot("slow", "slow");
        let mut running = cup.arena.start_also(words);
        assert!(wait_until(BOUND, || !with_marker(cup.arena.marker()).is_empty()), "nothing is built");
        running.signal(SIGTERM);
        let run = running.finish(BOUND).unwrap_or_else(|| panic!("{words} waits for the build step"));
        assert_eq!(run.code, Some(143), "{words}: {run:#?}");
        assert_eq!(cup.arena.no_process_left(), Ok(()), "{words}");
    }
}

#[test]
fn a_handshake_does_not_hold_up_a_stop() {
    let mut cup = Cup::othello(1).bot("random", "random").fixture("mute", "never-ready");
    cup.edit("[params]", "[clock]\nstart = \"1h\"\n[params]");
    let mut running = cup.arena.start_also("tournament run cup.toml");
    assert!(wait_until(BOUND, || !with_marker(cup.arena.marker()).is_empty()), "no hands are shaken");
    running.signal(SIGINT);
    let run = running.finish(BOUND).expect("Ctrl-C ends it");
    assert_eq!(run.code, Some(130), "{run:#?}");
    let how = format!("stopped before the first match; the same command goes on: {}\n", cup.command());
    assert!(run.stdout.contains(&how), "{run:#?}");
    assert_eq!(transcripts(&cup.results()), Vec::<String>::new());
    assert_eq!(cup.arena.no_process_left(), Ok(()));
}
