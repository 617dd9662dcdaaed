//! `arena debug`: the requests of a recorded match are put to a bot again. What it is sent is what was sent then, byte for
//! byte; what it answers otherwise is shown.

mod cup;
mod forfeits;
mod play_on;

use serde_json::{Value, json};
use std::fs;
use tests::arena::{Arena, Run};
use tests::binaries;

/// Matches of every game, under all conditions that show in what bots are told, with the commands of both bots.
const MATCHES: [(&str, [&str; 2]); 9] = [
    ("othello --seed 1", ["paper", "greedy"]),
    ("othello --seed 12 --param size=4 --param opening=2 --game-time 10s --increment 5ms", ["random", "paper"]),
    ("othello --seed 3 --param size=10 --param opening=20 --thinking any", ["greedy", "random"]),
    ("offset --seed 4 --param size=10 --hints", ["greedy", "random"]),
    ("offset --seed 5 --param size=6 --param d=5 --param opening=2 --game-time 1m", ["random", "greedy"]),
    ("notipping --seed 7 --param k=4 --hints", ["notipping-random", "greedy"]),
    ("notipping --seed 8 --param k=3 --param opening=2 --no-limits", ["random", "random"]),
    ("flip --seed 9 --param rounds=4 --game-time 20s", ["greedy", "random"]),
    ("flip --seed 11 --param n=7 --param rounds=3 --move-time 1500ms", ["random", "greedy"]),
];

/// A match whose transcript lies in `m.jsonl`.
fn played(words: &str, bots: [&str; 2]) -> Arena {
    let arena = Arena::new(["match"]).args(words).args("--json --quiet --transcript m.jsonl");
    let arena = bots.iter().fold(arena, |arena, bot| arena.arg("--bot").arg(*bot));
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{words}: {run:#?}");
    arena
}

fn debug(arena: &Arena, words: &[&str]) -> Run {
    let run = arena.also_words(&[&["debug"], words].concat());
    assert!(!run.stderr.contains("panicked"), "{run:#?}");
    run
}

#[test]
fn a_bot_that_is_the_same_answers_the_same_in_every_game() {
    for (words, bots) in MATCHES {
        let arena = played(words, bots);
        for (seat, bot) in bots.iter().enumerate() {
            let run = debug(&arena, &["m.jsonl", "--bot", bot, "--seat", &seat.to_string()]);
            assert_eq!((run.code, run.complaints().as_str()), (Some(0), ""), "{words}: {run:#?}");
            let moves = arena.transcript("m.jsonl").into_iter();
            let moves = moves.filter(|line| line["type"] == "move" && line["seat"] == seat).count();
            assert!(run.stdout.contains(&format!("\nno difference in {moves} answer")), "{words}: {run:#?}");
            assert_eq!(run.stdout.matches(", as then\n").count(), moves, "{words}: {run:#?}");
        }
    }
}

#[test]
fn what_is_sent_is_what_was_sent_in_the_match_byte_for_byte() {
    for (words, bots) in MATCHES {
        let folder = Arena::new(["games"]);
        let script = folder.write("tee.sh", "tee \"$1\" | \"$2\"\n").display().to_string();
        let log = |name: &str| folder.path(name).display().to_string();
        let command = |name: &str, bot: &str| {
            format!("{name}=sh '{script}' '{}' '{}'", log(name), binaries::program(bot).display())
        };
        let arena = played(words, [&command("a", bots[0]), &command("b", bots[1])]);
        for (seat, name) in ["a", "b"].iter().enumerate() {
            let again = format!("{name}-again");
            let bot = command(&again, bots[seat]);
            let run = debug(&arena, &["m.jsonl", "--bot", &bot, "--seat", &seat.to_string()]);
            assert_eq!(run.code, Some(0), "{words}: {run:#?}");
            let sent = |name: &str| fs::read_to_string(log(name)).expect("the bot has written it");
            assert!(sent(name).lines().count() > 3 && sent(name).contains("\"type\":\"end\""), "{}", sent(name));
            assert_eq!(sent(&again), sent(name), "{words}, seat {seat}");
        }
    }
}

#[test]
fn answers_that_differ_are_shown_with_the_board_of_the_first() {
    let arena = played("othello --seed 1", ["paper", "greedy"]);
    let other = "paper --rules corner,avoid,most,edge";
    let run = debug(&arena, &["m.jsonl", "--bot", other]);
    assert_eq!((run.code, run.complaints().as_str()), (Some(1), ""), "{run:#?}");
    let first = "\
turn 4  X paper: DIFFERS
   a b c d e f
 1 . . . . . . 1
 2 . . X[O]* . 2  X Black      3
 3 * . O O * . 3  O White      5
 4 * O X O * . 4    empty      28
 5 . . X . . . 5    last move  d2
 6 . . . . . . 6
   a b c d e f
Black to move
  then: a3
  now: e4
turn 6  X paper: e3, as then
turn 8  X paper: DIFFERS
  then: c1
  now: d1
";
    assert!(run.stdout.contains(first), "{}", run.stdout);
    assert!(run.stdout.ends_with("2 of 17 answers differ: turns 4, 8\n"), "{}", run.stdout);

    let run = debug(&arena, &["m.jsonl", "--bot", other, "--json"]);
    let lines: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 3, "{run:#?}");
    let expected = json!({
        "type": "changed", "match": "othello-paper-greedy-1", "turn": 4, "seat": 0,
        "old": {"move": "a3", "ignored": []}, "new": {"move": "e4", "ignored": []},
    });
    assert_eq!(lines[0], expected);
    assert_eq!(lines[2], json!({"type": "summary", "match": "othello-paper-greedy-1", "asked": 17, "changed": 2}));
    assert!(run.stderr.contains("DIFFERS"), "what is for people goes to stderr\n{}", run.stderr);
}

#[test]
fn the_seat_is_found_by_name_then_by_command_else_it_is_guessed_aloud() {
    let arena = played("othello --seed 1", ["first=greedy", "second=paper"]);
    let asked = |bot: &str| {
        let run = debug(&arena, &["m.jsonl", "--bot", bot]);
        (run.stdout.lines().nth(1).unwrap_or_default().to_string(), run.complaints())
    };
    assert_eq!(asked("second=random").0, "second is asked what second was, in seat 1: 16 requests");
    assert_eq!(asked("paper"), ("paper is asked what second was, in seat 1: 16 requests".to_string(), String::new()));
    let (line, note) = asked("random");
    assert_eq!(line, "random is asked what first was, in seat 0: 16 requests");
    assert!(note.starts_with("note: random is neither first nor second by name or command: "), "{note}");
}

#[test]
fn a_turn_can_be_gone_to_straight_and_what_comes_before_is_sent_all_the_same() {
    let arena = played("othello --seed 1", ["paper", "greedy"]);
    // It misbehaves at the third request of its process.
    let bot = arena.fixture_command("illegal-move --at 3");
    let run = debug(&arena, &["m.jsonl", "--bot", &bot, "--seat", "0", "--turn", "4"]);
    assert_eq!(run.code, Some(1), "{run:#?}");
    assert!(!run.stdout.contains("turn 2  X"), "{}", run.stdout);
    assert!(run.stdout.contains("before turn 4:\n   a b c d e f\n"), "{}", run.stdout);
    assert!(run.stdout.contains("  then: a3\n  now: illegal, "), "{}", run.stdout);
    assert!(run.stdout.ends_with("1 of 1 answer differs: turn 4\n"), "{}", run.stdout);

    let run = debug(&arena, &["m.jsonl", "--bot", "paper", "--turn", "3"]);
    assert_eq!(run.code, Some(2), "{run:#?}");
    assert!(
        run.stderr.contains("--turn 3: turn 3 was seat 1's (--seat 1); seat 0 was asked in turns: 0, 2, 4"),
        "{run:#?}"
    );
    let run = debug(&arena, &["m.jsonl", "--bot", "paper", "--turn", "99"]);
    assert!(run.code == Some(2) && run.stderr.contains("has no turn 99"), "{run:#?}");
}

#[test]
fn without_limits_a_bot_may_take_as_long_as_it_likes_and_is_told_the_same() {
    let arena = played("othello --seed 1 --param size=4 --move-time 200ms", ["mine=greedy", "paper"]);
    let slow = format!("mine={}", arena.fixture_command("sleep 600 --at 2"));
    let run = debug(&arena, &["m.jsonl", "--bot", &slow]);
    assert_eq!(run.code, Some(1), "{run:#?}");
    assert!(run.stdout.contains("\n  now: timeout\n"), "{}", run.stdout);
    assert!(run.stdout.contains("further requests were not asked: the bot cannot go on\n"), "{}", run.stdout);
    let slow = format!("mine={}", arena.fixture_command("sleep 600 --at 2 --echo"));
    let run = debug(&arena, &["m.jsonl", "--bot", &slow, "--no-limits"]);
    assert!(run.stdout.contains(" requests, without limits on time\n"), "{}", run.stdout);
    assert!(!run.stdout.contains("timeout") && run.stdout.contains("answers"), "{}", run.stdout);
    assert!(run.stdout.contains(r#""limit_ms":200,"move_ms":200"#), "{}", run.stdout);
}

#[test]
fn what_a_bot_says_besides_is_shown_and_stays_text() {
    let arena = played("othello --seed 1 --param size=4", ["paper", "greedy"]);
    arena.write("evil.sh", "printf '\\033[2Jgot you\\n' >&2\necho hello\nexec \"$1\"\n");
    let bot = format!("paper=sh evil.sh '{}'", binaries::program("paper").display());
    let run = debug(&arena, &["m.jsonl", "--bot", &bot]);
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.contains("  paper stderr: \\u{1b}[2Jgot you\n"), "{}", run.stdout);
    assert!(run.stdout.contains("  paper on stdout, no answer:\n    hello\n"), "{}", run.stdout);
    assert!(!run.stdout.contains('\u{1b}'));
}

#[test]
fn what_cannot_be_asked_is_said_before_anything_is_started() {
    let arena = played("othello --seed 1 --param size=4", ["paper", "greedy"]);
    for (words, said) in [
        (&["m.jsonl", "--bot", "human"][..], "a person is not asked again"),
        (&["nothing.jsonl", "--bot", "paper"], "nothing.jsonl: there is no such file"),
        (&["m.jsonl", "--bot", "papre"], "papre"),
        (&["m.jsonl", "--bot", "paper", "--seat", "2"], "a seat is 0 or 1"),
        (&["m.jsonl", "--bot", "paper", "--from-turn", "2"], "--play-on"),
        (&["m.jsonl", "--bot", "paper", "--play-on", "--from-turn", "2"], "--against"),
        (&["m.jsonl", "--bot", "paper", "--wrap", "no-such-debugger"], "no-such-debugger"),
        (&["m.jsonl", "--bot", "paper", "--wrap", "'gdb"], "a quote that is not closed"),
        (&["m.jsonl", "--bot", "paper", "--wrap", "jdb"], "does not start with java"),
        (&["m.jsonl", "--bot", "paper", "--wrap", "python3 -m pdb"], "names no Python script"),
        (&["--bot", "paper"], "TRANSCRIPT"),
    ] {
        let run = debug(&arena, words);
        assert_eq!(run.code, Some(2), "{words:?}: {run:#?}");
        assert!(run.stderr.contains(said), "{said}: {run:#?}");
    }
}

#[test]
fn nothing_is_left_of_a_bot_that_was_asked() {
    let arena = played("othello --seed 1 --param size=4", ["paper", "greedy"]);
    let bot = arena.fixture_command("helper-child");
    debug(&arena, &["m.jsonl", "--bot", &bot, "--seat", "0"]);
    arena.no_process_left().unwrap();
}
