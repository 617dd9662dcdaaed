//! A bot that reads words and writes words, as a bot that speaks JSON: the wrapper starts it for each match and speaks
//! with the arena in its place. It has no idea of its own, and passes on what the inner bot does, right or wrong.

mod inner;

use crate::conversation::{Stop, check_version, read_line, read_message};
use arena::game::{AnyGame, AnyPosition, MoveError};
use arena::games::{self, GAMES};
use arena::protocol::bot::{Message, Start, write_move, write_ready};
use inner::{Heard, Inner};
use serde_json::{Value, json};
use std::io::{self, Cursor, Read, StdinLock, Write};
use std::process::ExitCode;

const ABOUT: &str = "\
Plays with a bot that reads no JSON, only words with spaces between them, a line for a line:
    plain -- ./mybot
The bot is started for each match in the folder of the wrapper. What its lines look like: arena rules GAME --plain
";

/// Plays one match.
pub fn main() -> ExitCode {
    let arguments = crate::arguments();
    let command = match &arguments[..] {
        [option] if option == "--help" || option == "-h" => return crate::show(ABOUT),
        [dashes, command @ ..] if dashes == "--" && !command.is_empty() => command,
        _ => return crate::refuse("the bot's command is missing: plain -- ./mybot"),
    };
    match hold(command) {
        Ok(status) => status,
        Err(stop) => {
            crate::complain(&stop.why);
            ExitCode::from(stop.status)
        }
    }
}

/// Answers what the arena says with what the inner bot says, until either ends; how the inner bot ended.
fn hold(command: &[String]) -> Result<ExitCode, Stop> {
    let mut inner = Inner::start(command)?;
    let (mut input, mut line) = (Input { stdin: io::stdin().lock(), rest: None }, Vec::new());
    let mut current = None;
    while input.next(&mut line)? {
        let message = match read_message(&line) {
            Ok(Some(message)) => message,
            Ok(None) => continue,
            Err(why) => {
                crate::complain(&why);
                continue;
            }
        };
        let asked = match (message, &current) {
            (Message::Start(start), _) => {
                let first = first_line(&start);
                current = Some((find_game(&start)?, start.params));
                Asked::Ready(first)
            }
            (Message::Turn(turn), Some((game, params))) => {
                let position = game
                    .read_state(params, &turn.state, turn.seat)
                    .map_err(|error| failed(format!("the state of turn {} cannot be read: {error:?}", turn.turn)))?;
                Asked::Move(turn.turn, position)
            }
            (Message::Turn(_), None) => {
                crate::complain("a `turn` came before any `start`: it is not answered");
                continue;
            }
            // The inner bot knows by the end of its input.
            (Message::End(_), _) => break,
        };
        if let Some(early) = inner.take_what_came_early() {
            crate::complain(&format!("passed over, since it came before it was asked for: {early}"));
        }
        let mut stdout = io::stdout().lock();
        let sent = match inner.ask(asked.in_words(), || input.has_another_request()) {
            Heard::Line(said) => stdout.write_all(&asked.answered(&said)),
            Heard::TooLong(bytes) => stdout.write_all(&bytes),
            Heard::Nothing => return Ok(inner.end()),
        };
        if sent.and_then(|()| stdout.flush()).is_err() {
            break;
        }
    }
    Ok(inner.end())
}

/// Our own input: lines of the arena.
struct Input {
    stdin: StdinLock<'static>,
    /// What was left in it when its other end was found closed.
    rest: Option<Cursor<Vec<u8>>>,
}

impl Input {
    /// Reads the next line; false when there is none.
    fn next(&mut self, line: &mut Vec<u8>) -> Result<bool, Stop> {
        match &mut self.rest {
            Some(rest) => read_line(rest, line),
            None => read_line(&mut self.stdin, line),
        }
    }

    /// Whether there is a request for a move in what is left, once nobody can write any more.
    fn has_another_request(&mut self) -> bool {
        let stdin = &mut self.stdin;
        let rest = self.rest.get_or_insert_with(|| {
            let mut rest = Vec::new();
            // What cannot be read is as good as not there.
            let _ = stdin.read_to_end(&mut rest);
            Cursor::new(rest)
        });
        let unread = &rest.get_ref()[rest.position() as usize..];
        unread.split(|byte| *byte == b'\n').any(|line| matches!(read_message(line), Ok(Some(Message::Turn(_)))))
    }
}

/// What the inner bot is asked.
enum Asked {
    /// Whether it is ready for the match that this first line tells.
    Ready(Vec<u8>),
    /// A move in this turn and position.
    Move(u32, Box<dyn AnyPosition>),
}

impl Asked {
    /// The line for the inner bot, without its end.
    fn in_words(&self) -> Vec<u8> {
        match self {
            Asked::Ready(first) => first.clone(),
            Asked::Move(_, position) => {
                let mut words = Vec::new();
                position.write_plain(&mut words);
                words
            }
        }
    }

    /// The line for the arena, which shows it when it cannot take it: what is not `ready`, or no move, is passed on as the
    /// text that it is, with why it is none.
    fn answered(&self, said: &str) -> Vec<u8> {
        let refused = match self {
            Asked::Ready(_) if said.trim() == "ready" => {
                let mut out = Vec::new();
                write_ready(&mut out, false);
                return out;
            }
            Asked::Ready(_) => json!({"why": "the first line is answered with `ready`", "said": said}),
            Asked::Move(turn, position) => match position.read_plain(said) {
                Ok(mv) => {
                    let mut out = Vec::new();
                    write_move(&mut out, *turn, &mv.to_string(), None);
                    return out;
                }
                Err(MoveError::BadShape(why) | MoveError::Illegal(why)) => {
                    json!({"turn": turn, "why": why, "move": said})
                }
            },
        };
        format!("{refused}\n").into_bytes()
    }
}

fn find_game(start: &Start) -> Result<&'static dyn AnyGame, Stop> {
    check_version(start)?;
    games::find(&start.game).ok_or_else(|| {
        let known: Vec<&str> = GAMES.iter().map(|game| game.info().id).collect();
        Stop { status: 2, why: format!("`{}` is not known here: the games are {}", start.game, known.join(", ")) }
    })
}

/// `GAME SEAT NAME=VALUE…`: the values are JSON, without a space in them.
fn first_line(start: &Start) -> Vec<u8> {
    let clock = [("move_ms", start.clock.move_ms), ("game_ms", start.clock.game_ms)];
    let told = [("seed", Some(start.seed))].into_iter().chain(clock);
    let told = told.chain([("increment_ms", Some(start.clock.increment_ms))]);
    let told = told.map(|(name, value)| (name.to_string(), Value::from(value)));
    let params = start.params.iter().map(|(name, value)| (name.clone(), value.clone()));
    let mut line = format!("{} {}", start.game, start.seat);
    for (name, value) in told.chain(params) {
        line.push_str(&format!(" {name}={value}"));
    }
    line.into_bytes()
}

fn failed(why: String) -> Stop {
    Stop { status: 1, why }
}
