//! What checks make of the matches that were played: numbers and words in, a judgement out.

mod uses;

pub(super) use uses::{memory, notes, own_turn, priority, start_time, start_up, stderr_volume, thinking_time};

use super::{Confined, Evidence, Judged, Played, Status, check_of};
use crate::play::{Kind, Mistake};
use crate::protocol::shown;
use crate::protocol::words::BESIDES;
use crate::verdict::Reason;
use uses::time;

/// Of a bot's line so many characters are shown.
const SHOWN: usize = 160;

/// The mistake that ended a match, if one did. Where the fault alone cannot tell, the matches that explain it do.
pub fn mistake(evidence: &Evidence<'_>, played: &Played) -> Option<Mistake> {
    let (turn, fault) = played.seen.fault.as_ref()?;
    Some(match (Mistake::of(fault), turn) {
        (Mistake::NotReady | Mistake::ReadyTooLate | Mistake::NotFlushed, None) => {
            let ready = |kind| explaining(evidence, played, kind).is_some_and(|other| other.seen.ready_us.is_some());
            if ready(Kind::Patient) {
                Mistake::ReadyTooLate
            } else if ready(Kind::ExtraLines) {
                Mistake::SkipsLines
            } else {
                Mistake::of(fault)
            }
        }
        (Mistake::NoAnswer | Mistake::NotFlushed, Some(_)) => {
            if late_answer(evidence, played).is_some() {
                Mistake::TooLate
            } else if explaining(evidence, played, Kind::ExtraLines)
                .is_some_and(|other| other.seen.moves.len() > answers(evidence, played))
            {
                Mistake::SkipsLines
            } else {
                Mistake::of(fault)
            }
        }
        (mistake, _) => mistake,
    })
}

/// What the matches that explain a mistake have shown, in words.
pub fn explanation(evidence: &Evidence<'_>, played: &Played) -> Option<String> {
    let patient = explaining(evidence, played, Kind::Patient)?;
    match mistake(evidence, played)? {
        Mistake::ReadyTooLate => Some(format!("with more time it is ready after {}", time(patient.seen.ready_us?))),
        Mistake::TooLate => {
            let (turn, us) = late_answer(evidence, played)?;
            Some(format!("with more time it answers turn {turn} after {}", time(us)))
        }
        Mistake::SkipsLines => Some("it answers when an empty line is sent besides, and not without".to_string()),
        Mistake::NotReady | Mistake::NoAnswer => Some("with more time nothing came either".to_string()),
        _ => None,
    }
}

/// The match of this kind in the same game, if one was played.
fn explaining<'a>(evidence: &'a Evidence<'_>, played: &Played, kind: Kind) -> Option<&'a Played> {
    let game = played.trial.game.info().id;
    evidence.played.iter().find(|other| other.trial.kind == kind && other.trial.game.info().id == game)
}

/// The answer that came only because there was more time: its turn, and how long it took.
fn late_answer(evidence: &Evidence<'_>, played: &Played) -> Option<(u32, u64)> {
    let patient = explaining(evidence, played, Kind::Patient)?;
    let limit = played.trial.clock.per_move?.as_micros() as u64;
    patient.seen.moves.iter().find(|(.., us)| *us > limit).map(|(turn, _, us)| (*turn, *us))
}

/// How many answers came with all the time there is.
fn answers(evidence: &Evidence<'_>, played: &Played) -> usize {
    explaining(evidence, played, Kind::Patient).map_or(usize::MAX, |patient| patient.seen.moves.len())
}

/// The matches that tell of mistakes.
fn counting<'a>(evidence: &'a Evidence<'_>) -> impl Iterator<Item = (usize, &'a Played)> {
    evidence.played.iter().enumerate().filter(|(_, played)| !played.trial.kind.explains())
}

pub(super) fn without(evidence: &Evidence<'_>, which: Mistake) -> Judged {
    let failing: Vec<usize> = counting(evidence)
        .filter(|(_, played)| mistake(evidence, played) == Some(which))
        .map(|(place, _)| place)
        .collect();
    let by: Vec<usize> = counting(evidence).map(|(place, _)| place).collect();
    let Some(&first) = failing.first() else {
        let of_the_start = matches!(which, Mistake::DoesNotStart | Mistake::NotReady | Mistake::ReadyTooLate);
        let known = counting(evidence).any(|(_, played)| {
            if of_the_start { played.seen.ready_us.is_some() } else { !played.seen.moves.is_empty() }
        });
        return match known {
            true => Judged { by, ..Judged::new(Status::Passed, "") },
            false => not_tried(evidence, "nothing came that could be judged"),
        };
    };
    let played = &evidence.played[first];
    let (turn, fault) = played.seen.fault.as_ref().expect("it ended by a mistake");
    let at = turn.map(|turn| format!(", turn {turn}")).unwrap_or_default();
    let more = match failing.len() - 1 {
        0 => String::new(),
        more => format!(" (and in {})", matches(more)),
    };
    let besides = explanation(evidence, played).map(|words| format!("; {words}")).unwrap_or_default();
    let words = format!("{} in match {}{at}{more}{besides}", fault.reason.as_str(), played.trial.name);
    Judged { at: Some(first), by: vec![first], failing, ..Judged::new(Status::Failed, words) }
}

pub(super) fn survives(evidence: &Evidence<'_>, kind: Kind) -> Judged {
    let of_kind: Vec<usize> = places(evidence, |played| played.trial.kind == kind);
    let Some(&last) = of_kind.last() else {
        return match kind {
            Kind::ReuseSecond if evidence.missing.is_none() => offers_no_reuse(evidence),
            _ => not_tried(evidence, "its match was not played"),
        };
    };
    let played = &evidence.played[last];
    let Some((turn, fault)) = &played.seen.fault else {
        return Judged { by: of_kind, ..Judged::new(Status::Passed, "") };
    };
    let of = mistake(evidence, played).unwrap_or(Mistake::of(fault));
    let plain = [Kind::Plays, Kind::Tries];
    if evidence.played.iter().any(|played| plain.contains(&played.trial.kind) && mistake(evidence, played) == Some(of))
    {
        let words = format!("not judged: in other matches it makes the same mistake ({})", check_of(of));
        return Judged { by: of_kind, ..Judged::new(Status::NotTried, words) };
    }
    let when = turn.map(|turn| format!(" in turn {turn}")).unwrap_or_default();
    let words = format!("{}{when}, which it does in no other match ({})", fault.reason.as_str(), check_of(of));
    Judged { at: Some(last), by: of_kind.clone(), failing: of_kind, ..Judged::new(Status::Failed, words) }
}

/// A match of a position.
pub(super) fn position(evidence: &Evidence<'_>, place: usize) -> Judged {
    let (by, played) = (vec![place], &evidence.played[place]);
    match &played.seen.fault {
        None => Judged { by, ..Judged::new(Status::Passed, moves(played.seen.moves.len())) },
        Some((turn, fault)) => {
            let when = turn.map(|turn| format!(" in turn {turn}")).unwrap_or_default();
            let words = format!(
                "{}{when}: see {}",
                fault.reason.as_str(),
                check_of(mistake(evidence, played).unwrap_or(Mistake::of(fault)))
            );
            Judged { at: Some(place), by: by.clone(), failing: by, ..Judged::new(Status::Failed, words) }
        }
    }
}

pub(super) fn answers_once(evidence: &Evidence<'_>) -> Judged {
    let words = |played: &Played| {
        let line = played.seen.stale.first()?;
        Some(format!("this answered nothing that was open, and was passed over: {}", shown(line.as_bytes(), SHOWN)))
    };
    none_with(evidence, words)
}

pub(super) fn clean_stdout(evidence: &Evidence<'_>) -> Judged {
    let words = |played: &Played| {
        if let Some(line) = played.seen.stray.first() {
            return Some(format!("this is no message (logs belong on stderr): {}", shown(line.as_bytes(), SHOWN)));
        }
        // A bot in words whose match has ended before the next line was asked for.
        let (_, fault) = played.seen.fault.as_ref()?;
        let (_, lines) = fault.detail.split_once(BESIDES)?;
        Some(format!("more was printed than the answer (logs belong on stderr): {}", lines.lines().next()?))
    };
    none_with(evidence, words)
}

pub(super) fn whole_moves(evidence: &Evidence<'_>) -> Judged {
    none_with(evidence, |played| {
        let (turn, why) = played.seen.ignored.first()?;
        Some(format!("in turn {turn} a part of the move was ignored: {why}"))
    })
}

pub(super) fn ends_after_end(evidence: &Evidence<'_>) -> Judged {
    none_with(evidence, |played| {
        let waited = played.seen.farewell.killed_after.filter(|_| played.trial.kind != Kind::NoEnd)?;
        let faultless = played.seen.fault.is_none();
        faultless.then(|| {
            format!(
                "{} ms after `end`, and the end of its input, it was still there and had to be killed: leave the reading loop when a line is missing (end of file)",
                waited.as_millis()
            )
        })
    })
}

pub(super) fn ends_at_eof(evidence: &Evidence<'_>) -> Judged {
    let tried = places(evidence, |played| played.trial.kind == Kind::NoEnd && played.seen.fault.is_none());
    if tried.is_empty() {
        return not_tried(evidence, "its match was not played to its end");
    }
    none_with(evidence, |played| {
        let waited = played.seen.farewell.killed_after.filter(|_| played.trial.kind == Kind::NoEnd)?;
        Some(format!(
            "{} ms after its input had ended without `end` it was still there and had to be killed: leave the reading loop at end of file",
            waited.as_millis()
        ))
    })
}

pub(super) fn leaves_nothing(evidence: &Evidence<'_>) -> Judged {
    none_with(evidence, |played| {
        let left = played.closing.left_behind[played.trial.seat.index()];
        (left > 0 && played.seen.farewell.killed_after.is_none()).then(|| {
            let processes = if left == 1 { "process" } else { "processes" };
            format!("{left} {processes} that it had started had to be killed: end what you start before you end")
        })
    })
}

pub(super) fn exits_cleanly(evidence: &Evidence<'_>) -> Judged {
    none_with(evidence, |played| {
        let ended = played.seen.farewell.ended.filter(|_| played.seen.farewell.killed_after.is_none())?;
        let how = match (ended.code, ended.signal) {
            (Some(0), _) | (None, None) => return None,
            (Some(code), _) => format!("exit status {code}"),
            (None, Some(signal)) => format!("signal {signal}"),
        };
        let faultless = played.seen.fault.is_none();
        faultless
            .then(|| format!("after the match it ended by {how}: it falls over at `end` or at the end of its input"))
    })
}

/// Situations of a game whose requests are the longest it has.
pub(super) fn long_requests(evidence: &Evidence<'_>) -> Judged {
    let tried = places(evidence, |played| {
        let last = played.trial.game.info().situations.len() - 1;
        played.trial.kind == Kind::Plays && played.trial.situation == last
    });
    let failing: Vec<usize> =
        tried.iter().copied().filter(|place| evidence.played[*place].seen.fault.is_some()).collect();
    let usual_fails = evidence.played.iter().any(|played| played.trial.situation == 0 && played.seen.fault.is_some());
    let longest_answered = counting(evidence)
        .flat_map(|(_, played)| played.seen.sent.lengths.iter().take(played.seen.moves.len()))
        .max()
        .copied()
        .unwrap_or(0);
    let is_length = |place: &&usize| {
        let Played { seen, .. } = &evidence.played[**place];
        seen.sent.lengths.get(seen.moves.len()).is_some_and(|length| *length > longest_answered)
    };
    match (tried.is_empty(), failing.first()) {
        (true, _) => not_tried(evidence, "no long request was sent"),
        (false, None) => Judged { by: tried, ..Judged::new(Status::Passed, "") },
        (false, Some(_)) if usual_fails => {
            Judged { by: tried, ..Judged::new(Status::NotTried, "not judged: short ones fail too") }
        }
        (false, Some(&first)) => {
            let name = &evidence.played[first].trial.name;
            match failing.iter().find(is_length) {
                Some(&longest) => {
                    let Played { trial, seen, .. } = &evidence.played[longest];
                    let length = seen.sent.lengths[seen.moves.len()];
                    let words = format!(
                        "it fails in {} at a request of {length} characters; the longest that it answers has {longest_answered}",
                        trial.name
                    );
                    Judged { at: Some(longest), by: tried, failing, ..Judged::new(Status::Failed, words) }
                }
                None => {
                    let words = format!("not judged: it fails in {name}, but answers requests that are as long");
                    Judged { by: tried, ..Judged::new(Status::NotTried, words) }
                }
            }
        }
    }
}

pub(super) fn passes(evidence: &Evidence<'_>) -> Judged {
    let with = places(evidence, |played| played.seen.passes > 0);
    let count: u32 = evidence.played.iter().map(|played| played.seen.passes).sum();
    match with.iter().copied().find(|place| evidence.played[*place].seen.fault.is_some()) {
        Some(first) => {
            let words = "it was skipped in this match, and forfeits afterwards";
            let other = evidence.played.iter().any(|played| played.seen.passes == 0 && played.seen.fault.is_some());
            let status = if other { Status::NotTried } else { Status::Failed };
            Judged { at: Some(first), failing: vec![first], by: with, ..Judged::new(status, words) }
        }
        None if count == 0 => Judged::new(Status::NotTried, "no position came up in which it had to pass"),
        None => Judged { by: with, ..Judged::new(Status::Passed, format!("skipped {count} times")) },
    }
}

pub(super) fn jump(evidence: &Evidence<'_>) -> Judged {
    let tried = places(evidence, |played| played.trial.kind == Kind::Jump);
    let Some(&first) = tried.first() else { return not_tried(evidence, "its match was not played") };
    let words = match &evidence.played[first].seen.fault {
        None => "it does: it takes the position from the request".to_string(),
        Some((_, fault)) => format!(
            "it does not ({}): it keeps a position of its own. That costs nothing in a cup; `arena debug --play-on` begins so",
            fault.reason.as_str()
        ),
    };
    Judged { by: tried, ..Judged::new(Status::Told, words) }
}

pub(super) fn reuse_quiet(evidence: &Evidence<'_>) -> Judged {
    let tried = places(evidence, |played| played.trial.kind == Kind::ReuseFirst);
    let Some(&first) = tried.first() else { return offers_no_reuse(evidence) };
    if evidence.played[first].seen.unread {
        let words = "it says \"reuse\":true, but after `end` it has ended, or has written something that nobody asked for: \
                     say nothing after `end`, wait for the next `start`, or leave `reuse` out";
        return Judged { at: Some(first), by: tried.clone(), failing: tried, ..Judged::new(Status::Failed, words) };
    }
    Judged { by: tried, ..Judged::new(Status::Passed, "") }
}

pub(super) fn reuse_forgets(evidence: &Evidence<'_>) -> Judged {
    let of = |kind: Kind| evidence.played.iter().position(|played| played.trial.kind == kind);
    let (Some(second), Some(fresh)) = (of(Kind::ReuseSecond), of(Kind::ReuseFresh)) else {
        return offers_no_reuse(evidence);
    };
    let by = vec![second, fresh];
    if by.iter().any(|place| evidence.played[*place].seen.fault.is_some()) {
        return Judged { by, ..Judged::new(Status::NotTried, "one of the two matches ended by a mistake") };
    }
    let told = |place: usize| played_moves(&evidence.played[place]);
    if told(second) == told(fresh) {
        return Judged { by, ..Judged::new(Status::Passed, "") };
    }
    if same_moves(evidence).words != SAME {
        return Judged { by, ..Judged::new(Status::NotTried, "its moves differ with the same seed anyway") };
    }
    let words = "after another match it plays other moves than a fresh process with the same seed: something of the first \
                 match stays; set everything anew at `start`";
    Judged { at: Some(second), by, failing: vec![second], ..Judged::new(Status::Failed, words) }
}

const SAME: &str = "they are the same: its matches can be repeated";

pub(super) fn same_moves(evidence: &Evidence<'_>) -> Judged {
    let Some(again) = evidence.played.iter().position(|played| played.trial.kind == Kind::SecondMatch) else {
        return not_tried(evidence, "its match was not played");
    };
    let second = &evidence.played[again];
    let first = evidence.played.iter().position(|played| {
        let (one, other) = (&played.trial, &second.trial);
        one.kind == Kind::Plays
            && (one.situation, one.seat, one.hints) == (other.situation, other.seat, other.hints)
            && one.seed == other.seed
    });
    let Some(first) = first else { return not_tried(evidence, "there is nothing to compare with") };
    let by = vec![first, again];
    let (one, other) = (played_moves(&evidence.played[first]), played_moves(second));
    let mut pairs = one.iter().zip(&other);
    match pairs.find(|(one, other)| one != other) {
        None => Judged { by, ..Judged::new(Status::Told, SAME) },
        Some((one, _)) => {
            let words = format!("they differ from turn {} on: draw from `seed` in `start` to repeat a match", one.0);
            Judged { by, ..Judged::new(Status::Told, words) }
        }
    }
}

fn played_moves(played: &Played) -> Vec<(u32, &str)> {
    played.seen.moves.iter().map(|(turn, mv, _)| (*turn, mv.as_str())).collect()
}

pub(super) fn isolation(evidence: &Evidence<'_>) -> Judged {
    let free = evidence.played.iter().find(|played| played.trial.kind == Kind::Unconfined);
    if free.is_some_and(|free| free.closing.verdict.reason == Reason::Disturbed) {
        let words = "it could not be told whether it fails because it is confined: the machine was too busy for the match without; \
                     check again when less is going on";
        return Judged::new(Status::NotTried, words);
    }
    if let Some(free) = free.filter(|free| free.seen.fault.is_none()) {
        let confined =
            |played: &Played| free.trial.name.strip_suffix("+unconfined") == Some(played.trial.name.as_str());
        let at = evidence.played.iter().position(confined);
        let words = "confined it fails, and not confined it does not: it needs something that bots do not see or may not do \
                     (files outside of its folder, the network, a place to write other than /tmp, many processes)";
        let failing = at.into_iter().collect();
        return Judged { at, failing, ..Judged::new(Status::Failed, words) };
    }
    match evidence.confined {
        Confined::Refused(why) => Judged::new(Status::Failed, format!("it cannot be started confined: {why}")),
        Confined::Trusted => Judged::new(Status::Told, "it comes with the arena, and is not confined"),
        Confined::NotAskedFor => Judged::new(Status::NotTried, "not confined: --isolation none"),
        Confined::As(layers) => Judged::new(Status::Passed, layers.clone()),
        Confined::Lacking { why, layers } => Judged::new(
            Status::Warned,
            format!("strict isolation does not hold on this machine ({why}); checked under {layers}"),
        ),
    }
}

/// Passed where no match shows it; `words` tell of a match that does.
fn none_with(evidence: &Evidence<'_>, words: impl Fn(&Played) -> Option<String>) -> Judged {
    let shows = |place: &usize| words(&evidence.played[*place]).is_some();
    let by: Vec<usize> = counting(evidence).map(|(place, _)| place).collect();
    if by.is_empty() {
        return not_tried(evidence, "nothing was played");
    }
    let failing: Vec<usize> = by.iter().copied().filter(shows).collect();
    let Some(&first) = failing.first() else { return Judged { by, ..Judged::new(Status::Passed, "") } };
    let played = &evidence.played[first];
    let more = match failing.len() - 1 {
        0 => String::new(),
        more => format!(" (and in {})", matches(more)),
    };
    let words = format!("in match {}{more}: {}", played.trial.name, words(played).unwrap_or_default());
    Judged { at: Some(first), by: vec![first], failing, ..Judged::new(Status::Failed, words) }
}

fn places(evidence: &Evidence<'_>, fits: impl Fn(&Played) -> bool) -> Vec<usize> {
    evidence.played.iter().enumerate().filter(|(_, played)| fits(played)).map(|(place, _)| place).collect()
}

fn not_tried(evidence: &Evidence<'_>, why: &str) -> Judged {
    Judged::new(Status::NotTried, evidence.missing.unwrap_or(why))
}

fn offers_no_reuse(evidence: &Evidence<'_>) -> Judged {
    not_tried(evidence, "it does not offer further matches (\"reuse\":true), which it need not")
}

fn matches(count: usize) -> String {
    format!("{count} other match{}", if count == 1 { "" } else { "es" })
}

fn moves(count: usize) -> String {
    format!("{count} move{}", if count == 1 { "" } else { "s" })
}
