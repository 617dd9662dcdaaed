//! Elo drawn: every bot's number with its interval, all on one axis.

use super::markup::signed;
use crate::tournament::rating::{Hold, Rating};
use crate::tournament::standings::Standings;

/// The axis of a field.
pub(super) struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    /// As long as all numbers and all ends that are known; ends that are guesses may run out of it.
    pub fn new(standings: &Standings) -> Axis {
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for rating in standings.rows.iter().filter_map(|row| row.rating) {
            let (knows_low, knows_high) = known(&rating);
            low = low.min(if knows_low { rating.low } else { rating.elo });
            high = high.max(if knows_high { rating.high } else { rating.elo });
        }
        let margin = (0.06 * (high - low)).max(25.0);
        let (low, high) = (low - margin, high + margin);
        let steps = [50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0];
        let step = steps.into_iter().find(|step| (high - low) / step <= 6.0).unwrap_or(10_000.0);
        Axis { low, high, step }
    }

    /// The axis' numbers.
    pub fn scale(&self) -> String {
        let label = |tick: f64| {
            let place = self.place(tick);
            format!("<text x=\"{place:.1}%\" y=\"13\">{}</text>", signed(tick))
        };
        let labels: String = self.ticks().map(label).collect();
        format!("<svg class=\"elo\" height=\"18\" aria-hidden=\"true\">{labels}</svg>")
    }

    /// A bot's number and interval; the sides that are a guess are dashed.
    pub fn bar(&self, rating: Option<Rating>) -> String {
        let mut drawn: String = self
            .ticks()
            .map(|tick| {
                let class = if tick == 0.0 { "zero" } else { "tick" };
                upright(class, self.place(tick), "0", "100%")
            })
            .collect();
        if let Some(rating) = rating {
            let (knows_low, knows_high) = known(&rating);
            for (end, knows) in [(rating.low, knows_low), (rating.high, knows_high)] {
                let (from, to) = (self.place(rating.elo.min(end)), self.place(rating.elo.max(end)));
                let class = if knows { "known" } else { "guess" };
                drawn.push_str(&format!(
                    "<line class=\"{class}\" x1=\"{from:.1}%\" x2=\"{to:.1}%\" y1=\"50%\" y2=\"50%\"/>"
                ));
                if knows {
                    drawn.push_str(&upright("cap", self.place(end), "30%", "70%"));
                }
            }
            drawn.push_str(&format!("<circle cx=\"{:.1}%\" cy=\"50%\" r=\"4.5\"/>", self.place(rating.elo)));
        }
        format!("<svg class=\"elo\" height=\"28\" aria-hidden=\"true\">{drawn}</svg>")
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let (first, last) = ((self.low / self.step).ceil() as i64, (self.high / self.step).floor() as i64);
        let step = self.step;
        (first..=last).map(move |tick| tick as f64 * step)
    }

    /// In percent of the breadth.
    fn place(&self, elo: f64) -> f64 {
        100.0 * (elo.clamp(self.low, self.high) - self.low) / (self.high - self.low)
    }
}

fn upright(class: &str, place: f64, from: &str, to: &str) -> String {
    format!("<line class=\"{class}\" x1=\"{place:.1}%\" x2=\"{place:.1}%\" y1=\"{from}\" y2=\"{to}\"/>")
}

/// Whether the lower and the upper end are known.
fn known(rating: &Rating) -> (bool, bool) {
    match rating.hold {
        Hold::Both => (true, true),
        Hold::AtLeast => (true, false),
        Hold::AtMost => (false, true),
        Hold::Neither => (false, false),
    }
}
