//! Processes of a long cup: what has ended is waited for, and what a start script started goes with its match.

use crate::support::Cup;
use std::collections::HashMap;
use std::fs;
use std::time::Duration;
use tests::processes::{wait_until, with_marker};

const BOUND: Duration = Duration::from_secs(120);
const JOBS: usize = 4;

/// How many processes below this one have ended and wait to be noticed.
fn defunct_below(ancestor: u32) -> usize {
    let mut processes: HashMap<u32, (u32, bool)> = HashMap::new();
    for entry in fs::read_dir("/proc").expect("there is /proc").flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse() else { continue };
        let Ok(status) = fs::read_to_string(entry.path().join("status")) else { continue };
        let field = |key: &str| status.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().trim();
        let parent = field("PPid:").parse().unwrap_or(0);
        processes.insert(pid, (parent, field("State:").starts_with('Z')));
    }
    let is_below = |pid: u32| {
        let parents = std::iter::successors(Some(pid), |pid| processes.get(pid).map(|(parent, _)| *parent));
        parents.take(10).any(|parent| parent == ancestor)
    };
    processes.iter().filter(|(pid, (_, defunct))| *defunct && is_below(**pid)).count()
}

#[test]
fn what_has_ended_is_waited_for_while_a_cup_is_played() {
    let cup = Cup::othello(100).fixture("gone", "exit 3").fixture("good", "good");
    let mut running = cup.arena.start_also(&format!("tournament run cup.toml --jobs {JOBS}"));
    let (pid, file) = (running.pid(), cup.results().join("matches.csv"));
    let (mut looks, mut most) = (0, 0);
    wait_until(BOUND, || {
        let on_record = fs::read_to_string(&file).map_or(0, |rows| rows.lines().count());
        most = most.max(defunct_below(pid));
        looks += usize::from(on_record > 1);
        on_record > 200
    });
    let run = running.finish(BOUND).expect("it ends");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(looks > 10, "it was over too soon to be looked at");
    // In each running match two bots and their keepers may have ended a moment ago.
    assert!(most <= 4 * JOBS, "{most} defunct processes");
    assert_eq!(cup.rows().iter().filter(|row| row["at_fault"] == "gone" && row["reason"] == "crashed").count(), 200);
}

#[test]
fn what_a_start_script_started_goes_with_its_match() {
    let mut cup = Cup::othello(50).fixture("script", "wrapper ignore-eof --at launch").fixture("good", "good");
    // Deaf to the end of its input and to SIGTERM, it outlives its script unless it is killed.
    cup.edit("[params]", "[clock]\nmove = \"1s\"\nstop = \"10ms\"\n[params]");
    let mut running = cup.arena.start_also("tournament run cup.toml --jobs 2");
    let file = cup.results().join("matches.csv");
    let (mut looks, mut most) = (0, 0);
    wait_until(BOUND, || {
        let on_record = fs::read_to_string(&file).map_or(0, |rows| rows.lines().count());
        most = most.max(with_marker(cup.arena.marker()).len());
        looks += usize::from(on_record > 1);
        on_record > 100
    });
    let run = running.finish(BOUND).expect("it ends");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert_eq!(cup.arena.no_process_left(), Ok(()));
    assert_eq!(cup.rows().len(), 100);
    // In each of two matches a script, what it started, and the other bot.
    assert!(looks > 10 && (3..=6).contains(&most), "{most} processes at a time, seen in {looks} looks");
}
