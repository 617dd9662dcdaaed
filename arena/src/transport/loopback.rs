//! A seat whose player is the arena itself: what is sent to it comes back as what it says, over descriptors like any other's.

use super::{Channel, DESCRIPTORS, Inbox, Interests, Readiness};
use nix::poll::PollFlags;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;

/// What is sent comes back.
#[derive(Debug)]
pub struct Loopback {
    there: UnixStream,
    back: UnixStream,
    inbox: Inbox,
}

impl Loopback {
    /// A line that leads back.
    ///
    /// # Errors
    /// The system has no descriptors left.
    pub fn new() -> io::Result<Loopback> {
        let (there, back) = UnixStream::pair()?;
        there.set_nonblocking(true)?;
        back.set_nonblocking(true)?;
        Ok(Loopback { there, back, inbox: Inbox::default() })
    }
}

impl Channel for Loopback {
    fn interests(&self) -> Interests<'_> {
        let mut interests = [None; DESCRIPTORS];
        interests[0] = Some((self.back.as_fd(), PollFlags::POLLIN));
        interests
    }

    fn pump(&mut self, _ready: &Readiness) -> io::Result<()> {
        self.inbox.fill(&self.back).map(|_| ())
    }

    fn send(&mut self, line: &[u8]) -> io::Result<()> {
        self.there.write_all(line)
    }

    fn inbox(&mut self) -> &mut Inbox {
        &mut self.inbox
    }

    fn close_input(&mut self) {}

    fn kill(&mut self) {}

    fn gone(&self) -> bool {
        true
    }
}
