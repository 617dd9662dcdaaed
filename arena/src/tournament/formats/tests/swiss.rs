//! Swiss: no second bye before all have had one, nobody met twice while another pairing is possible, likes against likes.

use super::super::matching::largest_matching;
use super::{Plan, built, by_luck, by_number, field, play};
use crate::seed::Stream;
use crate::tournament::Pairing;
use std::collections::{BTreeMap, BTreeSet};

fn rounds(played: &[Pairing]) -> Vec<BTreeSet<[usize; 2]>> {
    let mut rounds: BTreeMap<u32, BTreeSet<[usize; 2]>> = BTreeMap::new();
    for pairing in played {
        let [one, other] = pairing.seats;
        rounds.entry(pairing.round).or_default().insert([one.min(other), one.max(other)]);
    }
    rounds.into_values().collect()
}

#[test]
fn in_every_number_of_rounds_byes_are_spread_and_repeats_are_avoided() {
    for entrants in 2..=9_usize {
        let most = entrants.next_multiple_of(2) as u32 - 1;
        for count in 1..=most {
            for luck in 0..12 {
                let mut format = built(&Plan::Swiss { rounds: Some(count) }, &field(entrants));
                let rounds = rounds(&play(&mut *format, &by_luck(luck)));
                assert_eq!(rounds.len() as u32, count);
                check_rounds(entrants, &rounds);
            }
        }
    }
}

fn check_rounds(entrants: usize, rounds: &[BTreeSet<[usize; 2]>]) {
    let mut met: BTreeSet<[usize; 2]> = BTreeSet::new();
    let mut byes = BTreeSet::new();
    for round in rounds {
        let playing: BTreeSet<usize> = round.iter().flatten().copied().collect();
        assert_eq!((round.len(), playing.len()), (entrants / 2, entrants / 2 * 2));
        let bye = (0..entrants).find(|entrant| !playing.contains(entrant));
        let repeats = round.intersection(&met).count();
        if repeats > 0 {
            let may_rest = |entrant: &usize| !byes.contains(entrant);
            let rests: Vec<Option<usize>> = if entrants.is_multiple_of(2) {
                vec![None]
            } else {
                (0..entrants).filter(may_rest).map(Some).collect()
            };
            let possible = |rest: &Option<usize>| {
                let fresh = |one: usize, other: usize| {
                    ![Some(one), Some(other)].contains(rest) && !met.contains(&[one.min(other), one.max(other)])
                };
                largest_matching(entrants, fresh) == entrants / 2
            };
            assert!(!rests.iter().any(possible), "{entrants}: {round:?} repeats without need after {met:?}");
        }
        met.extend(round);
        assert!(bye.is_none_or(|bye| byes.insert(bye)), "{entrants}: a second bye before all had one");
    }
}

#[test]
fn the_usual_number_of_rounds_needs_no_repeat() {
    for entrants in 2..=24 {
        for luck in 0..8 {
            let mut format = built(&Plan::Swiss { rounds: None }, &field(entrants));
            let rounds = rounds(&play(&mut *format, &by_luck(luck)));
            let met: BTreeSet<_> = rounds.iter().flatten().collect();
            assert_eq!(met.len(), rounds.len() * (entrants / 2), "{entrants} entrants");
            assert!(format.remarks().iter().all(|remark| remark.ends_with("has a bye")));
        }
    }
}

#[test]
fn the_first_round_sets_the_upper_half_against_the_lower_and_winners_meet_winners() {
    let mut format = built(&Plan::Swiss { rounds: Some(2) }, &field(8));
    let rounds = rounds(&play(&mut *format, &by_number));
    assert_eq!(rounds[0], BTreeSet::from([[0, 4], [1, 5], [2, 6], [3, 7]]));
    assert_eq!(rounds[1], BTreeSet::from([[0, 2], [1, 3], [4, 6], [5, 7]]));
}

#[test]
fn a_bye_goes_to_the_lowest_and_counts_as_a_round_won() {
    let mut format = built(&Plan::Swiss { rounds: None }, &field(5));
    play(&mut *format, &by_number);
    assert_eq!(format.remarks()[0], "round 1: bot4 has a bye");
    // 0 beats everybody it meets; 4 loses to everybody, but has one round for nothing.
    let ranking = format.ranking().expect("swiss ranks");
    assert_eq!(ranking[0], [0]);
    let mut rounds_won = vec![0; 5];
    let mut again = built(&Plan::Swiss { rounds: None }, &field(5));
    for pairing in play(&mut *again, &by_number) {
        rounds_won[pairing.seats[0].min(pairing.seats[1])] += 1;
    }
    for remark in format.remarks() {
        let name = remark.split(' ').nth(2).expect("a remark names the one with the bye");
        rounds_won[name.trim_start_matches("bot").parse::<usize>().expect("a number")] += 2;
    }
    let order: Vec<usize> = ranking.into_iter().flatten().collect();
    assert!(order.is_sorted_by_key(|&entrant| -rounds_won[entrant]), "{order:?} {rounds_won:?}");
}

#[test]
fn who_begins_is_spread_over_the_rounds() {
    for luck in 0..10 {
        let mut begun = [0_i32; 8];
        for pairing in play(&mut *built(&Plan::Swiss { rounds: Some(5) }, &field(8)), &by_luck(luck)) {
            if pairing.id.ends_with('a') {
                begun[pairing.seats[0]] += 1;
                begun[pairing.seats[1]] -= 1;
            }
        }
        assert!(begun.iter().all(|it| it.abs() <= 3), "{begun:?}");
    }
}

#[test]
fn a_large_field_is_paired_in_no_time() {
    let mut format = built(&Plan::Swiss { rounds: None }, &field(100));
    let rounds = rounds(&play(&mut *format, &by_luck(3)));
    assert_eq!(rounds.len(), 8);
    check_rounds(100, &rounds);
}

#[test]
fn a_largest_matching_is_as_large_as_trying_everything_finds() {
    for luck in 0..300 {
        let mut stream = Stream::new(luck, "graph");
        let nodes = 2 + stream.below(8) as usize;
        let density = stream.unit();
        let joined: Vec<bool> = (0..nodes * nodes).map(|_| stream.unit() < density).collect();
        let edge = |one: usize, other: usize| joined[one.min(other) * nodes + one.max(other)];
        let tried = try_everything(&edge, &(0..nodes).collect::<Vec<_>>());
        assert_eq!(largest_matching(nodes, edge), tried, "{nodes} nodes, luck {luck}");
    }
}

fn try_everything(edge: &dyn Fn(usize, usize) -> bool, left: &[usize]) -> usize {
    let Some((&node, rest)) = left.split_first() else { return 0 };
    let with = rest.iter().filter(|&&other| edge(node, other)).map(|&other| {
        let others: Vec<usize> = rest.iter().copied().filter(|&it| it != other).collect();
        1 + try_everything(edge, &others)
    });
    with.max().unwrap_or(0).max(try_everything(edge, rest))
}
