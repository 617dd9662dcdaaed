//! A night in miniature: two cups side by side, of eight bots of which three are hostile, killed twice and out of room
//! once. In the morning everything is as if nothing had happened.

use crate::killed::{Numbers, kill_after};
use crate::machine::SmallDisk;
use crate::support::{Cup, Row, ids, names, rows, transcripts};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::Duration;
use tests::skip::needs_that;

/// A game with its parameters, how five good bots play it, and what three hostile ones do and forfeit by (where it is a
/// forfeit: who leaves processes behind may play well).
struct Night {
    game: &'static str,
    params: &'static str,
    good: [&'static str; 5],
    hostile: [(&'static str, &'static str, &'static str); 3],
}

const NIGHTS: [Night; 2] = [
    Night {
        game: "othello",
        params: "size = 4\nopening = 2",
        good: ["paper", "greedy", "random", "paper --rules edge", "random"],
        hostile: [
            ("crash", "panic-with-trace --at 2", "crashed"),
            ("hold", "no-flush", "timeout"),
            ("leave", "helper-child-exit", "crashed"),
        ],
    },
    Night {
        game: "notipping",
        params: "k = 5\nopening = 2",
        good: ["notipping-random", "greedy", "random", "random", "notipping-random"],
        hostile: [("flood", "stray-flood", "flood"), ("garbage", "bad-utf8", "malformed"), ("many", "fork-many 5", "")],
    },
];

impl Night {
    /// Each bot belongs to an author who is called after it.
    fn cup(&self) -> Cup {
        let clock = "[clock]\nstart = \"10s\"\nmove = \"400ms\"\nstop = \"100ms\"\n";
        let grades = "[grades]\npass_against = \"bot2\"\npass_pct = 50\n";
        let mut cup = Cup::new(&format!(
            "game = \"{}\"\nseed = 5\nhints = true\n{clock}{grades}[params]\n{}\n",
            self.game, self.params
        ));
        for (number, command) in self.good.iter().enumerate() {
            cup = cup.bot(&format!("bot{number}"), command);
        }
        for (name, words, _) in self.hostile {
            cup = cup.fixture(name, words);
        }
        for name in self.names() {
            cup.swap(&format!("name = \"{name}\"\n"), &format!("name = \"{name}\"\nauthors = [\"id-{name}\"]\n"));
        }
        cup
    }

    fn names(&self) -> Vec<String> {
        let good = (0..self.good.len()).map(|number| format!("bot{number}"));
        good.chain(self.hostile.iter().map(|(name, ..)| name.to_string())).collect()
    }
}

#[test]
fn two_cups_of_a_bad_night_end_like_two_of_a_calm_one() {
    let nights = NIGHTS.map(|night| {
        let bad = night.cup();
        let disk = SmallDisk::mount(&bad.arena.path("results"), "20m");
        (night, bad, disk)
    });
    if !needs_that("the right to mount", nights.iter().all(|(.., disk)| disk.is_some())) {
        return;
    }
    thread::scope(|scope| {
        for (place, (night, bad, _)) in nights.iter().enumerate() {
            scope.spawn(move || one_night(night, bad, &mut Numbers(place as u64 + 1)));
        }
    });
}

fn one_night(night: &Night, bad: &Cup, numbers: &mut Numbers) {
    for _ in 0..2 {
        kill_after(bad, 1, 500 + numbers.below(900), Duration::from_micros(numbers.below(20_000)));
    }
    fill_the_disk_and_go_on(bad);
    let last = bad.played("--json --jobs 1");
    assert!(!last.stderr.contains("panicked at"), "{last:#?}");
    assert_eq!(bad.arena.no_process_left(), Ok(()), "{}", night.game);

    let calm = night.cup();
    calm.played("--jobs 1");
    assert_eq!(bad.lasting(), calm.lasting(), "{}", night.game);
    let results = bad.results();
    let grades = |cup: &Cup| rows(&cup.results().join("grades.csv"));
    assert_eq!(grades(bad), grades(&calm), "{}", night.game);
    let mut authors: Vec<String> = grades(bad).iter().map(|row| row["author"].clone()).collect();
    authors.sort();
    let mut expected: Vec<String> = night.names().iter().map(|name| format!("id-{name}")).collect();
    expected.sort();
    assert_eq!(authors, expected);

    check_forfeits(night, &bad.rows(), &results);
    check_standings(&bad.rows(), &rows(&results.join("standings.csv")), 8);
    let verified = bad.arena.also("verify results/cup");
    assert_eq!(verified.code, Some(0), "{verified:#?}");
    let page = fs::read_to_string(results.join("report.html")).expect("there is a report");
    assert!(night.names().iter().all(|name| page.contains(name.as_str())), "{}", night.game);
    assert!(!page.contains("the same command goes on"), "the report is of the whole cup");
}

/// Leaves room for a few matches, and takes the rest away until the cup has stopped for it.
fn fill_the_disk_and_go_on(cup: &Cup) {
    const ROOM: u64 = 160 * 1024;
    let path = cup.arena.path("results/ballast");
    let mut ballast = File::create(&path).expect("there is room yet");
    let mut length = 0;
    while let Ok(written) = ballast.write(&[0; 4096]) {
        length += written as u64;
    }
    ballast.set_len(length - ROOM).expect("a file can be cut");
    let before = transcripts(&cup.results());
    let full = cup.run("--json --jobs 1");
    assert_eq!(full.code, Some(2), "{full:#?}");
    assert!(full.stderr.contains("No space left") && full.stderr.contains(&cup.command()), "{full:#?}");
    let after = transcripts(&cup.results());
    assert!(before.len() < after.len() && after.len() < 56, "{} of 56, then {}", before.len(), after.len());
    assert_eq!(cup.arena.no_process_left(), Ok(()));
    fs::remove_file(path).expect("it is ours");
}

/// Who forfeited, why, and that each forfeit has its folder.
fn check_forfeits(night: &Night, rows: &[Row], results: &Path) {
    assert_eq!(rows.len(), 56, "{}", night.game);
    assert_eq!(ids(rows), transcripts(results));
    let mut forfeits: Vec<String> = Vec::new();
    for row in rows.iter().filter(|row| !row["at_fault"].is_empty()) {
        let why = night.hostile.iter().find(|(name, ..)| row["at_fault"] == *name);
        assert_eq!(why.map(|(.., reason)| *reason), Some(row["reason"].as_str()), "{row:?}");
        forfeits.push(row["id"].clone());
    }
    for (name, _, reason) in night.hostile.iter().filter(|(.., reason)| !reason.is_empty()) {
        let count = rows.iter().filter(|row| row["at_fault"] == *name && row["reason"] == *reason).count();
        assert!(count >= 10, "{name}: {count} of 14");
    }
    forfeits.sort();
    assert_eq!(names(&results.join("failures")), forfeits);
    for id in forfeits {
        let files = names(&results.join("failures").join(id));
        assert_eq!(files, ["README.txt", "said.jsonl", "sent.jsonl", "stderr.txt"]);
    }
}

/// The standings, counted from the rows once more.
fn check_standings(rows: &[Row], standings: &[Row], bots: usize) {
    let mut counts: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    for row in rows {
        let seats = [("first", "score_first", "score_second"), ("second", "score_second", "score_first")];
        for (seat, own, other) in seats {
            let bot = row[seat].as_str();
            let mut add = |column, value: f64| *counts.entry((bot, column)).or_default() += value;
            let (column, points) = match row["winner"].as_str() {
                "draw" => ("drawn", 0.5),
                winner if winner == bot => ("won", 1.0),
                _ => ("lost", 0.0),
            };
            add("played", 1.0);
            add(column, 1.0);
            add("points", points);
            add("scores_for", number(&row[own]));
            add("scores_against", number(&row[other]));
            if row["at_fault"] == bot {
                let reason = row["reason"].as_str();
                let known = ["illegal", "malformed", "timeout", "crashed"].into_iter().find(|known| *known == reason);
                add(known.unwrap_or("other_faults"), 1.0);
            }
        }
    }
    assert_eq!(standings.len(), bots);
    for row in standings {
        for column in [
            "played",
            "won",
            "drawn",
            "lost",
            "points",
            "scores_for",
            "scores_against",
            "illegal",
            "malformed",
            "timeout",
            "crashed",
            "other_faults",
        ] {
            let expected = counts.get(&(row["bot"].as_str(), column)).copied().unwrap_or_default();
            assert_eq!(number(&row[column]), expected, "{column}: {row:?}");
        }
    }
    let order: Vec<[f64; 2]> = standings.iter().map(|row| [number(&row["rank"]), -number(&row["points"])]).collect();
    assert_eq!(order[0][0], 1.0);
    assert!(order.is_sorted(), "{standings:#?}");
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("{text:?} is no number"))
}
