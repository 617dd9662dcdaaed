//! Reads a transcript back, whatever wrote it and however it ended: a file without its last line is an unfinished match.

use super::Header;
use crate::files::open_regular;
use crate::protocol::read_result;
use crate::seat::Seat;
use crate::verdict::{Reason, Verdict};
use serde::Deserialize;
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Longer lines than this are in no transcript.
const LINE_LIMIT: u64 = 16 * 1024 * 1024;

/// No match lasts longer, in microseconds: sums of such times do not overflow.
const LONGEST_US: u64 = 366 * 86_400_000_000;

/// A transcript as it was read.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// The file.
    pub path: PathBuf,
    /// Its first line.
    pub header: Header,
    /// What happened, in order.
    pub events: Vec<Recorded>,
    /// The result; `None` when the match was not finished.
    pub result: Option<RecordedResult>,
    /// Whether the file ends in the middle of a line.
    pub torn: bool,
}

/// The last line.
#[derive(Clone, Debug)]
pub struct RecordedResult {
    /// The number of its line, from 1.
    pub line: usize,
    /// The verdict.
    pub verdict: Verdict,
    /// The line itself.
    pub value: Value,
}

/// One line of a transcript.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The number of its line, from 1.
    pub line: usize,
    /// Milliseconds since the match began.
    pub ms: u64,
    /// What it tells.
    pub kind: RecordedKind,
}

/// What a line tells.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // The fields are those of `Event`.
pub enum RecordedKind {
    Ready {
        seat: Seat,
    },
    Move {
        turn: u32,
        seat: Seat,
        mv: Value,
        times: super::Times,
        note: Option<Value>,
    },
    Pass {
        turn: u32,
        seat: Seat,
    },
    Replayed {
        turn: u32,
        seat: Seat,
        /// `None` for a forced pass.
        mv: Option<Value>,
    },
    Invalid {
        turn: u32,
        seat: Seat,
        part: usize,
        why: String,
    },
    Stray {
        seat: Seat,
        text: String,
    },
    Stale {
        seat: Seat,
        text: String,
    },
    Stderr {
        seat: Seat,
        text: String,
        cut: Option<u64>,
    },
    Fault {
        seat: Seat,
        reason: Reason,
        detail: String,
        line: Option<String>,
        mv: Option<Value>,
    },
    /// A kind that this version does not know.
    Other,
}

impl RecordedKind {
    /// Whether it tells of a turn: one that was played, was passed, or was replayed.
    pub fn is_turn(&self) -> bool {
        matches!(self, RecordedKind::Move { .. } | RecordedKind::Pass { .. } | RecordedKind::Replayed { .. })
    }

    /// The seat whose move it tells of; `None` also for a pass.
    pub fn mover(&self) -> Option<Seat> {
        match self {
            RecordedKind::Move { seat, .. } | RecordedKind::Replayed { seat, mv: Some(_), .. } => Some(*seat),
            _ => None,
        }
    }

    /// The move of a turn that has one.
    pub fn played(&self) -> Option<&Value> {
        match self {
            RecordedKind::Move { mv, .. } | RecordedKind::Replayed { mv: Some(mv), .. } => Some(mv),
            _ => None,
        }
    }
}

/// What a seat wrote on stderr in these events.
pub fn stderr(events: &[Recorded], seat: Seat) -> String {
    let text = |event: &Recorded| match &event.kind {
        RecordedKind::Stderr { seat: whose, text, .. } if *whose == seat => Some(text.clone()),
        _ => None,
    };
    events.iter().filter_map(text).collect()
}

/// Why a file could not be read, for people: the commonest reason in plain words, the others in the system's.
pub fn why_unread(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::NotFound { "there is no such file".to_string() } else { error.to_string() }
}

/// Why a file is no transcript that can be read.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// The file cannot be read.
    #[error("{path}: {}", why_unread(error))]
    File {
        /// The file.
        path: String,
        /// The system's word.
        error: io::Error,
    },
    /// A line is not what it should be.
    #[error("{path}:{line}: {why}")]
    Line {
        /// The file.
        path: String,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
}

/// Reads a transcript.
///
/// # Errors
/// A file that cannot be read, a first line that is no match's, a later schema, or a line in the middle that is broken.
pub fn read_transcript(path: &Path) -> Result<Transcript, TranscriptError> {
    let shown = path.display().to_string();
    let file_error = |error| TranscriptError::File { path: shown.clone(), error };
    let at = |line, why: String| TranscriptError::Line { path: shown.clone(), line, why };
    let mut file = BufReader::new(open_regular(path).map_err(file_error)?);
    let first = next_line(&mut file)
        .map_err(file_error)?
        .ok_or_else(|| at(1, "the file is empty: a transcript begins with its match".to_string()))?;
    let header = read_header(&first.text).map_err(|why| at(1, why))?;
    let mut transcript =
        Transcript { path: path.to_path_buf(), header, events: Vec::new(), result: None, torn: !first.whole };
    for number in 2.. {
        let Some(line) = next_line(&mut file).map_err(file_error)? else { break };
        if let Some(result) = &transcript.result {
            return Err(at(number, format!("something follows the result of line {}", result.line)));
        }
        match line.read(number) {
            Ok(Line::Event(event)) => transcript.events.push(*event),
            Ok(Line::Result(result)) => transcript.result = Some(*result),
            // A line that was being written when the arena was killed.
            Err(_) if !line.whole && !line.too_long => transcript.torn = true,
            Err(why) => return Err(at(number, why)),
        }
    }
    Ok(transcript)
}

struct RawLine {
    text: Vec<u8>,
    whole: bool,
    too_long: bool,
}

impl RawLine {
    fn read(&self, number: usize) -> Result<Line, String> {
        if self.too_long {
            return Err(format!("the line is over {} MiB long: no transcript has such", LINE_LIMIT >> 20));
        }
        let value = serde_json::from_slice(&self.text).map_err(|error| error.to_string())?;
        read_line(number, value)
    }
}

/// A transcript that is still being written, read as far as it goes, again and again. What is open stays readable when the
/// file gets its final name.
pub struct Follower {
    path: PathBuf,
    file: BufReader<File>,
    /// The number of the next line, from 1.
    next: usize,
    /// A line that was not whole yet.
    begun: Vec<u8>,
}

/// What a transcript goes on with.
#[derive(Clone, Debug)]
pub enum Followed {
    /// The match begins.
    Match(Box<Header>),
    /// Something happened.
    Event(Box<Recorded>),
    /// The match is over; nothing follows.
    Result(Box<RecordedResult>),
}

impl Follower {
    /// Opens a transcript, at its beginning.
    pub fn open(path: &Path) -> Result<Follower, TranscriptError> {
        let file_error = |error| TranscriptError::File { path: path.display().to_string(), error };
        let file = BufReader::new(open_regular(path).map_err(file_error)?);
        Ok(Follower { path: path.to_path_buf(), file, next: 1, begun: Vec::new() })
    }

    /// What the system knows of the file.
    pub fn metadata(&self) -> io::Result<std::fs::Metadata> {
        self.file.get_ref().metadata()
    }

    /// What the next line tells; `None` where no more whole line is there yet.
    ///
    /// # Errors
    /// As [`read_transcript`].
    pub fn read(&mut self) -> Result<Option<Followed>, TranscriptError> {
        let path = || self.path.display().to_string();
        let line = next_line(&mut self.file).map_err(|error| TranscriptError::File { path: path(), error })?;
        let Some(mut line) = line else { return Ok(None) };
        line.text.splice(0..0, self.begun.drain(..));
        line.too_long |= line.text.len() as u64 >= LINE_LIMIT;
        if !line.whole && !line.too_long {
            self.begun = line.text;
            return Ok(None);
        }
        let number = self.next;
        self.next += 1;
        let followed = if number == 1 {
            read_header(&line.text).map(|header| Followed::Match(Box::new(header)))
        } else {
            line.read(number).map(|line| match line {
                Line::Event(event) => Followed::Event(event),
                Line::Result(result) => Followed::Result(result),
            })
        };
        followed.map(Some).map_err(|why| TranscriptError::Line { path: path(), line: number, why })
    }
}

fn next_line(file: &mut impl BufRead) -> io::Result<Option<RawLine>> {
    let mut text = Vec::new();
    file.by_ref().take(LINE_LIMIT).read_until(b'\n', &mut text)?;
    let whole = text.pop_if(|last| *last == b'\n').is_some();
    let too_long = !whole && text.len() as u64 == LINE_LIMIT;
    Ok((whole || !text.is_empty()).then_some(RawLine { text, whole, too_long }))
}

fn read_header(text: &[u8]) -> Result<Header, String> {
    let value: Value = serde_json::from_slice(text)
        .map_err(|error| format!("not a transcript: its first line is no JSON ({error})"))?;
    if value["type"] != "match" {
        return Err("not a transcript: its first line has no \"type\":\"match\"".to_string());
    }
    if value["schema"].as_u64() != Some(super::SCHEMA.into()) {
        return Err(format!(
            "schema {} is not known to this arena, which reads schema {}",
            value["schema"],
            super::SCHEMA
        ));
    }
    let clocks = [&value["clock"], &value["players"][0]["clock"], &value["players"][1]["clock"]];
    clocks.into_iter().try_for_each(check_times)?;
    serde_json::from_value(value).map_err(|error| format!("its first line is not whole: {error}"))
}

enum Line {
    Event(Box<Recorded>),
    Result(Box<RecordedResult>),
}

/// Times that no match can have taken are no times.
fn check_times(object: &Value) -> Result<(), String> {
    for (key, value) in object.as_object().into_iter().flatten() {
        let most = match key.as_str() {
            key if key == "ms" || key.ends_with("_ms") => LONGEST_US / 1000,
            key if key == "took" || key.ends_with("_us") => LONGEST_US,
            _ => continue,
        };
        if value.as_u64().is_some_and(|time| time > most) {
            return Err(format!("`{key}` is {value}, which is longer than a year"));
        }
    }
    Ok(())
}

/// The keys of all kinds of line together.
#[derive(Deserialize)]
struct Wire {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    ms: u64,
    seat: Option<u64>,
    turn: Option<u32>,
    #[serde(rename = "move", default, deserialize_with = "present")]
    mv: Option<Value>,
    #[serde(default)]
    took_us: u64,
    cpu_us: Option<u64>,
    stalled_us: Option<u64>,
    arena_us: Option<u64>,
    note: Option<Value>,
    flip: Option<usize>,
    why: Option<String>,
    text: Option<String>,
    cut: Option<u64>,
    reason: Option<String>,
    detail: Option<String>,
    line: Option<String>,
}

/// `null` is a value here: a move may be it.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

fn read_line(line: usize, value: Value) -> Result<Line, String> {
    check_times(&value)?;
    if value["type"] == "result" {
        let verdict = read_result(&value)?;
        return Ok(Line::Result(Box::new(RecordedResult { line, verdict, value })));
    }
    let wire: Wire = serde_json::from_value(value).map_err(|error| error.to_string())?;
    let seat = || {
        wire.seat
            .and_then(Seat::from_index)
            .ok_or_else(|| format!("a line of type `{}` needs a seat, 0 or 1", wire.kind))
    };
    let turn = || wire.turn.ok_or_else(|| format!("a line of type `{}` needs a turn", wire.kind));
    let text = || wire.text.clone().unwrap_or_default();
    let kind = match wire.kind.as_str() {
        "ready" => RecordedKind::Ready { seat: seat()? },
        "move" => RecordedKind::Move {
            turn: turn()?,
            seat: seat()?,
            mv: wire.mv.clone().ok_or("a line of type `move` needs a move")?,
            times: super::Times {
                took_us: wire.took_us,
                cpu_us: wire.cpu_us,
                stalled_us: wire.stalled_us,
                arena_us: wire.arena_us,
            },
            note: wire.note.clone(),
        },
        "pass" => RecordedKind::Pass { turn: turn()?, seat: seat()? },
        "replayed" => RecordedKind::Replayed {
            turn: turn()?,
            seat: seat()?,
            mv: wire
                .mv
                .clone()
                .ok_or("a line of type `replayed` needs a move, or null for a pass")
                .map(|mv| (!mv.is_null()).then_some(mv))?,
        },
        "invalid" => RecordedKind::Invalid {
            turn: turn()?,
            seat: seat()?,
            part: wire.flip.unwrap_or(0),
            why: wire.why.clone().unwrap_or_default(),
        },
        "stray" => RecordedKind::Stray { seat: seat()?, text: text() },
        "stale" => RecordedKind::Stale { seat: seat()?, text: text() },
        "stderr" => RecordedKind::Stderr { seat: seat()?, text: text(), cut: wire.cut },
        "fault" => RecordedKind::Fault {
            seat: seat()?,
            reason: wire.reason.as_deref().and_then(Reason::parse).ok_or("a line of type `fault` needs a reason")?,
            detail: wire.detail.clone().unwrap_or_default(),
            line: wire.line.clone(),
            mv: wire.mv.clone(),
        },
        _ => RecordedKind::Other,
    };
    Ok(Line::Event(Box::new(Recorded { line, ms: wire.ms, kind })))
}
