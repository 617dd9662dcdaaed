//! Cups of entrants whose strengths are known, to see how often the intervals of the ratings hold them.

use super::{Encounter, rate};
use crate::seed::Stream;
use statrs::distribution::{ContinuousCDF, Normal};

/// A kind of cup: all play all.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// How many entrants.
    pub entrants: usize,
    /// How many pairs each two play.
    pub pairs: u32,
    /// The standard deviation of the normal distribution that strengths are drawn from, in Elo.
    pub spread: f64,
    /// How likely a draw is, from 0 to 1; less between unequal entrants, where the expected score leaves no room for it.
    pub draws: f64,
    /// How often the start decides both matches of a pair: what helps a player in the first hurts it in the second.
    pub shared: f64,
}

/// What was seen in many cups of a kind.
#[derive(Clone, Copy, Debug)]
pub struct Coverage {
    /// How many of the intervals held the true strength (relative to the mean of the field), in percent.
    pub all: f64,
    /// The same for the strongest and the weakest entrant of each cup alone.
    pub extremes: f64,
    /// The mean half width of the intervals, in Elo.
    pub half_width: f64,
}

/// Plays and rates so many cups.
pub fn coverage(cell: Cell, cups: u32, seed: u64) -> Coverage {
    let mut stream = Stream::new(seed, "rating simulation");
    let (mut held, mut held_extremes, mut width) = (0_u64, 0_u64, 0.0);
    for _ in 0..cups {
        let mut strengths = strengths(cell, &mut stream);
        // By strength, so that the extremes are first and last.
        strengths.sort_by(f64::total_cmp);
        let ratings = rate(cell.entrants, &play(cell, &strengths, &mut stream));
        for (entrant, strength) in strengths.iter().enumerate() {
            let rating = ratings.of(entrant).expect("everybody has played");
            let holds = u64::from((rating.low..=rating.high).contains(strength));
            held += holds;
            if entrant == 0 || entrant + 1 == cell.entrants {
                held_extremes += holds;
            }
            width += (rating.high - rating.low) / 2.0;
        }
    }
    let cups = f64::from(cups);
    let estimates = cups * cell.entrants as f64;
    Coverage {
        all: 100.0 * held as f64 / estimates,
        extremes: 50.0 * held_extremes as f64 / cups,
        half_width: width / estimates,
    }
}

/// Strengths in Elo, their mean 0.
fn strengths(cell: Cell, stream: &mut Stream) -> Vec<f64> {
    let normal = Normal::standard();
    let mut draw = || cell.spread * normal.inverse_cdf(stream.unit().max(f64::MIN_POSITIVE));
    let mut strengths: Vec<f64> = (0..cell.entrants).map(|_| draw()).collect();
    let mean = strengths.iter().sum::<f64>() / strengths.len() as f64;
    strengths.iter_mut().for_each(|strength| *strength -= mean);
    strengths
}

fn play(cell: Cell, strengths: &[f64], stream: &mut Stream) -> Vec<Encounter> {
    let mut encounters = Vec::new();
    for i in 0..strengths.len() {
        for j in 0..i {
            let expected = 1.0 / (1.0 + 10_f64.powf((strengths[j] - strengths[i]) / 400.0));
            let drawn = cell.draws.min(2.0 * expected.min(1.0 - expected));
            let won = expected - drawn / 2.0;
            // Half-points of a match, by a number in [0, 1).
            let half_points = |luck: f64| if luck < won { 2 } else { usize::from(luck < won + drawn) };
            let mut encounter = Encounter { players: [i, j], ..Encounter::default() };
            for _ in 0..cell.pairs {
                let luck = stream.unit();
                let other = if stream.unit() < cell.shared { 1.0 - luck } else { stream.unit() };
                encounter.pairs[half_points(luck) + half_points(other)] += 1;
            }
            encounters.push(encounter);
        }
    }
    encounters
}
