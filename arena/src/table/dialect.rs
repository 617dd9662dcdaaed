//! How a player is spoken to: requests become lines, lines become answers. One dialect for each kind of player.

use crate::clock::Clock;
use crate::game::{AnyPosition, MoveError, Params};
use crate::protocol::{self, ClockLine, Expect, Since, TurnClock};
use crate::seat::Seat;
use crate::verdict::Verdict;
use serde_json::Value;
use std::time::Duration;

/// What a player is told before the match.
#[derive(Debug)]
pub struct Opening<'a> {
    /// The match.
    pub match_id: &'a str,
    /// The game's word.
    pub game: &'a str,
    /// All parameters.
    pub params: &'a Params,
    /// The player's seat.
    pub seat: Seat,
    /// Both names, seat 0 first.
    pub players: [&'a str; 2],
    /// The player's own seed.
    pub seed: u64,
    /// The limits that hold for this player.
    pub clock: &'a Clock,
}

/// What a player is asked.
pub struct Request<'a> {
    /// The match.
    pub match_id: &'a str,
    /// The turn's number.
    pub turn: u32,
    /// Who is asked.
    pub seat: Seat,
    /// The position.
    pub position: &'a dyn AnyPosition,
    /// What was played since this player was last asked.
    pub since: &'a Since,
    /// Whether the legal moves are listed also where the game does not always do so.
    pub hints: bool,
    /// What this answer is judged by.
    pub limit: Option<Duration>,
    /// The limit of each move.
    pub per_move: Option<Duration>,
    /// What is left of the bank.
    pub left: Option<Duration>,
}

/// What a player's line turned out to be.
#[derive(Debug)]
pub enum Heard {
    /// Nothing to keep.
    Blank,
    /// Text that is no message.
    Stray,
    /// A message that is not for now.
    Stale,
    /// It is ready.
    Ready {
        /// Whether its process can play further matches.
        reuse: bool,
    },
    /// Its move.
    Move {
        /// The move, of whatever shape.
        mv: Value,
        /// Its note, as JSON text.
        note: Option<String>,
        /// The size of a note that was too long to be kept.
        note_dropped: Option<usize>,
    },
    /// No message: why.
    Malformed(String),
    /// Not yet an answer: this is said back, and the wait goes on.
    Reply(String),
    /// The player gives up the match.
    Quit,
}

/// How one player is spoken to.
pub trait Dialect: Send {
    /// Writes what is said before the match. False when no `ready` is to be waited for.
    fn greet(&mut self, opening: &Opening<'_>, out: &mut Vec<u8>) -> bool;

    /// Writes a request.
    fn request(&mut self, request: &Request<'_>, out: &mut Vec<u8>);

    /// Writes the end of the match, which ended in this position.
    fn farewell(&mut self, verdict: &Verdict, position: &dyn AnyPosition, since: &Since, out: &mut Vec<u8>);

    /// Says what a line is, without its newline; `first` when it is the player's first.
    fn hear(&mut self, line: &[u8], first: bool, awaited: &Expect<'_>) -> Heard;

    /// Says what it means that the player can say nothing more; `None` when that is a fault.
    fn at_end(&mut self) -> Option<Heard> {
        None
    }

    /// The answer that is awaited, to show what one looks like.
    fn example(&self, awaited: &Expect<'_>) -> String {
        protocol::expected(awaited)
    }

    /// The line of words that asks for the answer which is awaited, in this position or before the first one, where the player is a bot
    /// that reads words.
    fn asked_in_words(&self, _position: Option<&dyn AnyPosition>) -> Option<String> {
        None
    }

    /// Whether the player's process is the wrapper, and the bot the one that this has started.
    fn is_wrapper(&self) -> bool {
        false
    }

    /// A line of the player's that is an answer in this position, or before the first one, as its author would know it.
    fn as_written(&self, line: &[u8], _position: Option<&dyn AnyPosition>) -> Vec<u8> {
        line.to_vec()
    }

    /// The line that was just heard to be a move, as a JSON answer, by which a refusal is told.
    fn as_judged(&mut self, line: Vec<u8>) -> Vec<u8> {
        line
    }
}

/// Protocol 1: JSON lines.
#[derive(Debug, Default)]
pub struct JsonLines;

impl Dialect for JsonLines {
    fn greet(&mut self, opening: &Opening<'_>, out: &mut Vec<u8>) -> bool {
        let clock = opening.clock;
        let clock = ClockLine {
            start_ms: clock.start.map(crate::clock::millis),
            move_ms: clock.per_move.map(crate::clock::millis),
            game_ms: clock.game.map(crate::clock::millis),
            increment_ms: crate::clock::millis(clock.increment),
        };
        let Opening { match_id, game, params, seat, players, seed, .. } = *opening;
        protocol::write_start(out, &protocol::Start { game, params, seat, players, seed, match_id, clock });
        true
    }

    fn request(&mut self, request: &Request<'_>, out: &mut Vec<u8>) {
        let millis = |duration: Option<Duration>| duration.map(crate::clock::millis);
        let clock = TurnClock {
            limit_ms: millis(request.limit),
            move_ms: millis(request.per_move),
            left_ms: millis(request.left),
        };
        let position = request.position;
        let write_legal = |out: &mut Vec<u8>| {
            if !position.write_legal(out) {
                out.extend_from_slice(b"null");
            }
        };
        let lists = position.lists_moves() && (request.hints || position.info().always_lists_moves);
        protocol::write_turn(
            out,
            &protocol::Turn {
                turn: request.turn,
                seat: request.seat,
                clock,
                since: request.since,
                write_state: &|out| position.write_state(out),
                write_legal: lists.then_some(&write_legal),
            },
        );
    }

    fn farewell(&mut self, verdict: &Verdict, _position: &dyn AnyPosition, since: &Since, out: &mut Vec<u8>) {
        protocol::write_end(out, verdict, since);
    }

    fn hear(&mut self, line: &[u8], first: bool, awaited: &Expect<'_>) -> Heard {
        match protocol::read_line(line, first, awaited) {
            protocol::Heard::Blank => Heard::Blank,
            protocol::Heard::Stray => Heard::Stray,
            protocol::Heard::Stale => Heard::Stale,
            protocol::Heard::Ready { reuse } => Heard::Ready { reuse },
            protocol::Heard::Move { mv, note, note_dropped } => Heard::Move { mv, note, note_dropped },
            protocol::Heard::Malformed(why) => Heard::Malformed(why),
        }
    }
}

/// A person who types moves: mistakes are explained and asked again, quitting is confirmed.
#[derive(Default)]
pub struct Person {
    name: String,
    position: Option<Box<dyn AnyPosition>>,
    /// The time for this move, as the prompt tells it; empty without a limit.
    limit: String,
    quitting: bool,
}

/// More legal moves than this are not listed: nobody would read them.
const LISTED: usize = 60;

impl Person {
    fn prompt(&self, position: &dyn AnyPosition) -> String {
        format!("{}, your move{} (like {}; help, moves, quit): ", self.name, self.limit, Person::example(position))
    }

    /// A move as it is typed: the game's own example, unless moves look otherwise by now.
    fn example(position: &dyn AnyPosition) -> String {
        let example = position.info().example_typed;
        let other = match position.read_typed(example) {
            Err(MoveError::BadShape(_)) => {
                position.legal_moves().and_then(|moves| Some(position.move_text(moves.first()?)))
            }
            _ => None,
        };
        other.unwrap_or_else(|| example.to_string())
    }

    fn help(position: &dyn AnyPosition) -> String {
        let info = position.info();
        format!(
            "Type a move like {} and press Enter: {}\n  moves  the legal moves\n  quit   gives the match up; so does Ctrl-D\nThe rules: arena rules {}\n",
            Person::example(position),
            info.typed_in_words,
            info.id
        )
    }

    fn moves(position: &dyn AnyPosition) -> String {
        match position.legal_moves() {
            Some(moves) if moves.len() <= LISTED => {
                let texts: Vec<String> = moves.iter().map(|mv| position.move_text(mv)).collect();
                format!("You can play: {}\n", texts.join(", "))
            }
            Some(moves) => {
                let first: Vec<String> = moves.iter().take(5).map(|mv| position.move_text(mv)).collect();
                format!("There are {} legal moves, too many to list; some are: {}\n", moves.len(), first.join(", "))
            }
            None => format!(
                "This game does not list its moves; one looks like {}. The rules: arena rules {}\n",
                Person::example(position),
                position.info().id
            ),
        }
    }

    /// Why what was typed is no move now, and what would be.
    fn refusal(position: &dyn AnyPosition, error: MoveError) -> String {
        let (why, illegal) = match error {
            MoveError::BadShape(why) => (why, false),
            MoveError::Illegal(why) => (why, true),
        };
        let few = position.legal_moves().is_some_and(|moves| moves.len() <= LISTED);
        // Some games say with the rule what is legal instead.
        let moves = (illegal && few && !why.contains("legal here")).then(|| Person::moves(position));
        format!("Not played: {}\n{}", why, moves.unwrap_or_default())
    }
}

impl Dialect for Person {
    fn greet(&mut self, opening: &Opening<'_>, _out: &mut Vec<u8>) -> bool {
        self.name = opening.players[opening.seat.index()].to_string();
        false
    }

    fn request(&mut self, request: &Request<'_>, out: &mut Vec<u8>) {
        self.position = Some(request.position.clone_box());
        self.limit = request.limit.map(|limit| format!(" within {limit:.0?}")).unwrap_or_default();
        self.quitting = false;
        out.extend_from_slice(self.prompt(request.position).as_bytes());
    }

    fn farewell(&mut self, _verdict: &Verdict, _position: &dyn AnyPosition, _since: &Since, _out: &mut Vec<u8>) {}

    fn at_end(&mut self) -> Option<Heard> {
        Some(Heard::Quit)
    }

    fn hear(&mut self, line: &[u8], _first: bool, awaited: &Expect<'_>) -> Heard {
        let (Expect::Move { .. }, Some(position)) = (awaited, self.position.as_deref()) else { return Heard::Stale };
        let typed = String::from_utf8_lossy(line);
        // An arrow key or the like, pressed by mistake, must not come back to the terminal as it is.
        let typed: String = typed.trim().chars().map(|typed| if typed.is_control() { '?' } else { typed }).collect();
        let word = typed.to_ascii_lowercase();
        if std::mem::take(&mut self.quitting) {
            return match word.as_str() {
                "y" | "yes" | "quit" => Heard::Quit,
                _ => Heard::Reply(format!("The match goes on.\n{}", self.prompt(position))),
            };
        }
        let said = match word.as_str() {
            "" => String::new(),
            "quit" | "q" | "exit" => {
                self.quitting = true;
                return Heard::Reply("Give up this match? It will count for nothing. (y/N) ".to_string());
            }
            "help" | "h" | "?" => Person::help(position),
            "moves" => Person::moves(position),
            _ => match position.read_typed(&typed).or_else(|error| position.read_typed(&word).map_err(|_| error)) {
                Ok(mv) => return Heard::Move { mv, note: None, note_dropped: None },
                Err(error) => Person::refusal(position, error),
            },
        };
        Heard::Reply(said + &self.prompt(position))
    }
}
