//! The command line itself: what it lists and explains, and what it says to a mistake, before anything is started.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use tests::arena::{Arena, Run, complaints};
use tests::binaries;

const GAMES: &[&str] = &["othello", "offset", "notipping", "flip"];

fn run(words: &str) -> Run {
    Arena::new(words.split_whitespace()).run()
}

/// Done without a complaint; what was printed.
fn printed(words: &str) -> String {
    let run = run(words);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{words}: {run:#?}");
    run.stdout
}

/// Refused with exit status 2 and nothing on stdout, by a text that says all of these.
fn refused(words: &str, says: &[&str]) {
    let run = run(words);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{words}: {run:#?}");
    for part in says {
        assert!(run.stderr.contains(part), "{words} is not told {part:?}: {}", run.stderr);
    }
    assert!(!run.stderr.contains("panicked") && run.stderr.lines().count() < 12, "{words}: {}", run.stderr);
}

#[test]
fn each_subcommand_explains_its_flags() {
    let rows = [
        ("", "games rules perft match replay verify --version Exit"),
        ("games", "--json"),
        ("rules", "<GAME>"),
        ("perft", "<GAME> --depth --param --seed --json"),
        (
            "match",
            "<GAME> --bot --param --seed --start-time --move-time --game-time --increment --hints --stop-time --swap-too \
             --transcript --json --quiet --no-limits --pause --cores --thinking --limit --human-time NAME= bot.toml human \
             paper 10s 1s",
        ),
        ("replay", "<TRANSCRIPT> --turn --json"),
        ("verify", "<PATH>... --json"),
    ];
    for (subcommand, flags) in rows {
        let help = printed(&format!("{subcommand} --help"));
        for flag in flags.split_whitespace() {
            assert!(help.contains(flag), "`{subcommand} --help` does not mention {flag}:\n{help}");
        }
    }
}

#[test]
fn the_version_is_one_line() {
    let text = printed("--version");
    assert_eq!(text, format!("arena {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn games_lists_each_with_its_parameters() {
    let text = printed("games");
    let rows: Vec<Value> =
        printed("games --json").lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let ids: Vec<&str> = rows.iter().filter_map(|row| row["id"].as_str()).collect();
    assert_eq!(ids, GAMES);
    let names = |game: usize| -> Vec<String> {
        let params = rows[game]["params"].as_array().into_iter().flatten();
        params.map(|param| param["name"].as_str().expect("a parameter has a name").to_owned()).collect()
    };
    assert_eq!(names(0), ["size", "opening"]);
    assert_eq!(names(1), ["size", "d", "offsets", "opening"]);
    assert_eq!(names(2), ["k", "opening"]);
    assert_eq!(names(3), ["n", "rounds"]);
    for (game, id) in GAMES.iter().enumerate() {
        let wanted = [vec![(*id).to_owned()], names(game)].concat();
        assert!(wanted.iter().all(|word| text.contains(word.as_str())), "{text}");
    }
    assert_eq!(
        (&rows[0]["params"][0]["default"], &rows[1]["params"][1]["default"]),
        (&Value::from(6), &Value::from(7))
    );
}

#[test]
fn rules_tell_state_and_move_with_an_example() {
    let rows = [
        ("othello", "\"to_move\" \"c2\" disc"),
        ("offset", "\"offsets\" \"owner\" \"from\" \"to\""),
        ("notipping", "\"hands\" \"torque\" \"weight\" \"position\""),
        ("flip", "\"flips\" \"pieces\" \"piece\" \"angle\" \"to\""),
    ];
    for (game, parts) in rows {
        let text = printed(&format!("rules {game}"));
        for part in parts.split(' ') {
            assert!(text.contains(part), "`rules {game}` does not show {part}");
        }
    }
}

#[test]
fn perft_counts_as_published() {
    let six = "1 4\n2 12\n3 56\n4 244\n5 1364\n6 7604\n";
    assert_eq!(printed("perft othello --depth 6"), six);
    let eight = "1 4\n2 12\n3 56\n4 244\n5 1396\n6 8200\n";
    assert_eq!(printed("perft othello --depth 6 --param size=8"), eight);
    let json = printed("perft othello --depth 2 --json");
    assert_eq!(json, "{\"depth\":1,\"count\":4}\n{\"depth\":2,\"count\":12}\n");
    // A first placement may go to any of 60 free positions, with any of 3 weights.
    assert_eq!(printed("perft notipping --depth 1 --param k=3"), "1 180\n");
    assert_eq!(printed("perft othello --depth 0"), "");
}

#[test]
fn perft_refuses_a_game_that_lists_no_moves() {
    refused("perft flip --depth 1", &["flip", "continuous"]);
}

#[test]
fn a_slip_is_met_with_what_was_meant() {
    let rows: &[(&str, &[&str])] = &[
        ("mach othello", &["mach", "match"]),
        ("match othelo --bot paper --bot greedy", &["othelo", "did you mean `othello`?"]),
        ("rules flop", &["flop", "did you mean `flip`?"]),
        ("perft chess --depth 1", &["chess", "othello, offset, notipping, flip"]),
        ("match othello --bot papre --bot greedy", &["papre", "did you mean `paper`?"]),
        ("match othello --bot paper --bot gready", &["gready", "did you mean `greedy`?"]),
        ("match othello --bot paper --bot greedy --param siez=8", &["siez", "did you mean `size`?"]),
        ("perft othello --depth 1 --param siez=8", &["siez", "did you mean `size`?"]),
        ("match othello --bot paper --bot greedy --param colour=8", &["colour", "size, opening"]),
        ("match othello --bot paper --bot greedy --mve-time 1s", &["--mve-time", "--move-time"]),
    ];
    for (words, says) in rows {
        refused(words, says);
    }
}

#[test]
fn a_value_that_cannot_be_is_named_with_what_can() {
    let two = "match othello --bot paper --bot greedy";
    let rows: &[(&str, &[&str])] = &[
        ("--param size=7", &["size", "7", "4, 6, 8 or 10"]),
        ("--param size=big", &["big", "number"]),
        ("--param size", &["size", "NAME=VALUE"]),
        ("--param size=6 --param size=8", &["size", "twice"]),
        ("--param opening=3", &["opening", "even"]),
        ("--param opening=22", &["opening", "20"]),
        ("--seed 9007199254740992", &["9007199254740992", "2^53"]),
        ("--seed 9223372036854775807", &["9223372036854775807", "2^53"]),
        ("--seed -1", &["-1"]),
        ("--seed 1.5", &["1.5", "--seed"]),
        ("--move-time 5", &["`5`", "unit", "500ms"]),
        ("--move-time 1x", &["x", "--move-time"]),
        ("--game-time -2m", &["-2m"]),
        ("--start-time soon", &["soon", "--start-time"]),
        ("--pause forever", &["forever", "--pause"]),
        ("--limit cpu=500ms", &["cpu", "whole seconds"]),
        ("--limit memory", &["memory", "files"]),
        ("--limit files=lots", &["lots"]),
        ("--thinking never", &["never", "own-turn", "any"]),
        ("--cores x", &["--cores", "x"]),
        ("--bot random", &["3 times"]),
    ];
    for (more, says) in rows {
        refused(&format!("{two} {more}"), says);
    }
    refused("match othello --bot paper", &["two bots", "once"]);
    refused("match othello", &["--bot"]);
    refused("match", &["<GAME>"]);
    refused("perft othello", &["--depth"]);
    refused("match offset --bot random --bot random --param d=4", &["d", "4", "5"]);
    refused("match offset --bot random --bot random --param offsets=[[1,6]]", &["offsets"]);
    refused("match flip --bot random --bot random --param n=0", &["n", "0", "200"]);
    refused("match notipping --bot random --bot random --param k=25", &["k", "25", "24"]);
}

#[test]
fn the_largest_seed_is_the_same_everywhere() {
    let largest = (1_u64 << 53) - 1;
    let arena = Arena::new(["match", "othello", "--json", "--quiet", "--transcript", "m.jsonl", "--seed"]);
    let arena = arena.arg(largest.to_string()).fixture("echo", "echo-seed").args("--bot paper");
    let run = arena.run();
    assert_eq!((run.code, &run.json()["seed"]), (Some(0), &Value::from(largest)), "{run:#?}");
    let transcript = arena.transcript("m.jsonl");
    assert_eq!(transcript[0]["seed"], largest);
    let own = transcript[0]["players"][0]["seed"].as_u64().expect("a bot has a seed");
    assert!(own < 1 << 53);
    let heard = transcript.iter().find(|event| event["type"] == "stderr").expect("the fixture tells its seed");
    assert_eq!(heard["text"], format!("seed {own}\n"));
}

#[test]
fn a_reader_that_leaves_early_is_no_trouble() {
    let deep = "perft othello --depth 9";
    for words in ["rules othello", "games", "games --json", "match --help", deep, MATCH] {
        let arena = Arena::new([""; 0]);
        let mut child = Command::new(binaries::arena())
            .args(words.split_whitespace())
            .current_dir(arena.folder())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the arena starts");
        let mut line = String::new();
        let mut reader = BufReader::with_capacity(1, child.stdout.take().expect("stdout is piped"));
        reader.read_line(&mut line).expect("a pipe can be read");
        drop(reader);
        let mut stderr = String::new();
        child.stderr.take().expect("stderr is piped").read_to_string(&mut stderr).expect("a pipe can be read");
        let status = child.wait().expect("it ends");
        assert!(!line.is_empty() && complaints(&stderr).is_empty(), "{words}: {line}{stderr}");
        assert_eq!(status.code(), Some(0), "{words}");
    }
}

const MATCH: &str = "match othello --param size=10 --bot random --bot random --seed 1";
