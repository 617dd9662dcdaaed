//! The keeper: a small process of its own for each bot, which starts it, tells how it ended, and ends everything
//! that it leaves behind, also when the arena itself is killed.
//!
//! It is this program executed once more (`arena __keeper`), in a session of its own, the reaper of whatever the
//! bot orphans. It holds one end of a socket pair whose only other holder is the arena: when that end
//! closes, for whatever reason, the keeper kills and reaps until it has no children, and exits. It knows nothing of games.

mod ward;
mod watch;

pub use watch::{Over, TEMPORARY_FILES, Watch, hold_memory};

use super::{tree, wait};
use crate::isolation::{Confinement, Resources};
use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::poll::{PollFd, PollFlags, poll};
use nix::sys::prctl;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::{AsFd, FromRawFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use ward::{Refused, Ward};

/// The subcommand under which the arena's program is a keeper.
pub const SUBCOMMAND: &str = "__keeper";

/// The descriptor on which a keeper finds its socket.
pub const SOCKET: i32 = 3;

/// What the arena tells a keeper first, on one line.
#[derive(Debug, Serialize, Deserialize)]
pub struct Task {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Where it is started.
    pub folder: PathBuf,
    /// Added to the environment, at the last exec only.
    pub env: Vec<(String, String)>,
    /// Limits that the kernel enforces on each of its processes.
    pub resources: Resources,
    /// The control group that it is to run in.
    pub group: Option<PathBuf>,
    /// How it is confined, when it is.
    pub confinement: Option<Confinement>,
    /// What is watched while it runs.
    pub watch: Watch,
}

/// What a keeper tells the arena, a line each.
#[derive(Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Report {
    /// The bot is about to be executed under this process id: the last word before any of its own instructions, so that
    /// whatever befalls the keeper from then on is known to be after it.
    Starting(i32),
    /// The bot runs under this process id.
    Started(i32),
    /// It could not be executed: the system's error number.
    Failed(i32),
    /// It was not executed, because it could not be confined: why.
    Unfit(String),
    /// It ended.
    Ended(Ended),
    /// Nothing of it is left.
    Clean {
        /// Processes that it had left behind, and that had to be killed.
        killed: u32,
        /// Processor time of all that was reaped, in microseconds.
        cpu_us: u64,
        /// The largest resident set of one process, in KiB.
        peak_kib: u64,
    },
}

/// How a bot's process ended.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Ended {
    /// Its exit code, when it exited.
    pub code: Option<i32>,
    /// The signal that ended it, when one did.
    pub signal: Option<i32>,
    /// Processor time, in microseconds.
    pub cpu_us: u64,
    /// The limit that ended it, when one did that no signal tells of.
    pub over: Option<Over>,
}

/// The one order that a running keeper takes: kill everything now.
pub const KILL: u8 = b'k';

/// Runs as a keeper. Called before anything else of the program, while it has one thread.
pub fn run() -> ExitCode {
    // A keeper has nobody to tell of its own failure but the arena, which sees its socket close.
    match keep() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn keep() -> io::Result<()> {
    let mut socket = inherited_socket();
    let mut line = String::new();
    let mut reader = BufReader::new(&socket);
    reader.read_line(&mut line)?;
    // Whatever follows the line is an order already.
    let ordered = !reader.buffer().is_empty();
    let task: Task = serde_json::from_str(&line)?;

    prctl::set_child_subreaper(true)?;
    prctl::set_name(c"arena-keeper")?;
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGCHLD);
    signals.thread_block()?;
    let deaths = SignalFd::with_flags(&signals, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?;

    // The bot must not hold the socket: its closing is what ends everything.
    nix::fcntl::fcntl(&socket, nix::fcntl::FcntlArg::F_SETFD(nix::fcntl::FdFlag::FD_CLOEXEC))?;
    let started = Ward::start(&task);
    let_go_of_the_bots_pipes()?;
    let ward = match started {
        Ok(ward) => ward,
        Err(Refused::Bot(errno)) => return tell(&mut socket, &Report::Failed(errno)),
        Err(Refused::Us(why)) => return tell(&mut socket, &Report::Unfit(why)),
    };
    // Without a reader the arena is gone already: then all that runs is to be ended.
    let _ = tell(&mut socket, &Report::Started(ward.pid.as_raw()));
    let mut keeper = Keeper { socket, deaths, ward, watch: &task.watch, group: task.group.as_deref(), over: None };
    let orphaned = !ordered && keeper.attend()?;
    keeper.clear(orphaned)
}

struct Keeper<'a> {
    socket: UnixStream,
    deaths: SignalFd,
    ward: Ward,
    watch: &'a Watch,
    group: Option<&'a Path>,
    /// The limit for which the bot was ended.
    over: Option<Over>,
}

impl Keeper<'_> {
    /// Waits until nothing of the bot is left, or it is to be ended. Whether the arena is gone.
    fn attend(&mut self) -> io::Result<bool> {
        loop {
            self.hear_launcher();
            if self.reap() && !self.ward.runs {
                return Ok(false);
            }
            let mut waiting = vec![
                PollFd::new(self.socket.as_fd(), PollFlags::POLLIN),
                PollFd::new(self.deaths.as_fd(), PollFlags::POLLIN),
            ];
            waiting.extend(self.ward.launcher().map(|words| PollFd::new(words.as_fd(), PollFlags::POLLIN)));
            wait(&mut waiting, self.watch.interval())?;
            let ordered = waiting[0].revents().is_some_and(|events| !events.is_empty());
            drop(waiting);
            while let Ok(Some(_)) = self.deaths.read_signal() {}
            if ordered {
                let mut order = [0];
                // End of file and an error mean that the arena is gone; the order itself means the same for the bot.
                return Ok(!matches!((&self.socket).read(&mut order), Ok(1)));
            }
            if self.ward.runs && self.over.is_none() {
                self.over = self.watch.passed(self.ward.pid);
                if self.over.is_some() {
                    self.kill_all();
                }
            }
        }
    }

    /// What the launcher says of the bot's end, where there is one.
    fn hear_launcher(&mut self) {
        if let Some((code, signal)) = self.ward.last_word() {
            self.bot_ended(code, signal);
        }
    }

    fn bot_ended(&mut self, code: Option<i32>, signal: Option<i32>) {
        if !std::mem::replace(&mut self.ward.runs, false) {
            return;
        }
        let over = self.over.or_else(|| signal.and_then(|_| self.watch.kernel_ended_it()));
        // Reports that fail have no reader: the arena is gone, and what remains is to clean up.
        let _ = tell(&mut &self.socket, &Report::Ended(Ended { code, signal, cpu_us: usage().0, over }));
    }

    /// Reaps what has ended. True when no child is left.
    fn reap(&mut self) -> bool {
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::StillAlive) => return false,
                Ok(status) if status.pid() == Some(self.ward.child) => {
                    self.hear_launcher();
                    let (code, signal) = self.ward.end_of_child(status);
                    self.bot_ended(code, signal);
                }
                Ok(_) => self.ward.reaped_another(),
                Err(Errno::EINTR) => {}
                Err(_) => return true,
            }
        }
    }

    fn kill_all(&self) {
        if let Some(group) = self.group {
            let _ = fs::write(group.join("cgroup.kill"), "1");
        }
        tree::signal_descendants(Pid::this(), Signal::SIGKILL);
    }

    /// Kills and reaps until nothing is left, and tells what the bot had left behind.
    fn clear(mut self, orphaned: bool) -> io::Result<()> {
        self.ward.count_strays();
        // Who is killed before its parent has waited for it leaves no word of its time.
        let ran = self.watch.processor_us();
        loop {
            self.kill_all();
            if self.reap() {
                break;
            }
            // A process that forks at the wrong moment escapes one round, not the next: look again when somebody has died,
            // or soon.
            let mut waiting = [PollFd::new(self.deaths.as_fd(), PollFlags::POLLIN)];
            let _ = poll(&mut waiting, 10u8);
            while let Ok(Some(_)) = self.deaths.read_signal() {}
        }
        for group in self.group.into_iter().chain(self.watch.group()) {
            remove_group(group, orphaned);
        }
        let (reaped, peak_kib) = usage();
        let _ = tell(&mut self.socket, &Report::Clean { killed: self.ward.strays, cpu_us: reaped.max(ran), peak_kib });
        Ok(())
    }
}

fn inherited_socket() -> UnixStream {
    #[allow(unsafe_code)]
    // SAFETY: the arena executes a keeper with this descriptor open, and nothing else in this process has claimed it.
    let socket = unsafe { UnixStream::from_raw_fd(SOCKET) };
    socket
}

/// A pipe ends when its last holder lets go, so the keeper must not be one.
fn let_go_of_the_bots_pipes() -> io::Result<()> {
    let nothing = nix::fcntl::open("/dev/null", OFlag::O_RDWR | OFlag::O_CLOEXEC, nix::sys::stat::Mode::empty())?;
    nix::unistd::dup2_stdin(&nothing)?;
    nix::unistd::dup2_stdout(&nothing)?;
    nix::unistd::dup2_stderr(&nothing)?;
    Ok(())
}

fn tell(socket: &mut impl Write, report: &Report) -> io::Result<()> {
    let mut line = serde_json::to_vec(report)?;
    line.push(b'\n');
    socket.write_all(&line)
}

/// Removes a group. It may be in use for a moment after its last process was reaped: an arena that lives removes it
/// then, and without one the keeper waits for that moment.
fn remove_group(group: &Path, orphaned: bool) {
    for _ in 0..if orphaned { 200 } else { 1 } {
        match fs::remove_dir(group) {
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy && orphaned => {
                let _ = poll(&mut [], 5u8);
            }
            _ => break,
        }
    }
    // The arena removes the folder of all its groups itself, as long as it lives.
    if let Some(parent) = group.parent().filter(|_| orphaned) {
        let _ = fs::remove_dir(parent);
    }
}

/// Processor time in microseconds and largest resident set in KiB of all children reaped so far.
fn usage() -> (u64, u64) {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return (0, 0) };
    let micros = |time: nix::sys::time::TimeVal| time.tv_sec() as u64 * 1_000_000 + time.tv_usec() as u64;
    (micros(usage.user_time()) + micros(usage.system_time()), usage.max_rss() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_before_the_exec_is_a_report_like_the_others() {
        let written = format!(r#"{{"starting":{}}}"#, i32::MAX);
        assert_eq!(serde_json::to_string(&Report::Starting(i32::MAX)).unwrap(), written);
        assert!(written.len() < 32, "it fits where it is written");
    }
}
