//! Whether bots lose on time on a machine that is too busy: four busy strangers on each core, as many matches at a time as
//! there are cores, 50 ms a move. Bots that answer at once and bots that need 60 % of their limit in processor time are to
//! lose nothing; bots that need 120 % are to lose every match.
//!
//! `cargo bench -p arena --bench loaded [-- PERCENT]`: of how many of 2,240 matches, 100 when left out. Takes minutes. It prints
//! counts, where the fair clock's times come from, and by how much the arena itself was late at the worst.
//! An answer that was late is in the counts, not among those times.

#[path = "support/bot.rs"]
mod bot;

use arena::clock::Clock;
use arena::game::Params;
use arena::games;
use arena::play::Program;
use arena::record::read_transcript;
use arena::table::Thinking;
use arena::tournament::Field;
use arena::tournament::conductor::{Audience, Conductor, CupEvent};
use arena::tournament::folder::Folder;
use arena::tournament::formats::{self, Plan};
use arena::tournament::ledger::Ledger;
use arena::tournament::slot::Conditions;
use arena::transport::{Host, Interrupt, Limits, cores};
use arena::verdict::Reason;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_millis(50);
const STRANGERS_A_CORE: usize = 4;

/// What is played: matches, rounds of each (two turns), and processor time an answer in percent of the limit.
const PARTS: [(u32, u32, u32); 3] = [(2000, 10, 0), (200, 3, 60), (40, 3, 120)];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize| arguments.get(place).and_then(|word| word.parse().ok());
    match arguments.first().map(String::as_str) {
        Some("empty-moves") => {
            let percent = number(1).expect("a bot is told how much it burns");
            return bot::empty_moves(LIMIT * percent / 100).expect("the arena listens");
        }
        Some("stranger") => return be_a_stranger(number(1).expect("a stranger is told its core") as usize),
        _ => {}
    }
    // `cargo test --all-targets` runs this without `--bench`: a short look is enough then.
    let long = arguments.iter().any(|word| word == "--bench");
    let percent = arguments.iter().find_map(|word| word.parse().ok()).unwrap_or(if long { 100 } else { 1 });
    let cores = cores::allowed();
    let _strangers: Vec<Stranger> =
        cores.iter().flat_map(|core| (0..STRANGERS_A_CORE).map(|_| Stranger::at_work(*core))).collect();
    println!(
        "{} cores with {STRANGERS_A_CORE} busy strangers each, {} matches at a time, {} ms a move",
        cores.len(),
        cores.len(),
        LIMIT.as_millis()
    );
    for (matches, rounds, burn) in PARTS {
        let matches = (matches * percent / 100).max(2).next_multiple_of(2);
        println!("{}", part(&cores, matches, rounds, burn));
    }
}

/// Plays one cup, and what came of it.
fn part(cores: &[usize], matches: u32, rounds: u32, burn: u32) -> String {
    let place = tempfile::tempdir().expect("there is room for temporary files");
    let mut folder = Folder::take(place.path()).expect("the folder is nobody else's");
    folder.begin().expect("there is room for temporary files");
    let argv = vec![this_program().display().to_string(), "empty-moves".to_string(), burn.to_string()];
    let program = Program::trusted(argv, PathBuf::from("/"));
    let params: Params = serde_json::from_str(&format!(r#"{{"n":1,"rounds":{rounds}}}"#)).expect("this is JSON");
    let names = vec!["a".to_string(), "b".to_string()];
    let conditions = Conditions {
        game: games::find("flip").expect("the game is there"),
        programs: vec![program.clone(), program],
        clock: Clock { per_move: Some(LIMIT), ..Clock::default() },
        limits: Limits::default(),
        hints: false,
        thinking: Thinking::OwnTurn,
        reuse: Some(true),
        field: Field { names, sets: vec![params], pairs: matches / 2, seed: 1 },
    };
    let mut format = formats::build(&Plan::RoundRobin, &conditions.field).expect("two bots make a cup");
    let mut ledger = Ledger::open(&folder).expect("the folder is empty");
    let conductor = Conductor {
        conditions: &conditions,
        folder: &folder,
        host: Host::with_keeper(PathBuf::from(env!("CARGO_BIN_EXE_arena")), true),
        slots: cores.iter().map(|core| vec![*core]).collect(),
        interrupt: Interrupt::new().expect("a pair of sockets can be had"),
        enough: &AtomicBool::new(false),
        last_batch: &AtomicBool::new(false),
    };
    let began = Instant::now();
    let mut count = Count::default();
    conductor.run(&mut *format, &mut ledger, &mut count).expect("a cup can be played");
    let seconds = began.elapsed().as_secs_f64();
    let seen = Seen::of(&folder);
    let bots = if burn == 0 { "that answer at once".to_string() } else { format!("that need {burn} % of the limit") };
    let timeouts = count.reasons.get(Reason::Timeout.as_str()).copied().unwrap_or(0);
    format!(
        "bots {bots}: {timeouts} of {matches} matches lost on time ({}), {} disturbed attempts, in {seconds:.0} s\n  \
         times from {}; the arena itself was late by {:.1} ms at the worst, a bot stalled for {:.1} ms, an answer took {:.1} ms",
        count.told(),
        count.disturbed,
        seen.sources(),
        seen.arena_us as f64 / 1e3,
        seen.stalled_us as f64 / 1e3,
        seen.took_us as f64 / 1e3,
    ) + &count.fault.map(|fault| format!("\n  the last of the faults: {fault}")).unwrap_or_default()
}

/// How matches ended.
#[derive(Default)]
struct Count {
    reasons: BTreeMap<&'static str, u32>,
    disturbed: u32,
    /// What was said of the last fault.
    fault: Option<String>,
}

impl Count {
    fn told(&self) -> String {
        let each: Vec<String> = self.reasons.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        each.join(", ")
    }
}

impl Audience for Count {
    fn hear(&mut self, event: &CupEvent<'_>) -> Result<(), String> {
        match event {
            CupEvent::Ended { row, played } => {
                *self.reasons.entry(row.reason.as_str()).or_default() += 1;
                let detail = || played.closing.verdict.detail.clone();
                self.fault = row.at_fault.and_then(|_| detail()).or(self.fault.take());
            }
            CupEvent::Disturbed { .. } => self.disturbed += 1,
            CupEvent::Began { .. } | CupEvent::Started { .. } => {}
        }
        Ok(())
    }
}

/// What the transcripts tell: where times come from, and the longest of them.
#[derive(Default)]
struct Seen {
    sources: BTreeSet<String>,
    took_us: u64,
    stalled_us: u64,
    arena_us: u64,
}

impl Seen {
    fn of(folder: &Folder) -> Seen {
        let mut seen = Seen::default();
        for name in folder.transcripts().expect("the folder is there") {
            let path = folder.transcript(&name.expect("the folder is there"));
            let transcript = read_transcript(&path).expect("the arena reads what it wrote");
            for player in &transcript.header.players {
                seen.sources.insert(player.fair_clock.clone().unwrap_or_else(|| "none".to_string()));
            }
            let text = fs::read_to_string(&path).expect("it was read a moment ago");
            for event in text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok()) {
                let longest = |key: &str, before: u64| before.max(event[key].as_u64().unwrap_or(0));
                seen.took_us = longest("took_us", seen.took_us);
                seen.stalled_us = longest("stalled_us", seen.stalled_us);
                seen.arena_us = longest("arena_us", seen.arena_us);
            }
        }
        seen
    }

    fn sources(&self) -> String {
        if self.sources.iter().all(|source| source == "none") {
            return "nowhere: this system tells no waiting times, so wall time is charged".to_string();
        }
        self.sources.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
    }
}

/// A process that has nothing to do with the arena and takes a core from it, until this is dropped.
struct Stranger {
    child: Child,
    /// When this ends, it ends: no stranger outlives the benchmark.
    _line: ChildStdin,
}

impl Stranger {
    fn at_work(core: usize) -> Stranger {
        let mut command = Command::new(this_program());
        command.args(["stranger", &core.to_string()]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("this program starts");
        let mut word = String::new();
        let stdout = child.stdout.take().expect("stdout is piped");
        BufReader::new(stdout).read_line(&mut word).expect("a stranger says that it is busy");
        assert_eq!(word, "busy\n", "a stranger does not get to work");
        Stranger { _line: child.stdin.take().expect("stdin is piped"), child }
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn be_a_stranger(core: usize) {
    cores::bind_this_thread(&[core]).expect("the core may be used");
    nix::unistd::setsid().expect("a child leads no group");
    // Bound like the thread that starts it.
    std::thread::spawn(|| {
        loop {
            std::hint::spin_loop();
        }
    });
    println!("busy");
    let _ = std::io::stdin().read(&mut [0]);
}

fn this_program() -> PathBuf {
    std::env::current_exe().expect("this program knows where it is")
}
