//! Who loses a tie is out. Seeded in the order of the cup file; where the field does not fill the bracket the highest seeds
//! go on from the first round without playing.

use super::book::{Book, Pair};
use super::heat::Heat;
use super::stages::{Staged, Stages, ranked};
use super::ties::Ties;
use crate::tournament::{Entrant, Field, Format, Round};
use std::cmp::Reverse;

pub(super) fn build(field: &Field) -> Box<dyn Format> {
    let entrants = field.names.len();
    let knockout = Knockout {
        heat: None,
        ties: Ties::default(),
        past: Vec::new(),
        round: 0,
        rounds: entrants.next_power_of_two().ilog2(),
        lost_in: vec![None; entrants],
        remarks: Vec::new(),
    };
    Staged::boxed(field, knockout)
}

struct Knockout {
    heat: Option<Heat>,
    ties: Ties,
    /// The ties of the rounds before.
    past: Vec<Ties>,
    round: u32,
    rounds: u32,
    /// The round in which each was beaten.
    lost_in: Vec<Option<u32>>,
    remarks: Vec<String>,
}

impl Stages for Knockout {
    fn stage(&mut self, book: &Book) -> Vec<Pair> {
        let pairs = self.ties.play(book, &mut self.remarks);
        if !pairs.is_empty() {
            return pairs;
        }
        let heat = match &self.heat {
            None => Heat::seeded(book.field.names.len()),
            Some(heat) => {
                let (winners, losers) = heat.outcome(|entrant| self.ties.has_won(entrant));
                losers.into_iter().flatten().for_each(|loser| self.lost_in[loser] = Some(self.round));
                Heat::neighbours(&winners)
            }
        };
        if self.round == self.rounds {
            return Vec::new();
        }
        self.begin(heat, book)
    }

    fn planned(&self, _book: &Book) -> Option<u64> {
        None
    }

    fn ranking(&self, _book: &Book) -> Option<Vec<Vec<Entrant>>> {
        // Who is still in comes before all who are out.
        let reached = |entrant: Entrant| self.lost_in[entrant].unwrap_or(u32::MAX);
        Some(ranked(self.lost_in.len(), |entrant| Reverse(reached(entrant))))
    }

    fn remarks(&self, _book: &Book) -> Vec<String> {
        self.remarks.clone()
    }

    fn rounds(&self, book: &Book) -> Vec<Round> {
        self.past.iter().chain([&self.ties]).flat_map(|ties| ties.rounds(book)).collect()
    }
}

impl Knockout {
    /// The next round.
    fn begin(&mut self, heat: Heat, book: &Book) -> Vec<Pair> {
        self.round += 1;
        let name = if self.round == self.rounds { "final".to_string() } else { format!("round {}", self.round) };
        for bye in heat.byes() {
            self.remarks.push(format!("{name}: {} has a bye", book.field.names[bye]));
        }
        let ties = heat.ties().into_iter().map(|players| (name.clone(), players)).collect();
        let byes = heat.byes().into_iter().map(|bye| (name.clone(), bye)).collect();
        self.past.push(std::mem::replace(&mut self.ties, Ties::new(self.round, ties, byes)));
        self.heat = Some(heat);
        self.ties.play(book, &mut self.remarks)
    }
}
