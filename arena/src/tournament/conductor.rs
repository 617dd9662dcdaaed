//! Conducts a cup: pulls matches from its format, hands them to slots, commits what they bring back, and is the only
//! writer of its rows. It knows no rules and no ratings.

use super::folder::{Folder, TRIES, void_name};
use super::ledger::Ledger;
use super::seen::Seen;
use super::slot::{Conditions, Outcome, PlayedMatch, Slot};
use super::{Format, Next, Pairing, Settled};
use crate::record::Row;
use crate::transport::{Host, Interrupt};
use crate::verdict::{Reason, Verdict};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// Something that happened in a cup, for whoever watches.
pub enum CupEvent<'a> {
    /// The cup begins, or goes on.
    Began {
        /// How many matches there will be, where that is known.
        planned: Option<u64>,
        /// How many of them are on record already.
        on_record: u64,
        /// How many are played at the same time.
        slots: usize,
    },
    /// A match is being played.
    Started {
        /// Which.
        pairing: &'a Pairing,
    },
    /// A match was played and is on record.
    Ended {
        /// Its row.
        row: &'a Row,
        /// The match; its transcript is committed.
        played: &'a PlayedMatch,
    },
    /// The machine disturbed a match.
    Disturbed {
        /// Which.
        pairing: &'a Pairing,
        /// The number of this attempt, from 1.
        attempt: u32,
        /// Whether it stays void now.
        gives_up: bool,
    },
}

/// Whoever watches a cup. An error stops it in good order.
pub trait Audience {
    /// Something happened.
    fn hear(&mut self, event: &CupEvent<'_>) -> Result<(), String>;
}

/// How a cup came to its end, or to a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Whether everything is played.
    pub finished: bool,
    /// How many matches stayed void.
    pub void: u64,
    /// How many matches are on record.
    pub on_record: u64,
}

/// What a cup is conducted with.
pub struct Conductor<'a> {
    /// The same for all matches.
    pub conditions: &'a Conditions,
    /// Its folder.
    pub folder: &'a Folder,
    /// What bots are started with.
    pub host: Host,
    /// The cores of each slot.
    pub slots: Vec<Vec<usize>>,
    /// Raised when it is to stop: running matches are voided.
    pub interrupt: Interrupt,
    /// Set when no match is to be begun any more; those that run are played to their end.
    pub enough: &'a AtomicBool,
    /// Set when a format that plans in batches is to plan no further one: what is planned is played.
    pub last_batch: &'a AtomicBool,
}

impl<'a> Conductor<'a> {
    /// Plays what the format wants and is not on record yet, until it is finished or stopped.
    ///
    /// # Errors
    /// We failed (a full disk, a folder that went away): everything that was on record still is, and the same cup can be
    /// gone on with.
    pub fn run(
        &self,
        format: &mut dyn Format,
        ledger: &mut Ledger<'a>,
        audience: &mut dyn Audience,
    ) -> Result<Ending, String> {
        let (to_us, from_slots) = channel();
        thread::scope(|scope| {
            let mut hands = Vec::new();
            for cores in &self.slots {
                let (hand, orders) = channel::<Vec<Pairing>>();
                let place = hands.len();
                let to_us = to_us.clone();
                // A slot's thread lives as long as the cup: what it has started must not lose its parent before.
                let host = self.host.clone();
                scope.spawn(move || self.serve(place, cores.clone(), host, &orders, &to_us));
                hands.push(Hand { orders: hand, busy: true });
            }
            drop(to_us);
            let seen = format.heeds_repeats().then(Seen::default);
            let mut run = Run {
                conductor: self,
                format,
                ledger,
                audience,
                hands,
                from_slots,
                waiting: VecDeque::new(),
                left_on_record: 0,
                seen,
                untold: VecDeque::new(),
                void: 0,
                failure: None,
            };
            run.conduct()
        })
    }

    fn serve(
        &self,
        place: usize,
        cores: Vec<usize>,
        host: Host,
        orders: &Receiver<Vec<Pairing>>,
        to_us: &Sender<Report>,
    ) {
        let mut slot = match Slot::new(self.conditions, self.folder, cores, host, self.interrupt.clone()) {
            Ok(slot) => slot,
            Err(why) => return drop(to_us.send(Report { place, kind: ReportKind::Unfit(why) })),
        };
        // Whoever does not listen any more has stopped, and so do we.
        let tell = |kind| to_us.send(Report { place, kind }).is_ok();
        if !tell(ReportKind::Free) {
            return;
        }
        while let Ok(pairings) = orders.recv() {
            for pairing in pairings {
                // The first half of a pair may have lasted until nothing is to be begun any more.
                let begins = !self.enough.load(Ordering::Relaxed) && !self.interrupt.raised();
                if begins && !tell(ReportKind::Begins(pairing.clone())) {
                    return;
                }
                let outcome = if begins { slot.play(&pairing) } else { Outcome::Interrupted };
                if !tell(ReportKind::Done(pairing, outcome)) {
                    return;
                }
            }
            if !tell(ReportKind::Free) {
                return;
            }
        }
        // The cup is over; what cannot be ended in good order is ended with the slot.
        let _ = slot.send_parked_away();
    }
}

/// How a match ended, and what it is an observation of.
#[derive(Clone, Copy)]
struct Known {
    settled: Settled,
    observation: Option<u64>,
}

struct Report {
    place: usize,
    kind: ReportKind,
}

enum ReportKind {
    /// The slot cannot be used.
    Unfit(String),
    /// It waits for matches.
    Free,
    /// It begins a match.
    Begins(Pairing),
    /// It has played one.
    Done(Pairing, Outcome),
}

/// A slot, seen from the conductor.
struct Hand {
    orders: Sender<Vec<Pairing>>,
    busy: bool,
}

struct Run<'a, 'b> {
    conductor: &'b Conductor<'a>,
    format: &'b mut dyn Format,
    ledger: &'b mut Ledger<'a>,
    audience: &'b mut dyn Audience,
    hands: Vec<Hand>,
    from_slots: Receiver<Report>,
    /// Matches that the format wants and nobody plays yet: those that were disturbed, and the second half of a pair.
    waiting: VecDeque<Pairing>,
    /// How many matches on record the format has not asked for yet.
    left_on_record: u64,
    /// Observations that were settled, where the format heeds repeats.
    seen: Option<Seen>,
    /// Matches that the format has asked for and was not told of yet, in its order, with what is known of them. It is told
    /// in its own order, so that which of two equal matches is the repeat does not depend on which was over first.
    untold: VecDeque<(String, Option<Known>)>,
    void: u64,
    failure: Option<String>,
}

impl Run<'_, '_> {
    fn conduct(&mut self) -> Result<Ending, String> {
        let planned = self.format.planned();
        let (on_record, slots) = (self.ledger.count(), self.hands.len());
        self.announce(&CupEvent::Began { planned, on_record, slots });
        self.left_on_record = self.ledger.to_be_fed();
        let mut finished = false;
        loop {
            finished = finished || self.hand_out();
            if self.hands.iter().all(|hand| !hand.busy) {
                break;
            }
            let Ok(report) = self.from_slots.recv() else { break };
            match report.kind {
                ReportKind::Free => self.hands[report.place].busy = false,
                ReportKind::Unfit(why) => {
                    self.hands[report.place].busy = false;
                    self.fail(why);
                }
                ReportKind::Begins(pairing) => self.announce(&CupEvent::Started { pairing: &pairing }),
                ReportKind::Done(pairing, outcome) => self.take(pairing, outcome),
            }
        }
        self.hands.clear();
        match self.failure.take() {
            Some(why) => Err(why),
            None => Ok(Ending {
                finished: finished && self.waiting.is_empty() && !self.stopping(),
                void: self.void,
                on_record: self.ledger.count(),
            }),
        }
    }

    /// Gives every free slot something to do. True when the format wants nothing more.
    fn hand_out(&mut self) -> bool {
        loop {
            if self.stopping() {
                return false;
            }
            let Some(place) = self.hands.iter().position(|hand| !hand.busy) else { return false };
            let mut order = match self.next_to_play() {
                Next::Play(pairing) => vec![pairing],
                Next::Wait => return false,
                Next::Finished => return true,
            };
            // Both halves of a pair go to one slot: its bots are there already.
            if let Next::Play(second) = self.next_to_play() {
                if pair_of(&second.id) == pair_of(&order[0].id) {
                    order.push(second)
                } else {
                    self.waiting.push_front(second)
                }
            }
            self.hands[place].busy = self.hands[place].orders.send(order).is_ok();
        }
    }

    /// What is to be played next and is not on record; what is on record is settled on the way.
    fn next_to_play(&mut self) -> Next {
        if let Some(pairing) = self.waiting.pop_front() {
            return Next::Play(pairing);
        }
        loop {
            // What is on record was planned, and so was its last batch as a whole.
            if self.left_on_record == 0 && self.conductor.last_batch.load(Ordering::Relaxed) {
                self.format.stop_planning();
            }
            let pairing = match self.format.next() {
                Next::Play(pairing) => pairing,
                other => return other,
            };
            self.untold.push_back((pairing.id.clone(), None));
            match self.ledger.schedule(&pairing) {
                Ok(Some((settled, observation))) => {
                    self.left_on_record = self.left_on_record.saturating_sub(1);
                    self.settle(&pairing.id, settled, observation);
                }
                Ok(None) => return Next::Play(pairing),
                Err(why) => {
                    self.fail(why);
                    return Next::Wait;
                }
            }
        }
    }

    fn settle(&mut self, id: &str, settled: Settled, observation: Option<u64>) {
        self.void += u64::from(settled == Settled::Void);
        if let Some((_, known)) = self.untold.iter_mut().rev().find(|(untold, _)| untold == id) {
            *known = Some(Known { settled, observation });
        }
        while let Some((_, Some(known))) = self.untold.front() {
            let repeat = match (&mut self.seen, known.observation) {
                (Some(seen), Some(observation)) => !seen.insert(observation),
                _ => false,
            };
            let settled = known.settled;
            let (id, _) = self.untold.pop_front().expect("it was looked at a moment ago");
            self.format.settle(&id, settled, repeat);
        }
    }

    fn take(&mut self, pairing: Pairing, outcome: Outcome) {
        match outcome {
            Outcome::Played(played) => self.commit(&played),
            Outcome::Disturbed(played) => self.disturbed(pairing, &played),
            // It is played again when the cup goes on.
            Outcome::Interrupted => {}
            Outcome::Failed(why) => self.fail(format!("{}: {why}", pairing.id)),
        }
    }

    fn commit(&mut self, played: &PlayedMatch) {
        let id = &played.pairing.id;
        let committed = self.conductor.folder.commit(id).map_err(|error| format!("{id} cannot be committed: {error}"));
        let written = committed.and_then(|_| self.ledger.append(played, id));
        match written {
            Ok(row) => {
                let settled = settled(&played.closing.verdict);
                self.settle(id, settled, (settled != Settled::Void).then_some(played.observation));
                self.announce(&CupEvent::Ended { row: &row, played });
            }
            Err(why) => self.fail(why),
        }
    }

    fn disturbed(&mut self, pairing: Pairing, played: &PlayedMatch) {
        let attempt = match self.conductor.folder.keep_void(&pairing.id) {
            Ok(attempt) => attempt,
            Err(error) => return self.fail(format!("{} cannot be kept: {error}", pairing.id)),
        };
        let gives_up = attempt >= TRIES;
        self.announce(&CupEvent::Disturbed { pairing: &pairing, attempt, gives_up });
        if !gives_up {
            return self.waiting.push_front(pairing);
        }
        match self.ledger.append(played, &void_name(&pairing.id, attempt)) {
            Ok(_) => self.settle(&pairing.id, Settled::Void, None),
            Err(why) => self.fail(why),
        }
    }

    /// We failed: nothing more is begun, and what is on record stays.
    fn fail(&mut self, why: String) {
        self.failure.get_or_insert(why);
    }

    fn announce(&mut self, event: &CupEvent<'_>) {
        if let Err(why) = self.audience.hear(event) {
            self.fail(why);
        }
    }

    fn stopping(&self) -> bool {
        self.failure.is_some() || self.conductor.interrupt.raised() || self.conductor.enough.load(Ordering::Relaxed)
    }
}

/// What a verdict is to a format.
pub fn settled(verdict: &Verdict) -> Settled {
    match (verdict.winner, verdict.reason) {
        (Some(seat), _) => Settled::Won(seat),
        (None, Reason::Finished | Reason::TurnLimit) => Settled::Drawn,
        _ => Settled::Void,
    }
}

/// The id of the pair of which a match is a half.
fn pair_of(id: &str) -> &str {
    &id[..id.len() - 1]
}
