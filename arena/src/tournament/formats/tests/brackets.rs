//! Knockout and double elimination: who goes on, who has a bye, and how a level tie ends.

use super::super::ties::FURTHER_PAIRS;
use super::{Plan, built, by_luck, by_number, field, play};
use crate::seat::Seat;
use crate::tournament::{Field, Pairing, Settled};
use std::collections::{HashMap, HashSet};

/// Who met in each round, the lower number first.
fn ties(played: &[Pairing]) -> Vec<(u32, [usize; 2])> {
    let mut ties = Vec::new();
    for pairing in played {
        let mut players = pairing.seats;
        players.sort_unstable();
        if !ties.contains(&(pairing.round, players)) {
            ties.push((pairing.round, players));
        }
    }
    ties
}

#[test]
fn a_knockout_is_seeded_in_the_order_of_the_cup_file() {
    let mut format = built(&Plan::Knockout, &field(8));
    let played = play(&mut *format, &by_number);
    let expected = [(1, [0, 7]), (1, [3, 4]), (1, [1, 6]), (1, [2, 5]), (2, [0, 3]), (2, [1, 2]), (3, [0, 1])];
    assert_eq!(ties(&played), expected);
    assert_eq!(format.ranking(), Some(vec![vec![0], vec![1], vec![2, 3], vec![4, 5, 6, 7]]));
    assert_eq!(format.remarks().last().map(String::as_str), Some("final: bot0 beat bot1 2 : 0"));
    assert_eq!(played[0].id, "r1+bot0+bot7+1a");
}

#[test]
fn byes_go_to_the_highest_seeds_and_the_top_two_meet_only_in_the_final() {
    for entrants in 2..=20_usize {
        let mut format = built(&Plan::Knockout, &field(entrants));
        let ties = ties(&play(&mut *format, &by_number));
        assert_eq!(ties.len(), entrants - 1);
        let byes = entrants.next_power_of_two() - entrants;
        let in_first: HashSet<usize> = ties.iter().filter(|(round, _)| *round == 1).flat_map(|(_, two)| *two).collect();
        assert!((0..byes).all(|seed| !in_first.contains(&seed)), "{entrants}: {in_first:?}");
        assert_eq!(in_first.len(), entrants - byes);
        assert_eq!(format.remarks().iter().filter(|remark| remark.contains("has a bye")).count(), byes);
        assert_eq!(ties.last().map(|(_, two)| *two), Some([0, 1]));
    }
}

#[test]
fn a_level_tie_is_played_on_and_then_decided_by_the_seed() {
    let drawn = |_: &Pairing| (Settled::Drawn, false);
    let mut winners = HashSet::new();
    for seed in 0..20 {
        let field = Field { seed, pairs: 2, ..field(2) };
        let mut format = built(&Plan::Knockout, &field);
        assert_eq!(play(&mut *format, &drawn).len() as u32, 2 * (2 + FURTHER_PAIRS));
        let winner = format.ranking().expect("a knockout ranks")[0][0];
        let remark = format!(
            "final: bot{winner} and bot{} were level at 10 : 10 after 8 further pairs; the cup's seed takes bot{winner}",
            1 - winner
        );
        assert_eq!(format.remarks(), [remark]);
        let mut again = built(&Plan::Knockout, &field);
        play(&mut *again, &drawn);
        assert_eq!(again.ranking(), format.ranking());
        winners.insert(winner);
    }
    assert_eq!(winners.len(), 2, "the seed favours nobody");
}

#[test]
fn a_further_pair_decides_a_level_tie() {
    let ending =
        |pairing: &Pairing| if pairing.id.contains("+3") { by_number(pairing) } else { (Settled::Drawn, false) };
    let mut format = built(&Plan::Knockout, &field(2));
    assert_eq!(play(&mut *format, &ending).len(), 6);
    assert_eq!(format.remarks(), ["final: bot0 beat bot1 4 : 2 after 2 further pairs"]);
}

#[test]
fn a_pair_with_a_void_half_decides_no_tie() {
    let ending = |pairing: &Pairing| match pairing.id.as_str() {
        "r1+bot0+bot1+1a" => (Settled::Won(Seat::Second), false),
        "r1+bot0+bot1+1b" => (Settled::Void, false),
        _ => by_number(pairing),
    };
    let mut format = built(&Plan::Knockout, &field(2));
    play(&mut *format, &ending);
    assert_eq!(format.remarks(), ["final: bot0 beat bot1 2 : 0 after a further pair"]);
}

#[test]
fn double_elimination_puts_out_whoever_lost_twice() {
    for entrants in 2..=17 {
        for luck in 0..6 {
            let mut format = built(&Plan::DoubleElimination, &field(entrants));
            let ties = ties(&play(&mut *format, &by_luck(luck)));
            let ranking = format.ranking().expect("a bracket ranks");
            let losses = losses(&format.remarks());
            assert!(ranking[0].len() == 1 && ranking[1].len() == 1, "{ranking:?}");
            let champion = ranking[0][0];
            for entrant in 0..entrants {
                let lost = losses.get(&format!("bot{entrant}")).copied().unwrap_or(0);
                assert!(
                    if entrant == champion { lost <= 1 } else { lost == 2 },
                    "bot{entrant} lost {lost} of {entrants}"
                );
            }
            let again = usize::from(losses.contains_key(&format!("bot{champion}")));
            assert_eq!(ties.len(), 2 * (entrants - 1) + again, "{entrants} entrants");
        }
    }
}

/// How many ties each lost, by the remarks.
fn losses(remarks: &[String]) -> HashMap<String, u32> {
    let mut losses = HashMap::new();
    for remark in remarks.iter().filter(|remark| !remark.ends_with("has a bye")) {
        let words: Vec<&str> = remark.split(": ").nth(1).unwrap_or_default().split(' ').collect();
        let (one, other) = (words[0], words[2]);
        let loser = if words[1] == "beat" || remark.ends_with(&format!("takes {one}")) { other } else { one };
        *losses.entry(loser.to_string()).or_default() += 1;
    }
    losses
}

#[test]
fn the_grand_final_is_played_again_only_if_the_unbeaten_one_loses_it() {
    let mut straight = built(&Plan::DoubleElimination, &field(4));
    play(&mut *straight, &by_number);
    assert_eq!(straight.ranking(), Some(vec![vec![0], vec![1], vec![2], vec![3]]));
    assert_eq!(straight.remarks().last().map(String::as_str), Some("round 4, grand final: bot0 beat bot1 2 : 0"));

    // From the fourth round on the numbers turn around.
    let upset = |pairing: &Pairing| {
        let favourite = by_number(pairing);
        match favourite.0 {
            Settled::Won(seat) if pairing.round == 4 => (Settled::Won(seat.other()), false),
            _ => favourite,
        }
    };
    let mut again = built(&Plan::DoubleElimination, &field(4));
    play(&mut *again, &upset);
    let remarks = again.remarks();
    assert_eq!(
        remarks[remarks.len() - 2..],
        ["round 4, grand final: bot1 beat bot0 2 : 0", "round 5, grand final again: bot0 beat bot1 2 : 0"]
    );
    assert_eq!(again.ranking().map(|ranking| ranking[0].clone()), Some(vec![0]));
}

#[test]
fn a_bracket_that_is_under_way_ranks_those_who_are_in_before_those_who_are_out() {
    let mut format = built(&Plan::Knockout, &field(4));
    for _ in 0..5 {
        if let crate::tournament::Next::Play(pairing) = format.next() {
            format.settle(&pairing.id, by_number(&pairing).0, false);
        }
    }
    assert_eq!(format.ranking(), Some(vec![vec![0, 1], vec![2, 3]]));
}
