//! How bots are spoken to that read and write words: through the bundled wrapper, or, below a debugger, without it.

use super::{Dialect, Heard, JsonLines, Opening, Request};
use crate::clock::millis;
use crate::game::{AnyPosition, GameInfo, MoveError};
use crate::games;
use crate::protocol::words::{Exchange, NOT_READY, expected_in_words, first_line, ready_in_words, request_line};
use crate::protocol::{Expect, Since, strict_value};
use crate::verdict::Verdict;
use serde_json::Value;

/// What a bot in words is asked, and how it is to answer.
#[derive(Default)]
struct Asked {
    game: Option<&'static GameInfo>,
    /// The line before the first request, as long as it is the last one.
    first: Option<String>,
}

impl Asked {
    fn greeted(&mut self, opening: &Opening<'_>) {
        let Opening { game, params, seat, seed, clock, .. } = *opening;
        self.game = games::find(game).map(|game| game.info());
        let limits = [clock.per_move, clock.game].map(|limit| limit.map(millis));
        self.first = Some(first_line(game, seat, seed, limits, millis(clock.increment), params));
    }

    fn line(&self, position: Option<&dyn AnyPosition>) -> Option<String> {
        position.map(request_line).or_else(|| self.first.clone())
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
}

impl Dialect for ThroughWrapper {
    fn greet(&mut self, opening: &Opening<'_>, out: &mut Vec<u8>) -> bool {
        self.asked.greeted(opening);
        JsonLines.greet(opening, out)
    }

    fn request(&mut self, request: &Request<'_>, out: &mut Vec<u8>) {
        self.asked.first = None;
        JsonLines.request(request, out);
    }

    fn farewell(&mut self, verdict: &Verdict, position: &dyn AnyPosition, since: &Since, out: &mut Vec<u8>) {
        // It tells its bot nothing more.
        self.asked.first = None;
        JsonLines.farewell(verdict, position, since, out);
    }

    fn hear(&mut self, line: &[u8], first: bool, awaited: &Expect<'_>) -> Heard {
        JsonLines.hear(line, first, awaited)
    }

    fn example(&self, awaited: &Expect<'_>) -> String {
        self.asked.expected(awaited)
    }

    fn asked_in_words(&self, position: Option<&dyn AnyPosition>) -> Option<String> {
        self.asked.line(position)
    }

    fn is_wrapper(&self) -> bool {
        true
    }

    fn as_written(&self, line: &[u8], position: Option<&dyn AnyPosition>) -> Vec<u8> {
        let Ok(answer) = strict_value(line) else { return line.to_vec() };
        if let Some(words) = Exchange::of(line) {
            return words.said.into_bytes();
        }
        if answer["type"] == "ready" {
            return b"ready".to_vec();
        }
        let written = position.and_then(|position| position.plain_move(&answer["move"]).ok());
        written.map_or_else(|| line.to_vec(), String::into_bytes)
    }
}

/// Words themselves, for a bot that nobody stands before.
#[derive(Default)]
pub struct Words {
    asked: Asked,
    position: Option<(u32, Box<dyn AnyPosition>)>,
    besides: Exchange,
    /// The last move, as the wrapper would have told it.
    judged: Option<String>,
}

impl Words {
    /// What passed at the last request.
    fn exchange(&self, said: &str, awaited: &Expect<'_>) -> Exchange {
        let asked = self.asked.line(self.position.as_ref().map(|(_, position)| &**position)).unwrap_or_default();
        Exchange::after(&self.besides, &asked, said, self.asked.expected(awaited))
    }
}

impl Dialect for Words {
    fn greet(&mut self, opening: &Opening<'_>, out: &mut Vec<u8>) -> bool {
        self.asked.greeted(opening);
        (self.position, self.besides) = (None, Exchange::default());
        out.extend(self.asked.line(None).unwrap_or_default().into_bytes());
        out.push(b'\n');
        true
    }

    fn request(&mut self, request: &Request<'_>, out: &mut Vec<u8>) {
        self.asked.first = None;
        self.position = Some((request.turn, request.position.clone_box()));
        request.position.write_plain(out);
        out.push(b'\n');
    }

    fn farewell(&mut self, _verdict: &Verdict, _position: &dyn AnyPosition, _since: &Since, _out: &mut Vec<u8>) {
        // It knows by the end of its input.
    }

    fn hear(&mut self, line: &[u8], _first: bool, awaited: &Expect<'_>) -> Heard {
        let said = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned();
        match (awaited, &self.position) {
            (Expect::Ready { .. }, _) if said.trim() == "ready" => Heard::Ready { reuse: false },
            (Expect::Ready { .. }, _) => {
                Heard::Malformed(NOT_READY.to_string() + &self.exchange(&said, awaited).told())
            }
            (Expect::Move { .. }, Some((turn, position))) => {
                let (mv, why) = match position.read_plain(&said) {
                    Ok(mv) => (mv, String::new()),
                    // The rules refuse it in the same words.
                    Err(MoveError::BadShape(why) | MoveError::Illegal(why)) => (Value::from(&*said), why),
                };
                self.judged = Some(self.exchange(&said, awaited).refused(Some((*turn, mv.clone())), &why));
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

    fn asked_in_words(&self, position: Option<&dyn AnyPosition>) -> Option<String> {
        self.asked.line(position)
    }

    fn as_judged(&mut self, line: Vec<u8>) -> Vec<u8> {
        self.judged.take().map_or(line, String::into_bytes)
    }
}
