//! A program that attacks: what a confined bot could try, in small, tried here and told. Whether a layer holds is seen by what it
//! gives back, not by what a machine says of itself.

use nix::errno::Errno;
use nix::libc::{self, c_long};
use nix::unistd::Uid;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

/// The subcommand under which the arena's program attacks.
pub const SUBCOMMAND: &str = "__probe";

/// What follows the subcommand in a probe that takes memory.
pub const MEMORY: &str = "memory";
/// The same in one that starts threads.
pub const THREADS: &str = "threads";
/// And in one that outlives its parent.
const ORPHAN: &str = "orphan";

/// How long a probe holds on to what it has taken.
const HOLD: Duration = Duration::from_secs(5);

/// What is attacked: things of whoever asks, which any program of the same user could reach.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Targets {
    /// A process.
    pub process: i32,
    /// A file that all may read.
    pub file: PathBuf,
    /// A port of the loopback interface on which somebody listens.
    pub port: u16,
    /// A socket without a path on which somebody listens.
    pub nameless_socket: String,
    /// A socket with a path on which somebody listens.
    pub socket: PathBuf,
    /// Programs to look for.
    pub programs: Vec<String>,
    /// What its temporary folder may hold, in bytes; `None` when it has none.
    pub temp_bytes: Option<u64>,
}

/// What one attack gave back.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Finding {
    /// What was tried.
    pub attack: String,
    /// Whether it came to nothing.
    pub refused: bool,
    /// What the system said.
    pub said: String,
}

/// All that a probe has to tell.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Findings {
    /// An entry an attack.
    pub attacks: Vec<Finding>,
    /// The programs that it has found, of those that it was to look for.
    pub programs: Vec<PathBuf>,
}

/// Attacks all targets.
pub fn attack(targets: &Targets) -> Findings {
    let pid = targets.process;
    let of_process = |part: &str| PathBuf::from(format!("/proc/{pid}/{part}"));
    let created = |place: &str| File::create(Path::new(place).join("arena-probe")).map(drop);
    let nice = |nice: c_long| call(libc::SYS_setpriority, [0, 0, nice, 0]);
    let attempts: Vec<(&str, io::Result<()>)> = vec![
        ("reads a file of others", File::open(&targets.file).map(drop)),
        ("writes into a file of others", OpenOptions::new().append(true).open(&targets.file).map(drop)),
        ("writes into the system", ["/usr", "/usr/local", "/etc", "/var/tmp", "/dev"].iter().try_for_each_any(created)),
        ("signals a process of others", call(libc::SYS_kill, [pid.into(), 0, 0, 0])),
        ("reads the environment of others", fs::read(of_process("environ")).map(drop)),
        ("reads the memory of others", File::open(of_process("mem")).map(drop)),
        ("limits a process of others", call(libc::SYS_prlimit64, [pid.into(), libc::RLIMIT_NOFILE.into(), 0, 0])),
        ("traces another process", call(libc::SYS_ptrace, [0x4206, pid.into(), 0, 0])),
        ("connects over TCP", TcpStream::connect((Ipv4Addr::LOCALHOST, targets.port)).map(drop)),
        ("opens a socket to the machine's host (vsock)", call(libc::SYS_socket, [40, 1, 0, 0])),
        (
            "connects to a socket without a path",
            SocketAddr::from_abstract_name(&targets.nameless_socket)
                .and_then(|name| UnixStream::connect_addr(&name))
                .map(drop),
        ),
        ("connects to a socket with a path", UnixStream::connect(&targets.socket).map(drop)),
        ("makes namespaces", call(libc::SYS_unshare, [libc::CLONE_NEWUSER.into(), 0, 0, 0])),
        ("calls io_uring", call(libc::SYS_io_uring_setup, [1, 0, 0, 0])),
        ("keeps something in a keyring", call(libc::SYS_keyctl, [0, -3, 1, 0])),
        ("makes memory without an owner", call(libc::SYS_shmget, [0, 4096, 0o1600, 0])),
        ("lowers its priority", nice(5)),
        ("raises its priority", nice(-5)),
        ("leaves its core", call(libc::SYS_sched_setaffinity, [0, 0, 0, 0])),
        ("has rights of its own", rights()),
        ("has open files of the arena's", open_files()),
        ("finds the arena's environment", environment()),
        ("fills its temporary folder", targets.temp_bytes.map_or(Err(Errno::EROFS.into()), fill)),
    ];
    let told = |(attack, result): (&str, io::Result<()>)| Finding {
        attack: attack.to_string(),
        // A call that is not there, or took exception to its arguments, was not kept from it by a layer: it was let through.
        refused: !matches!(result.as_ref().err().and_then(io::Error::raw_os_error), Some(libc::EINVAL | libc::EFAULT))
            && result.is_err(),
        said: result.err().map_or_else(|| "it worked".to_string(), |error| error.to_string()),
    };
    let attacks = attempts.into_iter().map(told).collect();
    let found = |name: &String| {
        let mut places = super::PATH.split(':').map(|folder| Path::new(folder).join(name));
        places.find(|place| place.metadata().is_ok_and(|about| about.permissions().mode() & 0o111 != 0))
    };
    // Dies with its namespace, or by its keeper; found by whoever asked if it does not.
    let mut orphan = Command::new("/proc/self/exe");
    let _ = orphan.args([SUBCOMMAND, ORPHAN]).process_group(0).spawn();
    Findings { attacks, programs: targets.programs.iter().filter_map(found).collect() }
}

/// Takes this much memory, and holds it.
pub fn take_memory(bytes: usize) {
    let held = vec![1_u8; bytes];
    thread::sleep(HOLD);
    drop(held);
}

/// Starts threads, and holds on to them if nothing keeps it from starting all. Whether it was kept from it.
pub fn start_threads(many: u64) -> bool {
    let start = |_| thread::Builder::new().stack_size(64 << 10).spawn(|| thread::sleep(2 * HOLD)).ok();
    let all = (0..many).map(start).all(|thread| thread.is_some());
    if all {
        thread::sleep(HOLD);
    }
    !all
}

/// Whether this is the probe that outlives its parent, and what it does then.
pub fn is_orphan(word: &str) -> bool {
    if word == ORPHAN {
        let _ = nix::unistd::setsid();
        thread::sleep(HOLD * 4);
    }
    word == ORPHAN
}

trait TryAny: Iterator + Sized {
    /// Done when one is; else the last error.
    fn try_for_each_any(self, act: impl FnMut(&str) -> io::Result<()>) -> io::Result<()>;
}

impl<'a, I: Iterator<Item = &'a &'a str>> TryAny for I {
    fn try_for_each_any(mut self, mut act: impl FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        let mut last = Err(Errno::ENOENT.into());
        self.any(|word| {
            last = act(word);
            last.is_ok()
        });
        last
    }
}

fn call(number: c_long, [a, b, c, d]: [c_long; 4]) -> io::Result<()> {
    #[allow(unsafe_code)]
    // SAFETY: no call that is tried here writes to memory: all pointers are null.
    let result = unsafe { libc::syscall(number, a, b, c, d, 0_i64) };
    Errno::result(result).map(drop).map_err(io::Error::from)
}

fn refused() -> io::Result<()> {
    Err(Errno::EPERM.into())
}

fn rights() -> io::Result<()> {
    let status = fs::read_to_string("/proc/self/status")?;
    let entry = |key: &str| status.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().trim();
    let none = ["CapPrm:", "CapEff:", "CapAmb:"].iter().all(|key| entry(key).bytes().all(|digit| digit == b'0'));
    if none && entry("NoNewPrivs:") == "1" && !Uid::current().is_root() { refused() } else { Ok(()) }
}

fn open_files() -> io::Result<()> {
    let open = fs::read_dir("/proc/self/fd")?.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    // One is the listing itself.
    if open.filter(|number: &i32| *number > 2).count() > 1 { Ok(()) } else { refused() }
}

fn environment() -> io::Result<()> {
    let known = ["PATH", "HOME", "TMPDIR", "LANG", "PWD"];
    if std::env::vars_os().any(|(key, _)| known.iter().all(|known| key != *known)) { Ok(()) } else { refused() }
}

/// Twice of what may be there.
fn fill(most: u64) -> io::Result<()> {
    let block = vec![0; 1 << 20];
    let mut written = 0;
    let folder = std::env::temp_dir();
    let mut result = Ok(());
    for number in 0..16 {
        let Ok(mut file) = File::create(folder.join(format!("probe-{number}"))) else { continue };
        while written < 2 * most && result.is_ok() && file.metadata().is_ok_and(|about| about.len() < most / 4) {
            result = file.write_all(&block);
            written += block.len() as u64;
        }
    }
    for number in 0..16 {
        let _ = fs::remove_file(folder.join(format!("probe-{number}")));
    }
    result
}
