//! The request that was answered wrongly, or not at all, is asked too.

use super::{debug, played};
use std::fs;
use tests::arena::{Arena, Run};
use tests::transcript::events;

/// A match in which the fixture `mine`, in seat 0, does this at its third request.
fn forfeited(words: &str) -> Arena {
    let bot = Arena::new(["games"]).fixture_command(&format!("{words} --at 3"));
    played("othello --seed 1 --move-time 300ms --stop-time 100ms", [&format!("mine={bot}"), "greedy"])
}

fn ask(arena: &Arena, words: &str) -> Run {
    debug(arena, &["m.jsonl", "--bot", &format!("mine={}", arena.fixture_command(words))])
}

#[test]
fn what_came_then_and_what_comes_now_is_said_of_each_fault() {
    for (words, reason, detail) in [
        ("illegal-move", "illegal", "is not allowed"),
        ("number-move", "malformed", "expected was"),
        ("broken-json", "malformed", "broken JSON"),
        ("silent", "timeout", "no answer"),
        ("exit 3", "crashed", "exited with code 3"),
        ("stray-flood", "flood", "printed over 1024 KiB"),
    ] {
        let arena = forfeited(words);
        let result = arena.transcript("m.jsonl").pop().expect("a result");
        assert_eq!(result["reason"], reason, "{words}: {result}");

        let good = ask(&arena, "good");
        assert_eq!(good.code, Some(1), "{words}: {good:#?}");
        assert!(good.stdout.contains("turn 4  X mine: DIFFERS\n   a b c"), "{words}: {good:#?}");
        assert!(good.stdout.contains(&format!("  then: {reason}")) && good.stdout.contains("\n  now: "), "{good:#?}");
        assert!(good.stdout.ends_with("1 of 3 answers differs: turn 4\n"), "{words}: {good:#?}");

        let same = ask(&arena, &format!("{words} --at 3"));
        assert_eq!(same.code, Some(0), "{words}: {same:#?}");
        assert!(same.stdout.contains(&format!("turn 4  X mine: {reason}")), "{words}: {same:#?}");
        assert!(same.stdout.contains(detail), "{words}: {same:#?}");
        assert!(same.stdout.ends_with("no difference in 3 answers\n"), "{words}: {same:#?}");
    }
}

#[test]
fn what_a_bot_said_on_stderr_is_shown_once() {
    let arena = forfeited("panic-with-trace");
    let same = ask(&arena, "panic-with-trace --at 3");
    assert!(same.stdout.contains("turn 4  X mine: crashed, as then"), "{same:#?}");
    assert_eq!(same.stdout.matches("the fixture fell over").count(), 1, "{same:#?}");
    // What it said then is told beside what it says now.
    let other = ask(&arena, "panic-with-trace --at 2");
    assert_eq!(other.stdout.matches("the fixture fell over").count(), 1, "{other:#?}");
    let good = ask(&arena, "good");
    assert_eq!(good.stdout.matches("the fixture fell over").count(), 1, "{good:#?}");
}

#[test]
fn a_bot_that_had_not_started_is_told_of_the_match_again() {
    let bot = Arena::new(["games"]).fixture_command("exit-before-ready 4");
    let arena = played("othello --seed 1", [&format!("mine={bot}"), "greedy"]);
    let run = ask(&arena, "exit-before-ready 4");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(
        run.stdout.contains("start:\n  then: no_start\n") && run.stdout.contains("\n  now: no_start\n"),
        "{run:#?}"
    );
    let run = ask(&arena, "good");
    assert_eq!(run.code, Some(1), "{run:#?}");
    assert!(run.stdout.contains("\n  now: ready\n") && run.stdout.ends_with("the start differs\n"), "{run:#?}");
}

#[test]
fn a_bot_that_does_not_flush_is_told_so() {
    let arena = forfeited("silent");
    let run = ask(&arena, "no-flush --at 3");
    assert!(run.stdout.contains("most likely it does not flush its output"), "{run:#?}");
}

#[test]
fn the_last_request_of_an_unfinished_match_is_asked_and_compared_with_nothing() {
    let arena = played("othello --seed 1", ["paper", "greedy"]);
    let text = fs::read_to_string(arena.path("m.jsonl")).expect("it was recorded");
    let kept = text.lines().take_while(|line| !line.contains("\"turn\":4,")).map(|line| format!("{line}\n"));
    arena.write("cut.jsonl", kept.collect::<String>());
    let run = debug(&arena, &["cut.jsonl", "--bot", "paper"]);
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.contains("turn 4  X paper: the last request\n"), "{run:#?}");
    assert!(run.stdout.contains("  then: nothing is on record\n  now: a3\n"), "{run:#?}");
    assert!(run.stdout.ends_with("to the last request the transcript has no answer to compare with\n"), "{run:#?}");
    // In the other seat nothing was open.
    let run = debug(&arena, &["cut.jsonl", "--bot", "greedy"]);
    assert!(run.stdout.ends_with("no difference in 2 answers\n"), "{run:#?}");
}

#[test]
fn ignored_parts_of_a_move_belong_to_the_answer() {
    let bot = Arena::new(["games"]).fixture_command("illegal-move");
    let arena = played("flip --seed 3 --param n=2 --param rounds=4", [&format!("mine={bot}"), "greedy"]);
    assert!(events(&arena.transcript("m.jsonl"), "invalid").count() > 0, "a flip was ignored");
    let run = ask(&arena, "illegal-move");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.contains("(ignored: part "), "{run:#?}");
    assert_eq!(debug(&arena, &["m.jsonl", "--bot", "mine=greedy"]).code, Some(1));
}

#[test]
fn after_a_forfeit_the_match_shows_the_command_that_asks_the_same_again() {
    let arena = Arena::new(["match", "othello", "--seed", "1", "--quiet", "--transcript", "m.jsonl"]);
    let arena = arena.args("--bot greedy").fixture("mine", "illegal-move --at 2");
    let run = arena.run();
    let command = run.stdout.lines().find_map(|line| line.strip_prefix("to ask it the same again: "));
    let command = command.unwrap_or_else(|| panic!("it is shown: {run:#?}"));
    let words = command.rsplit_once("arena debug ").expect("it is this command").1;
    assert!(words.ends_with(" --seat 1"), "{command}");
    let mut shell = std::process::Command::new("sh");
    shell.arg("-c").arg(command).current_dir("/");
    let again = shell.output().expect("a shell runs");
    let shown = String::from_utf8_lossy(&again.stdout);
    assert_eq!(again.status.code(), Some(0), "{shown}");
    assert!(shown.contains("mine: illegal, ") && shown.contains("as then"), "{shown}");
}

#[test]
fn a_bot_that_is_one_message_out_of_step_is_seen_to_be_in_both_directions() {
    let bot = Arena::new(["games"]).fixture_command("read-two-lines");
    let arena = played("othello --seed 1 --move-time 300ms --stop-time 100ms", [&format!("mine={bot}"), "greedy"]);
    let result = arena.transcript("m.jsonl").pop().expect("a result");
    assert_eq!(result["reason"], "timeout", "{result}");
    let bot = format!("mine={bot}");
    let run = debug(&arena, &["m.jsonl", "--bot", &bot, "--messages"]);
    let messages = run.stdout.lines().filter_map(|line| line.split_once(" ms "));
    let directions: String =
        messages.filter_map(|(_, rest)| rest.chars().next()).filter(|it| "<>".contains(*it)).collect();
    assert!(directions.starts_with("><>"), "{directions}: {run:#?}");
    assert!(run.stdout.contains(" bytes  {\"type\":\"turn\",\"turn\":0,"), "{run:#?}");
    assert!(run.stdout.contains("timeout") && run.code == Some(0), "{run:#?}");
}

#[test]
fn a_bot_that_ends_before_the_turn_that_was_asked_for_is_told_of() {
    let arena = played("othello --seed 1 --stop-time 100ms", ["mine=greedy", "paper"]);
    let bot = format!("mine={}", arena.fixture_command("exit 3 --at 2"));
    let run = debug(&arena, &["m.jsonl", "--bot", &bot, "--turn", "6"]);
    assert_eq!(run.code, Some(1), "{run:#?}");
    assert!(run.stdout.contains("  now: crashed\n") && run.stdout.contains("turn 6 was not reached\n"), "{run:#?}");
}
