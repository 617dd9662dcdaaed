//! `--stop-at`: a time of day after which no match is begun.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: Duration = Duration::from_secs(24 * HOUR);

/// A time of day, UTC, since midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeOfDay(Duration);

impl TimeOfDay {
    /// How long it is until then, `now` being the time since any midnight, UTC: a time that has passed today comes
    /// tomorrow.
    pub fn after(self, now: Duration) -> Duration {
        let today = Duration::from_nanos((now.as_nanos() % DAY.as_nanos()) as u64);
        if self.0 >= today { self.0 - today } else { self.0 + DAY - today }
    }
}

impl FromStr for TimeOfDay {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeOfDay, String> {
        let wrong = || "a time of day (UTC) is written like 08:00, or 08:00:30".to_string();
        let number = |text: &str| match text.as_bytes() {
            [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => Ok(u64::from((tens - b'0') * 10 + ones - b'0')),
            _ => Err(wrong()),
        };
        let parts: Vec<u64> = text.split(':').map(number).collect::<Result<_, _>>()?;
        let (hours, minutes, seconds) = match parts[..] {
            [hours, minutes] => (hours, minutes, 0),
            [hours, minutes, seconds] => (hours, minutes, seconds),
            _ => return Err(wrong()),
        };
        if hours > 23 || minutes > 59 || seconds > 59 {
            return Err(wrong());
        }
        Ok(TimeOfDay(Duration::from_secs(hours * HOUR + minutes * MINUTE + seconds)))
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        write!(f, "{:02}:{:02}", seconds / HOUR, seconds % HOUR / MINUTE)?;
        if seconds.is_multiple_of(MINUTE) { Ok(()) } else { write!(f, ":{:02}", seconds % MINUTE) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> TimeOfDay {
        text.parse().unwrap()
    }

    #[test]
    fn a_time_to_come_is_today_and_one_that_has_passed_is_tomorrow() {
        let now = Duration::from_secs(20_000 * 86_400 + 8 * HOUR) + Duration::from_millis(250);
        let milliseconds = |text: &str| time(text).after(now).as_millis();
        assert_eq!(milliseconds("08:00:01"), 750);
        assert_eq!(milliseconds("09:30"), 90 * 60_000 - 250);
        assert_eq!(milliseconds("23:59:59"), 16 * 3_600_000 - 1_250);
        assert_eq!(milliseconds("08:00"), 24 * 3_600_000 - 250);
        assert_eq!(milliseconds("00:00"), 16 * 3_600_000 - 250);
        assert_eq!(time("08:00").after(Duration::from_secs(8 * HOUR)), Duration::ZERO, "now is not past");
    }

    #[test]
    fn what_is_written_is_read_and_told_again() {
        for text in ["00:00", "08:00", "23:59", "08:00:30"] {
            assert_eq!(time(text).to_string(), text);
        }
        assert_eq!(time("08:00:00").to_string(), "08:00");
        for text in
            ["", "8", "8:00", "08:0", "24:00", "08:60", "08:00:60", "08:00:00:00", "+8:00", "08-00", "8am", "０８:00"]
        {
            assert!(text.parse::<TimeOfDay>().unwrap_err().contains("08:00"), "{text}");
        }
    }
}
