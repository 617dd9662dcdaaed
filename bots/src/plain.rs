//! A bot that reads words and writes words, as a bot that speaks JSON: the wrapper starts it for each match and speaks
//! with the arena in its place. It has no idea of its own, and passes on what the inner bot does, right or wrong.

mod inner;

use crate::conversation::{Stop, check_version, read_line, read_message};
use arena::game::{AnyGame, MoveError};
use arena::games::{self, GAMES};
use arena::protocol::bot::{Message, Start, Turn, write_move, write_ready};
use inner::{Heard, Inner};
use serde_json::{Value, json};
use std::io::{self, Write};
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
    let (mut input, mut line) = (io::stdin().lock(), Vec::new());
    let mut current: Option<(&'static dyn AnyGame, Start)> = None;
    while read_line(&mut input, &mut line)? {
        let message = match read_message(&line) {
            Ok(Some(message)) => message,
            Ok(None) => continue,
            Err(why) => {
                crate::complain(&why);
                continue;
            }
        };
        let (request, answer): (Vec<u8>, Box<dyn Fn(&str) -> Vec<u8>>) = match message {
            Message::Start(start) => {
                let game = find_game(&start)?;
                let request = first_line(&start);
                current = Some((game, start));
                (request, Box::new(ready))
            }
            Message::Turn(turn) => {
                let Some((game, start)) = &current else {
                    crate::complain("a `turn` came before any `start`: it is not answered");
                    continue;
                };
                let position = game
                    .read_state(&start.params, &turn.state, turn.seat)
                    .map_err(|error| failed(format!("the state of turn {} cannot be read: {error:?}", turn.turn)))?;
                let mut request = Vec::new();
                position.write_plain(&mut request);
                (request, Box::new(move |said| answered(&turn, said, position.read_plain(said))))
            }
            // The inner bot knows by the end of its input.
            Message::End(_) => break,
        };
        if let Some(early) = inner.take_what_came_early() {
            crate::complain(&format!("passed over, since it came before it was asked for: {early}"));
        }
        let mut stdout = io::stdout().lock();
        let sent = match inner.ask(request) {
            Heard::Line(said) => stdout.write_all(&answer(&said)),
            Heard::TooLong(bytes) => stdout.write_all(&bytes),
            Heard::Nothing => return Ok(inner.end()),
        };
        if sent.and_then(|()| stdout.flush()).is_err() {
            break;
        }
    }
    Ok(inner.end())
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

/// The line for the arena when the bot has answered the first line. Anything but `ready` is shown to the arena, which
/// will not take it.
fn ready(said: &str) -> Vec<u8> {
    let mut out = Vec::new();
    if said.trim() == "ready" {
        write_ready(&mut out, false);
    } else {
        let why = "the first line is answered with `ready`";
        out = format!("{}\n", json!({"why": why, "said": said})).into_bytes();
    }
    out
}

/// The line for the arena when the bot has answered a request. What is no move is passed on as the text that it is, with
/// why it is none: the arena shows the line.
fn answered(turn: &Turn, said: &str, read: Result<Value, MoveError>) -> Vec<u8> {
    let mut out = Vec::new();
    match read {
        Ok(mv) => write_move(&mut out, turn.turn, &mv.to_string(), None),
        Err(MoveError::BadShape(why) | MoveError::Illegal(why)) => {
            out = format!("{}\n", json!({"turn": turn.turn, "why": why, "move": said})).into_bytes();
        }
    }
    out
}

fn failed(why: String) -> Stop {
    Stop { status: 1, why }
}
