//! Moves that are none, and moves that the rules forbid, in the games whose moves are objects: the same act costs the
//! same in either seat, and the author is told which rule it breaks.

use serde_json::{Value, json};
use tests::arena::Arena;
use tests::transcript::events;

/// A fixture's word, and the reason and words that follow.
type Row = (&'static str, &'static str, &'static [&'static str]);

const OFFSET: &[Row] = &[
    ("illegal-move", "illegal", &["turn"]),
    ("illegal-move --at 3", "illegal", &["turn"]),
    ("off-board", "illegal", &["99"]),
    ("null-move", "illegal", &["pass"]),
    ("number-move", "malformed", &["7", "{\"turn\":"]),
    ("fraction-move", "malformed", &["1.5", "{\"turn\":"]),
    ("huge-number-move", "malformed", &["123456789012345678901234567890"]),
    ("no-move", "malformed", &["move"]),
    ("empty-object", "malformed", &["turn"]),
];

const NO_TIPPING: &[Row] = &[
    ("illegal-move", "illegal", &["99"]),
    ("off-board", "illegal", &["99"]),
    ("null-move", "illegal", &["pass"]),
    ("number-move", "malformed", &["7", "{\"turn\":"]),
    ("fraction-move", "malformed", &["1.5", "{\"turn\":"]),
    ("huge-number-move", "malformed", &["{\"turn\":"]),
];

/// In Flip what the rules forbid is ignored; a list that is none is malformed.
const FLIP: &[Row] = &[
    ("null-move", "malformed", &["{\"turn\":"]),
    ("number-move", "malformed", &["7", "{\"turn\":"]),
    ("fraction-move", "malformed", &["1.5", "{\"turn\":"]),
    ("huge-number-move", "malformed", &["{\"turn\":"]),
    ("nan", "malformed", &["NaN"]),
    ("1e999", "malformed", &["1e999"]),
];

#[test]
fn offset_forfeits_by_what_was_done() {
    judge("offset --param size=8 --param d=5 --hints", OFFSET);
}

#[test]
fn no_tipping_forfeits_by_what_was_done() {
    judge("notipping --param k=5 --hints", NO_TIPPING);
}

#[test]
fn flip_forfeits_by_what_was_done() {
    judge("flip", FLIP);
}

#[test]
fn what_flips_rules_forbid_is_ignored_counted_and_explained() {
    for word in ["illegal-move", "off-board"] {
        for seat in [0, 1] {
            // Its second answer is no list at all, and ends the match.
            let arena = play("flip", word, seat);
            let run = arena.run();
            let result = run.json();
            assert!(run.stderr.contains("of the move was ignored: "), "without boards too: {}", run.stderr);
            assert_eq!(
                (&result["reason"], &result["at_fault"]),
                (&json!("malformed"), &json!(seat)),
                "{word}: {result}"
            );
            let mut ignored = [0, 0];
            ignored[seat as usize] = 1;
            assert_eq!(result["invalid"], json!(ignored), "{word}: {result}");
            let transcript = arena.transcript("m.jsonl");
            let invalid = events(&transcript, "invalid").next().expect("it is recorded");
            assert_eq!((&invalid["seat"], &invalid["turn"]), (&json!(seat), &json!(seat)), "{invalid}");
            assert!(invalid["why"].as_str().is_some_and(|why| !why.is_empty()), "{invalid}");
            let made = events(&transcript, "move").find(|line| line["turn"] == seat).expect("the turn was played");
            assert_eq!(made["move"], json!([]), "the piece stays: {made}");
            assert_eq!(arena.also("verify m.jsonl").code, Some(0));
        }
    }
}

fn judge(game: &str, rows: &[Row]) {
    let mut faults = Vec::new();
    for (word, reason, says) in rows {
        for seat in [0, 1] {
            let arena = play(game, word, seat);
            let run = arena.run();
            let result = run.try_json().unwrap_or_default();
            let detail = result["detail"].as_str().unwrap_or_default();
            let expected = json!([reason, seat, 1 - seat]);
            let judged = json!([result["reason"], result["at_fault"], result["winner"]]);
            let verified = arena.also("verify m.jsonl");
            if judged != expected || verified.code != Some(0) || !says.iter().all(|part| detail.contains(part)) {
                faults.push(format!("{game}, {word} in seat {seat}: {judged}: {detail}\n{}", verified.stdout));
            }
        }
    }
    assert!(faults.is_empty(), "{} matches did not end as expected:\n\n{}", faults.len(), faults.join("\n"));
}

/// The fixture with this word against a bot that plays at random.
fn play(game: &str, word: &str, seat: u64) -> Arena {
    let arena = Arena::new(["match", "--json", "--quiet", "--seed", "1", "--transcript", "m.jsonl"]).args(game);
    match seat {
        0 => arena.fixture("bad", word).args("--bot random"),
        _ => arena.args("--bot random").fixture("bad", word),
    }
}

#[test]
fn a_request_larger_than_a_pipe_does_not_block_the_arena() {
    // With its hints a request of this size has over a megabyte, and the bot reads nothing of it.
    for seat in [0, 1] {
        let arena = play(
            "offset --param size=64 --param d=7 --hints --move-time 400ms --stop-time 100ms",
            "never-read --at ready",
            seat,
        );
        let result = arena.run().json();
        assert_eq!((&result["reason"], &result["at_fault"]), (&json!("timeout"), &json!(seat)), "{result}");
        assert_eq!(arena.no_process_left(), Ok(()));
    }
    let arena = play("offset --param size=64 --param d=7 --hints", "exit 0 --at 4", 0);
    let result = arena.run().json();
    assert_eq!(
        (&result["reason"], result["turns"].as_u64()),
        (&Value::from("crashed"), Some(6)),
        "who reads it all plays: {result}"
    );
}
