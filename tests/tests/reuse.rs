//! Bots that say that they can play further matches: which process plays the second one.

use serde_json::{Value, json};
use tests::arena::Arena;
use tests::transcript::{essence, heard};

/// Both matches of a pair; the process ids of the bot named `mine` in the first and in the second, and their results.
struct Pair {
    arena: Arena,
    pids: [u32; 2],
    results: [Value; 2],
}

fn play(word: &str) -> Pair {
    let words = "match othello --json --quiet --seed 1 --swap-too --move-time 2s --start-time 2s --stop-time 300ms";
    let arena = Arena::new(words.split(' ')).args("--transcript m.jsonl");
    let arena = arena.fixture("mine", &format!("{word} --echo")).args("--bot greedy");
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{word}: {run:#?}");
    let results: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let results: [Value; 2] = results.try_into().unwrap_or_else(|_| panic!("{word}: not two lines: {run:#?}"));
    let started = |name: &str, seat: u64| {
        let starts = heard(&arena.transcript(name), seat);
        starts.iter().find(|(_, message)| message["type"] == "start").map(|(pid, message)| (*pid, message.clone()))
    };
    let first = started("m.jsonl", 0).unwrap_or_else(|| panic!("{word}: no start was heard in the first match"));
    // A process that went in between has heard nothing more.
    let second = started("m-swapped.jsonl", 1).unwrap_or((first.0, json!({"seat": 1, "match": results[1]["id"]})));
    assert_eq!((&first.1["seat"], &second.1["seat"]), (&json!(0), &json!(1)), "{word}");
    assert_eq!((&first.1["match"], &second.1["match"]), (&results[0]["id"], &results[1]["id"]), "{word}");
    assert_eq!(arena.no_process_left(), Ok(()), "{word}");
    let verified = arena.also("verify m.jsonl m-swapped.jsonl");
    assert_eq!(verified.code, Some(0), "{word}: {verified:#?}");
    Pair { arena, pids: [first.0, second.0], results }
}

#[test]
fn a_bot_that_can_be_reused_plays_both_matches_in_one_process() {
    for word in ["good --reuse", "echo-match --reuse", "crlf --reuse"] {
        let pair = play(word);
        assert_eq!(pair.results.each_ref().map(|result| &result["reason"]), ["finished", "finished"], "{word}");
        assert_eq!(pair.pids[0], pair.pids[1], "{word}");
    }
}

#[test]
fn a_bot_that_does_not_say_so_gets_a_new_process() {
    let pair = play("good");
    assert_eq!(pair.results.each_ref().map(|result| &result["reason"]), ["finished", "finished"]);
    assert_ne!(pair.pids[0], pair.pids[1]);
}

#[test]
fn reuse_changes_nothing_in_what_is_played() {
    let (reused, fresh) = (play("good --reuse"), play("good"));
    for name in ["m.jsonl", "m-swapped.jsonl"] {
        assert_eq!(essence(&reused.arena.transcript(name)), essence(&fresh.arena.transcript(name)), "{name}");
    }
}

/// The next start does not wait for what a bot may do after `end`; so what it still does is either seen in time, and it
/// gets a new process, or it counts as done in the next match.
#[test]
fn what_a_bot_does_between_two_matches_is_never_taken_for_a_move() {
    let pair = play("reuse-dirty --reuse");
    assert_eq!(pair.results.each_ref().map(|result| &result["reason"]), ["finished", "finished"]);
    let second = pair.arena.transcript("m-swapped.jsonl");
    // What it leaves after the second `end` belongs to the second match, whichever process it is.
    let opening = second.iter().take_while(|event| event["type"] != "move");
    let stale = opening.filter(|event| event["type"] == "stale" && event["seat"] == 1).count();
    assert_eq!(stale, usize::from(pair.pids[0] == pair.pids[1]));

    let pair = play("reuse-crash-between --reuse");
    assert_eq!(pair.results[0]["reason"], "finished");
    let second = &pair.results[1];
    if pair.pids[0] == pair.pids[1] {
        assert_eq!((&second["reason"], &second["at_fault"]), (&json!("no_start"), &json!(1)), "{second}");
    } else {
        assert_eq!(second["reason"], "finished", "{second}");
    }
}

#[test]
fn after_a_fault_of_its_own_a_bot_gets_a_new_process() {
    for (word, reason) in [
        ("illegal-move --seat 0 --reuse", "illegal"),
        ("broken-json --seat 0 --reuse", "malformed"),
        ("silent --seat 0 --reuse", "timeout"),
        ("late-then-ok --at 5 --seat 0 --reuse", "timeout"),
    ] {
        let pair = play(word);
        assert_eq!(pair.results.each_ref().map(|result| &result["reason"]), [reason, "finished"], "{word}");
        assert_ne!(pair.pids[0], pair.pids[1], "{word}");
    }
}

#[test]
fn a_bot_that_does_not_hear_its_second_start_forfeits_that_match_only() {
    let pair = play("reuse-deaf");
    assert_eq!(pair.results[0]["reason"], "finished");
    let second = &pair.results[1];
    assert_eq!((&second["reason"], &second["at_fault"], &second["winner"]), (&json!("no_start"), &json!(1), &json!(0)));
    assert_eq!(pair.pids[0], pair.pids[1]);
}
