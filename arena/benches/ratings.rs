//! How often the 95 % intervals of the ratings hold the true strength: `cargo bench -p arena --bench ratings`.
//!
//! A thousand cups of each kind are simulated with known strengths and fixed seeds. Words after `--`: a number of cups
//! instead of a thousand. Then a million rows are written, put in order, read, tallied and rated, to see what that takes.

use arena::record::RowOutcome;
use arena::record::rows::{Row, RowReader, RowWriter, write_in_order};
use arena::seat::Seat;
use arena::tournament::rating::simulation::{Cell, Coverage, coverage};
use arena::tournament::standings::standings;
use arena::tournament::tally::Tally;
use arena::verdict::Reason;
use std::time::Instant;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    // Cargo says so when it runs benchmarks; without it, this is a test that everything still runs.
    let usual = if words.iter().any(|word| word == "--bench") { 1_000 } else { 2 };
    let cups = words.iter().find_map(|word| word.parse().ok()).unwrap_or(usual);
    intervals(cups);
    long_file(cups * 1_000);
}

fn intervals(cups: u32) {
    println!("entrants  pairs  draws  shared   covered  extremes  ± Elo    ({cups} cups each, strengths N(0, 200))");
    for shared in [0.0, 0.5] {
        for entrants in [8, 20] {
            for pairs in [10, 50] {
                for draws in [0.0, 0.3] {
                    let cell = Cell { entrants, pairs, spread: 200.0, draws, shared };
                    let Coverage { all, extremes, half_width } = coverage(cell, cups, 1);
                    println!(
                        "{entrants:>8}  {pairs:>5}  {:>3} %  {:>4} %   {all:>5.2} %   {extremes:>5.2} %  {half_width:>5.1}",
                        draws * 100.0,
                        shared * 100.0,
                    );
                }
            }
        }
    }
}

/// So many rows of twenty bots.
fn long_file(rows: u32) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("matches.csv");
    let names: Vec<String> = (0..20).map(|number| format!("bot-{number}")).collect();
    let timed = |what: &str, work: &mut dyn FnMut()| {
        let begin = Instant::now();
        work();
        println!("{rows} rows {what:<24} {:>6.2?}   most memory so far {}", begin.elapsed(), most_memory());
    };
    timed("written one by one", &mut || {
        let (mut writer, _) = RowWriter::open(&path).expect("the file can be begun");
        (0..rows).for_each(|number| writer.append(&row(number, &names)).expect("a row can be written"));
    });
    timed("put in order", &mut || {
        let backwards: Vec<u32> = (0..rows).rev().collect();
        write_in_order(&path, &backwards).expect("the file can be put in order");
    });
    let mut tally = Tally::new(&names, 1);
    timed("read and tallied", &mut || {
        for (number, row) in (0..).zip(RowReader::open(&path).expect("the file can be read")) {
            let row = row.expect("it is a row");
            tally.count(&row, 0, Some(scattered(number))).expect("all are in the cup");
        }
    });
    timed("rated", &mut || {
        let table = standings(&names, &tally.whole(), None);
        assert_eq!(table.rows.iter().map(|row| row.totals.results.played()).sum::<u64>(), 2 * u64::from(rows));
    });
}

/// A number as different from its neighbours as hashes are.
fn scattered(number: u64) -> u64 {
    (number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

fn row(number: u32, names: &[String]) -> Row {
    let pair = number as usize / 2;
    let (one, other) = (pair % 20, (pair + 1 + pair / 20 % 19) % 20);
    let seats = if number.is_multiple_of(2) { [one, other] } else { [other, one] };
    let bots = seats.map(|entrant| names[entrant].clone());
    Row {
        id: format!("{}+{}+{number}+a", bots[0], bots[1]),
        round: 1,
        game: "game".to_string(),
        params: r#"{"size":6}"#.to_string(),
        seed: pair as u64,
        outcome: if number.is_multiple_of(3) { RowOutcome::Drawn } else { RowOutcome::Won(Seat::BOTH[pair % 2]) },
        scores: [20, 16],
        reason: Reason::Finished,
        at_fault: None,
        turns: 32,
        duration_ms: 100,
        thinking_ms: [40, 50],
        longest_ms: [5, 6],
        transcript: format!("transcripts/{}+{}+{number}a.jsonl", bots[0], bots[1]),
        bots,
    }
}

/// The most memory that this process ever held, as the system tells it.
fn most_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("unknown".to_string(), |text| text.trim().to_string())
}
