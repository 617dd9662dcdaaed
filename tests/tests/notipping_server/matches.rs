//! Whole matches between clients that keep to the rules, byte by byte.

use crate::support::{Client, Server, TRANSCRIPT, board, state, two_clients};
use nix::sys::signal::Signal;
use serde_json::json;
use std::net::TcpListener;
use std::process::Command;
use tests::arena::Arena;
use tests::binaries;

/// With one block each: both placed, then the first block of all taken off, then the one at -3, which tips the board.
const START: [(i64, u32); 1] = [(-4, 3)];
const ONE_PLACED: [(i64, u32); 2] = [(-4, 3), (-3, 1)];
const TWO_PLACED: [(i64, u32); 3] = [(-4, 3), (-3, 1), (-2, 1)];
const ONE_TAKEN: [(i64, u32); 2] = [(-3, 1), (-2, 1)];
const TIPPED: [(i64, u32); 1] = [(-2, 1)];

#[test]
fn text_clients_are_sent_what_the_rules_say_to_the_byte() {
    let server = Server::start("1");
    let mut alice = Client::connect(&server);
    alice.say("alice 0");
    assert_eq!(alice.hear(), "1\n");
    let mut bob = Client::connect(&server);
    bob.say("bob 1");
    assert_eq!(bob.hear(), "1\n", "the answer to the hello comes alone");
    assert_eq!(bob.hear(), state(0, &START, 0), "the second client's flag lets it move first");
    bob.say("1 -3");
    assert_eq!(alice.hear(), state(0, &ONE_PLACED, 0));
    alice.say("1 -2\n");
    assert_eq!(bob.hear(), state(1, &TWO_PLACED, 0));
    bob.say("-4\r\n");
    assert_eq!(alice.hear(), state(1, &ONE_TAKEN, 0));
    alice.say("-3");
    assert_eq!(bob.hear_all(), state(1, &TIPPED, 1));
    assert_eq!(alice.hear_all(), state(1, &TIPPED, 1));
    drop((alice, bob));

    let ended = server.finish();
    let result = ended.result();
    assert_eq!((&result["winner"], &result["reason"]), (&json!(0), &json!("finished")), "{result}");
    let header = &ended.transcript(TRANSCRIPT)[0];
    assert_eq!((&header["players"][0]["name"], &header["players"][1]["name"]), (&json!("bob"), &json!("alice")));
    assert_eq!(header["players"][0]["command"], json!([]));
    assert_eq!((&header["clock"]["game_ms"], &header["clock"]["move_ms"]), (&json!(120_000), &json!(null)));
    for words in
        ["bob wins: bob 1, alice 0", "torque about -3", "torque about -1", "hand", "of 120 s left", "tipped to the"]
    {
        assert!(ended.shown.contains(words), "{words} is not shown:\n{}", ended.shown);
    }
    assert!(!ended.shown.contains("disagree"), "{}", ended.shown);
}

#[test]
fn a_json_client_meets_a_text_client() {
    let server = Server::start("1");
    let mut ann = Client::connect(&server);
    ann.say(r#"{"name":"ann","is_first":false}"#);
    assert_eq!(ann.hear(), "{\"num_weights\":1,\"board_length\":30}\n");
    let mut bob = Client::greeted(&server, "bob 0");
    let shown = |kind: &str, over: &str, blocks: &[(i64, u32)], more: &str| {
        format!("{{\"move_type\":\"{kind}\",\"game_over\":\"{over}\",\"board_state\":\"{}\"{more}}}\n", board(blocks))
    };
    assert_eq!(ann.hear(), shown("place", "0", &START, ""));
    ann.say(r#"{"position":-3,"weight":1}"#);
    assert_eq!(bob.hear(), state(0, &ONE_PLACED, 0));
    bob.say("1 -2");
    assert_eq!(ann.hear(), shown("remove", "0", &TWO_PLACED, ""));
    ann.say("{\"position\": -4}\n");
    assert_eq!(bob.hear(), state(1, &ONE_TAKEN, 0));
    bob.say("-3");
    assert_eq!(ann.hear_all(), shown("remove", "1", &TIPPED, r#","winner":"ann""#));
    assert_eq!(bob.hear_all(), state(1, &TIPPED, 1));
    drop((ann, bob));
    let ended = server.finish();
    assert_eq!(ended.result()["winner"], 0);
    assert!(
        ended.shown.contains("the flags disagree; the second client's decides, so ann moves first"),
        "{}",
        ended.shown
    );
}

#[test]
fn odd_names_and_flags_are_shown_harmlessly_and_told_apart() {
    let server = Server::start("1");
    let _one = Client::greeted(&server, "\u{1b}[31mRed\u{7} perhaps");
    let mut two = Client::greeted(&server, "\u{1b}[31mred\u{7} TRUE");
    two.hear();
    two.say("1");
    two.hear_all();
    drop((_one, two));
    let ended = server.finish();
    assert!(!ended.shown.contains('\u{1b}') && !ended.shown.contains('\u{7}'), "{:?}", ended.shown);
    assert!(ended.shown.contains("has the flag `perhaps`"), "{}", ended.shown);
    let header = &ended.transcript(TRANSCRIPT)[0];
    assert_eq!(header["players"][0]["name"], "\u{1b}[31mred\u{7}-2");
    assert_eq!(header["players"][1]["name"], "\u{1b}[31mRed\u{7}");
}

#[test]
fn further_matches_are_played_with_whoever_comes_back_at_once() {
    let server = Server::start("1 --matches 2");
    for _ in 0..2 {
        let [mut one, mut two] = two_clients(&server);
        one.hear();
        one.say("1 30");
        two.hear_all();
        one.hear_all();
    }
    let ended = server.finish();
    assert_eq!(ended.code, Some(0), "{}", ended.shown);
    for name in [TRANSCRIPT, "match-2.jsonl"] {
        assert_eq!(ended.transcript(name).last().expect("a result")["winner"], 1, "{name}");
    }
}

#[test]
fn the_pause_lies_outside_both_clocks() {
    let server = Server::start("1 -w --game-time 800ms");
    let [mut one, mut two] = two_clients(&server);
    for mv in ["1 -3", "-4"] {
        one.hear();
        one.say(mv);
        two.hear();
        two.say(if mv == "-4" { "-3" } else { "1 -2" });
    }
    assert_eq!(one.hear_all(), state(1, &TIPPED, 1));
    drop((one, two));
    let result = server.finish().result();
    assert_eq!(result["reason"], "finished");
    assert!(result["duration_ms"].as_u64() >= Some(3000), "{result}");
}

#[test]
fn ctrl_c_while_clients_are_waited_for_leaves_nothing() {
    for (signal, code) in [(Signal::SIGINT, 130), (Signal::SIGTERM, 143)] {
        let server = Server::start("3");
        let mut one = Client::greeted(&server, "one 1");
        server.signal(signal);
        assert_eq!(one.hear_all(), "");
        let ended = server.finish();
        assert_eq!(ended.code, Some(code));
        assert!(!ended.path(TRANSCRIPT).exists());
    }
}

#[test]
fn sigterm_during_a_match_voids_it_and_tells_both() {
    let server = Server::start("3");
    let [mut one, mut two] = two_clients(&server);
    one.hear();
    server.signal(Signal::SIGTERM);
    assert_eq!(one.hear_all(), state(0, &START, 1));
    assert_eq!(two.hear_all(), state(0, &START, 1));
    drop((one, two));
    let ended = server.finish();
    assert_eq!(ended.code, Some(143));
    assert_eq!(ended.transcript(TRANSCRIPT).last().expect("a result")["reason"], "interrupted");
}

#[test]
fn what_cannot_be_served_is_told_with_the_way_out() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let taken = taken.local_addr().map(|address| (address.to_string(), taken)).expect("it has an address");
    for (address, weights, words) in [
        (taken.0.as_str(), "5", "is in use: end the program that listens there, or take another port"),
        ("nowhere", "5", "write it as HOST:PORT"),
        ("127.0.0.1:0", "25", "must be a whole number from 1 to 24"),
        ("127.0.0.1:0", "0", "must be a whole number from 1 to 24"),
    ] {
        let run = Arena::new(["notipping-server", address, weights]).run();
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:#?}");
        assert!(run.stderr.contains(words), "{run:#?}");
    }
}

#[test]
fn the_rules_tell_how_the_server_is_run() {
    let rules = Command::new(binaries::arena()).args(["rules", "notipping"]).output().expect("the arena starts");
    let rules = String::from_utf8_lossy(&rules.stdout).into_owned();
    assert!(rules.contains("arena notipping-server 127.0.0.1:5000 15"), "{rules}");
}
