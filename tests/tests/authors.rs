//! What goes wrong most often for authors of bots, as far as it is no row of another file: what they are told, in either
//! seat, and that it is enough to find the cause.

use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};
use tests::arena::{Arena, Run};
use tests::binaries;
use tests::transcript::{essence, events, transcript};

const FILE: &str = "m.jsonl";

/// The fixture with this word in this seat, against a bundled bot.
fn play(words: &str, fixture: &str, seat: u64) -> (Arena, Run) {
    let arena = Arena::new(["match", "othello", "--json", "--quiet", "--seed", "1", "--transcript", FILE]).args(words);
    let arena = match seat {
        0 => arena.fixture("mine", fixture).args("--bot paper"),
        _ => arena.args("--bot paper").fixture("mine", fixture),
    };
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{fixture} in seat {seat}: {run:#?}");
    (arena, run)
}

#[test]
fn text_on_stdout_is_quoted_once_with_where_it_belongs() {
    for (word, quoted) in [("banner", "fixture"), ("debug-lines", "thinking about turn")] {
        for seat in [0, 1] {
            let (arena, run) = play("", word, seat);
            let notes: Vec<&str> = run.stderr.lines().filter(|line| line.contains("no answer on stdout")).collect();
            assert_eq!(notes.len(), 1, "{word}: {}", run.stderr);
            let says = ["mine", "stderr", quoted];
            assert!(says.iter().all(|part| notes[0].to_lowercase().contains(part)), "{word}: {notes:?}");
            assert!(events(&arena.transcript(FILE), "stray").all(|line| line["seat"] == seat), "{word}");
        }
    }
}

#[test]
fn a_late_answer_is_told_with_its_delay_and_is_no_move() {
    for seat in [0, 1] {
        let (arena, run) = play("--move-time 300ms", "late-then-ok --at 5", seat);
        let result = run.json();
        assert_eq!((&result["reason"], &result["at_fault"]), (&json!("timeout"), &json!(seat)), "{result}");
        let detail = result["detail"].as_str().unwrap_or_default();
        assert!(detail.contains("an answer came ") && detail.contains("ms after its stdin was closed"), "{detail}");
        let lines = arena.transcript(FILE);
        assert_eq!(events(&lines, "move").filter(|line| line["seat"] == seat).count(), 4, "the fifth was late");
    }
}

/// With limits of an hour, a run that is done at all was not waited for.
#[test]
fn a_crash_is_told_when_it_happens_and_not_at_the_limit() {
    let rows = [
        ("panic-with-trace --at 3", "crashed", "the fixture fell over"),
        ("panic-with-trace --at launch", "no_start", "the fixture fell over"),
        ("signal 11 --at 3", "crashed", "SIGSEGV"),
        ("close-stdout --at 3", "crashed", "clos"),
    ];
    for (word, reason, says) in rows {
        for seat in [0, 1] {
            let (_, run) = play("--start-time 1h --move-time 1h --stop-time 200ms", word, seat);
            let result = run.json();
            assert_eq!((&result["reason"], &result["at_fault"]), (&json!(reason), &json!(seat)), "{word}: {result}");
            assert!(result["detail"].as_str().is_some_and(|detail| detail.contains(says)), "{word}: {result}");
            assert!(run.stderr.contains(says), "{word} is told on the screen too: {}", run.stderr);
        }
    }
}

#[test]
fn of_endless_output_the_transcript_keeps_the_head() {
    for word in ["endless-line", "endless-lines", "stray-flood", "padded 70000", "blank-lines 10001"] {
        for seat in [0, 1] {
            let (arena, run) = play("", word, seat);
            assert_eq!(run.json()["reason"], "flood", "{word}: {run:#?}");
            let bytes = fs::metadata(arena.path(FILE)).expect("it was written").len();
            assert!(bytes < 1 << 20, "{word}: {bytes} bytes");
        }
    }
}

#[test]
fn a_source_that_is_newer_than_what_was_built_is_told() {
    let arena = Arena::new(["games"]);
    let bot = format!("exec '{}'\n", binaries::program("greedy").display());
    arena.write("mine/bot.toml", "build = [\"true\"]\nrun = [\"sh\", \"target/bot.sh\"]\ngames = [\"othello\"]\n");
    let age = |path: PathBuf, seconds: u64| {
        let time = SystemTime::now() - Duration::from_secs(seconds);
        fs::File::options().append(true).open(path).and_then(|file| file.set_modified(time)).expect("it is ours");
    };
    age(arena.write("mine/target/bot.sh", bot), 1000);
    let source = arena.write("mine/src/Othello.java", "class Othello {}");
    let told = |command: &str| {
        let run = arena.also(command);
        assert_eq!(run.code, Some(0), "{run:#?}");
        run.stderr.matches("note: mine: src/Othello.java is newer than target/bot.sh: build it with `true`\n").count()
    };
    let commands = [
        "match othello --seed 1 --quiet --json --bot ./mine --bot paper --transcript m.jsonl",
        "check --bot ./mine --isolation none --json",
        "debug m.jsonl --bot ./mine --json",
    ];
    for command in commands {
        assert_eq!(told(command), 1, "{command}");
    }
    let cup = "tournament run --game othello --param opening=4 --bot ./mine --bot paper --out cup --isolation none";
    assert_eq!(told(cup), 0, "cups build");
    // What is older, is no source, or is built into no bot, is nothing to tell.
    age(source, 2000);
    for other in ["data.txt", "tests/Test.java", ".hidden.java", "node_modules/x.ts", "target/Made.java"] {
        arena.write(&format!("mine/{other}"), "new");
    }
    let run = arena.also(commands[2]);
    assert!(run.code == Some(0) && !run.stderr.contains("newer"), "{run:#?}");
}

#[test]
fn the_seed_in_a_cups_table_plays_the_match_again() {
    let arena = Arena::new("tournament run --out cup --game othello --param size=4 --param opening=2".split(' '));
    let arena = arena.args("--seed 9007199254740991 --pairs 2 --bot random --bot greedy");
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    let mut rows = csv::Reader::from_path(arena.path("cup/matches.csv")).expect("the table is there");
    let rows: Vec<std::collections::BTreeMap<String, String>> =
        rows.deserialize().collect::<Result<_, _>>().expect("the table can be read");
    assert_eq!(rows.len(), 4);
    for row in rows {
        let played = transcript(&arena.path(&format!("cup/{}", row["transcript"])));
        assert_eq!(played[0]["seed"], row["seed"].parse::<u64>().map(Value::from).expect("a number"));
        let again = format!("again-{}.jsonl", row["id"]);
        let [seed, first, second] = ["seed", "first", "second"].map(|column| &row[column]);
        let match_ = arena.also(&format!(
            "match othello --param size=4 --param opening=2 --quiet --seed {seed} --bot {first} --bot {second} \
             --transcript {again}"
        ));
        assert_eq!(match_.code, Some(0), "{match_:#?}");
        assert_eq!(essence(&arena.transcript(&again)), essence(&played), "{}", row["id"]);
    }
}
