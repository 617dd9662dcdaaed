//! What confines a bot that nobody vouches for: its own user, namespaces, Landlock, seccomp, limits. Each layer is found by
//! trying it; which of them hold is told, never guessed. Processes are started elsewhere (`transport`); here is what is said to them.

mod bubble;
mod paths;
mod resources;
mod staging;
mod syscalls;
mod users;

pub mod launcher;
pub mod probe;

pub use bubble::{Bubble, Inside};
pub use launcher::{Order, Word};
pub use paths::version as landlock_version;
pub use resources::Resources;
pub use staging::{FOLDER_BYTES, FOLDER_DEPTH, FOLDER_FILES, Staging, copy_folder, make_folder};
pub use users::{RANGE as USERS, UserClaim, Users, reachable_by_all};

use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Programs are looked up here by a confined bot, at the last.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// How many more processes and threads whoever runs the arena may start beside a bot that is counted with them, before the bot is
/// refused its own.
const OF_OTHERS: u64 = 1024;

/// How bots are confined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Every layer that is asked of a machine holds, or nothing is played.
    Strict,
    /// Whatever layers there are.
    BestEffort,
    /// Not at all.
    #[default]
    None,
}

impl Mode {
    /// All of them, as people write them.
    pub const WORDS: [&str; 3] = ["strict", "best-effort", "none"];

    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Strict => "strict",
            Mode::BestEffort => "best-effort",
            Mode::None => "none",
        }
    }

    /// From how it is written.
    pub fn parse(text: &str) -> Option<Mode> {
        [Mode::Strict, Mode::BestEffort, Mode::None].into_iter().find(|mode| mode.as_str() == text)
    }
}

/// What an organiser decides on confinement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How bots are confined.
    pub mode: Mode,
    /// What bots may read besides the system's programs and their own files, such as an interpreter outside of /usr.
    pub read: Vec<PathBuf>,
    /// The users that bots are given when the arena is root's.
    pub users: RangeInclusive<u32>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { mode: Mode::None, read: Vec::new(), users: users::RANGE }
    }
}

/// What a confined bot sees of the file system besides the system's programs: where it is, and where the bot sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// What it may read and execute.
    pub read: Vec<(PathBuf, PathBuf)>,
    /// What it may change, too: a build step's copy.
    pub write: Vec<(PathBuf, PathBuf)>,
}

/// What a confined bot may use, where nobody says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Limits on each of its processes.
    pub resources: Resources,
    /// How much its temporary folder holds, in bytes.
    pub temp_bytes: u64,
    /// Whether it has the machine's network.
    pub network: bool,
}

/// How one confined bot is started: what a keeper executes, as which user, and what the launcher is told.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Confinement {
    /// The command that ends in a launcher.
    pub command: Vec<String>,
    /// The user and group that it runs as, when not the arena's.
    pub user: Option<u32>,
    /// What the launcher is told.
    pub order: Order,
}

impl Confinement {
    /// Whether the bot's processes are counted by the kernel together with those of whoever runs the arena.
    pub fn shares_its_user(&self) -> bool {
        self.user.is_none() && !self.order.first
    }
}

/// What is in force in a match, as it is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InForce {
    /// How bots are confined.
    pub mode: Mode,
    /// The layers that hold, in words; none where nobody is confined.
    pub layers: Vec<String>,
}

impl InForce {
    /// Nobody is confined.
    pub fn nothing() -> InForce {
        InForce { mode: Mode::None, layers: Vec::new() }
    }
}

/// The layers of this machine, tried and ready.
#[derive(Debug)]
pub struct Sandbox {
    mode: Mode,
    users: Option<Users>,
    bubble: Result<Bubble, String>,
    landlock: u32,
    launcher: PathBuf,
    read: Vec<PathBuf>,
    staging: Staging,
}

impl Sandbox {
    /// Tries the layers. `None` where bots are not to be confined.
    ///
    /// # Errors
    /// A layer that strict confinement needs does not hold here, with the way out; or something that was asked for cannot be.
    pub fn prepare(settings: &Settings) -> Result<Option<Sandbox>, String> {
        let own = std::env::current_exe().map_err(|error| format!("the arena's own program is not found: {error}"))?;
        Sandbox::with_launcher(&own, settings)
    }

    /// The same with the arena's program somewhere else, for benchmarks.
    pub fn with_launcher(arena: &Path, settings: &Settings) -> Result<Option<Sandbox>, String> {
        if settings.mode == Mode::None {
            return Ok(None);
        }
        let users = Users::of(settings.users.clone())?;
        let trial = users.as_ref().map(Users::claim).transpose()?;
        let bubble = Bubble::find(trial.as_ref().map(UserClaim::user));
        let landlock = landlock_version();
        if let (Mode::Strict, Some(why)) = (settings.mode, lacking(&bubble, users.is_some(), landlock)) {
            return Err(format!(
                "strict isolation does not hold here: {why}. `arena doctor` tells of each layer; write `--isolation best-effort` \
                 (mode = \"best-effort\" in [isolation]) for what there is, or `none` for bots that are trusted"
            ));
        }
        for path in &settings.read {
            if users.is_some() && !reachable_by_all(path) {
                return Err(format!(
                    "{} is to be read by bots, but their users cannot reach it: open it and the folders above it to all, or \
                     move it",
                    path.display()
                ));
            }
        }
        let staging = Staging::new()?;
        let launcher = readable_by_all(arena, users.is_some(), &staging)?;
        Ok(Some(Sandbox {
            mode: settings.mode,
            users,
            bubble,
            landlock,
            launcher,
            read: settings.read.clone(),
            staging,
        }))
    }

    /// The version of bubblewrap, or why there is none that works.
    pub fn bubble(&self) -> Result<&str, String> {
        self.bubble.as_ref().map(Bubble::version).map_err(String::clone)
    }

    /// What strict isolation lacks here.
    pub fn lacks_for_strict(&self) -> Option<&str> {
        lacking(&self.bubble, self.users.is_some(), self.landlock)
    }

    /// The version of Landlock; 0 where there is none.
    pub fn landlock(&self) -> u32 {
        self.landlock
    }

    /// The arena's own program, where bots' users can read it.
    pub fn program(&self) -> &Path {
        &self.launcher
    }

    /// How bots are confined.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Where copies are made.
    pub fn staging(&self) -> &Staging {
        &self.staging
    }

    /// Whether bots have users of their own, so that what they read must be open to all.
    pub fn has_users(&self) -> bool {
        self.users.is_some()
    }

    /// What bots may read besides the system's programs and their own files.
    pub fn read(&self) -> &[PathBuf] {
        &self.read
    }

    /// Whether a confined bot sees this path, its own files apart; a link counts by where it leads.
    pub fn shows(&self, path: &Path) -> bool {
        let is_below = |path: &Path| {
            let system = paths::SYSTEM[..6].iter().map(Path::new);
            system.chain(self.read.iter().map(PathBuf::as_path)).any(|top| path.starts_with(top))
        };
        is_below(path) && path.canonicalize().map_or(true, |target| is_below(&target))
    }

    /// Where a confined bot looks programs up.
    pub fn search_path(&self) -> String {
        let more = self.read.iter().map(|folder| folder.join("bin")).filter(|folder| folder.is_dir());
        let more: String = more.map(|folder| format!("{}:", folder.display())).collect();
        more + PATH
    }

    /// A program as a confined bot finds it.
    pub fn find_program(&self, name: &OsStr) -> Option<PathBuf> {
        let places = std::env::split_paths(&self.search_path()).map(|folder| folder.join(name)).collect::<Vec<_>>();
        places.into_iter().find(|place| place.is_file() && self.shows(place))
    }

    /// The layers that hold, in words.
    pub fn layers(&self) -> Vec<String> {
        let mut layers = Vec::new();
        if self.users.is_some() {
            layers.push("user".to_string());
        }
        if let Ok(bubble) = &self.bubble {
            layers.push(format!("bubblewrap {}", bubble.version()));
        }
        if self.landlock > 0 {
            layers.push(format!("landlock {}", self.landlock));
        }
        layers.push("seccomp".to_string());
        layers
    }

    /// A user for one bot, for as long as it runs.
    pub fn claim_user(&self) -> Result<Option<UserClaim>, String> {
        self.users.as_ref().map(Users::claim).transpose()
    }

    /// How a bot is started: `argv` in `folder`, with this environment and nothing else.
    pub fn confine(
        &self,
        argv: &[String],
        folder: &Path,
        env: &[(String, String)],
        view: &View,
        allowance: &Allowance,
        user: Option<u32>,
    ) -> Confinement {
        let inside = self.bubble.is_ok();
        // Where there is no namespace there is no folder to write into either.
        let temporary = if inside { "/tmp".into() } else { folder.to_string_lossy().into_owned() };
        let mut own = vec![
            ("PATH".to_string(), self.search_path()),
            ("HOME".to_string(), temporary.clone()),
            ("TMPDIR".to_string(), temporary),
            ("LANG".to_string(), "C.UTF-8".to_string()),
        ];
        own.retain(|(key, _)| !env.iter().any(|(given, _)| given == key));
        own.extend_from_slice(env);
        let places = |binds: &[(PathBuf, PathBuf)]| -> Vec<PathBuf> {
            binds.iter().map(|(there, here)| if inside { here.clone() } else { there.clone() }).collect()
        };
        // Without a namespace of its own a bot sees its files where they are.
        let moved = |path: &str| {
            let binds = view.read.iter().chain(&view.write).filter(|_| !inside);
            let mut found = binds.filter_map(|(there, here)| Some((there, Path::new(path).strip_prefix(here).ok()?)));
            found.next_back().map_or_else(
                || path.to_string(),
                |(there, rest)| {
                    if rest.as_os_str().is_empty() { there.clone() } else { there.join(rest) }
                        .to_string_lossy()
                        .into_owned()
                },
            )
        };
        let mut write = places(&view.write);
        if inside {
            write.extend(["/tmp", "/dev/shm"].map(PathBuf::from));
        }
        let mut limits = allowance.resources.clone();
        if !inside && user.is_none() {
            // It counts all processes of whoever runs the arena, so it is only the last stop: the keeper looks, too.
            limits.processes = limits.processes.map(|most| resources::tasks_of_this_user() + most + OF_OTHERS);
        }
        // A file that is named from its folder is not found there, if it was copied to another.
        let named = |word: &String| {
            let whole = folder.join(word);
            let is_bound = !inside && view.read.iter().any(|(_, here)| *here == whole);
            if is_bound { moved(&whole.to_string_lossy()) } else { moved(word) }
        };
        let mut start_in = PathBuf::from(moved(&folder.to_string_lossy()));
        if !inside && user.is_some() && !reachable_by_all(&start_in) {
            // The folder of whoever runs the arena may be closed to the bot's user.
            start_in = "/".into();
        }
        let order = Order {
            argv: argv.iter().map(named).collect(),
            folder: start_in,
            env: own,
            limits,
            read: places(&view.read).into_iter().chain(self.read.iter().cloned()).collect(),
            write,
            first: inside,
            landlock: self.landlock > 0,
            network: allowance.network,
        };
        let command = match &self.bubble {
            Ok(bubble) => bubble.command(&Inside {
                launcher: &self.launcher,
                view,
                read: &self.read,
                folder,
                temp_bytes: allowance.temp_bytes,
                network: allowance.network,
            }),
            Err(_) => vec![self.launcher.to_string_lossy().into_owned(), launcher::SUBCOMMAND.to_string()],
        };
        Confinement { command, user, order }
    }
}

/// What strict isolation lacks: bots are kept apart by namespaces, or by users of their own and by Landlock.
fn lacking(bubble: &Result<Bubble, String>, users: bool, landlock: u32) -> Option<&str> {
    bubble.as_ref().err().filter(|_| !users || landlock == 0).map(String::as_str)
}

/// The arena's program, where every user can read it.
fn readable_by_all(arena: &Path, for_users: bool, staging: &Staging) -> Result<PathBuf, String> {
    if !for_users || reachable_by_all(arena) {
        return Ok(arena.to_path_buf());
    }
    let failed = |error: std::io::Error| format!("{} cannot be copied: {error}", arena.display());
    let copy = staging.path().join("launcher");
    std::fs::copy(arena, &copy).map_err(failed)?;
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&copy, std::fs::Permissions::from_mode(0o755)).map_err(failed)?;
    Ok(copy)
}
