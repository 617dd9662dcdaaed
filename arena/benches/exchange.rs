//! What a move costs: the arena against a raw exchange of the same bytes with the same bots, in one run, on one core.
//!
//! `cargo bench -p arena --bench exchange [-- GAME…]` prints, a game a line, the median microseconds a move of both and
//! their ratio. *Raw* is what no referee can do without: two bots kept alive are asked in turn over pipes, each answer is waited
//! for with `poll` and an absolute deadline. *Arena* is `play_match` with everything on: clock, referee, transcript on disk,
//! fair clock (with TMPDIR on a memory file system, the disk is left out). Both play the same match, drawn beforehand, again and again; the bots answer from a list, at once.

use arena::clock::Clock;
use arena::game::{Params, Status};
use arena::games;
use arena::play::{MatchPlan, Program, play_match, seat_program};
use arena::record::{Event, Everyone, Header, PlayerRecord, Recorder, TranscriptWriter};
use arena::referee::{Referee, Step};
use arena::seat::{BySeat, Seat};
use arena::seed::Stream;
use arena::table::{Chair, Dialect, JsonLines, Request, Table, Thinking};
use arena::transport::{Host, Interrupt, Limits, cores};
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::TimeSpec;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
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

/// A match that was drawn beforehand: what is asked and what is answered, a turn each.
struct Script {
    params: Params,
    requests: Vec<(Seat, Vec<u8>)>,
    answers: Vec<String>,
}

fn measure(game: &str, params: &str, aim: f64, batches: usize) {
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let script = draw(game, serde_json::from_str(params).expect("the parameters are JSON"));
    let answers = folder.path().join("answers");
    fs::write(&answers, script.answers.join("\n")).expect("the answers can be written");
    let rounds = if batches == 1 { 1 } else { (MOVES / script.requests.len()).max(3) };

    let mut raw = Raw::start(&answers);
    let mut arena = Arena::start(game, &script.params, &answers, folder.path());
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

fn draw(game: &str, params: Params) -> Script {
    let game = games::find(game).expect("the game is there");
    let started = game.start(&params, 1).expect("its parameters hold");
    let mut referee = Referee::new(started.position);
    let mut stream = Stream::new(1, "bench");
    let mut script = Script { params: started.params, requests: Vec::new(), answers: Vec::new() };
    loop {
        match referee.step() {
            Step::Done(_) => return script,
            // An empty line keeps the answers' lines in step with the turns.
            Step::Passed { .. } => script.answers.push(String::new()),
            Step::Ask { turn, seat } => {
                let mut line = Vec::new();
                let limit = Some(Duration::from_secs(1));
                let request = Request {
                    match_id: "m",
                    turn,
                    seat,
                    position: referee.position(),
                    since: referee.since(seat),
                    hints: false,
                    limit,
                    per_move: limit,
                    left: None,
                };
                JsonLines.request(&request, &mut line);
                referee.told(seat);
                let mv = referee.position().sample_move(&mut stream);
                referee.rule(seat, &mv).expect("a drawn move is legal");
                script.requests.push((seat, line));
                script.answers.push(format!(r#"{{"turn":{turn},"move":{mv}}}"#));
                assert!(!matches!(referee.position().status(), Status::MustPass(_)) || turn < 100_000);
            }
        }
    }
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

/// The arena, with everything on.
struct Arena {
    plan: MatchPlan,
    chairs: Option<BySeat<Chair>>,
    interrupt: Interrupt,
    transcript: PathBuf,
}

impl Arena {
    fn start(game: &str, params: &Params, answers: &Path, folder: &Path) -> Arena {
        let host = Host::with_keeper(PathBuf::from(env!("CARGO_BIN_EXE_arena")), true);
        let argv = [this_program().display().to_string(), "answer-from".to_string(), answers.display().to_string()];
        let program = Program::trusted(argv.to_vec(), folder.to_path_buf());
        let seat = |_| seat_program(&host, &program, &Limits::default()).expect("this program can be executed");
        let clock = Clock::default();
        let plan = MatchPlan {
            id: "m".to_string(),
            game: games::find(game).expect("the game is there"),
            started: games::find(game).expect("the game is there").start(params, 1).expect("its parameters hold"),
            from: None,
            seed: 1,
            clocks: BySeat([clock.clone(), clock.clone()]),
            clock,
            players: [PlayerRecord::default(), PlayerRecord::default()],
            hints: false,
            thinking: Thinking::OwnTurn,
            cores: None,
            pause: Duration::ZERO,
            keep: BySeat([true; 2]),
            isolation: arena::isolation::InForce::nothing(),
        };
        let interrupt = Interrupt::new().expect("a pair of sockets can be had");
        Arena { plan, chairs: Some(BySeat::from_fn(seat)), interrupt, transcript: folder.join("transcript.jsonl") }
    }

    fn batch(&mut self, rounds: usize) -> f64 {
        let mut watch = Watch::default();
        for _ in 0..rounds {
            let _ = fs::remove_file(&self.transcript);
            let mut writer = TranscriptWriter::create(&self.transcript).expect("a transcript can be written");
            let chairs = self.chairs.take().expect("they stayed after the match before");
            let mut table = Table::new(chairs, self.plan.thinking, self.interrupt.clone());
            let mut everyone = Everyone(vec![&mut writer as &mut dyn Recorder, &mut watch]);
            let closing = play_match(&self.plan, &mut table, &mut everyone).expect("a match can be played");
            assert!(closing.verdict.at_fault.is_none(), "{:?}", closing.verdict);
            self.chairs = Some(table.into_chairs());
        }
        micros_each(watch.spent, watch.moves)
    }
}

/// Adds up the time from the last `ready` to the last move of each match.
#[derive(Default)]
struct Watch {
    began: Option<Instant>,
    last: Option<Instant>,
    spent: Duration,
    moves: usize,
}

impl Recorder for Watch {
    fn begin(&mut self, _header: &Header) -> io::Result<()> {
        Ok(())
    }

    fn record(&mut self, _ms: u64, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Ready { .. } => self.began = Some(Instant::now()),
            Event::Move { .. } => {
                self.moves += 1;
                self.last = Some(Instant::now());
            }
            Event::Result(_) => {
                if let (Some(began), Some(last)) = (self.began, self.last) {
                    self.spent += last - began;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// A bot that answers at once, from a list of lines by turn, and can play any number of matches.
fn answer_from(script: &Path) -> io::Result<()> {
    let answers: Vec<String> = fs::read_to_string(script)?.lines().map(|line| format!("{line}\n")).collect();
    let mut input = BufReader::with_capacity(256 * 1024, io::stdin().lock());
    let mut output = io::stdout().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        match line.strip_prefix(br#"{"type":"turn","turn":"#) {
            Some(rest) => {
                let turn = rest
                    .iter()
                    .take_while(|byte| byte.is_ascii_digit())
                    .fold(0, |turn, byte| turn * 10 + usize::from(byte - b'0'));
                output.write_all(answers[turn].as_bytes())?;
            }
            None if line.starts_with(br#"{"type":"start""#) => {
                output.write_all(b"{\"type\":\"ready\",\"reuse\":true}\n")?
            }
            None => {}
        }
        output.flush()?;
    }
}

fn this_program() -> PathBuf {
    std::env::current_exe().expect("this program knows where it is")
}

fn micros_each(time: Duration, count: usize) -> f64 {
    time.as_secs_f64() * 1e6 / count as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
