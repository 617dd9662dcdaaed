//! What a cup costs: matches a second of bots that answer at once and stay between matches, everything on (clock, referee,
//! transcript, commit, row), the whole program held to one core; and the arena's own memory.
//!
//! `cargo bench -p arena --bench cup [-- MATCHES]`. A match is Flip with one piece each and ten rounds of empty moves: 20
//! turns. With TMPDIR on a memory file system, the disk is left out: making a file a match can cost as much as playing it.

mod bot;

use arena::clock::Clock;
use arena::game::Params;
use arena::games;
use arena::play::Program;
use arena::table::Thinking;
use arena::tournament::Field;
use arena::tournament::conductor::{Audience, Conductor, CupEvent};
use arena::tournament::folder::Folder;
use arena::tournament::formats::{self, Plan};
use arena::tournament::ledger::Ledger;
use arena::tournament::slot::Conditions;
use arena::transport::{Host, Interrupt, Limits, cores};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|word| word == "empty-moves") {
        return bot::empty_moves(Duration::ZERO).expect("the arena listens");
    }
    // `cargo test --all-targets` runs this without `--bench`: a short look is enough then.
    let long = arguments.iter().any(|word| word == "--bench");
    let matches: u32 = arguments.iter().find_map(|word| word.parse().ok()).unwrap_or(if long { 20_000 } else { 20 });
    let core = *cores::allowed().last().expect("there is a core");
    cores::bind_this_thread(&[core]).expect("its own core may be used");

    let place = tempfile::tempdir().expect("there is room for temporary files");
    let mut folder = Folder::take(place.path()).expect("the folder is nobody else's");
    folder.begin().expect("there is room for temporary files");
    let me = std::env::current_exe().expect("this program knows where it is");
    let program = Program {
        argv: vec![me.display().to_string(), "empty-moves".to_string()],
        folder: PathBuf::from("/"),
        env: Vec::new(),
        view: None,
        user: None,
    };
    let params: Params = serde_json::from_str(r#"{"n":1,"rounds":10}"#).expect("the parameters are JSON");
    let field = Field {
        names: vec!["a".to_string(), "b".to_string()],
        sets: vec![params],
        pairs: matches.div_ceil(2),
        seed: 1,
    };
    let conditions = Conditions {
        game: games::find("flip").expect("the game is there"),
        programs: vec![program.clone(), program],
        clock: Clock::default(),
        limits: Limits::default(),
        hints: false,
        thinking: Thinking::OwnTurn,
        reuse: Some(true),
        field,
    };
    let mut format = formats::build(&Plan::RoundRobin, &conditions.field).expect("two bots make a cup");
    let mut ledger = Ledger::open(&folder).expect("the folder is empty");
    let enough = AtomicBool::new(false);
    let last_batch = AtomicBool::new(false);
    let conductor = Conductor {
        conditions: &conditions,
        folder: &folder,
        host: Host::with_keeper(PathBuf::from(env!("CARGO_BIN_EXE_arena")), true),
        slots: vec![vec![core]],
        interrupt: Interrupt::new().expect("a pair of sockets can be had"),
        enough: &enough,
        last_batch: &last_batch,
    };
    let began = Instant::now();
    let ending = conductor.run(&mut *format, &mut ledger, &mut Nobody).expect("a cup can be played");
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "{} matches of 20 turns on core {core}: {:.0} a second; the arena's peak memory {} KiB",
        ending.on_record,
        ending.on_record as f64 / seconds,
        peak_kib()
    );
}

struct Nobody;

impl Audience for Nobody {
    fn hear(&mut self, _event: &CupEvent<'_>) -> Result<(), String> {
        Ok(())
    }
}

fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
