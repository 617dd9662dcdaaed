//! What a keeper keeps: the bot, started as it is or confined, and how its end is told.

use super::{SOCKET, Task};
use crate::isolation::{Word, launcher};
use crate::transport::tree;
use nix::errno::Errno;
use nix::sys::prctl;
use nix::sys::signal::SigSet;
use nix::sys::wait::WaitStatus;
use nix::unistd::{Gid, Pid, Uid, setgid, setgroups, setuid};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, PipeReader, Read, Write, pipe};
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

/// How long a launcher may take to say that the bot runs.
const LAUNCHER_WAIT: Duration = Duration::from_secs(10);

/// Descriptors from here on are free to be used between fork and exec.
const FREE: i32 = 100;

/// Why a bot was not started.
pub(super) enum Refused {
    /// Its program cannot be executed: the system's error number.
    Bot(i32),
    /// We failed.
    Us(String),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        Refused::Us(error.to_string())
    }
}

/// A bot that runs.
pub(super) struct Ward {
    /// The keeper's child: the bot, or what it is confined by.
    pub child: Pid,
    /// The bot itself, as the keeper sees it; the child, where it cannot be told.
    pub pid: Pid,
    /// Whether the bot's end has not been told yet.
    pub runs: bool,
    /// Processes that were reaped, or are to be killed, besides the bot.
    pub strays: u32,
    /// Whether it has a pid namespace of its own.
    namespace: bool,
    words: Option<BufReader<UnixStream>>,
}

impl Ward {
    pub(super) fn start(task: &Task) -> Result<Ward, Refused> {
        close_the_rest_on_exec();
        // What the arena's thread set for its own precision is not the bot's: in every match it finds the kernel's default.
        let _ = prctl::set_timerslack(50_000);
        match &task.confinement {
            None => Ward::start_plain(task),
            Some(_) => Ward::start_confined(task),
        }
    }

    fn start_plain(task: &Task) -> Result<Ward, Refused> {
        let mut command = Command::new(&task.argv[0]);
        command.args(&task.argv[1..]).current_dir(&task.folder).envs(task.env.iter().map(|(key, value)| (key, value)));
        let groups = groups(task)?;
        let resources = task.resources.clone();
        #[allow(unsafe_code)]
        // SAFETY: between fork and exec only system calls are made, on values that were there before; this process has
        // one thread.
        unsafe {
            command.pre_exec(move || {
                join(&groups)?;
                nix::unistd::setsid()?;
                resources.set().map_err(io::Error::other)?;
                // The keeper has blocked a signal for itself.
                SigSet::empty().thread_set_mask()?;
                tell_starting();
                Ok(())
            });
        }
        let child =
            command.spawn().map_err(|error| Refused::Bot(error.raw_os_error().unwrap_or(Errno::ENOEXEC as i32)))?;
        let pid = Pid::from_raw(child.id() as i32);
        Ok(Ward { child: pid, pid, runs: true, strays: 0, namespace: false, words: None })
    }

    fn start_confined(task: &Task) -> Result<Ward, Refused> {
        let confinement = task.confinement.as_ref().expect("the caller has looked");
        let (mut ours, theirs) = UnixStream::pair()?;
        let (complaints, complain) = pipe()?;
        let nothing = OpenOptions::new().read(true).write(true).open("/dev/null")?;
        let mut command = Command::new(&confinement.command[0]);
        command.args(&confinement.command[1..]).env_clear().current_dir("/");
        let groups = groups(task)?;
        let user = confinement.user;
        let sources = [theirs.as_raw_fd(), 0, 1, 2];
        let own = [nothing.as_raw_fd(), nothing.as_raw_fd(), complain.as_raw_fd()];
        #[allow(unsafe_code)]
        // SAFETY: as above.
        unsafe {
            command.pre_exec(move || {
                join(&groups)?;
                nix::unistd::setsid()?;
                SigSet::empty().thread_set_mask()?;
                // First out of the way of the numbers that are to be theirs, then to these.
                for (place, source) in (FREE..).zip(sources.into_iter().chain(own)) {
                    place_at(source, place)?;
                }
                for (place, number) in (FREE..).zip((launcher::SOCKET..launcher::STREAMS + 3).chain(0..3)) {
                    place_at(place, number)?;
                    let _ = nix::unistd::close(place);
                }
                if let Some(user) = user {
                    setgroups(&[])?;
                    setgid(Gid::from_raw(user))?;
                    setuid(Uid::from_raw(user))?;
                }
                Ok(())
            });
        }
        let child = command
            .spawn()
            .map_err(|error| Refused::Us(format!("{} cannot be executed: {error}", confinement.command[0])))?;
        drop((theirs, complain));
        let child = Pid::from_raw(child.id() as i32);
        let namespace = confinement.order.first;
        let mut line = serde_json::to_vec(&confinement.order).map_err(io::Error::other)?;
        line.push(b'\n');
        // Whoever does not read it has said why.
        let _ = ours.write_all(&line);
        ours.set_read_timeout(Some(LAUNCHER_WAIT))?;
        let mut words = BufReader::new(ours);
        let pid = match await_start(&mut words, namespace) {
            Ok(Some(inner)) => in_namespace_as(inner).unwrap_or(child),
            Ok(None) => child,
            Err(Refused::Us(why)) => return Err(Refused::Us(format!("{why}{}", complained(complaints)))),
            Err(refused) => return Err(refused),
        };
        words.get_ref().set_nonblocking(true)?;
        Ok(Ward { child, pid, runs: true, strays: 0, namespace, words: namespace.then_some(words) })
    }

    /// Where the launcher speaks, as long as it does.
    pub(super) fn launcher(&self) -> Option<&UnixStream> {
        self.words.as_ref().map(BufReader::get_ref)
    }

    /// How the bot ended, if the launcher has said so since it was last asked: code, signal.
    pub(super) fn last_word(&mut self) -> Option<(Option<i32>, Option<i32>)> {
        let words = self.words.as_mut()?;
        match read_word(words) {
            Ok(Some(Word::Exited(code))) => Some((Some(code), None)),
            Ok(Some(Word::Signaled(signal))) => Some((None, Some(signal))),
            Ok(Some(_)) => None,
            Err(error) if error.kind() == ErrorKind::WouldBlock => None,
            // It has nothing more to say.
            Ok(None) | Err(_) => {
                self.words = None;
                None
            }
        }
    }

    /// How the bot ended, from how the keeper's child did: code, signal.
    pub(super) fn end_of_child(&self, status: WaitStatus) -> (Option<i32>, Option<i32>) {
        match status {
            // A namespace that ends without a word was killed.
            _ if self.namespace => (None, Some(nix::sys::signal::Signal::SIGKILL as i32)),
            WaitStatus::Exited(_, code) => (Some(code), None),
            WaitStatus::Signaled(_, signal, _) => (None, Some(signal as i32)),
            _ => (None, None),
        }
    }

    /// A child of the keeper's was reaped that is neither the bot nor what confines it. What comes out of a namespace that
    /// ends was counted while it ran, or is the launcher.
    pub(super) fn reaped_another(&mut self) {
        self.strays += u32::from(!self.namespace);
    }

    /// From here on strays are those that have to be killed. In a namespace they die with it, so they are counted now.
    pub(super) fn count_strays(&mut self) {
        self.strays = if self.namespace { self.in_namespace() } else { 0 };
    }

    /// How many processes there are in the bot's namespace, without the bot and the launcher.
    fn in_namespace(&self) -> u32 {
        let inside = tree::descendants(Pid::this()).into_iter().filter(|pid| *pid != self.pid);
        inside.filter(|pid| namespace_pid(*pid).is_some_and(|inner| inner != 1)).count() as u32
    }
}

/// Waits until the bot runs: under which number in its namespace, if it has one.
fn await_start(words: &mut BufReader<UnixStream>, namespace: bool) -> Result<Option<i32>, Refused> {
    let mut ready = false;
    loop {
        match read_word(words) {
            Ok(Some(Word::Ready)) => ready = true,
            Ok(Some(Word::Started(inner))) => return Ok(Some(inner)),
            Ok(Some(Word::Failed(errno))) => return Err(Refused::Bot(errno)),
            Ok(Some(Word::Unfit(why))) => return Err(Refused::Us(why)),
            // It has become the bot, and its end of the socket was closed by that.
            Ok(None) if ready && !namespace => return Ok(None),
            // It has ended already, and was reaped.
            Ok(Some(Word::Exited(_) | Word::Signaled(_))) => return Ok(None),
            Ok(None) => return Err(Refused::Us("the bot cannot be confined".to_string())),
            Err(error) => return Err(Refused::Us(format!("the launcher said nothing: {error}"))),
        }
    }
}

fn read_word(words: &mut BufReader<UnixStream>) -> io::Result<Option<Word>> {
    let mut line = String::new();
    match words.read_line(&mut line)? {
        0 => Ok(None),
        _ => Ok(Some(serde_json::from_str(&line)?)),
    }
}

/// What was written on stderr before the bot was there: the reason why it is not.
fn complained(mut complaints: PipeReader) -> String {
    let mut text = vec![0; 4096];
    let read = complaints.read(&mut text).unwrap_or(0);
    let text = String::from_utf8_lossy(&text[..read]);
    if text.trim().is_empty() { String::new() } else { format!(": {}", text.trim()) }
}

/// The process that has this number in the namespace that is below this process.
fn in_namespace_as(inner: i32) -> Option<Pid> {
    tree::descendants(Pid::this()).into_iter().find(|pid| namespace_pid(*pid) == Some(inner))
}

/// The number of a process that has not ended in the innermost namespace, if that is not this one.
fn namespace_pid(pid: Pid) -> Option<i32> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    if status.contains("\nState:\tZ") {
        return None;
    }
    let numbers = status.lines().find_map(|line| line.strip_prefix("NSpid:"))?;
    numbers.split_whitespace().skip(1).last()?.parse().ok()
}

/// The files by which a process enters its control groups.
fn groups(task: &Task) -> io::Result<Vec<File>> {
    let folders = task.group.as_deref().into_iter().chain(task.watch.group());
    folders.map(|group| OpenOptions::new().write(true).open(group.join("cgroup.procs"))).collect()
}

/// Called between fork and exec.
fn join(groups: &[File]) -> io::Result<()> {
    groups.iter().try_for_each(|mut group| group.write_all(b"0"))
}

/// Called between fork and exec: makes a descriptor another number's, which stays open.
fn place_at(source: i32, number: i32) -> io::Result<()> {
    #[allow(unsafe_code)]
    // SAFETY: it is open, and the new number is nobody's: it is not to be closed by this process.
    unsafe {
        nix::unistd::dup2_raw(BorrowedFd::borrow_raw(source), number).map(std::mem::forget)?;
    }
    Ok(())
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
    let socket = unsafe { BorrowedFd::borrow_raw(SOCKET) };
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
    let descriptor = unsafe { BorrowedFd::borrow_raw(descriptor) };
    nix::fcntl::fcntl(descriptor, nix::fcntl::FcntlArg::F_SETFD(nix::fcntl::FdFlag::FD_CLOEXEC))?;
    Ok(())
}
