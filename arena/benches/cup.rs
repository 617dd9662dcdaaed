//! What a cup costs: matches a second of bots that answer at once and stay between matches, everything on (clock, referee,
//! transcript, commit, row), the whole program held to one core; the arena's own memory; and how long it still runs after
//! its last match, while tables and report are written.
//!
//! `cargo bench -p arena --bench cup [-- MATCHES…]`. A match is Flip with one piece each and ten rounds of empty moves: 20
//! turns. With TMPDIR on a memory file system, the disk is left out: making a file a match can cost as much as playing it.

mod support;

use arena::transport::cores;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};
use support::{cup_of_empty_moves, median, memory_aim_kib, plays_another_part, run_arena};

/// Cups of each length, but of long ones only one; medians are told.
const CUPS: usize = 5;
const LONG: u32 = 10_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if plays_another_part(&arguments) {
        return;
    }
    // `cargo test --all-targets` runs this without `--bench`: a short look is enough then.
    let long = arguments.iter().any(|word| word == "--bench");
    let asked: Vec<u32> = arguments.iter().filter_map(|word| word.parse().ok()).collect();
    let usual = if long { vec![200, 2_000, 20_000, 100_000] } else { vec![20] };
    let core = *cores::allowed().last().expect("there is a core");
    cores::bind_this_thread(&[core]).expect("its own core may be used");
    println!("core {core}; matches of 20 turns; medians of {CUPS} cups");
    for matches in if asked.is_empty() { usual } else { asked } {
        measure(matches, if long && matches < LONG { CUPS } else { 1 });
    }
}

fn measure(matches: u32, cups: usize) {
    let (mut rates, mut exits, mut peak) = (Vec::new(), Vec::new(), 0);
    for _ in 0..cups {
        let place = tempfile::tempdir().expect("there is room for temporary files");
        let (cup, folder) = (place.path().join("cup.toml"), place.path().join("results"));
        let head = format!("pairs = {}\nseed = 1", matches.div_ceil(2));
        fs::write(&cup, cup_of_empty_moves(&head)).expect("a cup file can be written");
        let cost =
            run_arena(&["tournament", "run", &cup.display().to_string(), "--out", &folder.display().to_string()]);
        rates.push(f64::from(matches) / cost.time.as_secs_f64());
        let after = cost.ended.duration_since(end_of_last_match(&folder)).unwrap_or(Duration::ZERO);
        exits.push(after.as_secs_f64() * 1e3);
        peak = peak.max(cost.peak_kib);
    }
    println!(
        "{matches:6} matches: {:5.0} a second; from the last one's end to the exit {:3.0} ms (aim 50); peak memory {peak} KiB \
         (aim {:.0})",
        median(rates),
        median(exits),
        memory_aim_kib(matches)
    );
}

/// When the last transcript was written: to some milliseconds, which is how exactly the system notes it.
fn end_of_last_match(folder: &Path) -> SystemTime {
    let transcripts = fs::read_dir(folder.join("transcripts")).expect("the folder is there");
    let written = |entry: fs::DirEntry| entry.metadata().and_then(|file| file.modified()).expect("files have a time");
    transcripts.map(|entry| written(entry.expect("the folder can be read"))).max().expect("there were matches")
}
