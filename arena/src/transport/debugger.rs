//! A bot under a debugger that has the terminal. The debugger is this process's own child, in its session and process
//! group, because only there it gets the terminal's keys; so no keeper stands between. The bot below it has named pipes,
//! in a private folder, for stdin and stdout; its stderr is the terminal.
//!
//! The debugger starts the bot when its user says so, and may stay when the bot has ended.

use super::{Channel, DESCRIPTORS, Ended, Inbox, Interests, Readiness, tree};
use crate::files::temporary_folder;
use nix::fcntl::OFlag;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::sys::stat::Mode;
use nix::unistd::{Pid, mkfifo};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::mpsc::{Receiver, channel};
use tempfile::TempDir;

/// The named pipes of one bot; they go with it.
pub struct Pipes {
    folder: TempDir,
}

impl Pipes {
    /// Makes them, in a folder that only this user may enter.
    pub fn new() -> io::Result<Pipes> {
        let pipes = Pipes { folder: temporary_folder("arena-debug-").map_err(io::Error::other)? };
        for pipe in [pipes.stdin(), pipes.stdout()] {
            mkfifo(&pipe, Mode::S_IRUSR | Mode::S_IWUSR)?;
        }
        Ok(pipes)
    }

    /// What the bot is to have for stdin.
    pub fn stdin(&self) -> PathBuf {
        self.folder.path().join("stdin")
    }

    /// What the bot is to have for stdout.
    pub fn stdout(&self) -> PathBuf {
        self.folder.path().join("stdout")
    }

    /// Puts a file beside them.
    pub fn add(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let path = self.folder.path().join(name);
        fs::write(&path, text)?;
        Ok(path)
    }
}

/// A debugger, and the bot below it.
pub struct Debugger {
    process: Pid,
    /// Tells how the debugger ended; `bell` rings then.
    end: Receiver<ExitStatus>,
    bell: UnixStream,
    ended: Option<Ended>,
    /// The bot's end of the line; closed when it is to read no more.
    stdin: Option<File>,
    stdout: File,
    unsent: Vec<u8>,
    closing: bool,
    inbox: Inbox,
    pipes: Pipes,
}

impl Debugger {
    /// Starts a debugger in `folder`, with `env` added to the environment; `argv` has told it of the pipes.
    pub fn spawn(pipes: Pipes, argv: &[String], folder: &Path, env: &[(String, String)]) -> io::Result<Debugger> {
        let non_blocking = |path: &Path, options: &mut OpenOptions| {
            options.read(true).custom_flags(OFlag::O_NONBLOCK.bits()).open(path)
        };
        // Open for both, so that neither waits for the bot to open its end.
        let stdin = non_blocking(&pipes.stdin(), OpenOptions::new().write(true))?;
        let stdout = non_blocking(&pipes.stdout(), &mut OpenOptions::new())?;
        let mut command = Command::new(&argv[0]);
        command.args(&argv[1..]).current_dir(folder).envs(env.iter().map(|(key, value)| (key, value)));
        #[allow(unsafe_code)]
        // SAFETY: one system call between fork and exec.
        unsafe {
            // What it debugs dies with it. The thread that starts it lives as long as the arena.
            command.pre_exec(|| Ok(nix::sys::prctl::set_pdeathsig(Signal::SIGKILL)?));
        }
        let mut child = command.spawn()?;
        let process = Pid::from_raw(child.id() as i32);
        let (tell, end) = channel();
        let (bell, mut ring) = UnixStream::pair()?;
        std::thread::spawn(move || {
            // It fails only where there is no such child, and there is no reader when the arena has lost interest.
            if let Ok(status) = child.wait() {
                let _ = tell.send(status);
            }
            let _ = ring.write(&[1]);
        });
        Ok(Debugger {
            process,
            end,
            bell,
            ended: None,
            stdin: Some(stdin),
            stdout,
            unsent: Vec::new(),
            closing: false,
            inbox: Inbox::default(),
            pipes,
        })
    }

    fn write_unsent(&mut self) {
        let Some(stdin) = &mut self.stdin else { return self.unsent.clear() };
        while !self.unsent.is_empty() {
            match stdin.write(&self.unsent) {
                Ok(count) if count > 0 => drop(self.unsent.drain(..count)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                _ => break,
            }
        }
        self.unsent.clear();
        if self.closing {
            self.stdin = None;
        }
    }

    /// Whether there is something to read. A pipe that the bot has not opened yet would else be taken for a closed one.
    fn has_output(&self) -> bool {
        let mut waiting = [PollFd::new(self.stdout.as_fd(), PollFlags::POLLIN)];
        matches!(poll(&mut waiting, PollTimeout::ZERO), Ok(1..))
    }
}

impl Channel for Debugger {
    fn interests(&self) -> Interests<'_> {
        let stdin = self.stdin.as_ref().filter(|_| !self.unsent.is_empty());
        let mut interests: Interests<'_> = [None; DESCRIPTORS];
        interests[0] = stdin.map(|stdin| (stdin.as_fd(), PollFlags::POLLOUT));
        interests[1] = (!self.inbox.closed()).then(|| (self.stdout.as_fd(), PollFlags::POLLIN));
        interests[2] = (!self.gone()).then(|| (self.bell.as_fd(), PollFlags::POLLIN));
        interests
    }

    fn pump(&mut self, _ready: &Readiness) -> io::Result<()> {
        self.write_unsent();
        if let Ok(status) = self.end.try_recv() {
            self.ended = Some(Ended { code: status.code(), signal: status.signal(), cpu_us: 0, over: None });
        }
        if self.has_output() {
            self.inbox.fill(&self.stdout)?;
        }
        Ok(())
    }

    fn send(&mut self, line: &[u8]) -> io::Result<()> {
        self.unsent.extend_from_slice(line);
        self.write_unsent();
        Ok(())
    }

    fn inbox(&mut self) -> &mut Inbox {
        &mut self.inbox
    }

    fn ended(&self) -> Option<Ended> {
        self.ended
    }

    fn hung_up(&self) -> &'static str {
        "has ended, or has closed its stdout; its debugger tells how"
    }

    fn close_input(&mut self) {
        self.closing = true;
        self.write_unsent();
    }

    fn kill(&mut self) {
        if !self.gone() {
            tree::signal_descendants(self.process, Signal::SIGKILL);
            let _ = kill(self.process, Signal::SIGKILL);
        }
    }

    fn gone(&self) -> bool {
        self.ended.is_some()
    }

    /// The process that has the pipe for stdin.
    fn pid(&self) -> Option<i32> {
        let stdin = self.pipes.stdin();
        let candidates = std::iter::once(self.process).chain(tree::descendants(self.process));
        let bot =
            candidates.into_iter().find(|pid| fs::read_link(format!("/proc/{pid}/fd/0")).is_ok_and(|to| to == stdin));
        bot.map(Pid::as_raw)
    }

    fn break_in(&self) {
        if let Some(bot) = self.pid() {
            // As Ctrl-C does: it may have ended since.
            let _ = kill(Pid::from_raw(bot), Signal::SIGINT);
        }
    }
}

impl Drop for Debugger {
    fn drop(&mut self) {
        self.kill();
    }
}
