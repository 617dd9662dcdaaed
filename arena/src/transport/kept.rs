//! What a keeper keeps, seen from the arena: a program that was started, and word of how it fares. Its streams are elsewhere.

use super::group::Group;
use super::host::Host;
use super::keeper::{self, Ended, Report, Task};
use super::limits::Limits;
use super::{ProcessState, Usage, tree};
use crate::isolation::{UserClaim, View};
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How long a keeper may take to start a bot.
const KEEPER_WAIT: Duration = Duration::from_secs(10);

/// The children of this process that are keepers, so that whatever else becomes its child (the orphans of a keeper that
/// was killed) can be told apart and ended.
static LIVE_CHILDREN: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

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

/// A bot's program, and how it is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The program and its arguments; the program as it is to be executed.
    pub argv: Vec<String>,
    /// Where it is started.
    pub folder: PathBuf,
    /// Added to the environment.
    pub env: Vec<(String, String)>,
    /// What it sees of the file system when it is confined; `None` for a program that is trusted and never confined.
    pub view: Option<View>,
    /// The user that it runs as when it is confined, where that is decided already.
    pub user: Option<u32>,
}

impl Program {
    /// A program that is trusted, with nothing added to its environment.
    pub fn trusted(argv: Vec<String>, folder: PathBuf) -> Program {
        Program { argv, folder, env: Vec::new(), view: None, user: None }
    }
}

/// A program that a keeper has started.
pub(super) struct Kept {
    program: String,
    /// What the keeper says comes here, and goes there.
    pub control: UnixStream,
    keeper: Child,
    /// The group that all of it is in.
    pub group: Option<Group>,
    /// Goes when the program has gone.
    _memory_group: Option<Group>,
    /// The program's alone for as long as anything of it may run.
    _user: Option<UserClaim>,
    /// What it is held to.
    pub limits: Limits,
    /// Whether it is confined.
    pub confined: bool,
    reports: Vec<u8>,
    /// Its process, once it runs.
    pub pid: Option<i32>,
    started: bool,
    /// How it ended.
    pub ended: Option<Ended>,
    clean: Option<Usage>,
    /// Why its keeper is gone without a word.
    pub lost: Option<String>,
    killed: bool,
}

/// The streams of a program that was started, as far as they are piped.
pub(super) type Streams = (Option<OwnedFd>, Option<OwnedFd>, Option<OwnedFd>);

impl Kept {
    /// Starts a program, confined where this machine is to confine it.
    pub(super) fn start(
        host: &Host,
        program: &Program,
        limits: &Limits,
        streams: [Stdio; 3],
        network: bool,
    ) -> Result<(Kept, Streams), SpawnError> {
        let confined = host.sandbox.as_ref().zip(program.view.as_ref());
        let limits = if confined.is_some() { limits.for_confined() } else { limits.clone() };
        let group = host.groups.as_ref().and_then(|groups| groups.make().ok());
        let user = match (program.user, confined) {
            (None, Some((sandbox, _))) => sandbox.claim_user().map_err(io::Error::other)?,
            _ => None,
        };
        let number = program.user.or(user.as_ref().map(UserClaim::user));
        let confinement = confined.map(|(sandbox, view)| {
            let allowance = limits.allowance(network);
            sandbox.confine(&program.argv, &program.folder, &program.env, view, &allowance, number)
        });
        let (watch, memory_group) = host.watch(&limits, group.as_ref(), confinement.as_ref())?;
        let task = Task {
            argv: program.argv.clone(),
            folder: program.folder.clone(),
            env: program.env.clone(),
            resources: limits.own(),
            group: group.as_ref().map(|group| group.path().to_path_buf()),
            confinement,
            watch,
        };
        let (mut control, theirs) = UnixStream::pair()?;
        // Known from its first moment on: somebody who looks for strays must not take it for one.
        let mut live = LIVE_CHILDREN.lock().expect("no holder panics");
        let mut keeper = start_keeper(&host.keeper, theirs, streams)?;
        live.push(Pid::from_raw(keeper.id() as i32));
        drop(live);
        let streams = (
            keeper.stdin.take().map(OwnedFd::from),
            keeper.stdout.take().map(OwnedFd::from),
            keeper.stderr.take().map(OwnedFd::from),
        );
        let mut kept = Kept {
            program: program.argv[0].clone(),
            control: control.try_clone()?,
            keeper,
            group,
            _memory_group: memory_group,
            _user: user,
            limits,
            confined: confined.is_some(),
            reports: Vec::new(),
            pid: None,
            started: false,
            ended: None,
            clean: None,
            lost: None,
            killed: false,
        };
        let mut line = serde_json::to_vec(&task).map_err(io::Error::other)?;
        line.push(b'\n');
        control.write_all(&line)?;
        kept.wait_until_started()?;
        Ok((kept, streams))
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
    pub(super) fn read_reports(&mut self) -> io::Result<Option<io::Error>> {
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
                Report::Unfit(why) => return Err(io::Error::other(why)),
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

    /// The process below which everything of the program is.
    pub(super) fn keeper_pid(&self) -> Pid {
        Pid::from_raw(self.keeper.id() as i32)
    }

    /// Has everything killed that is left of the program.
    pub(super) fn kill(&mut self) {
        if self.killed || self.gone() {
            return;
        }
        self.killed = true;
        // A bot may have stopped its keeper; and a keeper that does not read this is killed below, by `drop`.
        let _ = kill(self.keeper_pid(), Signal::SIGCONT);
        let _ = self.control.write_all(&[keeper::KILL]);
    }

    /// Whether nothing of it is left to wait for.
    pub(super) fn gone(&self) -> bool {
        self.clean.is_some() || self.lost.is_some()
    }

    /// What it used in all, once it is gone.
    pub(super) fn usage(&self) -> Usage {
        self.clean.unwrap_or_default()
    }

    /// What its process is doing.
    pub(super) fn process_state(&self) -> Option<ProcessState> {
        let pid = self.pid?;
        // Reaped, but its keeper has not been heard on it yet.
        let own = state_of(pid).unwrap_or(ProcessState::Ended);
        // A virtual machine's first thread waits for its others; a wrapper, for a program of its own.
        let has_work = own == ProcessState::Waiting && tree::is_busy(Pid::from_raw(pid));
        Some(if has_work { ProcessState::Running } else { own })
    }
}

impl Drop for Kept {
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

fn start_keeper(program: &Path, socket: UnixStream, [stdin, stdout, stderr]: [Stdio; 3]) -> io::Result<Child> {
    let mut command = Command::new(program);
    command.arg0("arena-keeper").arg(keeper::SUBCOMMAND);
    command.stdin(stdin).stdout(stdout).stderr(stderr);
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
