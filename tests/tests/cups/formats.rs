//! Every format to its end, killed on the way and gone on with; grids of parameters; the example cups.

use crate::support::{Cup, ids, rows, transcripts};
use nix::sys::signal::Signal;
use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;
use tests::arena::Arena;
use tests::binaries;
use tests::processes::wait_until;

const BOUND: Duration = Duration::from_secs(60);

/// A cup in a format, with the table of its settings.
fn cup(format: &str, table: &str) -> Cup {
    let params = "[params]\nsize = 4\nopening = 2\n";
    let cup = Cup::new(&format!("game = \"othello\"\nformat = \"{format}\"\npairs = 3\nseed = 5\n{params}{table}\n"));
    let cup = cup.fixture("good", "good").bot("greedy", "greedy").bot("paper", "paper");
    if format == "sprt" { cup_of_two() } else { cup.bot("random", "random") }
}

/// What decides between two.
fn cup_of_two() -> Cup {
    let head = "game = \"othello\"\nformat = \"sprt\"\nseed = 5\n[params]\nsize = 4\nopening = 4\n[sprt]\nelo0 = 0\nelo1 = 200\n";
    Cup::new(head).bot("random", "random").bot("greedy", "greedy")
}

#[test]
fn every_format_is_played_to_its_end_and_goes_on_after_a_kill() {
    for (format, table) in [
        ("round-robin", ""),
        ("gauntlet", "[gauntlet]\nchallengers = [\"random\"]"),
        ("knockout", ""),
        ("double-elimination", ""),
        ("swiss", "[swiss]\nrounds = 3"),
        ("sprt", ""),
        ("until-ranked", "[until_ranked]\nconfidence = 0.8\nmax_matches = 96\nbatch = 4"),
    ] {
        let (calm, killed) = (cup(format, table), cup(format, table));
        let whole = calm.played("--jobs 1");
        assert!(calm.rows().len() >= 12, "{format}: {whole:#?}");
        let mut running = killed.arena.start_also("tournament run cup.toml --jobs 2");
        let file = killed.results().join("matches.csv");
        let on_record = || fs::read_to_string(&file).map_or(0, |rows| rows.lines().count());
        assert!(wait_until(BOUND, || on_record() > 5), "{format} does not begin");
        running.signal(Signal::SIGKILL);
        running.finish(BOUND).expect("SIGKILL ends everything");
        killed.played("--jobs 2");
        assert_eq!(killed.lasting(), calm.lasting(), "{format}");
        assert_eq!(ids(&killed.rows()), transcripts(&killed.results()), "{format}");
        let tables = ["standings.csv", "grades.csv"].map(|name| rows(&killed.results().join(name)).len());
        assert!(tables[0] >= 2, "{format}: {tables:?}");
        // Run once more, nothing is left to do, and the tables are told again.
        let again = killed.played("--json");
        assert!(!again.stdout.contains("\"started\""), "{format}: {again:#?}");
    }
}

#[test]
fn a_swiss_cup_of_an_odd_field_tells_the_points_of_byes_once_its_order_counts_them() {
    let head = "game = \"othello\"\nformat = \"swiss\"\npairs = 1\nseed = 5\n[params]\nsize = 4\nopening = 2\n";
    let cup = Cup::new(head).bot("greedy", "greedy").bot("random", "random").bot("other", "random");
    let told = cup.played("").stdout;
    let heads: Vec<&str> =
        told.lines().find(|line| line.contains("beats next")).unwrap_or_default().split_whitespace().collect();
    assert_eq!(heads[..5], ["rank", "bot", "points", "byes", "played"], "{told}");
    let lines = told.lines().map(|line| line.split_whitespace().collect::<Vec<&str>>());
    // Three rounds of three bots: each has one bye, worth the two matches of a round.
    let with_bye = lines.filter(|cells| cells.get(3) == Some(&"+2") && cells.get(4) == Some(&"4")).count();
    assert_eq!(with_bye, 3, "{told}");
    assert!(told.contains("note: Places go by the points and those of byes together"), "{told}");
    let report = fs::read_to_string(cup.results().join("report.html")).expect("it is written");
    assert!(report.contains(">Byes</th>") && report.contains("<td class=\"number\">+2</td>"), "{report}");
    let csv = fs::read_to_string(cup.results().join("standings.csv")).expect("it is written");
    assert!(!csv.contains("bye"), "its columns are fixed: {csv}");
}

#[test]
fn pairs_share_start_and_seed_with_seats_swapped() {
    let cup = cup("round-robin", "");
    cup.played("");
    let rows = cup.rows();
    for row in rows.iter().filter(|row| row["id"].ends_with('a')) {
        let other_id = format!("{}b", row["id"].trim_end_matches('a'));
        let other = rows.iter().find(|other| other["id"] == other_id).expect("a pair has two halves");
        assert_eq!((&row["first"], &row["second"]), (&other["second"], &other["first"]));
        assert_eq!((&row["seed"], &row["params"]), (&other["seed"], &other["params"]));
        let opening =
            |id: &str| cup.arena.transcript(&format!("results/cup/transcripts/{id}.jsonl"))[0]["opening"].clone();
        assert_eq!(opening(&row["id"]), opening(&other_id));
    }
    let seeds: BTreeSet<&String> = rows.iter().map(|row| &row["seed"]).collect();
    assert_eq!(seeds.len(), rows.len() / 2, "every pair has a seed of its own");
    for bot in ["good", "greedy", "paper", "random"] {
        let first = rows.iter().filter(|row| row["first"] == bot).count();
        assert_eq!(first, rows.iter().filter(|row| row["second"] == bot).count(), "{bot}");
    }
}

#[test]
fn a_list_of_values_is_a_grid() {
    let cup = Cup::new("game = \"flip\"\npairs = 1\n[params]\nn = [1, 2, 3]\n")
        .bot("greedy", "greedy")
        .bot("random", "random");
    cup.played("");
    let params: BTreeSet<String> = cup.rows().iter().map(|row| row["params"].clone()).collect();
    assert_eq!(params.len(), 3, "{params:?}");
    assert_eq!(cup.rows().len(), 6);
    for text in params {
        let params: serde_json::Value = serde_json::from_str(&text).expect("parameters are JSON");
        assert!(params["n"].as_u64().is_some_and(|n| (1..=3).contains(&n)), "{params}");
    }
}

#[test]
fn the_example_cups_run() {
    let examples = binaries::repository().join("examples/cups");
    let mut count = 0;
    for entry in fs::read_dir(&examples).expect("there are examples").flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        count += 1;
        let run = Arena::new(["tournament", "run"]).arg(&path).args("--out out").within(BOUND).run();
        assert_eq!(run.code, Some(0), "{}: {run:#?}", path.display());
    }
    assert!(count >= 5, "{count} examples in {}", examples.display());
}
