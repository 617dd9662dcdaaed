//! The one place where a game loses its type: moves become JSON values, states JSON text.
//! Everything above works with [`AnyGame`] and [`AnyPosition`] and has no type parameter.

use super::{Chosen, Game, GameInfo, OPENING, ParamError, ParamSpec, Params, Scene, Status, opening, params};
use crate::seat::Seat;
use crate::seed::Stream;
use serde_json::Value;
use std::marker::PhantomData;

/// A game, as the table of games lists it.
pub trait AnyGame: Send + Sync {
    /// What is always true of it.
    fn info(&self) -> &'static GameInfo;

    /// Its parameters, `opening` included where it has one.
    fn params(&self) -> Vec<&'static ParamSpec>;

    /// The values that a word stands for where a cup writes it for this parameter; `None` where it means nothing.
    /// `params` is a set that [`AnyGame::start`] accepts, defaults filled in, without this parameter.
    fn expand(&self, name: &str, word: &str, params: &Params) -> Option<Vec<Value>>;

    /// Checks the parameters, deals what the seed deals, plays the opening.
    fn start(&self, given: &Params, seed: u64) -> Result<Started, ParamError>;

    /// Reads a state as bots receive it (`params` complete), with `to_move` the seat that is asked.
    fn read_state(&self, params: &Params, state: &Value, to_move: Seat) -> Result<Box<dyn AnyPosition>, MoveError>;
}

/// A match about to begin.
pub struct Started {
    /// All parameters, defaults and what was dealt filled in.
    pub params: Params,
    /// The plies of the opening, in order.
    pub opening: Vec<Value>,
    /// The position at turn 0.
    pub position: Box<dyn AnyPosition>,
}

/// Why a move was not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// The value is no move of the game's shape: what was expected and what came.
    BadShape(String),
    /// The rules forbid it: which one, in words.
    Illegal(String),
}

/// What became of a move that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedMove {
    /// The move as it was made, as JSON text.
    pub accepted: String,
    /// The parts that the rules ignored: which, and why.
    pub ignored: Vec<super::Ignored>,
}

/// A position of some game.
pub trait AnyPosition: Send {
    /// The game's constants.
    fn info(&self) -> &'static GameInfo;
    /// A copy.
    fn clone_box(&self) -> Box<dyn AnyPosition>;
    /// What is to happen next.
    fn status(&self) -> Status;
    /// Points of seats 0 and 1.
    fn scores(&self) -> [i64; 2];
    /// The points when `loser` forfeits here.
    fn forfeit_scores(&self, loser: Seat) -> [i64; 2];
    /// Plays a move for the seat to move, or says why not; a refused move changes nothing.
    fn play(&mut self, mv: &Value) -> Result<PlayedMove, MoveError>;
    /// Skips the seat that must pass.
    fn pass(&mut self);
    /// Whether the game lists its legal moves.
    fn lists_moves(&self) -> bool;
    /// The legal moves, where the game lists them.
    fn legal_moves(&self) -> Option<Vec<Value>>;
    /// Writes the legal moves as a JSON array; false, and nothing written, where the game does not list them.
    fn write_legal(&self, out: &mut Vec<u8>) -> bool;
    /// A random move of the seat to move; only when the status is [`Status::ToMove`].
    fn sample_move(&self, stream: &mut Stream) -> Value;
    /// Writes the state as JSON text.
    fn write_state(&self, out: &mut Vec<u8>);
    /// Reads what a person typed.
    fn read_typed(&self, text: &str) -> Result<Value, MoveError>;
    /// Writes what a bot that reads no JSON is asked: words on one line, without its end.
    fn write_plain(&self, out: &mut Vec<u8>);
    /// Reads such a bot's answer, a line without its end. What it gives has the game's shape, but need not be legal.
    fn read_plain(&self, line: &str) -> Result<Value, MoveError>;
    /// A move as such a bot writes it, or why the value is none.
    fn plain_move(&self, mv: &Value) -> Result<String, MoveError>;
    /// A move of the seat to move as people write it; JSON text where it is none.
    fn move_text(&self, mv: &Value) -> String;
    /// The position as a drawing.
    fn scene(&self) -> Scene;
    /// The drawing for those who only watch.
    fn picture(&self) -> Scene;
    /// What a path of choices, keys of [`Target`](super::Target)s, comes to: a legal move, or what can be chosen next.
    fn choose(&self, path: &[Value]) -> Result<Chosen, MoveError>;
    /// How many sequences of `depth` plies there are; `None` where the game does not list its moves.
    fn perft(&self, depth: u32) -> Option<u64>;
}

impl dyn AnyPosition + '_ {
    /// The state as a JSON value.
    pub fn state(&self) -> Value {
        let mut text = Vec::new();
        self.write_state(&mut text);
        serde_json::from_slice(&text).expect("a state is JSON")
    }
}

/// The erased form of a game, for the table of games.
pub const fn erase<G: Game>() -> &'static dyn AnyGame {
    &Erased::<G>(PhantomData)
}

struct Erased<G>(PhantomData<fn() -> G>);

impl<G: Game> AnyGame for Erased<G> {
    fn info(&self) -> &'static GameInfo {
        &const { G::INFO }
    }

    fn params(&self) -> Vec<&'static ParamSpec> {
        self.info().params.iter().collect()
    }

    fn expand(&self, name: &str, word: &str, params: &Params) -> Option<Vec<Value>> {
        G::expand(name, word, params)
    }

    fn start(&self, given: &Params, seed: u64) -> Result<Started, ParamError> {
        let mut checked = params::complete(G::INFO.id, &self.params(), given)?;
        let plies = checked.remove(OPENING.name);
        let start = G::start(&checked, seed)?;
        let mut params = start.params();
        let drawn = match &plies {
            Some(plies) => opening::draw(&start, plies.as_u64().unwrap_or(0), seed)?,
            None => (start, Vec::new()),
        };
        params.extend(plies.map(|plies| (OPENING.name.to_string(), plies)));
        let opening = drawn.1.iter().map(to_value::<G>).collect();
        Ok(Started { params, opening, position: Box::new(drawn.0) })
    }

    fn read_state(&self, params: &Params, state: &Value, to_move: Seat) -> Result<Box<dyn AnyPosition>, MoveError> {
        let position = G::read_state(params, state, to_move).map_err(|bad| MoveError::BadShape(bad.0))?;
        Ok(Box::new(position))
    }
}

impl<G: Game> AnyPosition for G {
    fn info(&self) -> &'static GameInfo {
        &const { G::INFO }
    }

    fn clone_box(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }

    fn status(&self) -> Status {
        Game::status(self)
    }

    fn scores(&self) -> [i64; 2] {
        Game::scores(self)
    }

    fn forfeit_scores(&self, loser: Seat) -> [i64; 2] {
        Game::forfeit_scores(self, loser)
    }

    fn play(&mut self, mv: &Value) -> Result<PlayedMove, MoveError> {
        let mv = self.read_move(mv).map_err(|bad| MoveError::BadShape(bad.0))?;
        self.check(&mv).map_err(|illegal| MoveError::Illegal(illegal.0))?;
        let played = self.apply(&mv);
        Ok(PlayedMove { accepted: to_text::<G>(&played.accepted), ignored: played.ignored })
    }

    fn pass(&mut self) {
        Game::pass(self);
    }

    fn lists_moves(&self) -> bool {
        G::LISTS_MOVES
    }

    fn legal_moves(&self) -> Option<Vec<Value>> {
        Some(Game::legal_moves(self)?.iter().map(to_value::<G>).collect())
    }

    fn write_legal(&self, out: &mut Vec<u8>) -> bool {
        let Some(moves) = Game::legal_moves(self) else { return false };
        out.push(b'[');
        for (index, mv) in moves.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            G::write_move(mv, out);
        }
        out.push(b']');
        true
    }

    fn sample_move(&self, stream: &mut Stream) -> Value {
        to_value::<G>(&Game::sample_move(self, stream))
    }

    fn write_state(&self, out: &mut Vec<u8>) {
        Game::write_state(self, out);
    }

    fn read_typed(&self, text: &str) -> Result<Value, MoveError> {
        let mv = Game::read_typed(self, text).map_err(|bad| MoveError::BadShape(bad.0))?;
        self.check(&mv).map_err(|illegal| MoveError::Illegal(illegal.0))?;
        Ok(to_value::<G>(&mv))
    }

    fn write_plain(&self, out: &mut Vec<u8>) {
        Game::write_plain(self, out);
    }

    fn read_plain(&self, line: &str) -> Result<Value, MoveError> {
        let mv = Game::read_plain(self, line).map_err(|bad| MoveError::BadShape(bad.0))?;
        Ok(to_value::<G>(&mv))
    }

    fn plain_move(&self, mv: &Value) -> Result<String, MoveError> {
        let mv = self.read_move(mv).map_err(|bad| MoveError::BadShape(bad.0))?;
        let mut text = Vec::new();
        G::write_plain_move(&mv, &mut text);
        Ok(String::from_utf8(text).expect("a move is written as UTF-8"))
    }

    fn move_text(&self, mv: &Value) -> String {
        self.read_move(mv).map_or_else(|_| mv.to_string(), |mv| G::move_text(&mv))
    }

    fn scene(&self) -> Scene {
        Game::scene(self)
    }

    fn picture(&self) -> Scene {
        Game::picture(self)
    }

    fn choose(&self, path: &[Value]) -> Result<Chosen, MoveError> {
        Game::choose(self, path).map_err(|bad| MoveError::BadShape(bad.0))
    }

    fn perft(&self, depth: u32) -> Option<u64> {
        G::LISTS_MOVES.then(|| Game::perft(self, depth))
    }
}

fn to_text<G: Game>(mv: &G::Move) -> String {
    let mut text = Vec::new();
    G::write_move(mv, &mut text);
    String::from_utf8(text).expect("a move is written as UTF-8")
}

fn to_value<G: Game>(mv: &G::Move) -> Value {
    serde_json::from_str(&to_text::<G>(mv)).expect("a move is written as JSON")
}
