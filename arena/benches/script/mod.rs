//! A match that was drawn beforehand, the arena playing it again and again with everything on, and a bot that answers from it at once.

use arena::clock::Clock;
use arena::game::{Params, Status};
use arena::games;
use arena::play::{MatchPlan, Program, play_match, seat_program};
use arena::record::{Event, Everyone, Header, PlayerRecord, Recorder, TranscriptWriter};
use arena::referee::{Referee, Step};
use arena::seat::{BySeat, Seat};
use arena::seed::Stream;
use arena::table::{Chair, Dialect, JsonLines, Request, Table, Thinking};
use arena::transport::{Host, Interrupt, Limits};
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A match that was drawn beforehand: what is asked and what is answered, a turn each.
pub struct Script {
    pub params: Params,
    pub requests: Vec<(Seat, Vec<u8>)>,
    pub answers: Vec<String>,
}

/// Draws a match of this game.
pub fn draw(game: &str, params: Params) -> Script {
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

/// The arena, with everything on.
pub struct Arena {
    plan: MatchPlan,
    chairs: Option<BySeat<Chair>>,
    interrupt: Interrupt,
    transcript: PathBuf,
}

impl Arena {
    /// Two bots of this program on this machine, ready to play.
    pub fn start(
        game: &str,
        params: &Params,
        host: &Host,
        program: &Program,
        thinking: Thinking,
        folder: &Path,
    ) -> Arena {
        let seat = |_| seat_program(host, program, &Limits::default()).expect("this program can be executed");
        let game = games::find(game).expect("the game is there");
        let started = game.start(params, 1).expect("its parameters hold");
        let players = [PlayerRecord::default(), PlayerRecord::default()];
        let plan = MatchPlan {
            thinking,
            isolation: host.in_force(),
            keep: BySeat([true; 2]),
            ..MatchPlan::of("m".to_string(), game, started, 1, Clock::default(), players)
        };
        let interrupt = Interrupt::new().expect("a pair of sockets can be had");
        Arena { plan, chairs: Some(BySeat::from_fn(seat)), interrupt, transcript: folder.join("transcript.jsonl") }
    }

    /// Where the next match's transcript is written.
    #[allow(dead_code, reason = "not every benchmark keeps them apart")]
    pub fn write_to(&mut self, transcript: PathBuf) {
        self.transcript = transcript;
    }

    /// Microseconds a move in so many matches.
    pub fn batch(&mut self, rounds: usize) -> f64 {
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
#[allow(dead_code, reason = "not every benchmark has such a bot")]
pub fn answer_from(script: &Path) -> io::Result<()> {
    answer_after(script, Duration::ZERO)
}

/// The same, but each answer takes so long, computing.
pub fn answer_after(script: &Path, think: Duration) -> io::Result<()> {
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
                let began = Instant::now();
                while began.elapsed() < think {
                    std::hint::spin_loop();
                }
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

/// This benchmark.
pub fn this_program() -> PathBuf {
    std::env::current_exe().expect("this program knows where it is")
}

/// Microseconds of each of so many.
pub fn micros_each(time: Duration, count: usize) -> f64 {
    time.as_secs_f64() * 1e6 / count as f64
}

/// The middle one.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
