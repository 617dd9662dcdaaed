//! A bot that reads words and writes words, as a bot that speaks JSON: the wrapper starts it for each match and speaks
//! with the arena in its place. It has no idea of its own, and passes on what the inner bot does, right or wrong.

mod inner;

use crate::conversation::{Stop, check_version, read_line, read_message};
use arena::game::{AnyGame, AnyPosition, GameInfo, MoveError};
use arena::games::{self, GAMES};
use arena::protocol::bot::{Message, Start, write_move, write_ready};
use arena::protocol::words::{
    Exchange, NOT_READY, expected_in_words, first_line, go_on_from_begun, ready_in_words, request_line, write_begun,
};
use inner::{Heard, Inner};
use std::io::{self, Cursor, Read, StdinLock, Write};
use std::process::ExitCode;

const ABOUT: &str = "\
Plays with a bot that reads no JSON, only words with spaces between them, a line for a line:
    plain -- ./mybot
The bot is started for each match in the folder of the wrapper. What its lines look like: arena rules GAME --plain
";

/// Of the lines that came before they were asked for, so many are passed on each time.
const PASSED_ON: usize = 20;

/// So long after an answer that is none or is not allowed it is looked whether more follows, in ms: then it was a debug print.
const AFTER_A_BAD_ANSWER_MS: u16 = 10;

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
    let mut besides = Exchange::default();
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
                let (game, clock) = (find_game(&start)?, start.clock);
                let limits = [clock.move_ms, clock.game_ms];
                let first = first_line(&start.game, start.seat, start.seed, limits, clock.increment_ms, &start.params);
                current = Some((game, start.params));
                Asked::Ready(first, game.info())
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
            (Message::End(_), _) => {
                pass_on(&inner.take_what_came_early(0), &mut besides);
                break;
            }
        };
        pass_on(&inner.take_what_came_early(0), &mut besides);
        let mut begun = false;
        let heard = inner.ask(
            &asked.in_words(),
            || input.has_another_request(),
            |words| {
                let mut beginning = Vec::new();
                write_begun(&mut beginning, words);
                // Where nobody reads it, nobody reads the answer either.
                begun = say(&beginning).is_ok();
            },
        );
        let sent = match heard {
            Heard::Line(said) => {
                let answer = asked.answer(&said).unwrap_or_else(|why| {
                    for line in inner.take_what_came_early(AFTER_A_BAD_ANSWER_MS) {
                        besides.add_beside(&line);
                    }
                    asked.refused(&said, &why, &besides)
                });
                say(&if begun { go_on_from_begun(&answer) } else { answer })
            }
            Heard::TooLong(bytes) => say(&bytes),
            Heard::Nothing => return Ok(inner.end()),
        };
        if sent.is_err() {
            break;
        }
    }
    Ok(inner.end())
}

/// Passes on what the bot printed while nothing was asked of it, as text that is no message: the arena keeps and tells such lines.
fn pass_on(lines: &[String], besides: &mut Exchange) {
    let mut out = String::new();
    for line in lines {
        besides.add_beside(line);
    }
    for line in lines.iter().take(PASSED_ON) {
        // What would be taken for a message, or for nothing at all, is told with a word before it.
        let is_text = !line.trim().is_empty() && !line.trim_start().starts_with('{') && !line.contains('\0');
        out += &if is_text { format!("{line}\n") } else { format!("printed: {line:?}\n") };
    }
    if lines.len() > PASSED_ON {
        out += &format!("… and {} more lines\n", lines.len() - PASSED_ON);
    }
    // Where nobody reads it, the next answer shows that.
    let _ = say(out.as_bytes());
}

/// Writes to the arena.
fn say(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
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
    /// Whether it is ready for the match of this game that this first line tells.
    Ready(String, &'static GameInfo),
    /// A move in this turn and position.
    Move(u32, Box<dyn AnyPosition>),
}

impl Asked {
    /// The line for the inner bot, without its end.
    fn in_words(&self) -> String {
        match self {
            Asked::Ready(first, _) => first.clone(),
            Asked::Move(_, position) => request_line(&**position),
        }
    }

    /// The line for the arena; or why the bot's own is no `ready`, or no move that the rules allow.
    fn answer(&self, said: &str) -> Result<Vec<u8>, String> {
        let mut out = Vec::new();
        match self {
            Asked::Ready(..) if said.trim() == "ready" => write_ready(&mut out, false),
            Asked::Ready(..) => return Err(NOT_READY.to_string()),
            Asked::Move(turn, position) => {
                let tried = position.read_plain(said).and_then(|mv| position.clone_box().play(&mv).map(|_| mv));
                match tried {
                    Ok(mv) => write_move(&mut out, *turn, &mv.to_string(), None),
                    Err(MoveError::BadShape(why) | MoveError::Illegal(why)) => return Err(why),
                }
            }
        }
        Ok(out)
    }

    /// The line for the arena that shows what the bot said instead: the arena judges it.
    fn refused(&self, said: &str, why: &str, besides: &Exchange) -> Vec<u8> {
        let (played, expected) = match self {
            Asked::Ready(_, info) => (None, ready_in_words(info)),
            Asked::Move(turn, position) => {
                let mv = position.read_plain(said).unwrap_or_else(|_| said.into());
                (Some((*turn, mv)), expected_in_words(position.info()))
            }
        };
        let exchange = Exchange::after(besides, &self.in_words(), said, expected);
        (exchange.refused(played, why) + "\n").into_bytes()
    }
}

fn find_game(start: &Start) -> Result<&'static dyn AnyGame, Stop> {
    check_version(start)?;
    games::find(&start.game).ok_or_else(|| {
        let known: Vec<&str> = GAMES.iter().map(|game| game.info().id).collect();
        Stop { status: 2, why: format!("`{}` is not known here: the games are {}", start.game, known.join(", ")) }
    })
}

fn failed(why: String) -> Stop {
    Stop { status: 1, why }
}
