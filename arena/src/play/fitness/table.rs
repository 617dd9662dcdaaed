//! The checks, in the order in which they are told: what each is called, what it says, how it is judged.

use super::How::{By, Survives, Without};
use super::Weight::{Advised, Reported, Required};
use super::{Check, How, Weight, judges};
use crate::play::{Kind, Mistake};

const fn check(name: &'static str, what: &'static str, weight: Weight, how: How) -> Check {
    Check { name, what, weight, how }
}

/// Every check but those of single positions.
pub const CHECKS: &[Check] = &[
    // Getting ready.
    check("starts", "stays alive until it is asked", Required, Without(Mistake::DoesNotStart)),
    check("shakes-hands", "answers `start` with `ready`", Required, Without(Mistake::NotReady)),
    check("ready-in-time", "is ready within the time to start", Required, Without(Mistake::ReadyTooLate)),
    check("start-time", "how long `ready` takes, against the time to start", Advised, By(judges::start_time)),
    // Answers.
    check("answers", "answers every request", Required, Without(Mistake::NoAnswer)),
    check("reads-lines", "reads one line for each message", Required, Without(Mistake::SkipsLines)),
    check("answers-in-time", "answers within the limit", Required, Without(Mistake::TooLate)),
    check("flushes", "sends each answer at once", Required, Without(Mistake::NotFlushed)),
    check("ends-lines", "ends each answer with a newline", Required, Without(Mistake::NoNewline)),
    check("valid-json", "sends JSON objects, one a line", Required, Without(Mistake::NotJson)),
    check("utf-8", "sends UTF-8", Required, Without(Mistake::NotUtf8)),
    check("message-type", "sends the message that was asked for", Required, Without(Mistake::WrongType)),
    check("echoes-turn", "repeats the number of the request", Required, Without(Mistake::WrongTurn)),
    check("sends-move", "sends a move", Required, Without(Mistake::NoMove)),
    check("move-shape", "sends moves of the game's shape", Required, Without(Mistake::WrongShape)),
    check("legal-moves", "plays legal moves", Required, Without(Mistake::IllegalMove)),
    check("whole-moves", "sends no parts of moves that the rules ignore", Advised, By(judges::whole_moves)),
    check("answers-once", "says nothing that answers no open request", Required, By(judges::answers_once)),
    check("clean-stdout", "prints nothing but messages on stdout", Required, By(judges::clean_stdout)),
    check("small-output", "prints no flood", Required, Without(Mistake::Floods)),
    // Staying, and going.
    check("stays-up", "does not fall over", Required, Without(Mistake::Crashes)),
    check("keeps-streams", "keeps its stdout open", Required, Without(Mistake::ClosesOutput)),
    check("within-limits", "passes no limit on resources", Required, Without(Mistake::OverLimit)),
    check("ends-after-end", "ends within the stop time after `end`", Required, By(judges::ends_after_end)),
    check(
        "ends-at-eof",
        "ends within the stop time when its input ends without `end`",
        Required,
        By(judges::ends_at_eof),
    ),
    check("leaves-nothing", "leaves no process behind", Required, By(judges::leaves_nothing)),
    check("exits-cleanly", "ends with exit status 0", Advised, By(judges::exits_cleanly)),
    // Oddities that the protocol allows.
    check("second-match", "plays a second match in a fresh process", Required, Survives(Kind::SecondMatch)),
    check("unknown-keys", "ignores keys that it does not know", Required, Survives(Kind::UnknownKeys)),
    check("in-pieces", "reads requests that arrive in pieces", Required, Survives(Kind::InPieces)),
    check("long-requests", "reads long requests", Required, By(judges::long_requests)),
    check("no-limits", "plays without limits on time (null clocks)", Required, Survives(Kind::NoLimits)),
    check("bank", "plays with a bank of time", Required, Survives(Kind::Bank)),
    check("rival-forfeits", "takes an `end` in the middle of a match", Required, Survives(Kind::RivalForfeits)),
    check("no-first-turn", "takes a match that ends before its first turn", Required, Survives(Kind::NoFirstTurn)),
    check("end-at-once", "takes an `end` right after `start`", Required, Survives(Kind::EndAtOnce)),
    check("no-end", "plays a match whose `end` never comes", Required, Survives(Kind::NoEnd)),
    check("passes", "goes on after forced passes", Required, By(judges::passes)),
    check("jump", "answers when it is first asked in the middle of a match", Reported, By(judges::jump)),
    // One process, several matches.
    check(
        "reuse",
        "plays a second match in the same process, where it offers that",
        Required,
        Survives(Kind::ReuseSecond),
    ),
    check(
        "reuse-quiet",
        "is there, and quiet, after `end`, where it offers another match",
        Required,
        By(judges::reuse_quiet),
    ),
    check("reuse-forgets", "plays the second match as a fresh process would", Advised, By(judges::reuse_forgets)),
    check("same-moves", "plays the same moves with the same seed", Reported, By(judges::same_moves)),
    // What it uses.
    check("thinking-time", "keeps away from the limit", Advised, By(judges::thinking_time)),
    check("start-up", "how much of its time is start-up", Reported, By(judges::start_up)),
    check("own-turn", "computes only while it is asked", Advised, By(judges::own_turn)),
    check("priority", "leaves its own priority as it is", Advised, By(judges::priority)),
    check("memory", "keeps within the memory of a cup", Required, By(judges::memory)),
    check("stderr-volume", "writes no more on stderr than is kept", Advised, By(judges::stderr_volume)),
    check("notes", "sends no note that is too long to be kept", Advised, By(judges::notes)),
    check("isolation", "works when it is confined as in a cup", Required, By(judges::isolation)),
];
