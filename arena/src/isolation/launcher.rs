//! The launcher: the last program before a confined bot's. It closes what is open, gives up rights for good, limits itself,
//! and starts the bot, which inherits all of it. It knows nothing of games, and nothing of who asks it to.
//!
//! It is this program executed once more (`arena __launcher`), inside the namespaces where there are some, and then
//! as their first process: it reaps what the bot orphans, and tells how the bot ended, in words that no wrapper has
//! translated. Where there are no namespaces it becomes the bot.

use super::{paths, syscalls};
use crate::isolation::resources;
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
use nix::sys::prctl;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};
use std::fs::{self, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

/// The subcommand under which the arena's program is a launcher.
pub const SUBCOMMAND: &str = "__launcher";

/// The descriptor on which a launcher finds its socket; the bot's stdin, stdout and stderr are the next three, so that
/// whatever stands between keeper and launcher does not hold the bot's pipes.
pub const SOCKET: i32 = 4;

/// The first of the bot's three streams.
pub const STREAMS: i32 = SOCKET + 1;

/// What a launcher is told first, on one line.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Order {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Where it is started.
    pub folder: PathBuf,
    /// The bot's whole environment.
    pub env: Vec<(String, String)>,
    /// Limits that the kernel enforces on each of its processes.
    pub limits: resources::Resources,
    /// What it may read and execute, besides the system's programs.
    pub read: Vec<PathBuf>,
    /// Where it may write.
    pub write: Vec<PathBuf>,
    /// Whether the launcher is the first process of a pid namespace.
    pub first: bool,
    /// Whether the kernel's Landlock is to be used.
    pub landlock: bool,
    /// Whether it may use the machine's network.
    pub network: bool,
}

/// What a launcher says, a line each.
#[derive(Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// All rights are given up, and the bot is about to be executed.
    Ready,
    /// The bot runs under this process id, as its namespace counts.
    Started(i32),
    /// It could not be executed: the system's error number.
    Failed(i32),
    /// A right could not be given up, so nothing was executed.
    Unfit(String),
    /// The bot exited with this code.
    Exited(i32),
    /// The bot was ended by this signal.
    Signaled(i32),
}

/// Runs as a launcher. Called before anything else of the program, while it has one thread.
pub fn run() -> ExitCode {
    let mut socket = inherited(SOCKET);
    let mut line = String::new();
    if BufReader::new(&socket).read_line(&mut line).is_err() {
        return ExitCode::FAILURE;
    }
    // Whoever does not listen any more has gone, and takes this process along.
    let order: Order = match serde_json::from_str(&line) {
        Ok(order) => order,
        Err(_) => return ExitCode::FAILURE,
    };
    match launch(&order, &socket) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let _ = tell(&mut socket, &Word::Unfit(why));
            ExitCode::FAILURE
        }
    }
}

fn inherited(descriptor: i32) -> UnixStream {
    #[allow(unsafe_code)]
    // SAFETY: the keeper executes a launcher with this descriptor open, and nothing else in this process has claimed it.
    let socket = unsafe { UnixStream::from_raw_fd(descriptor) };
    socket
}

fn launch(order: &Order, socket: &UnixStream) -> Result<(), String> {
    close_all_on_exec().map_err(|error| format!("open files cannot be closed: {error}"))?;
    let streams = [0, 1, 2].map(|stream| {
        #[allow(unsafe_code)]
        // SAFETY: the keeper leaves the bot's streams there, and nothing else in this process has claimed them.
        let stream = unsafe { OwnedFd::from_raw_fd(STREAMS + stream) };
        Stdio::from(stream)
    });
    // Of all processes of the bot's the bot itself is to be ended first when memory runs out, not this one.
    let mut first_to_go = order.first.then(|| OpenOptions::new().write(true).open("/proc/self/oom_score_adj").ok());
    if let Some(Some(score)) = &mut first_to_go {
        let _ = score.write_all(b"1000");
    }
    let [stdin, stdout, stderr] = streams;
    let mut command = Command::new(&order.argv[0]);
    command.args(&order.argv[1..]).current_dir(&order.folder).stdin(stdin).stdout(stdout).stderr(stderr);
    command.env_clear().envs(order.env.iter().map(|(key, value)| (key, value)));
    give_up_rights(order)?;
    let mut teller = socket;
    // Without a reader there is nobody to play with: then the bot's own end shows it.
    let _ = tell(&mut teller, &Word::Ready);
    if !order.first {
        let error = command.exec();
        let _ = tell(&mut teller, &Word::Failed(error.raw_os_error().unwrap_or(Errno::ENOEXEC as i32)));
        return Ok(());
    }
    let started = command.spawn();
    drop(command);
    if let Some(Some(score)) = &mut first_to_go {
        let _ = score.write_all(b"0");
    }
    match started {
        Ok(bot) => {
            let bot = Pid::from_raw(bot.id() as i32);
            let _ = tell(&mut teller, &Word::Started(bot.as_raw()));
            reap(bot, socket);
        }
        Err(error) => {
            let _ = tell(&mut teller, &Word::Failed(error.raw_os_error().unwrap_or(Errno::ENOEXEC as i32)));
        }
    }
    Ok(())
}

/// Everything that the bot is not to have, given up by this process, and so by all that it starts.
fn give_up_rights(order: &Order) -> Result<(), String> {
    // What is read of this process in /proc would be the launcher's, not the bot's.
    prctl::set_dumpable(!order.first).map_err(|error| format!("its memory cannot be closed to others: {error}"))?;
    prctl::set_no_new_privs().map_err(|error| format!("new rights cannot be ruled out: {error}"))?;
    if order.landlock {
        paths::confine(&order.read, &order.write, order.network)?;
    }
    order.limits.set()?;
    syscalls::confine(syscalls::Around {
        network: order.network,
        namespaces: order.first,
        writes: !order.write.is_empty(),
    })
}

/// Waits for the bot and for all that it orphans. The end of this process is the end of all others in its namespace.
fn reap(bot: Pid, mut socket: &UnixStream) {
    loop {
        match waitpid(None, None) {
            Ok(WaitStatus::Exited(pid, code)) if pid == bot => {
                let _ = tell(&mut socket, &Word::Exited(code));
            }
            Ok(WaitStatus::Signaled(pid, signal, _)) if pid == bot => {
                let _ = tell(&mut socket, &Word::Signaled(signal as i32));
            }
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => return,
        }
    }
}

/// Whatever is open in this process must not be in the bot's.
fn close_all_on_exec() -> io::Result<()> {
    let open = fs::read_dir("/proc/self/fd")?.flatten();
    let numbers = open.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    for number in numbers.filter(|number| *number > 2) {
        #[allow(unsafe_code)]
        // SAFETY: it is borrowed for this one call, which fails without harm on a descriptor that is not open.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        let _ = fcntl(descriptor, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC));
    }
    // The first process of a namespace lives on, and must not hold the bot's streams.
    let nothing = OpenOptions::new().read(true).write(true).open("/dev/null");
    let nothing = nothing
        .map_err(|error| io::Error::new(error.kind(), format!("/dev/null cannot be used by everybody: {error}")))?;
    debug_assert!(
        fcntl(&nothing, FcntlArg::F_GETFL).is_ok_and(|flags| OFlag::from_bits_truncate(flags).contains(OFlag::O_RDWR))
    );
    for stream in 0..3 {
        #[allow(unsafe_code)]
        // SAFETY: the launcher's own three streams are nobody's, and stay open.
        unsafe {
            nix::unistd::dup2_raw(BorrowedFd::borrow_raw(nothing.as_raw_fd()), stream).map(std::mem::forget)?;
        }
    }
    Ok(())
}

fn tell(socket: &mut impl Write, word: &Word) -> io::Result<()> {
    let mut line = serde_json::to_vec(word)?;
    line.push(b'\n');
    socket.write_all(&line)
}
