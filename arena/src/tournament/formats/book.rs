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
    /// How many matches are handed out, in the order of the schedule.
    handed_out: usize,
    /// Those of them that have not ended: the place of each among all matches.
    running: HashMap<String, usize>,
}

impl Book {
    pub(super) fn new(field: &Field) -> Book {
        Book { field: field.clone(), pairs: Vec::new(), handed_out: 0, running: HashMap::new() }
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
        self.running.is_empty() && self.handed_out == 2 * self.pairs.len()
    }

    /// Plans these pairs after all others.
    pub(super) fn plan(&mut self, pairs: Vec<Pair>) {
        self.pairs.extend(pairs);
    }

    /// The next match that is planned and not handed out.
    pub(super) fn hand_out(&mut self) -> Option<Pairing> {
        let pair = self.pairs.get(self.handed_out / 2)?;
        let pairing = pair.half(&self.field, [Half::First, Half::Second][self.handed_out % 2]);
        let before = self.running.insert(pairing.id.clone(), self.handed_out);
        debug_assert!(before.is_none(), "{} is planned twice", pairing.id);
        self.handed_out += 1;
        Some(pairing)
    }

    /// Notes how a match ended. The first word on it stands; a match that is not handed out is none of ours.
    pub(super) fn settle(&mut self, id: &str, result: Settled, repeat: bool) {
        if let Some(place) = self.running.remove(id) {
            self.pairs[place / 2].ended[place % 2] = Some(Ended { result, repeat });
        }
    }
}

/// Two matches with the same seed and set, seats swapped, and how they ended. Small, as there may be many.
pub(super) struct Pair {
    round: u32,
    set: u32,
    number: u32,
    players: [u32; 2],
    /// Whether its id carries the round.
    in_round: bool,
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
        Pair { in_round: false, ..Pair::of_round(round, set, players, number) }
    }

    /// The pair of this number in a round, where the same two may meet in another. The first of `players` begins.
    pub(super) fn of_round(round: u32, set: usize, players: [Entrant; 2], number: u32) -> Pair {
        let small = |number: usize| u32::try_from(number).expect("fields and grids have less than 2^32 entries");
        Pair { round, set: small(set), number, players: players.map(small), in_round: true, ended: [None; 2] }
    }

    /// Who sits in seats 0 and 1 of the first half.
    pub(super) fn players(&self) -> [Entrant; 2] {
        self.players.map(|player| player as Entrant)
    }

    /// The round that it belongs to.
    pub(super) fn round(&self) -> u32 {
        self.round
    }

    /// One of the two matches.
    pub(super) fn half(&self, field: &Field, half: Half) -> Pairing {
        let (set, players) = (self.set as usize, self.players());
        let id = field.pair_id(self.in_round.then_some(self.round), set, players, self.number);
        field.pairing(&id, self.round, set, players, half)
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
