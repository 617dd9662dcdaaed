//! A person at a terminal: lines typed on one descriptor, text shown on another. It has no process and is never late.

use super::load::{Gauge, Reading};
use super::{Channel, Ended, Inbox, Interests, Readiness};
use nix::poll::PollFlags;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::time::Instant;

/// A person's keyboard and screen.
pub struct Terminal {
    keyboard: File,
    screen: Box<dyn Write + Send>,
    inbox: Inbox,
    gone: bool,
}

impl Terminal {
    /// Reads from `keyboard`, as it is: its mode is not changed, since other programs share it.
    pub fn new(keyboard: OwnedFd, screen: Box<dyn Write + Send>) -> Terminal {
        Terminal { keyboard: File::from(keyboard), screen, inbox: Inbox::default(), gone: false }
    }
}

impl Channel for Terminal {
    fn interests(&self) -> Interests<'_> {
        let open = !self.inbox.closed() && !self.gone;
        [open.then(|| (self.keyboard.as_fd(), PollFlags::POLLIN)), None, None, None]
    }

    fn pump(&mut self, ready: &Readiness) -> io::Result<()> {
        // Reading a terminal blocks, so it is read only when something was typed.
        if !ready[0].is_empty() {
            self.inbox.fill(&self.keyboard)?;
        }
        Ok(())
    }

    fn send(&mut self, line: &[u8]) -> io::Result<()> {
        self.screen.write_all(line)?;
        self.screen.flush()
    }

    fn inbox(&mut self) -> &mut Inbox {
        &mut self.inbox
    }

    fn take_log(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn ended(&self) -> Option<Ended> {
        None
    }

    fn freeze(&mut self, _frozen: bool) {}

    fn gauge(&self, _now: Instant) -> Option<Gauge> {
        None
    }

    fn read_gauge(&self, _gauge: &mut Gauge, _now: Instant) -> Reading {
        Reading::default()
    }

    fn gauge_source(&self) -> &'static str {
        "none"
    }

    fn close_input(&mut self) {
        self.gone = true;
    }

    fn kill(&mut self) {
        self.gone = true;
    }

    fn gone(&self) -> bool {
        self.gone
    }
}
