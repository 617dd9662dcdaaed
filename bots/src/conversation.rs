//! The conversation with the arena: lines in, lines out, until the input ends.
//! Knows neither a game nor a process: input, output and complaints are given.

use crate::player::{Player, Request};
use arena::protocol::VERSION;
use arena::protocol::bot::{Message, Start, write_move, write_ready};
use std::io::{self, BufRead, ErrorKind, Write};

/// Why a bot gave up.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    /// Its exit status: 1 for what could not be read, 2 for a match that it does not play.
    pub(crate) status: u8,
    /// What was wrong, for its log.
    pub(crate) why: String,
}

/// Answers what the arena says. A line that is no message is complained about and otherwise left alone; an output that
/// nobody reads any more ends the conversation like the end of the input.
pub(crate) fn hold(
    players: &mut [Player<'_>],
    mut input: impl BufRead,
    mut output: impl Write,
    complain: &mut dyn FnMut(&str),
) -> Result<(), Stop> {
    let (mut line, mut out) = (Vec::new(), Vec::new());
    let mut current = None;
    while read_line(&mut input, &mut line)? {
        let message = match read_message(&line) {
            Ok(Some(message)) => message,
            Ok(None) => continue,
            Err(why) => {
                complain(&why);
                continue;
            }
        };
        out.clear();
        match message {
            Message::Start(start) => {
                current = Some((choose_player(players, &start)?, start));
                write_ready(&mut out, true);
            }
            Message::Turn(turn) => {
                let Some((player, start)) = &current else {
                    complain("a `turn` came before any `start`: it is not answered");
                    continue;
                };
                let reply = players[*player].reply(&Request { start, turn: &turn });
                let (mv, note) = reply.map_err(|why| Stop { status: 1, why })?;
                write_move(&mut out, turn.turn, &mv, note.as_deref());
            }
            Message::End(_) => current = None,
        }
        if output.write_all(&out).and_then(|()| output.flush()).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// Reads the next line; false when there is none.
pub(crate) fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool, Stop> {
    line.clear();
    match input.read_until(b'\n', line) {
        Ok(length) => Ok(length > 0),
        Err(error) if is_hang_up(&error) => Ok(false),
        Err(error) => Err(Stop { status: 1, why: format!("the input cannot be read: {error}") }),
    }
}

fn is_hang_up(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset)
}

/// The message of a line; `None` for a blank one.
pub(crate) fn read_message(line: &[u8]) -> Result<Option<Message>, String> {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    serde_json::from_slice(line).map(Some).map_err(|error| {
        let text = String::from_utf8_lossy(&line[..line.len().min(SHOWN)]);
        let more = if line.len() > SHOWN { "…" } else { "" };
        format!("a line is no message of the arena ({error}) and is not answered: {text}{more}")
    })
}

/// So many bytes of a bad line are shown.
const SHOWN: usize = 200;

/// Refuses a match in a protocol that is not spoken here.
pub(crate) fn check_version(start: &Start) -> Result<(), Stop> {
    if start.protocol != VERSION {
        let why = format!("the arena speaks protocol {}, but this bot only protocol {VERSION}", start.protocol);
        return Err(Stop { status: 2, why });
    }
    Ok(())
}

/// The place of the player who plays this match.
fn choose_player(players: &[Player<'_>], start: &Start) -> Result<usize, Stop> {
    check_version(start)?;
    let plays = |player: &Player| player.game().is_none_or(|game| game == start.game);
    players.iter().position(plays).ok_or_else(|| {
        let games: Vec<&str> = players.iter().filter_map(Player::game).collect();
        let why = format!("this bot does not play `{}`: it plays {}", start.game, games.join(", "));
        Stop { status: 2, why }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn a_process_plays_match_after_match() {
        let start = start("anything").to_string();
        let turn = r#"{"type":"turn","turn":4,"seat":1,"state":{"x":3},"since":[],"legal":["c2"],"future":[1]}"#;
        let end = r#"{"type":"end","result":{"winner":1,"scores":[16,20],"reason":"finished","detail":null,"at_fault":null},"since":[]}"#;
        let input = [&start, turn, end, &start, turn, end].join("\n");
        let heard = talk(&mut [any()], &input);
        let ready = r#"{"type":"ready","reuse":true}"#;
        let moved = r#"{"type":"move","turn":4,"move":"c2","note":{"x":3}}"#;
        assert_eq!(heard, (Ok(()), [ready, moved, ready, moved, ""].join("\n"), vec![]));
    }

    #[test]
    fn line_ends_blank_lines_and_a_byte_order_mark_do_not_matter() {
        let input = format!("\u{feff}{}\r\n\r\n  \n \t{TURN}", start("anything"));
        let (ended, said, complaints) = talk(&mut [any()], &input);
        assert_eq!((ended, said.lines().count(), complaints), (Ok(()), 2, vec![]));
    }

    #[test]
    fn a_bad_line_is_complained_about_and_the_match_goes_on() {
        let input = format!("{}\nnonsense\n{{\"type\":\"ping\"}}\n{TURN}\n", start("anything"));
        let (ended, said, complaints) = talk(&mut [any()], &input);
        assert_eq!((ended, said.lines().count()), (Ok(()), 2));
        assert!(complaints[0].ends_with("and is not answered: nonsense"), "{complaints:?}");
        assert!(complaints[1].contains("no message of type `ping`"), "{complaints:?}");
    }

    #[test]
    fn a_turn_without_a_start_is_not_answered() {
        let (ended, said, complaints) = talk(&mut [any()], TURN);
        assert_eq!((ended, said.as_str()), (Ok(()), ""));
        assert_eq!(complaints, ["a `turn` came before any `start`: it is not answered"]);
    }

    #[test]
    fn a_match_of_another_game_is_refused_before_ready() {
        let mut players = crate::greedy::players();
        let (ended, said, _) = talk(&mut players, &start("chess").to_string());
        let stop = ended.expect_err("nobody plays chess here");
        assert_eq!((stop.status, said.as_str()), (2, ""));
        assert!(stop.why.starts_with("this bot does not play `chess`: it plays othello"), "{}", stop.why);
    }

    #[test]
    fn a_state_that_cannot_be_read_ends_the_bot_with_the_reason() {
        let mut players = crate::greedy::players();
        let (ended, _, _) = talk(&mut players, &format!("{}\n{TURN}\n", start("othello")));
        let stop = ended.expect_err("that is no state of Othello");
        assert!(stop.status == 1 && stop.why.starts_with("the state of turn 4 cannot be read: "), "{stop:?}");
    }

    #[test]
    fn a_closed_output_ends_the_conversation_quietly() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let input = start("anything").to_string();
        assert_eq!(hold(&mut [any()], input.as_bytes(), Closed, &mut |why| panic!("{why}")), Ok(()));
    }

    const TURN: &str = r#"{"type":"turn","turn":4,"seat":1,"state":{"x":3},"since":[],"legal":["c2"]}"#;

    fn start(game: &str) -> Value {
        json!({"type": "start", "protocol": 1, "game": game, "params": {"size": 6}, "seat": 1, "players": ["a", "b"],
               "seed": 7, "match": "m1", "clock": {"start_ms": 10000, "move_ms": 1000, "game_ms": null, "increment_ms": 0}})
    }

    /// Plays the first legal move and notes the state.
    fn any() -> Player<'static> {
        Player::of_any(|request| {
            let first = request.turn.legal.as_ref().expect("the test lists moves")[0].clone();
            crate::Answer::new(first).with_note(request.turn.state.clone())
        })
    }

    fn talk(players: &mut [Player<'_>], input: &str) -> (Result<(), Stop>, String, Vec<String>) {
        let (mut said, mut complaints) = (Vec::new(), Vec::new());
        let ended = hold(players, input.as_bytes(), &mut said, &mut |why| complaints.push(why.to_string()));
        (ended, String::from_utf8(said).expect("the loop writes UTF-8"), complaints)
    }
}
