//! A seat in which nobody sits, while the other one is asked for itself alone: nothing comes from it, and nothing that is
//! sent to it arrives anywhere.

use super::{Channel, DESCRIPTORS, Inbox, Interests, Readiness};
use std::io;

/// Nobody.
#[derive(Debug, Default)]
pub struct Absent {
    inbox: Inbox,
}

impl Channel for Absent {
    fn interests(&self) -> Interests<'_> {
        [None; DESCRIPTORS]
    }

    fn pump(&mut self, _ready: &Readiness) -> io::Result<()> {
        Ok(())
    }

    fn send(&mut self, _line: &[u8]) -> io::Result<()> {
        Ok(())
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
