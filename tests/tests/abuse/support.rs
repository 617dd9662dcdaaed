//! A place in which everything that a bot should not reach lies open, and a match in it.

use nix::sys::signal::Signal;
use nix::unistd::geteuid;
use serde_json::Value;
use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tests::transcript::{log, transcript};
use tests::{binaries, processes, skip};
use wait_timeout::ChildExt;

/// Whose arena it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    Root,
    Ordinary,
}

/// What confines bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layers {
    /// All that strict isolation asks for.
    Strict,
    /// The launcher alone: bubblewrap is not found.
    LauncherAlone,
}

/// One way to run the arena.
pub type Setting = (Whose, Layers);

const NOBODY: u32 = 65534;

/// A run that is not over by then is ended.
const BOUND: Duration = Duration::from_secs(120);

/// No bot and no arena has more processes than this, whatever fails.
const MOST_PROCESSES: &str = "--nproc=4000";

/// All settings that this machine has; what it lacks is printed and counted.
pub fn settings(layers: &[Layers]) -> Vec<Setting> {
    let python = skip::needs_that("/usr/bin/python3", Path::new("/usr/bin/python3").exists());
    if !python || !skip::needs("prlimit") {
        return Vec::new();
    }
    let root = skip::needs_that("root", geteuid().is_root());
    let bubblewrap = !layers.contains(&Layers::Strict) || skip::needs("bwrap");
    let whose = [Whose::Root, Whose::Ordinary].into_iter().filter(|whose| root || *whose == Whose::Ordinary);
    whose
        .flat_map(|whose| layers.iter().map(move |layers| (whose, *layers)))
        .filter(|(_, layers)| bubblewrap || *layers != Layers::Strict)
        .collect()
}

/// The place: a home that is closed to others, with the programs and the bots, and a folder that is open to all. Nothing of it is
/// below /tmp, where a bot may have a folder of its own.
pub struct Field {
    place: TempDir,
    setting: Setting,
    marker: String,
    listeners: Listeners,
    /// A process of the same user as the arena.
    victim: Child,
}

struct Listeners {
    nameless: (String, UnixListener),
    path: UnixListener,
    datagrams: UnixDatagram,
    tcp: TcpListener,
    udp: UdpSocket,
}

/// How a match went.
#[derive(Debug)]
pub struct Outcome {
    pub code: Option<i32>,
    pub result: Value,
    pub stderr: String,
    /// What the bot said of its attacks, a line each.
    pub findings: Vec<String>,
}

impl Field {
    pub fn new(setting: Setting) -> Field {
        let place = tempfile::Builder::new().prefix("abuse-").tempdir_in("/var/tmp").expect("there is room");
        let marker = processes::new_marker();
        let path = place.path();
        for folder in ["home/bad", "home/rival", "open", "no-programs"] {
            fs::create_dir_all(path.join(folder)).expect("the place is ours");
        }
        for program in [binaries::arena(), binaries::fixture()] {
            let name = program.file_name().expect("a program has a name").to_owned();
            fs::copy(&program, path.join("home").join(name)).expect("there is room for two programs");
        }
        fs::write(path.join("home/bad/attacks.py"), include_str!("attacks.py")).expect("there is room");
        for (name, text) in
            [("home/rival/notes", "plan\n"), ("open/results.csv", "a,b\n"), ("open/private", "private\n")]
        {
            fs::write(path.join(name), text).expect("there is room");
            fs::set_permissions(path.join(name), Permissions::from_mode(0o666)).expect("the file is ours");
        }
        let mode = |name: &str, mode| {
            fs::set_permissions(path.join(name), Permissions::from_mode(mode)).expect("the place is ours");
        };
        mode("", 0o755);
        mode("open", 0o777);
        mode("home", 0o700);
        mode("home/bad/attacks.py", 0o755);
        let nameless = marker.clone();
        let name = SocketAddr::from_abstract_name(&nameless).expect("it is short");
        let tcp = TcpListener::bind("127.0.0.1:0").expect("there is a loopback interface");
        let port = tcp.local_addr().expect("it is bound").port();
        let listeners = Listeners {
            nameless: (nameless, UnixListener::bind_addr(&name).expect("the name is new")),
            path: UnixListener::bind(path.join("open/socket")).expect("the place is ours"),
            datagrams: UnixDatagram::bind(path.join("open/datagrams")).expect("the place is ours"),
            tcp,
            udp: UdpSocket::bind(("127.0.0.1", port)).expect("UDP has ports of its own"),
        };
        mode("open/socket", 0o777);
        mode("open/datagrams", 0o777);
        let mut victim = Command::new("sleep");
        victim.arg("600").stdin(Stdio::null());
        if setting.0 == Whose::Ordinary && geteuid().is_root() {
            victim.uid(NOBODY).gid(NOBODY);
        }
        let victim = victim.spawn().expect("there is a program that sleeps");
        let field = Field { place, setting, marker, listeners, victim };
        field.hand_over();
        field
    }

    /// Everything belongs to whose arena it is.
    fn hand_over(&self) {
        if self.setting.0 == Whose::Ordinary && geteuid().is_root() {
            give(self.place.path());
        }
    }

    /// A path in the place.
    pub fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    /// Writes a file, with the folders on the way.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it is in the place")).expect("the place is ours");
        fs::write(&path, text).expect("the place is ours");
        path
    }

    pub fn marker(&self) -> &str {
        &self.marker
    }

    /// What an attack is told of what it could reach.
    pub fn targets(&self) -> Vec<String> {
        let path = |key: &str, name: &str| format!("{key}={}", self.path(name).display());
        vec![
            path("results", "open/results.csv"),
            path("secret", "open/private"),
            path("rival", "home/rival/notes"),
            path("socket", "open/socket"),
            path("datagrams", "open/datagrams"),
            format!("abstract={}", self.listeners.nameless.0),
            format!("port={}", self.listeners.tcp.local_addr().expect("it is bound").port()),
            format!("pid={}", std::process::id()),
            format!("victim={}", self.victim.id()),
            format!("marker={}", self.marker),
        ]
    }

    /// The command of the bot that attacks so.
    pub fn attacker(&self, attack: &str) -> String {
        format!("{} {attack} {}", self.path("home/bad/attacks.py").display(), self.targets().join(" "))
    }

    /// The command of an innocent bot.
    pub fn innocent(&self, word: &str) -> String {
        format!("{} {word} --marker {}", self.path("home/fixture").display(), self.marker)
    }

    /// The arena with these arguments, its bots confined as the setting says, a descriptor left open to it and a secret in its
    /// environment.
    pub fn command(&self, arguments: &[&str]) -> Command {
        self.hand_over();
        let mut command = Command::new("prlimit");
        let shell = "umask 077; exec 9<\"$0\"; export PATH=\"$1\"; shift; exec \"$@\"";
        command.args([MOST_PROCESSES, "/bin/sh", "-c", shell]).arg(self.path("open/private"));
        let path = match self.setting.1 {
            Layers::Strict => std::env::var_os("PATH").unwrap_or_default(),
            Layers::LauncherAlone => self.path("no-programs").into_os_string(),
        };
        // The arena alone is without programs.
        command.arg(path).arg(self.path("home/arena")).args(arguments);
        command.env_clear().env("NO_COLOR", "1").env("ARENA_SECRET", "secret").env("HOME", self.path("home"));
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).current_dir(self.path("home"));
        if self.setting.0 == Whose::Ordinary && geteuid().is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        command.stdin(Stdio::null());
        command
    }

    /// Starts a match of these two bots.
    pub fn start(&self, first: &str, second: &str, flags: &str) -> Child {
        let isolation = match self.setting.1 {
            Layers::Strict => "strict",
            Layers::LauncherAlone => "best-effort",
        };
        let transcript = self.path("open/m.jsonl").display().to_string();
        let bots = [format!("bad={first}"), format!("good={second}")];
        let mut arguments = vec!["match", "othello", "--json", "--quiet", "--seed", "1", "--param", "size=4"];
        arguments.extend(["--move-time", "60s", "--start-time", "30s", "--transcript", &transcript]);
        arguments.extend(["--isolation", isolation, "--bot", &bots[0], "--bot", &bots[1]]);
        arguments.extend(flags.split_whitespace());
        let stdout = fs::File::create(self.path("out")).expect("the place is ours");
        let stderr = fs::File::create(self.path("err")).expect("the place is ours");
        self.command(&arguments).stdout(stdout).stderr(stderr).spawn().expect("the arena starts")
    }

    /// Waits for a match that was started.
    pub fn finish(&self, mut running: Child) -> Outcome {
        let ended = running.wait_timeout(BOUND).expect("a child can be waited for");
        if ended.is_none() {
            let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(running.id() as i32), Signal::SIGKILL);
            let _ = running.wait();
        }
        let text = |name: &str| String::from_utf8_lossy(&fs::read(self.path(name)).unwrap_or_default()).into_owned();
        let (stdout, stderr) = (text("out"), text("err"));
        assert!(ended.is_some(), "{:?}: it does not end\n{stdout}\n{stderr}", self.setting);
        let result = stdout.lines().last().and_then(|line| serde_json::from_str(line).ok()).unwrap_or(Value::Null);
        let recorded = self.path("open/m.jsonl");
        let said = if recorded.exists() { log(&transcript(&recorded), 0) } else { String::new() };
        let findings = said.lines().map(str::to_owned).collect();
        let left = processes::no_process_left(&self.marker, Duration::from_secs(5));
        assert_eq!(left, Ok(()), "{:?}", self.setting);
        Outcome { code: ended.and_then(|status| status.code()), result, stderr, findings }
    }

    /// A match in which the first bot attacks the second; whatever comes of it, that one is left in peace.
    pub fn attack(&self, attack: &str, flags: &str) -> Outcome {
        let running = self.start(&self.attacker(attack), &self.innocent("good"), flags);
        let outcome = self.finish(running);
        self.assert_in_peace(attack, &outcome);
        outcome
    }

    /// The rival was not disturbed, and nothing outside has changed.
    pub fn assert_in_peace(&self, attack: &str, outcome: &Outcome) {
        let about = format!("{:?} {attack}: {outcome:#?}", self.setting);
        assert_eq!(outcome.code, Some(0), "{about}");
        match outcome.result["at_fault"].as_u64() {
            None => assert_eq!(outcome.result["reason"], "finished", "{about}"),
            Some(seat) => assert_eq!((seat, &outcome.result["winner"]), (0, &Value::from(1)), "{about}"),
        }
        for (name, text) in
            [("home/rival/notes", "plan\n"), ("open/results.csv", "a,b\n"), ("open/private", "private\n")]
        {
            let path = self.path(name);
            assert_eq!(fs::read_to_string(&path).ok().as_deref(), Some(text), "{name}: {about}");
            let mode = fs::metadata(&path).map(|data| data.permissions().mode() & 0o777).ok();
            assert_eq!(mode, Some(0o666), "{name}: {about}");
        }
        let state = fs::read_to_string(format!("/proc/{}/stat", self.victim.id())).unwrap_or_default();
        assert!(state.contains(") S "), "a process of the arena's user was disturbed: {state} {about}");
        let silent = |result: std::io::Result<()>| result.is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
        let listeners = &self.listeners;
        listeners.tcp.set_nonblocking(true).expect("it is ours");
        listeners.udp.set_nonblocking(true).expect("it is ours");
        listeners.path.set_nonblocking(true).expect("it is ours");
        listeners.nameless.1.set_nonblocking(true).expect("it is ours");
        listeners.datagrams.set_nonblocking(true).expect("it is ours");
        assert!(silent(listeners.tcp.accept().map(drop)), "TCP: {about}");
        assert!(silent(listeners.udp.recv(&mut [0; 8]).map(drop)), "UDP: {about}");
        assert!(silent(listeners.path.accept().map(drop)), "a socket with a path: {about}");
        assert!(silent(listeners.nameless.1.accept().map(drop)), "a socket without one: {about}");
        assert!(silent(listeners.datagrams.recv(&mut [0; 8]).map(drop)), "datagrams: {about}");
    }
}

impl Drop for Field {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
        processes::end_marked(&self.marker);
    }
}

impl Outcome {
    /// What the attack that is called so gave back, after its name.
    pub fn finding(&self, name: &str) -> Option<&str> {
        self.findings.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))
    }

    /// Whether the attacker has lost for a limit that is called so.
    pub fn passed(&self, limit: &str) -> bool {
        self.result["reason"] == "resource"
            && self.result["at_fault"] == 0
            && self.result["detail"].as_str().is_some_and(|detail| detail.contains(limit))
    }
}

fn give(path: &Path) {
    std::os::unix::fs::lchown(path, Some(NOBODY), Some(NOBODY)).expect("root gives files away");
    if path.symlink_metadata().is_ok_and(|about| about.is_dir()) {
        for entry in fs::read_dir(path).expect("the place is ours").flatten() {
            give(&entry.path());
        }
    }
}
