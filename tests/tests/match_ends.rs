//! A match that is stopped from outside: what it leaves, and how the arena says so.

use nix::sys::signal::Signal;
use std::time::Duration;
use tests::arena::{Arena, Running};
use tests::processes::{wait_until, with_marker};

/// Far below the minute that a move may take here, so that nobody waited for the bots.
const SOON: Duration = Duration::from_secs(15);

#[test]
fn ctrl_c_voids_the_match_and_leaves_nothing() {
    stopped_by(Signal::SIGINT, 130);
}

#[test]
fn sigterm_voids_the_match_and_leaves_nothing() {
    stopped_by(Signal::SIGTERM, 143);
}

#[test]
fn a_second_ctrl_c_ends_at_once_and_leaves_nothing() {
    let arena = stuck_match();
    let mut running = start(&arena);
    running.signal(Signal::SIGINT);
    running.signal(Signal::SIGINT);
    let run = running.finish(SOON).expect("the arena ends soon after two interrupts");
    assert_eq!(run.code, Some(130), "{run:#?}");
    assert_eq!(arena.no_process_left(), Ok(()));
}

/// The match is over and its bots have a minute to go, but nobody has to wait for that.
#[test]
fn ctrl_c_while_the_bots_are_sent_away_ends_soon_and_the_result_stands() {
    let arena = new_match().args("--stop-time 60s --param size=4");
    // It writes its file when it is told of the end.
    let deaf = format!("ignore-eof --at end --pid-file {}", arena.path("told.pid").display());
    let arena = arena.fixture("deaf", &deaf).args("--bot random");
    let mut running = arena.start();
    assert!(wait_until(SOON, || arena.path("told.pid").exists()), "the match does not end");
    running.signal(Signal::SIGINT);
    let run = running.finish(SOON).expect("the arena ends soon after an interrupt");
    assert_eq!(run.code, Some(130), "{run:#?}");
    assert_eq!(run.json()["reason"], "finished", "{run:#?}");
    assert_eq!(arena.no_process_left(), Ok(()));
}

#[test]
fn sigkill_leaves_no_bot_behind() {
    killed(stuck_match());
}

#[test]
fn sigkill_leaves_no_bot_behind_for_an_ordinary_user_either() {
    killed(stuck_match_of(new_match().as_ordinary_user()));
}

fn killed(arena: Arena) {
    let running = start(&arena);
    running.end();
    assert_eq!(arena.no_process_left(), Ok(()));
}

fn stopped_by(signal: Signal, code: i32) {
    let arena = stuck_match();
    let mut running = start(&arena);
    running.signal(signal);
    let run = running.finish(SOON).unwrap_or_else(|| panic!("the arena did not end soon after {signal}"));
    assert_eq!(run.code, Some(code), "{run:#?}");
    assert!(!run.stderr.contains("panicked at"), "{run:#?}");
    let result = run.json();
    assert!(result["winner"].is_null() && result["at_fault"].is_null(), "{result}");
    assert_eq!(result["reason"], "interrupted", "{result}");
    assert_eq!(arena.transcript("match.jsonl").last().expect("the transcript has lines")["reason"], "interrupted");
    assert_eq!(arena.no_process_left(), Ok(()));
}

/// A match in which seat 0 ends neither at the end of input nor at SIGTERM, and seat 1 never answers.
fn stuck_match() -> Arena {
    stuck_match_of(new_match())
}

fn new_match() -> Arena {
    Arena::new(["match", "othello", "--json", "--quiet", "--transcript", "match.jsonl"])
        .args("--seed 1 --move-time 60s --start-time 10s")
}

fn stuck_match_of(arena: Arena) -> Arena {
    let deaf = format!("ignore-eof --pid-file {}", arena.path("deaf.pid").display());
    arena.fixture("deaf", &deaf).fixture("silent", "silent")
}

/// Started, and both bots seen to run beside the arena.
fn start(arena: &Arena) -> Running {
    let mut running = arena.start();
    // A process that is about to become something else has the arguments of its parent, but not yet its name.
    let is_bot = |pid: &i32| std::fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name == "fixture\n");
    let bots = || with_marker(arena.marker()).iter().filter(|pid| is_bot(pid)).count();
    let both_run = || arena.path("deaf.pid").exists() && bots() == 2;
    let mut ended = None;
    wait_until(SOON, || {
        ended = running.finish(Duration::ZERO);
        ended.is_some() || both_run()
    });
    assert!(ended.is_none() && both_run(), "the bots did not both run: {ended:#?}");
    running
}
