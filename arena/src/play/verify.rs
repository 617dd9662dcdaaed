//! Referees a transcript once more: everything in it that the rules, the seed or the clocks give again must be so.

use super::reenact::{Reenactment, start_of};
use crate::clock::{Bank, Clock, micros};
use crate::game::{AnyPosition, MoveError, Status};
use crate::record::{Header, RecordedKind, Transcript};
use crate::referee::{Referee, Step};
use crate::seat::{BySeat, Seat};
use crate::seed::{SEED_LIMIT, bot_seed};
use crate::verdict::{Reason, Verdict};
use serde_json::json;

/// Everything in a transcript that does not hold, in order; nothing when it holds.
pub fn verify(transcript: &Transcript) -> Vec<String> {
    let mut problems = check_header(&transcript.header);
    let reenactment = match Reenactment::new(transcript) {
        Ok(reenactment) => reenactment,
        Err(why) => {
            problems.push(format!("line 1: {why}"));
            return problems;
        }
    };
    if let Some((line, why)) = &reenactment.broken {
        problems.push(format!("line {line}: {why}"));
        return problems;
    }
    problems.extend(check_order(transcript));
    problems.extend(check_clocks(transcript));
    match &transcript.result {
        None if transcript.torn => {
            problems.push("the file is cut off in the middle of a line: the match is unfinished".to_string())
        }
        None => problems.push("the last line, its result, is missing: the match is unfinished".to_string()),
        Some(result) => {
            let last = reenactment.before(reenactment.turns.len());
            let found = check_result(transcript, &result.verdict, &*last, reenactment.turns.len());
            problems.extend(found.into_iter().map(|why| format!("line {}: {why}", result.line)));
        }
    }
    problems
}

fn check_header(header: &Header) -> Vec<String> {
    let mut problems = Vec::new();
    let mut expect = |holds: bool, why: String| {
        if !holds {
            problems.push(format!("line 1: {why}"));
        }
    };
    expect(header.seed < SEED_LIMIT, format!("seed {} is not below 2^53", header.seed));
    for seat in Seat::BOTH {
        let recorded = header.players[seat.index()].seed;
        let derived = bot_seed(header.seed, seat);
        expect(
            recorded.is_none_or(|seed| seed == derived),
            format!("seat {seat}'s seed is {}, but seed {} gives {derived}", json!(recorded), header.seed),
        );
    }
    if let Ok(started) = start_of(header) {
        expect(
            started.params == header.params,
            "the parameters are not complete, or not as the seed deals them".to_string(),
        );
        expect(
            started.opening == header.opening,
            format!("the opening is not the one that seed {} gives", header.seed),
        );
    }
    problems
}

/// As many turns are replayed as the first line says.
fn check_from(transcript: &Transcript) -> Vec<String> {
    let from = transcript.header.from.as_ref().map_or(0, |from| from.turn as usize);
    let there = replayed(transcript);
    let wrong = (from != there).then(|| {
        format!("line 1: it goes on from turn {from}, but {there} turns are replayed before its first own one")
    });
    wrong.into_iter().collect()
}

/// How many turns are another match's.
fn replayed(transcript: &Transcript) -> usize {
    transcript.events.iter().filter(|event| matches!(event.kind, RecordedKind::Replayed { .. })).count()
}

/// Events that are out of place.
fn check_order(transcript: &Transcript) -> Vec<String> {
    let mut problems = check_from(transcript);
    let mut ready = BySeat([false; 2]);
    let mut last_ms = 0;
    let mut pending_invalid: Option<(usize, u32)> = None;
    for event in &transcript.events {
        let line = event.line;
        match &event.kind {
            RecordedKind::Ready { seat } if ready[*seat] => {
                problems.push(format!("line {line}: seat {seat} is ready twice"))
            }
            RecordedKind::Ready { seat } => ready[*seat] = true,
            RecordedKind::Move { turn, .. } | RecordedKind::Pass { turn, .. } => {
                for seat in Seat::BOTH {
                    if !std::mem::replace(&mut ready[seat], true) {
                        problems.push(format!("line {line}: turn {turn} is played, but seat {seat} was never ready"));
                    }
                }
                if let Some((line, of)) = pending_invalid.take().filter(|(_, of)| of != turn) {
                    problems.push(format!("line {line}: an ignored flip of turn {of} is not followed by its move"));
                }
                if event.ms < last_ms {
                    problems.push(format!(
                        "line {line}: {} ms is before the turn that it follows, at {last_ms} ms",
                        event.ms
                    ));
                }
                last_ms = event.ms;
            }
            RecordedKind::Replayed { turn, .. } if ready.0.contains(&true) => problems.push(format!(
                "line {line}: turn {turn} is replayed after a bot was ready: it stands before the match"
            )),
            RecordedKind::Invalid { turn, .. } => pending_invalid = Some((line, *turn)),
            _ => {}
        }
    }
    problems
}

/// Accepted moves must have been in time, bank and increment included.
fn check_clocks(transcript: &Transcript) -> Vec<String> {
    let clocks = BySeat::from_fn(|seat| Clock::from(transcript.header.clock_of(seat)));
    let mut banks = BySeat::from_fn(|seat| Bank::new(&clocks[seat]));
    let mut problems = Vec::new();
    for event in &transcript.events {
        let RecordedKind::Move { turn, seat, times, .. } = &event.kind else { continue };
        let limit = banks[*seat].limit(clocks[*seat].per_move);
        if limit.is_some_and(|limit| times.charged_us() > micros(limit)) {
            let limit = limit.map_or(0, micros);
            problems.push(format!(
                "line {}: turn {turn} was accepted after {} µs, over its limit of {limit} µs",
                event.line,
                times.charged_us()
            ));
        }
        banks[*seat].charge(times.charged_us());
    }
    problems
}

fn check_result(transcript: &Transcript, verdict: &Verdict, last: &dyn AnyPosition, turns: usize) -> Vec<String> {
    let mut problems = Vec::new();
    if let Some(count) =
        transcript.result.as_ref().and_then(|result| result.value.get("turns")).filter(|count| **count != turns as u64)
    {
        problems.push(format!("the result counts {count} turns, but there are {turns}"));
    }
    let faults: Vec<(Seat, Reason)> = transcript
        .events
        .iter()
        .filter_map(|event| match &event.kind {
            RecordedKind::Fault { seat, reason, .. } => Some((*seat, *reason)),
            _ => None,
        })
        .collect();
    problems.extend(check_faults(transcript, last, turns));
    let mut expected = match (verdict.reason, &faults[..]) {
        (Reason::Interrupted | Reason::Disturbed, []) if matches!(last.status(), Status::Over(_)) => {
            problems.push(format!("the result is `{}`, but the game was over", verdict.reason.as_str()));
            return problems;
        }
        (Reason::Interrupted | Reason::Disturbed, []) => void(last, verdict.reason),
        (Reason::NoStart, [_, _]) => void(last, Reason::NoStart),
        (_, [(seat, reason)]) => Referee::new(last.clone_box()).forfeit(*seat, *reason, String::new()),
        (_, []) => match by_rules(last) {
            Some(verdict) => verdict,
            None => {
                problems.push(format!(
                    "the result is `{}`, but the game was not over and nobody was at fault",
                    verdict.reason.as_str()
                ));
                return problems;
            }
        },
        (reason, _) => {
            problems.push(format!("{} faults do not go with the result `{}`", faults.len(), reason.as_str()));
            return problems;
        }
    };
    problems.extend(check_refused_moves(transcript, last));
    expected.detail.clone_from(&verdict.detail);
    expected.invalid = expected.invalid.map(|_| ignored(transcript));
    let differences = [
        ("winner", expected.winner == verdict.winner, json!(expected.winner.map(Seat::index)).to_string()),
        ("scores", expected.scores == verdict.scores, json!(expected.scores).to_string()),
        ("reason", expected.reason == verdict.reason, expected.reason.as_str().to_string()),
        ("at_fault", expected.at_fault == verdict.at_fault, json!(expected.at_fault.map(Seat::index)).to_string()),
        ("invalid", expected.invalid == verdict.invalid, json!(expected.invalid).to_string()),
    ];
    for (key, holds, should_be) in differences {
        if !holds {
            problems.push(format!("the result's `{key}` does not hold: refereed again it is {should_be}"));
        }
    }
    problems
}

/// The verdict of the rules, when the game is over.
fn by_rules(last: &dyn AnyPosition) -> Option<Verdict> {
    match Referee::new(last.clone_box()).step() {
        Step::Done(verdict) => Some(verdict),
        Step::Ask { .. } | Step::Passed { .. } => None,
    }
}

fn void(last: &dyn AnyPosition, reason: Reason) -> Verdict {
    Referee::new(last.clone_box()).void(reason, String::new())
}

fn ignored(transcript: &Transcript) -> [u64; 2] {
    let mut counts = [0; 2];
    for event in &transcript.events {
        if let RecordedKind::Invalid { seat, .. } = &event.kind {
            counts[seat.index()] += 1;
        }
    }
    counts
}

/// A fault must be one that can be, where it stands: not after the end, and by whom it can have been.
fn check_faults(transcript: &Transcript, last: &dyn AnyPosition, turns: usize) -> Vec<String> {
    let was_ready = |of: Seat| {
        turns > replayed(transcript)
            || transcript.events.iter().any(|event| matches!(event.kind, RecordedKind::Ready { seat } if seat == of))
    };
    let to_move = |seat: Seat| last.status() == Status::ToMove(seat);
    let mut problems = Vec::new();
    for event in &transcript.events {
        let RecordedKind::Fault { seat, reason, mv, .. } = &event.kind else { continue };
        let word = reason.as_str();
        let why = match reason {
            Reason::Finished | Reason::TurnLimit | Reason::Interrupted | Reason::Disturbed => {
                format!("`{word}` is nobody's fault")
            }
            _ if matches!(last.status(), Status::Over(_)) => format!("`{word}` is recorded, but the game was over"),
            Reason::NoStart if was_ready(*seat) => format!("seat {seat} did not fail to start: it was ready"),
            Reason::Illegal | Reason::Malformed | Reason::Timeout if !to_move(*seat) || !was_ready(*seat) => {
                format!("`{word}` is recorded of seat {seat}, of which no move was awaited")
            }
            Reason::Illegal if mv.is_none() => "an illegal move is recorded without the move".to_string(),
            _ => continue,
        };
        problems.push(format!("line {}: {why}", event.line));
    }
    problems
}

/// A move that was refused must be one that the rules, or the game's shape, refuse.
fn check_refused_moves(transcript: &Transcript, last: &dyn AnyPosition) -> Vec<String> {
    let mut problems = Vec::new();
    for event in &transcript.events {
        let RecordedKind::Fault { seat, reason, mv: Some(mv), .. } = &event.kind else { continue };
        if last.status() != Status::ToMove(*seat) {
            problems.push(format!("line {}: seat {seat}'s move was refused, but it was not its turn", event.line));
            continue;
        }
        let holds = match last.clone_box().play(mv) {
            Ok(_) => false,
            Err(MoveError::Illegal(_)) => *reason == Reason::Illegal,
            Err(MoveError::BadShape(_)) => *reason == Reason::Malformed,
        };
        if !holds {
            problems.push(format!(
                "line {}: the move {mv} is not `{}`: refereed again it is something else",
                event.line,
                reason.as_str()
            ));
        }
    }
    problems
}
