//! What confinement costs: the start of a bot, and a move, confined against not, by turns in one run.
//!
//! `cargo bench -p arena --bench confined` prints medians. A *start* is a small C program (compiled here with `cc`), from the arena's
//! decision to start it until its first line is read: as it is, by the launcher alone (Landlock and seccomp, as best effort has it where
//! there is no bubblewrap), and with bubblewrap (strict). A *move* is one of Othello by `play_match` with everything on, of bots that
//! answer from a list at once. Run it as the user who runs cups: root gives bots users of their own besides.

mod script;

use arena::isolation::{Mode, Sandbox, Settings, View};
use arena::play::Program;
use arena::table::Thinking;
use arena::transport::{Channel, EVERYTHING, Host, Limits, Process, cores, wait};
use nix::poll::PollFd;
use script::{Arena, answer_from, draw, median, micros_each, this_program};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const STARTS: usize = 200;
const BATCHES: usize = 25;
const MATCHES: usize = 60;

const BOT: &str = "#include <unistd.h>\nint main(void) { char c; write(1, \"{\\\"type\\\":\\\"ready\\\"}\\n\", 17); \
                   while (read(0, &c, 1) > 0); return 0; }\n";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [word, script] if word == "answer-from" => return answer_from(Path::new(script)).expect("the arena listens"),
        [word, mode, bot] if word == "start-again-and-again" => {
            return start_again_and_again(Mode::parse(mode).expect("it is one"), Path::new(bot));
        }
        _ => {}
    }
    // `cargo test --all-targets` runs this without `--bench`: a short look is enough then.
    let long = arguments.iter().any(|word| word == "--bench");
    let core = *cores::allowed().last().expect("there is a core");
    starts(if long { STARTS } else { 2 });
    for thinking in [Thinking::OwnTurn, Thinking::Any] {
        if thinking == Thinking::OwnTurn {
            cores::bind_this_thread(&[core]).expect("its own core may be used");
        }
        moves(thinking, if long { BATCHES } else { 1 }, if long { MATCHES } else { 1 });
    }
}

fn arena() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_arena"))
}

fn sandbox(mode: Mode) -> Result<Option<Arc<Sandbox>>, String> {
    let settings = Settings { mode, ..Settings::default() };
    Ok(Sandbox::with_launcher(&arena(), &settings)?.map(Arc::new))
}

/// A program of these files, which are put where a confined bot of any user can read them.
fn program(files: &[&Path], words: &[&str], sandbox: Option<&Sandbox>, beside: &Path) -> Program {
    let folder = match sandbox {
        Some(sandbox) => sandbox.staging().make("bot").expect("there is room for a folder"),
        None => beside.to_path_buf(),
    };
    let put = |file: &&Path| -> String {
        let copy = folder.join(file.file_name().expect("a file has a name"));
        if *file != copy {
            fs::copy(file, &copy).expect("there is room for a file");
        }
        fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).expect("it is ours");
        copy.display().to_string()
    };
    let files: Vec<String> = files.iter().map(put).collect();
    let words = words.iter().map(|word| word.to_string());
    let argv = files[..1].iter().cloned().chain(words).chain(files[1..].iter().cloned()).collect();
    let view = View { read: vec![(folder.clone(), folder.clone())], write: Vec::new() };
    Program { argv, folder, env: Vec::new(), view: sandbox.map(|_| view), user: None }
}

fn starts(count: usize) {
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let (source, bot) = (folder.path().join("bot.c"), folder.path().join("bot"));
    fs::write(&source, BOT).expect("there is room for a file");
    if !Command::new("cc")
        .arg("-O1")
        .arg("-w")
        .arg("-o")
        .args([&bot, &source])
        .status()
        .is_ok_and(|done| done.success())
    {
        return println!("start: there is no C compiler (cc)");
    }
    let kinds =
        [("as it is", Mode::None, true), ("launcher", Mode::BestEffort, false), ("bubblewrap", Mode::Strict, true)];
    let mut kinds: Vec<(&str, Starter, Vec<f64>)> = kinds
        .into_iter()
        .filter_map(|(name, mode, with_path)| Some((name, Starter::new(mode, with_path, &bot)?, Vec::new())))
        .collect();
    for round in 0..=count {
        for (_, starter, times) in &mut kinds {
            let time = starter.once();
            // The first warms up.
            if round > 0 {
                times.push(time);
            }
        }
    }
    println!("start of a C bot until its first line; {count} of each; ms, minimum and median");
    for (name, _, mut times) in kinds {
        times.sort_by(f64::total_cmp);
        println!("{name:12} {:6.2} {:6.2}", times[0], median(times.clone()));
    }
}

/// A process that starts a bot whenever it is asked to, in an environment of its own.
struct Starter {
    child: Child,
    asks: ChildStdin,
    tells: BufReader<ChildStdout>,
}

impl Starter {
    fn new(mode: Mode, with_path: bool, bot: &Path) -> Option<Starter> {
        let mut command = Command::new(this_program());
        command.args(["start-again-and-again", mode.as_str()]).arg(bot);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        if !with_path {
            // No bubblewrap is found.
            command.env("PATH", "");
        }
        let mut child = command.spawn().expect("this program can be executed");
        let (asks, tells) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        let mut starter = Starter { child, asks, tells: BufReader::new(tells) };
        starter.line().map(|said| println!("{said}"))?;
        Some(starter)
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        self.tells.read_line(&mut line).ok().filter(|count| *count > 0)?;
        Some(line.trim().to_string())
    }

    /// One start, in milliseconds.
    fn once(&mut self) -> f64 {
        self.asks.write_all(b"\n").expect("it listens");
        self.line().and_then(|line| line.parse().ok()).expect("it tells a number")
    }
}

impl Drop for Starter {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start_again_and_again(mode: Mode, bot: &Path) {
    let sandbox = match sandbox(mode) {
        Ok(sandbox) => sandbox,
        Err(why) => return eprintln!("{}: {why}", mode.as_str()),
    };
    let host = Host::with_keeper(arena(), true).confining(sandbox.clone());
    let program = program(&[bot], &[], sandbox.as_deref(), bot.parent().expect("it is in a folder"));
    println!("{}: {}", mode.as_str(), host.in_force().layers.join(", "));
    for _ in std::io::stdin().lines() {
        let began = Instant::now();
        let mut process = Process::spawn(&host, &program, &Limits::default()).expect("it can be started");
        while process.inbox().next_line().is_none() {
            let interests = process.interests();
            let mut waiting: Vec<PollFd> =
                interests.iter().flatten().map(|(fd, flags)| PollFd::new(*fd, *flags)).collect();
            wait(&mut waiting, Some(Duration::from_secs(10))).expect("it can be waited for");
            drop(waiting);
            process.pump(&EVERYTHING).expect("it can be read");
        }
        println!("{}", micros_each(began.elapsed(), 1000));
    }
}

fn moves(thinking: Thinking, batches: usize, matches: usize) {
    let sandbox = match sandbox(Mode::Strict) {
        Ok(sandbox) => sandbox,
        Err(why) => return println!("moves: {why}"),
    };
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let script = draw("othello", arena::game::Params::default());
    let answers = folder.path().join("answers");
    fs::write(&answers, script.answers.join("\n")).expect("the answers can be written");
    let held = thinking == Thinking::OwnTurn;
    let mut playing = [None, sandbox].map(|sandbox| {
        let program = program(&[&this_program(), &answers], &["answer-from"], sandbox.as_deref(), folder.path());
        let host = Host::with_keeper(arena(), held).confining(sandbox.clone());
        let place = folder.path().join(if sandbox.is_some() { "confined" } else { "free" });
        fs::create_dir(&place).expect("there is room for a folder");
        (Arena::start("othello", &script.params, &host, &program, thinking, &place), Vec::new(), sandbox)
    });
    for batch in 0..=batches {
        for (arena, times, _) in &mut playing {
            let time = arena.batch(matches);
            // The first batch warms up.
            if batch > 0 {
                times.push(time);
            }
        }
    }
    let [(_, free, _), (_, confined, _)] = playing;
    let ratio = median(free.iter().zip(&confined).map(|(free, confined)| confined / free).collect());
    let word = if held { "own-turn, one core" } else { "any" };
    println!(
        "µs a move ({word}): not confined {:.2}, confined {:.2}, ratio {ratio:.2} (median of {batches} batches of {} moves)",
        median(free),
        median(confined),
        matches * script.requests.len()
    );
}
