//! What passes between the arena and a bot, as it passes: the bot's stderr, and all messages where that is wanted.

use super::DebugArguments;
use crate::cli::output::{Paper, harmless};
use crate::protocol::shown;
use crate::table::Watcher;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Of a message so much is shown, in characters.
const MESSAGE_SHOWN: usize = 2000;

/// Longer lines on stderr are shown in pieces, in bytes.
const LINE_SHOWN: usize = 64 * 1024;

/// So many of the last lines on stderr are remembered as shown: more than a fault's detail quotes.
const REMEMBERED: usize = 16;

/// What the one who asks and the one who shows both know.
#[derive(Default)]
pub(super) struct Sight {
    /// Whether what passes is shown.
    pub visible: AtomicBool,
    log: Mutex<VecDeque<String>>,
}

impl Sight {
    /// The last lines on stderr that were shown.
    pub fn log(&self) -> String {
        let log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.iter().map(|line| format!("{line}\n")).collect()
    }

    fn remember(&self, line: String) {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.push_back(line);
        if log.len() > REMEMBERED {
            log.pop_front();
        }
    }
}

/// Shows them on paper.
pub(super) struct Shown {
    paper: Paper,
    name: String,
    messages: bool,
    sight: Arc<Sight>,
    began: Instant,
    /// What has come of a line on stderr.
    line: Vec<u8>,
}

impl Shown {
    /// Shows what concerns the bot with this name, while that is to be seen.
    pub fn new(name: &str, arguments: &DebugArguments, sight: Arc<Sight>) -> Shown {
        Shown {
            paper: Paper::new(arguments.json),
            name: name.to_string(),
            messages: arguments.messages,
            sight,
            began: Instant::now(),
            line: Vec::new(),
        }
    }

    fn show(&mut self, text: &str) {
        if self.sight.visible.load(Ordering::Relaxed) {
            // Whoever watches may leave.
            let _ = self.paper.line(&harmless(text).replace('\t', "    "));
        }
    }

    fn message(&mut self, direction: char, bytes: usize, line: &[u8]) {
        if self.messages {
            let ms = self.began.elapsed().as_secs_f64() * 1e3;
            self.show(&format!("{ms:9.1} ms {direction} {bytes:>6} bytes  {}", shown(line, MESSAGE_SHOWN)));
        }
    }

    fn log_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line).into_owned();
        self.show(&format!("  {} stderr: {line}", self.name));
        if self.sight.visible.load(Ordering::Relaxed) {
            self.sight.remember(line);
        }
    }
}

impl Watcher for Shown {
    fn sent(&mut self, line: &[u8]) {
        self.message('>', line.len(), line.trim_ascii_end());
    }

    fn sent_on(&mut self, words: &str) {
        if self.messages {
            self.show(&format!("{:>29}  in words: {}", "", shown(words.as_bytes(), MESSAGE_SHOWN)));
        }
    }

    fn said(&mut self, line: &[u8]) {
        self.message('<', line.len() + 1, line);
    }

    fn logged(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if *byte == b'\n' || self.line.len() == LINE_SHOWN {
                self.log_line();
            }
            if *byte != b'\n' {
                self.line.push(*byte);
            }
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        if !self.line.is_empty() {
            self.log_line();
        }
    }
}
