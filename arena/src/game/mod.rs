//! What a game is. One typed trait per game ([`Game`]), erased exactly once ([`AnyPosition`]),
//! where moves become JSON values and states become JSON text.
//!
//! Everything here is pure: no clock, no process, no file, and no game's name.

mod erased;
mod opening;
mod params;
mod scene;

pub mod laws;
pub mod shape;

pub use erased::{AnyGame, AnyPosition, MoveError, PlayedMove, Started, erase};
pub use opening::OPENING;
pub use params::{ParamError, ParamKind, ParamSpec, Params};
pub use scene::{Chosen, DEEPEST, Fact, Next, Ring, Scene, Shape, Target, Tone};

use crate::seat::Seat;
use crate::seed::Stream;
use serde_json::Value;

/// What is to happen next in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// This seat is asked for a move.
    ToMove(Seat),
    /// This seat has no legal move: it is skipped, never asked.
    MustPass(Seat),
    /// The game is over.
    Over(Outcome),
}

/// How a game ended by its own rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who won; `None` is a draw.
    pub winner: Option<Seat>,
    /// Whether the game's limit of turns ended it, rather than its rules.
    pub turn_limit: bool,
    /// More about the end, in words, where the scores do not say it all.
    pub detail: Option<String>,
}

/// A move that the rules forbid: which rule it breaks, in words for the bot's author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illegal(pub String);

/// A JSON value that is no move of the game's shape: what was expected and what came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadShape(pub String);

/// What became of a move that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played<M> {
    /// The move as it was made: exact and without the parts that were ignored.
    pub accepted: M,
    /// The parts that the rules ignore, in order.
    pub ignored: Vec<Ignored>,
}

/// A part of a move that the rules ignore (an invalid flip in Flip).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// Which part of the move, from 0.
    pub part: usize,
    /// Which rule it breaks, in words.
    pub why: String,
}

/// What is always true of a game.
#[derive(Debug)]
pub struct GameInfo {
    /// The word for it on the command line and in files.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// One sentence about it.
    pub summary: &'static str,
    /// Its parameters, in the order in which they are listed.
    pub params: &'static [ParamSpec],
    /// The parameters of a match that a person plays, as a JSON object, where one by the defaults would be too long or too large.
    pub for_people: &'static str,
    /// What a person is asked to choose first in a turn, and what after that; the last of them stands for all that follow.
    pub asks: &'static [&'static str],
    /// Where a bot is tried that is to be checked, the usual match first.
    pub situations: &'static [Situation],
    /// Whether `turn` messages always list the legal moves (else only with hints).
    pub always_lists_moves: bool,
    /// Whether results count the parts of moves that were ignored (`"invalid"`).
    pub counts_ignored: bool,
    /// The rules, state and move format with an example of each, in Markdown (the game's `RULES.md`).
    pub rules: &'static str,
    /// A move, as JSON text, to show what one looks like.
    pub example_move: &'static str,
    /// What a person types for that move.
    pub example_typed: &'static str,
    /// What the parts of a typed move mean, in lines that go on from an example of one.
    pub typed_in_words: &'static str,
    /// The bundled bots that play it, by the names of their programs.
    pub bots: &'static [&'static str],
    /// The lines of words for bots that read no JSON, with an example, in Markdown (the game's `PLAIN.md`).
    pub plain: &'static str,
    /// What an answer in words is, to be read after "expected was".
    pub plain_answer: &'static str,
    /// What a starter bot needs to play this game, a text a language: the language's word, then its source.
    pub starters: &'static [(&'static str, &'static str)],
}

/// A kind of match in which a bot is tried: what is special about its positions, and the parameters that bring them.
#[derive(Clone, Copy, Debug)]
pub struct Situation {
    /// What it is, in a word or two.
    pub name: &'static str,
    /// The parameters that differ from the defaults, as a JSON object.
    pub params: &'static str,
}

impl Situation {
    /// Its parameters.
    pub fn params(&self) -> Params {
        serde_json::from_str(self.params).expect("a situation's parameters are an object")
    }
}

/// One game: its position, with everything that the rules say about it.
///
/// A position knows whose turn it is; it is a value, cloned freely.
pub trait Game: Clone + Send + 'static {
    /// A move of the game's shape, legal or not (so `null`, or a square off the board, has a value where the
    /// game answers it with `illegal`).
    type Move: Clone + PartialEq + std::fmt::Debug + Send;

    /// What is always true of the game.
    const INFO: GameInfo;

    /// Whether the game lists its legal moves; false where moves are continuous.
    const LISTS_MOVES: bool = true;

    /// The position at the start of a match, before any opening plies. `params` are checked against
    /// [`GameInfo::params`] and complete but for those without a default; what else must hold of them, and what the
    /// seed deals, is decided here.
    fn start(params: &Params, seed: u64) -> Result<Self, ParamError>;

    /// The values that a word stands for where a cup writes it for a parameter (`"all"`), in order; `None` where the word
    /// means nothing. `params` is a set that [`Game::start`] accepts, defaults filled in, without this parameter.
    fn expand(_name: &str, _word: &str, _params: &Params) -> Option<Vec<Value>> {
        None
    }

    /// All parameters of this match, what was dealt or derived filled in (without `opening`).
    fn params(&self) -> Params;

    /// What is to happen next.
    fn status(&self) -> Status;

    /// Points of seats 0 and 1 in this position.
    fn scores(&self) -> [i64; 2];

    /// The points of a match that ended here because `loser` forfeited it.
    fn forfeit_scores(&self, _loser: Seat) -> [i64; 2] {
        self.scores()
    }

    /// Whether the seat to move may play this; if not, which rule it breaks.
    fn check(&self, mv: &Self::Move) -> Result<(), Illegal>;

    /// Plays a move that [`Game::check`] accepts, for the seat to move.
    fn apply(&mut self, mv: &Self::Move) -> Played<Self::Move>;

    /// Skips a seat that must pass. Called only when the status is [`Status::MustPass`].
    fn pass(&mut self) {
        unreachable!("a game whose seats never have to pass is not asked to");
    }

    /// All legal moves of the seat to move, in the game's order; `None` where moves are continuous.
    fn legal_moves(&self) -> Option<Vec<Self::Move>>;

    /// The legal moves that an opening may play.
    fn opening_moves(&self) -> Vec<Self::Move> {
        self.legal_moves().unwrap_or_default()
    }

    /// A move for the seat to move, drawn at random from those that make sense: what a bot without any idea plays.
    /// Legal, and each as likely, unless the game says otherwise; games whose moves are continuous draw their own.
    /// Called only when the status is [`Status::ToMove`].
    fn sample_move(&self, stream: &mut Stream) -> Self::Move {
        let moves = self.legal_moves().expect("a game that lists no moves draws its own");
        stream.pick(&moves).clone()
    }

    /// How many sequences of `depth` plies there are, a pass taking one ply and a finished game counting once at
    /// every deeper ply.
    fn perft(&self, depth: u32) -> u64 {
        perft(self, depth)
    }

    /// Reads a move for the seat to move; an error when the value has not the game's shape. What shape a move has may
    /// depend on the position (its phase, how much a turn allows), but not on what the rules then say of it.
    fn read_move(&self, value: &Value) -> Result<Self::Move, BadShape>;

    /// Writes a move as JSON text.
    fn write_move(mv: &Self::Move, out: &mut Vec<u8>);

    /// Reads what a person typed, forgivingly. The position may help to complete it.
    fn read_typed(&self, text: &str) -> Result<Self::Move, BadShape>;

    /// A move as people write it, short: `c2`, `(3,4)>(9,5)`, `7@-3`.
    fn move_text(mv: &Self::Move) -> String;

    /// Writes the state as JSON text, whole, as bots receive it.
    fn write_state(&self, out: &mut Vec<u8>);

    /// Reads a state as bots receive it, the match's complete parameters and the seat to move beside it; the inverse
    /// of [`Game::write_state`], for bots and for whoever goes on from a recorded position.
    fn read_state(params: &Params, state: &Value, to_move: Seat) -> Result<Self, BadShape>;

    /// Writes what a bot that reads no JSON is asked in this position: words with single spaces between them, no line end.
    fn write_plain(&self, out: &mut Vec<u8>);

    /// Reads such a bot's answer, a line without its end; an error when it has not the shape of a move.
    fn read_plain(&self, line: &str) -> Result<Self::Move, BadShape>;

    /// Writes a move as such a bot does; the inverse of [`Game::read_plain`].
    fn write_plain_move(mv: &Self::Move, out: &mut Vec<u8>);

    /// The position as a drawing.
    fn scene(&self) -> Scene;

    /// The drawing for those who only watch: [`Game::scene`], from which targets may be missing that mark no bare place. For games
    /// in which there are thousands of them.
    fn picture(&self) -> Scene {
        self.scene()
    }

    /// What a person's path of choices comes to (see [`Target`]); an error where it leaves what can be chosen. Games whose
    /// scenes hold every target need not say more.
    fn choose(&self, path: &[Value]) -> Result<Chosen, BadShape> {
        scene::follow(self.scene(), path)
    }
}

/// Counts move sequences through the trait alone: the oracle for games' own, faster counts.
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    match position.status() {
        Status::Over(_) => 1,
        Status::MustPass(_) => {
            let mut next = position.clone();
            next.pass();
            perft(&next, depth - 1)
        }
        Status::ToMove(_) => {
            let moves = position.legal_moves().unwrap_or_default();
            if depth == 1 {
                return moves.len() as u64;
            }
            moves
                .iter()
                .map(|mv| {
                    let mut next = position.clone();
                    next.apply(mv);
                    perft(&next, depth - 1)
                })
                .sum()
        }
    }
}
