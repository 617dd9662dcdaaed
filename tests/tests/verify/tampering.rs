//! Every way to change a transcript: each has to be found, and the line named where it shows.

use super::{played, verify};
use serde_json::{Value, json};
use tests::arena::Arena;

type Lines = Vec<Value>;

/// One way to change a transcript.
struct Change {
    what: &'static str,
    /// Makes the change; the number of the line, from 1, that is to be named.
    edit: fn(&mut Lines) -> usize,
    /// What is to be said besides.
    says: &'static [&'static str],
}

const fn change(what: &'static str, edit: fn(&mut Lines) -> usize, says: &'static [&'static str]) -> Change {
    Change { what, edit, says }
}

/// What can be changed in a match of any game that was played to its end.
const IN_ANY_GAME: &[Change] = &[
    change(
        "another winner",
        |lines| set_last(lines, "winner", |winner| json!(1 - winner.as_u64().unwrap_or(1))),
        &["winner"],
    ),
    change("no winner", |lines| set_last(lines, "winner", |_| Value::Null), &["winner"]),
    change("other scores", |lines| set_last(lines, "scores", |scores| json!([scores[1], 77])), &["scores"]),
    change("another reason", |lines| set_last(lines, "reason", |_| json!("timeout")), &["reason"]),
    change("a reason of the rules that is not this one", |lines| set_last(lines, "reason", other_end), &["reason"]),
    change("an unheard-of reason", |lines| set_last(lines, "reason", |_| json!("bored")), &[]),
    change("somebody at fault", |lines| set_last(lines, "at_fault", |_| json!(0)), &["at_fault"]),
    change(
        "another count of turns",
        |lines| set_last(lines, "turns", |turns| json!(turns.as_u64().unwrap_or(0) + 1)),
        &["turns"],
    ),
    change(
        "void as interrupted",
        |lines| {
            set_last(lines, "winner", |_| Value::Null);
            set_last(lines, "reason", |_| json!("interrupted"))
        },
        &[],
    ),
    change("another seed", |lines| set(lines, 1, "seed", |_| json!(12345)), &["seed"]),
    change("a seed too large", |lines| set(lines, 1, "seed", |_| json!(1_u64 << 60)), &["2^53"]),
    change(
        "another seed of a player",
        |lines| {
            lines[0]["players"][1]["seed"] = json!(1);
            1
        },
        &["seat 1's seed"],
    ),
    change(
        "a parameter that the game does not have",
        |lines| {
            lines[0]["params"]["moon"] = json!(1);
            1
        },
        &["moon"],
    ),
    change("parameters left out", |lines| set(lines, 1, "params", |_| json!({})), &["parameters"]),
    change("a game that does not exist", |lines| set(lines, 1, "game", |_| json!("chess")), &["chess"]),
    change("a later schema", |lines| set(lines, 1, "schema", |_| json!(2)), &["schema 2"]),
    change(
        "an opening that was not played",
        |lines| {
            lines[0]["opening"] = json!(["c2", "b2"]);
            1
        },
        &["opening"],
    ),
    change(
        "two turns in the wrong order",
        |lines| {
            let at = turn_line(lines, 3);
            lines.swap(at - 1, at);
            at
        },
        &["turn"],
    ),
    change(
        "a turn left out",
        |lines| {
            let at = turn_line(lines, 3);
            lines.remove(at - 1);
            at
        },
        &["turn"],
    ),
    change(
        "a turn twice",
        |lines| {
            let at = turn_line(lines, 3);
            lines.insert(at, lines[at - 1].clone());
            at + 1
        },
        &["turn"],
    ),
    change(
        "the other seat's turn",
        |lines| {
            let at = turn_line(lines, 3);
            set(lines, at, "seat", |seat| json!(1 - seat.as_u64().unwrap_or(0)))
        },
        &["seat"],
    ),
    change(
        "a seat that does not exist",
        |lines| {
            let at = turn_line(lines, 3);
            set(lines, at, "seat", |_| json!(2))
        },
        &["seat"],
    ),
    change(
        "a move without its move",
        |lines| {
            let at = turn_line(lines, 2);
            lines[at - 1].as_object_mut().expect("a line is an object").remove("move");
            at
        },
        &["move"],
    ),
    change(
        "a move that is none of the game's",
        |lines| {
            let at = turn_line(lines, 2);
            set(lines, at, "move", |_| json!({"up": 1}))
        },
        &["move"],
    ),
    change(
        "a move as a pass",
        |lines| {
            let at = turn_line(lines, 2);
            set(lines, at, "type", |_| json!("pass"))
        },
        &["pass"],
    ),
    change(
        "a move after the end of the game",
        |lines| {
            let (at, turns) = (lines.len(), lines[lines.len() - 1]["turns"].clone());
            let mut more = lines[turn_line(lines, 0) - 1].clone();
            more["turn"] = turns;
            lines.insert(at - 1, more);
            at
        },
        &["end of the game"],
    ),
    change(
        "a line after the result",
        |lines| {
            lines.push(lines[1].clone());
            lines.len()
        },
        &["follows the result"],
    ),
    change(
        "the result twice",
        |lines| {
            lines.push(lines[lines.len() - 1].clone());
            lines.len()
        },
        &["follows the result"],
    ),
    change(
        "an answer over the limit",
        |lines| {
            let at = turn_line(lines, 2);
            set(lines, at, "took_us", |_| json!(9_000_000))
        },
        &["limit"],
    ),
    change(
        "a bank that was overdrawn",
        |lines| {
            lines[0]["clock"]["game_ms"] = json!(300);
            let [first, second] = [turn_line(lines, 0), turn_line(lines, 2)];
            set(lines, first, "took_us", |_| json!(200_000));
            set(lines, second, "took_us", |_| json!(200_000))
        },
        &["limit"],
    ),
    change(
        "a fault that was none",
        |lines| {
            let at = lines.len();
            lines.insert(at - 1, json!({"type": "fault", "ms": 1, "seat": 0, "reason": "timeout", "detail": "late"}));
            at + 1
        },
        &["reason"],
    ),
    change(
        "a forfeit after the end",
        |lines| {
            let at = lines.len();
            lines.insert(at - 1, json!({"type": "fault", "ms": 1, "seat": 0, "reason": "timeout", "detail": "late"}));
            for (key, value) in [("winner", json!(1)), ("at_fault", json!(0)), ("reason", json!("timeout"))] {
                lines[at][key] = value;
            }
            at
        },
        &["the game was over"],
    ),
    change(
        "a time that no match can have taken",
        |lines| {
            let at = turn_line(lines, 0);
            set(lines, at, "took_us", |_| json!(u64::MAX))
        },
        &["took_us", "longer than a year"],
    ),
    change(
        "clocks that no match can have had",
        |lines| {
            lines[0]["clock"] =
                json!({"start_ms": null, "move_ms": null, "game_ms": u64::MAX, "increment_ms": u64::MAX, "stop_ms": 0});
            1
        },
        &["_ms", "longer than a year"],
    ),
    change(
        "time that runs backwards",
        |lines| {
            let at = turn_line(lines, 2);
            set(lines, at, "ms", |_| json!(60_000));
            at + 1
        },
        &["ms"],
    ),
    change(
        "a player who was never ready",
        |lines| {
            assert_eq!(lines[2]["type"], "ready");
            lines.remove(2);
            3
        },
        &["ready"],
    ),
    change(
        "a player who is ready twice",
        |lines| {
            lines.insert(2, lines[1].clone());
            3
        },
        &["ready"],
    ),
];

const IN_OTHELLO: &[Change] = &[
    change("a move to an occupied square", |lines| set_move(lines, 4, json!("c3")), &["c3"]),
    change("a move that flips nothing", |lines| set_move(lines, 4, json!("a1")), &["a1"]),
    change("a move off the board", |lines| set_move(lines, 0, json!("z9")), &["z9"]),
    change(
        "a move in capitals",
        |lines| {
            let at = turn_line(lines, 0);
            set(lines, at, "move", |mv| json!(mv.as_str().unwrap_or_default().to_uppercase()))
        },
        &["turn 0"],
    ),
    change(
        "another size",
        |lines| {
            lines[0]["params"]["size"] = json!(8);
            turn_line(lines, 0)
        },
        &["turn 0"],
    ),
    change(
        "the other first move",
        |lines| {
            set_move(lines, 0, json!("d5"));
            turn_line(lines, 1)
        },
        &[],
    ),
];

const IN_OFFSET: &[Change] = &[
    change("a pile onto itself", |lines| set_move(lines, 2, json!({"from": [1, 1], "to": [1, 1]})), &["turn 2"]),
    change("a pile off the board", |lines| set_move(lines, 2, json!({"from": [1, 1], "to": [9, 1]})), &["turn 2"]),
    change(
        "other offsets than were dealt, in an order that is not the seed's",
        |lines| {
            let dealt = &mut lines[0]["params"]["offsets"];
            *dealt = json!([dealt[1], dealt[0]]);
            turn_line(lines, 0)
        },
        &["turn 0"],
    ),
];

const IN_NO_TIPPING: &[Change] = &[
    change("a weight that nobody has", |lines| set_move(lines, 2, json!({"weight": 99, "position": 0})), &["99"]),
    change("a weight on the first block", |lines| set_move(lines, 0, json!({"weight": 1, "position": -4})), &["-4"]),
    change(
        "a smaller hand",
        |lines| {
            lines[0]["params"]["k"] = json!(1);
            turn_line(lines, 1)
        },
        &[],
    ),
];

const IN_FLIP: &[Change] = &[
    change("a flip that is too long", |lines| set_move(lines, 0, json!([{"piece": 0, "to": [0.0, 0.0]}])), &["turn 0"]),
    change(
        "a flip too many",
        |lines| {
            let at = turn_line(lines, 0);
            set(lines, at, "move", |mv| json!([mv[0], mv[0]]))
        },
        &["turn 0"],
    ),
    change(
        "a circle that came to lie elsewhere",
        |lines| {
            let at = turn_line(lines, 0);
            set(lines, at, "move", |mv| {
                let mut moved = mv.clone();
                moved[0]["to"][0] = json!(mv[0]["to"][0].as_f64().unwrap_or(0.0) + 1e-9);
                moved
            })
        },
        &["turn 0"],
    ),
    change(
        "an ignored flip that was none",
        |lines| {
            let at = turn_line(lines, 1);
            lines.insert(at - 1, json!({"type": "invalid", "ms": 0, "turn": 1, "seat": 1, "flip": 0, "why": "no"}));
            lines.len()
        },
        &["invalid"],
    ),
    change("another count of ignored flips", |lines| set_last(lines, "invalid", |_| json!([5, 0])), &["invalid"]),
    change(
        "fewer rounds",
        |lines| {
            lines[0]["params"]["rounds"] = json!(1);
            turn_line(lines, 2)
        },
        &["end of the game"],
    ),
];

#[test]
fn every_change_is_found_and_its_line_named() {
    let games = [
        ("othello --bot paper --bot greedy --seed 1", IN_OTHELLO),
        ("offset --bot greedy --bot random --seed 4 --param size=8 --param d=7", IN_OFFSET),
        ("notipping --bot random --bot greedy --seed 7", IN_NO_TIPPING),
        ("flip --bot greedy --bot random --seed 9 --param n=2", IN_FLIP),
    ];
    for (words, of_the_game) in games {
        judge(&played(words), IN_ANY_GAME);
        judge(&played(words), of_the_game);
    }
}

#[test]
fn an_opening_that_was_changed_is_found() {
    const CHANGES: &[Change] = &[
        change("another opening", |lines| set(lines, 1, "opening", |plies| json!([plies[1], plies[0]])), &["opening"]),
        change("an opening left out", |lines| set(lines, 1, "opening", |_| json!([])), &["opening"]),
        change(
            "a longer opening",
            |lines| {
                lines[0]["params"]["opening"] = json!(4);
                1
            },
            &[],
        ),
        // Another seed draws another opening, from which the moves are not the same.
        change("another seed", |lines| set(lines, 1, "seed", |_| json!(77)), &[]),
    ];
    judge(&played("othello --param opening=2 --bot paper --bot greedy --seed 1"), CHANGES);
}

#[test]
fn a_pass_that_is_changed_is_found() {
    const CHANGES: &[Change] = &[
        change(
            "a pass left out",
            |lines| {
                let at = pass_line(lines).expect("there is one");
                lines.remove(at - 1);
                at
            },
            &["turn"],
        ),
        change(
            "a pass as a move",
            |lines| {
                let at = pass_line(lines).expect("there is one");
                lines[at - 1]["move"] = json!("a1");
                set(lines, at, "type", |_| json!("move"))
            },
            &["must pass"],
        ),
        change(
            "the pass of the other seat",
            |lines| {
                let at = pass_line(lines).expect("there is one");
                set(lines, at, "seat", |seat| json!(1 - seat.as_u64().unwrap_or(0)))
            },
            &["seat"],
        ),
    ];
    // Which match has a pass depends on the seed; small boards have them often.
    let with_pass = (1..40)
        .map(|seed| played(&format!("othello --bot random --bot random --param size=4 --seed {seed}")))
        .find(|arena| pass_line(&arena.transcript("m.jsonl")).is_some());
    judge(&with_pass.expect("one of forty matches has a pass"), CHANGES);
}

#[test]
fn a_fault_that_is_changed_is_found() {
    const CHANGES: &[Change] = &[
        change(
            "a fault left out",
            |lines| {
                lines.retain(|line| line["type"] != "fault");
                lines.len()
            },
            &["nobody was at fault"],
        ),
        change(
            "the fault of the other seat",
            |lines| {
                let at = line_of(lines, "fault").expect("there is one");
                lines[at - 1]["seat"] = json!(1);
                lines.len()
            },
            &["winner"],
        ),
        change(
            "a fault with another reason",
            |lines| {
                let at = line_of(lines, "fault").expect("there is one");
                lines[at - 1]["reason"] = json!("crashed");
                at
            },
            &["crashed"],
        ),
        change(
            "a refused move that was legal",
            |lines| {
                let at = line_of(lines, "fault").expect("there is one");
                set(lines, at, "move", |_| json!("c2"))
            },
            &["c2"],
        ),
        change(
            "a fault for a reason that is nobody's",
            |lines| forfeit(lines, 0, "finished"),
            &["`finished` is nobody's fault"],
        ),
        change(
            "a refused move left out",
            |lines| {
                let at = line_of(lines, "fault").expect("there is one");
                lines[at - 1].as_object_mut().expect("it is an object").remove("move");
                at
            },
            &["without the move"],
        ),
        change("a start that failed of a bot that was ready", |lines| forfeit(lines, 0, "no_start"), &["it was ready"]),
        change(
            "a late answer of a bot that was not asked",
            |lines| forfeit(lines, 1, "timeout"),
            &["no move was awaited"],
        ),
        change("a forfeit won by who was at fault", |lines| set_last(lines, "winner", |_| json!(0)), &["winner"]),
    ];
    let arena = Arena::new(["match", "othello", "--json", "--quiet", "--transcript", "m.jsonl", "--seed", "1"])
        .fixture("bad", "illegal-move")
        .fixture("rival", "good");
    assert_eq!(arena.run().json()["reason"], "illegal");
    judge(&arena, CHANGES);
}

#[test]
fn ignored_flips_are_counted_again() {
    const CHANGES: &[Change] = &[
        change(
            "an ignored flip left out",
            |lines| {
                lines.retain(|line| line["type"] != "invalid");
                lines.len()
            },
            &["invalid"],
        ),
        change("another count", |lines| set_last(lines, "invalid", |_| json!([0, 0])), &["invalid"]),
        change(
            "an ignored flip of the other seat",
            |lines| {
                let at = line_of(lines, "invalid").expect("there is one");
                lines[at - 1]["seat"] = json!(1);
                lines.len()
            },
            &["invalid"],
        ),
    ];
    // The fixture's first flip leads to the middle of the table, which is too far; its second answer is none.
    let arena = Arena::new(["match", "flip", "--json", "--quiet", "--transcript", "m.jsonl", "--seed", "1"])
        .fixture("far", "illegal-move")
        .args("--bot random");
    assert_eq!(arena.run().json()["invalid"][0], 1);
    judge(&arena, CHANGES);
}

/// Makes each change in a transcript that holds, and tells everything that was not found at once.
fn judge(arena: &Arena, changes: &[Change]) {
    let original = arena.transcript("m.jsonl");
    let verified = verify(arena, "m.jsonl");
    assert_eq!(verified.code, Some(0), "{verified:#?}");
    let mut faults = Vec::new();
    for change in changes {
        let mut lines = original.clone();
        let line = (change.edit)(&mut lines);
        assert_ne!(lines, original, "{}: nothing was changed", change.what);
        arena.write("changed.jsonl", lines.iter().map(|line| format!("{line}\n")).collect::<String>());
        let run = verify(arena, "changed.jsonl");
        let place = format!("line {line}:");
        let says = [change.says, &[place.as_str(), "changed.jsonl: does not hold"]].concat();
        let missing: Vec<&&str> = says.iter().filter(|part| !run.stdout.contains(**part)).collect();
        if run.code != Some(1) || !missing.is_empty() {
            let game = &original[0]["game"];
            faults.push(format!("{game}, {}: {:?}, without {missing:?}: {}", change.what, run.code, run.stdout));
        }
    }
    assert!(faults.is_empty(), "{} changes were not told:\n\n{}", faults.len(), faults.join("\n"));
}

/// Makes the fault another one, with a result that goes with it.
fn forfeit(lines: &mut Lines, seat: u64, reason: &str) -> usize {
    let at = line_of(lines, "fault").expect("there is one");
    lines[at - 1]["seat"] = json!(seat);
    lines[at - 1]["reason"] = json!(reason);
    let last = lines.len() - 1;
    for (key, value) in [("winner", json!(1 - seat)), ("at_fault", json!(seat)), ("reason", json!(reason))] {
        lines[last][key] = value;
    }
    at
}

fn set(lines: &mut Lines, line: usize, key: &str, value: fn(&Value) -> Value) -> usize {
    let field = &mut lines[line - 1][key];
    *field = value(field);
    line
}

fn set_last(lines: &mut Lines, key: &str, value: fn(&Value) -> Value) -> usize {
    let last = lines.len();
    set(lines, last, key, value)
}

fn set_move(lines: &mut Lines, turn: u64, mv: Value) -> usize {
    let line = turn_line(lines, turn);
    lines[line - 1]["move"] = mv;
    line
}

fn other_end(reason: &Value) -> Value {
    json!(if reason == "finished" { "turn_limit" } else { "finished" })
}

/// The number of the line of a turn's move.
fn turn_line(lines: &Lines, turn: u64) -> usize {
    let at = lines.iter().position(|line| line["type"] == "move" && line["turn"] == turn);
    at.expect("the turn was played") + 1
}

fn pass_line(lines: &Lines) -> Option<usize> {
    line_of(lines, "pass")
}

fn line_of(lines: &Lines, kind: &str) -> Option<usize> {
    lines.iter().position(|line| line["type"] == kind).map(|at| at + 1)
}
