//! How the course's socket clients and its server are spoken to. A client is shown states and says moves; to a
//! server it is the other way round: it is told our moves, and its next state tells the rival's.
//!
//! What the messages look like is the game's affair (`wire`); whether a move is legal is not decided here.

use super::{Dialect, Heard, Opening, Request};
use crate::game::AnyPosition;
use crate::games::notipping::Phase;
use crate::games::notipping::wire::{Kind, View, move_value};
use crate::protocol::{Expect, Since};
use crate::transport::Interrupt;
use crate::verdict::Verdict;

/// A client of the course that plays here.
pub struct CourseClient {
    kind: Kind,
    phase: Phase,
    players: [String; 2],
    over: bool,
    at_the_end: Interrupt,
}

impl CourseClient {
    /// One that has said its hello, and has been told the number of blocks. `at_the_end` is raised before it is told that
    /// the match is over: from then on it may come back.
    pub fn new(kind: Kind, at_the_end: Interrupt) -> CourseClient {
        CourseClient { kind, phase: Phase::Add, players: Default::default(), over: false, at_the_end }
    }
}

impl Dialect for CourseClient {
    fn greet(&mut self, opening: &Opening<'_>, _out: &mut Vec<u8>) -> bool {
        self.players = opening.players.map(String::from);
        false
    }

    fn request(&mut self, request: &Request<'_>, out: &mut Vec<u8>) {
        let view = view_of(request.position, false);
        self.phase = view.phase;
        self.kind.write_state(&view, None, out);
    }

    fn farewell(&mut self, verdict: &Verdict, position: &dyn AnyPosition, _since: &Since, out: &mut Vec<u8>) {
        self.over = true;
        self.at_the_end.raise();
        let winner = verdict.winner.map(|seat| self.players[seat.index()].as_str());
        self.kind.write_state(&view_of(position, true), winner, out);
    }

    fn hear(&mut self, line: &[u8], _first: bool, awaited: &Expect<'_>) -> Heard {
        if line.trim_ascii().is_empty() {
            return Heard::Blank;
        }
        if self.over || !matches!(awaited, Expect::Move { .. }) {
            return Heard::Stale;
        }
        match self.kind.read_move(line, self.phase) {
            Ok(mv) => Heard::Move { mv: move_value(&mv), note: None, note_dropped: None },
            Err(why) => Heard::Malformed(why),
        }
    }

    fn example(&self, _awaited: &Expect<'_>) -> String {
        self.kind.expected(self.phase).to_string()
    }
}

/// A server of the course, seated as the rival of a bot of ours that plays there. The bot moves first at this table:
/// its match begins with the first state that the server sends.
pub struct CourseServer {
    kind: Kind,
    /// What the server knows already.
    known: View,
    /// Whether it has said that the match is over.
    over: bool,
}

impl CourseServer {
    /// A server that has sent this state.
    pub fn new(kind: Kind, first: View) -> CourseServer {
        CourseServer { kind, known: first, over: false }
    }

    /// Tells the server of the move that it does not know yet.
    fn tell(&mut self, position: &dyn AnyPosition, out: &mut Vec<u8>) {
        let now = view_of(position, false);
        for mv in now.plies_since(&self.known) {
            self.kind.write_move(&mv, out);
        }
        self.known = now;
    }
}

impl Dialect for CourseServer {
    fn greet(&mut self, _opening: &Opening<'_>, _out: &mut Vec<u8>) -> bool {
        false
    }

    fn request(&mut self, request: &Request<'_>, out: &mut Vec<u8>) {
        self.tell(request.position, out);
    }

    /// The bot's last move, when it ended the match, is still to be told.
    fn farewell(&mut self, _verdict: &Verdict, position: &dyn AnyPosition, _since: &Since, out: &mut Vec<u8>) {
        if !self.over {
            self.tell(position, out);
        }
    }

    fn hear(&mut self, line: &[u8], _first: bool, awaited: &Expect<'_>) -> Heard {
        if line.trim_ascii().is_empty() {
            return Heard::Blank;
        }
        if !matches!(awaited, Expect::Move { .. }) {
            return Heard::Stale;
        }
        let state = match self.kind.read_state(line) {
            Ok(state) => state,
            Err(why) => return Heard::Malformed(why),
        };
        self.over = state.over;
        let plies = state.plies_since(&self.known);
        match &plies[..] {
            [mv] => {
                self.known = state;
                Heard::Move { mv: move_value(mv), note: None, note_dropped: None }
            }
            // The rival forfeited, or the server was stopped.
            [] if state.over => Heard::Quit,
            _ => Heard::Malformed(format!(
                "the server's state differs in {} places from the one before, not in one",
                plies.len()
            )),
        }
    }
}

/// What a client is shown of a position of its game.
pub fn view_of(position: &dyn AnyPosition, over: bool) -> View {
    View::of_state(&position.state(), over).expect("these clients are seated in their own game alone")
}
