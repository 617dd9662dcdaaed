//! Who has lost two ties is out. A knockout, the winners' bracket, whose losers play on in the losers' bracket; the
//! winners of both meet in the grand final, which is played again if it is the first loss of the one from the winners'.
//!
//! After the first round each round of the winners' bracket goes with two of the losers': first its members among
//! themselves, then against those who have just come down, crossed so that few meet again soon.

use super::book::{Book, Pair};
use super::heat::{Heat, Place};
use super::stages::{Staged, Stages, ranked};
use super::ties::Ties;
use crate::tournament::{Entrant, Field, Format, Round};
use std::cmp::Reverse;

pub(super) fn build(field: &Field) -> Box<dyn Format> {
    let entrants = field.names.len();
    let brackets = DoubleElimination {
        phase: Phase::Before,
        winners: Heat::seeded(entrants),
        losers: Heat::default(),
        waiting: Vec::new(),
        ties: Ties::default(),
        past: Vec::new(),
        round: 0,
        out_in: vec![None; entrants],
        remarks: Vec::new(),
    };
    Staged::boxed(field, brackets)
}

/// What is being played.
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    /// Nothing yet.
    Before,
    /// A round of the winners' bracket, and those of the losers' bracket among themselves.
    Both,
    /// The losers' bracket against those who came down.
    Down,
    GrandFinal,
    Again,
    Over,
}

struct DoubleElimination {
    phase: Phase,
    winners: Heat,
    losers: Heat,
    /// Those of the winners' bracket who wait while the losers' bracket plays.
    waiting: Vec<Place>,
    ties: Ties,
    /// The ties of the rounds before.
    past: Vec<Ties>,
    round: u32,
    /// The round in which each was beaten for good.
    out_in: Vec<Option<u32>>,
    remarks: Vec<String>,
}

impl Stages for DoubleElimination {
    fn stage(&mut self, book: &Book) -> Vec<Pair> {
        loop {
            let pairs = self.ties.play(book, &mut self.remarks);
            if !pairs.is_empty() {
                return pairs;
            }
            self.go_on();
            if self.phase == Phase::Over {
                return Vec::new();
            }
            self.begin_round(&book.field);
        }
    }

    fn planned(&self, _book: &Book) -> Option<u64> {
        None
    }

    fn ranking(&self, _book: &Book) -> Option<Vec<Vec<Entrant>>> {
        // Who is still in comes before all who are out.
        let reached = |entrant: Entrant| self.out_in[entrant].unwrap_or(u32::MAX);
        Some(ranked(self.out_in.len(), |entrant| Reverse(reached(entrant))))
    }

    fn remarks(&self, _book: &Book) -> Vec<String> {
        self.remarks.clone()
    }

    fn rounds(&self, book: &Book) -> Vec<Round> {
        self.past.iter().chain([&self.ties]).flat_map(|ties| ties.rounds(book)).collect()
    }
}

impl DoubleElimination {
    /// From one round to the next: who faces whom in it.
    fn go_on(&mut self) {
        let (winners, come_down) = self.winners.outcome(|entrant| self.ties.has_won(entrant));
        let (survivors, out) = self.losers.outcome(|entrant| self.ties.has_won(entrant));
        self.are_out(out);
        match self.phase {
            Phase::Before => self.phase = Phase::Both,
            // The first round has no losers beside it: its own begin the losers' bracket.
            Phase::Both if survivors.is_empty() => self.pair_both(&winners, &come_down),
            Phase::Both => {
                self.phase = Phase::Down;
                self.winners = Heat::default();
                self.losers = Heat::rows(&survivors, &crossed(come_down));
                self.waiting = winners;
            }
            Phase::Down => {
                let winners = std::mem::take(&mut self.waiting);
                self.pair_both(&winners, &survivors);
            }
            // Whoever came from the losers' bracket sits in the second place, and has lost once already.
            Phase::GrandFinal if self.winners.seconds() == winners => self.phase = Phase::Again,
            Phase::GrandFinal | Phase::Again | Phase::Over => {
                self.are_out(come_down);
                self.phase = Phase::Over;
            }
        }
    }

    /// The next round of both brackets, or the grand final when one is left in each.
    fn pair_both(&mut self, winners: &[Place], losers: &[Place]) {
        if winners.len() == 1 {
            self.phase = Phase::GrandFinal;
            self.winners = Heat::rows(winners, losers);
            self.losers = Heat::default();
        } else {
            self.phase = Phase::Both;
            self.winners = Heat::neighbours(winners);
            self.losers = Heat::neighbours(losers);
        }
    }

    fn are_out(&mut self, places: Vec<Place>) {
        places.into_iter().flatten().for_each(|entrant| self.out_in[entrant] = Some(self.round));
    }

    /// Sets up the ties of what is to be played now. A round in which nobody has to play has no number.
    fn begin_round(&mut self, field: &Field) {
        let round = self.round + 1;
        let winners = match self.phase {
            Phase::GrandFinal => format!("round {round}, grand final"),
            Phase::Again => format!("round {round}, grand final again"),
            _ => format!("round {round}, winners' bracket"),
        };
        let brackets = [(winners, &self.winners), (format!("round {round}, losers' bracket"), &self.losers)];
        let (mut ties, mut byes) = (Vec::new(), Vec::new());
        for (name, heat) in &brackets {
            ties.extend(heat.ties().into_iter().map(|players| (name.clone(), players)));
        }
        if !ties.is_empty() {
            self.round = round;
            for (name, heat) in &brackets {
                byes.extend(heat.byes().into_iter().map(|entrant| (name.clone(), entrant)));
            }
            let told = byes.iter().map(|(name, bye)| format!("{name}: {} has a bye", field.names[*bye]));
            self.remarks.extend(told);
        }
        self.past.push(std::mem::replace(&mut self.ties, Ties::new(self.round, ties, byes)));
    }
}

/// Those who come down, in another order than those they meet, and in another one each time: so that few meet again soon.
fn crossed(mut places: Vec<Place>) -> Vec<Place> {
    if places.len().ilog2().is_multiple_of(2) {
        let half = places.len() / 2;
        places.rotate_left(half);
    } else {
        places.reverse();
    }
    places
}
