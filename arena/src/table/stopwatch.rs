//! The fair clock of one answer: when it is late, how much of its time is charged, and when the machine, not
//! the bot, was at fault. It is told the time; it reads nothing itself.

use std::time::{Duration, Instant};

/// For so long nothing is read of a player's processor time: whoever answers within it costs no reading at all.
pub const QUICK: Duration = Duration::from_millis(1);

/// The least by which a deadline moves.
const STEP: Duration = Duration::from_millis(10);

/// The part of a bank that counts towards how far a deadline may move.
const BANK_PART: Duration = Duration::from_secs(10);

/// One answer's limit, and how far it has been moved.
#[derive(Debug)]
pub struct Stopwatch {
    began: Instant,
    limit: Option<Duration>,
    most_extension: Duration,
    deadline: Option<Instant>,
}

/// What the deadline says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lateness {
    /// There is time left.
    InTime,
    /// The answer is late.
    Late,
    /// The deadline cannot be moved further, though the bot has not used up its limit: the machine is at fault.
    Disturbed,
}

impl Stopwatch {
    /// Starts with the first byte of the request. `from_bank`: whether the limit is what is left of a bank.
    pub fn start(began: Instant, limit: Option<Duration>, from_bank: bool) -> Stopwatch {
        let counted = limit.map_or(Duration::ZERO, |limit| if from_bank { limit.min(BANK_PART) } else { limit });
        Stopwatch {
            began,
            limit,
            most_extension: counted * 2 + Duration::from_secs(1),
            deadline: limit.map(|limit| began + limit),
        }
    }

    /// When the deadline is to be looked at.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Until when an answer is quick.
    pub fn quick_until(&self) -> Instant {
        self.began + QUICK
    }

    /// Time since the first byte of the request.
    pub fn took(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.began)
    }

    /// The time that is charged, when `excused` of it is not the bot's.
    pub fn charged(&self, now: Instant, excused: Duration) -> Duration {
        self.took(now).saturating_sub(excused)
    }

    /// Whether an answer that was read now is in time. The limit is inclusive.
    pub fn answered_in_time(&self, now: Instant, excused: Duration) -> bool {
        self.limit.is_none_or(|limit| self.charged(now, excused) <= limit)
    }

    /// Judges at the deadline that no answer has come; what is excused moves it.
    pub fn look(&mut self, now: Instant, excused: Duration) -> Lateness {
        let (Some(limit), Some(deadline)) = (self.limit, self.deadline) else { return Lateness::InTime };
        if now < deadline {
            return Lateness::InTime;
        }
        if self.charged(now, excused) > limit {
            return Lateness::Late;
        }
        let last = self.began + limit + self.most_extension;
        if now >= last {
            return Lateness::Disturbed;
        }
        self.deadline = Some((self.began + limit + excused).max(now + STEP).min(last));
        Lateness::InTime
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn the_limit_is_inclusive() {
        let began = Instant::now();
        let watch = Stopwatch::start(began, Some(100 * MS), false);
        assert!(watch.answered_in_time(began + 100 * MS, Duration::ZERO));
        assert!(!watch.answered_in_time(began + 100 * MS + Duration::from_nanos(1), Duration::ZERO));
    }

    #[test]
    fn without_excuse_a_deadline_does_not_move() {
        let began = Instant::now();
        let mut watch = Stopwatch::start(began, Some(100 * MS), false);
        assert_eq!(watch.look(began + 99 * MS, Duration::ZERO), Lateness::InTime);
        assert_eq!(watch.deadline(), Some(began + 100 * MS));
        assert_eq!(watch.look(began + 101 * MS, Duration::ZERO), Lateness::Late);
    }

    #[test]
    fn a_deadline_moves_by_what_is_excused_and_by_a_step_at_least() {
        let began = Instant::now();
        let mut watch = Stopwatch::start(began, Some(100 * MS), false);
        assert_eq!(watch.look(began + 100 * MS, 60 * MS), Lateness::InTime);
        assert_eq!(watch.deadline(), Some(began + 160 * MS));
        assert_eq!(watch.look(began + 160 * MS, 61 * MS), Lateness::InTime);
        assert_eq!(watch.deadline(), Some(began + 170 * MS));
        assert_eq!(watch.look(began + 170 * MS, 61 * MS), Lateness::Late);
    }

    #[test]
    fn at_the_last_extension_the_machine_is_at_fault() {
        let began = Instant::now();
        let mut watch = Stopwatch::start(began, Some(100 * MS), false);
        // Twice the limit and a second: 100 + 200 + 1000.
        let last = began + 1300 * MS;
        assert_eq!(watch.look(began + 1290 * MS, 1250 * MS), Lateness::InTime);
        assert_eq!(watch.deadline(), Some(last));
        assert_eq!(watch.look(last, 1250 * MS), Lateness::Disturbed);
        assert_eq!(watch.look(last, 1100 * MS), Lateness::Late);
    }

    #[test]
    fn of_a_bank_ten_seconds_count_towards_the_extension() {
        let began = Instant::now();
        let mut watch = Stopwatch::start(began, Some(120_000 * MS), true);
        let last = began + 141_000 * MS;
        assert_eq!(watch.look(began + 140_999 * MS, 100_000 * MS), Lateness::InTime);
        assert_eq!(watch.deadline(), Some(last));
    }

    #[test]
    fn without_a_limit_nothing_is_ever_late() {
        let began = Instant::now();
        let mut watch = Stopwatch::start(began, None, false);
        assert_eq!(watch.deadline(), None);
        assert_eq!(watch.look(began + 1_000_000 * MS, Duration::ZERO), Lateness::InTime);
    }
}
