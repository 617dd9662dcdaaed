//! The keeper: a small process of its own for each bot, which starts it, tells how it ended, and ends everything
//! that it leaves behind, also when the arena itself is killed.
//!
//! It is this program executed once more (`arena __keeper`), in a session of its own, the reaper of whatever the
//! bot orphans. It holds one end of a socket pair whose only other holder is the arena: when that end
//! closes, for whatever reason, the keeper kills and reaps until it has no children, and exits. It knows nothing of games.

use super::{tree, wait};
use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::poll::{PollFd, PollFlags, poll};
use nix::sys::prctl;
use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::{AsFd, FromRawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

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
    /// The most processor time of one process, in seconds.
    pub cpu_seconds: Option<u64>,
    /// The largest file it may write, in bytes.
    pub file_bytes: Option<u64>,
    /// The control group that it is to run in.
    pub group: Option<PathBuf>,
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
    // One byte at a time: whatever follows the line is an order, and must stay in the socket.
    BufReader::with_capacity(1, &socket).read_line(&mut line)?;
    let task: Task = serde_json::from_str(&line)?;

    prctl::set_child_subreaper(true)?;
    prctl::set_name(c"arena-keeper")?;
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGCHLD);
    signals.thread_block()?;
    let deaths = SignalFd::with_flags(&signals, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?;

    let started = start(&task, &socket);
    let_go_of_the_bots_pipes()?;
    let bot = match started {
        Ok(bot) => bot,
        Err(error) => return tell(&mut socket, &Report::Failed(error.raw_os_error().unwrap_or(Errno::ENOEXEC as i32))),
    };
    tell(&mut socket, &Report::Started(bot.as_raw()))?;

    // Reports that fail have no reader: the arena is gone, and what remains is to clean up.
    let mut bot_runs = true;
    let mut orphaned = false;
    loop {
        let alone = reap(|pid, status| {
            if pid == bot {
                bot_runs = false;
                let _ = tell(&mut &socket, &Report::Ended(ended(status)));
            }
        });
        if alone && !bot_runs {
            break;
        }
        let mut waiting =
            [PollFd::new(socket.as_fd(), PollFlags::POLLIN), PollFd::new(deaths.as_fd(), PollFlags::POLLIN)];
        wait(&mut waiting, None)?;
        while let Ok(Some(_)) = deaths.read_signal() {}
        if waiting[0].revents().is_some_and(|events| !events.is_empty()) {
            let mut order = [0];
            // End of file and an error mean that the arena is gone; the order itself means the same for the bot.
            orphaned = !matches!((&socket).read(&mut order), Ok(1));
            break;
        }
    }
    let mut killed = 0;
    sweep(&task, &deaths, |pid, status| {
        if pid == bot {
            let _ = tell(&mut &socket, &Report::Ended(ended(status)));
        } else {
            killed += 1;
        }
    });
    if let Some(group) = &task.group {
        remove_group(group, orphaned);
    }
    let usage = usage();
    let _ = tell(&mut socket, &Report::Clean { killed, cpu_us: usage.0, peak_kib: usage.1 });
    Ok(())
}

fn inherited_socket() -> UnixStream {
    #[allow(unsafe_code)]
    // SAFETY: the arena executes a keeper with this descriptor open, and nothing else in this process has claimed it.
    let socket = unsafe { UnixStream::from_raw_fd(SOCKET) };
    socket
}

fn start(task: &Task, socket: &UnixStream) -> io::Result<Pid> {
    // The bot must not hold the socket: its closing is what ends everything.
    nix::fcntl::fcntl(socket, nix::fcntl::FcntlArg::F_SETFD(nix::fcntl::FdFlag::FD_CLOEXEC))?;
    close_the_rest_on_exec();
    // What the arena's thread set for its own precision is not the bot's: in every match it finds the kernel's default.
    let _ = prctl::set_timerslack(50_000);
    let mut command = Command::new(&task.argv[0]);
    command.args(&task.argv[1..]).current_dir(&task.folder).envs(task.env.iter().map(|(key, value)| (key, value)));
    let (cpu, file) = (task.cpu_seconds, task.file_bytes);
    let members = task
        .group
        .as_ref()
        .map(|group| fs::OpenOptions::new().write(true).open(group.join("cgroup.procs")))
        .transpose()?;
    #[allow(unsafe_code)]
    // SAFETY: between fork and exec only system calls are made, on values that were there before; this process has
    // one thread.
    unsafe {
        command.pre_exec(move || {
            if let Some(mut members) = members.as_ref() {
                members.write_all(b"0")?;
            }
            nix::unistd::setsid()?;
            if let Some(seconds) = cpu {
                // The hard limit is a second later: the soft one's signal names the cause.
                setrlimit(Resource::RLIMIT_CPU, seconds, seconds + 1)?;
            }
            if let Some(bytes) = file {
                setrlimit(Resource::RLIMIT_FSIZE, bytes, bytes)?;
            }
            setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
            // The keeper has blocked a signal for itself.
            SigSet::empty().thread_set_mask()?;
            tell_starting();
            Ok(())
        });
    }
    Ok(Pid::from_raw(command.spawn()?.id() as i32))
}

/// Called between fork and exec: without memory that has to be asked for.
fn tell_starting() {
    let mut line = [0; 32];
    let mut rest = &mut line[..];
    let _ = writeln!(rest, r#"{{"starting":{}}}"#, Pid::this());
    let unused = rest.len();
    let written = line.len() - unused;
    #[allow(unsafe_code)]
    // SAFETY: the socket stays open until the exec.
    let socket = unsafe { std::os::fd::BorrowedFd::borrow_raw(SOCKET) };
    // Without a reader the arena is gone, and the keeper finds that out.
    let _ = nix::unistd::write(socket, &line[..written]);
}

/// What whoever started the arena left open would else be the bot's too.
fn close_the_rest_on_exec() {
    let open = fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let numbers = open.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    for number in numbers.filter(|number| *number > SOCKET) {
        // One of them was the listing itself, and is gone.
        let _ = close_on_exec(number);
    }
}

fn close_on_exec(descriptor: i32) -> io::Result<()> {
    #[allow(unsafe_code)]
    // SAFETY: it is borrowed for this one call, which a descriptor that is not open fails without harm.
    let descriptor = unsafe { std::os::fd::BorrowedFd::borrow_raw(descriptor) };
    nix::fcntl::fcntl(descriptor, nix::fcntl::FcntlArg::F_SETFD(nix::fcntl::FdFlag::FD_CLOEXEC))?;
    Ok(())
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

/// Reaps what has ended. True when no child is left.
fn reap(mut each: impl FnMut(Pid, WaitStatus)) -> bool {
    loop {
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) => return false,
            Ok(status) => {
                if let Some(pid) = status.pid() {
                    each(pid, status);
                }
            }
            Err(Errno::EINTR) => {}
            Err(_) => return true,
        }
    }
}

/// Kills and reaps until nothing is left.
fn sweep(task: &Task, deaths: &SignalFd, mut each: impl FnMut(Pid, WaitStatus)) {
    loop {
        if let Some(group) = &task.group {
            let _ = fs::write(group.join("cgroup.kill"), "1");
        }
        tree::signal_descendants(Pid::this(), Signal::SIGKILL);
        if reap(&mut each) {
            return;
        }
        // A process that forks at the wrong moment escapes one round, not the next: look again when somebody has died,
        // or soon.
        let mut waiting = [PollFd::new(deaths.as_fd(), PollFlags::POLLIN)];
        let _ = poll(&mut waiting, 10u8);
        while let Ok(Some(_)) = deaths.read_signal() {}
    }
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
    if let Some(parent) = group.parent() {
        let _ = fs::remove_dir(parent);
    }
}

fn ended(status: WaitStatus) -> Ended {
    let (code, signal) = match status {
        WaitStatus::Exited(_, code) => (Some(code), None),
        WaitStatus::Signaled(_, signal, _) => (None, Some(signal as i32)),
        _ => (None, None),
    };
    Ended { code, signal, cpu_us: usage().0 }
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
