//! Round-robin and gauntlet: who meets whom, in which order, and what stays when a cup grows.

use super::{Plan, built, by_luck, field, play};
use crate::game::Params;
use crate::tournament::{Field, Pairing};
use std::collections::{HashMap, HashSet};

/// How often each two play each other, the lower number first.
fn meetings(played: &[Pairing]) -> HashMap<[usize; 2], u32> {
    let mut meetings = HashMap::new();
    for pairing in played {
        let mut players = pairing.seats;
        players.sort_unstable();
        *meetings.entry(players).or_default() += 1;
    }
    meetings
}

fn schedule(plan: &Plan, field: &Field) -> Vec<Pairing> {
    play(&mut *built(plan, field), &by_luck(1))
}

#[test]
fn in_a_round_robin_each_two_meet_in_every_pair_and_set() {
    for entrants in 2..10 {
        let field = Field { pairs: 3, sets: vec![Params::new(); 2], ..field(entrants) };
        let meetings = meetings(&schedule(&Plan::RoundRobin, &field));
        assert_eq!(meetings.len(), entrants * (entrants - 1) / 2);
        assert!(meetings.values().all(|&matches| matches == 2 * 3 * 2));
    }
}

#[test]
fn wherever_a_round_robin_is_interrupted_all_have_played_nearly_as_much() {
    for entrants in 2..10 {
        let mut played = vec![0_u32; entrants];
        for pair in schedule(&Plan::RoundRobin, &Field { pairs: 3, ..field(entrants) }).chunks(2) {
            pair.iter().flat_map(|pairing| pairing.seats).for_each(|entrant| played[entrant] += 1);
            let (most, least) = (played.iter().max(), played.iter().min());
            // Two matches a pair; with an odd field one rests in each round.
            let leeway = if entrants.is_multiple_of(2) { 2 } else { 4 };
            assert!(most <= least.map(|least| least + leeway).as_ref(), "{entrants}: {played:?}");
        }
    }
}

#[test]
fn a_small_round_robin_reads_like_this() {
    let ids: Vec<String> = schedule(&Plan::RoundRobin, &field(3)).into_iter().map(|pairing| pairing.id).collect();
    assert_eq!(ids, ["bot1+bot2+1a", "bot1+bot2+1b", "bot0+bot2+1a", "bot0+bot2+1b", "bot0+bot1+1a", "bot0+bot1+1b"]);
}

#[test]
fn more_entrants_anywhere_and_more_pairs_leave_what_was_played_as_it_was() {
    let small = Field { names: ["mine", "Paper", "greedy"].map(String::from).into(), pairs: 2, ..field(0) };
    let names = ["new", "greedy", "mine", "another", "Paper", "zoo"].map(String::from).into();
    let large = Field { names, pairs: 5, ..small.clone() };
    let gauntlet = |challengers| Plan::Gauntlet { challengers };
    let cases = [(Plan::RoundRobin, Plan::RoundRobin), (gauntlet(vec![0]), gauntlet(vec![2, 0]))];
    for (before, after) in cases {
        let before: HashSet<_> = schedule(&before, &small).iter().map(|it| by_names(it, &small)).collect();
        let after: HashSet<_> = schedule(&after, &large).iter().map(|it| by_names(it, &large)).collect();
        assert!(before.is_subset(&after), "{before:?} {after:?}");
        assert!(before.len() < after.len());
    }
}

fn by_names(pairing: &Pairing, field: &Field) -> (String, u32, usize, u64, [String; 2]) {
    let names = pairing.seats.map(|entrant| field.names[entrant].clone());
    (pairing.id.clone(), pairing.round, pairing.set, pairing.seed, names)
}

#[test]
fn in_a_gauntlet_challengers_meet_everybody_and_one_another_once() {
    let plan = Plan::Gauntlet { challengers: vec![4, 1, 4] };
    let meetings = meetings(&schedule(&plan, &field(6)));
    let expected = [[0, 1], [1, 2], [1, 3], [1, 4], [1, 5], [0, 4], [2, 4], [3, 4], [4, 5]];
    assert_eq!(meetings, expected.map(|players| (players, 2)).into());
}
