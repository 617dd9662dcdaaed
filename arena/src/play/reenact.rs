//! A transcript played again: the rules give back the states that it does not store.

use crate::game::{AnyPosition, MoveError, Started, Status};
use crate::games;
use crate::record::{Header, Recorded, RecordedKind, Transcript};
use crate::seat::Seat;
use std::cell::RefCell;

/// So many turns lie between two positions that are kept.
const EVERY: usize = 64;

/// A transcript played again: its turns, and the position before each. Few positions are kept, the others are made again
/// when they are asked for: in order, each from the one before.
pub struct Reenactment<'a> {
    /// The match's start.
    pub started: Started,
    /// The turns, in order, as far as they can be played.
    pub turns: Vec<Seen>,
    /// Why not all of them could be: the number of the line, from 1, and what is wrong with it.
    pub broken: Option<(usize, String)>,
    transcript: &'a Transcript,
    /// The positions before the turns `EVERY`, twice that, …
    kept: Vec<Box<dyn AnyPosition>>,
    /// The position that was asked for last, and before which turn it is.
    latest: RefCell<Option<(usize, Box<dyn AnyPosition>)>>,
}

/// One turn.
pub struct Seen {
    /// The turn's number.
    pub turn: u32,
    /// Who moved, or had to pass.
    pub seat: Seat,
    /// Where in the transcript's events it stands.
    pub event: usize,
}

impl<'a> Reenactment<'a> {
    /// Plays a transcript again, up to the first turn that the rules refuse.
    ///
    /// # Errors
    /// A game that this arena does not have, or parameters that it does not accept.
    pub fn new(transcript: &'a Transcript) -> Result<Reenactment<'a>, String> {
        let started = start_of(&transcript.header)?;
        let mut position = started.position.clone_box();
        let mut turns: Vec<Seen> = Vec::new();
        let mut kept = Vec::new();
        let mut broken = None;
        for (event, recorded) in transcript.events.iter().enumerate() {
            match play_recorded(&mut *position, turns.len() as u32, recorded) {
                Ok(None) => {}
                Ok(Some(seat)) => {
                    turns.push(Seen { turn: turns.len() as u32, seat, event });
                    if turns.len().is_multiple_of(EVERY) {
                        kept.push(position.clone_box());
                    }
                }
                Err(why) => {
                    broken = Some((recorded.line, why));
                    break;
                }
            }
        }
        Ok(Reenactment { started, turns, broken, transcript, kept, latest: RefCell::default() })
    }

    /// The position before a turn; the last one when there is no such turn.
    pub fn before(&self, turn: usize) -> Box<dyn AnyPosition> {
        let turn = turn.min(self.turns.len());
        let kept = match turn / EVERY {
            0 => (0, &*self.started.position),
            count => (count * EVERY, &*self.kept[count - 1]),
        };
        let mut latest = self.latest.borrow_mut();
        let (mut at, mut position) = match latest.take() {
            Some((at, position)) if (kept.0..=turn).contains(&at) => (at, position),
            _ => (kept.0, kept.1.clone_box()),
        };
        for seen in &self.turns[at..turn] {
            let made = play_recorded(&mut *position, seen.turn, &self.transcript.events[seen.event]);
            debug_assert!(matches!(made, Ok(Some(_))), "it was played before: {made:?}");
            at += 1;
        }
        *latest = Some((at, position.clone_box()));
        position
    }

    /// The position after a turn; the last one when there is no such turn.
    pub fn after(&self, turn: usize) -> Box<dyn AnyPosition> {
        self.before(turn.saturating_add(1))
    }
}

/// The start of a transcript's match, from its game, parameters and seed.
pub fn start_of(header: &Header) -> Result<Started, String> {
    let game = games::find(&header.game).ok_or_else(|| {
        let known: Vec<&str> = games::GAMES.iter().map(|game| game.info().id).collect();
        format!("there is no game `{}`: this arena has {}", header.game, known.join(", "))
    })?;
    game.start(&header.params, header.seed).map_err(|error| error.to_string())
}

/// Plays what a line tells, where turn `next` is due; whose turn it was, `None` when it tells of no turn. After an error the position
/// means nothing.
pub fn play_recorded(position: &mut dyn AnyPosition, next: u32, recorded: &Recorded) -> Result<Option<Seat>, String> {
    let (turn, seat, mv) = match &recorded.kind {
        RecordedKind::Move { turn, seat, mv, .. } => (*turn, *seat, Some(mv)),
        RecordedKind::Pass { turn, seat } => (*turn, *seat, None),
        RecordedKind::Replayed { turn, seat, mv } => (*turn, *seat, mv.as_ref()),
        _ => return Ok(None),
    };
    if turn != next {
        return Err(format!("this is turn {turn}, where turn {next} is due"));
    }
    match (position.status(), mv) {
        (Status::ToMove(due), Some(mv)) if due == seat => {
            let played = position.play(mv).map_err(|error| match error {
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
        (Status::MustPass(due), None) if due == seat => position.pass(),
        (Status::Over(_), _) => return Err(format!("turn {turn} follows the end of the game")),
        (Status::ToMove(due) | Status::MustPass(due), _) if due != seat => {
            return Err(format!("turn {turn} is seat {due}'s, not seat {seat}'s"));
        }
        (Status::ToMove(_), _) => return Err(format!("turn {turn} is a pass, though seat {seat} has a legal move")),
        (Status::MustPass(_), _) => {
            return Err(format!("turn {turn} is a move, though seat {seat} has none and must pass"));
        }
    }
    Ok(Some(seat))
}
