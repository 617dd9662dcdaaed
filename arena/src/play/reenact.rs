//! A transcript played again: the rules give back the states that it does not store.

use crate::game::{AnyPosition, MoveError, Started, Status};
use crate::games;
use crate::record::{Header, Recorded, RecordedKind, Transcript};
use crate::seat::Seat;

/// A transcript with the position after each of its turns.
pub struct Reenactment {
    /// The match's start.
    pub started: Started,
    /// The turns, in order, as far as they can be played.
    pub turns: Vec<Seen>,
    /// Why not all of them could be: the number of the line, from 1, and what is wrong with it.
    pub broken: Option<(usize, String)>,
}

/// One turn, and what came of it.
pub struct Seen {
    /// The turn's number.
    pub turn: u32,
    /// Who moved, or had to pass.
    pub seat: Seat,
    /// Where in the transcript's events it stands.
    pub event: usize,
    /// The position after it.
    pub after: Box<dyn AnyPosition>,
}

impl Reenactment {
    /// Plays a transcript again, up to the first turn that the rules refuse.
    ///
    /// # Errors
    /// A game that this arena does not have, or parameters that it does not accept.
    pub fn new(transcript: &Transcript) -> Result<Reenactment, String> {
        let started = start(&transcript.header)?;
        let mut turns: Vec<Seen> = Vec::new();
        let mut broken = None;
        for (event, recorded) in transcript.events.iter().enumerate() {
            let before = turns.last().map_or(&*started.position, |seen| &*seen.after);
            match step(before, turns.len() as u32, recorded) {
                Ok(None) => {}
                Ok(Some((seat, after))) => turns.push(Seen { turn: turns.len() as u32, seat, event, after }),
                Err(why) => {
                    broken = Some((recorded.line, why));
                    break;
                }
            }
        }
        Ok(Reenactment { started, turns, broken })
    }

    /// The position before a turn; the last one when there is no such turn.
    pub fn before(&self, turn: usize) -> &dyn AnyPosition {
        let seen = turn.min(self.turns.len()).checked_sub(1).map(|last| &self.turns[last]);
        seen.map_or(&*self.started.position, |seen| &*seen.after)
    }
}

/// The start of a transcript's match, from its game, parameters and seed.
pub(super) fn start(header: &Header) -> Result<Started, String> {
    let game = games::find(&header.game).ok_or_else(|| {
        let known: Vec<&str> = games::GAMES.iter().map(|game| game.info().id).collect();
        format!("there is no game `{}`: this arena has {}", header.game, known.join(", "))
    })?;
    game.start(&header.params, header.seed).map_err(|error| error.to_string())
}

/// Who made a turn, and the position after it.
type Made = (Seat, Box<dyn AnyPosition>);

/// Plays what a line tells; `None` when it tells of no turn.
fn step(before: &dyn AnyPosition, next: u32, recorded: &Recorded) -> Result<Option<Made>, String> {
    let (turn, seat, mv) = match &recorded.kind {
        RecordedKind::Move { turn, seat, mv, .. } => (*turn, *seat, Some(mv)),
        RecordedKind::Pass { turn, seat } => (*turn, *seat, None),
        RecordedKind::Replayed { turn, seat, mv } => (*turn, *seat, mv.as_ref()),
        _ => return Ok(None),
    };
    if turn != next {
        return Err(format!("this is turn {turn}, where turn {next} is due"));
    }
    let mut after = before.clone_box();
    match (before.status(), mv) {
        (Status::ToMove(due), Some(mv)) if due == seat => {
            let played = after.play(mv).map_err(|error| match error {
                MoveError::BadShape(why) | MoveError::Illegal(why) => {
                    format!("turn {turn}: the move {mv} does not hold: {why}")
                }
            })?;
            if !played.ignored.is_empty() || serde_json::from_str(&played.accepted).ok().as_ref() != Some(mv) {
                return Err(format!(
                    "turn {turn}: the move {mv} is not as it was accepted: the rules make it {}",
                    played.accepted
                ));
            }
        }
        (Status::MustPass(due), None) if due == seat => after.pass(),
        (Status::Over(_), _) => return Err(format!("turn {turn} follows the end of the game")),
        (Status::ToMove(due) | Status::MustPass(due), _) if due != seat => {
            return Err(format!("turn {turn} is seat {due}'s, not seat {seat}'s"));
        }
        (Status::ToMove(_), _) => return Err(format!("turn {turn} is a pass, though seat {seat} has a legal move")),
        (Status::MustPass(_), _) => {
            return Err(format!("turn {turn} is a move, though seat {seat} has none and must pass"));
        }
    }
    Ok(Some((seat, after)))
}
