//! The arena's own player for trials of a bot: random moves that make sense, and whatever end of the match is to be tried.
//! And the odd manners in which the bot under trial is spoken to, all of which the protocol allows.

use super::{Dialect, Heard, Opening, Request};
use crate::clock::Clock;
use crate::game::{AnyPosition, Status};
use crate::protocol::{self, Expect, Since};
use crate::seed::Stream;
use crate::verdict::{Reason, Verdict};
use serde_json::Value;

/// Among so many moves one is looked for after which the other side has to pass.
const LOOKS: usize = 40;

/// A move after which the other side has to pass, where there is one.
pub fn pass_maker(position: &dyn AnyPosition) -> Option<Value> {
    let Status::ToMove(seat) = position.status() else { return None };
    let moves = position.legal_moves().filter(|moves| moves.len() <= LOOKS)?;
    moves.into_iter().find(|mv| {
        let mut after = position.clone_box();
        after.play(mv).is_ok() && after.status() == Status::MustPass(seat.other())
    })
}

/// The arena as a player. Its own line leads back to it (`transport::Loopback`), so that all goes the way of a match.
pub struct Sparring {
    stream: Stream,
    ready: bool,
    turns: u32,
    next: Option<Value>,
}

impl Sparring {
    /// A player with random moves of this seed, that gives up after so many turns. A player that is not `ready` ends the match
    /// before its first turn.
    pub fn new(seed: u64, turns: u32, ready: bool) -> Sparring {
        Sparring { stream: Stream::new(seed, "sparring"), ready, turns, next: None }
    }
}

impl Dialect for Sparring {
    fn greet(&mut self, _opening: &Opening<'_>, out: &mut Vec<u8>) -> bool {
        out.push(b'\n');
        true
    }

    fn request(&mut self, request: &Request<'_>, out: &mut Vec<u8>) {
        out.push(b'\n');
        let going_on = self.turns.checked_sub(1);
        self.turns = going_on.unwrap_or(0);
        self.next = going_on
            .map(|_| pass_maker(request.position).unwrap_or_else(|| request.position.sample_move(&mut self.stream)));
    }

    fn farewell(&mut self, _verdict: &Verdict, _position: &dyn AnyPosition, _since: &Since, _out: &mut Vec<u8>) {}

    fn hear(&mut self, _line: &[u8], _first: bool, awaited: &Expect<'_>) -> Heard {
        match (awaited, self.next.take()) {
            (Expect::Ready { .. }, _) if self.ready => Heard::Ready { reuse: false },
            (Expect::Move { .. }, Some(mv)) => Heard::Move { mv, note: None, note_dropped: None },
            (Expect::Nothing, _) => Heard::Blank,
            _ => Heard::Malformed("the arena's own player gives up here, so that the match ends".to_string()),
        }
    }
}

/// How the bot under trial is spoken to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Manner {
    /// As in any match.
    #[default]
    Plain,
    /// With keys that no bot knows, in every message.
    UnknownKeys,
    /// `end` follows `start` at once.
    EndAtOnce,
    /// With empty lines that nobody needs, before `start` and after each request: not allowed, but it tells who reads too much.
    ExtraLines,
    /// Without `end`: its input just ends, as when the arena is killed.
    NoEnd,
}

/// A bot's own dialect, of protocol 1, in such a manner.
pub struct Mannered {
    /// How the bot is spoken to otherwise.
    pub dialect: Box<dyn Dialect>,
    /// What is odd in it.
    pub manner: Manner,
    /// The limits that the player is told, where they are not those that hold.
    pub told: Option<Clock>,
}

impl Mannered {
    fn finish(&self, line: Vec<u8>, out: &mut Vec<u8>) {
        if self.manner == Manner::UnknownKeys {
            out.extend(with_unknown_keys(&String::from_utf8_lossy(&line)).into_bytes());
        } else {
            out.extend(line);
        }
    }
}

impl Dialect for Mannered {
    fn greet(&mut self, opening: &Opening<'_>, out: &mut Vec<u8>) -> bool {
        let mut line = if self.manner == Manner::ExtraLines { b"\n".to_vec() } else { Vec::new() };
        let clock = self.told.as_ref().unwrap_or(opening.clock);
        self.dialect.greet(&Opening { clock, ..*opening }, &mut line);
        self.finish(line, out);
        if self.manner == Manner::EndAtOnce {
            let detail = Some("the arena was stopped".to_string());
            let (winner, at_fault, invalid) = (None, None, None);
            let verdict = Verdict { winner, scores: [0, 0], reason: Reason::Interrupted, detail, at_fault, invalid };
            protocol::write_end(out, &verdict, &Since::new());
        }
        true
    }

    fn request(&mut self, request: &Request<'_>, out: &mut Vec<u8>) {
        let mut line = Vec::new();
        let (limit, per_move, left) = match &self.told {
            Some(clock) => (clock.per_move, clock.per_move, None),
            None => (request.limit, request.per_move, request.left),
        };
        self.dialect.request(&Request { limit, per_move, left, ..*request }, &mut line);
        self.finish(line, out);
        if self.manner == Manner::ExtraLines {
            out.push(b'\n');
        }
    }

    fn farewell(&mut self, verdict: &Verdict, position: &dyn AnyPosition, since: &Since, out: &mut Vec<u8>) {
        if matches!(self.manner, Manner::EndAtOnce | Manner::NoEnd) {
            return;
        }
        let mut line = Vec::new();
        self.dialect.farewell(verdict, position, since, &mut line);
        self.finish(line, out);
    }

    fn hear(&mut self, line: &[u8], first: bool, awaited: &Expect<'_>) -> Heard {
        self.dialect.hear(line, first, awaited)
    }

    fn at_end(&mut self) -> Option<Heard> {
        self.dialect.at_end()
    }

    fn example(&self, awaited: &Expect<'_>) -> String {
        self.dialect.example(awaited)
    }

    fn asked_in_words(&self, position: Option<&dyn AnyPosition>) -> Option<String> {
        self.dialect.asked_in_words(position)
    }

    fn is_wrapper(&self) -> bool {
        self.dialect.is_wrapper()
    }

    fn as_written(&self, line: &[u8], position: Option<&dyn AnyPosition>) -> Vec<u8> {
        self.dialect.as_written(line, position)
    }

    fn as_judged(&mut self, line: Vec<u8>) -> Vec<u8> {
        self.dialect.as_judged(line)
    }
}

/// A message with keys in it that no bot knows: in itself, and in the objects in it.
fn with_unknown_keys(line: &str) -> String {
    const NEW: &str = r#""new_key":{"type":"end","turn":-1,"list":[null,true,"}{"]},"#;
    let mut text = line.to_string();
    for object in [r#""clock":{"#, r#""state":{"#, r#""result":{"#] {
        // In a text the quotes would be escaped: what is found is the key.
        text = text.replacen(object, &format!("{object}{NEW}"), 1);
    }
    text.replacen('{', &format!("{{{NEW}"), 1)
}

#[cfg(test)]
mod tests {
    use super::with_unknown_keys;
    use serde_json::Value;

    #[test]
    fn unknown_keys_are_added_and_nothing_else_changes() {
        let line = r#"{"type":"turn","turn":4,"state":{"board":["\"clock\":{"]},"clock":{"limit_ms":null}}"#;
        let mut odd: Value = serde_json::from_str(&with_unknown_keys(line)).expect("it is still an object");
        for object in ["", "/state", "/clock"] {
            let object = odd.pointer_mut(object).and_then(Value::as_object_mut).expect("it is an object");
            assert!(object.shift_remove("new_key").is_some());
        }
        assert_eq!(odd.to_string(), line);
    }
}
