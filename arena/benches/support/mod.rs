//! What several benchmarks of whole cups need: a bot that costs nothing, and a run of the arena with its cost.
#![allow(dead_code, reason = "each benchmark is a program of its own, and takes some of it")]

mod bot;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// Parameters of Flip that make a match of 20 turns without a decision.
pub const TWENTY_TURNS: &str = "[params]\nn = 1\nrounds = 10\n";

/// What the first word of a benchmark's command line makes it do instead: play as a bot, or run a command and tell its cost.
pub fn plays_another_part(arguments: &[String]) -> bool {
    match arguments {
        [word, ..] if word == "empty-moves" => bot::empty_moves(Duration::ZERO).expect("the arena listens"),
        [word, command @ ..] if word == "cost-of" => tell_cost(command),
        _ => return false,
    }
    true
}

/// How much memory a run of the arena may take that has so many matches on record: 16 MiB, and 16 bytes a match.
pub fn memory_aim_kib(matches: u32) -> f64 {
    16.0 * 1024.0 + f64::from(matches) * 16.0 / 1024.0
}

/// The processor time of all children that have ended, and of theirs.
pub fn processor_time() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the system counts what children use");
    let micros = |time: TimeVal| (time.tv_sec() * 1_000_000 + time.tv_usec()) as u64;
    Duration::from_micros(micros(usage.user_time()) + micros(usage.system_time()))
}

/// The middle one of some values.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// This program's own file.
fn this_program() -> PathBuf {
    std::env::current_exe().expect("this program knows where it is")
}

/// The cup file of two bots that make no flip, at once. `head` has further keys of the top, a line each.
pub fn cup_of_empty_moves(head: &str) -> String {
    let command = format!("'{}' empty-moves", this_program().display());
    let bot = |name: &str| format!("[[bots]]\nname = \"{name}\"\nbot = \"{command}\"\n");
    format!(
        "name = \"bench\"\ngame = \"flip\"\n{head}\n[isolation]\nmode = \"none\"\n{TWENTY_TURNS}{}{}",
        bot("a"),
        bot("b")
    )
}

/// What a run of the arena took.
pub struct Cost {
    /// From its start to its exit.
    pub time: Duration,
    /// When it was over.
    pub ended: SystemTime,
    /// The largest resident set of the arena, in KiB.
    pub peak_kib: i64,
}

/// Runs the arena, which has to say that all was well.
pub fn run_arena<A: AsRef<OsStr>>(arguments: &[A]) -> Cost {
    let begin = Instant::now();
    // The system tells the peak of the largest child only: so a process in between has no other one.
    let mut between = Command::new(this_program());
    between.arg("cost-of").arg(env!("CARGO_BIN_EXE_arena")).args(arguments);
    let output = between.stdin(Stdio::null()).output().expect("this program can be executed");
    let (time, ended) = (begin.elapsed(), SystemTime::now());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stdout));
    let peak = told.lines().last().and_then(|line| line.parse().ok());
    Cost { time, ended, peak_kib: peak.expect("the peak is told last") }
}

fn tell_cost(command: &[String]) {
    let status = Command::new(&command[0]).args(&command[1..]).status().expect("the arena can be executed");
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the system counts what children use");
    eprintln!("{}", usage.max_rss());
    std::process::exit(status.code().unwrap_or(1));
}
