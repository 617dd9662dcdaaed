//! Clients that do not keep to the rules, in both seats: who loses, why, and that the server never hangs.

use crate::support::{Client, Server, TRANSCRIPT, state, two_clients};
use serde_json::Value;
use std::io::Write;
use std::net::Shutdown;
use tests::transcript::events;

/// What a client says in answer to its first state, with the reason for which it loses.
const ANSWERS: &[(&str, &str)] = &[
    ("1", "malformed"),
    ("1 left", "malformed"),
    ("one -3", "malformed"),
    ("1 -3.0", "malformed"),
    ("1 -3 0", "malformed"),
    ("1, -3", "malformed"),
    ("99999999999999999999 0", "malformed"),
    (r#"{"position":-3,"weight":1}"#, "malformed"),
    ("\u{fffd}\u{0} 1", "malformed"),
    ("7 0", "illegal"),
    ("1 -4", "illegal"),
    ("1 31", "illegal"),
    ("-1 0", "illegal"),
];

#[test]
fn an_answer_that_is_none_or_not_allowed_loses_in_either_seat() {
    for (answer, reason) in ANSWERS {
        for seat in [0, 1] {
            let result = against(seat, "2", |client, _| client.say(answer));
            assert_eq!(result["reason"], *reason, "{answer:?} in seat {seat}: {result}");
        }
    }
}

#[test]
fn a_json_client_loses_by_what_is_no_answer() {
    for (answer, reason) in [
        (r#"{"position":-3}"#, "malformed"),
        (r#"{"weight":1}"#, "malformed"),
        (r#"{"position":-3,"weight":1"#, "malformed"),
        (r#"{"position":-3.5,"weight":1}"#, "malformed"),
        ("1 -3", "malformed"),
        (r#"{"position":-3,"weight":9}"#, "illegal"),
    ] {
        let server = Server::start("2");
        let mut one = Client::greeted(&server, r#"{"name":"one","is_first":true}"#);
        let mut two = Client::greeted(&server, r#"{"name":"two","is_first":false}"#);
        one.hear();
        one.say(answer);
        let end = two.hear_all();
        assert!(end.contains(r#""game_over":"1""#) && end.contains(r#""winner":"two""#), "{answer}: {end}");
        drop((one, two));
        assert_eq!(server.finish().result()["reason"], reason, "{answer}");
    }
}

#[test]
fn a_client_that_goes_away_when_it_is_asked_has_lost() {
    for seat in [0, 1] {
        let result = against(seat, "2", |client, _| client.stream.shutdown(Shutdown::Both).expect("it is open"));
        assert_eq!(result["reason"], "crashed", "seat {seat}: {result}");
        assert!(result["detail"].as_str().is_some_and(|detail| detail.contains("closed its connection")), "{result}");
    }
}

#[test]
fn a_client_that_goes_away_while_its_rival_thinks_has_lost_at_once() {
    for seat in [0, 1] {
        let result = against(seat, "2", |client, rival| {
            client.say("1 -2");
            rival.hear();
            client.stream.shutdown(Shutdown::Both).expect("it is open");
        });
        assert_eq!(result["reason"], "crashed", "seat {seat}: {result}");
    }
}

#[test]
fn a_move_that_was_sent_before_leaving_still_counts() {
    for seat in [0, 1] {
        let result = against(seat, "2", |client, _| {
            client.say("1 -2");
            client.stream.shutdown(Shutdown::Both).expect("it is open");
        });
        assert_eq!((&result["reason"], &result["turns"]), (&"crashed".into(), &Value::from(seat + 1)), "{result}");
    }
}

#[test]
fn a_client_that_says_nothing_loses_on_time_while_it_thinks() {
    for seat in [0, 1] {
        let result = against(seat, "2 --game-time 300ms", |_, _| {});
        assert_eq!(result["reason"], "timeout", "seat {seat}: {result}");
    }
}

#[test]
fn a_flood_loses_in_either_seat() {
    for seat in [0, 1] {
        let result = against(seat, "2", |client, rival| {
            client.say("1 -2");
            rival.hear();
            // The rival is to move now. The server hangs up when it has had enough.
            while client.stream.write_all(&[b'7'; 4096]).is_ok() {}
        });
        assert_eq!(result["reason"], "flood", "seat {seat}: {result}");
    }
}

#[test]
fn whoever_floods_when_asked_is_judged_by_the_first_message() {
    for seat in [0, 1] {
        let result = against(seat, "2", |client, _| while client.stream.write_all(&[b'7'; 4096]).is_ok() {});
        assert_eq!(result["reason"], "malformed", "seat {seat}: {result}");
    }
}

#[test]
fn what_comes_before_the_state_answers_nothing() {
    for seat in [0, 1] {
        let server = Server::start("2");
        let mut clients = two_clients(&server);
        clients[seat].say("2 30");
        if seat == 1 {
            clients[0].hear();
            clients[0].say("1 -3");
        }
        clients[seat].hear();
        clients[seat].say("1 -2");
        assert_eq!(clients[1 - seat].hear().chars().next(), Some('0'), "the match goes on");
        clients[1 - seat].say("2 30");
        clients[1 - seat].hear_all();
        drop(clients);
        let ended = server.finish();
        assert_eq!(ended.result()["winner"], seat);
        let transcript = ended.transcript(TRANSCRIPT);
        // Before the match begins it is passed over; in the match it is kept.
        let stale: Vec<&Value> = events(&transcript, "stale").collect();
        assert!(stale.iter().all(|event| event["seat"] == seat && event["text"] == "2 30"), "{stale:?}");
    }
}

#[test]
fn a_second_answer_is_never_the_next_turns() {
    let server = Server::start("2");
    let [mut one, mut two] = two_clients(&server);
    one.hear();
    one.say("1 -3");
    two.hear();
    one.say("2 30");
    two.say("1 -2");
    assert_eq!(one.hear(), state(0, &[(-4, 3), (-3, 1), (-2, 1)], 0));
    one.say("2 -1");
    two.hear();
    two.say("9 9");
    one.hear_all();
    two.hear_all();
    drop((one, two));
    let ended = server.finish();
    assert_eq!(ended.result()["winner"], 0);
    let transcript = ended.transcript(TRANSCRIPT);
    let stale: Vec<&Value> = events(&transcript, "stale").collect();
    assert!(stale.len() == 1 && stale[0]["text"] == "2 30", "{stale:?}");
}

#[test]
fn whoever_leaves_before_the_match_is_not_missed() {
    let server = Server::start("2");
    drop(Client::connect(&server));
    drop(Client::greeted(&server, "gone 1"));
    let mut silent = Client::connect(&server);
    let [mut one, mut two] = two_clients(&server);
    assert_eq!(one.hear(), state(0, &[(-4, 3)], 0));
    assert!(silent.hear_all().starts_with("two clients are here already"), "the silent one is told");
    one.say("9 9");
    two.hear_all();
    one.hear_all();
    drop((one, two));
    let ended = server.finish();
    assert_eq!(ended.result()["winner"], 1);
    assert!(ended.shown.contains("went away before the match"), "{}", ended.shown);
}

#[test]
fn a_hello_is_not_waited_for_without_end() {
    let server = Server::start("2 --start-time 200ms");
    let mut silent = Client::connect(&server);
    assert_eq!(silent.hear_all(), "no hello came within 200 ms\n");
    let mut broken = Client::connect(&server);
    broken.say("{\"name\":");
    assert!(broken.hear_all().contains("is no JSON"));
}

#[test]
fn a_third_client_is_told_and_disturbs_nobody() {
    let server = Server::start("2");
    let [mut one, mut two] = two_clients(&server);
    one.hear();
    let mut third = Client::connect(&server);
    assert!(third.hear_all().starts_with("two clients are here already"));
    let mut fourth = Client::connect(&server);
    fourth.say("four 1");
    assert!(fourth.hear_all().starts_with("two clients are here already"));
    one.say("1 -3");
    assert_eq!(two.hear(), state(0, &[(-4, 3), (-3, 1)], 0));
    two.say("9 9");
    assert_eq!(one.hear_all(), state(0, &[(-4, 3), (-3, 1)], 1));
    two.hear_all();
    drop((one, two));
    assert_eq!(server.finish().result()["winner"], 0);
}

/// A match in which the client in this seat, once it has heard its first state, does what it likes, and loses by it: the
/// rival, which has placed 1 kg at -3 when it moves first, is told. The result.
fn against(seat: usize, arguments: &str, act: impl Fn(&mut Client, &mut Client)) -> Value {
    let server = Server::start(arguments);
    let [one, two] = two_clients(&server);
    let (mut client, mut rival) = if seat == 0 { (one, two) } else { (two, one) };
    if seat == 1 {
        rival.hear();
        rival.say("1 -3");
    }
    client.hear();
    act(&mut client, &mut rival);
    let end = rival.hear_all();
    assert!(end.ends_with(" 1\n"), "the rival is told the end, not {end:?}");
    drop((client, rival));
    let result = server.finish().result();
    assert_eq!((&result["at_fault"], &result["winner"]), (&Value::from(seat), &Value::from(1 - seat)), "{result}");
    result
}
