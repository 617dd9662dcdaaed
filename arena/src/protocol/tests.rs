//! What bots send, line by line, and what they are sent.

mod malformed;
mod random;
mod wire;

use super::*;
use serde_json::json;

const MATCH: &str = "m1";
const READY: Expect<'static> = Expect::Ready { match_id: MATCH, again: false };
const READY_AGAIN: Expect<'static> = Expect::Ready { match_id: MATCH, again: true };
const TURN_4: Expect<'static> = Expect::Move { match_id: MATCH, turn: 4 };

/// What a line is that is not a bot's first.
fn hear(line: impl AsRef<[u8]>, expect: Expect<'_>) -> Heard {
    read_line(line.as_ref(), false, &expect)
}

fn plain_move(mv: serde_json::Value) -> Heard {
    Heard::Move { mv, note: None, note_dropped: None }
}

#[test]
fn blank_lines_are_blank_whatever_is_awaited() {
    for expect in [READY, READY_AGAIN, TURN_4, Expect::Nothing] {
        for line in ["", " ", "\t", "\r", "  \t \r"] {
            assert_eq!(hear(line, expect), Heard::Blank, "{line:?}");
        }
    }
    assert_eq!(read_line(b"\xEF\xBB\xBF\r", true, &READY), Heard::Blank);
}

#[test]
fn what_does_not_begin_with_a_brace_is_stray_whatever_is_awaited() {
    let lines: [&[u8]; 12] = [
        b"thinking...",
        b"b3",
        b"null",
        b"[1,2]",
        b"\"{\"",
        b"ready {\"type\":\"ready\"}",
        b"\0",
        b"\xff\xfe",
        b"\xff\xfeb\0a\0n\0n\0e\0r\0",
        b"\x0c{\"turn\":4,\"move\":1}",
        b"\xEF\xBB\xBF{\"turn\":4,\"move\":1}",
        "\u{201c}{}".as_bytes(),
    ];
    for expect in [READY, READY_AGAIN, TURN_4, Expect::Nothing] {
        for line in lines {
            assert_eq!(hear(line, expect), Heard::Stray, "{}", shown(line, 80));
        }
    }
}

#[test]
fn a_byte_order_mark_is_skipped_before_the_first_line_only() {
    let line = b"\xEF\xBB\xBF {\"type\":\"ready\"}\r";
    assert_eq!(read_line(line, true, &READY), Heard::Ready { reuse: false });
    assert_eq!(read_line(line, false, &READY), Heard::Stray);
    assert_eq!(read_line(b" \xEF\xBB\xBF{\"type\":\"ready\"}", true, &READY), Heard::Stray);
}

#[test]
fn without_an_open_request_everything_said_is_stale() {
    for line in [r#"{"turn":4,"move":"b3"}"#, r#"{"type":"ready"}"#, "{", "{'turn': 4}", "{}", "{\0\"\0"] {
        assert_eq!(hear(line, Expect::Nothing), Heard::Stale, "{line}");
    }
}

#[test]
fn ready_is_heard_with_and_without_its_options() {
    for (line, reuse) in [
        (r#"{"type":"ready"}"#, false),
        (r#"  { "type" : "ready" }  "#, false),
        ("{\"type\":\"ready\"}\r", false),
        (r#"{"type":"ready","reuse":true}"#, true),
        (r#"{"type":"ready","reuse":false}"#, false),
        (r#"{"type":"ready","reuse":null}"#, false),
        (r#"{"match":"m1","reuse":true,"type":"ready"}"#, true),
        (r#"{"type":"ready","match":null}"#, false),
        (r#"{"type":"re\u0061dy"}"#, false),
        (r#"{"type":"ready","name":"my bot","turn":0,"move":null,"note":"hello"}"#, false),
    ] {
        assert_eq!(hear(line, READY), Heard::Ready { reuse }, "{line}");
        assert_eq!(hear(line, READY_AGAIN), Heard::Ready { reuse }, "{line}");
    }
}

#[test]
fn another_matchs_lines_are_stale() {
    for expect in [READY, READY_AGAIN] {
        assert_eq!(hear(r#"{"type":"ready","match":"m0"}"#, expect), Heard::Stale);
    }
    assert_eq!(hear(r#"{"turn":4,"move":"b3","match":"m0"}"#, TURN_4), Heard::Stale);
    assert_eq!(hear(r#"{"type":"ready","match":"m0"}"#, TURN_4), Heard::Stale);
    assert_eq!(hear(r#"{"turn":4,"move":"b3","match":"m1"}"#, TURN_4), plain_move(json!("b3")));
}

#[test]
fn until_a_reused_process_is_ready_all_else_is_stale() {
    for line in [
        r#"{"turn":17,"move":"b3"}"#,
        r#"{"type":"move","turn":0,"move":"b3","match":"m1"}"#,
        "{",
        "{'turn': 4}",
        "{}",
        r#"{"type":"start"}"#,
        r#"{"type":"ready","reuse":1}"#,
    ] {
        assert_eq!(hear(line, READY_AGAIN), Heard::Stale, "{line}");
    }
}

#[test]
fn a_move_is_heard_however_it_is_laid_out() {
    for line in [
        r#"{"turn":4,"move":"b3"}"#,
        r#"{"type":"move","turn":4,"move":"b3"}"#,
        r#"{"move":"b3","turn":4,"type":"move"}"#,
        "\t{\t\"turn\" : 4 , \"move\" : \"b3\" }\r",
        r#"{"turn":4,"move":"\u00623"}"#,
        r#"{"turn":4,"move":"b3","match":"m1","depth":7,"pv":[{"a":1},{"a":1}],"":{}}"#,
        r#"{"turn":4,"move":"b3","reuse":"anything","state":{},"clock":{}}"#,
    ] {
        assert_eq!(hear(line, TURN_4), plain_move(json!("b3")), "{line}");
    }
}

#[test]
fn a_move_is_read_exactly_whatever_its_shape() {
    for (text, mv) in [
        ("null", json!(null)),
        ("true", json!(true)),
        ("0", json!(0)),
        ("-3", json!(-3)),
        ("18446744073709551615", json!(u64::MAX)),
        ("-9223372036854775808", json!(i64::MIN)),
        ("0.1", json!(0.1)),
        ("-18.500000000000004", json!(-18.500000000000004)),
        ("5e-324", json!(5e-324)),
        ("1.7976931348623157e308", json!(f64::MAX)),
        (r#""a \"quoted\" \\ \ud83d\ude00 ü""#, json!("a \"quoted\" \\ 😀 ü")),
        (r#"{"to":[1,2],"from":[3,4]}"#, json!({"to":[1,2],"from":[3,4]})),
        (r#"[{"piece":3,"angle":0.5},[]]"#, json!([{"piece":3,"angle":0.5},[]])),
        ("[]", json!([])),
    ] {
        let heard = hear(format!(r#"{{"turn":4,"move":{text}}}"#), TURN_4);
        assert_eq!(heard, plain_move(mv), "{text}");
    }
}

#[test]
fn an_answer_to_an_earlier_turn_is_stale() {
    for line in [
        r#"{"turn":3,"move":"b3"}"#,
        r#"{"turn":0,"move":"b3"}"#,
        r#"{"type":"move","turn":3,"move":"b3","match":"m1"}"#,
        r#"{"turn":3}"#,
    ] {
        assert_eq!(hear(line, TURN_4), Heard::Stale, "{line}");
    }
}

#[test]
fn a_note_is_kept_as_it_was_written() {
    for note in
        [r#"{"depth":7,"eval":0.310}"#, r#""a line""#, "1.50", "null", "[ 1, 2 ]", r#"{"b":{"a":1},"a":{"a":1}}"#]
    {
        let heard = hear(format!(r#"{{"turn":4,"note": {note} ,"move":1}}"#), TURN_4);
        assert_eq!(heard, Heard::Move { mv: json!(1), note: Some(note.to_owned()), note_dropped: None });
    }
    let Heard::Move { note, .. } = hear("{\"turn\":4,\"move\":1,\"note\":[1,\r2,\t3]}", TURN_4) else {
        panic!("a move")
    };
    assert_eq!(note.as_deref(), Some("[1, 2,\t3]"), "no reader may take a part of it for a line");
}

#[test]
fn a_note_over_its_limit_is_left_out_and_its_move_counts() {
    let with_note = |bytes: usize| hear(format!(r#"{{"turn":4,"move":1,"note":"{}"}}"#, "n".repeat(bytes - 2)), TURN_4);
    let Heard::Move { note: Some(note), note_dropped: None, .. } = with_note(NOTE_LIMIT) else { panic!("it fits") };
    assert_eq!(note.len(), NOTE_LIMIT);
    let dropped = Some(NOTE_LIMIT + 1);
    assert_eq!(with_note(NOTE_LIMIT + 1), Heard::Move { mv: json!(1), note: None, note_dropped: dropped });
}

#[test]
fn nesting_is_allowed_up_to_the_limit_in_every_part() {
    // The object of the line is the first of the 120 levels.
    for part in ["move", "note", "other"] {
        let nested = |levels: usize| {
            let value = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
            let rest = if part == "move" { "" } else { r#","move":1"# };
            hear(format!(r#"{{"turn":4,"{part}":{value}{rest}}}"#), TURN_4)
        };
        assert!(matches!(nested(119), Heard::Move { .. }), "{part}");
        let Heard::Malformed(detail) = nested(120) else { panic!("{part} is too deep") };
        assert!(detail.contains("lists and objects are nested more than 120 deep"), "{detail}");
        assert!(matches!(nested(30_000), Heard::Malformed(_)), "{part}");
    }
}

#[test]
fn shown_escapes_what_cannot_be_printed_and_leaves_json_readable() {
    for (line, text) in [
        (&b"{\"a\":'b\\n'}"[..], r#"{"a":'b\n'}"#),
        (b"tab\tcr\rnul\0esc\x1b[31m", r"tab\tcr\rnul\0esc\u{1b}[31m"),
        (b"\xEF\xBB\xBF{}", r"\u{feff}{}"),
        (b"\xff\xfe{\0", r"\xff\xfe{\0"),
        (b"cut \xe2\x82", r"cut \xe2\x82"),
        ("über 😀\u{202e}".as_bytes(), "über 😀\\u{202e}"),
        (b"", ""),
    ] {
        assert_eq!(shown(line, 200), text);
    }
}

#[test]
fn shown_says_how_much_it_cut() {
    assert_eq!(shown(b"0123456789", 10), "0123456789");
    assert_eq!(shown(b"0123456789a", 10), "0123456789… (1 more bytes)");
    assert_eq!(shown("üüüü".as_bytes(), 3), "üüü… (2 more bytes)");
    assert_eq!(shown(b"ab\xff\xff", 7), "ab\\xff… (1 more bytes)");
    assert_eq!(shown(b"abc", 0), "… (3 more bytes)");
}
