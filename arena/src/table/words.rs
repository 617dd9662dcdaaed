//! How bots are spoken to that read and write words: through the bundled wrapper, or, below a debugger, without it.

use super::{Dialect, Heard, JsonLines, Opening, Request};
use crate::clock::millis;
use crate::game::{AnyPosition, GameInfo, MoveError};
use crate::games;
use crate::protocol::words::{Exchange, NOT_READY, expected_in_words, first_line, ready_in_words, request_line};
use crate::protocol::{Expect, Since, strict_value};
use crate::verdict::Verdict;
use serde_json::Value;

/// What a bot in words was last sent.
#[derive(Default)]
struct Asked {
    game: Option<&'static GameInfo>,
    first: Option<String>,
    position: Option<(u32, Box<dyn AnyPosition>)>,
}

impl Asked {
    fn greeted(&mut self, opening: &Opening<'_>) {
        let Opening { game, params, seat, seed, clock, .. } = *opening;
        self.game = games::find(game).map(|game| game.info());
        let limits = [clock.per_move, clock.game].map(|limit| limit.map(millis));
        self.first = Some(first_line(game, seat, seed, limits, millis(clock.increment), params));
        self.position = None;
    }

    fn requested(&mut self, request: &Request<'_>) {
        self.first = None;
        self.position = Some((request.turn, request.position.clone_box()));
    }

    fn line(&self) -> Option<String> {
        self.position.as_ref().map(|(_, position)| request_line(&**position)).or_else(|| self.first.clone())
    }

    fn expected(&self, awaited: &Expect<'_>) -> String {
        match (awaited, self.game) {
            (Expect::Move { .. }, Some(game)) => expected_in_words(game),
            (Expect::Ready { .. }, Some(game)) => ready_in_words(game),
            _ => "nothing".to_string(),
        }
    }
}

/// Protocol 1 with the wrapper, which speaks words with a bot.
#[derive(Default)]
pub struct ThroughWrapper {
    asked: Asked,
    over: bool,
}

impl Dialect for ThroughWrapper {
    fn greet(&mut self, opening: &Opening<'_>, out: &mut Vec<u8>) -> bool {
        self.asked.greeted(opening);
        self.over = false;
        JsonLines.greet(opening, out)
    }

    fn request(&mut self, request: &Request<'_>, out: &mut Vec<u8>) {
        self.asked.requested(request);
        JsonLines.request(request, out);
    }

    fn farewell(&mut self, verdict: &Verdict, position: &dyn AnyPosition, since: &Since, out: &mut Vec<u8>) {
        self.over = true;
        JsonLines.farewell(verdict, position, since, out);
    }

    fn hear(&mut self, line: &[u8], first: bool, awaited: &Expect<'_>) -> Heard {
        JsonLines.hear(line, first, awaited)
    }

    fn example(&self, awaited: &Expect<'_>) -> String {
        self.asked.expected(awaited)
    }

    fn asked_in_words(&self) -> Option<String> {
        self.asked.line().filter(|_| !self.over)
    }

    fn is_wrapper(&self) -> bool {
        true
    }

    fn as_written(&self, line: &[u8]) -> Vec<u8> {
        let Ok(answer) = strict_value(line) else { return line.to_vec() };
        if let Some(words) = Exchange::of(line) {
            return words.said.into_bytes();
        }
        if answer["type"] == "ready" {
            return b"ready".to_vec();
        }
        let written = self.asked.position.as_ref().and_then(|(_, position)| position.plain_move(&answer["move"]).ok());
        written.map_or_else(|| line.to_vec(), String::into_bytes)
    }
}

/// Words themselves, for a bot that nobody stands before.
#[derive(Default)]
pub struct Words {
    asked: Asked,
    besides: Exchange,
}

impl Words {
    /// What passed at the last request.
    fn exchange(&self, said: &str, awaited: &Expect<'_>) -> Exchange {
        let asked = self.asked.line().unwrap_or_default();
        Exchange::after(&self.besides, &asked, said, self.asked.expected(awaited))
    }
}

/// Any request, where no more is known of it than that a move was asked for.
const A_MOVE: Expect<'static> = Expect::Move { match_id: "", turn: 0 };

impl Dialect for Words {
    fn greet(&mut self, opening: &Opening<'_>, out: &mut Vec<u8>) -> bool {
        self.asked.greeted(opening);
        self.besides = Exchange::default();
        out.extend(self.asked.line().unwrap_or_default().into_bytes());
        out.push(b'\n');
        true
    }

    fn request(&mut self, request: &Request<'_>, out: &mut Vec<u8>) {
        self.asked.requested(request);
        request.position.write_plain(out);
        out.push(b'\n');
    }

    fn farewell(&mut self, _verdict: &Verdict, _position: &dyn AnyPosition, _since: &Since, _out: &mut Vec<u8>) {
        // It knows by the end of its input.
    }

    fn hear(&mut self, line: &[u8], _first: bool, awaited: &Expect<'_>) -> Heard {
        let said = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned();
        match (awaited, &self.asked.position) {
            (Expect::Ready { .. }, _) if said.trim() == "ready" => Heard::Ready { reuse: false },
            (Expect::Ready { .. }, _) => {
                Heard::Malformed(NOT_READY.to_string() + &self.exchange(&said, awaited).told())
            }
            (Expect::Move { .. }, Some((_, position))) => {
                let mv = position.read_plain(&said).unwrap_or_else(|error| match error {
                    // The rules refuse it in the same words.
                    MoveError::BadShape(_) | MoveError::Illegal(_) => Value::from(said),
                });
                Heard::Move { mv, note: None, note_dropped: None }
            }
            _ => {
                self.besides.add_beside(&said);
                Heard::Stray
            }
        }
    }

    fn example(&self, awaited: &Expect<'_>) -> String {
        self.asked.expected(awaited)
    }

    fn asked_in_words(&self) -> Option<String> {
        self.asked.line()
    }

    fn as_judged(&self, line: Vec<u8>) -> Vec<u8> {
        let Some((turn, position)) = &self.asked.position else { return line };
        let said = String::from_utf8_lossy(&line);
        let (mv, why) = match position.read_plain(&said) {
            Ok(mv) => (mv, String::new()),
            Err(MoveError::BadShape(why) | MoveError::Illegal(why)) => (Value::from(&*said), why),
        };
        self.exchange(&said, &A_MOVE).refused(Some((*turn, mv)), &why).into_bytes()
    }
}
