//! Whose fault is a late answer: on a core that four busy strangers share, a bot is charged for what it computes, and for
//! nothing else, whoever the arena runs as; and no bot gains by looking starved.

use serde_json::Value;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tests::arena::Arena;
use tests::strangers::Strangers;

/// Who the arena runs as, and where the times come from then.
#[derive(Clone, Copy)]
enum User {
    Whoever,
    Ordinary,
}

/// A match on the crowded core with 50 ms a move; the first bot is the one that is looked at.
fn play(user: User, core: usize, first: &str, second: &str) -> (Value, Vec<Value>) {
    let arguments =
        ["match", "othello", "--json", "--quiet", "--seed", "1", "--move-time", "50ms", "--transcript", "match.jsonl"];
    let arena = Arena::new(arguments).args(&format!("--cores {core}")).within(Duration::from_secs(50));
    let arena = match user {
        User::Whoever => arena,
        User::Ordinary => arena.as_ordinary_user(),
    };
    let arena = arena.fixture("first", first).fixture("second", second);
    let result = arena.run().json();
    (result, arena.transcript("match.jsonl"))
}

/// The tests share the core: each is to meet four strangers, and no more.
fn one_at_a_time() -> MutexGuard<'static, ()> {
    static CORE: Mutex<()> = Mutex::new(());
    CORE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn core() -> usize {
    *arena::transport::cores::allowed().last().expect("there is a core")
}

fn at_fault(result: &Value) -> (&str, Option<u64>) {
    (result["reason"].as_str().expect("a result has a reason"), result["at_fault"].as_u64())
}

fn finishes_with_time_to_spare(user: User) {
    let _alone = one_at_a_time();
    let core = core();
    let _strangers = Strangers::on_core(core, 4);
    // 30 ms of processor time of 50 take about 150 ms by the wall here: three times the limit.
    let (result, transcript) = play(user, core, "burn-cpu 30", "good");
    assert_eq!(at_fault(&result), ("finished", None), "{result}");
    let moves = transcript.iter().filter(|event| event["type"] == "move" && event["seat"] == 0);
    let longest = moves.clone().filter_map(|event| event["took_us"].as_u64()).max().expect("there are moves");
    assert!(longest > 50_000, "the strangers took no time from it: {longest} µs");
    for event in moves {
        assert!(event["stalled_us"].is_u64() && event["cpu_us"].is_u64() && event["arena_us"].is_u64(), "{event}");
    }
}

fn is_late_with_more_than_its_limit(user: User) {
    let _alone = one_at_a_time();
    let core = core();
    let _strangers = Strangers::on_core(core, 4);
    let (result, _) = play(user, core, "burn-cpu 60", "good");
    assert_eq!(at_fault(&result), ("timeout", Some(0)), "{result}");
}

fn gains_nothing_by_looking_starved(user: User) {
    let _alone = one_at_a_time();
    let core = core();
    let _strangers = Strangers::on_core(core, 4);
    // With many busy threads, or at a lower priority than it was started with, waiting is its own doing.
    for word in ["spin-threads 64", "renice", "sched-idle"] {
        let (result, _) = play(user, core, &format!("{word} --burn 60"), "good");
        assert_eq!(at_fault(&result), ("timeout", Some(0)), "{word}: {result}");
    }
}

fn rival_gains_nothing_by_computing_in_its_turn(user: User) {
    let _alone = one_at_a_time();
    let core = core();
    let (result, _) = play(user, core, "burn-cpu 30", "spin-in-rivals-turn");
    assert_eq!(at_fault(&result), ("finished", None), "{result}");
    // It is stopped while the other thinks; left alone it would have used as much as the other.
    let cpu = |seat: usize| result["cpu_us"][seat].as_u64().expect("the system tells");
    assert!(cpu(1) < cpu(0) / 2, "it computed in its rival's turn: {result}");
}

#[test]
fn a_bot_that_needs_less_than_its_limit_finishes_on_a_crowded_core() {
    finishes_with_time_to_spare(User::Whoever);
}

#[test]
fn so_it_does_when_the_arena_runs_as_an_ordinary_user() {
    finishes_with_time_to_spare(User::Ordinary);
}

#[test]
fn a_bot_that_needs_more_than_its_limit_is_late() {
    is_late_with_more_than_its_limit(User::Whoever);
    is_late_with_more_than_its_limit(User::Ordinary);
}

#[test]
fn looking_starved_gains_nothing() {
    gains_nothing_by_looking_starved(User::Whoever);
    gains_nothing_by_looking_starved(User::Ordinary);
}

#[test]
fn computing_in_the_rivals_turn_gains_nothing() {
    rival_gains_nothing_by_computing_in_its_turn(User::Whoever);
    rival_gains_nothing_by_computing_in_its_turn(User::Ordinary);
}
