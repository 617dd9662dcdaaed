//! What is said of a cup that is to go on, and has changed.

use super::super::Ground;
use crate::config::{Change, differences};

const BEFORE: &str = "name = \"spring\"\ngame = \"othello\"\npairs = 4\nseed = 1\njobs = 1\n[clock]\nmove = \"1s\"\n[params]\n\
                      size = 6\n[[bots]]\nbot = \"paper\"\n[[bots]]\nbot = \"random\"\n";
const ANOTHER: &str = "[[bots]]\nbot = \"greedy\"\n";

fn changes(before: &str, after: &str) -> Vec<Change> {
    let ground = Ground::new();
    differences(&ground.cup(before), &ground.cup(after))
}

/// The only change after one text in the cup was put in another's place: key, old, new, and whether it is taken up.
#[track_caller]
fn after(old: &str, new: &str) -> (String, String, String, bool) {
    assert!(BEFORE.contains(old));
    let mut changes = changes(BEFORE, &BEFORE.replacen(old, new, 1));
    assert_eq!(changes.len(), 1, "{changes:?}");
    let Change { key, old, new, taken_up } = changes.remove(0);
    (key, old, new, taken_up)
}

#[test]
fn another_wording_is_no_change() {
    let same =
        BEFORE.replace("move = \"1s\"", "# as before\nmove = \"1000ms\"\nstart = \"10s\"").replace("size = 6\n", "");
    assert_eq!(changes(BEFORE, &same), []);
}

#[test]
fn more_bots_and_pairs_are_taken_up() {
    let added = changes(BEFORE, &format!("{BEFORE}{ANOTHER}").replace("pairs = 4", "pairs = 6"));
    let seen: Vec<_> = added.iter().map(|change| (change.key.as_str(), change.old.as_str(), change.taken_up)).collect();
    assert_eq!(seen, [("pairs", "4", true), ("[[bots]] greedy", "none", true)]);
    let first = BEFORE.replacen("[[bots]]", &format!("{ANOTHER}[[bots]]"), 1);
    assert!(changes(BEFORE, &first).iter().all(|change| change.taken_up), "also in front of the others");
}

#[test]
fn what_finished_matches_depend_on_is_not() {
    let change =
        |key: &str, old: &str, new: &str, taken_up| (key.to_string(), old.to_string(), new.to_string(), taken_up);
    assert_eq!(after("pairs = 4", "pairs = 3"), change("pairs", "4", "3", false));
    assert_eq!(after("seed = 1", "seed = 2"), change("seed", "1", "2", false));
    assert_eq!(after("move = \"1s\"", "move = \"500ms\""), change("[clock] move", "1s", "500ms", false));
    assert_eq!(
        after("pairs = 4", "pairs = 4\nformat = \"knockout\""),
        change("format", "round-robin", "knockout", false)
    );
    assert_eq!(
        after("size = 6", "size = 8"),
        change("[params]", "{\"size\":6,\"opening\":0}", "{\"size\":8,\"opening\":0}", false)
    );
    assert_eq!(
        after("jobs = 1", "jobs = 2"),
        change("jobs", "1", "2", true),
        "no result depends on the number of slots"
    );
}

#[test]
fn a_bot_that_went_or_is_another_is_named() {
    let other = changes(BEFORE, &BEFORE.replace("\"paper\"", "\"paper --rules edge\""));
    assert_eq!(other.len(), 1, "{other:?}");
    assert_eq!((other[0].key.as_str(), other[0].taken_up), ("[[bots]] paper", false));
    assert_eq!((other[0].old.as_str(), other[0].new.as_str()), ("paper", "paper --rules edge"));

    let of_someone = changes(BEFORE, &BEFORE.replace("\"paper\"", "\"paper\"\nauthors = [\"id1\"]"));
    assert_eq!((of_someone[0].new.as_str(), of_someone[0].taken_up), ("id1", true), "no match depends on its authors");

    let gone = changes(&format!("{BEFORE}{ANOTHER}"), BEFORE);
    assert_eq!((gone[0].key.as_str(), gone[0].new.as_str(), gone[0].taken_up), ("[[bots]] greedy", "none", false));

    let swapped =
        BEFORE.replace("\"random\"", "\"x\"").replace("\"paper\"", "\"random\"").replace("\"x\"", "\"paper\"");
    let moved = changes(BEFORE, &swapped);
    assert_eq!(moved.len(), 1, "{moved:?}");
    assert_eq!(
        (moved[0].old.as_str(), moved[0].new.as_str(), moved[0].taken_up),
        ("paper, random", "random, paper", false)
    );
}

#[test]
fn where_later_pairings_follow_from_results_nothing_is_added() {
    let knockout = BEFORE.replace("pairs", "format = \"knockout\"\npairs");
    let added = changes(&knockout, &format!("{knockout}{ANOTHER}").replace("pairs = 4", "pairs = 6"));
    assert_eq!(added.iter().map(|change| change.taken_up).collect::<Vec<_>>(), [false, false]);
    let sprt = |settings: &str| format!("{}[sprt]\n{settings}", BEFORE.replace("pairs", "format = \"sprt\"\npairs"));
    let changed = changes(&sprt("elo1 = 20"), &sprt("elo1 = 10"));
    assert_eq!(
        (changed[0].key.as_str(), changed[0].old.as_str(), changed[0].new.as_str()),
        ("[sprt] elo1", "20", "10")
    );
}
