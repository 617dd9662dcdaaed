//! A bot as a process: started by a keeper, spoken to over pipes, stopped and measured as a tree.

use super::host::Host;
use super::keeper::Ended;
use super::kept::{Kept, Program, SpawnError};
use super::limits::Limits;
use super::load::{Gauge, Reading, Source};
use super::tree::{self, Scheduling};
use super::{Channel, DESCRIPTORS, Inbox, Interests, ProcessState, Readiness, Usage};
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::PollFlags;
use nix::sys::signal::Signal;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::process::Stdio;
use std::time::Instant;

/// A bot's process and its pipes.
pub struct Process {
    kept: Kept,
    stdin: Option<File>,
    stdout: File,
    stderr: File,
    source: Source,
    scheduling: Option<Scheduling>,
    unsent: Vec<u8>,
    /// Whether stdin is to be closed as soon as everything was sent.
    closing: bool,
    inbox: Inbox,
    log: Vec<u8>,
    stderr_open: bool,
    frozen: bool,
}

impl Process {
    /// Starts a bot, confined where this machine is to confine it.
    pub fn spawn(host: &Host, program: &Program, limits: &Limits) -> Result<Process, SpawnError> {
        let piped = [(); 3].map(|()| Stdio::piped());
        let (kept, (stdin, stdout, stderr)) = Kept::start(host, program, limits, piped, false)?;
        let source = host.gauge_source(kept.group.as_ref());
        let piped = "its three streams are piped";
        Ok(Process {
            kept,
            stdin: Some(non_blocking(stdin.expect(piped))?),
            stdout: non_blocking(stdout.expect(piped))?,
            stderr: non_blocking(stderr.expect(piped))?,
            source,
            scheduling: tree::own_scheduling(),
            unsent: Vec::new(),
            closing: false,
            inbox: Inbox::default(),
            log: Vec::new(),
            stderr_open: true,
            frozen: false,
        })
    }

    fn write_unsent(&mut self) {
        let Some(stdin) = &mut self.stdin else { return self.unsent.clear() };
        while !self.unsent.is_empty() {
            match stdin.write(&self.unsent) {
                Ok(0) => break,
                Ok(count) => drop(self.unsent.drain(..count)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                // A broken pipe is no fault by itself: an answer, an exit or the deadline decides.
                Err(_) => break,
            }
        }
        self.unsent.clear();
        if self.closing {
            self.stdin = None;
        }
    }
}

impl Channel for Process {
    fn interests(&self) -> Interests<'_> {
        let [stdin, stdout, stderr, _] = self.stream_interests();
        [stdin, stdout, stderr, (!self.gone()).then(|| (self.kept.control.as_fd(), PollFlags::POLLIN))]
    }

    fn stream_interests(&self) -> Interests<'_> {
        let stdin = self.stdin.as_ref().filter(|_| !self.unsent.is_empty());
        [
            stdin.map(|stdin| (stdin.as_fd(), PollFlags::POLLOUT)),
            (!self.inbox.closed()).then(|| (self.stdout.as_fd(), PollFlags::POLLIN)),
            self.stderr_open.then(|| (self.stderr.as_fd(), PollFlags::POLLIN)),
            None,
        ]
    }

    fn pump(&mut self, ready: &Readiness) -> io::Result<()> {
        let [stdin, stdout, stderr, control] = ready.map(|flags| !flags.is_empty());
        if stdin {
            self.write_unsent();
        }
        // The keeper is heard first: what its bot wrote before it ended is then certainly in the pipes.
        if control {
            self.kept.read_reports()?;
        }
        if stdout || control {
            self.inbox.fill(&self.stdout)?;
        }
        if stderr || control {
            read_log(&self.stderr, &mut self.log, &mut self.stderr_open);
        }
        Ok(())
    }

    fn send(&mut self, line: &[u8]) -> io::Result<()> {
        if self.unsent.is_empty() {
            // The usual case: the pipe takes the line at once, and nothing is copied.
            let written = match self.stdin.as_mut().map(|stdin| stdin.write(line)) {
                Some(Ok(count)) => count,
                Some(Err(error)) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => 0,
                _ => line.len(),
            };
            self.unsent.extend_from_slice(&line[written..]);
        } else {
            self.unsent.extend_from_slice(line);
            self.write_unsent();
        }
        Ok(())
    }

    fn inbox(&mut self) -> &mut Inbox {
        &mut self.inbox
    }

    fn take_log(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.log)
    }

    fn ended(&self) -> Option<Ended> {
        self.kept.ended
    }

    fn lost(&self) -> Option<&str> {
        self.kept.lost.as_deref()
    }

    fn hung_up(&self) -> &'static str {
        match self.process_state() {
            Some(ProcessState::Ended) | None => {
                "ended, and how cannot be told, because it has stopped the process that watches over it"
            }
            Some(_) => "closed its stdout, though its process goes on: nothing more can come from it",
        }
    }

    fn freeze(&mut self, frozen: bool) {
        if self.frozen == frozen || self.kept.ended.is_some() || self.kept.lost.is_some() {
            return;
        }
        self.frozen = frozen;
        if self.kept.group.as_ref().is_some_and(|group| group.freeze(frozen).is_ok()) {
            return;
        }
        let signal = if frozen { Signal::SIGSTOP } else { Signal::SIGCONT };
        tree::signal_descendants(self.kept.keeper_pid(), signal);
    }

    fn gauge(&self, now: Instant) -> Option<Gauge> {
        Some(Gauge::new(&self.source, Some(self.kept.keeper_pid()), now))
    }

    fn read_gauge(&self, gauge: &mut Gauge, now: Instant) -> Reading {
        let reading = gauge.read(&self.source, Some(self.kept.keeper_pid()), now);
        let waited = reading.stalled_us.is_some_and(|stalled| stalled > 0);
        let deserved = !waited
            || self.scheduling.is_some_and(|start| tree::scheduled_as_started(self.kept.keeper_pid(), start))
                && self.kept.group.as_ref().is_none_or(|group| tree::stays_in(self.kept.keeper_pid(), group.name()));
        Reading { stalled_us: reading.stalled_us.filter(|_| deserved), ..reading }
    }

    fn gauge_source(&self) -> &'static str {
        self.source.as_str()
    }

    fn process_state(&self) -> Option<ProcessState> {
        self.kept.process_state()
    }

    fn pid(&self) -> Option<i32> {
        self.kept.pid
    }

    fn close_input(&mut self) {
        self.freeze(false);
        self.closing = true;
        self.write_unsent();
    }

    fn kill(&mut self) {
        self.kept.kill();
    }

    fn gone(&self) -> bool {
        self.kept.gone()
    }

    fn usage(&self) -> Usage {
        self.kept.usage()
    }

    fn confined(&self) -> bool {
        self.kept.confined
    }

    fn limit_passed(&self, ended: Ended) -> Option<String> {
        self.kept.limits.passed_by(ended)
    }
}

fn non_blocking(fd: OwnedFd) -> io::Result<File> {
    fcntl(&fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(File::from(fd))
}

/// Reads a log once. Whoever pumps takes what was read, so it stays small.
fn read_log(mut stderr: &File, log: &mut Vec<u8>, open: &mut bool) {
    let mut chunk = [0; 16 * 1024];
    match stderr.read(&mut chunk) {
        Ok(0) => *open = false,
        Ok(count) => log.extend_from_slice(&chunk[..count]),
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
        Err(_) => *open = false,
    }
}

const _: () = assert!(DESCRIPTORS == 4, "stdin, stdout, stderr, control");
