//! Bytes in, lines out: what a bot has written and nobody has looked at yet. Bounded, whatever is written.

use std::io::{self, ErrorKind, Read};

/// The longest line, without its newline.
pub const LINE_LIMIT: usize = 64 * 1024;
/// The most bytes between two requests.
pub const BYTES_LIMIT: u64 = 1024 * 1024;
/// The most lines between two requests.
pub const LINES_LIMIT: u64 = 10_000;

const CHUNK: usize = 64 * 1024;

/// Which cap a bot's output went over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flood {
    /// One line is too long.
    Line,
    /// Too many bytes between two requests.
    Bytes,
    /// Too many lines between two requests.
    Lines,
}

/// What a bot has written on its stdout. Reading from it counts; [`Inbox::open`] begins a new count.
#[derive(Debug, Default)]
pub struct Inbox {
    buffer: Vec<u8>,
    /// Where the first line not yet taken begins.
    start: usize,
    /// Up to where the buffer holds no newline.
    scanned: usize,
    bytes: u64,
    lines: u64,
    /// Whether the next line is over the limit, and stays where it is.
    too_long: bool,
    any_line_yet: bool,
    closed: bool,
    /// What one read takes, kept so that a read of forty bytes does not clear 64 KiB first.
    chunk: Vec<u8>,
}

impl Inbox {
    /// Begins a new count: a request was written.
    pub fn open(&mut self) {
        self.bytes = 0;
        self.lines = 0;
        self.too_long = false;
    }

    /// Bytes that have come since the count began.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether the other end was closed and everything was read.
    pub fn closed(&self) -> bool {
        self.closed
    }

    /// Reads once. True when something came, so that more may be there.
    pub fn fill(&mut self, mut from: impl Read) -> io::Result<bool> {
        self.chunk.resize(CHUNK, 0);
        let read = from.read(&mut self.chunk);
        match read {
            Ok(0) => {
                self.closed = true;
                Ok(false)
            }
            Ok(count) => {
                self.forget_taken_lines();
                self.buffer.extend_from_slice(&self.chunk[..count]);
                self.bytes += count as u64;
                Ok(true)
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(false),
            // A terminal or socket that went away says so here; for us it is closed.
            Err(error) if error.raw_os_error().is_some() => {
                self.closed = true;
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// The next whole line without its newline, and whether it is the very first. One that is too long is not given out.
    pub fn next_line(&mut self) -> Option<(&[u8], bool)> {
        let newline = match self.buffer[self.scanned..].iter().position(|byte| *byte == b'\n') {
            Some(distance) => self.scanned + distance,
            None => {
                self.scanned = self.buffer.len();
                return None;
            }
        };
        let line = self.start..newline;
        if line.len() > LINE_LIMIT {
            // It stays where it is, for the words of the fault: nothing is taken any more.
            self.too_long = true;
            return None;
        }
        self.start = newline + 1;
        self.scanned = self.start;
        self.lines += 1;
        let first = !std::mem::replace(&mut self.any_line_yet, true);
        Some((&self.buffer[line], first))
    }

    /// What has come of a line that is not yet ended.
    pub fn partial(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// Takes what has come of a line that will never be ended.
    pub fn take_partial(&mut self) -> Vec<u8> {
        let partial = self.partial().to_vec();
        self.start = self.buffer.len();
        self.scanned = self.start;
        partial
    }

    /// Forgets what has come and was not taken.
    pub fn discard(&mut self) {
        self.buffer.clear();
        self.start = 0;
        self.scanned = 0;
        self.too_long = false;
    }

    /// Whether the very first line is still to come.
    pub fn at_first_line(&self) -> bool {
        !self.any_line_yet
    }

    /// The cap that was passed, if one was. Asked when all whole lines have been taken.
    pub fn flood(&self) -> Option<Flood> {
        if self.too_long || self.partial().len() > LINE_LIMIT {
            Some(Flood::Line)
        } else if self.bytes > BYTES_LIMIT {
            Some(Flood::Bytes)
        } else if self.lines > LINES_LIMIT {
            Some(Flood::Lines)
        } else {
            None
        }
    }

    fn forget_taken_lines(&mut self) {
        if self.start == self.buffer.len() {
            self.buffer.clear();
        } else if self.start > CHUNK {
            self.buffer.drain(..self.start);
        } else {
            return;
        }
        self.scanned = self.scanned.saturating_sub(self.start).min(self.buffer.len());
        self.start = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(inbox: &mut Inbox) -> Vec<String> {
        let mut all = Vec::new();
        while let Some((line, _)) = inbox.next_line() {
            all.push(String::from_utf8_lossy(line).into_owned());
        }
        all
    }

    #[test]
    fn lines_come_out_whole_however_they_came_in() {
        let mut inbox = Inbox::default();
        for piece in ["on", "e\ntw", "o\n\nthr", "ee"] {
            inbox.fill(piece.as_bytes()).unwrap();
        }
        assert_eq!(lines(&mut inbox), ["one", "two", ""]);
        assert_eq!(inbox.partial(), b"three");
        inbox.fill(&b"\n"[..]).unwrap();
        assert_eq!(lines(&mut inbox), ["three"]);
        assert_eq!(inbox.partial(), b"");
    }

    #[test]
    fn only_the_very_first_line_is_the_first() {
        let mut inbox = Inbox::default();
        inbox.fill(&b"a\nb\n"[..]).unwrap();
        assert!(inbox.next_line().unwrap().1);
        assert!(!inbox.next_line().unwrap().1);
    }

    #[test]
    fn each_cap_is_named_and_a_request_begins_a_new_count() {
        let mut inbox = Inbox::default();
        inbox.fill(&[b'a'; LINE_LIMIT][..]).unwrap();
        assert_eq!(inbox.flood(), None);
        inbox.fill(&b"a"[..]).unwrap();
        assert_eq!(inbox.flood(), Some(Flood::Line));

        let mut inbox = Inbox::default();
        for _ in 0..=LINES_LIMIT {
            inbox.fill(&b"\n"[..]).unwrap();
            lines(&mut inbox);
        }
        assert_eq!(inbox.flood(), Some(Flood::Lines));
        inbox.open();
        assert_eq!(inbox.flood(), None);

        let mut inbox = Inbox::default();
        let line = [vec![b'x'; 60 * 1024], vec![b'\n']].concat();
        while inbox.flood().is_none() {
            inbox.fill(&line[..]).unwrap();
            lines(&mut inbox);
        }
        assert_eq!(inbox.flood(), Some(Flood::Bytes));
        assert!(inbox.buffer.capacity() < 4 * CHUNK, "memory stays bounded");
    }

    #[test]
    fn a_finished_line_may_be_too_long_as_well() {
        let mut inbox = Inbox::default();
        inbox.fill(&[b'a'; LINE_LIMIT][..]).unwrap();
        inbox.fill(&b"aa\n{}\n"[..]).unwrap();
        assert_eq!(lines(&mut inbox), Vec::<String>::new(), "it is no answer, nor is what follows it");
        assert_eq!(inbox.flood(), Some(Flood::Line));
    }

    #[test]
    fn the_end_of_the_stream_is_told() {
        let mut inbox = Inbox::default();
        inbox.fill(&b"half"[..]).unwrap();
        assert!(!inbox.fill(&b""[..]).unwrap());
        assert!(inbox.closed());
        assert_eq!(inbox.take_partial(), b"half");
        assert_eq!(inbox.partial(), b"");
    }
}
