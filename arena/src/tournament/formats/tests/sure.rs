//! SPRT and until-ranked: they stop when they are sure, err as rarely as they say, and let be what tells nothing new.

use super::super::likelihood::expected_score;
use super::{built, by_number, field, play, sprt, until_ranked};
use crate::seat::Seat;
use crate::seed::{self, Stream};
use crate::tournament::{Field, Format, Next, Pairing, Settled};

/// The entrants' leads over number 0 decide, by luck from the match's id; no draws.
fn by_elo(elo: &[f64], luck: u64) -> impl Fn(&Pairing) -> (Settled, bool) {
    move |pairing| {
        let lead = elo[pairing.seats[0]] - elo[pairing.seats[1]];
        let first = Stream::new(seed::of_text(luck, &pairing.id), "match").unit() < expected_score(lead);
        (Settled::Won(if first { Seat::First } else { Seat::Second }), false)
    }
}

/// Of so many tests with this true lead, how many accept elo1, and how many pairs they take in all.
fn tests(count: u64, lead: f64) -> (u64, usize) {
    let (mut accepted, mut pairs) = (0, 0);
    for luck in 0..count {
        let mut format = built(&sprt(150.0, 5000), &field(2));
        pairs += play(&mut *format, &by_elo(&[lead, 0.0], luck)).len() / 2;
        accepted += u64::from(format.remarks().iter().any(|remark| remark.starts_with("elo1 is accepted")));
    }
    (accepted, pairs)
}

#[test]
fn the_test_errs_about_as_rarely_as_it_says() {
    // 5 % of 200 is 10, give or take 3.
    let (accepted, pairs) = tests(200, 0.0);
    assert!(accepted <= 19, "{accepted} of 200 accept a lead that is not there");
    assert!(pairs < 200 * 40, "{pairs} pairs");
    let (accepted, pairs) = tests(200, 150.0);
    assert!(accepted >= 181, "only {accepted} of 200 see the lead");
    assert!(pairs < 200 * 40, "{pairs} pairs");
}

/// Sixteen matches at a time, of which those that the first entrant wins are over ten times as soon.
fn play_where_wins_are_quick(format: &mut dyn Format, ending: &dyn Fn(&Pairing) -> (Settled, bool)) -> Vec<Pairing> {
    let (mut now, mut running, mut played) = (0, Vec::new(), Vec::new());
    loop {
        let next = if running.len() < 16 { format.next() } else { Next::Wait };
        match next {
            Next::Play(pairing) => {
                let quick = ending(&pairing).0 == Settled::Won(Seat::BOTH[usize::from(pairing.seats[0] != 0)]);
                running.push((now + if quick { 1 } else { 10 }, pairing.clone()));
                played.push(pairing);
            }
            Next::Wait => {
                let first = (0..running.len()).min_by_key(|&place| running[place].0).expect("something runs");
                let (over, pairing) = running.remove(first);
                now = over;
                let (result, repeat) = ending(&pairing);
                format.settle(&pairing.id, result, repeat);
            }
            Next::Finished => return played,
        }
    }
}

#[test]
fn quick_wins_that_come_back_first_convince_nobody() {
    let mut accepted = 0;
    for luck in 0..40 {
        let (mut calm, mut hasty) = (built(&sprt(150.0, 5000), &field(2)), built(&sprt(150.0, 5000), &field(2)));
        let equal = by_elo(&[0.0, 0.0], luck);
        let played = play(&mut *calm, &equal);
        assert_eq!(play_where_wins_are_quick(&mut *hasty, &equal), played, "{luck}");
        assert_eq!(hasty.remarks(), calm.remarks(), "{luck}");
        accepted += u32::from(hasty.remarks().iter().any(|remark| remark.starts_with("elo1 is accepted")));
    }
    // 5 % of 40 is 2.
    assert!(accepted <= 6, "{accepted} of 40 accept a lead that is not there");
}

#[test]
fn the_first_entrant_is_the_one_whose_lead_is_tested_whatever_its_name() {
    for names in [["anna", "zoe"], ["zoe", "anna"]] {
        let field = Field { names: names.map(String::from).into(), ..field(2) };
        let mut format = built(&sprt(100.0, 5000), &field);
        let played = play(&mut *format, &by_number);
        assert_eq!(played[0].id, "anna+zoe+1a");
        let last = format!("elo1 is accepted: {} leads {} by 100 Elo rather than by 0", names[0], names[1]);
        assert_eq!(format.remarks().last(), Some(&last));
        assert_eq!(format.ranking(), Some(vec![vec![0], vec![1]]));
    }
}

#[test]
fn a_batch_is_planned_whole_and_decided_only_when_all_of_it_has_ended() {
    let mut format = built(&sprt(100.0, 5000), &field(2));
    let mut handed_out = Vec::new();
    while let Next::Play(pairing) = format.next() {
        handed_out.push(pairing);
    }
    assert_eq!(handed_out.len(), 16);
    let (last, others) = handed_out.split_last().expect("there are some");
    for pairing in others.iter().rev() {
        format.settle(&pairing.id, by_number(pairing).0, false);
        assert_eq!(format.next(), Next::Wait);
    }
    format.settle(&last.id, by_number(last).0, false);
    assert!(matches!(format.next(), Next::Play(pairing) if pairing.id == "bot0+bot1+9a" && pairing.round == 2));
}

#[test]
fn repeats_are_no_observations_and_end_the_test_when_nothing_else_comes() {
    let first_only = |pairing: &Pairing| (by_number(pairing).0, !pairing.id.starts_with("bot0+bot1+1"));
    let mut format = built(&sprt(100.0, 5000), &field(2));
    let played = play(&mut *format, &first_only);
    // Pairs 1 and 10 to 19 are new; then four batches of repeats follow on the one that had the last of them.
    assert_eq!(played.len(), 2 * (24 + 4 * 8));
    let remarks = format.remarks();
    assert!(remarks[0].ends_with("0, 0, 0, 0, 11"), "{remarks:?}");
    assert!(remarks[3].starts_with("undecided: the last 4 batches told nothing new"), "{remarks:?}");
    assert!(remarks[2].starts_with("45 pairs are no observation"), "{remarks:?}");
}

#[test]
fn a_test_without_a_decision_ends_at_its_bound() {
    let even =
        |pairing: &Pairing| (Settled::Won(if pairing.id.ends_with('a') { Seat::First } else { Seat::Second }), false);
    let mut format = built(&sprt(1.0, 20), &field(2));
    let sometimes =
        |pairing: &Pairing| if pairing.seed.is_multiple_of(2) { even(pairing) } else { (Settled::Drawn, false) };
    assert_eq!(play(&mut *format, &sometimes).len(), 40);
    assert!(format.remarks().iter().any(|it| it == "undecided after 20 pairs, which is the bound (`max_pairs`)"));
}

#[test]
fn a_budget_that_is_used_up_ends_both_at_the_end_of_the_batch() {
    for (plan, entrants) in [(sprt(1.0, 5000), 2), (until_ranked(5000), 4)] {
        let mut format = built(&plan, &field(entrants));
        let mut played = 0;
        while let Next::Play(pairing) = format.next() {
            format.settle(&pairing.id, Settled::Drawn, false);
            played += 1;
            if played == 20 {
                format.stop_planning();
            }
        }
        assert_eq!(format.next(), Next::Finished);
        // The opening of four is 6 pairs, then batches of 8.
        assert_eq!(played, if entrants == 2 { 32 } else { 28 }, "{plan:?}");
        assert!(format.remarks().iter().any(|remark| remark.ends_with("the budget was used up")), "{plan:?}");
    }
}

#[test]
fn clear_differences_are_ranked_with_fewer_matches_than_everybody_against_everybody() {
    let elo: Vec<f64> = (0..8).map(|number| 200.0 * f64::from(7 - number)).collect();
    let mut wrong = 0;
    for luck in 0..10 {
        let mut format = built(&until_ranked(20_000), &field(8));
        let played = play(&mut *format, &by_elo(&elo, luck));
        assert!(format.remarks()[0].ends_with("the order of each two neighbours is sure at 95 %"));
        let order: Vec<usize> = format.ranking().into_iter().flatten().flatten().collect();
        wrong += order.windows(2).filter(|two| two[0] > two[1]).count();
        // A round-robin that gives each two of these 20 pairs takes 1120 matches.
        assert!(played.len() < 1120, "{} matches", played.len());
    }
    assert!(wrong <= 7, "{wrong} of 70 neighbours are in the wrong order");
}

#[test]
fn equals_use_up_the_matches_and_are_named_while_the_others_are_told_apart() {
    let elo = [600.0, 300.0, 300.0, 0.0];
    let mut format = built(&until_ranked(1500), &field(4));
    let played = play(&mut *format, &by_elo(&elo, 3));
    assert_eq!(played.len(), 1500);
    let remarks = format.remarks();
    assert_eq!(remarks.len(), 2, "{remarks:?}");
    assert_eq!(remarks[0], "the 1500 matches that were allowed are used up");
    let named = ["bot1 and bot2", "bot2 and bot1"].map(|two| format!("the order of {two} is not sure at 95 %"));
    assert!(named.contains(&remarks[1]), "{remarks:?}");
    let between = |one, other| played.iter().filter(|it| it.seats.contains(&one) && it.seats.contains(&other)).count();
    assert!(between(1, 2) > 1000 && between(0, 3) < 10);
}

#[test]
fn entrants_who_only_repeat_themselves_are_let_be() {
    let mut format = built(&until_ranked(20_000), &field(3));
    let repeating =
        |pairing: &Pairing| (by_number(pairing).0, !pairing.id.contains("+1a") && !pairing.id.contains("+1b"));
    let played = play(&mut *format, &repeating);
    assert!(played.len() < 100, "{} matches", played.len());
    assert!(format.remarks()[0].contains("nothing new is to be expected"), "{:?}", format.remarks());
}

#[test]
fn equal_bots_are_hardly_ever_told_apart_however_often_one_looks() {
    let told_apart = (0..60).filter(|&luck| {
        let mut format = built(&until_ranked(400), &field(2));
        play(&mut *format, &by_elo(&[0.0, 0.0], luck));
        format.remarks()[0].contains("is sure")
    });
    // A confidence of 95 % in each direction: 6 of 60 at most in the long run, whatever the number of looks.
    assert!(told_apart.count() <= 6);
}
