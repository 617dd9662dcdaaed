//! A player who is somewhere else, and whose answers somebody here passes on: a person at a page. There is no process.

use super::{Channel, Inbox, Interests, Readiness};
use nix::poll::PollFlags;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;

/// Is given each line that such a player is sent.
pub type Sent = Box<dyn FnMut(&[u8]) + Send>;

/// The line to such a player. What it is sent is handed to whoever passes it on.
pub struct Visitor {
    answers: UnixStream,
    inbox: Inbox,
    sent: Sent,
    gone: bool,
}

impl Visitor {
    /// A line, and its other end, on which answers are written; closed, the player has left. `sent` is given each line that is sent,
    /// when an answer to it may come: it must not wait for anything.
    ///
    /// # Errors
    /// The system has no descriptors left.
    pub fn new(sent: Sent) -> io::Result<(Visitor, UnixStream)> {
        let (answers, other_end) = UnixStream::pair()?;
        answers.set_nonblocking(true)?;
        other_end.set_nonblocking(true)?;
        Ok((Visitor { answers, inbox: Inbox::default(), sent, gone: false }, other_end))
    }
}

impl Channel for Visitor {
    /// The second place is where answers come, as for every channel.
    fn interests(&self) -> Interests<'_> {
        let open = !self.gone && !self.inbox.closed();
        [None, open.then(|| (self.answers.as_fd(), PollFlags::POLLIN)), None, None]
    }

    fn pump(&mut self, _ready: &Readiness) -> io::Result<()> {
        if !self.gone && !self.inbox.closed() {
            self.inbox.fill(&self.answers)?;
        }
        Ok(())
    }

    fn send(&mut self, line: &[u8]) -> io::Result<()> {
        (self.sent)(line);
        Ok(())
    }

    fn inbox(&mut self) -> &mut Inbox {
        &mut self.inbox
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::NOTHING;
    use std::io::Write;
    use std::sync::mpsc::channel;

    #[test]
    fn lines_are_handed_over_and_answers_come_back_until_the_other_end_is_closed() {
        let (told, heard) = channel();
        let (mut visitor, mut other_end) =
            Visitor::new(Box::new(move |line| told.send(line.to_vec()).unwrap())).unwrap();
        visitor.send(b"your move\n").unwrap();
        assert_eq!(heard.try_recv().unwrap(), b"your move\n");
        visitor.pump(&NOTHING).unwrap();
        assert!(visitor.inbox().next_line().is_none());
        other_end.write_all(b"d3\n").unwrap();
        visitor.pump(&NOTHING).unwrap();
        assert_eq!(visitor.inbox().next_line().unwrap().0, b"d3");
        drop(other_end);
        visitor.pump(&NOTHING).unwrap();
        assert!(visitor.inbox().closed() && !visitor.gone());
        visitor.close_input();
        assert!(visitor.gone());
    }
}
