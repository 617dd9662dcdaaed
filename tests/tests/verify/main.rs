//! `arena verify`: what was played holds, and whatever is changed in a transcript afterwards is found and named.

mod cuts;
mod tampering;

use serde_json::{Value, json};
use std::fs;
use tests::arena::{Arena, Run};

/// A match whose transcript lies in `m.jsonl`.
fn played(words: &str) -> Arena {
    let arena = Arena::new(["match", "--json", "--quiet", "--transcript", "m.jsonl"]).args(words);
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    arena
}

fn verify(arena: &Arena, paths: &str) -> Run {
    let run = arena.also(&format!("verify {paths}"));
    assert!(!run.stderr.contains("panicked"), "{run:#?}");
    run
}

#[test]
fn what_was_played_holds() {
    let rows = [
        "othello --bot paper --bot greedy --seed 1",
        "othello --bot random --bot random --seed 2 --param size=4",
        "othello --bot random --bot paper --seed 3 --param size=10 --param opening=20",
        "offset --bot greedy --bot random --seed 4 --param size=10",
        "offset --bot random --bot random --seed 5 --param size=6 --param d=5 --param opening=2 --hints",
        "offset --bot random --bot random --seed 6 --param d=5 --param offsets=[[1,4],[2,3]] --param size=12",
        "notipping --bot notipping-random --bot greedy --seed 7",
        "notipping --bot random --bot random --seed 8 --param k=3 --param opening=2",
        "flip --bot greedy --bot random --seed 9 --param rounds=30",
        "flip --bot greedy --bot greedy --seed 10 --param n=2",
        "flip --bot random --bot random --seed 11 --param n=40 --param rounds=3",
        "othello --bot paper --bot greedy --seed 12 --no-limits",
        "othello --bot paper --bot greedy --seed 13 --game-time 10s --increment 10ms --thinking any",
    ];
    for words in rows {
        let arena = played(words);
        let run = verify(&arena, "m.jsonl");
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{words}: {run:#?}");
        assert_eq!(run.stdout, "m.jsonl: holds\n1 of 1 transcripts hold\n", "{words}");
    }
}

#[test]
fn a_folder_is_looked_through_and_only_what_does_not_hold_is_named() {
    let arena = played("othello --bot paper --bot greedy --seed 1");
    let text = fs::read_to_string(arena.path("m.jsonl")).expect("it was written");
    arena.write("all/good-1.jsonl", &text);
    arena.write("all/good-2.jsonl", &text);
    arena.write("all/bad.jsonl", text.replace("\"winner\":0", "\"winner\":1"));
    arena.write("all/notes.txt", "not a transcript");
    let run = verify(&arena, "all m.jsonl");
    assert_eq!(run.code, Some(1), "{run:#?}");
    let named: Vec<&str> = run.stdout.lines().filter(|line| line.contains("does not hold")).collect();
    assert!(named.len() == 1 && named[0].contains("all/bad.jsonl"), "{run:#?}");
    assert!(named[0].ends_with("`winner` does not hold: refereed again it is 0"), "{run:#?}");
    assert!(run.stdout.ends_with("3 of 4 transcripts hold\n"), "{run:#?}");

    let run = verify(&arena, "all --json");
    assert_eq!(run.code, Some(1));
    let rows: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let bad: Vec<&Value> = rows.iter().filter(|row| row["holds"] == false).collect();
    assert!(rows.len() == 3 && bad.len() == 1 && bad[0]["path"] == "all/bad.jsonl", "{run:#?}");
    assert!(bad[0]["problems"].as_array().is_some_and(|problems| !problems.is_empty()), "{run:#?}");
}

#[test]
fn what_is_no_transcript_is_named_as_that() {
    let arena = Arena::new([""; 0]);
    let header = json!({"type": "match", "schema": 2, "game": "othello"}).to_string() + "\n";
    let rows: &[(&str, Vec<u8>, &[&str])] = &[
        ("empty.jsonl", Vec::new(), &["empty"]),
        ("garbage.jsonl", b"what is this\n".to_vec(), &["line 1", "not a transcript"]),
        ("bytes.jsonl", vec![0, 159, 146, 150, b'\n', 255], &["line 1", "not a transcript"]),
        ("zeros.jsonl", vec![0; 1 << 20], &["line 1", "not a transcript"]),
        ("other.jsonl", b"{\"type\":\"row\"}\n".to_vec(), &["line 1", "not a transcript"]),
        ("array.jsonl", b"[1,2]\n".to_vec(), &["line 1", "not a transcript"]),
        ("schema.jsonl", header.clone().into_bytes(), &["line 1", "schema 2"]),
        ("bare.jsonl", header.replace("2,", "1,").into_bytes(), &["line 1"]),
    ];
    for (name, bytes, says) in rows {
        arena.write(name, bytes);
        let run = verify(&arena, name);
        assert_eq!(run.code, Some(1), "{name}: {run:#?}");
        for part in [*says, &[*name, "does not hold"]].concat() {
            assert!(run.stdout.contains(part), "{name} is not told {part:?}: {run:#?}");
        }
        assert!(run.stdout.len() < 1000, "{name}: {run:#?}");
    }
}

#[test]
fn a_line_of_any_length_is_refused_by_its_number_with_bounded_memory() {
    let arena = played("othello --bot paper --bot greedy --seed 1");
    let text = fs::read_to_string(arena.path("m.jsonl")).expect("it was written");
    let header = text.lines().next().expect("it has a header");
    arena.write("long.jsonl", format!("{header}\n{}\n{text}", "x".repeat(100 << 20)));
    let run = verify(&arena, "long.jsonl");
    assert_eq!(run.code, Some(1), "{run:#?}");
    assert!(run.stdout.contains("line 2: the line is over 16 MiB long"), "{run:#?}");
    assert!(run.peak_kib < 80 * 1024, "{run:#?}");
}

#[test]
fn what_a_file_says_does_not_reach_the_terminal_as_it_is() {
    let arena = played("othello --bot paper --bot greedy --seed 1");
    let text = fs::read_to_string(arena.path("m.jsonl")).expect("it was written");
    for (what, by) in [("\"game\":\"othello\"", "game"), ("\"schema\":1", "schema")] {
        arena.write("evil.jsonl", text.replacen(what, &format!("\"{by}\":\"\\u001b[31m\u{202e}x\""), 1));
        for command in ["replay evil.jsonl", "verify evil.jsonl"] {
            let run = arena.also(command);
            assert_ne!(run.code, Some(0), "{run:#?}");
            let said = run.stdout + &run.stderr;
            assert!(!said.contains(['\u{1b}', '\u{202e}']) && said.contains("[31m"), "{by}, {command}: {said:?}");
        }
    }
}

#[test]
fn a_path_that_leads_to_no_transcript_is_a_mistake() {
    let arena = Arena::new([""; 0]);
    arena.write("folder/notes.txt", "no transcript");
    for (path, says) in [("missing.jsonl", "missing.jsonl"), ("folder", "no transcript")] {
        let run = verify(&arena, path);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:#?}");
        assert!(run.stderr.contains(says) && run.stderr.contains(path), "{run:#?}");
    }
    let run = arena.also("verify");
    assert_eq!(run.code, Some(2), "{run:#?}");
}

#[test]
fn every_path_gets_its_verdict_whatever_stands_beside_it() {
    let arena = played("othello --bot paper --bot greedy --seed 1 --param size=4");
    let text = fs::read_to_string(arena.path("m.jsonl")).expect("it was written");
    arena.write("bad.jsonl", &text[..text.len() / 2]);
    arena.write("folder/notes.txt", "no transcript");
    arena.write("two/a.jsonl", &text);
    fs::create_dir(arena.path("two/b.jsonl")).expect("the private folder is writable");
    for (what, put) in tests::odd::ODD {
        put(&arena.path(&what.replace(' ', "-")));
    }
    let odd: Vec<String> = tests::odd::ODD.iter().map(|(what, _)| what.replace(' ', "-")).collect();
    let unread = [&odd[..], &["missing.jsonl".to_string(), "folder".to_string(), "two".to_string()]].concat();
    let run = verify(&arena, &format!("{} bad.jsonl m.jsonl", unread.join(" ")));
    assert_eq!(run.code, Some(2), "{run:#?}");
    assert_eq!(run.stderr.lines().count(), unread.len(), "{run:#?}");
    for path in &unread {
        assert!(run.stderr.contains(&format!("error: {path}")), "{path}: {run:#?}");
    }
    assert!(run.stdout.contains("m.jsonl: holds\n") && run.stdout.contains("bad.jsonl: does not hold: "), "{run:#?}");
    assert!(run.stdout.ends_with("2 of 3 transcripts hold\n"), "{run:#?}");

    let run = verify(&arena, &format!("{} bad.jsonl m.jsonl --json", unread.join(" ")));
    assert_eq!(run.code, Some(2), "{run:#?}");
    let rows: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let count = |holds: Value| rows.iter().filter(|row| row["holds"] == holds).count();
    assert_eq!([count(Value::Null), count(json!(false)), count(json!(true))], [unread.len(), 1, 2], "{run:#?}");
    assert_eq!(verify(&arena, "m.jsonl bad.jsonl").code, Some(1));
}

#[test]
fn what_a_newer_arena_adds_does_no_harm() {
    let arena = played("othello --bot paper --bot greedy --seed 1");
    let text = fs::read_to_string(arena.path("m.jsonl")).expect("it was written");
    let mut lines: Vec<String> = text.lines().map(|line| line.replacen('{', "{\"new\":[1],", 1)).collect();
    lines.insert(4, json!({"type": "weather", "ms": 0, "sky": "blue"}).to_string());
    arena.write("newer.jsonl", lines.join("\n") + "\n");
    let run = verify(&arena, "newer.jsonl");
    assert_eq!(run.code, Some(0), "{run:#?}");
}
