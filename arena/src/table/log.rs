//! A player's stderr over a match: the first part and the last are kept, the middle is counted; and what else a
//! transcript keeps of a player's output within bounds.

use std::collections::VecDeque;

/// How much of a log's beginning is kept, in bytes.
const HEAD: usize = 256 * 1024;
/// How much of its end.
const TAIL: usize = 64 * 1024;
/// How much of it the detail of a fault may show.
const RECENT: usize = 4 * 1024;

/// What a player wrote on stderr.
#[derive(Debug, Default)]
pub struct Log {
    head_used: usize,
    pending: Vec<u8>,
    tail: VecDeque<u8>,
    cut: u64,
    recent: VecDeque<u8>,
}

impl Log {
    /// Takes what came.
    pub fn add(&mut self, bytes: &[u8]) {
        keep_last(&mut self.recent, bytes, RECENT);
        let room = (HEAD - self.head_used).min(bytes.len());
        self.head_used += room;
        self.pending.extend_from_slice(&bytes[..room]);
        let rest = &bytes[room..];
        let before = self.tail.len() + rest.len();
        keep_last(&mut self.tail, rest, TAIL);
        self.cut += (before - self.tail.len()) as u64;
    }

    /// The whole lines that have come since this was last asked, if any.
    pub fn take_lines(&mut self) -> Option<String> {
        let end = self.pending.iter().rposition(|byte| *byte == b'\n')? + 1;
        let lines: Vec<u8> = self.pending.drain(..end).collect();
        Some(readable(&lines))
    }

    /// What is left at the end of a match: the last, unfinished line of the beginning, and the end of a longer log with
    /// the number of bytes that are missing before it. Where something is missing, it is whole lines, as far as there
    /// are any.
    pub fn finish(&mut self) -> (Option<String>, Option<(u64, String)>) {
        let mut pending = std::mem::take(&mut self.pending);
        let mut tail: Vec<u8> = std::mem::take(&mut self.tail).into();
        if self.cut == 0 {
            pending.append(&mut tail);
        } else {
            if pending.len() < self.head_used {
                self.cut += pending.drain(..).count() as u64;
            }
            let torn = tail.iter().position(|byte| *byte == b'\n').map_or(0, |end| end + 1);
            if torn < tail.len() {
                self.cut += tail.drain(..torn).count() as u64;
            }
        }
        let pending = (!pending.is_empty()).then(|| readable(&pending));
        let tail = (!tail.is_empty()).then(|| (self.cut, readable(&tail)));
        *self = Log { recent: std::mem::take(&mut self.recent), ..Log::default() };
        (pending, tail)
    }

    /// Its last lines, at most `lines` of them, for the detail of a fault.
    pub fn last_lines(&self, lines: usize) -> String {
        let recent: Vec<u8> = self.recent.iter().copied().collect();
        let text = readable(&recent);
        let all: Vec<&str> = text.lines().collect();
        all[all.len().saturating_sub(lines)..].join("\n")
    }

    /// A new match: what was said before belongs to the one before.
    pub fn forget(&mut self) {
        *self = Log::default();
    }
}

fn keep_last(kept: &mut VecDeque<u8>, bytes: &[u8], limit: usize) {
    let bytes = &bytes[bytes.len().saturating_sub(limit)..];
    let excess = (kept.len() + bytes.len()).saturating_sub(limit);
    kept.drain(..excess);
    kept.extend(bytes);
}

fn readable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_come_at_once_and_the_last_without_its_newline_at_the_end() {
        let mut log = Log::default();
        log.add(b"one\ntw");
        assert_eq!(log.take_lines().unwrap(), "one\n");
        assert_eq!(log.take_lines(), None);
        log.add(b"o\nthree");
        assert_eq!(log.take_lines().unwrap(), "two\n");
        assert_eq!(log.finish(), (Some("three".to_string()), None));
    }

    #[test]
    fn of_a_long_log_the_beginning_and_the_end_are_kept_and_the_middle_is_counted() {
        let mut log = Log::default();
        let mut sent = 0;
        for number in 0..100_000 {
            let line = format!("line {number}\n");
            sent += line.len();
            log.add(line.as_bytes());
        }
        let head = log.take_lines().unwrap();
        let (rest_of_head, tail) = log.finish();
        let (cut, tail) = tail.unwrap();
        assert!(head.starts_with("line 0\n"));
        assert!(tail.starts_with("line ") && tail.ends_with("line 99999\n"));
        assert!((TAIL - 20..=TAIL).contains(&tail.len()));
        assert_eq!((rest_of_head, head.len() + cut as usize + tail.len()), (None, sent));
    }

    #[test]
    fn what_is_just_longer_than_the_beginning_is_not_torn() {
        let mut log = Log::default();
        log.add(&b"x".repeat(HEAD - 2));
        log.add(b"\nlast line\n");
        assert_eq!(log.take_lines().unwrap().len(), HEAD - 1);
        assert_eq!(log.finish(), (Some("last line\n".to_string()), None));
    }

    #[test]
    fn of_a_log_without_lines_both_ends_are_kept_as_they_are() {
        let mut log = Log::default();
        log.add(&b"x".repeat(1 << 20));
        let (head, tail) = log.finish();
        assert_eq!((head.unwrap().len(), tail.unwrap().1.len()), (HEAD, TAIL));
    }

    #[test]
    fn bytes_that_are_no_text_become_replacement_characters() {
        let mut log = Log::default();
        log.add(b"a\xffb\n");
        assert_eq!(log.take_lines().unwrap(), "a\u{fffd}b\n");
        assert_eq!(log.last_lines(5), "a\u{fffd}b");
    }
}
