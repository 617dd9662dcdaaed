//! The referee of one match: whose turn it is, whether an answer counts, and how the match ended. No clock, no
//! process: it is told what was answered, and what went wrong.

use crate::game::{AnyPosition, MoveError, PlayedMove, Status};
use crate::protocol::Since;
use crate::seat::{BySeat, Seat};
use crate::verdict::{Reason, Verdict};
use serde_json::Value;

/// What is to be done next.
#[derive(Debug, PartialEq)]
pub enum Step {
    /// This seat is to be asked.
    Ask {
        /// The turn's number.
        turn: u32,
        /// The seat.
        seat: Seat,
    },
    /// This seat had no legal move and has been skipped.
    Passed {
        /// The turn's number.
        turn: u32,
        /// The seat.
        seat: Seat,
    },
    /// The match is over.
    Done(Verdict),
}

/// An answer that forfeits the match: `malformed` or `illegal`, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// `Malformed` or `Illegal`.
    pub reason: Reason,
    /// The rule, or the shape, that it breaks.
    pub why: String,
}

/// A match in progress, seen from the rules.
pub struct Referee {
    position: Box<dyn AnyPosition>,
    turn: u32,
    since: BySeat<Since>,
    ignored: [u64; 2],
}

impl Referee {
    /// A match that begins from this position with turn 0.
    pub fn new(position: Box<dyn AnyPosition>) -> Referee {
        Referee { position, turn: 0, since: BySeat::default(), ignored: [0; 2] }
    }

    /// The position as it stands.
    pub fn position(&self) -> &dyn AnyPosition {
        &*self.position
    }

    /// The number of the next turn, which is how many there have been.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// What was played since this seat was last asked.
    pub fn since(&self, seat: Seat) -> &Since {
        &self.since[seat]
    }

    /// Says what comes next; a forced pass is made by asking for it.
    pub fn step(&mut self) -> Step {
        match self.position.status() {
            Status::ToMove(seat) => Step::Ask { turn: self.turn, seat },
            Status::MustPass(seat) => {
                self.position.pass();
                let turn = self.next_turn(seat, None);
                Step::Passed { turn, seat }
            }
            Status::Over(outcome) => {
                let reason = if outcome.turn_limit { Reason::TurnLimit } else { Reason::Finished };
                Step::Done(self.verdict(outcome.winner, self.position.scores(), reason, outcome.detail, None))
            }
        }
    }

    /// This seat has been told all that was played so far.
    pub fn told(&mut self, seat: Seat) {
        self.since[seat].clear();
    }

    /// Judges the answer of the seat to move, and plays it when it counts.
    pub fn rule(&mut self, seat: Seat, answer: &Value) -> Result<PlayedMove, Refusal> {
        let played = self.position.play(answer).map_err(|error| match error {
            MoveError::BadShape(why) => Refusal { reason: Reason::Malformed, why },
            MoveError::Illegal(why) => Refusal { reason: Reason::Illegal, why },
        })?;
        self.ignored[seat.index()] += played.ignored.len() as u64;
        self.next_turn(seat, Some(&played.accepted));
        Ok(played)
    }

    /// The verdict when this seat is at fault: the other one wins, with the points of the position as it stands.
    pub fn forfeit(&self, seat: Seat, reason: Reason, detail: String) -> Verdict {
        self.verdict(Some(seat.other()), self.position.forfeit_scores(seat), reason, Some(detail), Some(seat))
    }

    /// The verdict of a match that counts nowhere.
    pub fn void(&self, reason: Reason, detail: String) -> Verdict {
        self.verdict(None, self.position.scores(), reason, Some(detail), None)
    }

    fn next_turn(&mut self, seat: Seat, mv: Option<&str>) -> u32 {
        let turn = self.turn;
        self.turn += 1;
        for reader in Seat::BOTH {
            self.since[reader].push(turn, seat, mv);
        }
        turn
    }

    fn verdict(
        &self,
        winner: Option<Seat>,
        scores: [i64; 2],
        reason: Reason,
        detail: Option<String>,
        at_fault: Option<Seat>,
    ) -> Verdict {
        let invalid = self.position.info().counts_ignored.then_some(self.ignored);
        Verdict { winner, scores, reason, detail, at_fault, invalid }
    }
}
