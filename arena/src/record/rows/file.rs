//! The file of rows: appended to while a cup goes on, read in one pass, put in order when it is done.

use super::{COLUMNS, Row, RowError, csv_line, replace};
use crate::files::{open_regular, open_regular_with};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Take, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// All rows of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadRows {
    /// The whole ones, in the file's order.
    pub rows: Vec<Row>,
    /// The beginning of a last row that was being written when the arena was killed.
    pub torn: Option<String>,
}

/// Reads all rows at once. For long files, [`RowReader`] needs no memory.
///
/// # Errors
/// The file cannot be read, its header is not that of a cup's matches, or a line within it is no row.
pub fn read_rows(path: &Path) -> Result<ReadRows, RowError> {
    let mut reader = RowReader::open(path)?;
    let rows = reader.by_ref().collect::<Result<Vec<Row>, RowError>>()?;
    Ok(ReadRows { rows, torn: reader.torn })
}

/// Reads a file's rows one by one.
pub struct RowReader {
    path: PathBuf,
    torn: Option<String>,
    records: csv::Reader<BufReader<Take<File>>>,
    record: csv::StringRecord,
    /// How many lines were read, the header's included.
    lines: u64,
}

impl RowReader {
    /// Opens a file and reads its header. A file without a whole header has no rows.
    pub fn open(path: &Path) -> Result<RowReader, RowError> {
        let failed = |error| RowError::File { path: path.display().to_string(), error };
        let mut file = open_regular(path).map_err(failed)?;
        let (whole, torn) = split(&mut file).map_err(failed)?;
        file.rewind().map_err(failed)?;
        let records = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(BufReader::with_capacity(64 * 1024, file.take(whole)));
        let mut reader =
            RowReader { path: path.to_path_buf(), torn, records, record: csv::StringRecord::new(), lines: 0 };
        if reader.advance()? && !COLUMNS.iter().eq(reader.record.iter().take(COLUMNS.len()).collect::<Vec<_>>().iter())
        {
            return Err(reader.at(format!("the header is not that of a cup's matches, which is {}", COLUMNS.join(","))));
        }
        Ok(reader)
    }

    /// What stands after the last whole row.
    pub fn torn(&self) -> Option<&str> {
        self.torn.as_deref()
    }

    /// Reads the next record, if there is one.
    fn advance(&mut self) -> Result<bool, RowError> {
        // Counted here: with CRLF, the records' own positions are a line short.
        self.lines += 1;
        let read = self.records.read_record(&mut self.record);
        read.map_err(|error| self.at(error.to_string()))
    }

    /// The line, from 1, of what was read last.
    pub fn line(&self) -> u64 {
        self.lines.max(1)
    }

    /// Where the next row begins, in bytes from the file's begin: [`rows_at`] reads it again.
    pub fn position(&self) -> u64 {
        self.records.position().byte()
    }

    fn at(&self, what: String) -> RowError {
        RowError::Line { path: self.path.display().to_string(), line: self.line(), what }
    }
}

impl Iterator for RowReader {
    type Item = Result<Row, RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.advance() {
            Ok(false) => None,
            Ok(true) => Some(Row::of_cells(&self.record).map_err(|what| self.at(what))),
            Err(error) => Some(Err(error)),
        }
    }
}

/// Reads single rows of a file again, by where they begin ([`RowReader::position`]).
///
/// # Errors
/// The file cannot be read, or at one of these places is no row: it was written anew since.
pub fn rows_at(path: &Path, begins: &[u64]) -> Result<Vec<Row>, RowError> {
    let failed = |error| RowError::File { path: path.display().to_string(), error };
    let mut file = open_regular(path).map_err(failed)?;
    let mut record = csv::StringRecord::new();
    let mut rows = Vec::with_capacity(begins.len());
    for begin in begins {
        file.seek(SeekFrom::Start(*begin)).map_err(failed)?;
        let mut records =
            csv::ReaderBuilder::new().has_headers(false).flexible(true).buffer_capacity(1024).from_reader(&file);
        let read = records.read_record(&mut record).map_err(|error| error.to_string());
        let row = read.and_then(|_| Row::of_cells(&record));
        rows.push(row.map_err(|what| failed(io::Error::other(format!("at byte {begin}: {what}"))))?);
    }
    Ok(rows)
}

/// Appends rows to a file, each in one write: when [`RowWriter::append`] returns, the row outlives the arena.
pub struct RowWriter {
    file: File,
}

impl RowWriter {
    /// Opens a file, or begins it with its header. A torn last row is cut off and returned.
    pub fn open(path: &Path) -> io::Result<(RowWriter, Option<String>)> {
        let options = &mut OpenOptions::new();
        let mut file = open_regular_with(options.read(true).write(true).create(true), path)?;
        let (whole, torn) = split(&mut file)?;
        file.set_len(whole)?;
        file.seek(SeekFrom::End(0))?;
        if whole == 0 {
            file.write_all(&csv_line(COLUMNS))?;
        }
        Ok((RowWriter { file }, torn))
    }

    /// Appends one row.
    pub fn append(&mut self, row: &Row) -> io::Result<()> {
        self.file.write_all(&csv_line(row.cells()))
    }
}

/// How many whole rows a file has. They are not looked into.
///
/// # Errors
/// The file cannot be read, or is no file of rows.
pub fn count_rows(path: &Path) -> Result<usize, RowError> {
    let mut reader = RowReader::open(path)?;
    let mut count = 0;
    while reader.advance()? {
        count += 1;
    }
    Ok(count)
}

/// Writes a file's rows in another order, all at once: `order` has the number of each row, from 0, in the new order. A torn
/// last row is left out. Takes 8 bytes of memory a row.
///
/// # Errors
/// The file cannot be read or written, is no file of rows, or has other rows than `order`.
pub fn write_in_order(path: &Path, order: &[u32]) -> Result<(), RowError> {
    let failed = |error| RowError::File { path: path.display().to_string(), error };
    let mut reader = RowReader::open(path)?;
    let mut begins = vec![reader.records.position().byte()];
    while reader.advance()? {
        begins.push(reader.records.position().byte());
    }
    if begins.len() != order.len() + 1 {
        return Err(reader.at(format!(
            "there are {} rows, but {} are to be put in order",
            begins.len() - 1,
            order.len()
        )));
    }
    let mut file = BufReader::with_capacity(64 * 1024, open_regular(path).map_err(failed)?);
    let (mut line, mut at) = (Vec::new(), 0_i64);
    replace(path, |new| {
        new.write_all(&csv_line(COLUMNS))?;
        for number in order {
            let (begin, end) = (begins[*number as usize], begins[*number as usize + 1]);
            line.resize((end - begin) as usize, 0);
            // Most rows are near the one before: what was read serves several.
            file.seek_relative(begin as i64 - at)?;
            file.read_exact(&mut line)?;
            at = end as i64;
            // The reader ends a record at CR or LF, and takes the rest of a line's end to the next one.
            let text = line.trim_ascii();
            new.write_all(text)?;
            new.write_all(b"\r\n")?;
        }
        Ok(())
    })
    .map_err(failed)
}

/// Writes a file's rows anew, all at once, each as `change` gives it back; it is told its number, from 0. A torn last row is left out.
///
/// # Errors
/// The file cannot be read or written, or is no file of rows.
pub fn rewrite_rows(path: &Path, mut change: impl FnMut(u32, Row) -> Row) -> Result<(), RowError> {
    let mut read = Ok(());
    let rows = RowReader::open(path)?;
    replace(path, |new| {
        new.write_all(&csv_line(COLUMNS))?;
        for (number, row) in (0..).zip(rows) {
            match row {
                Ok(row) => new.write_all(&csv_line(change(number, row).cells()))?,
                Err(error) => {
                    read = Err(error);
                    return Err(io::ErrorKind::InvalidData.into());
                }
            }
        }
        Ok(())
    })
    .map_err(|error| match std::mem::replace(&mut read, Ok(())) {
        Err(row) => row,
        Ok(()) => RowError::File { path: path.display().to_string(), error },
    })
}

/// How many bytes are whole lines, and the text after them. No cell holds a line break, so that a line is a row.
fn split(file: &mut File) -> io::Result<(u64, Option<String>)> {
    const STEP: u64 = 4096;
    let length = file.metadata()?.len();
    let mut tail = Vec::new();
    let mut begin = length;
    while begin > 0 {
        let from = begin.saturating_sub(STEP);
        let mut chunk = vec![0; (begin - from) as usize];
        file.read_exact_at(&mut chunk, from)?;
        let line_end = chunk.iter().rposition(|byte| *byte == b'\n');
        let kept = line_end.map_or(0, |at| at + 1);
        tail.splice(0..0, chunk[kept..].iter().copied());
        begin = from + kept as u64;
        if line_end.is_some() {
            break;
        }
    }
    let torn = (!tail.is_empty()).then(|| String::from_utf8_lossy(&tail).into_owned());
    Ok((begin, torn))
}
