//! What a bot under trial is sent, for those who look for the reason of a fault in it.

use crate::table::Watcher;
use std::sync::{Arc, Mutex, PoisonError};

/// How the arena's requests for a move begin.
const REQUEST: &[u8] = br#"{"type":"turn","#;

/// The requests for a move that a bot was sent, in their order.
#[derive(Clone, Debug, Default)]
pub struct Sent {
    /// How many characters each has, without its newline.
    pub lengths: Vec<usize>,
    /// The last one.
    pub last: String,
}

/// Keeps them; clones keep the same ones.
#[derive(Clone, Default)]
pub(super) struct Meter(Arc<Mutex<Sent>>);

impl Meter {
    /// What was sent so far, which is forgotten.
    pub fn take(&self) -> Sent {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Watcher for Meter {
    fn sent(&mut self, line: &[u8]) {
        if line.starts_with(REQUEST) {
            let mut sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            sent.last = String::from_utf8_lossy(line).trim_end().to_string();
            let length = sent.last.chars().count();
            sent.lengths.push(length);
        }
    }

    fn sent_on(&mut self, _words: &str) {}

    fn said(&mut self, _line: &[u8]) {}

    fn logged(&mut self, _bytes: &[u8]) {}
}
