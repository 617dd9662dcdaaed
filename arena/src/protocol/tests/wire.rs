//! The lines that the arena writes, byte for byte, and how bots written in Rust read and answer them.

use super::bot::{self, Message};
use super::*;
use crate::seat::Seat;
use crate::verdict::{Reason, Verdict};

fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = b"before ".to_vec();
    write(&mut out);
    let text = String::from_utf8(out).expect("lines are UTF-8");
    let line = text.strip_prefix("before ").expect("what is there already stays");
    assert_eq!(line.find('\n'), Some(line.len() - 1), "one line: {line}");
    line.trim_end().to_owned()
}

fn message(line: &str) -> Message {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}"))
}

fn verdict() -> Verdict {
    let [winner, at_fault] = [Some(Seat::Second), None];
    Verdict { winner, scores: [16, 20], reason: Reason::Finished, detail: None, at_fault, invalid: None }
}

#[test]
fn start() {
    let params = serde_json::Map::from_iter([("size".to_owned(), json!(6))]);
    let clock = ClockLine { start_ms: Some(10_000), move_ms: Some(1000), game_ms: None, increment_ms: 0 };
    let start = Start {
        game: "chess",
        params: &params,
        seat: Seat::First,
        players: ["paper", "my \"best\"\n"],
        seed: (1 << 53) - 1,
        match_id: "m1",
        clock,
    };
    let line = written(|out| write_start(out, &start));
    assert_eq!(
        line,
        r#"{"type":"start","protocol":1,"game":"chess","params":{"size":6},"seat":0,"players":["paper","my \"best\"\n"],"#
            .to_owned()
            + r#""seed":9007199254740991,"match":"m1","#
            + r#""clock":{"start_ms":10000,"move_ms":1000,"game_ms":null,"increment_ms":0}}"#
    );
    let read = bot::Start {
        protocol: VERSION,
        game: "chess".to_owned(),
        params: params.clone(),
        seat: Seat::First,
        players: ["paper".to_owned(), "my \"best\"\n".to_owned()],
        seed: (1 << 53) - 1,
        match_id: "m1".to_owned(),
        clock,
    };
    assert_eq!(message(&line), Message::Start(read));
}

#[test]
fn turn() {
    let mut since = Since::new();
    since.push(2, Seat::First, Some(r#""c2""#));
    since.push(3, Seat::Second, None);
    let clock = TurnClock { limit_ms: Some(1000), move_ms: Some(1000), left_ms: None };
    let turn = Turn {
        turn: 4,
        seat: Seat::First,
        clock,
        since: &since,
        write_state: &|out| out.extend_from_slice(br#"{"x":0.1}"#),
        write_legal: Some(&|out| out.extend_from_slice(br#"["b3","d5"]"#)),
    };
    let line = written(|out| write_turn(out, &turn));
    assert_eq!(
        line,
        r#"{"type":"turn","turn":4,"seat":0,"state":{"x":0.1},"#.to_owned()
            + r#""since":[{"turn":2,"seat":0,"move":"c2"},{"turn":3,"seat":1,"move":null}],"legal":["b3","d5"],"#
            + r#""clock":{"limit_ms":1000,"move_ms":1000,"left_ms":null}}"#
    );
    let read = bot::Turn {
        turn: 4,
        seat: Seat::First,
        state: json!({"x":0.1}),
        since: vec![
            bot::Played { turn: 2, seat: Seat::First, mv: json!("c2") },
            bot::Played { turn: 3, seat: Seat::Second, mv: json!(null) },
        ],
        legal: Some(vec![json!("b3"), json!("d5")]),
        clock,
    };
    assert_eq!(message(&line), Message::Turn(read));
}

#[test]
fn turn_without_moves_and_clocks() {
    let turn = Turn {
        turn: u32::MAX,
        seat: Seat::Second,
        clock: TurnClock::default(),
        since: &Since::new(),
        write_state: &|out| out.push(b'7'),
        write_legal: None,
    };
    assert_eq!(
        written(|out| write_turn(out, &turn)),
        r#"{"type":"turn","turn":4294967295,"seat":1,"state":7,"since":[],"clock":{"limit_ms":null,"move_ms":null,"left_ms":null}}"#
    );
}

#[test]
fn end() {
    let mut since = Since::new();
    since.push(30, Seat::Second, Some("[1,2]"));
    let line = written(|out| write_end(out, &verdict(), &since));
    assert_eq!(
        line,
        r#"{"type":"end","result":{"winner":1,"scores":[16,20],"reason":"finished","detail":null,"at_fault":null},"#
            .to_owned()
            + r#""since":[{"turn":30,"seat":1,"move":[1,2]}]}"#
    );
    let played = bot::Played { turn: 30, seat: Seat::Second, mv: json!([1, 2]) };
    assert_eq!(message(&line), Message::End(bot::End { result: verdict(), since: vec![played] }));
}

#[test]
fn since_is_empty_again_after_it_was_told() {
    let mut since = Since::new();
    assert!(since.is_empty());
    since.push(0, Seat::First, None);
    assert!(!since.is_empty());
    since.clear();
    assert_eq!(since, Since::new());
}

#[test]
fn every_result_can_be_read_back() {
    for reason in Reason::ALL {
        for (winner, at_fault) in [(None, None), (Some(Seat::First), Some(Seat::Second)), (Some(Seat::Second), None)] {
            for (detail, invalid) in [(None, None), (Some("a \"detail\"\n".to_owned()), Some([0, 7]))] {
                let verdict = Verdict { winner, scores: [-1, i64::MAX], reason, detail, at_fault, invalid };
                assert_eq!(read_result(&result_json(&verdict).into()), Ok(verdict));
            }
        }
    }
    let invalid = Verdict { invalid: Some([0, 7]), at_fault: Some(Seat::First), ..verdict() };
    assert_eq!(
        serde_json::Value::from(result_json(&invalid)).to_string(),
        r#"{"winner":1,"scores":[16,20],"reason":"finished","detail":null,"at_fault":0,"invalid":[0,7]}"#
    );
}

#[test]
fn a_result_that_is_none_is_told_why() {
    for (result, why) in [
        (json!({"winner":2,"scores":[0,0],"reason":"finished"}), "there is no seat 2: a seat is 0 or 1"),
        (json!({"winner":0,"scores":[0,0],"reason":"won"}), "there is no reason `won`"),
        (json!({"winner":0,"reason":"finished"}), "the result is not one: missing field `scores`"),
    ] {
        assert_eq!(read_result(&result), Err(why.to_owned()));
    }
}

#[test]
fn a_bot_ignores_what_it_does_not_know_and_names_what_it_misses() {
    let line =
        r#"{"new":{"a":1},"type":"turn","turn":1,"seat":1,"state":[],"mood":"calm","clock":{"limit_ms":5,"tick":1}}"#;
    let Message::Turn(turn) = message(line) else { panic!("a turn") };
    assert_eq!(turn.clock, TurnClock { limit_ms: Some(5), move_ms: None, left_ms: None });
    for (line, why) in [
        (r#"{"type":"hello"}"#, "there is no message of type `hello`: only start, turn and end"),
        (r#"{"type":"turn","turn":1,"seat":1}"#, "the message has no `state`"),
        (r#"{"type":"turn","turn":1,"seat":3,"state":[]}"#, "there is no seat 3: a seat is 0 or 1"),
    ] {
        let error = serde_json::from_str::<Message>(line).expect_err(line);
        assert!(error.to_string().starts_with(why), "{error}");
    }
}

#[test]
fn a_bots_answers_are_heard_as_they_were_meant() {
    for reuse in [false, true] {
        assert_eq!(hear(written(|out| bot::write_ready(out, reuse)), READY), Heard::Ready { reuse });
    }
    let line = written(|out| bot::write_move(out, 4, r#""b3""#, None));
    assert_eq!(line, r#"{"type":"move","turn":4,"move":"b3"}"#);
    assert_eq!(hear(line, TURN_4), plain_move(json!("b3")));
    let line = written(|out| bot::write_move(out, 4, "null", Some(r#"{"depth":7}"#)));
    let note = Some(r#"{"depth":7}"#.to_owned());
    assert_eq!(hear(line, TURN_4), Heard::Move { mv: json!(null), note, note_dropped: None });
}
