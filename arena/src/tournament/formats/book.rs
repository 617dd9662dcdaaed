//! What a format has planned so far, in the order of the schedule, and how it ended.
//!
//! It keeps whole pairs: both halves are planned together, and `a` is handed out before `b`. It decides nothing.

use crate::seat::Seat;
use crate::tournament::{Entrant, Field, Half, Pairing, Settled};
use std::collections::HashMap;

/// The field of a cup and the pairs that are planned.
pub(super) struct Book {
    pub(super) field: Field,
    pairs: Vec<Pair>,
    by_id: HashMap<String, usize>,
    /// Matches handed out or passed over, in the order of the schedule.
    handed_out: usize,
    settled: usize,
}

impl Book {
    pub(super) fn new(field: &Field) -> Book {
        Book { field: field.clone(), pairs: Vec::new(), by_id: HashMap::new(), handed_out: 0, settled: 0 }
    }

    /// The pairs that are planned, in the order of the schedule.
    pub(super) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// How many matches are planned.
    pub(super) fn matches(&self) -> u64 {
        2 * self.pairs.len() as u64
    }

    /// Whether every match that is planned has ended.
    pub(super) fn is_settled(&self) -> bool {
        self.settled == 2 * self.pairs.len()
    }

    /// Plans these pairs after all others.
    pub(super) fn plan(&mut self, pairs: Vec<Pair>) {
        for pair in pairs {
            let before = self.by_id.insert(pair.id.clone(), self.pairs.len());
            debug_assert!(before.is_none(), "{} is planned twice", pair.id);
            self.pairs.push(pair);
        }
    }

    /// The next match that is planned and neither handed out nor settled.
    pub(super) fn hand_out(&mut self) -> Option<Pairing> {
        loop {
            let pair = self.pairs.get(self.handed_out / 2)?;
            let half = [Half::First, Half::Second][self.handed_out % 2];
            self.handed_out += 1;
            if pair.ended[half as usize].is_none() {
                return Some(self.field.pairing(&pair.id, pair.round, pair.set, pair.players, half));
            }
        }
    }

    /// Notes how a match ended. The first word on it stands; a match that is not planned is none of ours.
    pub(super) fn settle(&mut self, id: &str, result: Settled, repeat: bool) {
        let (pair, half) = match (id.strip_suffix('a'), id.strip_suffix('b')) {
            (Some(pair), _) => (pair, Half::First),
            (_, Some(pair)) => (pair, Half::Second),
            _ => return,
        };
        let Some(&place) = self.by_id.get(pair) else { return };
        let ended = &mut self.pairs[place].ended[half as usize];
        if ended.is_none() {
            *ended = Some(Ended { result, repeat });
            self.settled += 1;
        }
    }
}

/// Two matches with the same seed and set, seats swapped, and how they ended.
pub(super) struct Pair {
    pub(super) id: String,
    pub(super) round: u32,
    pub(super) set: usize,
    /// Who sits in seats 0 and 1 of the first half.
    pub(super) players: [Entrant; 2],
    ended: [Option<Ended>; 2],
}

#[derive(Clone, Copy)]
struct Ended {
    result: Settled,
    repeat: bool,
}

impl Pair {
    /// The pair of this number where two meet once in a cup: its id does not carry the round. Who is named first, and sits
    /// first in the first half, follows from the names alone, so that entrants may be added, and change places in the cup file.
    pub(super) fn of_meeting(field: &Field, round: u32, set: usize, players: [Entrant; 2], number: u32) -> Pair {
        let mut players = players;
        players.sort_by_key(|&entrant| field.names[entrant].to_lowercase());
        Pair { id: field.pair_id(None, set, players, number), round, set, players, ended: [None; 2] }
    }

    /// The pair of this number in a round, where the same two may meet in another. The first of `players` begins.
    pub(super) fn of_round(field: &Field, round: u32, set: usize, players: [Entrant; 2], number: u32) -> Pair {
        Pair { id: field.pair_id(Some(round), set, players, number), round, set, players, ended: [None; 2] }
    }

    /// The half points of both players: 2 a win, 1 a draw, nothing for what is void or not played yet.
    pub(super) fn half_points(&self) -> [u32; 2] {
        let [first, second] = self.ended;
        let [one, other] = first.map_or([0; 2], |ended| seats_half_points(ended.result));
        let [other_too, one_too] = second.map_or([0; 2], |ended| seats_half_points(ended.result));
        [one + one_too, other + other_too]
    }

    /// The half points of both players (0 to 4) where both halves were played: one half alone says as much of the seats as
    /// of the players.
    pub(super) fn whole(&self) -> Option<[u32; 2]> {
        let played = self.ended.iter().all(|ended| ended.is_some_and(|ended| ended.result != Settled::Void));
        played.then(|| self.half_points())
    }

    /// The same where, besides, neither half is a repeat: one more observation.
    pub(super) fn news(&self) -> Option<[u32; 2]> {
        let new = !self.ended.iter().flatten().any(|ended| ended.repeat);
        self.whole().filter(|_| new)
    }
}

fn seats_half_points(result: Settled) -> [u32; 2] {
    match result {
        Settled::Won(Seat::First) => [2, 0],
        Settled::Won(Seat::Second) => [0, 2],
        Settled::Drawn => [1, 1],
        Settled::Void => [0, 0],
    }
}

/// Half points as people write points: `2½`.
pub(super) fn points(half_points: u32) -> String {
    match (half_points / 2, half_points % 2) {
        (0, 1) => "½".to_string(),
        (whole, 0) => whole.to_string(),
        (whole, _) => format!("{whole}½"),
    }
}
