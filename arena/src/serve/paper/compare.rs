//! Two lists of rules, each against the same opponent in the same matches: which of them does better, if that can be told.

use super::bot::{Paper, SEAT, STOPS};
use crate::clock::Clock;
use crate::game::OPENING;
use crate::game::Params;
use crate::play::{MatchPlan, play_match, those_who_can_play_again};
use crate::record::{Everyone, PlayerRecord};
use crate::seat::BySeat;
use crate::serve::refusal::Refusal;
use crate::table::{Table, Thinking};
use crate::transport::{Interrupt, Program};
use serde::{Deserialize, Serialize};
use statrs::statistics::Statistics;
use std::time::Duration;

/// So many matches a list may be asked for.
const MATCHES: std::ops::RangeInclusive<u64> = 1..=400;

/// So many moves are drawn by lot at the beginning of each match, the same for both lists: programs that always do the same would else play
/// one match over and over.
const DRAWN: u64 = 4;

/// So many standard errors a difference has to be away from nothing before it is told as one: chance alone goes so far once in twenty times.
const SURE: f64 = 2.0;

/// What the page asks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    a: Vec<String>,
    b: Vec<String>,
    against: String,
    /// For each list.
    matches: u64,
}

/// How a list did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Record {
    won: u64,
    drawn: u64,
    lost: u64,
    /// The mean of its points at the end, and of its opponent's.
    mean: [f64; 2],
    /// Each match, in order: 2 for won, 1 for drawn, 0 for lost.
    #[serde(skip)]
    points: Vec<u8>,
}

/// How both did.
#[derive(Debug, Serialize)]
pub(super) struct Compared {
    a: Record,
    b: Record,
    /// What it means.
    says: String,
}

/// What was asked, where it can be played.
pub(super) struct Comparison {
    a: Program,
    b: Program,
    are_same: bool,
    rival: Program,
    matches: u64,
}

impl Comparison {
    /// Checks what is asked.
    ///
    /// # Errors
    /// It cannot be played; why.
    pub fn of(paper: &Paper, asked: Asked) -> Result<Comparison, Refusal> {
        let Asked { a, b, against, matches } = asked;
        if let Some(why) = paper.refusal(&a).or_else(|| paper.refusal(&b)) {
            return Err(Refusal::wrong(why));
        }
        if !MATCHES.contains(&matches) {
            let (least, most) = (MATCHES.start(), MATCHES.end());
            return Err(Refusal::wrong(format!("{matches} matches cannot be played: ask for {least} to {most}")));
        }
        let rival = paper.opponent(&against).map_err(Refusal::wrong)?.clone();
        Ok(Comparison { are_same: a == b, a: paper.with_rules(&a), b: paper.with_rules(&b), rival, matches })
    }

    /// Plays all matches of both lists, or fewer where nobody waits for them any more.
    ///
    /// # Errors
    /// A bot does not play; why.
    pub fn play(&self, paper: &Paper, nobody_waits: &Interrupt) -> Result<Compared, Refusal> {
        let play = |program| series(paper, program, &self.rival, self.matches, nobody_waits).map_err(Refusal::ours);
        let (a, b) = (play(&self.a)?, play(&self.b)?);
        let says = if self.are_same { "Both lists are the same.".to_string() } else { verdict(&a, &b) };
        Ok(Compared { a, b, says })
    }
}

/// The matches of one list; match after match with the same processes.
fn series(
    paper: &Paper,
    program: &Program,
    rival: &Program,
    matches: u64,
    nobody_waits: &Interrupt,
) -> Result<Record, String> {
    let (mut points, mut scores) = (Vec::new(), [Vec::new(), Vec::new()]);
    let mut kept = BySeat([None, None]);
    for seed in 0..matches {
        if paper.is_stopping() {
            return Err(STOPS.to_string());
        }
        let BySeat([first, second]) = kept;
        let seat = |chair, program| match chair {
            Some(chair) => Ok(chair),
            None => paper.seat(program),
        };
        let chairs = BySeat([seat(first, program)?, seat(second, rival)?]);
        let plan = plan(paper, seed)?;
        let mut table = Table::new(chairs, Thinking::Any, nobody_waits.clone());
        let closing = play_match(&plan, &mut table, &mut Everyone(Vec::new())).map_err(|error| error.to_string())?;
        kept = those_who_can_play_again(table.into_chairs(), plan.clock.stop).map_err(|error| error.to_string())?;
        let verdict = closing.verdict;
        if !verdict.reason.is_by_rules() {
            return Err(verdict.detail.unwrap_or_else(|| verdict.reason.as_str().to_string()));
        }
        points.push(verdict.winner.map_or(1, |winner| if winner == SEAT { 2 } else { 0 }));
        for (all, score) in scores.iter_mut().zip(verdict.scores) {
            all.push(score as f64);
        }
    }
    for (chair, program) in kept.0.into_iter().zip([program, rival]) {
        if let Some(chair) = chair {
            paper.keep(program, chair);
        }
    }
    let count = |wanted| points.iter().filter(|&&found| found == wanted).count() as u64;
    let (won, drawn, lost) = (count(2), count(1), count(0));
    let mean = scores.map(|all| (10.0 * all.mean()).round() / 10.0);
    Ok(Record { won, drawn, lost, mean, points })
}

fn plan(paper: &Paper, seed: u64) -> Result<MatchPlan, String> {
    let mut params = Params::new();
    if paper.game.params().iter().any(|param| param.name == OPENING.name) {
        params.insert(OPENING.name.to_string(), DRAWN.into());
    }
    let clock = Clock { per_move: Some(Duration::from_secs(10)), ..Clock::default() };
    let player = |name: &str| PlayerRecord { name: name.to_string(), ..PlayerRecord::default() };
    let (id, players) = (format!("comparison-{seed}"), [player("first"), player("second")]);
    let started = paper.game.start(&params, seed).map_err(|error| error.to_string())?;
    Ok(MatchPlan {
        thinking: Thinking::Any,
        isolation: paper.host().in_force(),
        keep: BySeat([true; 2]),
        ..MatchPlan::of(id, paper.game, started, seed, clock, players)
    })
}

/// Whether the first list did better, in a sentence.
fn verdict(a: &Record, b: &Record) -> String {
    let matches = a.points.len();
    let differences: Vec<f64> = a.points.iter().zip(&b.points).map(|(a, b)| f64::from(*a) - f64::from(*b)).collect();
    let mean = (&differences).mean();
    let error = (&differences).std_dev() / (matches as f64).sqrt();
    let won = format!("it won {} of {matches} matches, with the other list {}", a.won, b.won);
    // A handful of matches that all went one way prove nothing.
    if mean.abs() <= SURE * error || matches < 10 || mean == 0.0 {
        return format!(
            "Nobody can tell whether the Paper did better with this list: {won}. That may be chance; more matches may tell."
        );
    }
    format!("The Paper did {} with this list: {won}.", if mean > 0.0 { "better" } else { "worse" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(points: &[u8]) -> Record {
        let won = points.iter().filter(|&&points| points == 2).count() as u64;
        Record { won, points: points.to_vec(), ..Record::default() }
    }

    #[test]
    fn a_difference_is_told_only_beyond_chance() {
        let says = |a: &[u8], b: &[u8]| verdict(&record(a), &record(b));
        let (all, none) = ([2; 20], [0; 20]);
        assert_eq!(
            says(&all, &none),
            "The Paper did better with this list: it won 20 of 20 matches, with the other list 0."
        );
        assert!(says(&none, &all).starts_with("The Paper did worse with this list: it won 0 of 20"));
        assert!(says(&[2; 3], &[0; 3]).starts_with("Nobody can tell"));
        assert!(says(&all, &all).starts_with("Nobody can tell"));
        let mut close = none;
        close[..2].fill(2);
        assert!(says(&close, &none).starts_with("Nobody can tell"), "two of twenty are chance");
        close[..8].fill(2);
        assert!(says(&close, &none).starts_with("The Paper did better"));
    }
}
