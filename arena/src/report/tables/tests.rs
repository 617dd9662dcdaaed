use super::*;
use crate::tournament::crosstable::crosstable;
use crate::tournament::standings::standings;
use crate::tournament::tally::tests::Cup;

fn cup() -> Cup {
    let mut cup = Cup::new(&["paper", "a-rather-long-name", "c", "idle"]);
    cup.pairs("paper", "a-rather-long-name", "wl dw dw");
    cup.pairs("paper", "c", "ww ww");
    cup.pairs("a-rather-long-name", "c", "wd");
    cup
}

#[test]
fn standings_are_aligned() {
    let cup = cup();
    let text = standings_text(&standings(cup.names(), &cup.tally.whole(), None), &[], usize::MAX);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5);
    assert!(lines[0].starts_with("rank  bot                 points  played  won  drawn  lost   score   Elo"), "{text}");
    assert!(lines[1].starts_with("   1  paper                    8      10    7      2     1  80.0 %   2"), "{text}");
    assert_eq!(lines[4], "   4  idle                     0       0    0      0     0", "no match, no Elo");
    let end = |line: &str, word: &str| line.find(word).map(|at| line[..at].chars().count() + word.chars().count());
    assert_eq!(end(lines[0], "beats next"), Some(lines[1].chars().count()), "{text}");
}

#[test]
fn standings_fit_a_narrow_terminal() {
    let cup = cup();
    let table = standings(cup.names(), &cup.tally.whole(), None);
    let widest = |columns| {
        let text = standings_text(&table, &[], columns);
        (text.lines().map(|line| line.chars().count()).max(), text.lines().next().map(str::to_string))
    };
    let whole = widest(usize::MAX).0.expect("there are lines");
    assert_eq!(widest(whole), widest(usize::MAX));
    for columns in [whole - 1, 80, 60, 50] {
        let (width, headings) = widest(columns);
        assert!(width <= Some(columns), "{columns}: {width:?}");
        let headings = headings.expect("there are lines");
        assert!(["rank", "bot", "points", "Elo"].iter().all(|heading| headings.contains(heading)), "{headings}");
    }
}

#[test]
fn the_points_of_byes_stand_beside_those_of_matches() {
    let cup = cup();
    let by_format = [vec![3], vec![0], vec![1, 2]];
    let table = standings(cup.names(), &cup.tally.whole(), Some(&by_format));
    for columns in [usize::MAX, 50] {
        let text = standings_text(&table, &[4, 0, 0, 18], columns);
        let words =
            |line: &str, count| line.split_whitespace().take(count).map(str::to_string).collect::<Vec<String>>();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(words(lines[0], 5), ["rank", "bot", "points", "byes", "played"], "{text}");
        assert_eq!(words(lines[1], 5), ["1", "idle", "0", "+9", "0"], "{text}");
        assert_eq!(words(lines[2], 5), ["2", "paper", "8", "+2", "10"], "{text}");
        assert_eq!(words(lines[3], 4), ["3", "a-rather-long-name", "3.5", "8"], "{text}");
    }
    assert_eq!(standings_text(&table, &[0; 4], 80), standings_text(&table, &[], 80), "no column where there are none");
}

#[test]
fn the_cross_table_has_numbered_columns() {
    let cup = cup();
    let sheet = cup.tally.whole();
    let text = crosstable_text(&crosstable(&standings(cup.names(), &sheet, None), &sheet));
    let expected = [
        "   bot                   1      2      3  4",
        "1  paper                      4/6    4/4  -",
        "2  a-rather-long-name  2/6         1.5/2  -",
        "3  c                   0/4  0.5/2         -",
        "4  idle                  -      -      -",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
}
