//! The table of bad lines and their exact reasons.

use super::*;

/// The reason why a line is malformed, without the line and what was expected, which every detail ends with.
fn why(line: impl AsRef<[u8]>, expect: Expect<'_>) -> String {
    let line = line.as_ref();
    let Heard::Malformed(detail) = hear(line, expect) else { panic!("{} passed", shown(line, 200)) };
    let end = format!(". The bot sent {}; expected was {}", shown(line.trim_ascii(), 200), expected(&expect));
    detail.strip_suffix(&end).unwrap_or_else(|| panic!("{detail} does not end with {end}")).to_owned()
}

#[track_caller]
fn expect_reasons(expect: Expect<'_>, table: &[(&str, &str)]) {
    for (line, reason) in table {
        assert_eq!(why(line, expect), *reason, "{line}");
    }
}

#[test]
fn a_detail_has_the_reason_the_line_and_the_expected_answer() {
    assert_eq!(
        hear(r#"  {"turn":4,"mvoe":"b3"} "#, TURN_4),
        Heard::Malformed(
            "`move` is missing: the move stands under the key \"move\", beside `turn`. \
             The bot sent {\"turn\":4,\"mvoe\":\"b3\"}; expected was {\"turn\":4,\"move\":…}"
                .to_owned()
        )
    );
    assert_eq!(
        hear("{'type': 'ready'}", READY),
        Heard::Malformed(
            "broken JSON at column 2: a single quote, as in a printed Python dictionary: print json.dumps(answer), not \
             the dictionary itself. The bot sent {'type': 'ready'}; expected was {\"type\":\"ready\"}"
                .to_owned()
        )
    );
    assert_eq!(
        malformed_move(4, br#"{"turn":4,"move":5}"#, "a square is a text such as \"c2\", not 5"),
        "`move` has not the shape of this game's moves: a square is a text such as \"c2\", not 5. \
         The bot sent {\"turn\":4,\"move\":5}; expected was {\"turn\":4,\"move\":…}"
    );
}

#[test]
fn python() {
    let quote =
        "a single quote, as in a printed Python dictionary: print json.dumps(answer), not the dictionary itself";
    let word = "as in a printed Python dictionary: print json.dumps(answer), not the dictionary itself";
    expect_reasons(
        TURN_4,
        &[
            ("{'turn': 4, 'move': 'b3'}", &format!("broken JSON at column 2: {quote}")),
            (r#"{"turn": 4, "move": 'b3'}"#, &format!("broken JSON at column 21: {quote}")),
            (r#"{"turn": 4, 'move': "b3"}"#, &format!("broken JSON at column 13: {quote}")),
            (r#"{"turn": 4, "move": u'b3'}"#, &format!("broken JSON at column 21: {quote}")),
            (r#"{"turn": 4, "move": b'b3'}"#, &format!("broken JSON at column 21: {quote}")),
            (r#"{"turn": 4, "note": {'depth': 7}, "move": 1}"#, &format!("broken JSON at column 22: {quote}")),
            (r#"{"turn": 4, "move": None}"#, &format!("broken JSON at column 21: None, {word}")),
            (r#"{"turn": 4, "move": [True]}"#, &format!("broken JSON at column 22: True, {word}")),
            (r#"{"turn": 4, "move": 1, "note": False}"#, &format!("broken JSON at column 32: False, {word}")),
            (r#"{"turn": 4, "move": (3, 4)}"#, "broken JSON at column 21: ( begins no JSON value"),
        ],
    );
}

#[test]
fn numbers_that_are_none() {
    let not_finite = |column, seen| {
        format!("broken JSON at column {column}: {seen} is no JSON number: only finite numbers can be sent")
    };
    for seen in ["NaN", "nan", "-nan", "-NaN", "Infinity", "-Infinity", "+Infinity", "inf", "-inf", "INF"] {
        assert_eq!(why(format!(r#"{{"turn":4,"move":{seen}}}"#), TURN_4), not_finite(18, seen));
        assert_eq!(why(format!(r#"{{"turn":4,"move":[1,{seen}]}}"#), TURN_4), not_finite(21, seen));
        assert_eq!(why(format!(r#"{{"turn":4,"move":1,"note":[{seen}]}}"#), TURN_4), not_finite(28, seen));
        assert_eq!(why(format!(r#"{{"turn":4,"eval":{seen},"move":1}}"#), TURN_4), not_finite(18, seen));
    }
    for part in ["move", "note", "eval", "turn"] {
        assert_eq!(
            why(format!(r#"{{"{part}":-1e999}}"#), TURN_4),
            "broken JSON at column 9: the number -1e999 is too large: only finite numbers can be sent"
        );
    }
    for seen in ["04", "-04", "+5", ".5", "5.", "1e", "0x10", "1_000"] {
        let reason = why(format!(r#"{{"turn":4,"move":{seen}}}"#), TURN_4);
        assert!(reason.starts_with("broken JSON at column "), "{seen}: {reason}");
    }
    expect_reasons(
        TURN_4,
        &[
            (r#"{"turn":04,"move":1}"#, "broken JSON at column 9: 04 is not how JSON writes a number"),
            (r#"{"turn":4,"move":.5}"#, "broken JSON at column 18: .5 is not how JSON writes a number"),
            (r#"{"turn":4,"move":5.}"#, "broken JSON at column 18: 5. is not how JSON writes a number"),
            (r#"{"turn":4,"move":+5}"#, "broken JSON at column 18: +5 is not how JSON writes a number"),
        ],
    );
}

#[test]
fn objects_that_end_too_early_or_go_on() {
    let open = "the object is opened and not closed on this line, as in pretty-printed JSON: write the whole answer on one \
                line (json.dumps without indent, JSON.stringify with one argument)";
    let text = "a text is opened and not closed on this line: close it with a double quote; a line break in a text is \
                written \\n";
    expect_reasons(
        TURN_4,
        &[
            ("{", &format!("broken JSON at column 2: {open}")),
            (r#"{"turn":4,"#, &format!("broken JSON at column 11: {open}")),
            (r#"{"turn":4,"move":"#, &format!("broken JSON at column 18: {open}")),
            (r#"{"turn":4,"move":[1,2"#, &format!("broken JSON at column 22: {open}")),
            (r#"{"turn":4,"move":1,"note":{"a":1}"#, &format!("broken JSON at column 34: {open}")),
            (r#"{"turn":4,"move":"b3"#, &format!("broken JSON at column 21: {text}")),
            (r#"{"turn":4,"mo"#, &format!("broken JSON at column 14: {text}")),
            (
                r#"{"turn":4,"move":"b3"}{"turn":5,"move":"b4"}"#,
                "broken JSON at column 23: a second object begins on the same line: end each with a line feed, and answer \
                 a request once",
            ),
            (
                r#"{"type":"ready"} {"turn":4,"move":"b3"}"#,
                "broken JSON at column 18: a second object begins on the same line: end each with a line feed, and answer \
                 a request once",
            ),
            (
                r#"{"turn":4,"move":"b3"}}"#,
                "broken JSON at column 23: something follows the object: send nothing else on its line",
            ),
            (
                r#"{"turn":4,"move":"b3"} // corner"#,
                "broken JSON at column 24: something follows the object: send nothing else on its line",
            ),
            (
                r#"{"turn":4,"move":"b3"},"#,
                "broken JSON at column 23: something follows the object: send nothing else on its line",
            ),
        ],
    );
}

#[test]
fn commas_quotes_and_other_slips() {
    expect_reasons(
        TURN_4,
        &[
            (
                r#"{"turn":4,"move":"b3",}"#,
                "broken JSON at column 23: a comma before the end of the object: leave it out",
            ),
            (r#"{"turn":4,"move":[1,]}"#, "broken JSON at column 21: a comma before the end of a list: leave it out"),
            (r#"{"turn":4,,"move":1}"#, "broken JSON at column 11: a comma too many: leave it out"),
            (r#"{"turn":4,"move":[1,,2]}"#, "broken JSON at column 21: a value is missing before ,"),
            (r#"{"turn":4,"move":}"#, "broken JSON at column 18: a value is missing before }"),
            (r#"{"turn":4 "move":1}"#, "broken JSON at column 11: expected `,` or `}`, but \" stands there"),
            (r#"{"turn":4;"move":1}"#, "broken JSON at column 10: expected `,` or `}`, but ; stands there"),
            (r#"{"turn"=4}"#, "broken JSON at column 8: expected `:`, but = stands there"),
            (r#"{"turn":4,"move":[1 2]}"#, "broken JSON at column 21: expected `,` or `]`, but 2 stands there"),
            ("{turn:4,move:1}", "broken JSON at column 2: a key is not in double quotes: write {\"turn\":…}"),
            ("{4:1}", "broken JSON at column 2: a key is not in double quotes: write {\"turn\":…}"),
            ("{“turn”:4}", "broken JSON at column 2: a key is not in double quotes: write {\"turn\":…}"),
            (r#"{"turn":4,"move":b3}"#, "broken JSON at column 18: b3 is no JSON value: texts stand in double quotes"),
            (
                r#"{"turn":4,"move":nul}"#,
                "broken JSON at column 18: nul is no JSON value: texts stand in double quotes",
            ),
            (
                r#"{"turn":4,"move":undefined}"#,
                "broken JSON at column 18: undefined is JavaScript's: JSON has only null for it",
            ),
            (
                "{\"turn\":4,\"move\":\"b\t3\"}",
                "broken JSON at column 20: a control character in a text: escape it (a tab is \\t, a line break \\n)",
            ),
            (
                r#"{"turn":4,"move":"b\'3"}"#,
                "broken JSON at column 21: a backslash in a text that begins no escape of JSON's: write a backslash as \\\\",
            ),
            (
                r#"{"turn":4,"move":"\ud800"}"#,
                "broken JSON at column 25: half of a surrogate pair in a text: write both halves, or the character itself",
            ),
        ],
    );
}

#[test]
fn the_column_counts_characters() {
    assert_eq!(why(r#"{"a":"üü😀","turn":4,"move":None}"#, TURN_4).split(':').next(), Some("broken JSON at column 28"));
}

#[test]
fn a_place_beyond_the_shown_part_is_shown_beside_it() {
    let line = format!(r#"{{"turn":4,"note":"{}","move":NaN,"x":1}}"#, "ü".repeat(300));
    let near = r#" (near üüüüüü","move":NaN,"x":1})"#;
    assert_eq!(
        why(line, TURN_4),
        format!("broken JSON at column 328{near}: NaN is no JSON number: only finite numbers can be sent")
    );
}

#[test]
fn other_encodings() {
    let utf16 = "this is UTF-16 text: write UTF-8";
    let text = r#"{"turn":4,"move":"b3"}"#;
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for line in [&little, &big, &[b"\xff\xfe", &little[..]].concat(), &[b"\xfe\xff", &big[..]].concat()] {
        assert_eq!(why(line, TURN_4), utf16);
        assert!(matches!(read_line(line, true, &READY), Heard::Malformed(_)));
        // The line feed of a little-endian line leaves its second byte to the next one.
        assert_eq!(hear([b"\0", &little[..]].concat(), Expect::Nothing), Heard::Stale);
    }
    for (line, reason) in [
        (
            &b"{\"turn\":4,\"move\":\"\xff\"}"[..],
            "broken JSON at column 19: the byte 0xff is no UTF-8: write all output as UTF-8",
        ),
        (
            b"{\"turn\":4,\"move\":1,\"note\":[\"\xe9\"]}",
            "broken JSON at column 29: the byte 0xe9 is no UTF-8: write all output as UTF-8",
        ),
        (
            b"{\"turn\":4,\"na\xc3me\":1}",
            "broken JSON at column 14: the byte 0xc3 is no UTF-8: write all output as UTF-8",
        ),
        (
            b"{\"turn\":4,\"move\":1,\"eval\":\"\xed\xa0\x80\"}",
            "broken JSON at column 28: the byte 0xed is no UTF-8: write all output as UTF-8",
        ),
        (
            b"{'move': '\xff'}",
            "broken JSON at column 2: a single quote, as in a printed Python dictionary: print json.dumps(answer), not the dictionary itself",
        ),
    ] {
        assert_eq!(why(line, TURN_4), reason);
    }
}

#[test]
fn a_key_that_comes_twice() {
    let twice = |column, key| {
        format!(
            "JSON that is refused at column {column}: the key \"{key}\" comes twice in one object: write each key once"
        )
    };
    expect_reasons(
        TURN_4,
        &[
            (r#"{"turn":4,"turn":4,"move":1}"#, &twice(11, "turn")),
            (r#"{"turn":4,"move":1,"move":2}"#, &twice(20, "move")),
            (r#"{"turn":3,"turn":4,"move":1}"#, &twice(11, "turn")),
            (r#"{"type":"move","type":"move","turn":4,"move":1}"#, &twice(16, "type")),
            (r#"{"turn":4,"move":1,"note":1,"note":1}"#, &twice(29, "note")),
            (r#"{"turn":4,"move":1,"match":null,"match":null}"#, &twice(33, "match")),
            (r#"{"turn":4,"move":1,"reuse":null,"reuse":null}"#, &twice(33, "reuse")),
            (r#"{"turn":4,"move":1,"x":1,"x":1}"#, &twice(26, "x")),
            (r#"{"turn":4,"move":{"to":1,"to":2}}"#, &twice(26, "to")),
            (r#"{"turn":4,"move":[1,[{"a":[{"c":1,"c":2}]}]]}"#, &twice(35, "c")),
            (r#"{"turn":4,"move":1,"note":[{"a":1,"a":1}]}"#, &twice(35, "a")),
            (r#"{"turn":4,"move":1,"x":[{"a":1,"a":1}]}"#, &twice(32, "a")),
            (r#"{"turn":4,"move":1,"m\u006fve":1}"#, &twice(20, "move")),
        ],
    );
    assert_eq!(why(r#"{"type":"ready","type":"ready"}"#, READY), twice(17, "type"));
}

#[test]
fn a_key_that_would_confuse_readers_of_the_record() {
    assert_eq!(
        why(r#"{"turn":4,"move":1,"note":{"$serde_json::private::RawValue":"{"}}"#, TURN_4),
        "JSON that is refused at column 28: the key \"$serde_json::private::RawValue\" is reserved: call it otherwise"
    );
}

const ECHO: &str =
    "the arena's own message was sent back: send an answer to it, and print what was read to stderr only";

#[test]
fn an_object_that_is_no_move() {
    let wrong_type =
        |seen| format!("`type` is {seen}, but a move is awaited, whose type is \"move\": it may also be left out");
    let repeat = "repeat the number of the request, \"turn\":4";
    expect_reasons(
        TURN_4,
        &[
            ("{}", &format!("`turn` is missing: {repeat}")),
            (r#"{"move":"b3"}"#, &format!("`turn` is missing: {repeat}")),
            (
                r#"{"Turn":4,"Move":"b3"}"#,
                &format!("`turn` is missing: {repeat} (there is \"Turn\", which is another key)"),
            ),
            (r#"{"turn":"4","move":1}"#, &format!("`turn` is the text \"4\": write a number without quotes, {repeat}")),
            (r#"{"turn":5,"move":1}"#, &format!("`turn` is 5, a turn that is yet to come: {repeat}")),
            (
                r#"{"turn":18446744073709551615,"move":1}"#,
                &format!("`turn` is 18446744073709551615, a turn that is yet to come: {repeat}"),
            ),
            (r#"{"turn":-1,"move":1}"#, &format!("`turn` is -1, no whole number from 0: {repeat}")),
            (r#"{"turn":4.5,"move":1}"#, &format!("`turn` is 4.5, no whole number from 0: {repeat}")),
            (r#"{"turn":null,"move":1}"#, &format!("`turn` is null, no whole number from 0: {repeat}")),
            (r#"{"turn":[4],"move":1}"#, &format!("`turn` is [4], no whole number from 0: {repeat}")),
            (r#"{"turn":4}"#, "`move` is missing: the move stands under the key \"move\", beside `turn`"),
            (r#"{"type":"move","turn":4}"#, "`move` is missing: the move stands under the key \"move\", beside `turn`"),
            (
                r#"{"turn":4,"MOVE":1}"#,
                "`move` is missing: the move stands under the key \"move\", beside `turn` (there is \"MOVE\", which is another key)",
            ),
            (r#"{"type":"info","turn":4,"move":1}"#, &wrong_type("\"info\"")),
            (r#"{"type":"Move","turn":4,"move":1}"#, &wrong_type("\"Move\"")),
            (r#"{"type":"info","turn":3,"move":1}"#, &wrong_type("\"info\"")),
            (r#"{"type":null,"turn":4,"move":1}"#, &wrong_type("null")),
            (r#"{"type":7,"turn":4,"move":1}"#, &wrong_type("7")),
            (
                r#"{"turn":4,"move":1,"match":7}"#,
                "`match` is 7, but must be the text that `start` gave, or be left out",
            ),
            (r#"{"type":"turn","turn":4,"seat":0,"state":{},"since":[],"legal":["b3"],"clock":{}}"#, ECHO),
            (r#"{"turn":4,"seat":0,"state":{},"since":[],"clock":{}}"#, ECHO),
            (r#"{"type":"start","protocol":1,"match":"m1"}"#, ECHO),
            (r#"{"type":"end","result":{},"since":[]}"#, ECHO),
        ],
    );
}

#[test]
fn an_object_that_is_not_ready() {
    let early = "a move came before `ready`: the first answer to `start` is `ready`";
    let missing = "`type` is missing: \"type\":\"ready\" is what answers `start`";
    expect_reasons(
        READY,
        &[
            ("{}", missing),
            (r#"{"ready":true}"#, missing),
            (r#"{"Type":"ready"}"#, &format!("{missing} (there is \"Type\", which is another key)")),
            (r#"{"type":"Ready"}"#, "`type` is \"Ready\", but must be \"ready\""),
            (r#"{"type":["ready"]}"#, "`type` is [\"ready\"], but must be \"ready\""),
            (r#"{"type":"move","turn":0,"move":"b3"}"#, early),
            (r#"{"turn":0,"move":"b3"}"#, early),
            (r#"{"type":"start","protocol":1,"match":"m1"}"#, ECHO),
            (r#"{"type":"ready","reuse":"yes"}"#, "`reuse` is \"yes\", but must be true or false, or be left out"),
            (r#"{"type":"ready","match":1}"#, "`match` is 1, but must be the text that `start` gave, or be left out"),
        ],
    );
}

#[test]
fn a_long_line_is_cut_in_the_detail() {
    let line = format!(r#"{{"turn":4,"text":"{}"}}"#, "x".repeat(60_000));
    let Heard::Malformed(detail) = hear(&line, TURN_4) else { panic!("there is no move") };
    assert!(detail.contains(&format!("… ({} more bytes); expected was", line.len() - 200)), "{detail}");
    assert!(detail.len() < 500);
    let key = format!(r#"{{"{0}":1,"{0}":2}}"#, "k".repeat(30_000));
    let Heard::Malformed(detail) = hear(key, TURN_4) else { panic!("a key comes twice") };
    assert!(detail.len() < 500, "{}", detail.len());
}
