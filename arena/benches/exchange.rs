//! What a move costs: the arena against a raw exchange of the same bytes with the same bots, in one run, on one core.
//!
//! `cargo bench -p arena --bench exchange [-- GAME…]` prints, a game a line, the median microseconds a move of both and
//! their ratio. *Raw* is what no referee can do without: two bots kept alive are asked in turn over pipes, each answer is waited
//! for with `poll` and an absolute deadline. *Arena* is `play_match` with everything on: clock, referee, transcript on disk,
//! fair clock (with TMPDIR on a memory file system, the disk is left out). Both play the same match, drawn beforehand, again and again; the bots answer from a list, at once.

mod script;

use arena::play::Program;
use arena::table::Thinking;
use arena::transport::{Host, cores};
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::TimeSpec;
use script::{Arena, Script, answer_from, draw, median, micros_each, this_program};
use std::fs;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// Batches of each kind, in turn; their median is told.
const BATCHES: usize = 15;

/// About so many moves a batch.
const MOVES: usize = 6_000;

/// Games, their parameters, and the ratio that is aimed at.
const CASES: [(&str, &str, f64); 5] = [
    ("othello", "{}", 1.5),
    ("othello", r#"{"size":10}"#, 1.5),
    ("notipping", "{}", 1.5),
    ("offset", "{}", 2.5),
    ("flip", r#"{"n":200,"rounds":100}"#, 4.0),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, script] = &arguments[..]
        && word == "answer-from"
    {
        return answer_from(Path::new(script)).expect("the arena listens");
    }
    // `cargo test --all-targets` runs this without `--bench`: a short look is enough then.
    let long = arguments.iter().any(|word| word == "--bench");
    let wanted: Vec<&String> = arguments.iter().filter(|word| !word.starts_with('-')).collect();
    let core = *cores::allowed().last().expect("there is a core");
    cores::bind_this_thread(&[core]).expect("its own core may be used");
    println!("one core ({core}); median of {BATCHES} batches; µs a move");
    for (game, params, aim) in CASES {
        if wanted.is_empty() || wanted.iter().any(|word| *word == game) {
            measure(game, params, aim, if long { BATCHES } else { 1 });
        }
    }
}

fn measure(game: &str, params: &str, aim: f64, batches: usize) {
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let script = draw(game, serde_json::from_str(params).expect("the parameters are JSON"));
    let answers = folder.path().join("answers");
    fs::write(&answers, script.answers.join("\n")).expect("the answers can be written");
    let rounds = if batches == 1 { 1 } else { (MOVES / script.requests.len()).max(3) };

    let mut raw = Raw::start(&answers);
    let host = Host::with_keeper(PathBuf::from(env!("CARGO_BIN_EXE_arena")), true);
    let argv = [this_program().display().to_string(), "answer-from".to_string(), answers.display().to_string()];
    let program =
        Program { argv: argv.to_vec(), folder: folder.path().to_path_buf(), env: Vec::new(), view: None, user: None };
    let mut arena = Arena::start(game, &script.params, &host, &program, Thinking::OwnTurn, folder.path());
    let (mut raw_us, mut arena_us) = (Vec::new(), Vec::new());
    for batch in 0..=batches {
        let (one, other) = (raw.batch(&script, rounds), arena.batch(rounds));
        // The first batch warms both up.
        if batch > 0 {
            raw_us.push(one);
            arena_us.push(other);
        }
    }
    let ratio = median(raw_us.iter().zip(&arena_us).map(|(raw, arena)| arena / raw).collect());
    let bytes = script.requests.iter().map(|(_, line)| line.len()).sum::<usize>() / script.requests.len();
    println!(
        "{game:9} {params:24} {bytes:6} bytes down  raw {:6.2}  arena {:6.2}  ratio {ratio:.2} (aim {aim})",
        median(raw_us),
        median(arena_us)
    );
}

/// The least that can be done.
struct Raw {
    bots: [RawBot; 2],
}

struct RawBot {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
}

impl Raw {
    fn start(answers: &Path) -> Raw {
        let bot = || {
            let mut command = Command::new(this_program());
            command.arg("answer-from").arg(answers).stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn().expect("this program can be executed");
            let (stdin, stdout) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
            RawBot { child, stdin, stdout }
        };
        Raw { bots: [bot(), bot()] }
    }

    fn batch(&mut self, script: &Script, rounds: usize) -> f64 {
        let began = Instant::now();
        for _ in 0..rounds {
            for (seat, line) in &script.requests {
                self.bots[seat.index()].exchange(line);
            }
        }
        micros_each(began.elapsed(), rounds * script.requests.len())
    }
}

impl RawBot {
    fn exchange(&mut self, line: &[u8]) {
        let deadline = Instant::now() + Duration::from_secs(1);
        self.stdin.write_all(line).expect("the bot reads");
        let mut answer = [0; 64 * 1024];
        let mut length = 0;
        while !answer[..length].ends_with(b"\n") {
            let left = deadline.saturating_duration_since(Instant::now());
            let mut waiting = [PollFd::new(self.stdout.as_fd(), PollFlags::POLLIN)];
            assert!(ppoll(&mut waiting, Some(TimeSpec::from_duration(left)), None) == Ok(1), "the bot answers");
            length += self.stdout.read(&mut answer[length..]).expect("the bot writes");
        }
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        for bot in &mut self.bots {
            bot.child.kill().expect("it is ours");
            bot.child.wait().expect("it is ours");
        }
    }
}
