//! The sequential test's mathematics: how much more likely pairs make one lead in Elo than another.
//!
//! A generalised sequential probability ratio test on pair scores: M. Van den Bergh, "A practical introduction to the
//! GSPRT" and "The generalized maximum likelihood ratio for the expectation value of a distribution". A pair, not a match,
//! is the observation, so what the starting position gives to a seat does not count as luck.

/// The scores a pair can have for its first player, as shares of its two matches.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// What stands for a count of 0, so that no score is impossible: as in the public test frameworks, which this agrees with.
const ALMOST_NONE: f64 = 1e-3;

/// The logarithm of how much more likely the pairs are at a lead of `elo1` than at `elo0`, each with the best distribution
/// of pair scores that has its mean. `counts`: pairs with 0, ½, 1, 1½ and 2 points for the first player. 0 without pairs.
pub fn pentanomial_llr(counts: [u64; 5], elo0: f64, elo1: f64) -> f64 {
    if counts.iter().all(|&count| count == 0) {
        return 0.0;
    }
    let weights = counts.map(|count| (count as f64).max(ALMOST_NONE));
    log_likelihood(&weights, expected_score(elo1)) - log_likelihood(&weights, expected_score(elo0))
}

/// Between which values of the logarithm of the likelihood ratio a test goes on: below the first `elo0` is accepted, above
/// the second `elo1` (A. Wald, "Sequential tests of statistical hypotheses", 1945).
pub fn sprt_bounds(alpha: f64, beta: f64) -> [f64; 2] {
    [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()]
}

/// How many more pairs a test likely needs, going by those that it has: where the logarithm of the likelihood ratio drifts on as it
/// did, and never more than where it has no drift at all. 0 where it is decided; `None` without pairs, or where the leads are the same.
pub fn pairs_to_go(counts: [u64; 5], elo0: f64, elo1: f64, [low, high]: [f64; 2]) -> Option<u64> {
    let pairs = counts.iter().sum::<u64>() as f64;
    let llr = pentanomial_llr(counts, elo0, elo1);
    if pairs == 0.0 || elo0 == elo1 {
        return None;
    }
    if llr <= low || llr >= high {
        return Some(0);
    }
    let share = |score: usize| counts[score] as f64 / pairs;
    let mean: f64 = SCORES.iter().enumerate().map(|(score, value)| share(score) * value).sum();
    let spread: f64 = SCORES.iter().enumerate().map(|(score, value)| share(score) * (value - mean).powi(2)).sum();
    let step = expected_score(elo1) - expected_score(elo0);
    // A walk without drift leaves its bounds after as many steps as their product is in variances of a step.
    let without_drift = (llr - low) * (high - llr) * spread / (step * step);
    let bound = if llr > 0.0 { high } else { low };
    let with_drift = if llr == 0.0 { f64::INFINITY } else { (bound - llr) / (llr / pairs) };
    let likely = if spread > 0.0 { with_drift.min(without_drift) } else { with_drift };
    likely.is_finite().then(|| likely.ceil().max(1.0) as u64)
}

/// The share of points that a lead in Elo promises.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The greatest log likelihood of the weights among the distributions over the scores that have this mean, but for what
/// does not depend on the mean.
///
/// With a Lagrange multiplier x the best distribution is proportional to weight / (1 + x·(score − mean)), where the sum of
/// weight·(score − mean) / (1 + x·(score − mean)) is 0; that sum falls in x between the two poles.
fn log_likelihood(weights: &[f64; 5], mean: f64) -> f64 {
    let slope = |x: f64| -> f64 {
        let term = |(weight, score): (&f64, f64)| weight * (score - mean) / (1.0 + x * (score - mean));
        weights.iter().zip(SCORES).map(term).sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..80 {
        let middle = low + (high - low) / 2.0;
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    let x = low + (high - low) / 2.0;
    -weights.iter().zip(SCORES).map(|(weight, score)| weight * (1.0 + x * (score - mean)).ln()).sum::<f64>()
}
