//! What the matches of two bots tell of their difference, in numbers and in words.

use crate::tournament::formats::{expected_score, pairs_to_go, pentanomial_llr, sprt_bounds};
use crate::tournament::rating::{Hold, rate};
use crate::tournament::tally::{Results, Tally};
use serde_json::{Value, json};

/// What is tested: leads of the new one in Elo, and how often the test may err.
#[derive(Clone, Copy)]
pub(super) struct Test {
    pub elo0: f64,
    pub elo1: f64,
    pub alpha: f64,
    pub beta: f64,
}

impl Test {
    /// What is asked, in words.
    pub fn question(&self) -> String {
        format!(
            "by {} Elo or more rather than by {}; it stops when it is sure (errors: {} %, {} %)",
            self.elo1,
            self.elo0,
            rounded(100.0 * self.alpha),
            rounded(100.0 * self.beta)
        )
    }
}

/// What is known of the new one, which is the first of its tally.
pub(super) struct Estimate {
    test: Test,
    /// All its matches, repeats included.
    results: Results,
    repeats: u64,
    /// Pairs that are observations, by half points of the new one.
    pairs: [u64; 5],
    /// Its lead in Elo.
    elo: Option<Lead>,
    llr: f64,
    /// Matches that the new one and the old one lost by a fault.
    pub faults: [u64; 2],
}

/// A lead in Elo, with its 95 % interval as far as it is known.
#[derive(Clone, Copy)]
struct Lead {
    elo: f64,
    low: Option<f64>,
    high: Option<f64>,
}

/// What the test came to.
#[derive(Debug, PartialEq)]
pub(super) enum Verdict {
    /// The new one is better.
    New,
    /// The old one is.
    Old,
    /// The two differ by less than what was asked for.
    NoDifference,
    /// The new one has not the lead that was asked for; it may be worse.
    NotBetter,
    /// Nothing is sure, and why not.
    Undecided(String),
}

impl Estimate {
    /// Of all matches that were counted.
    pub fn of(tally: &Tally, test: Test) -> Estimate {
        let sheet = tally.whole();
        let meeting = sheet.between(0, 1).unwrap_or_default();
        let pairs = meeting.encounter.pairs;
        let faults = [0, 1].map(|entrant: usize| sheet.totals[entrant].faults.total());
        // The two are as far from their mean, which is 0, one up and one down.
        let elo = rate(2, &sheet.encounters()).of(0).map(|rating| Lead {
            elo: 2.0 * rating.elo,
            low: (!matches!(rating.hold, Hold::AtMost | Hold::Neither)).then_some(2.0 * rating.low),
            high: (!matches!(rating.hold, Hold::AtLeast | Hold::Neither)).then_some(2.0 * rating.high),
        });
        let llr = pentanomial_llr(pairs, test.elo0, test.elo1);
        Estimate { test, results: meeting.results(), repeats: meeting.repeats, pairs, elo, llr, faults }
    }

    fn bounds(&self) -> [f64; 2] {
        sprt_bounds(self.test.alpha, self.test.beta)
    }

    /// What the test came to; `finished`: it was not stopped.
    pub fn verdict(&self, finished: bool, max_pairs: u32) -> Verdict {
        let [low, high] = self.bounds();
        let Test { elo1, .. } = self.test;
        // Whether it is so on the whole of an interval.
        let below = |limit: f64| self.elo.and_then(|lead| lead.high).is_some_and(|high| high < limit);
        let above = |limit: f64| self.elo.and_then(|lead| lead.low).is_some_and(|low| low > limit);
        if !finished {
            return Verdict::Undecided("it was stopped before it was sure".to_string());
        }
        if self.llr >= high {
            return Verdict::New;
        }
        if self.llr <= low {
            return match () {
                () if below(0.0) => Verdict::Old,
                () if above(-elo1) || self.pairs[2] == self.pairs.iter().sum::<u64>() => Verdict::NoDifference,
                () => Verdict::NotBetter,
            };
        }
        if self.results.played() >= 2 * u64::from(max_pairs) {
            return Verdict::Undecided(format!("it was not sure after {max_pairs} pairs (--max-pairs)"));
        }
        Verdict::Undecided(
            "the last matches told nothing new: the bots repeat themselves, and there are no more starts. Give a longer opening, or \
             other parameters"
                .to_string(),
        )
    }

    /// How many more matches it likely needs.
    fn more_matches(&self) -> Option<u64> {
        let Test { elo0, elo1, .. } = self.test;
        pairs_to_go(self.pairs, elo0, elo1, self.bounds()).map(|pairs| 2 * pairs)
    }

    /// The same in words.
    pub fn more_words(&self) -> String {
        match self.more_matches() {
            Some(matches) if matches > 0 => format!("; it would likely need about {} more matches", rough(matches)),
            _ => String::new(),
        }
    }

    /// The estimate for people.
    pub fn words(&self, new: &str) -> String {
        let Results { won, drawn, lost } = self.results;
        let matches = self.results.played();
        let Some(share) = self.results.score_pct() else { return format!("{new}: no match yet") };
        let mut text = format!("{new} won {won}, drew {drawn}, lost {lost} of {matches} matches, {share:.1} %");
        if let Some(lead) = self.elo {
            text += &match (lead.low, lead.high) {
                (Some(low), Some(high)) => format!(
                    "; 95 % interval {:.1} to {:.1} %; Elo {:+.0}, {low:+.0} to {high:+.0}",
                    percent(low),
                    percent(high),
                    lead.elo
                ),
                (Some(low), None) => format!("; 95 % interval from {:.1} %; Elo {low:+.0} or more", percent(low)),
                (None, Some(high)) => format!("; 95 % interval to {:.1} %; Elo {high:+.0} or less", percent(high)),
                (None, None) => String::new(),
            };
        }
        if self.repeats > 0 {
            text += &format!("; {} were repeats and count once", self.repeats);
        }
        text
    }

    /// The estimate for programs.
    pub fn json(&self, kind: &str) -> Value {
        let Results { won, drawn, lost } = self.results;
        let [llr_low, llr_high] = self.bounds();
        let (low, high) = (self.elo.and_then(|lead| lead.low), self.elo.and_then(|lead| lead.high));
        json!({
            "type": kind, "matches": self.results.played(), "won": won, "drawn": drawn, "lost": lost, "repeats": self.repeats,
            "pairs": self.pairs, "faults": {"new": self.faults[0], "old": self.faults[1]},
            "score_pct": self.results.score_pct(), "score_low": low.map(percent), "score_high": high.map(percent),
            "elo": self.elo.map(|lead| lead.elo), "elo_low": low, "elo_high": high,
            "llr": self.llr, "llr_low": llr_low, "llr_high": llr_high, "more_matches": self.more_matches(),
        })
    }
}

impl Verdict {
    /// For programs.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::New => "new",
            Verdict::Old => "old",
            Verdict::NoDifference => "no_difference",
            Verdict::NotBetter => "not_better",
            Verdict::Undecided(_) => "undecided",
        }
    }

    /// For people.
    pub fn words(&self, new: &str, old: &str, estimate: &Estimate) -> String {
        let elo1 = estimate.test.elo1;
        match self {
            Verdict::New => format!("{new} is better"),
            Verdict::Old => format!("{old} is better"),
            Verdict::NoDifference => format!("no difference of {elo1} Elo or more"),
            Verdict::NotBetter => format!("{new} is not better by {elo1} Elo or more, and may be worse"),
            Verdict::Undecided(_) => "not decided".to_string(),
        }
    }
}

fn percent(elo: f64) -> f64 {
    100.0 * expected_score(elo)
}

/// Two digits are as much as such a forecast is worth.
fn rough(number: u64) -> u64 {
    let unit = 10_u64.pow(number.checked_ilog10().unwrap_or(0).saturating_sub(1));
    number.div_ceil(unit) * unit
}

fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Row, RowOutcome};
    use crate::seat::Seat;
    use crate::verdict::Reason;

    const TEST: Test = Test { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 };

    /// So many pairs with 0, 1, 2, 3, 4 half points of `new`; each match another observation.
    fn estimate(pairs: [u64; 5]) -> Estimate {
        let mut tally = Tally::new(&["new".to_string(), "old".to_string()], 1);
        let mut number = 0;
        for (half_points, count) in pairs.into_iter().enumerate() {
            for _ in 0..count {
                number += 1;
                let first = [0, 0, 0, 1, 2][half_points];
                for (letter, points) in [('a', first), ('b', half_points - first)] {
                    let seats = if letter == 'a' { ["new", "old"] } else { ["old", "new"] };
                    let new = if letter == 'a' { Seat::First } else { Seat::Second };
                    let outcome = match points {
                        0 => RowOutcome::Won(new.other()),
                        1 => RowOutcome::Drawn,
                        _ => RowOutcome::Won(new),
                    };
                    let row = Row {
                        id: format!("new+old+{number}{letter}"),
                        round: 1,
                        game: "g".to_string(),
                        params: "{}".to_string(),
                        seed: number,
                        bots: seats.map(String::from),
                        outcome,
                        scores: [0; 2],
                        reason: Reason::Finished,
                        at_fault: None,
                        turns: 1,
                        duration_ms: 1,
                        thinking_ms: [0; 2],
                        longest_ms: [0; 2],
                        transcript: String::new(),
                    };
                    tally.count(&row, 0, None).unwrap();
                }
            }
        }
        Estimate::of(&tally, TEST)
    }

    #[test]
    fn each_verdict_is_told_of_what_is_known() {
        let cases = [
            ([0, 2, 10, 20, 40], "new"),
            ([40, 20, 10, 2, 0], "old"),
            ([0, 0, 60, 0, 0], "no_difference"),
            ([40, 40, 800, 40, 40], "no_difference"),
            ([30, 45, 80, 38, 22], "not_better"),
            ([3, 3, 3, 3, 3], "undecided"),
        ];
        for (pairs, word) in cases {
            let estimate = estimate(pairs);
            let verdict = estimate.verdict(true, 100_000);
            assert_eq!(verdict.word(), word, "{pairs:?}: {} llr {}", estimate.words("new"), estimate.llr);
            assert_eq!(estimate.verdict(false, 100_000).word(), "undecided", "what was stopped is never decided");
        }
    }

    #[test]
    fn the_forecast_is_none_once_decided_and_grows_with_closeness() {
        assert_eq!(estimate([0, 2, 10, 20, 40]).more_matches(), Some(0));
        assert_eq!(estimate([0; 5]).more_matches(), None);
        let [clear, close] =
            [[5, 10, 20, 13, 8], [5, 10, 20, 11, 5]].map(|pairs| estimate(pairs).more_matches().unwrap());
        assert!(0 < clear && clear < close, "{clear} and {close}");
        assert_eq!([7, 10, 99, 101, 2345].map(rough), [7, 10, 99, 110, 2400]);
    }
}
