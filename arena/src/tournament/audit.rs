//! Whether a results folder holds: every transcript refereed again, every row as its transcript tells it, the schedule
//! complete and in order, the tables as the rows give them. Nothing is written; whoever asks has read the cup's file.

mod schedule;
mod table;
#[cfg(test)]
mod tests;

use super::folder::is_void;
use super::formats::Plan;
use super::ledger::MATCHES;
use super::observation::Observation;
use super::tally::{Tally, set_of};
use super::{Entrant, Field, Settled};
use crate::clock::Clock;
use crate::game::AnyGame;
use crate::play::verify;
use crate::record::rows::{COLUMNS, RowReader};
use crate::record::{ClockRecord, Row, RowOutcome, Transcript, read_transcript};
use crate::verdict::Reason;
use schedule::Walk;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

/// What was to be played.
pub struct Setup {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// Entrants, parameter sets, pairs and seed.
    pub field: Field,
    /// The format.
    pub plan: Plan,
    /// The limits on time.
    pub clock: Clock,
    /// Whether the legal moves were sent also where the game does not always do so.
    pub hints: bool,
    /// Whether a budget in time may have ended the cup before its format would have.
    pub in_time: bool,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// How many rows there are.
    pub matches: u64,
    /// That matches of the schedule are still to be played, in a sentence.
    pub incomplete: Option<String>,
    /// Everything that does not hold: the file, the line or the match, and what is wrong. Empty when all that is there holds.
    pub problems: Vec<String>,
}

/// Goes through a results folder. Without a setup, only rows and transcripts are held against each other.
pub fn audit(folder: &Path, setup: Option<&Setup>) -> Audit {
    let tally = setup.map(|setup| Tally::new(&setup.field.names, setup.field.sets.len()));
    let mut auditor =
        Auditor { folder, setup, tally, entries: HashMap::new(), transcripts: HashSet::new(), found: Audit::default() };
    auditor.rows();
    let without_row = auditor.other_transcripts();
    let walk = setup.map(|setup| auditor.schedule(setup));
    auditor.tell_without_row(&without_row, walk.as_ref());
    if let (Some(setup), Some(ranking)) = (setup, walk.and_then(|walk| walk.ranking_when_complete)) {
        auditor.tables(setup, ranking.as_deref());
    }
    auditor.found
}

struct Auditor<'a> {
    folder: &'a Path,
    setup: Option<&'a Setup>,
    tally: Option<Tally>,
    entries: HashMap<String, Entry>,
    /// The transcripts that rows name.
    transcripts: HashSet<String>,
    found: Audit,
}

/// What is kept of a row.
struct Entry {
    line: u64,
    round: u32,
    seed: u64,
    seats: Option<[Entrant; 2]>,
    set: usize,
    settled: Settled,
    observation: Option<u64>,
    /// Whether the schedule has it.
    scheduled: bool,
}

impl Auditor<'_> {
    fn problem(&mut self, text: String) {
        self.found.problems.push(text);
    }

    fn rows(&mut self) {
        let path = self.folder.join(MATCHES);
        // What the reader says begins with the whole path; here all files are named as in the folder.
        let in_folder = |text: String| match text.strip_prefix(&format!("{}:", path.display())) {
            Some(rest) => format!("{MATCHES}:{rest}"),
            None => text,
        };
        let mut rows = match RowReader::open(&path) {
            Ok(rows) => rows,
            Err(error) => return self.problem(in_folder(error.to_string())),
        };
        while let Some(row) = rows.next() {
            match row {
                Ok(row) => self.row(&row, rows.line()),
                Err(error) => self.problem(in_folder(error.to_string())),
            }
        }
        if let Some(torn) = rows.torn() {
            self.problem(format!("{MATCHES}: the last line is cut off: {torn:?}"));
        }
    }

    fn row(&mut self, row: &Row, line: u64) {
        self.found.matches += 1;
        let place = format!("{MATCHES}:{line}: {}", row.id);
        if let Some(first) = self.entries.get(&row.id) {
            let first = first.line;
            return self.problem(format!("{place}: this match is there a second time, first in line {first}"));
        }
        let number = |name: &String| self.setup?.field.names.iter().position(|other| other == name);
        let seats = number(&row.bots[0]).zip(number(&row.bots[1])).map(|(first, second)| [first, second]);
        let transcript = self.transcript_of(row, &place);
        let observation = transcript.as_ref().zip(seats).filter(|_| row.outcome != RowOutcome::Void);
        let observation =
            observation.map(|(transcript, seats)| Observation::of_transcript(transcript, seats, set_of(row)));
        let settled = match row.outcome {
            RowOutcome::Won(seat) => Settled::Won(seat),
            RowOutcome::Drawn => Settled::Drawn,
            RowOutcome::Void => Settled::Void,
        };
        if let Some(tally) = &mut self.tally
            && let Err(stranger) = tally.count(row, set_of(row), observation)
        {
            self.problem(format!("{place}: {} is not in this cup", stranger.name));
        }
        let (round, seed, set) = (row.round, row.seed, set_of(row));
        let entry = Entry { line, round, seed, seats, set, settled, observation, scheduled: false };
        self.entries.insert(row.id.clone(), entry);
    }

    /// The transcript of a row, refereed again and held against it; `None` where it cannot be read.
    fn transcript_of(&mut self, row: &Row, place: &str) -> Option<Transcript> {
        let stem = row.transcript.strip_prefix("transcripts/").and_then(|file| file.strip_suffix(".jsonl"));
        let void = stem.is_some_and(|stem| stem != row.id);
        let Some(stem) = stem.filter(|stem| *stem == row.id || is_void_attempt_of(stem, &row.id)) else {
            let (found, id) = (&row.transcript, &row.id);
            self.problem(format!("{place}: `transcript` is {found}, but must be transcripts/{id}.jsonl"));
            return None;
        };
        self.transcripts.insert(stem.to_string());
        let file = self.folder.join(&row.transcript);
        if !file.exists() {
            self.problem(format!("{place}: its transcript {} is not there", row.transcript));
            return None;
        }
        let transcript = self.refereed(&row.transcript)?;
        let told = match Row::of_transcript(&transcript, row.round) {
            Ok(told) => told,
            // That it has no result was said when it was refereed.
            Err(_) => return None,
        };
        for ((column, is), should_be) in COLUMNS.iter().zip(row.cells()).zip(told.cells()) {
            if is != should_be {
                self.problem(format!("{place}: `{column}` is {is:?}, but its transcript tells {should_be:?}"));
            }
        }
        if void != (told.reason == Reason::Disturbed) {
            let reason = told.reason.as_str();
            self.problem(format!("{place}: {} is the transcript of a match that was `{reason}`", row.transcript));
        }
        if let Some(setup) = self.setup {
            for why in strange(setup, &transcript, set_of(row)) {
                self.problem(format!("{place}: {why}"));
            }
        }
        Some(transcript)
    }

    /// Reads and referees the transcript with this name in the folder.
    fn refereed(&mut self, name: &str) -> Option<Transcript> {
        let path = self.folder.join(name);
        match read_transcript(&path) {
            Ok(transcript) => {
                for why in verify(&transcript) {
                    self.problem(format!("{name}: {why}"));
                }
                Some(transcript)
            }
            Err(error) => {
                let error = error.to_string();
                let rest = error.strip_prefix(&format!("{}:", path.display())).unwrap_or(&error);
                let line = if rest.starts_with(|first: char| first.is_ascii_digit()) { "line " } else { "" };
                self.problem(format!("{name}: {line}{}", rest.trim_start()));
                None
            }
        }
    }

    /// Transcripts that no row names: void attempts, which are looked at, and the ids of the others.
    fn other_transcripts(&mut self) -> Vec<String> {
        let mut without_row = Vec::new();
        let names = file_names(&self.folder.join("transcripts")).unwrap_or_else(|error| {
            self.problem(format!("transcripts: {error}"));
            Vec::new()
        });
        for name in names {
            let Some(stem) = name.strip_suffix(".jsonl").filter(|stem| !stem.starts_with('.')) else { continue };
            if self.transcripts.contains(stem) {
                continue;
            }
            let name = format!("transcripts/{name}");
            if !is_void(stem) {
                without_row.push(stem.to_string());
                continue;
            }
            let Some(transcript) = self.refereed(&name) else { continue };
            if !is_void_attempt_of(stem, &transcript.header.id) {
                self.problem(format!("{name}: tells of the match {}", transcript.header.id));
            }
            let reason = transcript.result.as_ref().map(|result| result.verdict.reason);
            if let Some(reason) = reason.filter(|reason| *reason != Reason::Disturbed) {
                self.problem(format!("{name}: is kept as void, but was `{}`", reason.as_str()));
            }
        }
        without_row
    }

    /// A match of the schedule gets its row again; what is none has to go.
    fn tell_without_row(&mut self, ids: &[String], walk: Option<&Walk>) {
        for id in ids {
            let name = format!("transcripts/{id}.jsonl");
            let is_stranger = walk.is_some_and(|walk| walk.is_whole && !walk.missing.contains(id));
            let what = match is_stranger {
                false => "`arena tournament run` with the same cup makes it".to_string(),
                true => {
                    let (from, to) = (self.folder.join(&name), self.folder.join("."));
                    let words = [from.to_string_lossy(), to.to_string_lossy()];
                    let command = shlex::try_join(["mv", &words[0], &words[1]]).unwrap_or_default();
                    format!("it is no match of this cup's schedule, so take it out of transcripts/: {command}")
                }
            };
            self.problem(format!("{name}: has no row in {MATCHES}: {what}"));
        }
    }
}

/// In what a match was another than the cup's.
fn strange(setup: &Setup, transcript: &Transcript, set: usize) -> Vec<String> {
    let header = &transcript.header;
    let mut problems = Vec::new();
    let id = setup.game.info().id;
    if header.game != id {
        return vec![format!("is a match of {}, but the cup's game is {id}", header.game)];
    }
    if header.clock != ClockRecord::from(&setup.clock) {
        problems.push("was played under other limits on time than those of cup.toml".to_string());
    }
    if header.hints != setup.hints {
        problems.push(format!("was played with hints = {}, but the cup has {}", header.hints, setup.hints));
    }
    let started = setup.field.sets.get(set).and_then(|params| setup.game.start(params, header.seed).ok());
    if started.is_none_or(|started| started.params != header.params) {
        problems.push("its parameters are not those that cup.toml and its seed give".to_string());
    }
    problems
}

/// Whether a transcript's name is that of a void attempt at this match.
fn is_void_attempt_of(stem: &str, id: &str) -> bool {
    is_void(stem) && stem.rsplit_once(".void").is_some_and(|(match_id, _)| match_id == id)
}

fn file_names(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.extend(entry?.file_name().into_string());
    }
    names.sort();
    Ok(names)
}
