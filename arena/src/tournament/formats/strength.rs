//! How strong entrants are by their pairs, and how sure the order of two of them is.
//!
//! Strengths are those of Bradley and Terry ("Rank analysis of incomplete block designs", 1952): a match is won with
//! probability 1 / (1 + exp(−difference)), a draw is half of each. The observation is the pair: how much pairs scatter
//! around what is expected says how much they tell, so a start that favours a seat does not blur the order.

use crate::tournament::Entrant;

/// The width of the prior on a strength, in natural units (about 520 Elo): it only keeps clean sheets finite.
const PRIOR_WIDTH: f64 = 3.0;

/// So many imagined pairs scatter as coins do, until real ones show their own scatter.
const IMAGINED_PAIRS: f64 = 8.0;

/// The number of matches at which the bound for a decision is tightest: 16 for leads of about 90 Elo.
const EXPECTED_MATCHES: f64 = 16.0;

/// What two entrants' pairs came to, from the first one's side.
#[derive(Clone, Copy, Default)]
struct Tally {
    pairs: f64,
    /// The sum of the pairs' points (0 to 2 each).
    points: f64,
    /// The sum of their squares.
    squares: f64,
}

/// All pairs that were observed.
pub(super) struct Observations {
    entrants: usize,
    tallies: Vec<Tally>,
}

impl Observations {
    pub(super) fn new(entrants: usize) -> Observations {
        Observations { entrants, tallies: vec![Tally::default(); entrants * entrants] }
    }

    /// One more pair, with the half points of both (4 together).
    pub(super) fn add(&mut self, players: [Entrant; 2], half_points: [u32; 2]) {
        let ordered = players[0] < players[1];
        let (low, high) = if ordered { (players[0], players[1]) } else { (players[1], players[0]) };
        let points = f64::from(half_points[usize::from(!ordered)]) / 2.0;
        let tally = &mut self.tallies[low * self.entrants + high];
        tally.pairs += 1.0;
        tally.points += points;
        tally.squares += points * points;
    }

    fn between(&self, one: Entrant, other: Entrant) -> Tally {
        self.tallies[one.min(other) * self.entrants + one.max(other)]
    }

    /// Those who have met, the lower number first.
    fn met(&self) -> impl Iterator<Item = ([Entrant; 2], Tally)> + '_ {
        let entrants = self.entrants;
        let players = move |place: usize| [place / entrants, place % entrants];
        self.tallies
            .iter()
            .enumerate()
            .filter(|(_, tally)| tally.pairs > 0.0)
            .map(move |(at, &tally)| (players(at), tally))
    }
}

/// The strengths that fit best.
pub(super) struct Strengths<'a> {
    observations: &'a Observations,
    strengths: Vec<f64>,
    /// The variance of pairs, as a share of that of two coins.
    scatter: f64,
}

impl Strengths<'_> {
    pub(super) fn of(observations: &Observations) -> Strengths<'_> {
        let alone: Vec<usize> = (0..observations.entrants).collect();
        let strengths = fit(observations, &alone, vec![0.0; observations.entrants]);
        let scatter = scatter(observations, &strengths);
        Strengths { observations, strengths, scatter }
    }

    /// The entrants, the strongest first; those whose strengths do not differ in the sixth decimal by number.
    pub(super) fn order(&self) -> Vec<Entrant> {
        let mut order: Vec<Entrant> = (0..self.strengths.len()).collect();
        order.sort_by_key(|&entrant| (-(self.strengths[entrant] * 1e6).round() as i64, entrant));
        order
    }

    /// How near the order of two entrants is to being sure: 1 and above it is, with this confidence.
    ///
    /// It is looked at again and again, so a fixed number of deviations would be passed by two equals sooner or later. The
    /// bound therefore grows as a normal mixture's does (H. Robbins, "Statistical methods related to the law of the
    /// iterated logarithm", 1970): the wrong order is accepted at most 1 − confidence of the time, however long one looks.
    pub(super) fn certainty(&self, one: Entrant, other: Entrant, confidence: f64) -> f64 {
        let matches = 2.0 * self.observations.between(one, other).pairs;
        if matches == 0.0 {
            return 0.0;
        }
        let level = -2.0 * (2.0 * (1.0 - confidence)).ln();
        let bound = (1.0 + EXPECTED_MATCHES / matches) * (level + (1.0 + matches / EXPECTED_MATCHES).ln());
        self.deviance(one, other) / bound
    }

    /// Twice the log likelihood that is lost if both are taken to be equals, in units of the scatter.
    fn deviance(&self, one: Entrant, other: Entrant) -> f64 {
        let mut class: Vec<usize> = (0..self.strengths.len()).collect();
        class[one.max(other)] = one.min(other);
        let mut start = self.strengths.clone();
        start[one.min(other)] = (self.strengths[one] + self.strengths[other]) / 2.0;
        let equal = fit(self.observations, &class, start);
        let lost = log_posterior(self.observations, &self.strengths) - log_posterior(self.observations, &equal);
        2.0 * lost.max(0.0) / self.scatter
    }
}

/// The most likely strengths, those of one class being the same (a class is named by its first member), by Newton's method.
fn fit(observations: &Observations, class: &[usize], mut strengths: Vec<f64>) -> Vec<f64> {
    let entrants = class.len();
    for _ in 0..100 {
        let mut slope = vec![0.0; entrants];
        let mut curvature = vec![vec![0.0; entrants]; entrants];
        for entrant in 0..entrants {
            let strength = strengths[class[entrant]];
            slope[class[entrant]] -= strength / PRIOR_WIDTH.powi(2);
            curvature[class[entrant]][class[entrant]] += 1.0 / PRIOR_WIDTH.powi(2);
            if class[entrant] != entrant {
                curvature[entrant][entrant] = 1.0;
            }
        }
        for ([one, other], tally) in observations.met() {
            let (one, other) = (class[one], class[other]);
            if one == other {
                continue;
            }
            let share = share(strengths[one] - strengths[other]);
            let surplus = tally.points - 2.0 * tally.pairs * share;
            let weight = 2.0 * tally.pairs * share * (1.0 - share);
            slope[one] += surplus;
            slope[other] -= surplus;
            curvature[one][one] += weight;
            curvature[other][other] += weight;
            curvature[one][other] -= weight;
            curvature[other][one] -= weight;
        }
        let step = solve(curvature, slope);
        let longest = step.iter().fold(0.0_f64, |longest, it| longest.max(it.abs()));
        // Far from the goal a full step may overshoot.
        let scale = (1.0 / longest).min(1.0);
        strengths.iter_mut().zip(&step).for_each(|(strength, it)| *strength += scale * it);
        if longest < 1e-9 {
            break;
        }
    }
    (0..entrants).map(|entrant| strengths[class[entrant]]).collect()
}

/// The solution of a system whose matrix is symmetric and positive definite, by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for pivot in 0..size {
        let (above, below) = matrix.split_at_mut(pivot + 1);
        let row = &above[pivot];
        for (step, lower) in below.iter_mut().enumerate() {
            let factor = lower[pivot] / row[pivot];
            if factor != 0.0 {
                lower.iter_mut().zip(row).skip(pivot).for_each(|(it, from)| *it -= factor * from);
                right[pivot + 1 + step] -= factor * right[pivot];
            }
        }
    }
    for pivot in (0..size).rev() {
        let known: f64 = (pivot + 1..size).map(|column| matrix[pivot][column] * right[column]).sum();
        right[pivot] = (right[pivot] - known) / matrix[pivot][pivot];
    }
    right
}

fn log_posterior(observations: &Observations, strengths: &[f64]) -> f64 {
    let prior: f64 = strengths.iter().map(|strength| -0.5 * (strength / PRIOR_WIDTH).powi(2)).sum();
    let likelihood = observations.met().map(|([one, other], tally)| {
        let lead = strengths[one] - strengths[other];
        tally.points * log_share(lead) + (2.0 * tally.pairs - tally.points) * log_share(-lead)
    });
    prior + likelihood.sum::<f64>()
}

/// The variance of pairs around what the strengths promise, as a share of that of two coins.
fn scatter(observations: &Observations, strengths: &[f64]) -> f64 {
    let coin = 0.5 * IMAGINED_PAIRS;
    let (mut seen, mut expected) = (coin, coin);
    for ([one, other], tally) in observations.met() {
        let share = share(strengths[one] - strengths[other]);
        let promised = 2.0 * share;
        seen += tally.squares - 2.0 * promised * tally.points + promised * promised * tally.pairs;
        expected += 2.0 * share * (1.0 - share) * tally.pairs;
    }
    seen / expected
}

/// The share of points that a lead promises.
fn share(lead: f64) -> f64 {
    1.0 / (1.0 + (-lead).exp())
}

/// Its logarithm, exact for long leads too.
fn log_share(lead: f64) -> f64 {
    if lead > 0.0 { -(-lead).exp().ln_1p() } else { lead - lead.exp().ln_1p() }
}
