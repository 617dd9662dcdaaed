use super::{own_standing, without_the_rival};
use crate::seat::Seat;
use serde_json::{Value, json};

fn kept(events: &[Value], seat: Seat) -> Vec<Value> {
    let text: String = events.iter().map(|event| format!("{event}\n")).collect();
    let kept = without_the_rival(&text, seat).expect("all lines are JSON");
    kept.lines().map(|line| serde_json::from_str(line).expect("all lines are JSON")).collect()
}

#[test]
fn what_a_rival_wrote_for_itself_is_left_out_and_what_was_played_stays() {
    let command = ["/usr/bin/python3", "/home/secret/src/bot.py", "--depth", "3"];
    let player = |name: &str| json!({"name": name, "command": command, "folder": "/home/secret", "seed": 1});
    let events = [
        json!({"type": "match", "seed": 1, "players": [player("a"), player("b")]}),
        json!({"type": "ready", "seat": 1}),
        json!({"type": "stderr", "seat": 1, "text": "secret"}),
        json!({"type": "stderr", "seat": 0, "text": "own"}),
        json!({"type": "move", "turn": 0, "seat": 0, "move": "a1", "note": "own"}),
        json!({"type": "invalid", "turn": 1, "seat": 1, "flip": 0, "why": "rule"}),
        json!({"type": "move", "turn": 1, "seat": 1, "move": "b2", "note": "secret"}),
        json!({"type": "stray", "seat": 1, "text": "secret"}),
        json!({"type": "stale", "seat": 1, "text": "secret"}),
        json!({"type": "of the future", "seat": 1, "text": "secret"}),
        json!({"type": "fault", "seat": 1, "reason": "crashed", "detail": "secret", "line": "secret"}),
        json!({"type": "result", "winner": 0, "reason": "crashed", "detail": "secret", "at_fault": 1}),
    ];
    let first = kept(&events, Seat::First);
    let kinds: Vec<&str> = first.iter().filter_map(|event| event["type"].as_str()).collect();
    assert_eq!(kinds, ["match", "ready", "stderr", "move", "invalid", "move", "fault", "result"]);
    assert!(!first[1..].iter().any(|event| event.to_string().contains("secret")), "{first:#?}");
    assert_eq!(first[0]["players"][1], json!({"name": "b", "command": [], "seed": 1}));
    let own = json!({"name": "a", "command": ["python3", "src/bot.py", "--depth", "3"], "seed": 1});
    assert_eq!(first[0]["players"][0], own);
    assert_eq!(first[3]["note"], "own");
    let second = kept(&events, Seat::Second);
    assert_eq!(second[second.len() - 2..], events[events.len() - 2..], "whose fault it was learns everything");
}

#[test]
fn an_illegal_move_stays_told_and_of_two_that_could_not_start_each_learns_its_own() {
    let illegal = json!({"type": "fault", "seat": 1, "reason": "illegal", "detail": "d4 traps nothing", "line": "{}"});
    assert_eq!(kept(&[illegal], Seat::First)[0]["detail"], "d4 traps nothing");
    let void = [
        json!({"type": "fault", "seat": 0, "reason": "no_start", "detail": "mine"}),
        json!({"type": "fault", "seat": 1, "reason": "no_start", "detail": "theirs"}),
        json!({"type": "result", "winner": null, "reason": "no_start", "detail": "mine / theirs", "at_fault": null}),
    ];
    let text = json!(kept(&void, Seat::First)).to_string();
    assert!(text.contains("mine") && !text.contains("theirs"), "{text}");
}

#[test]
fn an_entrant_sees_its_own_row_of_the_table() {
    let table = b"rank,bot,points\r\n1,a,3\r\n2,ab,1\r\n";
    assert_eq!(own_standing(table, "ab").unwrap(), b"rank,bot,points\r\n2,ab,1\r\n");
    assert!(own_standing(b"x,y\r\n", "a").unwrap_err().contains("bot"));
}
