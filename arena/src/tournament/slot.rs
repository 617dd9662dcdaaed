//! A slot: one thread on its own core, which plays the matches that it is handed, one after the other. Bots that can play
//! further matches stay in it between two.

use super::folder::Folder;
use super::observation::Observation;
use super::{Entrant, Field, Pairing};
use crate::clock::Clock;
use crate::game::AnyGame;
use crate::play::{MatchPlan, play_match, seat_program, those_who_can_play_again};
use crate::record::{Closing, Event, Everyone, Header, PlayerRecord, Recorder, TranscriptWriter};
use crate::seat::{BySeat, Seat};
use crate::table::{Chair, Table, Thinking};
use crate::transport::{Host, Interrupt, Limits, Program, cores};
use crate::verdict::Reason;
use std::io;

/// What is the same for all matches of a cup.
pub struct Conditions {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// Entrants, parameter sets, seed.
    pub field: Field,
    /// How each entrant is started.
    pub programs: Vec<Program>,
    /// The limits on time.
    pub clock: Clock,
    /// The limits on what a bot may use.
    pub limits: Limits,
    /// Whether the legal moves are sent also where the game does not always do so.
    pub hints: bool,
    /// What a bot may do in its rival's turn.
    pub thinking: Thinking,
    /// Whether bots that can may play several matches in one process; where nobody says, those that are not confined may.
    pub reuse: Option<bool>,
}

/// A match that was played.
pub struct PlayedMatch {
    /// Which.
    pub pairing: Pairing,
    /// Its header.
    pub header: Header,
    /// How it ended.
    pub closing: Closing,
    /// What it is an observation of.
    pub observation: u64,
}

/// What became of a match that was handed to a slot.
pub enum Outcome {
    /// It was played, to whatever end but the next two.
    Played(Box<PlayedMatch>),
    /// The machine disturbed it: it is to be played again.
    Disturbed(Box<PlayedMatch>),
    /// The arena was stopped.
    Interrupted,
    /// We failed.
    Failed(String),
}

/// One slot. It belongs to the thread that made it.
pub struct Slot<'a> {
    conditions: &'a Conditions,
    folder: &'a Folder,
    host: Host,
    cores: Vec<usize>,
    interrupt: Interrupt,
    parked: Vec<Parked>,
}

/// A bot that waits for its next match.
struct Parked {
    entrant: Entrant,
    set: usize,
    chair: Chair,
}

impl<'a> Slot<'a> {
    /// Binds the calling thread to the slot's cores.
    pub fn new(
        conditions: &'a Conditions,
        folder: &'a Folder,
        cores: Vec<usize>,
        host: Host,
        interrupt: Interrupt,
    ) -> Result<Slot<'a>, String> {
        cores::bind_this_thread(&cores)?;
        Ok(Slot { conditions, folder, host, cores, interrupt, parked: Vec::new() })
    }

    /// Plays one match; its transcript is left unfinished in the folder, to be committed by whoever decides on it.
    pub fn play(&mut self, pairing: &Pairing) -> Outcome {
        match self.try_to_play(pairing) {
            Ok(outcome) => outcome,
            Err(error) => {
                self.folder.forget(&pairing.id);
                Outcome::Failed(error)
            }
        }
    }

    fn try_to_play(&mut self, pairing: &Pairing) -> Result<Outcome, String> {
        let plan = self.plan(pairing)?;
        let path = self.folder.unfinished(&pairing.id);
        let cannot_write = |error: io::Error| format!("{} cannot be written: {error}", path.display());
        let mut writer = TranscriptWriter::create(&path).map_err(cannot_write)?;
        let chairs = BySeat([self.chair(pairing, Seat::First)?, self.chair(pairing, Seat::Second)?]);
        self.send_parked_away()?;
        let mut table = Table::new(chairs, self.conditions.thinking, self.interrupt.clone());
        let mut watcher = Watcher { header: None, observation: Observation::of(pairing.seats, pairing.set) };
        let closing =
            play_match(&plan, &mut table, &mut Everyone(vec![&mut writer, &mut watcher])).map_err(cannot_write)?;
        drop(writer);
        let chairs = those_who_can_play_again(table.into_chairs(), self.conditions.clock.stop)
            .map_err(|error| error.to_string())?;
        for (seat, chair) in Seat::BOTH.into_iter().zip(chairs.0) {
            let entrant = pairing.seats[seat.index()];
            self.parked.extend(chair.map(|chair| Parked { entrant, set: pairing.set, chair }));
        }
        if closing.verdict.reason == Reason::Interrupted {
            self.folder.forget(&pairing.id);
            return Ok(Outcome::Interrupted);
        }
        let disturbed = closing.verdict.reason == Reason::Disturbed;
        let header = watcher.header.ok_or("a match was played without a header")?;
        let played = PlayedMatch { pairing: pairing.clone(), header, closing, observation: watcher.observation.hash() };
        Ok(if disturbed { Outcome::Disturbed(Box::new(played)) } else { Outcome::Played(Box::new(played)) })
    }

    /// Ends the bots that wait for a match.
    pub fn send_parked_away(&mut self) -> Result<(), String> {
        for parked in self.parked.drain(..) {
            parked.chair.send_away(self.conditions.clock.stop).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn plan(&self, pairing: &Pairing) -> Result<MatchPlan, String> {
        let Conditions { game, field, clock, limits, hints, thinking, reuse, .. } = self.conditions;
        let started = game.start(&field.sets[pairing.set], pairing.seed).map_err(|error| error.to_string())?;
        let players = pairing.seats.map(|entrant| self.record(entrant));
        let keeps = |entrant: Entrant| reuse.unwrap_or(self.conditions.programs[entrant].view.is_none());
        Ok(MatchPlan {
            hints: *hints,
            thinking: *thinking,
            cores: Some(self.cores.clone()),
            isolation: self.host.in_force(),
            limits: limits.clone(),
            keep: BySeat(pairing.seats.map(keeps)),
            ..MatchPlan::of(pairing.id.clone(), *game, started, pairing.seed, clock.clone(), players)
        })
    }

    fn record(&self, entrant: Entrant) -> PlayerRecord {
        let program = &self.conditions.programs[entrant];
        PlayerRecord {
            name: self.conditions.field.names[entrant].clone(),
            command: program.argv.clone(),
            folder: Some(program.folder.to_string_lossy().into_owned()),
            ..PlayerRecord::default()
        }
    }

    fn chair(&mut self, pairing: &Pairing, seat: Seat) -> Result<Chair, String> {
        let entrant = pairing.seats[seat.index()];
        let waiting = self.parked.iter().position(|parked| parked.entrant == entrant && parked.set == pairing.set);
        if let Some(place) = waiting {
            return Ok(self.parked.swap_remove(place).chair);
        }
        let program = &self.conditions.programs[entrant];
        seat_program(&self.host, program, &self.conditions.limits)
            .map_err(|error| format!("{}: {error}", self.conditions.field.names[entrant]))
    }
}

/// Remembers what a row needs beside the closing.
struct Watcher {
    header: Option<Header>,
    observation: Observation,
}

impl Recorder for Watcher {
    fn begin(&mut self, header: &Header) -> io::Result<()> {
        self.header = Some(header.clone());
        header.opening.iter().for_each(|ply| self.observation.add(&ply.to_string()));
        Ok(())
    }

    fn record(&mut self, _ms: u64, event: &Event<'_>) -> io::Result<()> {
        if let Event::Move { mv, .. } = event {
            self.observation.add(mv);
        }
        Ok(())
    }
}
