//! Writes a transcript, a line an event, straight to its file: what has happened is there whatever happens next.

use super::{Closing, Event, Header, Recorder, Times};
use crate::protocol::result_json;
use serde_json::{Map, Value, json};
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A transcript in the making.
pub struct TranscriptWriter {
    path: PathBuf,
    file: BufWriter<File>,
    line: Vec<u8>,
}

impl TranscriptWriter {
    /// Begins a new file; one that is there already is not touched.
    pub fn create(path: &Path) -> io::Result<TranscriptWriter> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        Ok(TranscriptWriter {
            path: path.to_path_buf(),
            file: BufWriter::with_capacity(64 * 1024, file),
            line: Vec::new(),
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn put(&mut self, value: &impl serde::Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.file, value)?;
        self.file.write_all(b"\n")
    }

    fn put_move(
        &mut self,
        ms: u64,
        turn: u32,
        seat: usize,
        mv: &str,
        times: Times,
        note: Option<&str>,
    ) -> io::Result<()> {
        self.line.clear();
        let line = &mut self.line;
        // Written by hand, number by number: there is one of these for every move.
        put_number(line, r#"{"type":"move","ms":"#, ms);
        put_number(line, r#","turn":"#, turn.into());
        put_number(line, r#","seat":"#, seat as u64);
        line.extend_from_slice(br#","move":"#);
        line.extend_from_slice(mv.as_bytes());
        put_number(line, r#","took_us":"#, times.took_us);
        for (text, value) in [
            (r#","cpu_us":"#, times.cpu_us),
            (r#","stalled_us":"#, times.stalled_us),
            (r#","arena_us":"#, times.arena_us),
        ] {
            if let Some(value) = value {
                put_number(line, text, value);
            }
        }
        if let Some(note) = note {
            line.extend_from_slice(br#","note":"#);
            line.extend_from_slice(note.as_bytes());
        }
        line.extend_from_slice(b"}\n");
        self.file.write_all(line)
    }
}

fn put_number(line: &mut Vec<u8>, before: &str, number: u64) {
    line.extend_from_slice(before.as_bytes());
    line.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

impl Recorder for TranscriptWriter {
    fn begin(&mut self, header: &Header) -> io::Result<()> {
        let Value::Object(fields) = serde_json::to_value(header)? else { unreachable!("a header is an object") };
        let mut line = Map::from_iter([("type".to_string(), json!("match"))]);
        line.extend(fields);
        self.put(&line)?;
        self.file.flush()
    }

    fn record(&mut self, ms: u64, event: &Event<'_>) -> io::Result<()> {
        match *event {
            Event::Move { turn, seat, mv, times, note } => self.put_move(ms, turn, seat.index(), mv, times, note),
            Event::Ready { seat, times } => {
                let mut line = json!({"type": "ready", "ms": ms, "seat": seat.index(), "took": times.took_us});
                for (key, value) in
                    [("cpu_us", times.cpu_us), ("stalled_us", times.stalled_us), ("arena_us", times.arena_us)]
                {
                    if let Some(value) = value {
                        line[key] = json!(value);
                    }
                }
                self.put(&line)
            }
            Event::Pass { turn, seat } => {
                self.put(&json!({"type": "pass", "ms": ms, "turn": turn, "seat": seat.index()}))
            }
            Event::Replayed { turn, seat, mv } => {
                let mv: Value = mv.map(serde_json::from_str).transpose()?.unwrap_or_default();
                self.put(&json!({"type": "replayed", "ms": ms, "turn": turn, "seat": seat.index(), "move": mv}))
            }
            Event::Invalid { turn, seat, part, why } => self.put(
                &json!({"type": "invalid", "ms": ms, "turn": turn, "seat": seat.index(), "flip": part, "why": why}),
            ),
            Event::Stray { seat, text } => {
                self.put(&json!({"type": "stray", "ms": ms, "seat": seat.index(), "text": text}))
            }
            Event::Stale { seat, text } => {
                self.put(&json!({"type": "stale", "ms": ms, "seat": seat.index(), "text": text}))
            }
            Event::Stderr { seat, turn, text, cut } => {
                let mut line = json!({"type": "stderr", "ms": ms, "turn": turn, "seat": seat.index(), "text": text});
                if let Some(cut) = cut {
                    line["cut"] = json!(cut);
                }
                self.put(&line)
            }
            Event::Fault { seat, fault, mv } => {
                let mut line = json!({
                    "type": "fault", "ms": ms, "seat": seat.index(), "reason": fault.reason.as_str(), "detail": fault.detail,
                });
                if let Some(raw) = &fault.line {
                    line["line"] = json!(raw);
                }
                if let Some(mv) = mv {
                    line["move"] = serde_json::from_str(mv)?;
                }
                self.put(&line)
            }
            Event::Warning { .. } => Ok(()),
            Event::Result(closing) => {
                self.put(&closing.to_line(ms))?;
                self.file.flush()
            }
        }
    }

    fn idle(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Closing {
    /// The last line of a transcript.
    pub fn to_line(&self, ms: u64) -> Map<String, Value> {
        let mut line = Map::from_iter([("type".to_string(), json!("result")), ("ms".to_string(), json!(ms))]);
        line.extend(result_json(&self.verdict));
        let more = json!({
            "turns": self.turns, "duration_ms": self.duration_ms, "total_us": self.total_us, "max_us": self.max_us,
            "cpu_us": self.cpu_us, "peak_kib": self.peak_kib, "left_behind": self.left_behind,
        });
        let Value::Object(more) = more else { unreachable!("written as an object") };
        line.extend(more);
        line
    }
}
