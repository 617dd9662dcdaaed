//! Bots as separate programs, and a match between two of them with a game as referee.
#![allow(dead_code, reason = "each test program uses its own part")]

use arena::game::{Game, Params, Played, Status};
use arena::games;
use arena::protocol::{
    ClockLine, Expect, Heard, Since, Start, Turn, TurnClock, WriteJson, read_line, write_start, write_turn,
};
use arena::seat::{BySeat, Seat};
use arena::seed::bot_seed;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A bundled bot with these arguments.
pub fn bundled(name: &str, arguments: &[&str]) -> Process {
    Process::spawn(Command::new(bundled_path(name)).args(arguments))
}

/// Where a bundled bot was built.
pub fn bundled_path(name: &str) -> &'static str {
    match name {
        "plain" => env!("CARGO_BIN_EXE_plain"),
        "paper" => env!("CARGO_BIN_EXE_paper"),
        "random" => env!("CARGO_BIN_EXE_random"),
        "greedy" => env!("CARGO_BIN_EXE_greedy"),
        "notipping-bridge" => env!("CARGO_BIN_EXE_notipping-bridge"),
        "notipping-random" => env!("CARGO_BIN_EXE_notipping-random"),
        other => panic!("no bundled bot is called {other}"),
    }
}

/// A bot of the folder of examples.
pub fn example(file: &str) -> Process {
    Process::spawn(Command::new("python3").arg(examples_folder().join(file)))
}

/// The folder of examples.
pub fn examples_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

/// A running bot. It is ended with the test.
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Process {
    fn spawn(command: &mut Command) -> Process {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the bot starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("the output is piped"));
        Process { child, input, output }
    }

    /// Sends a line, newline included, and returns the next line of the answer.
    pub fn ask(&mut self, line: &[u8]) -> Vec<u8> {
        self.tell(line);
        let mut answer = Vec::new();
        self.output.read_until(b'\n', &mut answer).expect("the bot can be read");
        assert!(!answer.is_empty(), "the bot ended instead of answering {}", String::from_utf8_lossy(line));
        answer
    }

    /// Sends a line, newline included.
    pub fn tell(&mut self, line: &[u8]) {
        self.input.as_mut().expect("the input is open").write_all(line).expect("the bot reads");
    }

    /// Closes the bot's input and returns its exit status.
    pub fn close(&mut self) -> Option<i32> {
        self.input = None;
        self.child.wait().expect("the bot can be waited for").code()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already, and then there is nothing to end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Plays a match, every move checked by the game, and returns the final position. `look` sees each move: the position
/// before it, the move, what became of it, the note.
pub fn play<G: Game>(
    params: &Value,
    seed: u64,
    bots: &mut [Process; 2],
    mut look: impl FnMut(&G, &G::Move, &Played<G::Move>, &Value),
) -> G {
    let (mut position, params) = deal::<G>(params, seed);
    begin::<G>(&params, seed, bots);
    let mut since = BySeat::from_fn(|_| Since::new());
    for turn in 0.. {
        match position.status() {
            Status::Over(_) => return position,
            Status::MustPass(_) => position.pass(),
            Status::ToMove(seat) => {
                let (answer, note) = ask(&position, turn, &since[seat], &mut bots[seat.index()], seat);
                let mv = position.read_move(&answer).unwrap_or_else(|bad| panic!("turn {turn}: {}", bad.0));
                position.check(&mv).unwrap_or_else(|illegal| panic!("turn {turn}: {}", illegal.0));
                let before = position.clone();
                let played = position.apply(&mv);
                look(&before, &mv, &played, &note);
                let mut accepted = Vec::new();
                G::write_move(&played.accepted, &mut accepted);
                let accepted = String::from_utf8(accepted).expect("a move is UTF-8");
                since[seat] = Since::new();
                for of in Seat::BOTH {
                    since[of].push(turn, seat, Some(&accepted));
                }
            }
        }
    }
    unreachable!("turns do not run out")
}

/// The position at the start, and the complete parameters.
fn deal<G: Game>(params: &Value, seed: u64) -> (G, Params) {
    let given = params.as_object().expect("parameters are an object");
    let started = games::find(G::INFO.id).expect("the game is listed").start(given, seed).expect("it can begin");
    let position = G::read_state(&started.params, &started.position.state(), Seat::First).expect("a state can be read");
    (position, started.params)
}

fn begin<G: Game>(params: &Params, seed: u64, bots: &mut [Process; 2]) {
    for seat in Seat::BOTH {
        let mut line = Vec::new();
        let start = Start {
            game: G::INFO.id,
            params,
            seat,
            players: ["a", "b"],
            seed: bot_seed(seed, seat),
            match_id: "m",
            clock: ClockLine::default(),
        };
        write_start(&mut line, &start);
        let answer = bots[seat.index()].ask(&line);
        let heard = read_line(&answer, true, &Expect::Ready { match_id: "m", again: false });
        assert_eq!(heard, Heard::Ready { reuse: true });
    }
}

fn ask<G: Game>(position: &G, turn: u32, since: &Since, bot: &mut Process, seat: Seat) -> (Value, Value) {
    let legal = position.legal_moves().filter(|_| G::INFO.always_lists_moves);
    let write_legal = |out: &mut Vec<u8>| {
        let texts = legal.iter().flatten().map(|mv| {
            let mut text = Vec::new();
            G::write_move(mv, &mut text);
            text
        });
        out.push(b'[');
        out.extend(texts.collect::<Vec<_>>().join(&b','));
        out.push(b']');
    };
    let mut line = Vec::new();
    let write_legal: Option<WriteJson> = if legal.is_some() { Some(&write_legal) } else { None };
    let write_state = |out: &mut Vec<u8>| position.write_state(out);
    write_turn(
        &mut line,
        &Turn { turn, seat, clock: TurnClock::default(), since, write_state: &write_state, write_legal },
    );
    let answer = bot.ask(&line);
    match read_line(&answer, false, &Expect::Move { match_id: "m", turn }) {
        Heard::Move { mv, note, note_dropped: None } => {
            (mv, note.map_or(Value::Null, |note| serde_json::from_str(&note).expect("a note is JSON")))
        }
        other => panic!("turn {turn}: {other:?}"),
    }
}
