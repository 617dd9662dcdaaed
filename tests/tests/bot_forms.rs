//! The ways to name a bot: which program runs, where, under which name; and what is said when it cannot.

use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tests::arena::{Arena, Run};
use tests::binaries;
use tests::transcript::{events, log};

fn match_with(bots: &[&str]) -> Arena {
    let words = "match othello --json --quiet --seed 1 --stop-time 5s --transcript m.jsonl";
    bots.iter().fold(Arena::new(words.split(' ')), |arena, bot| arena.arg("--bot").arg(*bot))
}

/// Played to its end; the first line of its transcript.
fn played(arena: &Arena) -> Value {
    let run = arena.run();
    assert_eq!((run.code, &run.json()["reason"]), (Some(0), &json!("finished")), "{run:#?}");
    arena.transcript("m.jsonl")[0].clone()
}

fn names(header: &Value) -> [&str; 2] {
    [0, 1].map(|seat| header["players"][seat]["name"].as_str().expect("a player has a name"))
}

/// Refused before anything was started, by a text that says all of these.
fn refused(arena: &Arena, says: &[&str]) -> Run {
    let run = arena.run();
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:#?}");
    for part in says {
        assert!(run.stderr.contains(part), "not told {part:?}: {}", run.stderr);
    }
    assert!(!run.stderr.contains("panicked") && !arena.path("m.jsonl").exists(), "{run:#?}");
    run
}

/// Writes a program in the private folder.
fn program(arena: &Arena, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = arena.write(name, text);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("its mode can be set");
    path
}

/// A script that becomes the fixture with these arguments.
fn script(arguments: &str) -> String {
    format!("#!/bin/sh\nexec '{}' {arguments}\n", binaries::fixture().display())
}

const MANIFEST: &str = "run = [\"./bot\"]\n";

/// What the bot in this seat wrote on stderr.
fn said(arena: &Arena, seat: u64) -> String {
    log(&arena.transcript("m.jsonl"), seat)
}

#[test]
fn each_form_plays_and_is_told_in_full() {
    let fixture = binaries::fixture();
    let fixture = fixture.display().to_string();
    // BOT as it is written, the name that comes of it, and where it is started, from the caller's folder.
    let rows = [
        ("mine", "mine", "mine"),
        ("mine/", "mine", "mine"),
        ("./mine", "mine", "mine"),
        ("mine/bot.toml", "mine", "mine"),
        ("mine/bot", "bot", "mine"),
        ("hers=mine", "hers", "mine"),
        ("sh mine/bot", "bot", ""),
        (&fixture, "fixture", "-"),
        (&format!("{fixture} good --seat 0"), "fixture", ""),
        ("sh -c 'exec \"$0\" \"$@\"' mine/bot good", "sh", ""),
        ("paper", "paper", ""),
        ("paper --rules corner,avoid,most,edge", "paper", ""),
        ("theirs=paper --rules most", "theirs", ""),
    ];
    for (bot, name, folder) in rows {
        let arena = match_with(&[bot, "greedy"]);
        program(&arena, "mine/bot", script("good"));
        arena.write("mine/bot.toml", MANIFEST);
        let header = played(&arena);
        assert_eq!(names(&header), [name, "greedy"], "{bot}");
        let player = &header["players"][0];
        let command = player["command"][0].as_str().unwrap_or_default();
        assert!(Path::new(command).is_absolute() && Path::new(command).is_file(), "{bot}: {player}");
        let started_in = match folder {
            "-" => binaries::fixture().parent().expect("it is in a folder").to_path_buf(),
            folder => arena.folder().join(folder),
        };
        let told = PathBuf::from(player["folder"].as_str().unwrap_or_default());
        assert_eq!(told.canonicalize().ok(), started_in.canonicalize().ok(), "{bot}: {player}");
    }
}

#[test]
fn arguments_reach_a_bundled_bot() {
    let play = |bot: &str| {
        let arena = match_with(&[bot, bot]);
        let header = played(&arena);
        let moves: Vec<Value> = events(&arena.transcript("m.jsonl"), "move").map(|line| line["move"].clone()).collect();
        (moves, header["players"][0]["command"].clone())
    };
    let (worksheet, _) = play("paper");
    let (same, _) = play("paper --rules corner,avoid,edge,most");
    let (swapped, command) = play("paper --rules corner,avoid,most,edge");
    assert_eq!(worksheet[..4], [json!("c2"), json!("d2"), json!("e4"), json!("d5")]);
    assert_eq!(worksheet, same);
    assert_ne!(worksheet, swapped);
    assert_eq!((&command[1], &command[2]), (&json!("--rules"), &json!("corner,avoid,most,edge")));
}

#[test]
fn two_versions_with_the_same_relative_program_each_find_their_own() {
    let arena = match_with(&["../v1", "../v2/bot.toml"]);
    for version in ["v1", "v2"] {
        program(&arena, &format!("{version}/bot"), script(&format!("read-data --marker {}", arena.marker())));
        arena.write(&format!("{version}/bot.toml"), MANIFEST);
        arena.write(&format!("{version}/data.txt"), version);
    }
    fs::create_dir(arena.path("third")).expect("the private folder is writable");
    // The caller stands in a third folder, which has neither program nor data.
    let output = Command::new(binaries::arena())
        .args("match othello --json --quiet --bot ../v1 --bot ../v2/bot.toml --transcript ../m.jsonl".split(' '))
        .current_dir(arena.path("third"))
        .output()
        .expect("the arena starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!((said(&arena, 0).trim(), said(&arena, 1).trim()), ("data: v1", "data: v2"));
    let header = &arena.transcript("m.jsonl")[0];
    assert_eq!(names(header), ["v1", "v2"]);
    for (seat, version) in ["v1", "v2"].iter().enumerate() {
        let program = PathBuf::from(header["players"][seat]["command"][0].as_str().unwrap_or_default());
        assert_eq!(program.canonicalize().ok(), arena.path(version).join("bot").canonicalize().ok());
    }
}

#[test]
fn a_folder_may_be_called_anything() {
    for folder in
        ["my bot", "tab\there", "it's", "say \"hi\"", "$(touch gone)", "a;b&c|d", "-dash", "naïve ☃", "back\\slash"]
    {
        for form in ["", "/bot.toml", "/bot"] {
            let bot = format!("{folder}{form}");
            let arena = match_with(&[]).arg(format!("--bot={bot}")).args("--bot greedy");
            program(&arena, &format!("{folder}/bot"), script("read-data"));
            arena.write(&format!("{folder}/bot.toml"), MANIFEST);
            arena.write(&format!("{folder}/data.txt"), "found");
            // What a split at the space would start instead.
            program(&arena, "my", "#!/bin/sh\necho wrong program >&2\n");
            played(&arena);
            assert_eq!(said(&arena, 0).trim(), "data: found", "{bot}");
            assert!(!arena.path("gone").exists(), "a name of a folder was executed");
        }
    }
}

#[test]
fn words_are_split_as_a_shell_does_and_nothing_else_is_done_with_them() {
    let fixture = binaries::fixture().display().to_string();
    let arena = match_with(&[&format!("{fixture} describe --marker 'two  words' --file \"it's $HOME *\""), "greedy"]);
    let header = played(&arena);
    let command = &header["players"][0]["command"];
    assert_eq!(*command, json!([fixture, "describe", "--marker", "two  words", "--file", "it's $HOME *"]));
    assert!(said(&arena, 0).contains("\"it's $HOME *\""), "{}", said(&arena, 0));

    let piped = match_with(&[&format!("{fixture} good | cat"), "greedy"]);
    refused(&piped, &["|", "shell", "sh -c", "\"good\", \"|\", \"cat\""]);
    refused(&match_with(&[&format!("{fixture} 'good"), "greedy"]), &["quote"]);
    refused(&match_with(&["pyton3 -u bot.py --depth 3", "greedy"]), &["pyton3", "-u", "PATH"]);
    refused(&match_with(&["", "greedy"]), &["empty"]);
}

#[test]
fn names_are_made_distinct_and_a_seat_is_never_found_by_name() {
    assert_eq!(names(&played(&match_with(&["paper", "paper"]))), ["paper", "paper-2"]);
    let arena = match_with(&["one", "two"]);
    for folder in ["one", "two"] {
        program(&arena, &format!("{folder}/bot"), script("good"));
        arena.write(&format!("{folder}/bot.toml"), format!("name = \"bot\"\n{MANIFEST}"));
    }
    let [first, second] = { names(&played(&arena)).map(str::to_owned) };
    assert!(first != second && first.starts_with("bot") && second.starts_with("bot"), "{first}, {second}");

    // A bot that calls itself by its rival's name, and forfeits, has not made its rival forfeit.
    let fixture = binaries::fixture();
    let claims = format!("mine={} illegal-move --at 2", fixture.display());
    for (seat, bots) in [["mine", "theirs"], ["theirs", "mine"]].iter().enumerate() {
        let bots = bots.map(|name| if name == "mine" { claims.clone() } else { "theirs=paper".to_owned() });
        let run = match_with(&[&bots[0], &bots[1]]).run();
        let result = run.json();
        assert_eq!((&result["at_fault"], &result["winner"]), (&json!(seat), &json!(1 - seat)), "{result}");
        assert!(run.stderr.contains("theirs wins"), "{run:#?}");
    }
}

#[test]
fn a_name_that_cannot_be_one_is_no_name() {
    for bot in ["a,b=paper", "=paper", "-x=paper", "two words=paper"] {
        refused(&match_with(&["greedy"]).arg(format!("--bot={bot}")), &["paper"]);
    }
}

/// A bot need not wait for its `start` to get ready or to speak on stderr, in the second seat neither.
#[test]
fn what_a_bot_says_before_its_start_is_not_lost() {
    let fixture = binaries::fixture().display().to_string();
    for thinking in ["own-turn", "any"] {
        for early in [0, 1] {
            let slow = format!("slow={fixture} late-ready 150");
            // Its second `ready` is one too many; the first one is what counts.
            let fast = "fast=./fast.sh".to_owned();
            let bots = if early == 0 { [&fast, &slow] } else { [&slow, &fast] };
            let arena = match_with(&bots.map(String::as_str)).args("--thinking").arg(thinking);
            let text = format!(
                "#!/bin/sh\necho 'early words' >&2\necho banner\necho '{{\"type\":\"ready\"}}'\nexec '{fixture}' good\n"
            );
            program(&arena, "fast.sh", text);
            played(&arena);
            assert_eq!(said(&arena, early), "early words\n", "{thinking}, seat {early}");
            let transcript = arena.transcript("m.jsonl");
            let of_kind = |kind: &'static str| events(&transcript, kind).filter(|event| event["seat"] == early).count();
            assert_eq!((of_kind("ready"), of_kind("stray"), of_kind("stale")), (1, 1, 1), "{thinking}, seat {early}");
        }
    }
}

#[test]
fn the_environment_of_a_manifest_reaches_the_bot() {
    let arena = match_with(&["mine", "greedy"]);
    let text = format!("#!/bin/sh\necho \"$GREETING\" >&2\nexec '{}' good\n", binaries::fixture().display());
    program(&arena, "mine/bot", text);
    arena.write("mine/bot.toml", format!("{MANIFEST}env = {{ GREETING = \"good day\" }}\n"));
    played(&arena);
    assert_eq!(said(&arena, 0), "good day\n");
}

#[test]
fn a_bot_that_is_not_built_is_built_once() {
    let manifest = format!("{MANIFEST}build = [\"sh\", \"-c\", \"echo built >> log; cp source bot; chmod +x bot\"]\n");
    let arena = match_with(&["mine", "greedy"]);
    arena.write("mine/bot.toml", manifest);
    arena.write("mine/source", script("good"));
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stderr.contains("building mine"), "{run:#?}");
    let again = arena.also("match othello --json --quiet --bot mine --bot greedy");
    assert_eq!(again.code, Some(0), "{again:#?}");
    assert_eq!(fs::read_to_string(arena.path("mine/log")).ok().as_deref(), Some("built\n"));
}

#[test]
fn a_build_that_fails_is_a_setup_error() {
    let rows: &[(&str, &[&str])] = &[
        ("[\"sh\", \"-c\", \"echo no compiler here; exit 3\"]", &["mine", "built", "3", "no compiler here"]),
        ("[\"no-such-compiler\", \"bot.c\"]", &["mine", "no-such-compiler"]),
        ("[\"true\"]", &["mine", "bot", "not"]),
    ];
    for (build, says) in rows {
        let arena = match_with(&["mine", "greedy"]);
        arena.write("mine/bot.toml", format!("{MANIFEST}build = {build}\n"));
        refused(&arena, says);
    }
}

#[test]
fn a_bot_for_other_games_is_refused() {
    let arena = match_with(&["greedy", "mine"]);
    program(&arena, "mine/bot", script("good"));
    arena.write("mine/bot.toml", format!("{MANIFEST}games = [\"offset\", \"flip\"]\n"));
    refused(&arena, &["mine", "othello", "offset, flip"]);
    let arena = match_with(&["greedy", "mine"]);
    program(&arena, "mine/bot", script("good"));
    arena.write("mine/bot.toml", format!("{MANIFEST}games = [\"othello\"]\n"));
    played(&arena);
}

#[test]
fn a_manifest_that_is_wrong_is_told_with_its_line() {
    let rows: &[(&str, &[&str])] = &[
        ("run = [\"./bot\"]\nrnu = 1\n", &["mine/bot.toml", "2", "rnu", "run"]),
        ("name = \"x\"\n", &["mine/bot.toml", "run"]),
        ("run = [\"./bot\"]\nname = \"a b\"\n", &["mine/bot.toml", "2", "a b"]),
        ("run = [\n", &["mine/bot.toml"]),
        ("run = \"./bot\"\n", &["mine/bot.toml", "1", "run"]),
        ("run = []\n", &["mine/bot.toml", "run"]),
    ];
    for (manifest, says) in rows {
        let arena = match_with(&["mine", "greedy"]);
        program(&arena, "mine/bot", script("good"));
        arena.write("mine/bot.toml", manifest);
        refused(&arena, says);
    }
}

#[test]
fn what_cannot_be_started_is_told_apart_with_the_way_out() {
    // The beginning of a program for a processor that nobody has here: 64 bit, executable, for the S/390.
    let mut foreign = vec![0; 64];
    foreign[..8].copy_from_slice(b"\x7fELF\x02\x02\x01\0");
    foreign[16..20].copy_from_slice(&[0, 2, 0, 22]);
    let rows: &[(&str, Vec<u8>, u32, &[&str])] = &[
        ("bot.sh", b"#!/bin/sh\n".to_vec(), 0o644, &["executable", "chmod +x"]),
        ("bot.py", b"print(1)\n".to_vec(), 0o755, &["#!/usr/bin/env python3", "python3 "]),
        ("bot.py", b"print(1)\n".to_vec(), 0o644, &["#!/usr/bin/env python3", "chmod +x"]),
        ("bot.py", b"#!/usr/bin/env python3\r\nprint(1)\r\n".to_vec(), 0o755, &["python3\\r", "line endings"]),
        ("bot.py", b"#!/usr/bin/python9\nprint(1)\n".to_vec(), 0o755, &["/usr/bin/python9", "interpreter"]),
        ("bot.py", b"#!/usr/bin/env python9\nprint(1)\n".to_vec(), 0o755, &["python9", "PATH"]),
        ("bot", Vec::new(), 0o755, &["empty file"]),
        ("bot", foreign, 0o755, &["another machine"]),
        ("bot", vec![1, 2, 3, 0, 255, 254], 0o755, &["neither a program"]),
        ("bot.c", b"int main() {}\n".to_vec(), 0o755, &["source code", "build"]),
    ];
    for (name, bytes, mode, says) in rows {
        for seat in [0, 1] {
            let path = format!("./{name}");
            let arena = if seat == 0 { match_with(&[&path, "greedy"]) } else { match_with(&["greedy", &path]) };
            let file = arena.write(name, bytes);
            fs::set_permissions(file, fs::Permissions::from_mode(*mode)).expect("its mode can be set");
            refused(&arena, &[*says, &[*name]].concat());
        }
    }
    let arena = match_with(&["empty", "greedy"]);
    fs::create_dir(arena.path("empty")).expect("the private folder is writable");
    refused(&arena, &["empty", "bot.toml", "run = "]);
    let arena = match_with(&["./gone/bot", "greedy"]);
    refused(&arena, &["gone/bot"]);
}

#[test]
fn a_path_that_is_called_like_a_bundled_bot_is_taken_and_said_so() {
    let arena = match_with(&["paper", "greedy"]);
    program(&arena, "paper", script("read-data"));
    arena.write("data.txt", "mine");
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stderr.contains("note: ") && run.stderr.contains("the path is taken"), "{run:#?}");
    assert_eq!(said(&arena, 0), "data: mine\n");
}

#[test]
fn a_bundled_bot_that_is_not_built_is_told_with_the_command_that_builds_it() {
    let arena = Arena::new([""; 0]);
    let alone = arena.path("alone/arena");
    fs::create_dir(arena.path("alone")).expect("the private folder is writable");
    fs::copy(binaries::arena(), &alone).expect("a program can be copied");
    let output = Command::new(&alone)
        .args("match othello --bot paper --bot greedy --json --transcript m.jsonl".split(' '))
        .current_dir(arena.folder())
        .output()
        .expect("the copy starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{stderr}");
    for part in ["paper", "cargo build --release --workspace", "alone"] {
        assert!(stderr.contains(part), "not told {part:?}: {stderr}");
    }
    assert!(!arena.path("m.jsonl").exists());
}
