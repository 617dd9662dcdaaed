//! The likelihood ratio against what can be worked out by hand, and strengths against what they must give back.

use super::super::likelihood::{expected_score, pentanomial_llr, sprt_bounds};
use super::super::strength::{Observations, Strengths};

fn near(one: f64, other: f64, within: f64) -> bool {
    (one - other).abs() <= within
}

#[test]
fn with_all_or_nothing_pairs_the_ratio_is_that_of_a_coin() {
    // Only 0 and 2 points: the best distribution with a mean is the coin with that mean.
    let (s0, s1) = (expected_score(0.0), expected_score(50.0));
    let coin = 60.0 * (s1 / s0).ln() + 40.0 * ((1.0 - s1) / (1.0 - s0)).ln();
    assert!(near(pentanomial_llr([40, 0, 0, 0, 60], 0.0, 50.0), coin, 0.01));
    assert!(near(pentanomial_llr([0, 0, 0, 0, 8], 0.0, 20.0), 8.0 * (expected_score(20.0) / 0.5).ln(), 0.01));
}

#[test]
fn for_many_pairs_the_ratio_is_that_of_a_normal_mean() {
    let counts = [200, 500, 1000, 560, 230];
    let total: u64 = counts.iter().sum();
    let mean = [0.0, 0.25, 0.5, 0.75, 1.0].iter().zip(counts).map(|(s, n)| s * n as f64).sum::<f64>() / total as f64;
    let square =
        [0.0, 0.0625, 0.25, 0.5625, 1.0].iter().zip(counts).map(|(s, n)| s * n as f64).sum::<f64>() / total as f64;
    let (s0, s1) = (expected_score(0.0), expected_score(5.0));
    let normal = total as f64 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * (square - mean * mean));
    assert!(near(pentanomial_llr(counts, 0.0, 5.0), normal, 0.02 * normal.abs()));
}

#[test]
fn the_ratio_turns_around_with_the_players_and_is_nothing_without_pairs() {
    let llr = pentanomial_llr([3, 9, 20, 12, 6], 0.0, 10.0);
    assert!(llr > 0.0);
    assert!(near(pentanomial_llr([6, 12, 20, 9, 3], -10.0, 0.0), -llr, 1e-6));
    assert_eq!(pentanomial_llr([0; 5], 0.0, 10.0), 0.0);
    let [low, high] = sprt_bounds(0.05, 0.05);
    assert!(near(low, -2.944, 0.001) && near(high, 2.944, 0.001));
}

#[test]
fn starts_that_favour_a_seat_do_not_blur_equality() {
    // 500 pairs in which the first mover always wins: an even score for certain, so a lead of 5 is out of the question.
    assert!(pentanomial_llr([0, 0, 500, 0, 0], 0.0, 5.0) < -7.0);
    // As independent matches the same 1000 results say next to nothing.
    assert!(pentanomial_llr([250, 0, 0, 0, 250], 0.0, 5.0).abs() < 0.1);
}

#[test]
fn strengths_order_entrants_who_never_met_by_those_they_met() {
    let mut observations = Observations::new(3);
    for _ in 0..30 {
        observations.add([2, 1], [3, 1]);
        observations.add([1, 0], [3, 1]);
    }
    let strengths = Strengths::of(&observations);
    assert_eq!(strengths.order(), [2, 1, 0]);
    assert!(strengths.certainty(2, 1, 0.95) > 1.0 && strengths.certainty(1, 2, 0.95) > 1.0);
    assert_eq!(strengths.certainty(0, 2, 0.95), 0.0, "who never met is not told apart");
}

#[test]
fn certainty_grows_with_the_lead_and_the_matches_and_falls_with_the_confidence_asked() {
    let certainty = |pairs: u32, half_points: [u32; 2], confidence: f64| {
        let mut observations = Observations::new(2);
        (0..pairs).for_each(|_| observations.add([0, 1], half_points));
        (0..pairs).for_each(|_| observations.add([0, 1], [half_points[1] + half_points[0] - 1, 1]));
        Strengths::of(&observations).certainty(0, 1, confidence)
    };
    assert!(certainty(8, [4, 0], 0.95) > 1.0, "a clean sheet of 16 pairs tells them apart");
    assert!(certainty(1, [4, 0], 0.95) < 1.0, "two pairs do not");
    assert!(certainty(4, [4, 0], 0.95) > certainty(4, [4, 0], 0.99));
}
