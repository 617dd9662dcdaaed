use super::*;

/// A cup's matches in short, for tests of what is made of them.
pub(crate) struct Cup {
    names: Vec<String>,
    pub(crate) tally: Tally,
    played: u32,
}

impl Cup {
    pub(crate) fn new(names: &[&str]) -> Cup {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        Cup { tally: Tally::new(&names, 2), names, played: 0 }
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Counts pairs of matches, a word a pair: what the first of the two got in seat 0, then in seat 1: `w`, `d`, `l`, and
    /// `v` for a void match.
    pub(crate) fn pairs(&mut self, one: &str, other: &str, pairs: &str) {
        for pair in pairs.split_whitespace() {
            self.played += 1;
            for (half, letter) in pair.chars().enumerate() {
                let seat = Seat::from_index(half as u64).expect("a pair has two halves");
                let bots = if half == 0 { [one, other] } else { [other, one] };
                let outcome = match letter {
                    'w' => RowOutcome::Won(seat),
                    'l' => RowOutcome::Won(seat.other()),
                    'd' => RowOutcome::Drawn,
                    _ => RowOutcome::Void,
                };
                self.tally.count(&row(bots, self.played, outcome), 0, None).expect("both are in the cup");
            }
        }
    }
}

pub(crate) fn row(bots: [&str; 2], pair: u32, outcome: RowOutcome) -> Row {
    Row {
        id: format!("{}+{}+{pair}a", bots[0], bots[1]),
        round: 1,
        game: "nim".to_string(),
        params: "{}".to_string(),
        seed: pair.into(),
        bots: bots.map(str::to_string),
        outcome,
        scores: match outcome {
            RowOutcome::Won(Seat::First) => [5, 3],
            RowOutcome::Won(Seat::Second) => [3, 5],
            _ => [4, 4],
        },
        reason: Reason::Finished,
        at_fault: None,
        turns: 5,
        duration_ms: 100,
        thinking_ms: [30, 20],
        longest_ms: [12, 11],
        transcript: String::new(),
    }
}

/// Three wins, two draws and one loss, the seats swapped after each match.
#[test]
fn each_side_sees_its_own_wins() {
    let mut cup = Cup::new(&["a", "b"]);
    cup.pairs("a", "b", "wl dw dw");
    let sheet = cup.tally.whole();
    let meeting = sheet.between(0, 1).expect("they have met");
    assert_eq!(meeting.results(), Results { won: 3, drawn: 2, lost: 1 });
    assert_eq!(meeting.by_seat, [Results { won: 1, drawn: 2, lost: 0 }, Results { won: 2, drawn: 0, lost: 1 }]);
    let other = sheet.between(1, 0).expect("they have met");
    assert_eq!(other.results(), Results { won: 1, drawn: 2, lost: 3 });
    assert_eq!(other.by_seat, [Results { won: 1, drawn: 0, lost: 2 }, Results { won: 0, drawn: 2, lost: 1 }]);
    assert_eq!((sheet.totals[0].results.points(), sheet.totals[1].results.points()), (4.0, 2.0));
    assert_eq!(meeting.encounter, Encounter { players: [0, 1], pairs: [0, 0, 1, 2, 0], singles: [0; 3] });
    assert_eq!(other.encounter, Encounter { players: [1, 0], pairs: [0, 2, 1, 0, 0], singles: [0; 3] });
}

#[test]
fn totals_are_sums_of_the_rows() {
    let mut cup = Cup::new(&["a", "b"]);
    let timeout = Row {
        reason: Reason::Timeout,
        at_fault: Some(Seat::Second),
        ..row(["b", "a"], 1, RowOutcome::Won(Seat::First))
    };
    let flood = Row { reason: Reason::Flood, ..timeout.clone() };
    let plain = row(["a", "b"], 2, RowOutcome::Drawn);
    for row in [&timeout, &flood, &plain] {
        assert_eq!(cup.tally.count(row, 0, None), Ok(Counted::Fresh));
    }
    let totals = cup.tally.whole().totals[0];
    assert_eq!((totals.scores_for, totals.scores_against), (10, 14));
    assert_eq!(totals.faults, Faults { timeout: 1, other: 1, ..Faults::default() });
    // Five turns: three of seat 0, two of seat 1; and in each match with a fault the one in which it ended.
    assert_eq!((totals.thinking_ms, totals.turns, totals.longest_ms), (70, 9, 12));
    assert!((totals.mean_ms() - 70.0 / 9.0).abs() < 1e-9);
}

/// What a forfeited request took is divided by that request too, whosever fault it was.
#[test]
fn the_mean_is_never_more_than_the_longest() {
    let mut cup = Cup::new(&["slow", "b"]);
    let timeout = |pair, turns, seat: Seat| Row {
        reason: Reason::Timeout,
        at_fault: Some(seat),
        turns,
        thinking_ms: [1010 * u64::from(turns.div_ceil(2) + 1 - turns % 2), 0],
        longest_ms: [1010, 0],
        ..row(["slow", "b"], pair, RowOutcome::Won(seat.other()))
    };
    for pair in 1..=74 {
        cup.tally.count(&timeout(pair, 0, Seat::First), 0, None).expect("both are in the cup");
    }
    cup.tally.count(&timeout(75, 2, Seat::First), 0, None).expect("both are in the cup");
    cup.tally.count(&timeout(76, 1, Seat::Second), 0, None).expect("both are in the cup");
    let totals = cup.tally.whole().totals;
    assert_eq!((totals[0].turns, totals[0].mean_ms()), (77, 1010.0));
    assert_eq!(totals[1].turns, 2, "one that was answered, and one that was not");
    let no_start = Row { reason: Reason::NoStart, ..timeout(77, 0, Seat::First) };
    cup.tally.count(&no_start, 0, None).expect("both are in the cup");
    assert_eq!(cup.tally.whole().totals[0].turns, 77, "who did not start was asked nothing");
}

#[test]
fn void_matches_count_nowhere() {
    let mut cup = Cup::new(&["a", "b"]);
    cup.pairs("a", "b", "wv vv");
    let sheet = cup.tally.whole();
    assert_eq!(sheet.totals[1].results.played(), 1);
    assert_eq!(sheet.encounters(), [Encounter { players: [0, 1], pairs: [0; 5], singles: [0, 0, 1] }]);
    assert_eq!(cup.tally.lone_halves(), 1);
}

#[test]
fn rows_may_come_in_any_order() {
    let rows: Vec<Row> = (0..20)
        .map(|number| {
            let bots = if number % 2 == 0 { ["a", "b"] } else { ["b", "a"] };
            let outcomes = [RowOutcome::Won(Seat::First), RowOutcome::Drawn, RowOutcome::Won(Seat::Second)];
            row(bots, number / 2, outcomes[(number as usize * 7) % 3])
        })
        .collect();
    let count = |rows: &mut dyn Iterator<Item = &Row>| {
        let mut cup = Cup::new(&["a", "b"]);
        rows.for_each(|row| assert_eq!(cup.tally.count(row, 0, None), Ok(Counted::Fresh)));
        cup.tally.whole()
    };
    let sheet = count(&mut rows.iter());
    assert_eq!(sheet.meetings[&[0, 1]].encounter.pairs.iter().sum::<u64>(), 10);
    assert_eq!(count(&mut rows.iter().rev()), sheet);
    assert_eq!(count(&mut rows.iter().step_by(2).chain(rows.iter().skip(1).step_by(2))), sheet);
}

/// Points count every match; what the ratings are made of counts a repeated one once.
#[test]
fn a_repeat_is_no_new_observation() {
    let observation = |row: &Row| u64::from(row.bots[0] == "a");
    let mut cup = Cup::new(&["a", "b"]);
    let counted: Vec<Counted> = (1..=4)
        .flat_map(|pair| {
            [row(["a", "b"], pair, RowOutcome::Won(Seat::First)), row(["b", "a"], pair, RowOutcome::Drawn)]
        })
        .map(|row| cup.tally.count(&row, 0, Some(observation(&row))).expect("both are in the cup"))
        .collect();
    assert_eq!(counted[..2], [Counted::Fresh; 2]);
    assert_eq!(counted[2..], [Counted::Repeat; 6]);
    let meeting = &cup.tally.whole().meetings[&[0, 1]];
    assert_eq!((meeting.results().played(), meeting.repeats), (8, 6));
    assert_eq!(meeting.encounter.pairs, [0, 0, 0, 1, 0]);
    assert_eq!(cup.tally.lone_halves(), 0);
}

#[test]
fn a_match_whose_other_half_was_a_repeat_is_not_one_whose_other_half_is_missing() {
    let rows = |pair| [row(["a", "b"], pair, RowOutcome::Drawn), row(["b", "a"], pair, RowOutcome::Drawn)];
    for repeat_first in [false, true] {
        let mut cup = Cup::new(&["a", "b"]);
        let mut count = |row: &Row, moves| cup.tally.count(row, 0, Some(moves)).expect("both are in the cup");
        let ([one, other], [half, repeat], [alone, _]) = (rows(1), rows(2), rows(3));
        assert_eq!((count(&one, 1), count(&other, 2)), (Counted::Fresh, Counted::Fresh));
        if repeat_first {
            assert_eq!((count(&repeat, 2), count(&half, 3)), (Counted::Repeat, Counted::Fresh));
        } else {
            assert_eq!((count(&half, 3), count(&repeat, 2)), (Counted::Fresh, Counted::Repeat));
        }
        assert_eq!(cup.tally.lone_halves(), 0);
        assert_eq!(
            cup.tally.whole().meetings[&[0, 1]].encounter.singles,
            [0, 1, 0],
            "it counts by itself all the same"
        );
        let mut count = |row: &Row, moves| cup.tally.count(row, 0, Some(moves)).expect("both are in the cup");
        count(&alone, 4);
        assert_eq!(cup.tally.lone_halves(), 1);
    }
}

#[test]
fn sets_are_counted_apart_and_together() {
    let mut cup = Cup::new(&["a", "b"]);
    let won = RowOutcome::Won(Seat::First);
    cup.tally.count(&row(["a", "b"], 1, won), 0, None).expect("both are in the cup");
    cup.tally.count(&row(["b", "a"], 1, won), 1, None).expect("both are in the cup");
    let results = |sheet: Sheet| sheet.totals[0].results;
    assert_eq!(results(cup.tally.of_set(0)), Results { won: 1, drawn: 0, lost: 0 });
    assert_eq!(results(cup.tally.of_set(1)), Results { won: 0, drawn: 0, lost: 1 });
    assert_eq!(results(cup.tally.whole()), Results { won: 1, drawn: 0, lost: 1 });
    assert_eq!(cup.tally.whole().meetings[&[0, 1]].encounter.singles, [1, 0, 1], "other parameters are no pair");
}

#[test]
fn a_stranger_is_named() {
    let mut cup = Cup::new(&["a", "b"]);
    let error = cup.tally.count(&row(["a", "zoe"], 1, RowOutcome::Drawn), 0, None).expect_err("zoe is not in the cup");
    assert!(error.to_string().contains("match a+zoe+1a was played by zoe, who is not in this cup"), "{error}");
    assert_eq!(cup.tally.whole().totals[0].results.played(), 0);
}

/// Bots may be called like a round or a set.
#[test]
fn a_row_tells_its_set() {
    let of = |id: &str, bots: [&str; 2]| set_of(&Row { id: id.to_string(), ..row(bots, 1, RowOutcome::Drawn) });
    assert_eq!(of("a+b+1a", ["a", "b"]), 0);
    assert_eq!(of("a+b+s3+12b", ["b", "a"]), 2);
    assert_eq!(of("r2+a+b+s2+1a", ["a", "b"]), 1);
    assert_eq!(of("r2+a+s2+1a", ["a", "s2"]), 0);
    assert_eq!(of("r2+a+s2+1a", ["r2", "a"]), 1);
    assert_eq!(of("final", ["a", "b"]), 0);
}
