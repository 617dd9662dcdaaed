//! A program that is run to its end rather than spoken to: a bot's build step. What it prints goes into a file; nothing of it
//! survives its end, the time that it has, or the arena.

use super::host::Host;
use super::keeper::Ended;
use super::kept::{Kept, Program, SpawnError};
use super::limits::Limits;
use super::{Interrupt, wait};
use nix::poll::{PollFd, PollFlags};
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// How soon a job heeds what is not told by a descriptor.
const HEED_EVERY: Duration = Duration::from_millis(200);

/// How a program is run to its end.
pub struct Job<'a> {
    /// The program.
    pub program: &'a Program,
    /// What it may use.
    pub limits: &'a Limits,
    /// Whether it has the machine's network, when it is confined.
    pub network: bool,
    /// How long it may take.
    pub time: Duration,
    /// Looked at now and then: why it is to be stopped.
    pub stop: &'a dyn Fn() -> Option<String>,
}

/// How a job ended.
#[derive(Debug, PartialEq, Eq)]
pub enum JobEnd {
    /// By itself, or by a limit, which is then named.
    Ended(Ended, Option<String>),
    /// It took too long.
    TooLong,
    /// The arena is to stop.
    Interrupted,
    /// It was stopped, for this reason.
    Stopped(String),
}

impl Job<'_> {
    /// Runs it; stdout and stderr go into `log`.
    ///
    /// # Errors
    /// It cannot be started, or we failed.
    pub fn run(&self, host: &Host, log: &File, interrupt: &Interrupt) -> Result<JobEnd, SpawnError> {
        let streams = [Stdio::null(), log.try_clone()?.into(), log.try_clone()?.into()];
        let (mut kept, _) = Kept::start(host, self.program, self.limits, streams, self.network)?;
        let deadline = Instant::now() + self.time;
        let mut end = None;
        while !kept.gone() {
            let now = Instant::now();
            if end.is_none() {
                end = match (self.stop)() {
                    _ if kept.ended.is_some() => {
                        kept.ended.map(|ended| JobEnd::Ended(ended, kept.limits.passed_by(ended)))
                    }
                    _ if interrupt.raised() => Some(JobEnd::Interrupted),
                    _ if now >= deadline => Some(JobEnd::TooLong),
                    Some(why) => Some(JobEnd::Stopped(why)),
                    None => None,
                };
                if end.is_some() {
                    // What it has left running goes with it.
                    kept.kill();
                }
            }
            let left = deadline.saturating_duration_since(now).min(HEED_EVERY).max(Duration::from_millis(1));
            wait(&mut [PollFd::new(kept.control.as_fd(), PollFlags::POLLIN)], Some(left))?;
            kept.read_reports()?;
        }
        let ended = kept.ended.map(|ended| JobEnd::Ended(ended, kept.limits.passed_by(ended)));
        end.or(ended).ok_or_else(|| io::Error::other("its keeper was ended").into())
    }
}
