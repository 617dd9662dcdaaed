//! What a bot is to the loop: a function from a request to an answer, with the game's type taken off.
//! Knows nothing of lines, of the input or of the output.

use arena::game::{Game, Status};
use arena::protocol::bot::{Start, Turn};
use arena::seed::Stream;
use serde_json::Value;

/// A request for a move.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// What was told before the match: game, parameters, seat, seed, …
    pub start: &'a Start,
    /// What is asked now: turn, state, legal moves where they are told, …
    pub turn: &'a Turn,
}

impl Request<'_> {
    /// The random numbers of this request. They depend on the bot's seed and the turn's number alone, so a bot that
    /// uses no others gives the same answer whenever it is asked the same.
    pub fn random(&self) -> Stream {
        Stream::new(self.start.seed, &format!("turn {}", self.turn.turn))
    }
}

/// A move, and what there is to say about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<M> {
    mv: M,
    note: Option<Value>,
}

impl<M> Answer<M> {
    /// This move, without a note.
    pub fn new(mv: M) -> Answer<M> {
        Answer { mv, note: None }
    }

    /// The same with a note for whoever looks at the match later: any JSON, up to 16 KiB. The opponent never sees it.
    pub fn with_note(self, note: Value) -> Answer<M> {
        Answer { note: Some(note), ..self }
    }
}

impl<M> From<M> for Answer<M> {
    fn from(mv: M) -> Answer<M> {
        Answer::new(mv)
    }
}

/// Somebody who plays one game, or all of them.
pub struct Player<'a> {
    game: Option<&'static str>,
    reply: Box<Reply<'a>>,
}

type Reply<'a> = dyn FnMut(&Request) -> Result<(String, Option<String>), String> + 'a;

impl<'a> Player<'a> {
    /// Plays this game, with its position and moves typed.
    pub fn of<G: Game, A: Into<Answer<G::Move>>>(mut choose: impl FnMut(&G, &Request) -> A + 'a) -> Player<'a> {
        let reply = move |request: &Request| {
            let Request { start, turn } = request;
            let position = G::read_state(&start.params, &turn.state, turn.seat)
                .map_err(|bad| format!("the state of turn {} cannot be read: {}", turn.turn, bad.0))?;
            if position.status() != Status::ToMove(turn.seat) {
                return Err(format!("turn {} asks for a move where seat {} has none", turn.turn, turn.seat));
            }
            let answer = choose(&position, request).into();
            let mut mv = Vec::new();
            G::write_move(&answer.mv, &mut mv);
            let mv = String::from_utf8(mv).expect("a game writes its moves as UTF-8");
            Ok((mv, answer.note.map(|note| note.to_string())))
        };
        Player { game: Some(G::INFO.id), reply: Box::new(reply) }
    }

    /// Plays every game, with states and moves as JSON.
    pub fn of_any<A: Into<Answer<Value>>>(mut choose: impl FnMut(&Request) -> A + 'a) -> Player<'a> {
        let reply = move |request: &Request| {
            let answer = choose(request).into();
            Ok((answer.mv.to_string(), answer.note.map(|note| note.to_string())))
        };
        Player { game: None, reply: Box::new(reply) }
    }

    /// The game that it plays; `None` for every game.
    pub fn game(&self) -> Option<&'static str> {
        self.game
    }

    /// The move and the note, as JSON texts; or why the request cannot be answered.
    pub(crate) fn reply(&mut self, request: &Request) -> Result<(String, Option<String>), String> {
        (self.reply)(request)
    }
}
