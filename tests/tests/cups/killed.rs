//! SIGKILL at any moment loses no finished match, plays none twice, and the same command goes on.

use crate::support::{Cup, groups_of, ids, json_events, transcripts};
use nix::sys::signal::Signal;
use std::fs;
use std::time::{Duration, Instant};
use tests::processes::wait_until;

const BOUND: Duration = Duration::from_secs(60);

fn cup() -> Cup {
    Cup::othello(24).fixture("good", "good").bot("paper", "paper").bot("random", "random")
}

/// Numbers that look random and are the same in every run.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

#[test]
fn killed_at_twenty_moments_a_cup_ends_like_one_that_was_left_alone() {
    let calm = cup();
    calm.played("--jobs 2");

    let cup = cup();
    let mut numbers = Numbers(1);
    for attempt in 0..20 {
        let jobs = 1 + attempt % 3;
        kill_once(&cup, jobs, &mut numbers);
    }
    let before = transcripts(&cup.results());
    assert!(before.len() < 144, "it was killed before its end");
    cup.played("--jobs 2");
    assert_eq!(cup.lasting(), calm.lasting());
    assert_eq!(ids(&cup.rows()), transcripts(&cup.results()));
    assert_eq!(cup.arena.no_process_left(), Ok(()));
}

/// Starts it, waits until up to three or so more matches are on record and a little longer, and kills it.
fn kill_once(cup: &Cup, jobs: u32, numbers: &mut Numbers) {
    let more = numbers.below(4) * 100;
    // Where it need not wait for a row, it is most likely still shaking hands.
    kill_after(cup, jobs, more, Duration::from_micros(numbers.below(if more == 0 { 60_000 } else { 5_000 })));
}

/// Starts it, waits until there are so many more bytes of rows and so long, and kills it.
pub fn kill_after(cup: &Cup, jobs: u32, more: u64, then: Duration) {
    let file = cup.results().join("matches.csv");
    let length = || fs::metadata(&file).map_or(0, |data| data.len());
    let before = if file.exists() { transcripts(&cup.results()) } else { Vec::new() };
    let until = length() + more;

    let mut running = cup.arena.start_also(&format!("tournament run cup.toml --json --jobs {jobs}"));
    assert!(wait_until(BOUND, || length() >= until), "no match gets on record");
    let since = Instant::now();
    wait_until(then, || since.elapsed() >= then);
    running.signal(Signal::SIGKILL);
    let run = running.finish(BOUND).expect("SIGKILL ends everything");

    assert_eq!(cup.arena.no_process_left(), Ok(()), "bots outlive an arena that was killed");
    let after = transcripts(&cup.results());
    assert!(before.iter().all(|id| after.contains(id)), "a finished match is lost");
    // A last line may be cut; the whole ones are promises.
    let whole = &run.stdout[..run.stdout.rfind('\n').map_or(0, |end| end + 1)];
    for event in json_events(whole).iter().filter(|event| event["type"] == "ended") {
        let id = event["id"].as_str().expect("an id is text").to_string();
        assert!(after.contains(&id), "{id} was announced and is lost");
        assert!(!before.contains(&id), "{id} was played twice");
        let rows = fs::read_to_string(&file).expect("there are rows");
        assert!(rows.lines().any(|row| row.starts_with(&format!("{id},"))), "{id} was announced and has no row");
    }
}

#[test]
fn a_killed_arenas_control_groups_are_gone_after_the_next_run() {
    let cup = cup();
    let mut running = cup.arena.start_also("tournament run cup.toml");
    let file = cup.results().join("matches.csv");
    assert!(wait_until(BOUND, || fs::read_to_string(&file).is_ok_and(|rows| rows.lines().count() > 1)));
    running.signal(Signal::SIGKILL);
    let pid = running.pid();
    running.finish(BOUND).expect("SIGKILL ends everything");
    cup.played("");
    assert_eq!(groups_of(pid), Vec::<std::path::PathBuf>::new());
}

#[test]
fn the_same_holds_for_a_user_without_rights() {
    let cup = || {
        let mut cup = Cup::othello(12);
        cup.arena = cup.arena.as_ordinary_user();
        cup.fixture("good", "good").fixture("well", "good --reuse").fixture("crash", "exit 3 --at 2")
    };
    let (calm, killed) = (cup(), cup());
    calm.played("--jobs 2");
    let mut numbers = Numbers(2);
    for _ in 0..5 {
        kill_once(&killed, 2, &mut numbers);
    }
    killed.played("--jobs 2");
    assert_eq!(killed.lasting(), calm.lasting());
}

#[test]
fn rows_are_the_same_whatever_the_number_of_jobs() {
    let play = |jobs: u32| {
        let cup = cup();
        cup.played(&format!("--jobs {jobs}"));
        cup.lasting()
    };
    let one = play(1);
    assert_eq!(one, play(2));
    assert_eq!(one, play(4));
}
