//! What is on record of a cup: its rows, with what a format needs of each. The only writer of `matches.csv` while a cup
//! is played. A match has a row once its transcript is committed, and the row says what the transcript says.
//!
//! Rows stand almost in the order in which the schedule asks for them, so they are read as it asks, and only those that come
//! too early are kept. What stays in memory of a match on record is its place in the schedule.

use super::folder::{Folder, TRIES, is_void, void_name};
use super::observation::Observation;
use super::observations::{self, ObservationWriter, Observations, key};
use super::slot::PlayedMatch;
use super::{Pairing, Settled};
use crate::record::rows::{RowReader, RowWriter, count_rows, rewrite_rows, write_in_order};
use crate::record::{Row, RowOutcome, read_transcript};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;
use std::num::NonZeroU64;

/// The rows of a cup.
pub const MATCHES: &str = "matches.csv";

/// What is on record of a cup.
pub struct Ledger<'a> {
    folder: &'a Folder,
    rows: RowWriter,
    observations: ObservationWriter,
    before: Before,
    /// The place in the schedule of each row, in the order of the file; [`UNPLACED`] until it is asked for.
    places: Vec<u32>,
    /// The places of matches that were asked for and have no row yet.
    open: HashMap<String, u32>,
    /// The rounds of rows, by their numbers, that the schedule has in another round than the row says: others were played again.
    moved: HashMap<u32, u32>,
    scheduled: u32,
}

/// Rows that are in no schedule.
pub struct Strangers {
    /// How many there are.
    pub count: usize,
    /// The matches that they tell of, where any match was taken out of the record.
    pub ids: BTreeSet<String>,
    /// Whether all are matches that were played for the cup, and stand there once: of others that were played again came other
    /// pairings. Else they are another's, or stand there twice.
    pub are_left_over: bool,
}

/// The place of a row that the schedule does not know: after all others.
const UNPLACED: u32 = u32::MAX;

impl<'a> Ledger<'a> {
    /// Opens what is on record in a folder. A torn last row is cut off: its match is committed, and gets its row again.
    ///
    /// # Errors
    /// Files that cannot be read or written, or that are no record.
    pub fn open(folder: &'a Folder) -> Result<Ledger<'a>, String> {
        let path = folder.file(MATCHES);
        let (rows, _torn) = RowWriter::open(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let observations = ObservationWriter::open(folder.path())?;
        let before = Before::open(folder)?;
        let count = count_rows(&path).map_err(|error| error.to_string())?;
        let places = vec![UNPLACED; count];
        Ok(Ledger {
            folder,
            rows,
            observations,
            before,
            places,
            open: HashMap::new(),
            moved: HashMap::new(),
            scheduled: 0,
        })
    }

    /// How many matches are on record.
    pub fn count(&self) -> u64 {
        self.places.len() as u64
    }

    /// How many matches a format is to be fed with what is on record, those without a row among them.
    pub fn to_be_fed(&self) -> u64 {
        (self.before.committed.len() + self.before.given_up.len()) as u64
    }

    /// The format has asked for a match, which is next in the schedule: what is on record of it, and what it is an
    /// observation of. A match that has no row though it is committed, or stayed void, gets one.
    pub fn schedule(&mut self, pairing: &Pairing) -> Result<Option<(Settled, Option<u64>)>, String> {
        let place = self.scheduled;
        self.scheduled += 1;
        let committed = self.folder.transcript(&pairing.id);
        let is_committed = self.before.committed.binary_search(&key(&pairing.id)).is_ok();
        let Some(entry) = self.before.find(&pairing.id)? else {
            self.open.insert(pairing.id.clone(), place);
            let gave_up = self.before.given_up.binary_search(&key(&pairing.id)).is_ok();
            let name = match (is_committed, gave_up) {
                (true, _) => pairing.id.clone(),
                (false, true) => void_name(&pairing.id, TRIES),
                (false, false) => return Ok(None),
            };
            return self.make_row(pairing, &name).map(Some);
        };
        self.places[entry.number as usize] = place;
        if entry.round != pairing.round {
            self.moved.insert(entry.number, pairing.round);
        }
        if entry.settled == Settled::Void {
            return Ok(Some((Settled::Void, None)));
        }
        // What is noted of a match must not hide that it is gone.
        if !is_committed {
            return Err(format!(
                "{}: the row of {} has no transcript: put the file back, or take the row out of {}, and the match is \
                 played again",
                committed.display(),
                pairing.id,
                self.folder.file(MATCHES).display()
            ));
        }
        if let Some(observation) = entry.observation {
            return Ok(Some((entry.settled, Some(observation.get()))));
        }
        let transcript = read_transcript(&committed).map_err(|error| error.to_string())?;
        let observation = Observation::of_transcript(&transcript, pairing.seats, pairing.set);
        self.observations.note(entry.number as usize, &pairing.id, observation)?;
        Ok(Some((entry.settled, Some(observation))))
    }

    /// Puts a match on record whose transcript is where it stays.
    pub fn append(&mut self, played: &PlayedMatch, name: &str) -> Result<Row, String> {
        let row = Row::of_match(&played.header, &played.closing, played.pairing.round, &format!("{name}.jsonl"));
        let counts = row.outcome != RowOutcome::Void;
        self.write(&row, counts.then_some(played.observation))?;
        Ok(row)
    }

    /// The rows that the schedule of a cup that is played has not asked for.
    ///
    /// # Errors
    /// The rows cannot be read.
    pub fn strangers(&self) -> Result<Strangers, String> {
        let count = self.places.iter().filter(|place| **place == UNPLACED).count();
        let mut strangers = Strangers { count, ids: BTreeSet::new(), are_left_over: false };
        if count == 0 || !self.folder.has_superseded_any() {
            return Ok(strangers);
        }
        let mut scheduled = HashSet::new();
        let rows = RowReader::open(&self.folder.file(MATCHES)).map_err(|error| error.to_string())?;
        for (place, row) in self.places.iter().zip(rows) {
            let id = row.map_err(|error| error.to_string())?.id;
            if *place == UNPLACED {
                strangers.ids.insert(id);
            } else {
                scheduled.insert(key(&id));
            }
        }
        strangers.are_left_over = strangers.ids.iter().all(|id| {
            // One that is gone was being set aside when the arena was killed.
            let was_played = self.folder.transcript(id).exists() || self.folder.has_superseded(id);
            was_played && !scheduled.contains(&key(id))
        });
        Ok(strangers)
    }

    /// Writes those rows anew whose round is another one now.
    pub fn correct_rounds(&mut self) -> Result<(), String> {
        let moved = std::mem::take(&mut self.moved);
        if moved.is_empty() {
            return Ok(());
        }
        let correct = |number, row: Row| Row { round: moved.get(&number).copied().unwrap_or(row.round), ..row };
        rewrite_rows(&self.folder.file(MATCHES), correct).map_err(|error| error.to_string())
    }

    /// Puts the rows of a cup that is played into the order of the schedule, all at once.
    pub fn sort(self) -> Result<(), String> {
        let Ledger { folder, places, .. } = self;
        if places.is_sorted() {
            return Ok(());
        }
        let mut order: Vec<u32> = (0..places.len() as u32).collect();
        order.sort_by_key(|&number| places[number as usize]);
        write_in_order(&folder.file(MATCHES), &order).map_err(|error| error.to_string())?;
        observations::reorder(folder.path(), &order)
    }

    /// Makes the row of a match from the transcript of this name.
    fn make_row(&mut self, pairing: &Pairing, name: &str) -> Result<(Settled, Option<u64>), String> {
        let transcript = read_transcript(&self.folder.transcript(name)).map_err(|error| error.to_string())?;
        let row = Row::of_transcript(&transcript, pairing.round).map_err(|error| error.to_string())?;
        let counts = row.outcome != RowOutcome::Void;
        let observation = counts.then(|| Observation::of_transcript(&transcript, pairing.seats, pairing.set));
        self.write(&row, observation)?;
        Ok((settled(&row), observation))
    }

    fn write(&mut self, row: &Row, observation: Option<u64>) -> Result<(), String> {
        let path = self.folder.file(MATCHES);
        self.rows.append(row).map_err(|error| format!("{}: {error}", path.display()))?;
        let number = self.places.len();
        self.places.push(self.open.remove(&row.id).unwrap_or(UNPLACED));
        observation.map_or(Ok(()), |observation| self.observations.note(number, &row.id, observation))
    }
}

/// What was on record when a cup was opened.
struct Before {
    /// The hashes of the ids of all committed matches, sorted.
    committed: Vec<u64>,
    /// The same of matches that stayed void.
    given_up: Vec<u64>,
    rows: RowReader,
    observations: Observations,
    read: u32,
    /// Rows that were read and not asked for yet, by the hash of the id: they may be many where bots were added.
    early: HashMap<u64, Entry>,
}

/// What a format needs of a row.
struct Entry {
    /// The row's number, from 0.
    number: u32,
    round: u32,
    settled: Settled,
    /// 0 is as good as unknown: it is made again from the transcript.
    observation: Option<NonZeroU64>,
}

impl Before {
    fn open(folder: &Folder) -> Result<Before, String> {
        let rows = RowReader::open(&folder.file(MATCHES)).map_err(|error| error.to_string())?;
        let observations = Observations::open(folder.path());
        let failed = |error: io::Error| format!("the transcripts in {}: {error}", folder.path().display());
        let (mut committed, mut given_up) = (Vec::new(), Vec::new());
        let last_try = format!(".void{TRIES}");
        for name in folder.transcripts().map_err(failed)? {
            let name = name.map_err(failed)?;
            match name.strip_suffix(&last_try) {
                Some(id) => given_up.push(key(id)),
                None if is_void(&name) => {}
                None => committed.push(key(&name)),
            }
        }
        committed.sort_unstable();
        given_up.sort_unstable();
        Ok(Before { committed, given_up, rows, observations, read: 0, early: HashMap::new() })
    }

    /// The row with this id.
    fn find(&mut self, id: &str) -> Result<Option<Entry>, String> {
        if let Some(entry) = self.early.remove(&key(id)) {
            return Ok(Some(entry));
        }
        for row in self.rows.by_ref() {
            let row = row.map_err(|error| error.to_string())?;
            let observation = self.observations.next(&row.id).and_then(NonZeroU64::new);
            let entry = Entry { number: self.read, round: row.round, settled: settled(&row), observation };
            self.read += 1;
            if row.id == id {
                return Ok(Some(entry));
            }
            self.early.insert(key(&row.id), entry);
        }
        Ok(None)
    }
}

/// What a row is to a format.
fn settled(row: &Row) -> Settled {
    match row.outcome {
        RowOutcome::Won(seat) => Settled::Won(seat),
        RowOutcome::Drawn => Settled::Drawn,
        RowOutcome::Void => Settled::Void,
    }
}
