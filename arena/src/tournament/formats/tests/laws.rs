//! What every format of the table keeps to.

use super::{BATCH, Ending, FORMATS, Plan, build, built, by_luck, field, last_word, plans, play};
use crate::seed::Stream;
use crate::tournament::{Field, Format, Next, Pairing, Settled};
use std::collections::{HashMap, HashSet};

/// Runs a law over all formats, fields and a few courses of luck.
fn for_all(law: impl Fn(&Plan, &Field, u64)) {
    for (plan, fields) in plans() {
        for field in fields {
            (0..4).for_each(|luck| law(&plan, &field, luck));
        }
    }
}

#[test]
fn the_table_has_every_format_once_with_a_line_about_it() {
    let ids: HashSet<&str> = FORMATS.iter().map(|info| info.id).collect();
    assert_eq!(ids.len(), FORMATS.len());
    assert!(FORMATS.iter().all(|info| !info.help.is_empty() && !info.help.contains('\n')));
    assert_eq!(
        plans().iter().map(|(plan, _)| plan.id()).collect::<Vec<_>>(),
        FORMATS.iter().map(|info| info.id).collect::<Vec<_>>()
    );
}

#[test]
fn matches_are_unique_and_come_in_pairs_with_the_same_start_and_swapped_seats() {
    for_all(|plan, field, luck| {
        let played = play(&mut *built(plan, field), &by_luck(luck));
        let ids: HashSet<&str> = played.iter().map(|pairing| pairing.id.as_str()).collect();
        assert_eq!(ids.len(), played.len(), "{plan:?}");
        assert_eq!(played.len() % 2, 0);
        for pair in played.chunks(2) {
            let [a, b] = pair else { unreachable!("an even number comes in twos") };
            assert_eq!(a.id.strip_suffix('a'), b.id.strip_suffix('b'));
            assert_eq!((a.round, a.set, a.seed), (b.round, b.set, b.seed), "{plan:?}");
            assert_eq!(a.seats, [b.seats[1], b.seats[0]]);
            assert!(a.seats[0] != a.seats[1] && a.set < field.sets.len() && a.round > 0);
        }
        assert!(played.is_sorted_by_key(|pairing| pairing.round), "{plan:?}");
    });
}

#[test]
fn different_pairs_have_different_seeds() {
    for_all(|plan, field, luck| {
        let played = play(&mut *built(plan, field), &by_luck(luck));
        let seeds: HashSet<u64> = played.iter().map(|pairing| pairing.seed).collect();
        assert_eq!(seeds.len(), played.len() / 2, "{plan:?}");
    });
}

#[test]
fn at_any_moment_everybody_has_sat_first_as_often_as_second_within_one() {
    for_all(|plan, field, luck| {
        let mut balance = vec![0_i32; field.names.len()];
        for pairing in play(&mut *built(plan, field), &by_luck(luck)) {
            balance[pairing.seats[0]] += 1;
            balance[pairing.seats[1]] -= 1;
            assert!(balance.iter().all(|it| it.abs() <= 1), "{plan:?}: {balance:?} after {}", pairing.id);
        }
    });
}

#[test]
fn settling_in_any_order_changes_nothing() {
    for_all(|plan, field, luck| {
        let mut straight = built(plan, field);
        let schedule = play(&mut *straight, &by_luck(luck));
        for jobs in [2, 3, 16, usize::MAX] {
            let mut format = built(plan, field);
            let handed_out = play_with_jobs(&mut *format, &by_luck(luck), jobs, &HashMap::new(), luck);
            assert_eq!(handed_out, schedule, "{plan:?} with {jobs} jobs");
            assert_eq!(last_word(&*format), last_word(&*straight));
        }
    });
}

#[test]
fn going_on_after_a_stop_at_any_match_is_as_if_there_had_been_none() {
    for_all(|plan, field, luck| {
        let mut straight = built(plan, field);
        let schedule = play(&mut *straight, &by_luck(luck));
        // Every cut of a short cup, and some of a long one; what was settled before it is there in any order.
        for cut in (0..=schedule.len()).step_by(schedule.len() / 40 + 1) {
            let kept: HashMap<&str, Ending> =
                schedule[..cut].iter().map(|pairing| (pairing.id.as_str(), by_luck(luck)(pairing))).collect();
            let mut format = built(plan, field);
            let handed_out = play_with_jobs(&mut *format, &by_luck(luck), 3, &kept, cut as u64);
            assert_eq!(handed_out, schedule, "{plan:?} cut after {cut}");
            assert_eq!(last_word(&*format), last_word(&*straight));
        }
    });
}

#[test]
fn a_stop_with_matches_missing_in_between_is_made_good() {
    for_all(|plan, field, luck| {
        let schedule = play(&mut *built(plan, field), &by_luck(luck));
        let mut stream = Stream::new(luck, "gaps");
        // Of the last few matches before the stop only some had ended.
        let cut = stream.below(schedule.len() as u64 + 1) as usize;
        let mut kept = HashMap::new();
        for (place, pairing) in schedule[..cut].iter().enumerate() {
            if place + 4 < cut || stream.below(2) == 0 {
                kept.insert(pairing.id.as_str(), by_luck(luck)(pairing));
            }
        }
        let handed_out = play_with_jobs(&mut *built(plan, field), &by_luck(luck), 4, &kept, luck);
        assert_eq!(handed_out, schedule, "{plan:?}");
    });
}

#[test]
fn a_cup_of_void_matches_comes_to_its_end_and_says_the_same_again() {
    for_all(|plan, field, _| {
        let mut format = built(plan, field);
        let played = play(&mut *format, &|_| (Settled::Void, false));
        assert!(!played.is_empty());
        assert_eq!(format.next(), Next::Finished);
        assert_eq!(format.planned(), Some(played.len() as u64), "{plan:?}");
    });
}

#[test]
fn where_the_number_of_matches_is_told_beforehand_it_is_right() {
    for_all(|plan, field, luck| {
        let mut format = built(plan, field);
        let told = format.planned();
        let played = play(&mut *format, &by_luck(luck)).len() as u64;
        assert!(told.is_none_or(|told| told == played), "{plan:?}: {told:?} told, {played} played");
    });
}

#[test]
fn a_ranking_names_everybody_once_at_any_moment() {
    for_all(|plan, field, luck| {
        let mut format = built(plan, field);
        loop {
            let mut named: Vec<usize> = format.ranking().into_iter().flatten().flatten().collect();
            named.sort_unstable();
            assert!(named.is_empty() || named == (0..field.names.len()).collect::<Vec<_>>(), "{plan:?}: {named:?}");
            let Next::Play(pairing) = format.next() else { break };
            let (result, repeat) = by_luck(luck)(&pairing);
            format.settle(&pairing.id, result, repeat);
        }
    });
}

#[test]
fn a_result_that_comes_twice_or_belongs_to_no_match_is_passed_over() {
    for_all(|plan, field, luck| {
        let schedule = play(&mut *built(plan, field), &by_luck(luck));
        let mut format = built(plan, field);
        let mut played = Vec::new();
        while let Next::Play(pairing) = format.next() {
            let (result, repeat) = by_luck(luck)(&pairing);
            format.settle(&pairing.id, result, repeat);
            format.settle(&pairing.id, Settled::Void, true);
            for stranger in ["", "a", "zoë", "bot0+bot1+99a"] {
                format.settle(stranger, Settled::Drawn, false);
            }
            played.push(pairing);
        }
        assert_eq!(played, schedule, "{plan:?}");
    });
}

#[test]
fn too_few_entrants_no_pairs_and_no_sets_are_refused_in_a_sentence() {
    for (plan, _) in plans() {
        let lonely = build(&plan, &field(1)).err().unwrap_or_default();
        assert_eq!(
            lonely,
            format!("{} needs at least two entrants, but there is only `bot0`: name more bots", plan.id())
        );
        assert!(build(&plan, &field(0)).is_err());
        let error = build(&plan, &Field { pairs: 0, ..field(2) }).err().unwrap_or_default();
        assert!(error.starts_with("`pairs` is 0"), "{error}");
        let error = build(&plan, &Field { sets: Vec::new(), ..field(2) }).err().unwrap_or_default();
        assert!(error.starts_with("there is no set of parameters"), "{error}");
    }
}

#[test]
fn settings_out_of_range_are_refused_in_a_sentence() {
    let sprt = |elo0, elo1, alpha, beta, batch, max_pairs| Plan::Sprt { elo0, elo1, alpha, beta, batch, max_pairs };
    let ranked = |confidence, batch, max_matches| Plan::UntilRanked { confidence, batch, max_matches };
    let cases = [
        (Plan::Gauntlet { challengers: vec![] }, 3, "gauntlet needs at least one challenger"),
        (Plan::Gauntlet { challengers: vec![3] }, 3, "gauntlet: challenger number 3 is not in the cup"),
        (Plan::Swiss { rounds: Some(0) }, 4, "swiss: `rounds` is 0"),
        (Plan::Swiss { rounds: Some(4) }, 4, "swiss: 4 rounds are too many for 4 entrants, who have all met after 3"),
        (Plan::Swiss { rounds: Some(6) }, 5, "swiss: 6 rounds are too many for 5 entrants, who have all met after 5"),
        (sprt(0.0, 20.0, 0.05, 0.05, BATCH, None), 3, "sprt compares two bots, but there are 3"),
        (sprt(20.0, 20.0, 0.05, 0.05, BATCH, None), 2, "sprt: `elo0` is 20 and `elo1` is 20"),
        (sprt(f64::NAN, 20.0, 0.05, 0.05, BATCH, None), 2, "sprt: a lead of NaN Elo is out of range"),
        (sprt(0.0, 20.0, 0.0, 0.05, BATCH, None), 2, "sprt: `alpha` is 0, but must be above 0"),
        (sprt(0.0, 20.0, 0.05, 0.5, BATCH, None), 2, "sprt: `beta` is 0.5, but must be above 0"),
        (sprt(0.0, 20.0, 0.05, 0.05, 0, None), 2, "sprt: `batch` is 0"),
        (sprt(0.0, 20.0, 0.05, 0.05, BATCH, Some(0)), 2, "sprt: `max_pairs` is 0"),
        (ranked(1.0, BATCH, None), 3, "until-ranked: `confidence` is 1, but must be above 0.5 and below 1"),
        (ranked(f64::NAN, BATCH, None), 3, "until-ranked: `confidence` is NaN"),
        (ranked(0.95, 0, None), 3, "until-ranked: `batch` is 0"),
        (ranked(0.95, BATCH, Some(1)), 3, "until-ranked: `max_matches` is 1, but a pair is two matches"),
    ];
    for (plan, entrants, beginning) in cases {
        let error = build(&plan, &field(entrants)).err().unwrap_or_default();
        assert!(error.starts_with(beginning), "{plan:?}: {error}");
    }
}

/// Plays a format with so many matches running at once, which end in a random order; those on record are settled as soon
/// as they are handed out. Tells what was handed out, in that order.
fn play_with_jobs(
    format: &mut dyn Format,
    ending: &dyn Fn(&Pairing) -> Ending,
    jobs: usize,
    on_record: &HashMap<&str, Ending>,
    luck: u64,
) -> Vec<Pairing> {
    let mut stream = Stream::new(luck, "order");
    let (mut handed_out, mut running) = (Vec::new(), Vec::new());
    loop {
        let next = if running.len() < jobs { format.next() } else { Next::Wait };
        match next {
            Next::Play(pairing) => {
                match on_record.get(pairing.id.as_str()) {
                    Some(&(result, repeat)) => format.settle(&pairing.id, result, repeat),
                    None => running.push(pairing.clone()),
                }
                handed_out.push(pairing);
            }
            Next::Wait => {
                assert!(!running.is_empty(), "there is nothing to wait for");
                let ended = running.swap_remove(stream.below(running.len() as u64) as usize);
                let (result, repeat) = ending(&ended);
                format.settle(&ended.id, result, repeat);
            }
            Next::Finished => return handed_out,
        }
    }
}
