//! What a match between fresh processes costs: the arena against a plain C program that starts and reaps the same bots and
//! exchanges the same lines, in one run, on one core.
//!
//! `cargo bench -p arena --bench fresh [-- MATCHES]`. The bot (`fresh/bot.c`) and the plain program (`fresh/plain.c`) are compiled
//! with gcc. A match is Flip with one piece each and ten rounds of empty moves: 20 turns. *Arena* is `arena tournament run`
//! with everything on, its start, its tables and its keepers included; the bots are neither reused nor confined. Batches of both
//! are played in turn; told are the medians, and of their ratios too. With TMPDIR on a memory file system, the disk is left out.

mod support;

use arena::transport::cores;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use support::{TWENTY_TURNS, median, plays_another_part, processor_time, run_arena};

const BATCHES: usize = 9;
const AIM: f64 = 1.3;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if plays_another_part(&arguments) {
        return;
    }
    // `cargo test --all-targets` runs this without `--bench`: a short look is enough then.
    let long = arguments.iter().any(|word| word == "--bench");
    let (matches, batches) = if long { (500, BATCHES) } else { (4, 1) };
    let matches = arguments.iter().find_map(|word| word.parse().ok()).unwrap_or(matches);
    if Command::new("gcc").arg("--version").output().is_err() {
        return println!("there is no gcc here: nothing is measured");
    }
    let core = *cores::allowed().last().expect("there is a core");
    cores::bind_this_thread(&[core]).expect("its own core may be used");
    let place = tempfile::tempdir().expect("there is room for temporary files");
    let fresh = Fresh::make(place.path());
    let (mut plain, mut arena) = (Vec::new(), Vec::new());
    for batch in 0..batches {
        plain.push(timed(matches, || fresh.plain(matches)));
        arena.push(timed(matches, || fresh.arena(matches, batch)));
    }
    println!("core {core}, fresh bots in C, {batches} batches of {matches} matches; µs a match");
    for (place, what) in ["by the clock", "of processor time"].into_iter().enumerate() {
        let ratio = median(plain.iter().zip(&arena).map(|(plain, arena)| arena[place] / plain[place]).collect());
        let of = |all: &[[f64; 2]]| median(all.iter().map(|each| each[place]).collect());
        println!("{what:18} plain {:6.0}  arena {:6.0}  ratio {ratio:.2} (aim {AIM})", of(&plain), of(&arena));
    }
}

/// Microseconds a match, by the clock and of processor time.
fn timed(matches: u32, play: impl FnOnce()) -> [f64; 2] {
    let (begin, used) = (Instant::now(), processor_time());
    play();
    [begin.elapsed(), processor_time() - used].map(|time| time.as_secs_f64() * 1e6 / f64::from(matches))
}

/// What was made for the measurement.
struct Fresh {
    folder: PathBuf,
    bot: PathBuf,
    plain: PathBuf,
}

impl Fresh {
    fn make(folder: &Path) -> Fresh {
        let compiled = |name: &str| {
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("benches/fresh/{name}.c"));
            let program = folder.join(name);
            let status = Command::new("gcc").arg("-O2").arg("-o").arg(&program).arg(source).status();
            assert!(status.expect("gcc can be executed").success(), "{name}.c cannot be compiled");
            program
        };
        let fresh = Fresh { folder: folder.to_path_buf(), bot: compiled("bot"), plain: compiled("plain") };
        fresh.record_lines();
        fresh
    }

    /// What each seat is sent in a match.
    fn record_lines(&self) {
        let bot = |seat: usize| {
            let script = format!("tee '{}' | '{}'", self.lines(seat).display(), self.bot.display());
            format!("seat{seat}={}", shlex::try_join(["sh", "-c", &script]).expect("paths have no null byte"))
        };
        let words =
            ["match", "flip", "--quiet", "--param", "n=1", "--param", "rounds=10", "--bot", &bot(0), "--bot", &bot(1)];
        run_arena(&words);
    }

    fn lines(&self, seat: usize) -> PathBuf {
        self.folder.join(format!("lines{seat}"))
    }

    fn plain(&self, matches: u32) {
        let mut command = Command::new(&self.plain);
        command.arg(&self.bot).arg(self.lines(0)).arg(self.lines(1)).arg(matches.to_string());
        assert!(command.status().expect("it can be executed").success());
    }

    fn arena(&self, matches: u32, batch: usize) {
        let (cup, folder) = (self.folder.join("cup.toml"), self.folder.join(format!("results{batch}")));
        let bot = |name: &str| format!("[[bots]]\nname = \"{name}\"\nbot = '{}'\n", self.bot.display());
        let head = format!("name = \"fresh\"\ngame = \"flip\"\npairs = {}\n", matches.div_ceil(2));
        fs::write(&cup, format!("{head}[isolation]\nmode = \"none\"\n{TWENTY_TURNS}{}{}", bot("a"), bot("b")))
            .expect("a cup file can be written");
        run_arena(&["tournament", "run", &cup.display().to_string(), "--out", &folder.display().to_string()]);
    }
}
