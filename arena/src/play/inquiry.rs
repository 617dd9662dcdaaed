//! A bot is asked the requests of a recorded match again, one after the other, and what comes is compared with what came
//! then. Positions follow the recorded moves, whatever is answered now. Nobody sits in the other seat.

use super::requests::{Asked, Requests};
use super::run::{is_missing, refused};
use crate::clock::Clock;
use crate::protocol::Expect;
use crate::record::RecordedKind;
use crate::referee::Referee;
use crate::seat::BySeat;
use crate::table::{Answer, Chair, Farewell, JsonLines, Outcome, Overheard, Table, Thinking, Turn};
use crate::transport::{Absent, Interrupt};
use crate::verdict::{Fault, Reason, Verdict};
use serde_json::Value;
use std::io;
use std::time::Duration;

/// What came of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Came {
    /// The bot was ready.
    Ready,
    /// A move that counts.
    Move {
        /// As it was accepted.
        mv: Value,
        /// Its parts that the rules ignored: which, and why.
        ignored: Vec<(usize, String)>,
    },
    /// Something that forfeits the match.
    Fault {
        /// What.
        fault: Fault,
        /// The move that was refused, where one was.
        mv: Option<Value>,
    },
    /// The match ended, or its record does, before an answer came.
    Nothing,
}

impl Came {
    /// Whether the other one is the same decision; nothing differs from what is not known. Of a fault it is the reason that
    /// counts, and the move or the line that was judged, where there was one: times and addresses are never the same.
    pub fn differs_from(&self, other: &Came) -> bool {
        match (self, other) {
            (Came::Nothing, _) | (_, Came::Nothing) => false,
            (Came::Fault { fault: a, mv: first }, Came::Fault { fault: b, mv: second }) => {
                let judged = |reason| matches!(reason, Reason::Malformed | Reason::Illegal);
                a.reason != b.reason || judged(a.reason) && (first != second || (first.is_none() && a.line != b.line))
            }
            (a, b) => a != b,
        }
    }

    /// Whether the bot can be asked on after this: it has answered, however badly.
    fn goes_on(&self) -> bool {
        match self {
            Came::Fault { fault, .. } => matches!(fault.reason, Reason::Malformed | Reason::Illegal),
            _ => true,
        }
    }
}

/// One bot and what it is to be asked.
pub struct Inquiry<'a> {
    requests: &'a Requests<'a>,
    table: Table,
    next: usize,
    /// What ended it before all was asked, and the answer that was awaited in vain.
    fault: Option<(Fault, Option<Expect<'a>>)>,
}

impl<'a> Inquiry<'a> {
    /// Seats a bot. With `limits` it is held to those of the recorded match.
    pub fn new(requests: &'a Requests<'a>, chair: Chair, limits: bool, interrupt: Interrupt) -> Inquiry<'a> {
        let mut chairs = [chair, Chair::new(Box::<Absent>::default(), Box::<JsonLines>::default())];
        chairs.rotate_left(requests.seat().index());
        let table = Table::new(BySeat(chairs), Thinking::Any, interrupt);
        Inquiry { requests, table: if limits { table } else { table.without_limits() }, next: 0, fault: None }
    }

    /// The bot's process.
    pub fn pid(&self) -> Option<i32> {
        self.table.chair(self.requests.seat()).pid()
    }

    /// Tells the bot of the match, and waits until it is ready; `None` when the arena is to stop.
    pub fn start(&mut self) -> io::Result<Option<Came>> {
        let turn = self.table.start(&self.requests.opening())?;
        let awaited = Expect::Ready { match_id: &self.requests.header().id, again: false };
        self.came(turn, awaited, |_| unreachable!("a move is no answer to `start`"))
    }

    /// The next request; `None` when all was asked, or the bot cannot be asked on.
    pub fn next_request(&self) -> Option<&'a Asked> {
        self.requests.all().get(self.next).filter(|_| self.fault.is_none())
    }

    /// Asks the next request; `None` when the arena is to stop.
    pub fn ask(&mut self, asked: &Asked) -> io::Result<Option<Came>> {
        self.next += 1;
        let (requests, seat) = (self.requests, self.requests.seat());
        let turn = self.table.ask(&requests.request(asked, &*requests.position(asked)))?;
        let awaited = Expect::Move { match_id: &requests.header().id, turn: asked.turn };
        self.came(turn, awaited, |answer| match Referee::new(requests.position(asked)).rule(seat, &answer.mv) {
            Ok(played) => Came::Move {
                mv: serde_json::from_str(&played.accepted).expect("an accepted move is JSON"),
                ignored: played.ignored.into_iter().map(|ignored| (ignored.part, ignored.why)).collect(),
            },
            Err(refusal) => Came::Fault { fault: refused(asked.turn, &answer, refusal), mv: Some(answer.mv) },
        })
    }

    fn came(
        &mut self,
        turn: Turn,
        awaited: Expect<'a>,
        judge: impl FnOnce(Answer) -> Came,
    ) -> io::Result<Option<Came>> {
        let came = match turn.outcome {
            Outcome::Ready => Came::Ready,
            Outcome::Move(answer) => judge(answer),
            Outcome::Fault(_, fault) => Came::Fault { fault, mv: None },
            Outcome::Disturbed(why) => {
                return Err(io::Error::other(format!("{why}; ask again when it is not, or without limits")));
            }
            Outcome::Interrupted | Outcome::Quit => return Ok(None),
        };
        if let Came::Fault { fault, .. } = &came
            && !came.goes_on()
        {
            self.fault = Some((fault.clone(), is_missing(fault).then_some(awaited)));
        }
        Ok(Some(came))
    }

    /// What the bot said on stdout beside its answers since this was last asked.
    pub fn heard(&mut self) -> Vec<Overheard> {
        self.table.take_overheard()
    }

    /// Has the debugger that the bot runs under stop it where it is.
    pub fn break_in(&self) {
        self.table.chair(self.requests.seat()).break_in();
    }

    /// Tells the bot how the match ended, and sends it away; it has `stop` to go.
    pub fn finish(mut self, stop: Duration) -> io::Result<Farewell> {
        let (requests, seat) = (self.requests, self.requests.seat());
        let position = requests.last_position();
        let missing = self.fault.as_ref().and_then(|(_, awaited)| awaited.map(|awaited| (seat, awaited)));
        let verdict = self.verdict();
        let since = requests.since_the_last();
        let mut farewells =
            self.table.dismiss(&verdict, &*position, BySeat([since; 2]), stop, BySeat([false; 2]), missing)?;
        Ok(std::mem::take(&mut farewells[seat]))
    }

    /// How the match ended, as far as the bot was asked.
    fn verdict(&self) -> Verdict {
        let referee = Referee::new(self.requests.last_position());
        match (&self.fault, self.requests.result()) {
            (Some((fault, _)), _) if self.next < self.requests.all().len() => {
                referee.forfeit(self.requests.seat(), fault.reason, fault.detail.clone())
            }
            (_, Some(result)) => result.verdict.clone(),
            _ => referee.void(Reason::Interrupted, "the match is unfinished".to_string()),
        }
    }
}

impl Requests<'_> {
    /// What came of `start` in the match.
    pub fn start_came(&self) -> Came {
        if self.events().any(|kind| *kind == RecordedKind::Ready { seat: self.seat() }) {
            return Came::Ready;
        }
        self.fault().unwrap_or(Came::Nothing)
    }

    /// What came of a request in the match.
    pub fn answer_came(&self, asked: &Asked) -> Came {
        let Some(answer) = asked.answer else { return self.fault().unwrap_or(Came::Nothing) };
        let mv = self.transcript().events[answer].kind.played().cloned().unwrap_or_default();
        let ignored = self.events().filter_map(|kind| match kind {
            RecordedKind::Invalid { turn, part, why, .. } if *turn == asked.turn => Some((*part, why.clone())),
            _ => None,
        });
        Came::Move { mv, ignored: ignored.collect() }
    }

    /// What this seat did wrong.
    fn fault(&self) -> Option<Came> {
        self.events().find_map(|kind| match kind {
            RecordedKind::Fault { seat, reason, detail, line, mv } if *seat == self.seat() => Some(Came::Fault {
                fault: Fault { reason: *reason, detail: detail.clone(), line: line.clone() },
                mv: mv.clone(),
            }),
            _ => None,
        })
    }

    fn events(&self) -> impl Iterator<Item = &RecordedKind> {
        self.transcript().events.iter().map(|event| &event.kind)
    }

    /// How long the bot had to go when the match was over.
    pub fn stop_time(&self) -> Duration {
        Clock::from(&self.header().clock).stop
    }
}
