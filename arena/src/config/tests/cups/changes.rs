//! What is said of a cup that is to go on, and has changed.

use super::super::Ground;
use crate::config::{Change, Cup, Remedy, bot_changes, setting_changes};

const BEFORE: &str = "name = \"spring\"\ngame = \"othello\"\npairs = 4\nseed = 1\njobs = 1\n[clock]\nmove = \"1s\"\n[params]\n\
                      size = 6\n[[bots]]\nbot = \"paper\"\n[[bots]]\nbot = \"random\"\n";
const ANOTHER: &str = "[[bots]]\nbot = \"greedy\"\n";

fn changes(before: &str, after: &str) -> Vec<Change> {
    let ground = Ground::new();
    between(&ground.cup(before), &ground.cup(after))
}

fn between(before: &Cup, after: &Cup) -> Vec<Change> {
    let settings = setting_changes(&before.text, "cup.toml", &before.bots, after).expect("it was read before");
    settings.into_iter().chain(bot_changes(&before.bots, after)).collect()
}

fn again(name: &str) -> Remedy {
    Remedy::Again(name.to_string())
}

/// The only change after one text in the cup was put in another's place: key, old, new, and the remedy.
#[track_caller]
fn after(old: &str, new: &str) -> (String, String, String, Remedy) {
    assert!(BEFORE.contains(old));
    let mut changes = changes(BEFORE, &BEFORE.replacen(old, new, 1));
    assert_eq!(changes.len(), 1, "{changes:?}");
    let Change { key, old, new, remedy } = changes.remove(0);
    (key, old, new, remedy)
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
    let seen: Vec<_> = added.iter().map(|change| (change.key.as_str(), change.old.as_str())).collect();
    assert_eq!(seen, [("pairs", "4"), ("[[bots]] greedy", "none")]);
    assert!(added.iter().all(|change| change.remedy == Remedy::TakenUp));
    let first = BEFORE.replacen("[[bots]]", &format!("{ANOTHER}[[bots]]"), 1);
    assert!(
        changes(BEFORE, &first).iter().all(|change| change.remedy == Remedy::TakenUp),
        "also in front of the others"
    );
}

#[test]
fn any_other_setting_is_not() {
    for (old, new, key, was, is) in [
        ("pairs = 4", "pairs = 3", "pairs", "4", "3"),
        ("seed = 1", "seed = 2", "seed", "1", "2"),
        ("move = \"1s\"", "move = \"500ms\"", "[clock] move", "1s", "500ms"),
        ("pairs = 4", "pairs = 4\nformat = \"knockout\"", "format", "round-robin", "knockout"),
        ("size = 6", "size = 8", "[params]", "{\"size\":6,\"opening\":0}", "{\"size\":8,\"opening\":0}"),
        ("jobs = 1", "jobs = 2", "jobs", "1", "2"),
        ("jobs = 1", "jobs = 1\ncores = [\"0\"]", "cores", "none", "[[0]]"),
        ("[clock]", "[build]\ntime = \"5s\"\n[clock]", "[build] time", "600s", "5s"),
        (
            "[clock]",
            "[grades]\npass_against = \"random\"\npass_pct = 50\n[clock]",
            "[grades]",
            "none",
            "50 % against random",
        ),
    ] {
        assert_eq!(after(old, new), (key.to_string(), was.to_string(), is.to_string(), Remedy::Nothing));
    }
    let ranked = |time: &str| {
        let cup = BEFORE.replace("pairs = 4", "format = \"until-ranked\"");
        format!("{cup}[until_ranked]\nmax_time = \"{time}\"\n")
    };
    let changed = changes(&ranked("1h"), &ranked("2h"));
    assert_eq!((changed[0].key.as_str(), &changed[0].remedy), ("[until_ranked] max_time", &Remedy::Nothing));
}

#[test]
fn a_bot_that_went_or_is_another_is_named() {
    let other = changes(BEFORE, &BEFORE.replace("\"paper\"", "\"paper --rules edge\""));
    assert_eq!(other.len(), 1, "{other:?}");
    assert_eq!((other[0].key.as_str(), &other[0].remedy), ("[[bots]] paper", &again("paper")));
    assert_eq!((other[0].old.as_str(), other[0].new.as_str()), ("paper", "paper --rules edge"));

    let of_someone = changes(BEFORE, &BEFORE.replace("\"paper\"", "\"paper\"\nauthors = [\"id1\"]"));
    assert_eq!((of_someone[0].old.as_str(), of_someone[0].new.as_str()), ("no authors", "id1"));
    assert_eq!(of_someone[0].remedy, again("paper"));

    let gone = changes(&format!("{BEFORE}{ANOTHER}"), BEFORE);
    assert_eq!((gone[0].key.as_str(), gone[0].new.as_str()), ("[[bots]] greedy", "none"));
    assert_eq!(gone[0].remedy, Remedy::Nothing);

    let swapped =
        BEFORE.replace("\"random\"", "\"x\"").replace("\"paper\"", "\"random\"").replace("\"x\"", "\"paper\"");
    let moved = changes(BEFORE, &swapped);
    assert_eq!(moved.len(), 1, "{moved:?}");
    assert_eq!((moved[0].old.as_str(), moved[0].new.as_str()), ("paper, random", "random, paper"));
    assert_eq!(moved[0].remedy, Remedy::Nothing);
}

#[test]
fn where_later_pairings_follow_from_results_nothing_is_added() {
    let knockout = BEFORE.replace("pairs", "format = \"knockout\"\npairs");
    let added = changes(&knockout, &format!("{knockout}{ANOTHER}").replace("pairs = 4", "pairs = 6"));
    assert_eq!(added.iter().map(|change| &change.remedy).collect::<Vec<_>>(), [&Remedy::CannotGrow; 2]);
    let sprt = |settings: &str| format!("{}[sprt]\n{settings}", BEFORE.replace("pairs", "format = \"sprt\"\npairs"));
    let changed = changes(&sprt("elo1 = 20"), &sprt("elo1 = 10"));
    assert_eq!(
        (changed[0].key.as_str(), changed[0].old.as_str(), changed[0].new.as_str()),
        ("[sprt] elo1", "20", "10")
    );
}

#[test]
fn bots_that_have_gone_from_the_disk_are_changes_and_no_errors() {
    let ground = Ground::new();
    ground.file("mine/bot.toml", "run = [\"sh\"]");
    ground.file("more/bot.toml", "run = [\"sh\"]");
    let text = format!("{BEFORE}[[bots]]\npath = \"m*\"\n");
    let before = ground.cup(&text);
    std::fs::remove_dir_all(ground.path("more")).expect("it was there");
    ground.file("must/bot.toml", "run = [\"sh\"]");
    let changes = between(&before, &ground.cup(&text));
    let seen: Vec<_> =
        changes.iter().map(|change| (change.key.as_str(), change.old.as_str(), change.new.as_str())).collect();
    assert_eq!(seen, [("[[bots]] more", "./more", "none"), ("[[bots]] must", "none", "./must")]);
}
