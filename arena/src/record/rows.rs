//! A cup's matches as rows of `matches.csv`, and tables beside it: RFC 4180, UTF-8, header first. Lines end with CRLF as
//! the RFC has it; LF is read too.
//!
//! No cell of a row can be taken for a formula by a spreadsheet: names, and so ids and files, begin with a letter or digit
//! (the rule of names), parameters with `{`, and free text, such as a fault's detail, is in no column. Tables that hold
//! other people's words, such as authors, guard them ([`Table`]).

mod file;

#[cfg(test)]
mod tests;

pub use file::{ReadRows, RowReader, RowWriter, count_rows, read_rows, rewrite_rows, rows_at, write_in_order};

use super::{Closing, Header, Transcript};
use crate::seat::Seat;
use crate::verdict::{Reason, Verdict};
use std::io::{self, Write};
use std::path::Path;

/// The columns of `matches.csv`.
pub const COLUMNS: [&str; 19] = [
    "id",
    "round",
    "game",
    "params",
    "seed",
    "first",
    "second",
    "winner",
    "score_first",
    "score_second",
    "reason",
    "at_fault",
    "turns",
    "duration_ms",
    "first_ms",
    "second_ms",
    "first_max_ms",
    "second_max_ms",
    "transcript",
];

/// How a drawn match is told where else the winner's name stands.
const DRAW: &str = "draw";

/// One match of a cup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The match's id.
    pub id: String,
    /// The round, from 1.
    pub round: u32,
    /// The game's word.
    pub game: String,
    /// All parameters, a JSON object on one line.
    pub params: String,
    /// The match's seed.
    pub seed: u64,
    /// The names of the bots in seats 0 and 1.
    pub bots: [String; 2],
    /// How it ended.
    pub outcome: RowOutcome,
    /// Points of seats 0 and 1, as the game counts them.
    pub scores: [i64; 2],
    /// Why it ended.
    pub reason: Reason,
    /// Whose fault ended it.
    pub at_fault: Option<Seat>,
    /// How many turns there were, passes included.
    pub turns: u32,
    /// From the first start to the verdict, in milliseconds.
    pub duration_ms: u64,
    /// Each seat's thinking time in all, as charged, in milliseconds, rounded to the nearest.
    pub thinking_ms: [u64; 2],
    /// Each seat's longest thinking time, likewise.
    pub longest_ms: [u64; 2],
    /// The transcript, seen from the results' folder.
    pub transcript: String,
}

/// How a match ended, as far as tables care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOutcome {
    /// This seat won.
    Won(Seat),
    /// Nobody did.
    Drawn,
    /// It counts nowhere.
    Void,
}

/// Why there is no row: a sentence.
#[derive(Debug, thiserror::Error)]
pub enum RowError {
    /// A file that cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: String,
        /// The system's word.
        error: io::Error,
    },
    /// A line that is no row.
    #[error("{path}:{line}: {what}")]
    Line {
        /// The file.
        path: String,
        /// Its line, from 1.
        line: u64,
        /// What is wrong, and the way out.
        what: String,
    },
    /// A transcript that gives no row.
    #[error("{0}")]
    Transcript(String),
}

/// The figures of a result's line that a row tells.
struct Figures {
    turns: u32,
    duration_ms: u64,
    total_us: [u64; 2],
    max_us: [u64; 2],
}

impl Row {
    /// The row of a finished match.
    ///
    /// # Errors
    /// The transcript has no result.
    pub fn of_transcript(transcript: &Transcript, round: u32) -> Result<Row, RowError> {
        let path = transcript.path.display();
        let result = transcript
            .result
            .as_ref()
            .ok_or_else(|| RowError::Transcript(format!("{path} has no result: the match was not finished")))?;
        let number = |key: &str| result.value[key].as_u64().unwrap_or(0);
        let micros = |key: &str| [0, 1].map(|seat| result.value[key][seat].as_u64().unwrap_or(0));
        let file = transcript.path.file_name().unwrap_or_default().to_string_lossy();
        let figures = Figures {
            turns: u32::try_from(number("turns")).unwrap_or(u32::MAX),
            duration_ms: number("duration_ms"),
            total_us: micros("total_us"),
            max_us: micros("max_us"),
        };
        Ok(Row::new(&transcript.header, &result.verdict, &figures, round, &file))
    }

    /// The row of a match that was just played: the same as its transcript gives, without reading it back. `file` is the
    /// transcript's name in its folder.
    pub fn of_match(header: &Header, closing: &Closing, round: u32, file: &str) -> Row {
        let Closing { turns, duration_ms, total_us, max_us, .. } = *closing;
        Row::new(header, &closing.verdict, &Figures { turns, duration_ms, total_us, max_us }, round, file)
    }

    fn new(header: &Header, verdict: &Verdict, figures: &Figures, round: u32, file: &str) -> Row {
        Row {
            id: header.id.clone(),
            round,
            game: header.game.clone(),
            params: serde_json::to_string(&header.params).expect("parameters are JSON"),
            seed: header.seed,
            bots: header.players.each_ref().map(|player| player.name.clone()),
            outcome: match verdict.winner {
                Some(seat) => RowOutcome::Won(seat),
                None if verdict.is_void() => RowOutcome::Void,
                None => RowOutcome::Drawn,
            },
            scores: verdict.scores,
            reason: verdict.reason,
            at_fault: verdict.at_fault,
            turns: figures.turns,
            duration_ms: figures.duration_ms,
            thinking_ms: figures.total_us.map(rounded_ms),
            longest_ms: figures.max_us.map(rounded_ms),
            transcript: format!("transcripts/{file}"),
        }
    }

    /// How many turns were a seat's own, forced passes included, and so is the turn in which a forfeit ended the match: its
    /// time was charged. The seats take turns, seat 0 first.
    pub fn turns_of(&self, seat: Seat) -> u64 {
        let forfeited = self.at_fault.is_some() && self.reason != Reason::NoStart;
        (u64::from(self.turns) + u64::from(forfeited) + 1 - seat.index() as u64) / 2
    }

    /// The cells, in the order of [`COLUMNS`].
    pub fn cells(&self) -> [String; 19] {
        let name = |seat: Seat| self.bots[seat.index()].clone();
        [
            self.id.clone(),
            self.round.to_string(),
            self.game.clone(),
            self.params.clone(),
            self.seed.to_string(),
            name(Seat::First),
            name(Seat::Second),
            match self.outcome {
                RowOutcome::Won(seat) => name(seat),
                RowOutcome::Drawn => DRAW.to_string(),
                RowOutcome::Void => String::new(),
            },
            self.scores[0].to_string(),
            self.scores[1].to_string(),
            self.reason.as_str().to_string(),
            self.at_fault.map(name).unwrap_or_default(),
            self.turns.to_string(),
            self.duration_ms.to_string(),
            self.thinking_ms[0].to_string(),
            self.thinking_ms[1].to_string(),
            self.longest_ms[0].to_string(),
            self.longest_ms[1].to_string(),
            self.transcript.clone(),
        ]
    }

    /// The row that these cells tell; cells beyond the known columns are ignored.
    fn of_cells(cells: &csv::StringRecord) -> Result<Row, String> {
        let (found, needed) = (cells.len(), COLUMNS.len());
        if found < needed {
            return Err(format!("a row has {needed} cells, this one has {found}"));
        }
        let cell = |column: usize| &cells[column];
        let bots = [cell(5), cell(6)].map(str::to_string);
        let seat = |column: usize| {
            let name = cell(column);
            let seat = Seat::BOTH.into_iter().find(|seat| bots[seat.index()] == name);
            seat.ok_or_else(|| format!("`{}` is {name:?}, who is neither {} nor {}", COLUMNS[column], bots[0], bots[1]))
        };
        Ok(Row {
            id: cell(0).to_string(),
            round: number(cells, 1)?,
            game: cell(2).to_string(),
            params: cell(3).to_string(),
            seed: number(cells, 4)?,
            outcome: match cell(7) {
                DRAW => RowOutcome::Drawn,
                "" => RowOutcome::Void,
                _ => RowOutcome::Won(seat(7)?),
            },
            scores: [number(cells, 8)?, number(cells, 9)?],
            reason: Reason::parse(cell(10)).ok_or_else(|| format!("there is no reason {:?}", cell(10)))?,
            at_fault: if cell(11).is_empty() { None } else { Some(seat(11)?) },
            turns: number(cells, 12)?,
            duration_ms: number(cells, 13)?,
            thinking_ms: [number(cells, 14)?, number(cells, 15)?],
            longest_ms: [number(cells, 16)?, number(cells, 17)?],
            transcript: cell(18).to_string(),
            bots,
        })
    }
}

fn number<T: std::str::FromStr>(cells: &csv::StringRecord, column: usize) -> Result<T, String> {
    let text = &cells[column];
    text.parse().map_err(|_| format!("`{}` is {text:?}, but must be a whole number in its range", COLUMNS[column]))
}

/// Microseconds as milliseconds, rounded to the nearest.
fn rounded_ms(micros: u64) -> u64 {
    micros.saturating_add(500) / 1000
}

/// A table that is written whole, such as `standings.csv`. A cell that is no number and begins with `=`, `+`, `-`, `@`, a
/// tab or a carriage return, which a spreadsheet would run as a formula, gets an apostrophe before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The columns' names.
    pub header: Vec<&'static str>,
    /// A row each, as many cells as columns.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// The table as CSV.
    pub fn to_csv(&self) -> Vec<u8> {
        let mut bytes = csv_line(&self.header);
        for row in &self.rows {
            bytes.extend(csv_line(row.iter().map(|cell| guarded(cell))));
        }
        bytes
    }

    /// Writes the table to a file, all of it or nothing: whoever reads sees the old table or the new one.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        replace(path, |file| file.write_all(&self.to_csv()))
    }
}

fn guarded(cell: &str) -> String {
    let suspect = cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err();
    if suspect { format!("'{cell}") } else { cell.to_string() }
}

fn csv_line<C: AsRef<[u8]>>(cells: impl IntoIterator<Item = C>) -> Vec<u8> {
    let mut line =
        csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).buffer_capacity(512).from_writer(Vec::new());
    line.write_record(cells).expect("memory takes every record");
    line.into_inner().expect("memory takes every record")
}

/// Puts a new file in a file's place at once. It is not forced to the disk: what it tells can be made again.
fn replace(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // A temporary file is its owner's alone; results are for everybody that the umask lets in.
    let everybody = std::fs::Permissions::from_mode(0o666);
    let mut file = tempfile::Builder::new().prefix(".new-").permissions(everybody).tempfile_in(folder)?;
    let mut buffer = io::BufWriter::with_capacity(64 * 1024, file.as_file_mut());
    fill(&mut buffer)?;
    buffer.flush()?;
    drop(buffer);
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
