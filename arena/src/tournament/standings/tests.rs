use super::*;
use crate::record::RowOutcome;
use crate::record::rows::Row;
use crate::seat::Seat;
use crate::tournament::crosstable::crosstable;
use crate::tournament::tally::tests::{Cup, row};

fn ranked(cup: &Cup, ranking: Option<&[Vec<Entrant>]>) -> Vec<(usize, String)> {
    let rows = standings(cup.names(), &cup.tally.whole(), ranking).rows;
    rows.into_iter().map(|row| (row.rank, row.bot)).collect()
}

#[track_caller]
fn assert_ranks(cup: &Cup, expected: &[(usize, &str)]) {
    let expected: Vec<(usize, String)> = expected.iter().map(|(rank, bot)| (*rank, bot.to_string())).collect();
    assert_eq!(ranked(cup, None), expected);
}

#[test]
fn points_come_first_then_the_matches_among_the_tied() {
    let mut cup = Cup::new(&["a", "b", "c"]);
    cup.pairs("a", "b", "ld");
    cup.pairs("a", "c", "ww");
    cup.pairs("b", "c", "wl");
    // a and b have 2½ points each, and b took 1½ from a.
    assert_ranks(&cup, &[(1, "b"), (2, "a"), (3, "c")]);
}

#[test]
fn then_it_counts_whose_points_were_taken() {
    let mut cup = Cup::new(&["a", "b", "c", "d"]);
    cup.pairs("a", "b", "dd");
    cup.pairs("a", "c", "ll");
    cup.pairs("a", "d", "ww");
    cup.pairs("b", "c", "ww");
    cup.pairs("b", "d", "ll");
    cup.pairs("c", "d", "ww");
    // a and b have 3 points and drew; a beat d (2 points) twice, b beat c (4 points) twice.
    assert_ranks(&cup, &[(1, "c"), (2, "b"), (3, "a"), (4, "d")]);
}

#[test]
fn who_is_equal_in_all_has_the_same_rank() {
    let mut cup = Cup::new(&["a", "b", "c"]);
    cup.pairs("a", "b", "wl");
    cup.pairs("b", "c", "ww");
    cup.pairs("a", "c", "ww");
    assert_ranks(&cup, &[(1, "a"), (1, "b"), (3, "c")]);
    assert_ranks(&Cup::new(&["x", "y"]), &[(1, "x"), (1, "y")]);
}

#[test]
fn the_formats_own_order_goes_before_points() {
    let mut cup = Cup::new(&["a", "b", "c", "d"]);
    cup.pairs("a", "b", "ww");
    cup.pairs("d", "a", "wd");
    let order = [vec![3], vec![2, 1]];
    let expected = [(1, "d"), (2, "b"), (2, "c"), (4, "a")].map(|(rank, bot)| (rank, bot.to_string()));
    assert_eq!(ranked(&cup, Some(&order)), expected);
}

#[test]
fn the_csv_has_every_column_and_no_number_that_is_none() {
    let mut cup = Cup::new(&["a", "b", "idle"]);
    cup.pairs("a", "b", "ww");
    let table = standings(cup.names(), &cup.tally.whole(), None).table();
    let text = String::from_utf8(table.to_csv()).expect("it is UTF-8");
    let lines: Vec<&str> = text.split_terminator("\r\n").collect();
    assert_eq!(
        lines[0],
        "rank,bot,played,won,drawn,lost,points,score_pct,scores_for,scores_against,elo,elo_low,elo_high,\
         illegal,malformed,timeout,crashed,other_faults,mean_ms,max_ms"
    );
    assert!(
        lines[1].starts_with("1,a,2,2,0,0,2,100.0,10,6,") && lines[1].ends_with(",0,0,0,0,0,10.0,12"),
        "{}",
        lines[1]
    );
    assert_eq!(lines[3], "2,idle,0,0,0,0,0,,0,0,,,,0,0,0,0,0,0.0,0", "no match, no Elo");
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    for line in &lines[1..3] {
        let elo: Vec<f64> = line.split(',').skip(10).take(3).map(|cell| cell.parse().expect("a number")).collect();
        assert!(elo[1] < elo[0] && elo[0] < elo[2], "{line}");
    }
}

#[test]
fn a_perfect_score_and_an_idle_bot_are_spoken_of() {
    let mut cup = Cup::new(&["a", "b", "c", "idle"]);
    cup.pairs("a", "b", "ww ww");
    cup.pairs("a", "c", "ww");
    cup.pairs("b", "c", "wl");
    let remarks = standings(cup.names(), &cup.tally.whole(), None).remarks().join("\n");
    assert!(remarks.contains("Bradley–Terry") && remarks.contains("95 %"), "{remarks}");
    assert!(remarks.contains("a: lost no point to the rest of the field"), "{remarks}");
    assert!(remarks.contains("idle: too few matches"), "{remarks}");
    assert!(!remarks.contains("b, c: "), "{remarks}");
}

#[test]
fn the_likelihood_of_superiority_is_that_over_the_next_one() {
    let mut cup = Cup::new(&["weak", "strong", "equal"]);
    let many = |pair: &str, count: usize| vec![pair; count].join(" ");
    cup.pairs("strong", "weak", &many("wd", 40));
    cup.pairs("strong", "equal", &many("wl", 40));
    cup.pairs("equal", "weak", &many("wd", 40));
    let rows = standings(cup.names(), &cup.tally.whole(), None).rows;
    assert_eq!((rows[0].rank, rows[1].rank, rows[2].bot.as_str()), (1, 1, "weak"));
    assert!(rows[0].superior.is_some_and(|superior| (superior - 0.5).abs() < 1e-6), "{:?}", rows[0].superior);
    assert!(rows[1].superior > Some(0.99));
    assert_eq!(rows[2].superior, None);
}

#[test]
fn too_many_repeats_are_warned_of() {
    let mut cup = Cup::new(&["a", "b", "c"]);
    let mut play = |bots: [&str; 2], pair: u32, moves: u64| {
        let row: Row = row(bots, pair, RowOutcome::Won(Seat::First));
        cup.tally.count(&row, 0, Some(moves)).expect("both are in the cup");
    };
    for pair in 0..5 {
        play(["a", "b"], pair, 1);
        play(["b", "a"], pair, 2);
        play(["a", "c"], pair, u64::from(10 + pair / 2));
    }
    let (notes, warnings) = (notes(&cup.tally).join("\n"), warnings(&cup.tally).join("\n"));
    assert!(notes.contains("10 of 15 matches repeat another one move for move"), "{notes}");
    assert!(!warnings.contains("10 of 15"), "how many there were is no warning\n{warnings}");
    assert!(
        warnings.contains("a and b: 8 of 10 matches are repeats") && warnings.contains("`opening = 4`"),
        "{warnings}"
    );
    assert!(!warnings.contains("a and c"), "{warnings}");
    assert!(notes.contains("3 matches are observations by themselves"), "{notes}");
}

#[test]
fn the_cross_table_is_labelled_and_goes_by_rank() {
    let mut cup = Cup::new(&["b", "a", "c"]);
    cup.pairs("a", "b", "wl dw dw");
    cup.pairs("a", "c", "ww");
    let sheet = cup.tally.whole();
    let table = crosstable(&standings(cup.names(), &sheet, None), &sheet);
    assert_eq!(table.bots, ["a", "b", "c"]);
    assert_eq!(table.cells[1][2], None, "b and c have not met");
    let text = String::from_utf8(table.table().to_csv()).expect("it is UTF-8");
    let lines: Vec<&str> = text.split_terminator("\r\n").collect();
    assert_eq!(lines[1], "a,b,6,3,2,1,4,66.7,1,2,0,2,0,1,0");
    assert_eq!(lines[3], "b,a,6,1,2,3,2,33.3,1,0,2,0,2,1,0");
    assert_eq!(lines.len(), 5);
}
