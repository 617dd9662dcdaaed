//! The fixture bot by itself: that it plays, and that its words do what they say.

use serde_json::json;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use tests::fixture::WORDS;
use tests::{binaries, processes};

/// Plays `start`, two requests and `end` to the fixture, closes its input and waits for its end.
fn converse(arguments: &str) -> Output {
    let mut child = Command::new(binaries::fixture())
        .args(arguments.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the fixture starts");
    let messages = [
        json!({"type": "start", "protocol": 1, "game": "othello", "params": {"size": 6}, "seat": 0,
               "players": ["mine", "rival"], "seed": 8123, "match": "m1", "clock": {"start_ms": 10000}}),
        json!({"type": "turn", "turn": 0, "seat": 0, "legal": ["c2", "d1"], "clock": {"limit_ms": 20}}),
        json!({"type": "turn", "turn": 2, "seat": 0, "legal": ["b5"], "clock": {"limit_ms": 20}}),
        json!({"type": "end", "result": {}}),
    ];
    let text: String = messages.iter().map(|message| format!("{message}\n")).collect();
    // A bot that has exited already does not read: that is its right.
    let _ = child.stdin.take().expect("stdin is piped").write_all(text.as_bytes());
    child.wait_with_output().expect("the fixture ends")
}

fn said(arguments: &str) -> String {
    String::from_utf8_lossy(&converse(arguments).stdout).into_owned()
}

const READY: &str = "{\"type\":\"ready\"}\n";
const FIRST: &str = "{\"type\":\"move\",\"turn\":0,\"move\":\"c2\"}\n";
const SECOND: &str = "{\"type\":\"move\",\"turn\":2,\"move\":\"b5\"}\n";

#[test]
fn plays_the_first_legal_move_and_leaves_at_end_of_input() {
    let output = converse("");
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{READY}{FIRST}{SECOND}"));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn words_write_what_they_say() {
    let rows = [
        ("good --reuse", format!("{{\"type\":\"ready\",\"reuse\":true}}\n{FIRST}{SECOND}")),
        ("ready-twice", format!("{READY}{READY}{FIRST}{SECOND}")),
        ("banner", format!("*** Fixture 1.0, good luck ***\n{READY}{FIRST}{SECOND}")),
        ("broken-json --at 2", format!("{READY}{FIRST}{}\n", SECOND.trim_end().trim_end_matches('}'))),
        ("broken-json --seat 1", format!("{READY}{FIRST}{SECOND}")),
        ("no-turn", format!("{READY}{{\"move\":\"c2\"}}\n{SECOND}")),
        ("later-turn", format!("{READY}{{\"turn\":2,\"move\":\"c2\"}}\n{SECOND}")),
        ("double-answer", format!("{READY}{FIRST}{FIRST}{SECOND}{SECOND}")),
        ("python-dict", format!("{READY}{{'turn': 0, 'move': 'c2'}}\n{SECOND}")),
        ("nan", format!("{READY}{{\"turn\":0,\"move\":NaN}}\n{SECOND}")),
        ("crlf", format!("{READY}{FIRST}{SECOND}").replace('\n', "\r\n")),
        ("bom", format!("\u{feff}{READY}{FIRST}{SECOND}")),
        ("blank-lines 2", format!("{READY}\n\n{FIRST}{SECOND}")),
        ("half-line", format!("{READY}{}{SECOND}", FIRST.trim_end())),
        ("half-line-exit", format!("{READY}{}", FIRST.trim_end())),
        ("no-flush", format!("{READY}{FIRST}{SECOND}")),
        ("silent", READY.to_owned()),
        ("silent --at 2", format!("{READY}{FIRST}")),
        ("exit-after-answer 3", format!("{READY}{FIRST}")),
        ("exit 3 --at after-1", format!("{READY}{FIRST}")),
        ("exit 3 --at end", format!("{READY}{FIRST}{SECOND}")),
        ("wrapper debug-lines --at 2", format!("{READY}{FIRST}thinking about turn 2\n{SECOND}")),
        ("strict-lf", format!("{READY}{}{}", "{\"turn\":0,\"move\":\"c2\"}\n", "{\"turn\":2,\"move\":\"b5\"}\n")),
    ];
    for (arguments, expected) in rows {
        assert_eq!(said(arguments), expected, "{arguments}");
    }
}

#[test]
fn bytes_that_are_no_text_are_written_as_they_are() {
    let output = converse("bad-utf8").stdout;
    assert!(output.windows(3).any(|bytes| bytes == b"\"\xff\""), "{output:?}");
    let output = converse("utf16").stdout;
    assert!(output.windows(4).any(|bytes| bytes == b"{\0\"\0"), "{output:?}");
}

#[test]
fn ends_are_as_the_words_say() {
    for (arguments, code) in [("exit 7", 7), ("exit-before-ready 5", 5), ("panic-with-trace", 1), ("juggle", 2)] {
        assert_eq!(converse(arguments).status.code(), Some(code), "{arguments}");
    }
    for signal in [6, 9, 11, 15] {
        assert_eq!(converse(&format!("signal {signal}")).status.signal(), Some(signal));
    }
    let trace = converse("panic-with-trace").stderr;
    assert!(String::from_utf8_lossy(&trace).lines().count() > 300);
}

#[test]
fn time_words_take_the_time_they_name() {
    let output = converse("think 20");
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(log.lines().count(), 2, "{log}");
    assert!(log.starts_with("turn 0: ") && log.contains("us by my clock"), "{log}");
    for arguments in ["burn-cpu 10", "knife-edge -5", "knife-edge 5", "late-then-ok"] {
        assert_eq!(said(arguments), format!("{READY}{FIRST}{SECOND}"), "{arguments}");
    }
}

#[test]
fn floods_are_bounded() {
    let output = converse("stderr-flood");
    assert!((2 << 20..3 << 20).contains(&output.stderr.len()), "{}", output.stderr.len());
    assert!(said("write-1mb-before-read").len() > 1_000_000);
    // Four seconds of hanging after the flood is all that the alarm leaves it.
    let flood = converse("stray-flood --life 4");
    assert!((1 << 20..=64 << 20).contains(&flood.stdout.len()), "{}", flood.stdout.len());
    assert_eq!(flood.status.signal(), Some(14), "its alarm ends it");
}

#[test]
fn a_daemon_outlives_its_bot_in_a_session_of_its_own() {
    let marker = processes::new_marker();
    let folder = tempfile::TempDir::with_prefix("fixture-").expect("a folder for temporary files");
    let pid_file = folder.path().join("pid");
    let mut bot = Command::new(binaries::fixture())
        .args(["daemon", "--marker", &marker, "--at", "launch", "--pid-file"])
        .arg(&pid_file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("the fixture starts");
    assert!(bot.wait().expect("the bot ends").success());
    let pid = || std::fs::read_to_string(&pid_file).ok()?.trim().parse::<i32>().ok();
    assert!(processes::wait_until(Duration::from_secs(10), || pid().is_some()), "the daemon tells its process id");
    let pid = pid().expect("it was there");
    assert_eq!(processes::with_marker(&marker), [pid]);
    let own_session = nix::unistd::getsid(Some(nix::unistd::Pid::from_raw(pid))).expect("it runs");
    assert_eq!(own_session.as_raw(), pid);
    processes::end_marked(&marker);
    processes::assert_no_process_left(&marker, Duration::from_secs(10));
}

#[test]
fn the_list_explains_every_word_once() {
    let listing = String::from_utf8(converse("list").stdout).expect("the list is text");
    for word in WORDS {
        let lines = listing.lines().filter(|line| line.split_whitespace().next() == Some(word.name)).count();
        assert_eq!(lines, 1, "{}", word.name);
        assert!(listing.contains(word.help), "{}", word.name);
    }
}
