use super::*;
use crate::tournament::standings::standings;
use crate::tournament::tally::tests::Cup;

fn graded(rule: Option<PassRule>) -> Vec<Grade> {
    let mut cup = Cup::new(&["random", "best", "second", "third", "shared"]);
    cup.pairs("best", "random", "ww");
    cup.pairs("best", "second", "wd");
    cup.pairs("second", "random", "wd");
    cup.pairs("third", "random", "ld");
    cup.pairs("third", "second", "wl");
    cup.pairs("shared", "third", "ww");
    let authors: Vec<Vec<String>> = [&[][..], &["ann"], &["bob"], &["ann"], &["bob", "cy"]]
        .iter()
        .map(|ids| ids.iter().map(|id| id.to_string()).collect())
        .collect();
    let sheet = cup.tally.whole();
    grades(&standings(cup.names(), &sheet, None), &sheet, &authors, rule)
}

#[test]
fn an_author_has_one_row_that_of_the_best_bot() {
    let grades = graded(None);
    let rows: Vec<(&str, &str, usize)> =
        grades.iter().map(|grade| (grade.author.as_str(), grade.standing.bot.as_str(), grade.standing.rank)).collect();
    // second has 3 points, shared 2, as random has, by more: bob's best is second, and cy has only what is shared.
    assert_eq!(rows, [("ann", "best", 1), ("bob", "second", 2), ("cy", "shared", 4)]);
    let beaten: Vec<Option<&str>> = grades.iter().map(|grade| grade.best_beaten.as_deref()).collect();
    assert_eq!(beaten, [Some("second"), Some("random"), Some("third")]);
}

#[test]
fn the_pass_mark_is_told_only_where_there_is_one() {
    let passed = |rule| graded(rule).iter().map(|grade| grade.passed).collect::<Vec<_>>();
    assert_eq!(passed(None), [None; 3]);
    // 100 % and 75 % against random; cy's bot has not met it.
    let against_random = |pct| Some(PassRule { against: Some(0), pct });
    assert_eq!(passed(against_random(75.0)), [Some(true), Some(true), Some(false)]);
    assert_eq!(passed(against_random(75.5)), [Some(true), Some(false), Some(false)]);
    assert_eq!(passed(Some(PassRule { against: None, pct: 60.0 })), [Some(true), Some(false), Some(true)]);
}

#[test]
fn the_csv_has_a_row_an_author() {
    let table = grades_table(&graded(Some(PassRule { against: Some(0), pct: 75.0 })));
    let text = String::from_utf8(table.to_csv()).expect("it is UTF-8");
    let lines: Vec<&str> = text.split_terminator("\r\n").collect();
    assert_eq!(
        lines[0],
        "author,bot,rank,points,played,won,score_pct,illegal,malformed,timeout,crashed,best_beaten,passed"
    );
    assert_eq!(lines[1], "ann,best,1,3.5,4,3,87.5,0,0,0,0,second,yes");
    assert_eq!(lines[3], "cy,shared,4,2,2,2,100.0,0,0,0,0,third,no");
    let without = String::from_utf8(grades_table(&graded(None)).to_csv()).expect("it is UTF-8");
    assert!(without.contains(",second,\r\n"), "{without}");
}
