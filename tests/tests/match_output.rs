//! What a match leaves for its user: the object on stdout, the text for people, the transcripts, the seed that repeats it.

use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use tests::arena::{Arena, Run};
use tests::transcript::{essence, events, heard};
use tests::{binaries, processes, skip};

const GAMES: &[&str] = &["othello", "offset --param size=8 --param d=5", "notipping", "flip --param rounds=40"];

/// A match of these words, with JSON on stdout and its transcript in `m.jsonl`.
fn recorded(words: &str) -> Arena {
    Arena::new(["match", "--json", "--transcript", "m.jsonl"]).args(words)
}

fn done(run: Run) -> Run {
    assert_eq!(run.code, Some(0), "{run:#?}");
    run
}

fn lines_of_json(run: &Run) -> Vec<Value> {
    run.stdout.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

#[test]
fn python_that_keeps_nothing_back_here_is_noted_once() {
    let noted = |bots: [&str; 2], value: &str| {
        let words = ["match", "othello", "--quiet", "--bot", bots[0], "--bot", bots[1]];
        let arena = Arena::new(words).env("PYTHONUNBUFFERED", value);
        arena.write("mine.py", "");
        arena.run().stderr.matches("note: PYTHONUNBUFFERED is set here").count()
    };
    let python = "python3 mine.py";
    assert_eq!(noted([python, python], "1"), 1);
    assert_eq!(noted([python, python], ""), 0);
    assert_eq!(noted(["python3 -u mine.py", "paper"], "1"), 0);
    assert_eq!(noted(["greedy", "paper"], "1"), 0);
}

#[test]
fn json_is_one_object_on_one_line_and_agrees_with_the_transcript() {
    let arena = recorded("othello --bot paper --bot greedy --seed 7");
    let run = done(arena.run());
    let [result] = &lines_of_json(&run)[..] else { panic!("not one line: {run:#?}") };
    assert!(run.stdout.ends_with('\n'));
    let expected = json!({
        "type": "result", "id": result["id"], "game": "othello", "params": {"size": 6, "opening": 0}, "seed": 7,
        "players": ["paper", "greedy"], "transcript": "m.jsonl", "reason": "finished", "at_fault": null,
    });
    for (key, value) in expected.as_object().expect("it is written as one") {
        assert_eq!(&result[key], value, "{key} in {result}");
    }
    assert!(result["id"].as_str().is_some_and(|id| !id.is_empty()), "{result}");
    assert!(result["turns"].as_u64().is_some_and(|turns| turns > 8), "{result}");
    for key in ["scores", "total_us", "max_us"] {
        let both = result[key].as_array().unwrap_or_else(|| panic!("{key}: {result}"));
        assert!(both.len() == 2 && both.iter().all(Value::is_u64), "{key}: {result}");
    }
    for key in ["cpu_us", "peak_kib"] {
        assert!(result[key].as_array().is_some_and(|both| both.len() == 2), "{key}: {result}");
    }
    let scores = [&result["scores"][0], &result["scores"][1]].map(|score| score.as_u64());
    let winner = match scores[0].cmp(&scores[1]) {
        std::cmp::Ordering::Equal => Value::Null,
        order => json!(usize::from(order.is_lt())),
    };
    assert_eq!(result["winner"], winner, "{result}");

    let transcript = arena.transcript("m.jsonl");
    let last = transcript.last().and_then(Value::as_object).expect("it has a last line");
    for (key, value) in last.iter().filter(|(key, _)| *key != "ms") {
        assert_eq!(&result[key], value, "{key}");
    }
    assert_eq!(transcript[0]["id"], result["id"]);
}

#[test]
fn text_for_people_goes_to_stderr_beside_json_and_to_stdout_without() {
    let words = "match othello --bot paper --bot greedy --seed 7";
    let plain = |arena: Arena| done(arena.env("NO_COLOR", "").env("TERM", "xterm-256color").run());
    let shown = plain(Arena::new(words.split(' ')));
    let with_json = plain(Arena::new(words.split(' ')).arg("--json"));
    let quiet = plain(Arena::new(words.split(' ')).arg("--quiet"));
    let quiet_json = plain(Arena::new(words.split(' ')).args("--quiet --json"));
    for run in [&shown, &quiet] {
        assert_eq!(run.complaints(), "");
    }
    for (text, boards) in
        [(&shown.stdout, true), (&with_json.stderr, true), (&quiet.stdout, false), (&quiet_json.stderr, false)]
    {
        assert!(text.contains("paper") && text.contains("seed 7") && text.contains("wins"), "{text}");
        assert_eq!(text.lines().count() > 100, boards, "{text}");
        // No stream of these is a terminal: nothing is coloured or drawn over.
        assert!(!text.contains(['\r', '\x1b']), "{text:?}");
    }
}

#[test]
fn a_match_without_a_seed_is_repeated_by_the_seed_that_it_shows() {
    let words = "offset --param size=8 --bot random --bot greedy";
    let (first, other) = (recorded(words), recorded(words));
    let (run, other_run) = (done(first.run()), done(other.run()));
    let seed = run.json()["seed"].as_u64().expect("the seed is a whole number");
    assert!(seed < 1 << 53);
    assert!(run.stderr.contains(&format!("seed {seed}")), "{}", run.stderr);
    assert_ne!(other_run.json()["seed"], seed, "a fresh seed each time");
    let again = recorded(words).args(&format!("--seed {seed}"));
    done(again.run());
    assert_eq!(essence(&first.transcript("m.jsonl")), essence(&again.transcript("m.jsonl")));
    assert_eq!(header(&first), header(&again));
}

/// The first line but for what differs from run to run.
fn header(arena: &Arena) -> Value {
    let mut header = arena.transcript("m.jsonl")[0].clone();
    let fields = header.as_object_mut().expect("a header is an object");
    for key in ["started", "cores", "id"] {
        fields.remove(key);
    }
    for player in header["players"].as_array_mut().expect("there are players") {
        player.as_object_mut().expect("a player is an object").remove("folder");
    }
    header
}

#[test]
fn the_same_seed_gives_the_same_match_in_every_game() {
    for game in GAMES {
        let play = || {
            let arena = recorded(game).args("--bot random --bot greedy --seed 4242 --quiet");
            done(arena.run());
            (essence(&arena.transcript("m.jsonl")), header(&arena))
        };
        let (first, second) = (play(), play());
        assert_eq!(first, second, "{game}");
        let moves = first.0.iter().filter(|event| event["type"] == "move").count();
        assert!(moves > 5, "{game}: {moves} moves");
    }
}

#[test]
fn another_seed_gives_another_match() {
    for game in GAMES {
        let play = |seed: u64| {
            let arena = recorded(game).args(&format!("--bot random --bot random --seed {seed} --quiet"));
            done(arena.run());
            essence(&arena.transcript("m.jsonl"))
        };
        assert_ne!(play(1), play(2), "{game}");
    }
}

#[test]
fn swap_too_plays_the_same_start_with_the_seats_swapped() {
    for (given, swapped) in [("pair.jsonl", "pair-swapped.jsonl"), ("pair", "pair-swapped")] {
        let words =
            "match notipping --param opening=4 --bot random --bot greedy --swap-too --quiet --json --transcript";
        let arena = Arena::new(words.split(' ')).arg(given);
        let run = done(arena.run());
        let results = lines_of_json(&run);
        assert_eq!(results.len(), 2, "{run:#?}");
        assert_eq!(results[0]["players"], json!(["random", "greedy"]));
        assert_eq!(results[1]["players"], json!(["greedy", "random"]));
        assert_eq!((&results[0]["transcript"], &results[1]["transcript"]), (&json!(given), &json!(swapped)));
        assert_ne!(results[0]["id"], results[1]["id"]);
        let headers = [arena.transcript(given)[0].clone(), arena.transcript(swapped)[0].clone()];
        for key in ["seed", "params", "opening", "clock"] {
            assert_eq!(headers[0][key], headers[1][key], "{key}");
        }
        assert_eq!(headers[0]["opening"].as_array().map(Vec::len), Some(4), "{}", headers[0]);
        // A seed belongs to the seat, so both seats are treated the same.
        assert_eq!(headers[0]["players"][0]["seed"], headers[1]["players"][0]["seed"]);
        let verified = arena.also(&format!("verify {given} {swapped}"));
        assert_eq!(verified.code, Some(0), "{verified:#?}");
    }
}

#[test]
fn an_opening_is_played_before_turn_0() {
    for game in ["othello", "offset", "notipping"] {
        let arena =
            recorded(&format!("{game} --param opening=4 --bot random --seed 3 --quiet")).fixture("ear", "good --echo");
        let arena = arena.args("--hints");
        done(arena.run());
        let transcript = arena.transcript("m.jsonl");
        let opening = transcript[0]["opening"].as_array().cloned().unwrap_or_default();
        assert_eq!(opening.len(), 4, "{game}");
        let first = events(&transcript, "move").next().expect("a move was played");
        assert_eq!((&first["turn"], &first["seat"]), (&json!(0), &json!(0)), "{game}");
        // The seat that moves second sees turn 0, and nothing of the opening, since its start.
        let (_, request) = &heard(&transcript, 1)[1];
        assert_eq!(request["since"].as_array().map(Vec::len), Some(1), "{game}: {request}");
    }
}

#[test]
fn hints_list_the_legal_moves_where_the_game_does_not() {
    for game in ["offset --param size=8 --param d=5", "notipping --param k=4"] {
        let play = |more: &str| {
            let arena =
                recorded(game).args(&format!("--seed 5 --quiet {more}")).fixture("one", "good").fixture("two", "good");
            (done(arena.run()).json(), arena.transcript("m.jsonl")[0]["hints"].clone())
        };
        // The fixture plays the first move of the list, and passes where there is none.
        let (with, told) = play("--hints");
        assert_eq!((&with["reason"], &told), (&json!("finished"), &json!(true)), "{game}: {with}");
        let (without, told) = play("");
        assert_ne!(without["at_fault"], Value::Null, "{game}: {without}");
        assert_eq!(told, false);
    }
}

#[test]
fn a_transcript_that_is_there_is_refused_and_left_as_it_is() {
    for (name, present) in [("m.jsonl", "m.jsonl"), ("m.jsonl", "m-swapped.jsonl")] {
        let arena = Arena::new(["match", "othello", "--swap-too", "--json", "--transcript", name]);
        let touched = arena.path("started");
        let script = arena.write("bot.sh", format!("#!/bin/sh\n: > '{}'\n", touched.display()));
        let arena = arena.arg("--bot").arg(format!("sh {}", script.display())).args("--bot paper");
        let file = arena.write(present, "mine");
        let run = arena.run();
        assert_eq!(run.code, Some(2), "{run:#?}");
        assert!(run.stderr.contains(present) && run.stdout.is_empty(), "{run:#?}");
        assert_eq!(fs::read_to_string(file).expect("it is still there"), "mine");
        assert!(!touched.exists(), "a bot was started");
        assert_eq!(fs::read_dir(arena.folder()).expect("a folder").count(), 2, "{present}");
    }
}

#[test]
fn a_transcript_that_cannot_be_made_is_a_setup_error() {
    for place in ["nowhere/m.jsonl", "file/m.jsonl", "folder", "/dev/full", "/proc/m.jsonl"] {
        let arena =
            Arena::new(["match", "othello", "--bot", "paper", "--bot", "greedy", "--json", "--transcript", place]);
        arena.write("file", "");
        arena.write("folder/x", "");
        let run = arena.run();
        assert_eq!(run.code, Some(2), "{run:#?}");
        assert!(run.stderr.contains(place) && run.stdout.is_empty(), "{run:#?}");
    }
}

/// A file that cannot grow any more stands for a full disk, which only root could make.
#[test]
fn a_transcript_that_stops_growing_stops_the_match_and_is_named() {
    for blocks in [0, 1, 4] {
        // Signal 25 is the one that a file beyond its limit raises; ignored, the write fails as it does on a full disk.
        full_disk(&["sh", "-c", &format!("trap '' 25; ulimit -f {blocks}; exec \"$@\""), "sh"], "m.jsonl");
    }
}

#[test]
fn a_full_disk_stops_the_match_and_the_file_is_named() {
    let mount = "mkdir full && mount -t tmpfs -o size=4k full full && exec \"$@\"";
    let can = Command::new("unshare")
        .args(["--mount", "sh", "-c", "mount -t tmpfs full /mnt"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if skip::needs_that("the right to mount", can) {
        full_disk(&["unshare", "--mount", "sh", "-c", mount, "sh"], "full/m.jsonl");
    }
}

fn full_disk(prefix: &[&str], transcript: &str) {
    let folder = tempfile::TempDir::with_prefix("arena-test-").expect("a folder for temporary files");
    let marker = processes::new_marker();
    let bot = format!("{} note --marker {marker}", binaries::fixture().display());
    let output = Command::new(prefix[0])
        .args(&prefix[1..])
        .arg(binaries::arena())
        .args(["match", "othello", "--json", "--quiet", "--seed", "1", "--bot", &bot, "--bot", &bot])
        .args(["--transcript", transcript])
        .current_dir(folder.path())
        .output()
        .expect("there is a shell");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{prefix:?}: {stderr}");
    assert!(stderr.contains(transcript) && !stderr.contains("panicked"), "{prefix:?}: {stderr}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "no result is told that is not recorded");
    processes::assert_no_process_left(&marker, std::time::Duration::from_secs(5));
    let left = Path::new(&folder.path().join(transcript)).exists();
    if left {
        let verified = Command::new(binaries::arena()).arg("verify").arg(folder.path().join(transcript)).output();
        assert_ne!(verified.expect("the arena starts").status.code(), Some(0), "a torn transcript does not hold");
    }
}

#[test]
fn replay_tells_every_state_of_the_match() {
    for game in GAMES {
        let arena = recorded(game).args("--bot random --bot greedy --seed 11 --quiet");
        done(arena.run());
        let transcript = arena.transcript("m.jsonl");
        let run = arena.also("replay --json m.jsonl");
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{game}");
        let lines = lines_of_json(&run);
        assert_eq!(lines[0]["type"], "start", "{game}");
        assert_eq!(lines.last(), transcript.last(), "{game}");
        let turns: Vec<&Value> =
            transcript.iter().filter(|event| event["type"] == "move" || event["type"] == "pass").collect();
        assert_eq!(lines.len(), turns.len() + 2, "{game}");
        for ((line, turn), before) in lines[1..].iter().zip(&turns).zip(&lines) {
            for key in ["type", "turn", "seat"] {
                assert_eq!(line[key], turn[key], "{game}: {line}");
            }
            assert_eq!(line.get("move"), Some(&turn["move"]), "{game}: null for a pass, as it was accepted else");
            assert!(line["state"].is_object(), "{game}: {line}");
            assert!(line["type"] == "pass" || line["state"] != before["state"], "{game}: nothing moved: {line}");
        }
    }
}

#[test]
fn an_unfinished_transcript_is_replayed_as_far_as_it_goes() {
    let arena = recorded("othello --bot paper --bot greedy --seed 11 --quiet");
    done(arena.run());
    let text = fs::read_to_string(arena.path("m.jsonl")).expect("it was written");
    let cut: String = text.lines().take(8).map(|line| format!("{line}\n")).collect();
    arena.write("cut.jsonl", cut);
    let run = arena.also("replay --json cut.jsonl");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert_eq!(lines_of_json(&run).len(), 1 + 5, "the start and five turns: {run:#?}");
}

/// What is piped in may be anything, also without an end.
#[test]
fn a_line_without_an_end_that_is_piped_in_for_a_human_is_bounded() {
    let arena = Arena::new(["match", "othello", "--json", "--quiet", "--bot", "human", "--bot", "random"]);
    let run = arena.input("x".repeat(8 << 20)).run();
    assert_eq!(run.json()["reason"], "flood", "{:?} {:.300}", run.code, run.stderr);
    assert!(run.stderr.len() < 300_000, "{} bytes are shown", run.stderr.len());
}
