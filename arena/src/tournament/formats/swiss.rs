//! A fixed number of rounds: in each everybody meets somebody of like points whom it has not met.
//!
//! Points are those of all matches (void ones count nowhere). With an odd field the lowest in the table that had none yet
//! has a bye, worth as much as winning all matches of a round. Within equal points the upper half, in the order of the cup
//! file, meets the lower half. Two meet again only where no pairing of the round goes without; a round looks one round
//! ahead, so that this hardly ever happens. The one that sat first less often begins.

use super::book::{Book, Pair};
use super::matching::{Met, largest_matching, pair_up, repeats_needed};
use super::stages::{Staged, Stages, ranked};
use crate::tournament::{Entrant, Field, Format, Round, RoundMeeting};
use std::cmp::Reverse;

pub(super) fn build(field: &Field, rounds: Option<u32>) -> Result<Box<dyn Format>, String> {
    let entrants = field.names.len();
    let most = entrants.next_multiple_of(2) as u32 - 1;
    let usual = (entrants.next_power_of_two().ilog2() + 1).min(most);
    let rounds = rounds.unwrap_or(usual);
    if rounds == 0 {
        return Err(format!(
            "swiss: `rounds` is 0, so nothing would be played: give 1 to {most}, or leave it out for {usual}"
        ));
    }
    if rounds > most {
        return Err(format!(
            "swiss: {rounds} rounds are too many for {entrants} entrants, who have all met after {most}: give at most \
             {most} rounds, or take round-robin with more `pairs`"
        ));
    }
    let swiss = Swiss {
        rounds,
        round: 0,
        met: Met::new(entrants),
        byes: vec![0; entrants],
        begun: vec![0; entrants],
        bye_in: Vec::new(),
        remarks: Vec::new(),
    };
    Ok(Staged::boxed(field, swiss))
}

struct Swiss {
    rounds: u32,
    round: u32,
    met: Met,
    byes: Vec<u32>,
    /// In how many rounds each sat first in the first half.
    begun: Vec<u32>,
    /// Who had the bye of each round.
    bye_in: Vec<Option<Entrant>>,
    remarks: Vec<String>,
}

impl Stages for Swiss {
    fn stage(&mut self, book: &Book) -> Vec<Pair> {
        if self.round == self.rounds {
            return Vec::new();
        }
        self.round += 1;
        let points = self.half_points(book);
        let mut table: Vec<Entrant> = (0..points.len()).collect();
        table.sort_by_key(|&entrant| (Reverse(points[entrant]), entrant));
        let (pairing, bye) = self.draw(&table, &points);
        self.bye_in.push(bye);
        if let Some(bye) = bye {
            self.byes[bye] += 1;
            self.remarks.push(format!("round {}: {} has a bye", self.round, book.field.names[bye]));
        }
        pairing.into_iter().flat_map(|players| self.seat(players, &book.field)).collect()
    }

    fn planned(&self, book: &Book) -> Option<u64> {
        let meetings = self.byes.len() as u64 / 2 * u64::from(self.rounds);
        Some(2 * meetings * u64::from(book.field.pairs) * book.field.sets.len() as u64)
    }

    /// By points, byes included, then by the sum of the points of those that were met (Buchholz), a bye counting as somebody
    /// with as many points as oneself.
    fn ranking(&self, book: &Book) -> Option<Vec<Vec<Entrant>>> {
        let points = self.half_points(book);
        let buchholz = |entrant: Entrant| {
            let met: u32 = points.iter().enumerate().map(|(other, it)| it * self.met.times(entrant, other)).sum();
            met + self.byes[entrant] * points[entrant]
        };
        Some(ranked(points.len(), |entrant| Reverse((points[entrant], buchholz(entrant)))))
    }

    fn remarks(&self, _book: &Book) -> Vec<String> {
        self.remarks.clone()
    }

    fn rounds(&self, book: &Book) -> Vec<Round> {
        let begun = |(bye, number): (&Option<Entrant>, u32)| Round {
            name: format!("round {number}"),
            number,
            meetings: Vec::new(),
            byes: bye.iter().copied().collect(),
            bye_half_points: worth_of_bye(&book.field),
        };
        let mut rounds: Vec<Round> = self.bye_in.iter().zip(1..).map(begun).collect();
        for pair in book.pairs() {
            let meetings = &mut rounds[pair.round() as usize - 1].meetings;
            let (players, [one, other]) = (pair.players(), pair.half_points());
            // The pairs of a meeting are planned one after the other.
            match meetings.last_mut().filter(|last| last.players == players) {
                Some(RoundMeeting { half_points, .. }) => {
                    half_points[0] += one;
                    half_points[1] += other;
                }
                None => meetings.push(RoundMeeting { players, half_points: [one, other], winner: None }),
            }
        }
        rounds
    }
}

/// Twice the points of a bye: as of winning all matches of a round.
fn worth_of_bye(field: &Field) -> u32 {
    4 * field.pairs * field.sets.len() as u32
}

impl Swiss {
    /// The half points of each so far, byes included.
    fn half_points(&self, book: &Book) -> Vec<u32> {
        let bye = worth_of_bye(&book.field);
        let mut points: Vec<u32> = self.byes.iter().map(|byes| byes * bye).collect();
        for pair in book.pairs() {
            for (player, more) in pair.players().into_iter().zip(pair.half_points()) {
                points[player] += more;
            }
        }
        points
    }

    /// Who meets whom, and who has the bye.
    fn draw(&self, table: &[Entrant], points: &[u32]) -> (Vec<[Entrant; 2]>, Option<Entrant>) {
        let mut first = None;
        for bye in self.byes_by_wish(table) {
            let players: Vec<Entrant> = table.iter().copied().filter(|&entrant| Some(entrant) != bye).collect();
            let accept = |pairing: &[[Entrant; 2]]| self.leaves_a_round(pairing, bye);
            let (pairing, liked) = pair_up(&players, &self.met, &|left| wishes(left, points), &accept);
            if liked {
                return (pairing, bye);
            }
            first.get_or_insert((pairing, bye));
        }
        first.expect("there is a bye to choose, or none for all")
    }

    /// Those who may have the bye, the lowest first: of those that had the fewest the ones that cost the fewest repeats.
    /// `None` alone where the field is even.
    fn byes_by_wish(&self, table: &[Entrant]) -> Vec<Option<Entrant>> {
        if table.len().is_multiple_of(2) {
            return vec![None];
        }
        let fewest = self.byes.iter().min().copied().unwrap_or(0);
        let repeats = |bye: Entrant| {
            let rest: Vec<Entrant> = table.iter().copied().filter(|&it| it != bye).collect();
            repeats_needed(&rest, &self.met)
        };
        let lowest_first = table.iter().rev().copied().filter(|&entrant| self.byes[entrant] == fewest);
        let costs: Vec<(Entrant, usize)> = lowest_first.map(|entrant| (entrant, repeats(entrant))).collect();
        let least = costs.iter().map(|&(_, cost)| cost).min().unwrap_or(0);
        costs.into_iter().filter(|&(_, cost)| cost == least).map(|(entrant, _)| Some(entrant)).collect()
    }

    /// Whether after this pairing there is a further round without a repeat, if there is to be one.
    fn leaves_a_round(&self, pairing: &[[Entrant; 2]], bye: Option<Entrant>) -> bool {
        let entrants = self.byes.len();
        let mut meets = vec![entrants; entrants];
        for &[one, other] in pairing {
            (meets[one], meets[other]) = (other, one);
        }
        // With an odd field the bye is one more node, which may be met once.
        let edge = |one: usize, other: usize| {
            let (low, high) = (one.min(other), one.max(other));
            if high == entrants {
                self.byes[low] == 0 && bye != Some(low)
            } else {
                self.met.times(low, high) == 0 && meets[low] != high
            }
        };
        let nodes = entrants.next_multiple_of(2);
        self.round == self.rounds || largest_matching(nodes, edge) == nodes / 2
    }

    /// The pairs of a meeting in this round.
    fn seat(&mut self, [one, other]: [Entrant; 2], field: &Field) -> Vec<Pair> {
        let again = self.met.times(one, other) > 0;
        if again {
            let [one, other] = [one, other].map(|entrant| &field.names[entrant]);
            self.remarks
                .push(format!("round {}: {one} and {other} meet again, as no pairing goes without", self.round));
        }
        let round_first = if self.round % 2 == 1 { one } else { other };
        let first = match self.begun[one].cmp(&self.begun[other]) {
            std::cmp::Ordering::Less => one,
            std::cmp::Ordering::Greater => other,
            std::cmp::Ordering::Equal => round_first,
        };
        let players = if first == one { [one, other] } else { [other, one] };
        self.met.note(players);
        self.begun[first] += 1;
        let round = self.round;
        let numbers = (1..=field.pairs).flat_map(|number| (0..field.sets.len()).map(move |set| (number, set)));
        numbers.map(|(number, set)| Pair::of_round(round, set, players, number)).collect()
    }
}

/// Whom the first of these (in the order of the table) would like to meet: those of its points half a group away, then
/// their neighbours, then those of fewer points from the top.
fn wishes(left: &[Entrant], points: &[u32]) -> Vec<Entrant> {
    let group = left.iter().take_while(|&&entrant| points[entrant] == points[left[0]]).count();
    let ideal = group / 2;
    let mut places: Vec<usize> = (1..left.len()).collect();
    places.sort_by_key(|&place| if place < group { (0, place.abs_diff(ideal)) } else { (1, place) });
    places.into_iter().map(|place| left[place]).collect()
}
