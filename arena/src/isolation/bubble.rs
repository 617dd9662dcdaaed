//! Bubblewrap: namespaces of the bot's own, with a root folder in which there is little, and no network. The program `bwrap` is the one
//! with the most eyes on it; how it is called is all there is here.

use super::View;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where a launcher finds itself in a bot's namespace.
const LAUNCHER: &str = "/run/arena/launcher";

/// Parts of /etc that programs of one language or another do not start without, or start slower.
const ETC: [&str; 5] =
    ["/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime"];

/// What tells a program with a network who is where.
const NAMES_OF_HOSTS: [&str; 4] = ["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/ssl"];

/// Parts of the root folder that are links into /usr on some systems, and folders on others.
const BESIDE_USR: [&str; 5] = ["/bin", "/sbin", "/lib", "/lib32", "/lib64"];

/// How much of a bot's own /dev/shm may be filled, in bytes.
const SHARED_MEMORY: u64 = 16 << 20;

/// A `bwrap` that works here.
#[derive(Clone, Debug)]
pub struct Bubble {
    program: PathBuf,
    version: String,
}

/// What a bot's namespaces are made with.
pub struct Inside<'a> {
    /// The arena's program, where the bot's user can read it.
    pub launcher: &'a Path,
    /// What the bot sees of its own.
    pub view: &'a View,
    /// What it sees besides, at the same place.
    pub read: &'a [PathBuf],
    /// Where it is started.
    pub folder: &'a Path,
    /// How much its temporary folder holds, in bytes.
    pub temp_bytes: u64,
    /// Whether it has the machine's network.
    pub network: bool,
}

impl Bubble {
    /// Finds `bwrap` and tries it as this user, or says what is missing.
    pub fn find(user: Option<u32>) -> Result<Bubble, String> {
        let missing = "bubblewrap is not installed (`bwrap`; Debian and Ubuntu: apt install bubblewrap)";
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut places = std::env::split_paths(&path).map(|folder| folder.join("bwrap"));
        let program = places.find(|place| place.is_file()).ok_or(missing)?;
        let asked = Command::new(&program).arg("--version").output();
        let version = asked.map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
        let version = String::from_utf8_lossy(&version.stdout).trim().replace("bubblewrap ", "");
        let bubble = Bubble { program, version };
        bubble.probe(user)?;
        Ok(bubble)
    }

    /// Its version.
    pub fn version(&self) -> &str {
        &self.version
    }

    fn probe(&self, user: Option<u32>) -> Result<(), String> {
        let view = View::default();
        let folder = Path::new("/");
        let inside = Inside {
            launcher: Path::new("/usr/bin/true"),
            view: &view,
            read: &[],
            folder,
            temp_bytes: 1 << 20,
            network: false,
        };
        let words = self.command(&inside);
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).env_clear().stdin(Stdio::null());
        if let Some(user) = user {
            command.uid(user).gid(user);
        }
        let output =
            command.output().map_err(|error| format!("{} cannot be started: {error}", self.program.display()))?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(format!(
            "bubblewrap {} makes no namespaces here: {} (a container or a hardened system may forbid them to users)",
            self.version,
            said.trim().lines().next().unwrap_or("it failed without a word")
        ))
    }

    /// The command that makes the namespaces and starts the launcher as their first process.
    pub fn command(&self, inside: &Inside<'_>) -> Vec<String> {
        let mut words = vec![self.program.to_string_lossy().into_owned()];
        let mut add = |more: &[&str]| words.extend(more.iter().map(ToString::to_string));
        add(&["--unshare-all", "--unshare-user", "--disable-userns"]);
        if inside.network {
            add(&["--share-net"]);
        }
        add(&["--die-with-parent", "--new-session", "--as-pid-1", "--cap-drop", "ALL", "--clearenv"]);
        add(&["--hostname", "bot", "--ro-bind", "/usr", "/usr"]);
        for path in BESIDE_USR {
            match std::fs::read_link(path) {
                Ok(target) => add(&["--symlink", &target.to_string_lossy(), path]),
                Err(_) => add(&["--ro-bind-try", path, path]),
            }
        }
        for path in ETC.map(PathBuf::from).into_iter().chain(java_settings()) {
            let path = path.to_string_lossy();
            add(&["--ro-bind-try", &path, &path]);
        }
        for path in NAMES_OF_HOSTS.iter().filter(|_| inside.network) {
            add(&["--ro-bind-try", path, path]);
        }
        add(&["--proc", "/proc", "--dev", "/dev"]);
        add(&["--size", &SHARED_MEMORY.to_string(), "--tmpfs", "/dev/shm"]);
        add(&["--size", &inside.temp_bytes.to_string(), "--tmpfs", "/tmp"]);
        for path in inside.read {
            let path = path.to_string_lossy();
            add(&["--ro-bind", &path, &path]);
        }
        add(&["--dir", &inside.folder.to_string_lossy()]);
        for (there, here) in &inside.view.read {
            add(&["--ro-bind", &there.to_string_lossy(), &here.to_string_lossy()]);
        }
        for (there, here) in &inside.view.write {
            add(&["--bind", &there.to_string_lossy(), &here.to_string_lossy()]);
        }
        add(&["--ro-bind", &inside.launcher.to_string_lossy(), LAUNCHER]);
        add(&["--remount-ro", "/dev", "--remount-ro", "/proc", "--remount-ro", "/"]);
        add(&["--chdir", "/", "--", LAUNCHER, super::launcher::SUBCOMMAND]);
        words
    }
}

fn java_settings() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("/etc").into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.to_string_lossy().starts_with("/etc/java-")).collect()
}
