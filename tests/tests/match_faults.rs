//! What the arena does with each misbehaviour of a bot, in either seat, as the bots' authors are promised it.
//!
//! A row is a word of the fixture and what is expected of the match against a good bot; to mend an expectation, mend
//! its row. Wording is checked by the few words that let an author see the cause.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;
use tests::arena::{Arena, Run};
use tests::fixture::WORDS;
use tests::transcript::events;

/// What one fixture word leads to.
struct Row {
    word: &'static str,
    /// The reasons that are right; most often one.
    reasons: &'static [&'static str],
    /// Whether the fixture is at fault and loses.
    at_fault: bool,
    /// What the detail has to contain, whatever the case of its letters.
    detail: &'static [&'static str],
    /// Events that the transcript has to hold for the fixture's seat.
    events: &'static [&'static str],
    /// Bound on wall time, start and end included.
    within: Duration,
}

/// The fixture forfeits for this reason, and the detail says these things.
const fn forfeit(word: &'static str, reasons: &'static [&'static str], detail: &'static [&'static str]) -> Row {
    Row { word, reasons, at_fault: true, detail, events: &[], within: Duration::from_secs(10) }
}

/// The match is played to its end, and the transcript holds these events.
const fn played(word: &'static str, events: &'static [&'static str]) -> Row {
    Row { word, reasons: &["finished"], at_fault: false, detail: &[], events, within: Duration::from_secs(30) }
}

impl Row {
    const fn with_events(mut self, events: &'static [&'static str]) -> Row {
        self.events = events;
        self
    }
}

/// Each answer that is none shows what an answer looks like.
const EXPECTED: &str = "{\"turn\":";
const TRANSCRIPT: &str = "match.jsonl";
/// What the arena may hold, far below the 64 MiB that a flooding fixture writes.
const MOST_MEMORY_KIB: u64 = 40 << 10;
const MALFORMED: &[&str] = &["malformed"];
const ILLEGAL: &[&str] = &["illegal"];
const TIMEOUT: &[&str] = &["timeout"];
const CRASHED: &[&str] = &["crashed"];
const NO_START: &[&str] = &["no_start"];
const FLOOD: &[&str] = &["flood"];

const NO_ANSWERS: &[Row] = &[
    forfeit("broken-json", MALFORMED, &[EXPECTED, "json"]),
    forfeit("broken-json --at 4", MALFORMED, &[EXPECTED, "json"]),
    forfeit("wrong-type", MALFORMED, &[EXPECTED, "type", "hello"]),
    forfeit("no-turn", MALFORMED, &[EXPECTED, "turn"]),
    forfeit("text-turn", MALFORMED, &[EXPECTED, "turn"]),
    forfeit("later-turn", MALFORMED, &[EXPECTED, "turn"]),
    forfeit("later-turn --at 3", MALFORMED, &[EXPECTED, "turn"]),
    forfeit("no-move", MALFORMED, &[EXPECTED, "move"]),
    forfeit("empty-object", MALFORMED, &[EXPECTED, "turn"]),
    forfeit("duplicate-key", MALFORMED, &[EXPECTED, "move", "twice"]),
    forfeit("bad-utf8", MALFORMED, &[EXPECTED, "utf-8"]),
    forfeit("nul-byte", MALFORMED, &[EXPECTED]),
    forfeit("utf16", MALFORMED, &["utf-16"]),
    forfeit("utf16-bom", &["malformed", "timeout"], &["utf-16"]),
    forfeit("python-dict", MALFORMED, &[EXPECTED, "dictionary"]),
    forfeit("pretty-json", MALFORMED, &[EXPECTED, "pretty", "one line"]),
    forfeit("trailing-text", MALFORMED, &[EXPECTED]),
    forfeit("two-in-a-line", MALFORMED, &[EXPECTED]),
    forfeit("deep-json", MALFORMED, &[EXPECTED]),
    forfeit("nan", MALFORMED, &[EXPECTED, "NaN"]),
    forfeit("infinity", MALFORMED, &[EXPECTED, "Infinity"]),
    forfeit("minus-infinity", MALFORMED, &[EXPECTED, "Infinity"]),
    forfeit("1e999", MALFORMED, &[EXPECTED, "1e999"]),
    forfeit("number-move", MALFORMED, &[EXPECTED, "7"]),
    forfeit("fraction-move", MALFORMED, &[EXPECTED, "1.5"]),
    forfeit("huge-number-move", MALFORMED, &[EXPECTED]),
];

#[test]
fn answers_that_are_none_forfeit_as_malformed() {
    judge(NO_ANSWERS);
}

const ILLEGAL_MOVES: &[Row] = &[
    forfeit("illegal-move", ILLEGAL, &["d4"]),
    forfeit("illegal-move --at 5", ILLEGAL, &["d4"]),
    forfeit("off-board", ILLEGAL, &["z9"]),
    forfeit("null-move", ILLEGAL, &["pass"]),
];

#[test]
fn moves_against_the_rules_forfeit_as_illegal() {
    judge(ILLEGAL_MOVES);
}

const LATE: &[Row] = &[
    forfeit("silent", TIMEOUT, &["300"]),
    forfeit("silent --at 5", TIMEOUT, &["300"]),
    forfeit("sleep 600", TIMEOUT, &["300"]),
    forfeit("sleep 600 --at 3", TIMEOUT, &["300"]),
    forfeit("late-then-ok", TIMEOUT, &["300"]),
    forfeit("knife-edge 20", TIMEOUT, &["300"]),
    forfeit("burn-cpu 600", TIMEOUT, &["300"]),
    forfeit("cpu-limit", TIMEOUT, &["300"]),
    forfeit("stop-self", TIMEOUT, &["300"]),
    forfeit("half-line", TIMEOUT, &["300", "newline"]),
    forfeit("no-flush", TIMEOUT, &["300", "flush"]),
    forfeit("no-flush --at 3", TIMEOUT, &["300", "flush"]),
    forfeit("never-read", TIMEOUT, &["300"]),
    forfeit("ready-again", TIMEOUT, &["300", EXPECTED, "ready"]).with_events(&["stale"]),
    forfeit("answer-unread", TIMEOUT, &["300"]).with_events(&["stale"]),
    forfeit("read-two-lines", TIMEOUT, &["300"]),
    forfeit("close-stdin", TIMEOUT, &["300"]).with_events(&["move"]),
    forfeit("json-array", TIMEOUT, &["300", EXPECTED, "[{"]).with_events(&["stray"]),
    forfeit("bare-move", TIMEOUT, &["300", EXPECTED]).with_events(&["stray"]),
    forfeit("wrapper silent", TIMEOUT, &["300"]),
];

#[test]
fn no_answer_in_time_forfeits_as_timeout() {
    judge(LATE);
}

#[test]
fn a_bot_whose_lines_come_is_not_told_to_flush() {
    for (word, flush) in [("bare-move", false), ("silent", true)] {
        let arena = Arena::new(["match", "othello", "--seed", "1", "--move-time", "300ms", "--stop-time", "100ms"]);
        let run = arena.args("--quiet --bot greedy").fixture("mine", word).run();
        assert!(run.stdout.contains("forfeits: timeout"), "{word}: {run:#?}");
        assert_eq!(run.stdout.contains("flushed"), flush, "{word}: {run:#?}");
    }
}

const ENDED: &[Row] = &[
    forfeit("exit 3", CRASHED, &["3"]),
    forfeit("exit 0 --at 3", CRASHED, &["0"]),
    forfeit("exit 3 --at after-1", CRASHED, &["3"]).with_events(&["move"]),
    forfeit("exit-after-answer 0", CRASHED, &["0"]).with_events(&["move"]),
    forfeit("half-line-exit", CRASHED, &["0"]).with_events(&["move"]),
    forfeit("torn-line-exit", CRASHED, &["0"]),
    forfeit("signal 9", CRASHED, &["SIGKILL"]),
    forfeit("signal 11", CRASHED, &["SIGSEGV"]),
    forfeit("signal 15 --at after-2", CRASHED, &["SIGTERM"]).with_events(&["move"]),
    forfeit("panic-with-trace --at 3", CRASHED, &["1", "the fixture fell over"]).with_events(&["stderr"]),
    forfeit("stderr-no-newline-then-crash", CRASHED, &["1", "the last words"]).with_events(&["stderr"]),
    forfeit("close-stdout", CRASHED, &["clos"]),
    forfeit("close-both", CRASHED, &["clos"]),
    forfeit("close-both --at after-1", CRASHED, &["clos"]).with_events(&["move"]),
    forfeit("close-stdin-exit", CRASHED, &["0"]).with_events(&["move"]),
    forfeit("helper-child-exit", CRASHED, &["0"]).with_events(&["move"]),
    forfeit("wrapper exit 3", CRASHED, &["3"]),
];

#[test]
fn a_bot_that_ends_forfeits_as_crashed() {
    judge(ENDED);
}

const NOT_READY: &[Row] = &[
    forfeit("never-ready", NO_START, &["ready", "2"]),
    forfeit("late-ready 2500", NO_START, &["ready", "2"]),
    forfeit("exit-before-ready 3", NO_START, &["3"]),
    forfeit("exit-at-once 3", NO_START, &["3"]),
    forfeit("panic-with-trace --at launch", NO_START, &["1", "the fixture fell over"]).with_events(&["stderr"]),
    forfeit("signal 11 --at ready", NO_START, &["SIGSEGV"]),
    forfeit("close-stdout --at ready", NO_START, &["clos"]),
    forfeit("broken-json --at ready", NO_START, &["ready"]),
    forfeit("wrong-type --at ready", NO_START, &["ready", "hello"]),
    forfeit("empty-object --at ready", NO_START, &["ready"]),
    forfeit("half-line --at ready", NO_START, &["newline"]),
    forfeit("no-flush --at ready", NO_START, &["flush"]),
    forfeit("stop-self --at launch", NO_START, &["ready"]),
    forfeit("expect-greeting", NO_START, &["ready"]),
    forfeit("silent --at ready", NO_START, &["ready"]),
];

#[test]
fn a_bot_that_does_not_get_ready_forfeits_as_no_start() {
    judge(NOT_READY);
}

const TOO_MUCH: &[Row] = &[
    forfeit("endless-line", FLOOD, &["line"]),
    forfeit("endless-line --at after-1", FLOOD, &["line"]),
    forfeit("endless-lines", FLOOD, &[]),
    forfeit("stray-flood", FLOOD, &[]),
    forfeit("stray-flood --at ready", FLOOD, &[]),
    forfeit("stray-flood --at after-2", FLOOD, &[]).with_events(&["move"]),
    forfeit("stray-many 10001", FLOOD, &["10"]),
    forfeit("blank-lines 10001", FLOOD, &["10"]),
    forfeit("padded 70000", FLOOD, &["line"]),
];

#[test]
fn too_much_output_forfeits_as_flood() {
    judge(TOO_MUCH);
}

const ODD: &[Row] = &[
    played("good", &["ready", "move"]),
    played("crlf", &[]),
    played("bom", &[]),
    played("spaces", &[]),
    played("blank-lines 100", &[]),
    played("extra-keys", &[]),
    played("note", &[]),
    played("big-note", &[]),
    played("padded 60000", &[]),
    played("echo-match", &[]),
    played("claim-name", &[]),
    played("strict-lf", &[]),
    played("late-ready 200", &[]),
    played("think 100", &["stderr"]),
    played("knife-edge -150", &[]),
    played("wrapper good", &[]),
    played("close-stderr", &[]),
    played("reuse", &["stderr"]),
    played("reuse-dirty --reuse", &[]),
    played("reuse-crash-between --reuse", &[]),
    // Ended while it waited, and was not asked again.
    played("exit 3 --at end", &[]),
];

#[test]
fn what_is_odd_but_allowed_is_played_to_the_end() {
    judge(ODD);
}

const KEPT: &[Row] = &[
    played("banner", &["stray"]),
    played("debug-lines", &["stray"]),
    played("stray-many 500", &["stray"]),
    played("write-1mb-before-read", &["stray"]),
    played("ready-twice", &["stale"]),
    played("double-answer", &["stale"]),
    played("pre-answer", &["stale"]),
    played("earlier-turn", &["stale"]),
    played("wrong-match", &["stale"]),
    played("stderr-flood", &["stderr"]),
    played("stderr-bad-utf8", &["stderr"]),
];

#[test]
fn what_is_no_answer_is_kept_and_never_played() {
    judge(KEPT);
}

const LEAVES: &[Row] = &[
    played("daemon", &[]),
    played("daemon --at launch", &[]),
    played("helper-child", &[]),
    played("fork-many 5", &[]),
    played("ignore-eof", &[]),
    played("spin-after-eof", &[]),
    played("spin-threads 2", &[]),
    played("spin-in-rivals-turn", &[]),
    played("wrapper daemon --at 2", &[]),
];

#[test]
fn whatever_a_bot_leaves_behind_is_ended() {
    judge(LEAVES);
}

const ON_THE_KEEPER: &[&str] = &["kill-parent", "stop-parent", "kill-parent --at ready"];

/// The first thing that a bot does, before its keeper can say that it was started: still the bot's doing, and no failure
/// of the arena.
#[test]
fn an_attack_on_the_keeper_at_the_very_start_is_the_bots_own_fault() {
    for seat in [0, 1] {
        for signal in ["KILL", "STOP"] {
            let arena =
                Arena::new(["match", "othello", "--json", "--quiet", "--start-time", "500ms", "--stop-time", "200ms"]);
            let script = format!("#!/bin/sh\nkill -{signal} $PPID\nexec sleep 20\n");
            let attacker = arena.write("attacker", script);
            fs::set_permissions(&attacker, fs::Permissions::from_mode(0o755)).expect("the file is ours");
            let attacker = format!("attacker={}", attacker.display());
            let arena = match seat {
                0 => arena.arg("--bot").arg(attacker).fixture("rival", "good"),
                _ => arena.fixture("rival", "good").arg("--bot").arg(attacker),
            };
            let run = arena.within(Duration::from_secs(8)).run();
            assert_eq!(run.code, Some(0), "{signal} in seat {seat}: {run:#?}");
            let result = run.json();
            assert_eq!(
                (&result["reason"], &result["at_fault"]),
                (&"no_start".into(), &seat.into()),
                "{signal}: {result}"
            );
        }
    }
}

/// A keeper may refuse to be killed or stopped, or take the bot along; the rival never pays for it.
#[test]
fn an_attack_on_the_keeper_harms_nobody_else() {
    const ANY: &[&str] = &["finished", "crashed", "resource", "timeout", "no_start"];
    for row in ON_THE_KEEPER {
        for seat in [0, 1] {
            let (arena, run) = play(row, seat, Duration::from_secs(15));
            let result = run.json();
            let reason = result["reason"].as_str().unwrap_or_default();
            assert!(ANY.contains(&reason), "{row} in seat {seat}: {result}");
            assert_ne!(result["at_fault"], 1 - seat, "{row} in seat {seat}: {result}");
            assert_eq!(arena.no_process_left(), Ok(()), "{row} in seat {seat}");
        }
    }
}

#[test]
fn when_neither_bot_starts_the_match_is_void_and_both_are_named() {
    let arena = match_command().fixture("one", "exit-at-once 3").fixture("two", "never-ready");
    let run = arena.run();
    let result = run.json();
    assert_eq!(run.code, Some(1), "{run:#?}");
    assert_eq!((&result["winner"], &result["reason"]), (&Value::Null, &Value::from("no_start")), "{result}");
    let detail = result["detail"].as_str().unwrap_or_default();
    assert!(detail.contains("one") && detail.contains("two"), "{detail}");
    let verified = arena.also(&format!("verify {TRANSCRIPT}"));
    assert_eq!(verified.code, Some(0), "{verified:#?}");
    assert_eq!(arena.no_process_left(), Ok(()));
}

#[test]
fn a_bot_that_is_not_there_is_a_setup_error_and_nothing_is_played() {
    let arena = match_command().arg("--bot").arg("./nobody").fixture("rival", "good");
    let run = arena.run();
    assert_eq!(run.code, Some(2), "{run:#?}");
    assert!(run.stderr.contains("nobody"), "{run:#?}");
    assert_eq!(run.stdout, "");
    assert!(!arena.path(TRANSCRIPT).exists());
}

/// Words that show in a match only under limits, at a known folder or with several matches, and have tests there.
const ELSEWHERE: &[&str] = &[
    "allocate",
    "describe",
    "echo-seed",
    "file-size",
    "read-data",
    "renice",
    "reuse-deaf",
    "sched-idle",
    "stall",
    "stop-arena",
];

#[test]
fn every_word_of_the_fixture_has_its_row() {
    let groups = [NO_ANSWERS, ILLEGAL_MOVES, LATE, ENDED, NOT_READY, TOO_MUCH, ODD, KEPT, LEAVES];
    let lines = groups.into_iter().flatten().map(|row| row.word).chain(ON_THE_KEEPER.iter().copied());
    let played: BTreeSet<&str> = lines.filter_map(|line| line.split_whitespace().next()).collect();
    for word in WORDS {
        let (here, elsewhere) = (played.contains(word.name), ELSEWHERE.contains(&word.name));
        assert!(here != elsewhere, "{}: give it a row, or name it in ELSEWHERE, not both", word.name);
    }
}

/// Plays every row in both seats, and tells everything that is not as expected at once.
fn judge(rows: &[Row]) {
    let faults: Vec<String> =
        rows.iter().flat_map(|row| [0, 1].map(|seat| judge_one(row, seat))).filter_map(Result::err).collect();
    assert!(faults.is_empty(), "{} matches did not end as expected:\n\n{}", faults.len(), faults.join("\n\n"));
}

fn judge_one(row: &Row, seat: u64) -> Result<(), String> {
    let (arena, run) = play(row.word, seat, row.within);
    let say = |what: String| Err(format!("{} in seat {seat}: {what}\n{}\n{}", row.word, run.stdout, tail(&run.stderr)));
    if run.code != Some(0) {
        return say(format!("exit status {:?}", run.status));
    }
    let Some(result) = run.try_json().filter(|_| arena.path(TRANSCRIPT).exists()) else {
        return say("no JSON on stdout, or no transcript".to_owned());
    };
    let reason = result["reason"].as_str().unwrap_or_default();
    if !row.reasons.contains(&reason) {
        return say(format!("reason {reason:?}, not {:?}", row.reasons));
    }
    let (at_fault, winner) = (result["at_fault"].as_u64(), result["winner"].as_u64());
    if row.at_fault && (at_fault, winner) != (Some(seat), Some(1 - seat)) {
        return say(format!("fault of {at_fault:?}, won by {winner:?}"));
    }
    if !row.at_fault && at_fault.is_some() {
        return say(format!("fault of {at_fault:?} where there is none"));
    }
    let detail = result["detail"].as_str().unwrap_or_default().to_lowercase();
    if let Some(part) = row.detail.iter().find(|part| !detail.contains(&part.to_lowercase())) {
        return say(format!("the detail does not say {part:?}: {detail}"));
    }
    if run.took > row.within {
        return say(format!("took {:?}", run.took));
    }
    if run.stderr.contains("panicked at") {
        return say("the arena panicked".to_owned());
    }
    if run.peak_kib > MOST_MEMORY_KIB {
        return say(format!("the arena held {} KiB", run.peak_kib));
    }
    if let Err(what) = judge_transcript(row, seat, &arena.transcript(TRANSCRIPT), &result) {
        return say(what);
    }
    let verified = arena.also(&format!("verify {TRANSCRIPT}"));
    if verified.code != Some(0) {
        return say(format!("the transcript does not hold: {}{}", verified.stdout, verified.stderr));
    }
    arena.no_process_left().or_else(|left| say(format!("left behind: {left:?}")))
}

/// The transcript is whole, agrees with the result, and holds the events of the row.
fn judge_transcript(row: &Row, seat: u64, transcript: &[Value], result: &Value) -> Result<(), String> {
    let (Some(first), Some(last)) = (transcript.first(), transcript.last()) else {
        return Err("the transcript is empty".to_owned());
    };
    if (&first["type"], &first["schema"]) != (&Value::from("match"), &Value::from(1)) {
        return Err(format!("the transcript begins with {first}"));
    }
    let keys = ["winner", "scores", "reason", "detail", "at_fault"];
    if last["type"] != "result" || keys.iter().any(|key| last[*key] != result[*key]) {
        return Err(format!("the transcript ends with {last}"));
    }
    let of_seat = |kind: &str| events(transcript, kind).filter(|event| event["seat"] == seat).count();
    if let Some(kind) = row.events.iter().find(|kind| of_seat(kind) == 0) {
        return Err(format!("no {kind:?} of seat {seat} in the transcript"));
    }
    if row.at_fault && of_seat("fault") != 1 {
        return Err(format!("{} events \"fault\" of seat {seat} in the transcript", of_seat("fault")));
    }
    Ok(())
}

/// A match of the fixture with this word against a good bot.
fn play(word: &str, seat: u64, within: Duration) -> (Arena, Run) {
    let arena = match_command().within(within + Duration::from_secs(20));
    let arena = match seat {
        0 => arena.fixture("bad", word).fixture("rival", "good"),
        _ => arena.fixture("rival", "good").fixture("bad", word),
    };
    let run = arena.run();
    (arena, run)
}

fn match_command() -> Arena {
    Arena::new(["match", "othello", "--json", "--quiet", "--transcript", TRANSCRIPT])
        .args("--seed 1 --move-time 300ms --start-time 2s")
}

fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(8)..].join("\n")
}
