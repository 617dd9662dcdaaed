//! How long the bots thought: numbers, and for each bot two histograms on one axis, upwards the mean turn of a match,
//! downwards its longest turn.

use super::CupPage;
use super::markup::{cell, column, row_head, section, table, time};
use crate::tournament::excerpts::Spread;
use crate::tournament::standings::Standing;

/// The table of times.
pub(super) fn times(cup: &CupPage<'_>) -> String {
    times_of(cup, &cup.standings.rows.iter().collect::<Vec<_>>())
}

/// The same of these bots only.
pub(super) fn times_of(cup: &CupPage<'_>, rows: &[&Standing]) -> String {
    let axis = Axis::new(cup);
    let heads: String = ["Median", "95 %", "Longest"].map(|heading| column("number", heading)).concat();
    let bot_head = "<th scope=\"col\" class=\"bot\" rowspan=\"2\">Bot</th>";
    let head = format!(
        "<tr>{bot_head}<th scope=\"col\" class=\"number\" rowspan=\"2\">Mean turn</th>\
         <th scope=\"colgroup\" class=\"group\" colspan=\"3\">Longest turn of a match</th>\
         <th scope=\"col\" class=\"drawing\" rowspan=\"2\"><span class=\"unseen\">Distribution</span>{}</th></tr>\
         <tr>{heads}</tr>",
        axis.scale()
    );
    let rows: String = rows.iter().map(|row| line(cup, row, &axis)).collect();
    let limit = match cup.clock.move_ms {
        Some(_) => " The dashed line is the limit of a move.",
        None => "",
    };
    let says = format!(
        "<p class=\"small\">Each match counts once: <span class=\"key mean\"></span> upwards by its mean turn, \
         <span class=\"key longest\"></span> downwards by its longest turn. Median and 95 % are read from the \
         drawing. A turn that ended in a forfeit counts with the time that it took.{limit}</p>\n"
    );
    section("times", "Thinking times", &(says + &table("times", "Thinking times", &head, &rows)))
}

fn line(cup: &CupPage<'_>, row: &Standing, axis: &Axis) -> String {
    let spreads = &cup.excerpts.spreads[row.entrant];
    let known = |ms: Option<f64>| ms.map(time).unwrap_or_default();
    // Rows tell the longest turn in whole milliseconds.
    let whole = |ms: Option<f64>| match ms {
        Some(ms) if ms < 0.95 => "&lt;\u{202f}1\u{202f}ms".to_string(),
        ms => known(ms),
    };
    let longest = row.totals.longest_ms as f64;
    // The middle of a bin may lie beyond the longest time that there was.
    let quantile = |part: f64| whole(spreads.longest.quantile(part).map(|ms| ms.min(longest)));
    let name = row_head(&cup.links.bot(&row.bot));
    if spreads.longest.count() == 0 {
        let why = match row.totals.results.played() {
            0 => "No match of it counts yet.",
            _ => "It was asked for no move: its matches ended before its first turn.",
        };
        return format!("<tr>{name}<td class=\"small\" colspan=\"5\">{why}</td></tr>\n");
    }
    let cells: String = [
        name,
        cell("number strong", &time(row.totals.mean_ms())),
        cell("number", &quantile(0.5)),
        cell("number", &quantile(0.95)),
        cell("number", &whole(Some(longest))),
        cell("drawing", &axis.histograms(&spreads.mean, &spreads.longest)),
    ]
    .concat();
    format!("<tr>{cells}</tr>\n")
}

/// Bins from the left to the right of the drawings, whole decades.
struct Axis {
    from: usize,
    to: usize,
    limit_ms: Option<f64>,
}

impl Axis {
    /// As long as all times; the limit belongs to it where it is near.
    fn new(cup: &CupPage<'_>) -> Axis {
        let spreads = cup.excerpts.spreads.iter().flat_map(|spreads| [&spreads.mean, &spreads.longest]);
        let (mut from, mut to) = (usize::MAX, 0);
        for spread in spreads {
            from = from.min(spread.bins.iter().position(|count| *count > 0).unwrap_or(usize::MAX));
            to = to.max(spread.bins.len());
        }
        let limit_ms = cup.clock.move_ms.map(|ms| ms as f64).filter(|ms| *ms > Spread::SHORTEST);
        if let Some(ms) = limit_ms {
            to = to.max((Spread::place(ms).ceil() as usize).min(Spread::BINS));
        }
        let decade = Spread::PER_DECADE;
        let from = from.min(to.saturating_sub(1)) / decade * decade;
        Axis { from, to: to.next_multiple_of(decade).max(from + decade), limit_ms }
    }

    fn decades(&self) -> impl Iterator<Item = usize> {
        (self.from..=self.to).step_by(Spread::PER_DECADE)
    }

    /// In percent of the breadth.
    fn place(&self, bins: f64) -> f64 {
        100.0 * (bins - self.from as f64) / (self.to - self.from) as f64
    }

    fn scale(&self) -> String {
        let label = |bin: usize| {
            let anchor = match bin {
                bin if bin == self.from => " class=\"first\"",
                bin if bin == self.to => " class=\"last\"",
                _ => "",
            };
            format!("<text{anchor} x=\"{:.1}%\" y=\"13\">{}</text>", self.place(bin as f64), time(Spread::start(bin)))
        };
        let labels: String = self.decades().map(label).collect();
        format!("<svg class=\"spread\" height=\"18\" aria-hidden=\"true\">{labels}</svg>")
    }

    fn histograms(&self, mean: &Spread, longest: &Spread) -> String {
        let mut lines: String = self.decades().map(|bin| self.upright("tick", bin as f64)).collect();
        if let Some(ms) = self.limit_ms {
            lines.push_str(&self.upright("limit", Spread::place(ms).min(self.to as f64)));
        }
        let bins = self.to - self.from;
        format!(
            "<svg class=\"spread\" height=\"44\" aria-hidden=\"true\">{lines}\
             <svg viewBox=\"0 0 {bins} 44\" width=\"100%\" height=\"44\" preserveAspectRatio=\"none\">{}{}</svg></svg>",
            self.outline("mean", mean, -1.0),
            self.outline("longest", longest, 1.0)
        )
    }

    fn upright(&self, class: &str, bins: f64) -> String {
        let place = self.place(bins);
        format!("<line class=\"{class}\" x1=\"{place:.1}%\" x2=\"{place:.1}%\" y1=\"0\" y2=\"100%\"/>")
    }

    /// Bars on the middle line, the tallest as high as there is room.
    fn outline(&self, class: &str, spread: &Spread, direction: f64) -> String {
        let Some(tallest) = spread.bins.iter().max().filter(|count| **count > 0) else { return String::new() };
        let bars: String = spread
            .bins
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
            .map(|(bin, count)| {
                // What there is at all can be seen.
                let height = direction * (20.0 * *count as f64 / *tallest as f64).max(1.5);
                format!("M{} {:.0}v{height:.1}h1v{:.1}z", bin - self.from, 22.0 + direction * 0.6, -height)
            })
            .collect();
        format!("<path class=\"{class}\" d=\"{bars}\"/>")
    }
}
