//! Channels: how bytes reach a player and come back, and how its end is noticed. A channel knows no message and no game.
//!
//! What only Linux has stands in one file each: [`keeper`], [`group`], [`load`], [`tree`], [`cores`].

mod absent;
mod debugger;
mod host;
mod inbox;
mod interrupt;
mod job;
mod kept;
mod loopback;
mod process;
mod socket;
mod terminal;
mod visitor;

pub mod cores;
pub mod group;
pub mod keeper;
pub mod limits;
pub mod load;
pub mod tree;

pub use absent::Absent;
pub use debugger::{Debugger, Pipes};
pub use host::Host;
pub use inbox::{BYTES_LIMIT, Flood, Inbox, LINE_LIMIT, LINES_LIMIT};
pub use interrupt::Interrupt;
pub use job::{Job, JobEnd};
pub use keeper::Ended;
pub use kept::{Program, SpawnError};
pub use limits::Limits;
pub use loopback::Loopback;
pub use process::Process;
pub use socket::Socket;
pub use terminal::Terminal;
pub use visitor::{Sent, Visitor};

use load::{Gauge, Reading};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::TimeSpec;
use std::io;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

/// The descriptors that a channel waits on, at most, in an order of its own.
pub const DESCRIPTORS: usize = 4;

/// What a channel wants to be woken for.
pub type Interests<'a> = [Option<(BorrowedFd<'a>, PollFlags)>; DESCRIPTORS];

/// What became of each of a channel's interests.
pub type Readiness = [PollFlags; DESCRIPTORS];

/// To pump a channel that is to look for itself.
pub const NOTHING: Readiness = [PollFlags::empty(); DESCRIPTORS];

/// To pump a channel as if everything were there: what is not does not block.
pub const EVERYTHING: Readiness = [PollFlags::POLLIN; DESCRIPTORS];

/// Waits until one of these is ready, or until the time is up. A signal ends the wait as well: whoever waits looks again.
pub fn wait(waiting: &mut [PollFd<'_>], timeout: Option<Duration>) -> io::Result<()> {
    match ppoll(waiting, timeout.map(TimeSpec::from_duration), None) {
        Ok(_) | Err(Errno::EINTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// One player's end of the line. What only a process has (a log, an end, counters) is nothing unless it is there.
pub trait Channel: Send {
    /// The descriptors to wait on now.
    fn interests(&self) -> Interests<'_>;

    /// The part of them that carries what the player says: an answer comes there. Its end shows elsewhere, if late.
    fn stream_interests(&self) -> Interests<'_> {
        self.interests()
    }

    /// Takes what is there, without blocking. `ready` has the same order as the interests had.
    fn pump(&mut self, ready: &Readiness) -> io::Result<()>;

    /// Sends a line, as far as the other end takes it at once; the rest goes when the channel is pumped.
    fn send(&mut self, line: &[u8]) -> io::Result<()>;

    /// What came on stdout.
    fn inbox(&mut self) -> &mut Inbox;

    /// What came on stderr since it was last asked for.
    fn take_log(&mut self) -> Vec<u8> {
        Vec::new()
    }

    /// How the player's process ended, once it has.
    fn ended(&self) -> Option<Ended> {
        None
    }

    /// Why the player's own process has gone without a word on how: its keeper was killed.
    fn lost(&self) -> Option<&str> {
        None
    }

    /// What it did when nothing more can come from it though nothing is known to have ended, in words.
    fn hung_up(&self) -> &'static str {
        "closed its stdout, though its process goes on: nothing more can come from it"
    }

    /// Whether it has to stay on the line also while nothing is asked of it: if it leaves, it has lost at once.
    fn must_stay(&self) -> bool {
        false
    }

    /// Stops everything that the player runs, or lets it go on.
    fn freeze(&mut self, _frozen: bool) {}

    /// Takes the counters of the player's processor time.
    fn gauge(&self, _now: Instant) -> Option<Gauge> {
        None
    }

    /// Reads what they have grown by. What the player does not deserve (it changed its own priority) is left out.
    fn read_gauge(&self, _gauge: &mut Gauge, _now: Instant) -> Reading {
        Reading::default()
    }

    /// The word for where that comes from.
    fn gauge_source(&self) -> &'static str {
        "none"
    }

    /// What the player's process is doing, where it has one.
    fn process_state(&self) -> Option<ProcessState> {
        None
    }

    /// The player's process, for whoever wants to look at it from outside.
    fn pid(&self) -> Option<i32> {
        None
    }

    /// Has the debugger that it runs under, if it does, stop it where it is.
    fn break_in(&self) {}

    /// Closes the player's stdin: nothing more will be sent.
    fn close_input(&mut self);

    /// Kills whatever is left.
    fn kill(&mut self);

    /// Whether nothing of the player is left to wait for.
    fn gone(&self) -> bool;

    /// What it used in all, once it is gone.
    fn usage(&self) -> Usage {
        Usage::default()
    }

    /// Whether the player is a program that is confined.
    fn confined(&self) -> bool {
        false
    }

    /// Which resource limit ended the player's process, as it was set.
    fn limit_passed(&self, _ended: Ended) -> Option<String> {
        None
    }
}

/// What a process is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessState {
    /// It runs, or would if it had a processor.
    Running,
    /// It sleeps, or waits for something.
    Waiting,
    /// It was stopped by a signal.
    Stopped,
    /// It has ended.
    Ended,
}

impl ProcessState {
    /// In words, for the detail of a fault.
    pub fn as_str(self) -> &'static str {
        match self {
            ProcessState::Running => "running",
            ProcessState::Waiting => "alive and waiting",
            ProcessState::Stopped => "stopped",
            ProcessState::Ended => "ended",
        }
    }
}

/// What a player used in all, where the system tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Processor time of all its processes, in microseconds.
    pub cpu_us: Option<u64>,
    /// The largest resident set of one process, in KiB.
    pub peak_kib: Option<u64>,
    /// Processes that it had left behind, and that had to be killed.
    pub left_behind: u32,
}

/// Does something, and tells how long it took.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begin = Instant::now();
    let done = work();
    (done, begin.elapsed())
}
