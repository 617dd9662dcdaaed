//! The table of a cup: ranks, points, Elo, faults and thinking times, for all matches or one parameter set.

#[cfg(test)]
mod tests;

use super::rating::{Hold, Rating, Ratings, rate};
use super::tally::{Sheet, Tally, Totals};
use super::{Entrant, Round};
use crate::record::rows::Table;

/// The columns of `standings.csv`.
pub const COLUMNS: [&str; 20] = [
    "rank",
    "bot",
    "played",
    "won",
    "drawn",
    "lost",
    "points",
    "score_pct",
    "scores_for",
    "scores_against",
    "elo",
    "elo_low",
    "elo_high",
    "illegal",
    "malformed",
    "timeout",
    "crashed",
    "other_faults",
    "mean_ms",
    "max_ms",
];

/// A cup's table.
#[derive(Clone, Debug)]
pub struct Standings {
    /// An entrant each, best first; equals in the order of the cup file.
    pub rows: Vec<Standing>,
    /// The ratings that the Elo comes from.
    pub ratings: Ratings,
}

/// One entrant's place.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// From 1; equals have the same, and the next one comes after all of them (1, 1, 3).
    pub rank: usize,
    /// The entrant.
    pub entrant: Entrant,
    /// Its name.
    pub bot: String,
    /// What it did.
    pub totals: Totals,
    /// Its Elo; `None` without a result.
    pub rating: Option<Rating>,
    /// How likely it is that it is stronger than the next one below, from 0 to 1; `None` where one has no result.
    pub superior: Option<f64>,
}

/// The table of a field with these names. `ranking` is the format's own order, best first, equals together; entrants that
/// it does not name follow by points. Without it: points, then the points of the matches among the tied, then
/// Sonneborn–Berger (the points of those beaten and half the points of those drawn with, a match each), then equal.
pub fn standings(names: &[String], sheet: &Sheet, ranking: Option<&[Vec<Entrant>]>) -> Standings {
    let ratings = rate(names.len(), &sheet.encounters());
    let ranks = ranks(sheet, ranking);
    let order: Vec<Entrant> = ranks.iter().flatten().copied().collect();
    let mut rows: Vec<Standing> = Vec::with_capacity(order.len());
    for tied in &ranks {
        let rank = rows.len() + 1;
        for entrant in tied.iter().copied() {
            let below = order.get(rows.len() + 1);
            rows.push(Standing {
                rank,
                entrant,
                bot: names[entrant].clone(),
                totals: sheet.totals[entrant],
                rating: ratings.of(entrant),
                superior: below.and_then(|below| ratings.superiority(entrant, *below)),
            });
        }
    }
    Standings { rows, ratings }
}

impl Standings {
    /// `standings.csv`: points to the half, percentages, Elo and mean times to the tenth; what there is not is empty.
    pub fn table(&self) -> Table {
        Table { header: COLUMNS.to_vec(), rows: self.rows.iter().map(Standing::cells).collect() }
    }

    /// The row of an entrant.
    pub fn of(&self, entrant: Entrant) -> Option<&Standing> {
        self.rows.iter().find(|row| row.entrant == entrant)
    }

    /// What is to be said of the Elo: how it was made, and which numbers know one side only.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = vec![
            "Elo: Bradley–Terry by maximum likelihood over all matches, a draw as half a win, the field's mean 0; 95 % \
             intervals with pairs of matches as the observations."
                .to_string(),
        ];
        let named = |hold: Hold| -> Vec<&str> {
            let held = |row: &&Standing| row.rating.is_some_and(|rating| rating.hold == hold);
            self.rows.iter().filter(held).map(|row| row.bot.as_str()).collect()
        };
        for (hold, says) in [
            (Hold::AtLeast, "lost no point to the rest of the field: the Elo is a lower bound, the upper end a guess"),
            (
                Hold::AtMost,
                "took no point from the rest of the field: the Elo is an upper bound, the lower end a guess",
            ),
            (
                Hold::Neither,
                "not tied to the rest of the field by points both ways: the Elo is little more than a guess",
            ),
        ] {
            let names = named(hold);
            if !names.is_empty() {
                remarks.push(format!("{}: {says}.", names.join(", ")));
            }
        }
        let idle: Vec<&str> = self.rows.iter().filter(|row| row.rating.is_none()).map(|row| row.bot.as_str()).collect();
        if !idle.is_empty() {
            remarks.push(format!("{}: too few matches for an Elo, none has a result.", idle.join(", ")));
        }
        remarks
    }
}

impl Standing {
    fn cells(&self) -> Vec<String> {
        let Totals { results, faults, .. } = &self.totals;
        let elo =
            |part: fn(&Rating) -> f64| self.rating.as_ref().map(|rating| tenths(part(rating))).unwrap_or_default();
        vec![
            self.rank.to_string(),
            self.bot.clone(),
            results.played().to_string(),
            results.won.to_string(),
            results.drawn.to_string(),
            results.lost.to_string(),
            points(results.half_points()),
            results.score_pct().map(tenths).unwrap_or_default(),
            self.totals.scores_for.to_string(),
            self.totals.scores_against.to_string(),
            elo(|rating| rating.elo),
            elo(|rating| rating.low),
            elo(|rating| rating.high),
            faults.illegal.to_string(),
            faults.malformed.to_string(),
            faults.timeout.to_string(),
            faults.crashed.to_string(),
            faults.other.to_string(),
            tenths(self.totals.mean_ms()),
            self.totals.longest_ms.to_string(),
        ]
    }
}

/// What is to be said beside a table that tells the points of byes.
pub const BYES_COUNT: &str =
    "Places go by the points and those of byes together: a bye counts as all matches of its round won.";

/// Twice the points of each entrant's byes in these rounds: what the format's order counts beside the points of matches.
pub fn half_points_of_byes(rounds: &[Round], entrants: usize) -> Vec<u64> {
    let mut half_points = vec![0; entrants];
    for round in rounds {
        round.byes.iter().for_each(|bye| half_points[*bye] += u64::from(round.bye_half_points));
    }
    half_points
}

/// What is to be known of a cup's matches: how many were repeats, and halves of pairs without the other.
pub fn notes(tally: &Tally) -> Vec<String> {
    let mut notes = Vec::new();
    let whole = tally.whole();
    let repeats: u64 = whole.meetings.values().map(|meeting| meeting.repeats).sum();
    if repeats > 0 {
        let all: u64 = whole.meetings.values().map(|meeting| meeting.results().played()).sum();
        notes.push(format!(
            "{repeats} of {all} matches repeat another one move for move: points count them, Elo and tests do not."
        ));
    }
    match tally.lone_halves() {
        0 => {}
        1 => notes.push(
            "1 match is an observation by itself: the other half of its pair is not played, or stayed void.".to_string(),
        ),
        lone => notes.push(format!(
            "{lone} matches are observations by themselves: the other halves of their pairs are not played, or stayed void."
        )),
    }
    notes
}

/// What an organiser is warned of: pairings of which more than half the matches are repeats.
pub fn warnings(tally: &Tally) -> Vec<String> {
    let mut warnings = Vec::new();
    let whole = tally.whole();
    let name = |entrant: Entrant| &tally.names()[entrant];
    for ([one, other], meeting) in &whole.meetings {
        let played = meeting.results().played();
        if 2 * meeting.repeats > played {
            warnings.push(format!(
                "{} and {}: {} of {played} matches are repeats, so that more of them tell little: begin from different \
                 positions with `opening = 4` under [params], or give the bots a use for their seed.",
                name(*one),
                name(*other),
                meeting.repeats
            ));
        }
    }
    warnings
}

/// The entrants, best first, equals together.
fn ranks(sheet: &Sheet, ranking: Option<&[Vec<Entrant>]>) -> Vec<Vec<Entrant>> {
    let mut left = vec![true; sheet.totals.len()];
    let mut ranks: Vec<Vec<Entrant>> = Vec::new();
    for tied in ranking.unwrap_or_default() {
        let mut tied: Vec<Entrant> =
            tied.iter().copied().filter(|entrant| left.get_mut(*entrant).is_some_and(std::mem::take)).collect();
        tied.sort_unstable();
        ranks.extend((!tied.is_empty()).then_some(tied));
    }
    let rest: Vec<Entrant> = (0..left.len()).filter(|entrant| left[*entrant]).collect();
    let half_points = |entrant: Entrant| sheet.totals[entrant].results.half_points();
    for tied in grouped(rest, half_points) {
        let among = tied.clone();
        for tied in grouped(tied, |entrant| points_among(sheet, entrant, &among)) {
            ranks.extend(grouped(tied, |entrant| sonneborn_berger(sheet, entrant)));
        }
    }
    ranks
}

/// Entrants by a number, the largest first, equals together in their order.
fn grouped(mut entrants: Vec<Entrant>, number: impl Fn(Entrant) -> u64) -> Vec<Vec<Entrant>> {
    entrants.sort_by_key(|entrant| std::cmp::Reverse(number(*entrant)));
    entrants.chunk_by(|one, other| number(*one) == number(*other)).map(<[Entrant]>::to_vec).collect()
}

/// Half-points of the matches against these.
fn points_among(sheet: &Sheet, entrant: Entrant, among: &[Entrant]) -> u64 {
    let met = among.iter().filter_map(|other| sheet.between(entrant, *other));
    met.map(|meeting| meeting.results().half_points()).sum()
}

/// In quarters of a point.
fn sonneborn_berger(sheet: &Sheet, entrant: Entrant) -> u64 {
    let opponents = 0..sheet.totals.len();
    let met = opponents.filter_map(|other| Some((other, sheet.between(entrant, other)?)));
    met.map(|(other, meeting)| meeting.results().half_points() * sheet.totals[other].results.half_points()).sum()
}

/// Half-points as points: `7` or `7.5`.
pub(super) fn points(half_points: u64) -> String {
    format!("{}{}", half_points / 2, if half_points % 2 == 1 { ".5" } else { "" })
}

/// A finite number with one decimal, zero without a sign.
pub(super) fn tenths(number: f64) -> String {
    let text = format!("{number:.1}");
    if text == "-0.0" { "0.0".to_string() } else { text }
}
