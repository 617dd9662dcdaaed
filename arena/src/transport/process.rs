//! A bot as a process: started by a keeper, spoken to over pipes, stopped and measured as a tree.

use super::group::{Group, Groups};
use super::keeper::{self, Ended, Report, Task};
use super::load::{Gauge, Reading, Source};
use super::tree::{self, Scheduling};
use super::{Channel, DESCRIPTORS, Inbox, Interests, ProcessState, Readiness, Usage};
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long a keeper may take to start a bot.
const KEEPER_WAIT: Duration = Duration::from_secs(10);

/// The children of this process that are keepers, so that whatever else becomes its child (the orphans of a keeper that
/// was killed) can be told apart and ended.
static LIVE_CHILDREN: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Limits of one bot that the kernel enforces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The most processor time of one process, in seconds.
    pub cpu_seconds: Option<u64>,
    /// The largest file that it may write, in bytes.
    pub file_bytes: Option<u64>,
}

/// What bots are started with on this machine. Shared by all matches.
#[derive(Debug, Clone)]
pub struct Host {
    keeper: PathBuf,
    groups: Option<Arc<Groups>>,
    held_to_one_core: bool,
}

impl Host {
    /// This machine, with this program's own file as keeper. `held_to_one_core`: whether each match is bound to a core.
    pub fn new(held_to_one_core: bool) -> Host {
        Host::with_keeper(PathBuf::from("/proc/self/exe"), held_to_one_core)
    }

    /// The same with the arena's program somewhere else, for benchmarks.
    pub fn with_keeper(keeper: PathBuf, held_to_one_core: bool) -> Host {
        // Orphans of a keeper that was killed come to us, so that they can be ended.
        let _ = nix::sys::prctl::set_child_subreaper(true);
        // Where there can be none, bots are stopped and ended by their process trees.
        let groups = Groups::new().ok().map(Arc::new);
        Host { keeper, groups, held_to_one_core }
    }
}

/// Why a bot's process was not started.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// The bot's program cannot be executed.
    #[error("{program} cannot be started: {error}")]
    Bot {
        /// What was to be executed.
        program: String,
        /// The system's word for it.
        error: io::Error,
    },
    /// We failed.
    #[error("a bot's keeper cannot be started: {0}")]
    Keeper(#[from] io::Error),
}

/// A bot's process and its pipes.
pub struct Process {
    program: String,
    stdin: Option<File>,
    stdout: File,
    stderr: File,
    control: UnixStream,
    keeper: Child,
    group: Option<Group>,
    source: Source,
    scheduling: Option<Scheduling>,
    limits: Limits,
    unsent: Vec<u8>,
    /// Whether stdin is to be closed as soon as everything was sent.
    closing: bool,
    inbox: Inbox,
    log: Vec<u8>,
    stderr_open: bool,
    reports: Vec<u8>,
    pid: Option<i32>,
    started: bool,
    ended: Option<Ended>,
    clean: Option<Usage>,
    lost: Option<String>,
    frozen: bool,
    killed: bool,
}

impl Process {
    /// Starts a bot: `argv` in `folder`, with `env` added to the environment.
    pub fn spawn(
        host: &Host,
        argv: &[String],
        folder: &std::path::Path,
        env: &[(String, String)],
        limits: &Limits,
    ) -> Result<Process, SpawnError> {
        let group = host.groups.as_ref().and_then(|groups| groups.make().ok());
        let source = match &group {
            Some(group) if host.held_to_one_core => Source::of_group(group).unwrap_or(Source::Threads { held: true }),
            _ if fs::exists("/proc/self/schedstat").unwrap_or(false) => Source::Threads { held: host.held_to_one_core },
            _ => Source::None,
        };
        let task = Task {
            argv: argv.to_vec(),
            folder: folder.to_path_buf(),
            env: env.to_vec(),
            cpu_seconds: limits.cpu_seconds,
            file_bytes: limits.file_bytes,
            group: group.as_ref().map(|group| group.path().to_path_buf()),
        };
        let (mut control, theirs) = UnixStream::pair()?;
        // Known from its first moment on: somebody who looks for strays must not take it for one.
        let mut live = LIVE_CHILDREN.lock().expect("no holder panics");
        let mut keeper = start_keeper(&host.keeper, theirs)?;
        live.push(Pid::from_raw(keeper.id() as i32));
        drop(live);
        let (stdin, stdout, stderr) = (keeper.stdin.take(), keeper.stdout.take(), keeper.stderr.take());
        let piped = "its three streams are piped";
        let mut process = Process {
            program: argv[0].clone(),
            stdin: Some(non_blocking(stdin.expect(piped).into())?),
            stdout: non_blocking(stdout.expect(piped).into())?,
            stderr: non_blocking(stderr.expect(piped).into())?,
            control: control.try_clone()?,
            keeper,
            group,
            source,
            scheduling: tree::own_scheduling(),
            limits: limits.clone(),
            unsent: Vec::new(),
            closing: false,
            inbox: Inbox::default(),
            log: Vec::new(),
            stderr_open: true,
            reports: Vec::new(),
            pid: None,
            started: false,
            ended: None,
            clean: None,
            lost: None,
            frozen: false,
            killed: false,
        };
        let mut line = serde_json::to_vec(&task).map_err(io::Error::other)?;
        line.push(b'\n');
        control.write_all(&line)?;
        process.wait_until_started()?;
        Ok(process)
    }

    /// The keeper says whether the program could be executed; that takes about a millisecond.
    fn wait_until_started(&mut self) -> Result<(), SpawnError> {
        self.control.set_nonblocking(true)?;
        let asked = Instant::now();
        loop {
            let mut waiting = [PollFd::new(self.control.as_fd(), PollFlags::POLLIN)];
            match poll(&mut waiting, PollTimeout::from(20u8)) {
                Ok(_) | Err(Errno::EINTR) => {}
                Err(error) => return Err(io::Error::from(error).into()),
            }
            if let Some(error) = self.read_reports()? {
                return Err(SpawnError::Bot { program: self.program.clone(), error });
            }
            // A keeper that has ended or stands still when the bot was about to run was ended or stopped by the bot: what
            // comes of that is the bot's.
            let by_the_bot = self.pid.is_some()
                && (self.lost.is_some() || state_of(self.keeper.id() as i32) == Some(ProcessState::Stopped));
            if self.started || by_the_bot {
                return Ok(());
            }
            if let Some(lost) = &self.lost {
                return Err(io::Error::other(lost.clone()).into());
            }
            if asked.elapsed() > KEEPER_WAIT {
                return Err(io::Error::new(ErrorKind::TimedOut, "the keeper said nothing for ten seconds").into());
            }
        }
    }

    /// Reads what the keeper says. The system's error, if it says that the program could not be executed.
    fn read_reports(&mut self) -> io::Result<Option<io::Error>> {
        let mut chunk = [0; 1024];
        match self.control.read(&mut chunk) {
            Ok(0) if self.clean.is_none() && self.lost.is_none() => self.keeper_is_lost(),
            Ok(count) => self.reports.extend_from_slice(&chunk[..count]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(_) if self.clean.is_none() && self.lost.is_none() => self.keeper_is_lost(),
            Err(_) => {}
        }
        while let Some(end) = self.reports.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.reports.drain(..=end).collect();
            match serde_json::from_slice(&line)? {
                Report::Starting(pid) => self.pid = Some(pid),
                Report::Started(pid) => {
                    self.pid = Some(pid);
                    self.started = true;
                }
                Report::Failed(errno) => return Ok(Some(io::Error::from_raw_os_error(errno))),
                Report::Ended(ended) => self.ended = Some(ended),
                Report::Clean { killed, cpu_us, peak_kib } => {
                    self.clean = Some(Usage { cpu_us: Some(cpu_us), peak_kib: Some(peak_kib), left_behind: killed });
                }
            }
        }
        Ok(None)
    }

    /// Only the bot itself, or somebody with its rights, ends a keeper. What it watched over is ended from here.
    fn keeper_is_lost(&mut self) {
        self.end_what_it_held();
        let how = match self.keeper.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        self.lost = Some(format!("the process that watches over the bot was ended ({how})"));
    }

    fn end_what_it_held(&mut self) {
        if let Some(group) = &self.group {
            let _ = group.kill();
        }
        if let Some(pid) = self.pid {
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
            let _ = kill(Pid::from_raw(-pid), Signal::SIGKILL);
        }
        end_strays();
    }

    fn keeper_pid(&self) -> Pid {
        Pid::from_raw(self.keeper.id() as i32)
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
        [stdin, stdout, stderr, (!self.gone()).then(|| (self.control.as_fd(), PollFlags::POLLIN))]
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
            self.read_reports()?;
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
        self.ended
    }

    fn lost(&self) -> Option<&str> {
        self.lost.as_deref()
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
        if self.frozen == frozen || self.ended.is_some() || self.lost.is_some() {
            return;
        }
        self.frozen = frozen;
        if self.group.as_ref().is_some_and(|group| group.freeze(frozen).is_ok()) {
            return;
        }
        let signal = if frozen { Signal::SIGSTOP } else { Signal::SIGCONT };
        tree::signal_descendants(self.keeper_pid(), signal);
    }

    fn gauge(&self, now: Instant) -> Option<Gauge> {
        Some(Gauge::new(&self.source, Some(self.keeper_pid()), now))
    }

    fn read_gauge(&self, gauge: &mut Gauge, now: Instant) -> Reading {
        let reading = gauge.read(&self.source, Some(self.keeper_pid()), now);
        let waited = reading.stalled_us.is_some_and(|stalled| stalled > 0);
        let deserved = !waited
            || self.scheduling.is_some_and(|start| tree::scheduled_as_started(self.keeper_pid(), start))
                && self.group.as_ref().is_none_or(|group| tree::stays_in(self.keeper_pid(), group.name()));
        Reading { stalled_us: reading.stalled_us.filter(|_| deserved), ..reading }
    }

    fn gauge_source(&self) -> &'static str {
        self.source.as_str()
    }

    fn process_state(&self) -> Option<ProcessState> {
        let pid = self.pid?;
        // Reaped, but its keeper has not been heard on it yet.
        let own = state_of(pid).unwrap_or(ProcessState::Ended);
        // Who waits for a program of its own, as a wrapper does, is as busy as that one.
        let is_busy = |pid: Pid| state_of(pid.as_raw()) == Some(ProcessState::Running);
        let has_work = own == ProcessState::Waiting && tree::descendants(Pid::from_raw(pid)).into_iter().any(is_busy);
        Some(if has_work { ProcessState::Running } else { own })
    }

    fn close_input(&mut self) {
        self.freeze(false);
        self.closing = true;
        self.write_unsent();
    }

    fn kill(&mut self) {
        if self.killed || self.gone() {
            return;
        }
        self.killed = true;
        // A bot may have stopped its keeper; and a keeper that does not read this is killed below, by `drop`.
        let _ = kill(self.keeper_pid(), Signal::SIGCONT);
        let _ = self.control.write_all(&[keeper::KILL]);
    }

    fn gone(&self) -> bool {
        self.clean.is_some() || self.lost.is_some()
    }

    fn usage(&self) -> Usage {
        self.clean.unwrap_or_default()
    }

    fn limit_of_signal(&self, signal: i32) -> Option<String> {
        let cpu_spent = |seconds: u64| self.ended.is_some_and(|ended| ended.cpu_us >= seconds * 1_000_000);
        match (Signal::try_from(signal).ok()?, self.limits.cpu_seconds, self.limits.file_bytes) {
            (Signal::SIGXCPU, Some(seconds), _) => Some(format!("processor time: {seconds} s of one process")),
            (Signal::SIGKILL, Some(seconds), _) if cpu_spent(seconds) => {
                Some(format!("processor time: {seconds} s of one process"))
            }
            (Signal::SIGXFSZ, _, Some(bytes)) => Some(format!("file size: {bytes} bytes a file")),
            _ => None,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.gone() {
            // Nobody waited for the end, or it did not come: the keeper goes, and what it held comes to us.
            let _ = kill(self.keeper_pid(), Signal::SIGKILL);
            let _ = self.keeper.wait();
            self.end_what_it_held();
        } else {
            let _ = self.keeper.wait();
        }
        LIVE_CHILDREN.lock().expect("no holder panics").retain(|pid| *pid != Pid::from_raw(self.keeper.id() as i32));
    }
}

fn state_of(pid: i32) -> Option<ProcessState> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let state = stat[stat.rfind(')')? + 1..].trim_start().chars().next()?;
    Some(match state {
        'R' => ProcessState::Running,
        'T' | 't' => ProcessState::Stopped,
        'Z' | 'X' => ProcessState::Ended,
        _ => ProcessState::Waiting,
    })
}

/// Ends the processes that became this process's children when their keeper was killed, and what comes after them.
fn end_strays() {
    let keepers = LIVE_CHILDREN.lock().expect("no holder panics");
    for _ in 0..100 {
        let children = tree::children(Pid::this()).into_iter();
        let strays: Vec<Pid> = children.filter(|pid| !keepers.contains(pid) && is_of_another_session(*pid)).collect();
        if strays.is_empty() {
            return;
        }
        for stray in strays {
            let _ = kill(stray, Signal::SIGKILL);
            let _ = waitpid(stray, Some(WaitPidFlag::WNOHANG));
        }
    }
}

/// Whether a process belongs to another session than this one: what the arena itself starts beside bots does not.
fn is_of_another_session(pid: Pid) -> bool {
    let own = nix::unistd::getsid(None);
    nix::unistd::getsid(Some(pid)).is_ok_and(|session| Ok(session) != own)
}

fn start_keeper(program: &std::path::Path, socket: UnixStream) -> io::Result<Child> {
    let mut command = Command::new(program);
    command.arg0("arena-keeper").arg(keeper::SUBCOMMAND);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let socket = OwnedFd::from(socket);
    let source = socket.as_raw_fd();
    #[allow(unsafe_code)]
    // SAFETY: between fork and exec only system calls are made, on descriptors that stay open until then.
    unsafe {
        command.pre_exec(move || {
            nix::unistd::setsid()?;
            if source == keeper::SOCKET {
                let kept = std::os::fd::BorrowedFd::borrow_raw(source);
                fcntl(kept, FcntlArg::F_SETFD(nix::fcntl::FdFlag::empty()))?;
            } else {
                nix::unistd::dup2_raw(std::os::fd::BorrowedFd::borrow_raw(source), keeper::SOCKET)
                    .map(std::mem::forget)?;
            }
            Ok(())
        });
    }
    let child = command.spawn();
    drop(socket);
    child
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
