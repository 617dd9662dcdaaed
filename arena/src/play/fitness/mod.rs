//! Whether a bot is fit to enter: a table of checks, and what each makes of the matches that were played. Everything here is
//! pure: matches are played elsewhere (`Bench`), and what follows from the checks is told elsewhere.

mod judges;
mod table;
mod trials;

pub use judges::{explanation, mistake};
pub use table::CHECKS;
pub use trials::{explaining, handling, plays, reuse, tries, unconfined};

use super::forfeit::Mistake;
use super::trial::{Kind, Observed, Trial};
use crate::record::Closing;
use std::path::PathBuf;
use std::time::Duration;

/// A match that was played for a check.
pub struct Played {
    /// What was to be played.
    pub trial: Trial,
    /// What was seen of the bot.
    pub seen: Observed,
    /// How it ended.
    pub closing: Closing,
    /// How long it took in all, start and end included.
    pub took: Duration,
    /// Where its transcript is.
    pub transcript: PathBuf,
}

/// What holds the bot that is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confined {
    /// It comes with the arena, and is never confined.
    Trusted,
    /// It was not to be confined.
    NotAskedFor,
    /// These layers, as was asked for.
    As(String),
    /// Strict isolation does not hold on this machine; these layers do.
    Lacking {
        /// Why not.
        why: String,
        /// What holds.
        layers: String,
    },
    /// It cannot be started confined, so it was not confined: why.
    Refused(String),
}

/// All that checks are judged by.
pub struct Evidence<'a> {
    /// The matches that count, in the order in which they were played.
    pub played: &'a [Played],
    /// What a bot may use of memory in a cup, in bytes.
    pub memory_bytes: u64,
    /// What held the bot.
    pub confined: &'a Confined,
    /// Why matches are missing, where some are.
    pub missing: Option<&'a str>,
}

/// How much a check matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// A bot that fails it is not fit.
    Required,
    /// A bot that fails it is fit; its author should know.
    Advised,
    /// It only tells.
    Reported,
}

/// One check.
pub struct Check {
    /// What it is called, unique.
    pub name: &'static str,
    /// What holds where it is passed, in a sentence without its subject: `answers each request once`.
    pub what: &'static str,
    /// How much it matters.
    pub weight: Weight,
    /// How it is judged.
    pub how: How,
}

/// How a check is judged.
pub enum How {
    /// No match ended by this mistake of the bot's.
    Without(Mistake),
    /// Every match of this kind went without a mistake of the bot's that it does not make in other matches as well.
    Survives(Kind),
    /// By itself.
    By(fn(&Evidence<'_>) -> Judged),
}

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It holds.
    Passed,
    /// It does not.
    Failed,
    /// It does not, and that costs nothing by itself.
    Warned,
    /// What was found out.
    Told,
    /// Nothing is known of it.
    NotTried,
}

impl Status {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Status::Passed => "passed",
            Status::Failed => "failed",
            Status::Warned => "warning",
            Status::Told => "told",
            Status::NotTried => "not tried",
        }
    }
}

/// What a check came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// How it ended.
    pub status: Status,
    /// Why, or what was found, in words; empty where there is nothing to say.
    pub words: String,
    /// The first match that shows it, by its place among those that count.
    pub at: Option<usize>,
    /// The matches that it was judged by, by their places.
    pub by: Vec<usize>,
    /// The places of all that show that it does not hold.
    pub failing: Vec<usize>,
}

impl Judged {
    fn new(status: Status, words: impl Into<String>) -> Judged {
        Judged { status, words: words.into(), at: None, by: Vec::new(), failing: Vec::new() }
    }
}

/// A check of a bot, with what it came to.
pub struct Finding {
    /// The check's name; that of a match where it is one.
    pub name: String,
    /// What was to hold.
    pub what: String,
    /// How much it matters.
    pub weight: Weight,
    /// What it came to.
    pub judged: Judged,
    /// How long its matches took.
    pub took: Duration,
    /// Whether it is one of the positions of a game, and no check of the table.
    pub is_position: bool,
    /// The games for which it makes the bot unfit; every one where it is `None`. Only where it failed.
    pub games: Option<Vec<&'static str>>,
}

impl Finding {
    /// Whether it makes the bot unfit for a game.
    pub fn rules_out(&self, game: &str) -> bool {
        self.judged.status == Status::Failed && self.games.as_ref().is_none_or(|games| games.contains(&game))
    }
}

/// Judges every check, and each position that was played, in the order of the table.
pub fn judge(evidence: &Evidence<'_>) -> Vec<Finding> {
    let checks = CHECKS.iter().map(|check| {
        let mut judged = match check.how {
            How::Without(mistake) => judges::without(evidence, mistake),
            How::Survives(kind) => judges::survives(evidence, kind),
            How::By(judge) => judge(evidence),
        };
        if judged.status == Status::Failed && check.weight != Weight::Required {
            judged.status = if check.weight == Weight::Advised { Status::Warned } else { Status::Told };
        }
        let games = match check.how {
            How::Without(_) => Some(games_of(evidence, &judged.failing)),
            _ => None,
        };
        let (name, what) = (check.name.to_string(), check.what.to_string());
        finding(evidence, name, what, check.weight, judged, games)
    });
    let positions = evidence.played.iter().enumerate().filter(|(_, played)| played.trial.kind == Kind::Plays);
    let positions = positions.map(|(place, played)| {
        let games = Some(vec![played.trial.game.info().id]);
        let judged = judges::position(evidence, place);
        finding(evidence, played.trial.name.clone(), trials::what(&played.trial), Weight::Required, judged, games)
    });
    checks.chain(positions).collect()
}

fn finding(
    evidence: &Evidence<'_>,
    name: String,
    what: String,
    weight: Weight,
    judged: Judged,
    games: Option<Vec<&'static str>>,
) -> Finding {
    let is_position = !CHECKS.iter().any(|check| check.name == name);
    let took = judged.by.iter().map(|place| evidence.played[*place].took).sum();
    Finding { name, what, weight, judged, took, is_position, games }
}

fn games_of(evidence: &Evidence<'_>, places: &[usize]) -> Vec<&'static str> {
    let mut games: Vec<&'static str> =
        places.iter().map(|place| evidence.played[*place].trial.game.info().id).collect();
    games.dedup();
    games
}

/// The name of the check that a mistake fails.
pub fn check_of(mistake: Mistake) -> &'static str {
    let found = CHECKS.iter().find(|check| matches!(check.how, How::Without(one) if one == mistake));
    found.expect("every mistake has its check").name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::games::GAMES;
    use crate::verdict::{Fault, Reason, Verdict};
    use std::collections::HashSet;

    /// A match of the first game for this purpose, which ended so.
    fn ended(kind: Kind, reason: Reason) -> Played {
        let mut trial = tries(GAMES[0], &Clock::default(), false, 1);
        if kind == Kind::Unconfined {
            trial = unconfined(&trial);
        }
        let fault = Fault { reason, detail: "turn 0: nothing had arrived".to_string(), line: None };
        let verdict = Verdict { winner: None, scores: [0; 2], reason, detail: None, at_fault: None, invalid: None };
        let closing = Closing {
            verdict,
            turns: 0,
            duration_ms: 0,
            total_us: [0; 2],
            max_us: [0; 2],
            cpu_us: [None; 2],
            peak_kib: [None; 2],
            left_behind: [0; 2],
        };
        let fault = (reason == Reason::Timeout).then_some((Some(0), fault));
        let seen = Observed { ready_us: Some(1), fault, ..Observed::default() };
        Played { trial, seen, closing, took: Duration::ZERO, transcript: PathBuf::new() }
    }

    #[test]
    fn a_match_that_the_machine_disturbed_tells_nothing_about_confinement() {
        let confined = Confined::As("strict".to_string());
        for (reason, status) in [
            (Reason::Disturbed, Status::NotTried),
            (Reason::Finished, Status::Failed),
            (Reason::Timeout, Status::Passed),
        ] {
            let played = [ended(Kind::Tries, Reason::Timeout), ended(Kind::Unconfined, reason)];
            let evidence = Evidence { played: &played, memory_bytes: 1 << 30, confined: &confined, missing: None };
            let findings = judge(&evidence);
            let isolation = findings.iter().find(|finding| finding.name == "isolation").expect("it is a check");
            assert_eq!(isolation.judged.status, status, "{reason:?}: {}", isolation.judged.words);
            let busy = isolation.judged.words.contains("the machine was too busy");
            assert_eq!(busy, reason == Reason::Disturbed, "{}", isolation.judged.words);
        }
    }

    #[test]
    fn every_mistake_has_its_check_and_every_check_its_own_name() {
        assert!(CHECKS.len() >= 40, "{}", CHECKS.len());
        for mistake in Mistake::ALL {
            check_of(mistake);
        }
        let names: HashSet<&str> = CHECKS.iter().map(|check| check.name).collect();
        assert_eq!(names.len(), CHECKS.len());
        let is_plain =
            |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        assert!(names.iter().all(|name| is_plain(name)), "names are typed on a command line");
    }
}
