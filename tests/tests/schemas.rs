//! The published JSON Schemas: they are what the code makes, whatever is sent and recorded is valid, and what is no
//! message is not.

use arena::games::{self, bundled_bots};
use jsonschema::Validator;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use tests::arena::Arena;
use tests::binaries::{self, repository};
use tests::schemas;
use tests::traffic::{lines, recorded};

/// Nobody is late on a busy machine.
const TIMES: &str = "--start-time 60s --move-time 20s";

const GAMES: [&str; 4] = ["othello", "offset", "notipping", "flip"];

#[test]
fn the_files_are_what_the_code_makes() {
    let mut made = schemas::files();
    made.sort();
    for ((path, text), (made_path, made_text)) in published().iter().zip(&made) {
        let same = (path, text) == (made_path, made_text);
        assert!(same, "{}/{path} is not what the code makes: run `{}`", schemas::FOLDER, schemas::COMMAND);
    }
    assert_eq!(published().len(), made.len(), "run `{}`", schemas::COMMAND);
}

#[test]
fn every_game_has_schemas() {
    let files = published();
    for game in games::GAMES.iter().map(|game| game.info().id) {
        assert!(files.iter().any(|(path, _)| *path == format!("{game}/turn.json")), "{game}: see `tests/src/schemas`");
        assert!(GAMES.contains(&game), "{game} is not tried here");
    }
}

/// Whole matches: what is played, and the fixture's word or a bot that needs no hints. Between them every kind of message and of line comes up.
const MATCHES: &[(&str, &str)] = &[
    ("othello --param size=4 --game-time 60s --increment 100ms", "note"),
    ("othello --param size=8 --param opening=4 --no-limits --thinking any", "echo-match"),
    ("othello --param size=10", "debug-lines"),
    ("othello", "extra-keys --reuse"),
    ("offset --param size=6 --param d=5 --hints", "double-answer"),
    ("offset --param size=8 --param d=7 --param opening=2 --game-time 60s", "greedy"),
    ("notipping --param k=3 --hints --game-time 60s", "note"),
    ("notipping --param k=5 --param opening=2", "greedy"),
    ("flip --param n=2 --param rounds=6 --game-time 60s", "greedy"),
    // Ends with a fault, after flips that were ignored.
    ("flip --param rounds=6", "illegal-move"),
    ("othello --param size=6 --param opening=2", "stderr-bad-utf8"),
];

#[test]
fn all_that_is_sent_said_and_recorded_is_valid() {
    let mut kinds = BTreeSet::new();
    for (words, bot) in MATCHES {
        let game = words.split(' ').next().expect("a game");
        let (strict, open) = (Schemas::of(game, true), Schemas::of(game, false));
        for seat in [0, 1] {
            let arena = play(words, bot, seat);
            let mut faults = Vec::new();
            for name in ["tried", "random"] {
                let [sent, said] = lines(&arena, name);
                for line in &sent {
                    let kind = kind(line).unwrap_or_else(|| panic!("{words}: {line} has no type"));
                    faults.extend(strict.faults(&kind, line).into_iter().map(|fault| format!("{fault}\n{line}")));
                    kinds.insert(format!("{game} {kind}"));
                }
                // What is no message is stray.
                for line in said.iter().filter(|line| line.starts_with('{')) {
                    let kind = kind(line).unwrap_or_else(|| "move".to_string());
                    kinds.insert(format!("{game} {kind} said"));
                    let illegal = *bot == "illegal-move" && kind == "move" && name == "tried";
                    let found = if illegal { Vec::new() } else { open.faults(&kind, line) };
                    faults.extend(found.into_iter().map(|fault| format!("{fault}\n{line}")));
                }
            }
            faults.extend(transcript_faults(&arena, "m.jsonl", &strict, &mut kinds));
            assert!(faults.is_empty(), "{words}, {bot} in seat {seat}:\n{}", faults.join("\n"));
        }
    }
    for game in GAMES {
        for kind in ["start", "turn", "end", "ready said", "move said"] {
            assert!(kinds.contains(&format!("{game} {kind}")), "{game}: no {kind} in {kinds:?}");
        }
    }
    for kind in ["match", "ready", "move", "pass", "invalid", "stray", "stale", "stderr", "fault", "result"] {
        assert!(kinds.contains(&format!("line {kind}")), "no line of type {kind}: {kinds:?}");
    }
}

#[test]
fn a_match_that_goes_on_from_another_and_one_of_a_person_are_valid() {
    let strict = Schemas::of("othello", true);
    let mut kinds = BTreeSet::new();
    let arena = play("othello", "good", 0);
    let run = arena.also_words(&[
        "debug",
        "m.jsonl",
        "--from-turn",
        "6",
        "--play-on",
        "--bot",
        "paper",
        "--seat",
        "0",
        "--against",
        "greedy",
        "--transcript",
        "n.jsonl",
        "--json",
    ]);
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert_eq!(transcript_faults(&arena, "n.jsonl", &strict, &mut kinds), Vec::<String>::new());
    assert!(kinds.contains("line replayed"), "{kinds:?}");
    // Nothing can be read from this person, so the match is void.
    let run = arena.also("match othello --bot human --bot paper --quiet --transcript h.jsonl");
    assert_eq!(run.code, Some(1), "{run:#?}");
    assert_eq!(transcript_faults(&arena, "h.jsonl", &strict, &mut kinds), Vec::<String>::new());
    assert_eq!(arena.transcript("h.jsonl").last().expect("a result")["reason"], "interrupted");
}

/// What no schema of a move takes, in every game.
const BROKEN: &[&str] = &[
    "broken-json",
    "wrong-type",
    "no-turn",
    "text-turn",
    "no-move",
    "empty-object",
    "python-dict",
    "trailing-text",
    "two-in-a-line",
    "bad-utf8",
    "nul-byte",
    "deep-json",
    "nan",
    "infinity",
    "1e999",
    "number-move",
    "fraction-move",
    "huge-number-move",
    "null-move",
];

#[test]
fn what_is_no_message_is_not_valid() {
    let mut taken = Vec::new();
    for game in GAMES {
        let open = Schemas::of(game, false);
        // In Flip a piece's new place outside the table is an answer: the flip is ignored.
        let off_board = (game != "flip").then_some("off-board");
        for word in BROKEN.iter().copied().chain(off_board) {
            let arena = play(game, word, 0);
            let at_fault = arena.transcript("m.jsonl").last().expect("a result")["at_fault"] == 0;
            assert!(at_fault, "{game}, {word}: the arena takes it");
            let last = last_said(&arena);
            if open.faults("move", &last).is_empty() {
                taken.push(format!("{game}, {word}: {last}"));
            }
        }
    }
    for word in ["broken-json --at ready", "wrong-type --at ready", "empty-object --at ready"] {
        let last = last_said(&play("othello", word, 0));
        if Schemas::of("othello", false).faults("ready", &last).is_empty() {
            taken.push(format!("{word}: {last}"));
        }
    }
    assert!(taken.is_empty(), "the schemas take what the arena does not:\n{}", taken.join("\n"));
}

#[test]
fn new_keys_are_allowed_and_known_ones_are_checked() {
    let open = Schemas::of("othello", false);
    let said = json!({"turn": 4, "move": "b3", "depth": 7});
    assert_eq!(open.faults("move", &said.to_string()), Vec::<String>::new());
    for wrong in [json!({"turn": -1, "move": "b3"}), json!({"turn": 4, "move": "b3", "match": 1}), json!([said])] {
        assert!(!open.faults("move", &wrong.to_string()).is_empty(), "{wrong}");
    }
    let strict = Schemas::of("othello", true);
    assert!(!strict.faults("move", &said.to_string()).is_empty(), "what is sent is held to the keys that are known");
    let flip = Schemas::of("flip", false);
    let both = json!({"turn": 0, "move": [{"piece": 0, "to": [1.0, 2.0], "angle": 0.5}]});
    assert!(!flip.faults("move", &both.to_string()).is_empty(), "one of them, not both");
}

/// Plays a bundled bot, or the fixture with this word, in this seat against one that plays at random; both are recorded.
fn play(words: &str, bot: &str, seat: usize) -> Arena {
    let arena = Arena::new(["match", "--quiet", "--seed", "1", "--transcript", "m.jsonl"]).args(TIMES).args(words);
    let program = |bot: &str| binaries::program(bot).display().to_string();
    let command = if bundled_bots().contains(&bot) { program(bot) } else { arena.fixture_command(bot) };
    let mut bots = [recorded(&arena, "tried", &command), recorded(&arena, "random", &program("random"))];
    bots.rotate_left(seat);
    let arena = bots.into_iter().fold(arena, |arena, bot| arena.arg("--bot").arg(bot));
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{words}: {run:#?}");
    arena
}

fn last_said(arena: &Arena) -> String {
    let [_, said] = lines(arena, "tried");
    said.last().expect("it said something").clone()
}

fn kind(line: &str) -> Option<String> {
    serde_json::from_str::<Value>(line).ok()?["type"].as_str().map(str::to_string)
}

/// What is wrong with the lines of a transcript; notes which types there are.
fn transcript_faults(arena: &Arena, file: &str, strict: &Schemas, kinds: &mut BTreeSet<String>) -> Vec<String> {
    let text = fs::read_to_string(arena.path(file)).expect("it was written");
    let mut faults = Vec::new();
    for line in text.lines() {
        kinds.insert(format!("line {}", kind(line).unwrap_or_default()));
        faults.extend(strict.faults("transcript", line).into_iter().map(|fault| format!("{fault}\n{line}")));
    }
    faults
}

/// The schemas of a game as they are published, by their names.
struct Schemas(BTreeMap<String, Validator>);

impl Schemas {
    /// Those of this game. Strict ones also refuse keys that they do not know, which published ones allow.
    fn of(game: &str, strict: bool) -> Schemas {
        let of_game = |(path, text): (String, String)| {
            let name = path.strip_prefix(&format!("{game}/")).or((path == "ready.json").then_some(path.as_str()))?;
            let mut schema: Value = serde_json::from_str(&text).expect("a schema is JSON");
            if strict {
                close(&mut schema);
            }
            let validator = jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("{path}: {error}"));
            Some((name.trim_end_matches(".json").to_string(), validator))
        };
        Schemas(published().into_iter().filter_map(of_game).collect())
    }

    /// What the schema with this name says against a line; nothing where it is valid.
    fn faults(&self, name: &str, line: &str) -> Vec<String> {
        let value: Value = match serde_json::from_str(line) {
            Ok(value) => value,
            Err(error) => return vec![error.to_string()],
        };
        let validator = self.0.get(name).unwrap_or_else(|| panic!("there is no schema {name}"));
        validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect()
    }
}

/// The files of the folder of schemas: paths in it, and texts.
fn published() -> Vec<(String, String)> {
    let folder = repository().join(schemas::FOLDER);
    let entries = |folder: &Path| {
        let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        entries.map(|entry| entry.expect("the repository can be read").path()).collect::<Vec<_>>()
    };
    let (folders, mut files): (Vec<_>, Vec<_>) = entries(&folder).into_iter().partition(|path| path.is_dir());
    files.extend(folders.iter().flat_map(|folder| entries(folder)));
    files.sort();
    let read = |path: PathBuf| {
        let name = path.strip_prefix(&folder).expect("it was found there").display().to_string();
        (name, fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
    };
    files.into_iter().map(read).collect()
}

/// Forbids further keys in every object whose keys a schema names.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(parts) => {
            parts.values_mut().for_each(close);
            if parts.get("properties").is_some_and(Value::is_object) {
                parts.insert("additionalProperties".to_string(), false.into());
            }
        }
        Value::Array(parts) => parts.iter_mut().for_each(close),
        _ => {}
    }
}
