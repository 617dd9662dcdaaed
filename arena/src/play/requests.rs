//! What one seat was sent in a recorded match, made again from the rules and the recorded times. It is written by the same
//! dialect as in the match, so it is the same, byte for byte; whoever wants it again (a bot's author, a bot) asks here.

use super::Reenactment;
use crate::clock::{Bank, Clock};
use crate::game::{AnyPosition, Status};
use crate::protocol::Since;
use crate::record::{Header, RecordedKind, RecordedResult, Transcript};
use crate::seat::Seat;
use crate::seed::bot_seed;
use crate::table::{Opening, Request};
use std::time::Duration;

/// All requests of one seat of a recorded match, in order.
pub struct Requests<'a> {
    transcript: &'a Transcript,
    reenactment: &'a Reenactment<'a>,
    seat: Seat,
    clock: Clock,
    asked: Vec<Asked>,
    since_the_last: Since,
}

/// One request, and where its answer stands.
pub struct Asked {
    /// The turn's number.
    pub turn: u32,
    /// The transcript's event that holds the move which was played; `None` for the last request of a match that ended, or
    /// was cut off, before its answer.
    pub answer: Option<usize>,
    since: Since,
    /// The limit of its answer.
    pub limit: Option<Duration>,
    left: Option<Duration>,
}

impl<'a> Requests<'a> {
    /// The requests of a seat. The last one is there when it was this seat's turn, also where its bot had gone before it
    /// could be read.
    pub fn of(transcript: &'a Transcript, reenactment: &'a Reenactment<'a>, seat: Seat) -> Requests<'a> {
        let clock = Clock::from(transcript.header.clock_of(seat));
        let mut bank = Bank::new(&clock);
        let mut since = Since::new();
        let mut asked = Vec::new();
        let ask = |turn: u32, answer: Option<usize>, bank: &Bank, since: &mut Since| Asked {
            turn,
            answer,
            since: std::mem::take(since),
            limit: bank.limit(clock.per_move),
            left: bank.left(),
        };
        for seen in &reenactment.turns {
            let kind = &transcript.events[seen.event].kind;
            if let RecordedKind::Move { times, .. } = kind
                && seen.seat == seat
            {
                asked.push(ask(seen.turn, Some(seen.event), &bank, &mut since));
                bank.charge(times.charged_us());
            }
            since.push(seen.turn, seen.seat, kind.played().map(|mv| mv.to_string()).as_deref());
        }
        let last = reenactment.turns.len();
        let to_move = reenactment.before(last).status() == Status::ToMove(seat);
        if to_move && reenactment.broken.is_none() && both_were_ready(transcript) {
            asked.push(ask(last as u32, None, &bank, &mut since));
        }
        Requests { transcript, reenactment, seat, clock, asked, since_the_last: since }
    }

    /// The match's first line.
    pub fn header(&self) -> &'a Header {
        &self.transcript.header
    }

    /// The seat that was asked.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Every request, in order.
    pub fn all(&self) -> &[Asked] {
        &self.asked
    }

    /// What the seat was told before the match.
    pub fn opening(&self) -> Opening<'_> {
        let header = self.header();
        Opening {
            match_id: &header.id,
            game: &header.game,
            params: &header.params,
            seat: self.seat,
            players: header.players.each_ref().map(|player| player.name.as_str()),
            seed: bot_seed(header.seed, self.seat),
            clock: &self.clock,
        }
    }

    /// One of the requests, as it was sent in the position that it was asked in.
    pub fn request<'b>(&'b self, asked: &'b Asked, position: &'b dyn AnyPosition) -> Request<'b> {
        let header = self.header();
        Request {
            match_id: &header.id,
            turn: asked.turn,
            seat: self.seat,
            position,
            since: &asked.since,
            hints: header.hints,
            limit: asked.limit,
            per_move: self.clock.per_move,
            left: asked.left,
        }
    }

    /// The position in which it was asked.
    pub fn position(&self, asked: &Asked) -> Box<dyn AnyPosition> {
        self.reenactment.before(asked.turn as usize)
    }

    /// The position before a turn; without one, that of the start.
    pub fn position_before(&self, turn: Option<u32>) -> Box<dyn AnyPosition> {
        self.reenactment.before(turn.unwrap_or(0) as usize)
    }

    /// The position in which the match ended.
    pub fn last_position(&self) -> Box<dyn AnyPosition> {
        self.reenactment.before(usize::MAX)
    }

    /// What was played after the last request, as `end` told it.
    pub fn since_the_last(&self) -> &Since {
        &self.since_the_last
    }

    /// The events of the match.
    pub fn transcript(&self) -> &'a Transcript {
        self.transcript
    }

    /// How the match ended, if it did.
    pub fn result(&self) -> Option<&'a RecordedResult> {
        self.transcript.result.as_ref()
    }
}

/// Whether both were ready, so that turns were asked for.
fn both_were_ready(transcript: &Transcript) -> bool {
    let ready = |seat: Seat| transcript.events.iter().any(|event| event.kind == RecordedKind::Ready { seat });
    Seat::BOTH.into_iter().all(ready)
}
