//! What is on record of a cup: its rows, with what a format needs of each. The only writer of `matches.csv` while a cup
//! is played. A match has a row once its transcript is committed, and the row says what the transcript says.

use super::folder::{Folder, TRIES, is_void, void_name};
use super::observation::Observation;
use super::slot::PlayedMatch;
use super::{Pairing, Settled};
use crate::record::rows::{RowReader, RowWriter, write_in_order};
use crate::record::{Row, RowOutcome, read_transcript};
use crate::seed::{HASH_OF_NOTHING, hash};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::num::NonZeroU64;
use std::path::Path;

/// The rows of a cup.
pub const MATCHES: &str = "matches.csv";

/// What each row is an observation of, a line each: id, and the hash in hexadecimal. Made again where it is missing: only
/// for speed.
const OBSERVATIONS: &str = ".observations";

/// What is on record of a cup.
pub struct Ledger<'a> {
    folder: &'a Folder,
    rows: RowWriter,
    observations: File,
    entries: HashMap<u64, Entry>,
    count: u64,
    scheduled: u32,
}

/// What is kept of a match: by the hash of its id, so that a million of them stay small.
#[derive(Clone, Copy)]
struct Entry {
    /// `None` when it is scheduled and has no row.
    settled: Option<Settled>,
    /// Its place in the schedule, once it was asked for.
    place: u32,
    /// 0 is as good as unknown: it is made again from the transcript.
    observation: Option<NonZeroU64>,
}

impl<'a> Ledger<'a> {
    /// Reads what is on record in a folder. A torn last row is cut off: its match is committed, and gets its row again.
    ///
    /// # Errors
    /// Files that cannot be read or written, or that are no record.
    pub fn open(folder: &'a Folder) -> Result<Ledger<'a>, String> {
        let path = folder.file(MATCHES);
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        let (rows, _torn) = RowWriter::open(&path).map_err(failed)?;
        let observations_path = folder.file(OBSERVATIONS);
        let observations = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(&observations_path)
            .map_err(|error| format!("{}: {error}", observations_path.display()))?;
        let mut ledger = Ledger { folder, rows, observations, entries: HashMap::new(), count: 0, scheduled: 0 };
        for row in RowReader::open(&path).map_err(|error| error.to_string())? {
            let row = row.map_err(|error| error.to_string())?;
            ledger.enter(&row, None);
        }
        ledger.read_observations();
        Ok(ledger)
    }

    /// How many matches are on record.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How many matches a format is to be fed with what is on record, those without a row among them.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn to_be_fed(&self) -> Result<u64, String> {
        let mut without_row = 0;
        let failed = |error: std::io::Error| format!("{}: {error}", self.folder.path().display());
        let last_try = format!(".void{TRIES}");
        for name in self.folder.transcripts().map_err(failed)? {
            let name = name.map_err(failed)?;
            let id = name.strip_suffix(&last_try).unwrap_or(&name);
            without_row += u64::from(!is_void(id) && !self.entries.contains_key(&key(id)));
        }
        Ok(self.count + without_row)
    }

    /// The format has asked for a match: its place in the schedule is known now.
    pub fn scheduled(&mut self, pairing: &Pairing) {
        let place = self.scheduled;
        self.scheduled += 1;
        self.entries.entry(key(&pairing.id)).or_insert(Entry { settled: None, place, observation: None }).place = place;
    }

    /// What is on record of a match, and what it is an observation of. A match that is committed and has no row gets one.
    pub fn result(&mut self, pairing: &Pairing) -> Result<Option<(Settled, Option<u64>)>, String> {
        let entry = self.entries.get(&key(&pairing.id)).copied();
        let committed = self.folder.transcript(&pairing.id);
        match entry.and_then(|entry| entry.settled) {
            Some(Settled::Void) => Ok(Some((Settled::Void, None))),
            // What is noted of a match must not hide that it is gone.
            Some(_) if !committed.exists() => Err(format!(
                "{}: the row of {} has no transcript: put the file back, or take the row out of {}, and the match is \
                 played again",
                committed.display(),
                pairing.id,
                self.folder.file(MATCHES).display()
            )),
            Some(settled) => match entry.and_then(|entry| entry.observation) {
                Some(observation) => Ok(Some((settled, Some(observation.get())))),
                None => {
                    let transcript = read_transcript(&committed).map_err(|error| error.to_string())?;
                    let observation = Observation::of_transcript(&transcript, pairing.seats, pairing.set);
                    self.note(&pairing.id, observation)?;
                    Ok(Some((settled, Some(observation))))
                }
            },
            None => {
                let given_up = self.folder.transcript(&void_name(&pairing.id, TRIES));
                let Some(path) = [committed, given_up].into_iter().find(|path| path.exists()) else { return Ok(None) };
                let transcript = read_transcript(&path).map_err(|error| error.to_string())?;
                let row = Row::of_transcript(&transcript, pairing.round).map_err(|error| error.to_string())?;
                let observation = (row.outcome != RowOutcome::Void)
                    .then(|| Observation::of_transcript(&transcript, pairing.seats, pairing.set));
                self.write(&row, observation)?;
                Ok(Some((settled(&row), observation)))
            }
        }
    }

    /// Puts a match on record whose transcript is where it stays.
    pub fn append(&mut self, played: &PlayedMatch, name: &str) -> Result<Row, String> {
        let row = Row::of_match(&played.header, &played.closing, played.pairing.round, &format!("{name}.jsonl"));
        let counts = row.outcome != RowOutcome::Void;
        self.write(&row, counts.then_some(played.observation))?;
        Ok(row)
    }

    /// Puts the rows into the order of the schedule, all at once.
    pub fn sort(&self) -> Result<(), String> {
        let place = |id: &str| self.entries.get(&key(id)).map(|entry| entry.place);
        write_in_order(&self.folder.file(MATCHES), place).map_err(|error| error.to_string())
    }

    fn write(&mut self, row: &Row, observation: Option<u64>) -> Result<(), String> {
        let path = self.folder.file(MATCHES);
        self.rows.append(row).map_err(|error| format!("{}: {error}", path.display()))?;
        self.enter(row, observation);
        match observation {
            Some(observation) => self.note(&row.id, observation),
            None => Ok(()),
        }
    }

    fn enter(&mut self, row: &Row, observation: Option<u64>) {
        self.count += 1;
        let observation = observation.and_then(NonZeroU64::new);
        let entry = self.entries.entry(key(&row.id)).or_insert(Entry { settled: None, place: u32::MAX, observation });
        entry.settled = Some(settled(row));
        entry.observation = observation;
    }

    fn note(&mut self, id: &str, observation: u64) -> Result<(), String> {
        if let Some(entry) = self.entries.get_mut(&key(id)) {
            entry.observation = NonZeroU64::new(observation);
        }
        let path = self.folder.file(OBSERVATIONS);
        self.observations
            .write_all(format!("{id} {observation:016x}\n").as_bytes())
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    fn read_observations(&mut self) {
        for (id, observation) in Observations::read(self.folder.path()).0 {
            if let Some(entry) = self.entries.get_mut(&id) {
                entry.observation = NonZeroU64::new(observation);
            }
        }
    }
}

/// What the rows of a cup are observations of, as far as that is noted; the rest the transcripts tell.
pub struct Observations(HashMap<u64, u64>);

impl Observations {
    /// Reads what is noted in a results folder.
    pub fn read(folder: &Path) -> Observations {
        let Ok(file) = File::open(folder.join(OBSERVATIONS)) else { return Observations(HashMap::new()) };
        let noted = |line: String| {
            let (id, hash) = line.split_once(' ')?;
            // A torn line has a shorter hash.
            let observation = u64::from_str_radix(hash, 16).ok().filter(|_| hash.len() == 16)?;
            Some((key(id), observation))
        };
        Observations(BufReader::new(file).lines().map_while(Result::ok).filter_map(noted).collect())
    }

    /// What the match with this id is an observation of.
    pub fn of(&self, id: &str) -> Option<u64> {
        self.0.get(&key(id)).copied()
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

/// The hash of an id.
fn key(id: &str) -> u64 {
    hash(HASH_OF_NOTHING, id.as_bytes())
}
