//! What a bot uses, against what it may: times, memory, what it writes besides its moves.

use super::{counting, none_with, not_tried};
use crate::play::fitness::{Evidence, Judged, Status};
use crate::play::trial::RESTED_US;
use std::time::Duration;

/// Of a limit, so much may be used before its author is warned, in percent.
const NEAR: u64 = 80;

/// What is kept of a match's stderr, in bytes.
const STDERR_KEPT: u64 = 320 * 1024;

pub(in crate::play::fitness) fn start_time(evidence: &Evidence<'_>) -> Judged {
    let times: Vec<u64> = counting(evidence).filter_map(|(_, played)| played.seen.ready_us).collect();
    let limit = evidence.played.iter().find_map(|played| played.trial.clock.start);
    against(evidence, times, limit, "ready")
}

pub(in crate::play::fitness) fn thinking_time(evidence: &Evidence<'_>) -> Judged {
    let all = counting(evidence).flat_map(|(_, played)| played.seen.moves.iter().map(|(.., us)| *us));
    let limit = evidence.played.iter().find_map(|played| played.trial.clock.per_move);
    against(evidence, all.collect(), limit, "a move")
}

fn against(evidence: &Evidence<'_>, mut times: Vec<u64>, limit: Option<Duration>, what: &str) -> Judged {
    times.sort_unstable();
    let Some(&most) = times.last() else { return not_tried(evidence, "nothing was answered") };
    let at = |percent: usize| time(times[(times.len() - 1) * percent / 100]);
    let words = format!("{what}: median {}, 95 % within {}, longest {}", at(50), at(95), time(most));
    match limit.map(|limit| limit.as_micros() as u64) {
        None => Judged::new(Status::Passed, format!("{words}; no limit")),
        Some(limit) if most * 100 > limit * NEAR => {
            let words = format!("{words}; the limit is {}: on a busier machine it may be passed", time(limit));
            Judged::new(Status::Failed, words)
        }
        Some(limit) => Judged::new(
            Status::Passed,
            format!("{words}; {} % of the limit of {}", most * 100 / limit.max(1), time(limit)),
        ),
    }
}

pub(in crate::play::fitness) fn start_up(evidence: &Evidence<'_>) -> Judged {
    let median = |mut times: Vec<u64>| {
        times.sort_unstable();
        times.get(times.len() / 2).copied()
    };
    let plain = || counting(evidence).map(|(_, played)| &played.seen);
    let ready = median(plain().filter_map(|seen| seen.ready_us).collect());
    let first = median(plain().filter_map(|seen| seen.moves.first()).map(|(.., us)| *us).collect());
    let later = median(plain().flat_map(|seen| seen.moves.iter().skip(1)).map(|(.., us)| *us).collect());
    let (Some(ready), Some(first), Some(later)) = (ready, first, later) else {
        return not_tried(evidence, "too little was answered");
    };
    let words = format!(
        "ready takes {}, the first answer of a match {}, a later one {} (medians)",
        time(ready),
        time(first),
        time(later)
    );
    Judged::new(Status::Told, words)
}

pub(in crate::play::fitness) fn memory(evidence: &Evidence<'_>) -> Judged {
    let peaks = counting(evidence)
        .filter_map(|(place, played)| Some((played.closing.peak_kib[played.trial.seat.index()]?, place)));
    let Some((most, place)) = peaks.max() else { return not_tried(evidence, "the system does not tell it") };
    let (used, limit) = (most * 1024, evidence.memory_bytes);
    let words = format!("{} at most, in its largest process; the limit is {}", bytes(used), bytes(limit));
    match used {
        _ if used > limit => Judged { at: Some(place), failing: vec![place], ..Judged::new(Status::Failed, words) },
        _ if used * 100 > limit * NEAR => Judged::new(Status::Warned, words),
        _ => Judged::new(Status::Passed, words),
    }
}

/// What it computes in a match with pauses while it is not asked. A virtual machine compiles what it has just run: the first half of
/// the pauses is its own affair, and one more.
pub(in crate::play::fitness) fn own_turn(evidence: &Evidence<'_>) -> Judged {
    none_with(evidence, |played| {
        let later = &played.seen.rests_us[played.seen.rests_us.len() / 2..];
        let busy: Vec<u64> = later.iter().copied().filter(|wanted| wanted * 4 > RESTED_US).collect();
        (busy.len() > 1 && busy.len() + 1 >= later.len()).then(|| {
            format!(
                "it ran, or wanted to, for {} of each pause of {} in which it was not asked: a thread of it waits by looking again \
                 and again, or thinks on. In its rival's turn it is stopped (--thinking own-turn), so it gains nothing; block on reading \
                 stdin, and end threads with the answer. (The compiler of a virtual machine may look the same in its first seconds.)",
                time(busy.iter().sum::<u64>() / busy.len() as u64),
                time(RESTED_US)
            )
        })
    })
}

pub(in crate::play::fitness) fn priority(evidence: &Evidence<'_>) -> Judged {
    none_with(evidence, |played| {
        played.seen.rescheduled.then(|| {
            "it changed its own priority (nice, renice, chrt, sched_setscheduler): while it is not as it was started, no waiting for the \
             processor is taken off its time. Leave that out"
                .to_string()
        })
    })
}

pub(in crate::play::fitness) fn notes(evidence: &Evidence<'_>) -> Judged {
    let judged = none_with(evidence, |played| {
        played.seen.warnings.iter().find(|text| text.starts_with("sent a note of")).cloned()
    });
    let most = evidence.played.iter().map(|played| played.seen.notes).max().unwrap_or(0);
    match judged.status {
        Status::Passed => Judged { words: format!("{} of notes in a match at most", bytes(most as u64)), ..judged },
        _ => judged,
    }
}

pub(in crate::play::fitness) fn stderr_volume(evidence: &Evidence<'_>) -> Judged {
    let most = evidence.played.iter().map(|played| played.seen.stderr).max().unwrap_or(0);
    let judged = none_with(evidence, |played| {
        let wrote = played.seen.stderr;
        (wrote > STDERR_KEPT).then(|| {
            format!("it wrote {} on stderr, of which {} of a match are kept", bytes(wrote), bytes(STDERR_KEPT))
        })
    });
    match judged.status {
        Status::Passed => Judged { words: format!("{} in a match at most", bytes(most)), ..judged },
        _ => judged,
    }
}

fn bytes(bytes: u64) -> String {
    match bytes {
        0..10_240 => format!("{bytes} bytes"),
        10_240..10_485_760 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}

pub(super) fn time(us: u64) -> String {
    match us {
        0..10_000 => format!("{}.{} ms", us / 1000, us % 1000 / 100),
        _ => format!("{} ms", us / 1000),
    }
}
