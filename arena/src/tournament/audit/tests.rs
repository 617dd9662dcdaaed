use super::is_void_attempt_of;
use super::table::{CROSSTABLE, STANDINGS, differences};

const TABLE: &str = "rank,bot,points,elo\r\n1,a,3,20.1\r\n2,b,1,-20.1\r\n";

fn found(table: &str) -> Vec<String> {
    differences(&STANDINGS, table.as_bytes(), TABLE.as_bytes())
}

#[test]
fn a_table_holds_when_it_says_the_same_whatever_ends_its_lines() {
    assert_eq!(found(TABLE), [""; 0]);
    assert_eq!(found(&TABLE.replace("\r\n", "\n")), [""; 0]);
    assert_eq!(found(&TABLE.replace("20.1\r\n2", "20.2\r\n2")), [""; 0], "arithmetic may round another way");
}

#[test]
fn what_a_table_says_otherwise_is_named_with_line_and_bot() {
    assert_eq!(found(&TABLE.replace(",1,", ",2,")), ["standings.csv:3: b: `points` is \"2\", but the rows give \"1\""]);
    assert_eq!(found(&TABLE.replace("20.1\r\n2", "21\r\n2")).len(), 1);
    assert_eq!(
        found(&TABLE.replace("2,b,1,-20.1\r\n", "")),
        ["standings.csv: has 1 rows, but the rows of matches.csv give 2"]
    );
    assert_eq!(found(&TABLE.replace("points", "won")), ["standings.csv:1: the head is not rank,bot,points,elo"]);
    assert_eq!(found(&TABLE.replace("1,a,3,", "1,a,")), ["standings.csv:2: has 3 cells, not 4"]);
    assert_eq!(found(""), ["standings.csv: the file is empty"]);
}

#[test]
fn of_a_cross_table_both_names_are_told() {
    let table = "bot,opponent,points\r\na,b,3\r\nb,a,1\r\n";
    let found = differences(&CROSSTABLE, table.replace("a,1", "a,2").as_bytes(), table.as_bytes());
    assert_eq!(found, ["crosstable.csv:3: b against a: `points` is \"2\", but the rows give \"1\""]);
}

#[test]
fn a_void_attempt_is_told_from_another_matchs() {
    assert!(is_void_attempt_of("a+b+1a.void2", "a+b+1a"));
    for other in ["a+b+1a", "a+b+1b.void2", "a+b+1a.void", "a+b+1a.voidx"] {
        assert!(!is_void_attempt_of(other, "a+b+1a"), "{other}");
    }
}
