//! A person at a terminal: lines typed on one descriptor, text shown on another. It has no process and is never late.
//!
//! Whatever is sent is a prompt, and lets one line in. What is typed before the prompt waits in the terminal, as it does
//! for every program, and is read as if it had been typed then; so moves can be piped in as well.

use super::{Channel, Inbox, Interests, Readiness};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::os::fd::{AsFd, OwnedFd};

/// So many bytes are taken at once: what is piped in may never end, and must not keep the arena from anything else.
const BYTES_AT_ONCE: usize = 4096;

/// A person's keyboard and screen.
pub struct Terminal {
    keyboard: File,
    screen: Box<dyn Write + Send>,
    inbox: Inbox,
    /// Whether a prompt stands there without an answer.
    prompted: bool,
    /// Whether what is typed is to be seen although no terminal shows it: it is piped in.
    echoes: bool,
    gone: bool,
}

impl Terminal {
    /// Reads from `keyboard`, as it is: its mode is not changed, since other programs share it.
    pub fn new(keyboard: OwnedFd, screen: Box<dyn Write + Send>) -> Terminal {
        let keyboard = File::from(keyboard);
        let echoes = !keyboard.is_terminal();
        Terminal { keyboard, screen, inbox: Inbox::default(), prompted: false, echoes, gone: false }
    }

    /// Whether a read would return at once. Reading a terminal blocks, so it is read only when something was typed.
    fn readable(&self) -> bool {
        let mut waiting = [PollFd::new(self.keyboard.as_fd(), PollFlags::POLLIN)];
        matches!(poll(&mut waiting, PollTimeout::ZERO), Ok(1..))
    }

    /// The cursor stands behind a prompt, and nothing will be typed there any more.
    fn end_prompt(&mut self) {
        if std::mem::take(&mut self.prompted) {
            // A screen that is gone needs no new line.
            let _ = self.screen.write_all(b"\n").and_then(|()| self.screen.flush());
        }
    }
}

impl Channel for Terminal {
    fn interests(&self) -> Interests<'_> {
        let open = self.prompted && !self.inbox.closed() && !self.gone;
        [open.then(|| (self.keyboard.as_fd(), PollFlags::POLLIN)), None, None, None]
    }

    fn pump(&mut self, _ready: &Readiness) -> io::Result<()> {
        // A byte at a time: the next line is left for the next prompt.
        for _ in 0..BYTES_AT_ONCE {
            if !self.prompted || self.gone || self.inbox.closed() || !self.readable() {
                break;
            }
            let mut byte = [0];
            let come = match (&self.keyboard).read(&mut byte) {
                Ok(count) => self.inbox.fill(&byte[..count])?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                // A terminal that went away says so here.
                Err(_) => self.inbox.fill(io::empty())?,
            };
            if !come {
                self.end_prompt();
            } else if byte == *b"\n" {
                self.prompted = false;
                if self.echoes {
                    self.screen.write_all(b"\n")?;
                }
            } else if self.echoes && (byte[0] >= 0x80 || !byte[0].is_ascii_control()) {
                self.screen.write_all(&byte)?;
            }
        }
        self.screen.flush()
    }

    fn send(&mut self, line: &[u8]) -> io::Result<()> {
        self.prompted |= !line.is_empty();
        self.screen.write_all(line)?;
        self.screen.flush()
    }

    fn inbox(&mut self) -> &mut Inbox {
        &mut self.inbox
    }

    fn close_input(&mut self) {
        self.end_prompt();
        self.gone = true;
    }

    fn kill(&mut self) {
        self.end_prompt();
        self.gone = true;
    }

    fn gone(&self) -> bool {
        self.gone
    }
}
