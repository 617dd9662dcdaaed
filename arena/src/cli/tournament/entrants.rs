//! A cup's entrants made ready: built, checked, shaken hands with, and known by what is in their files.

use crate::cli::bots::program;
use crate::cli::failure::Failure;
use crate::cli::output;
use crate::config::Cup;
use crate::config::{BotKind, BotSpec, Launch, check_startable};
use crate::play::{Program, seat_program};
use crate::seat::{BySeat, Seat};
use crate::table::{Opening, Outcome, Table, Thinking};
use crate::tournament::Entrant;
use crate::transport::{Host, Interrupt};
use crate::verdict::{Reason, Verdict};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use wait_timeout::ChildExt;

/// Folders that a bot's build makes, or that are nobody's business.
const NOT_ITS_OWN: [&str; 3] = ["target", "node_modules", "__pycache__"];

/// How soon a build step that runs heeds Ctrl-C.
const HEED_EVERY: Duration = Duration::from_millis(50);

/// An entrant as the results folder remembers it (`entrants.json`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EntrantRecord {
    /// Its name.
    pub name: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// Where it is started.
    pub folder: String,
    /// What is in its files.
    pub sha256: String,
    /// Who it belongs to.
    pub authors: Vec<String>,
}

/// What is remembered of a cup's entrants, in the order of the cup file.
pub(super) fn records(cup: &Cup) -> Result<Vec<EntrantRecord>, Failure> {
    cup.bots
        .iter()
        .map(|bot| {
            let launch = launch(&bot.spec);
            let sha256 = fingerprint(launch).map_err(|error| Failure::new(format!("{}: {error}", bot.spec.name)))?;
            Ok(EntrantRecord {
                name: bot.spec.name.clone(),
                command: launch.argv.clone(),
                folder: launch.folder.to_string_lossy().into_owned(),
                sha256,
                authors: bot.spec.authors.clone(),
            })
        })
        .collect()
}

/// How the entrants are started, in the order of the cup file.
pub(super) fn programs(cup: &Cup) -> Vec<Program> {
    cup.bots.iter().map(|bot| program(&bot.spec).expect("a cup has no persons in it")).collect()
}

fn launch(spec: &BotSpec) -> &Launch {
    match &spec.kind {
        BotKind::Program(launch) => launch,
        BotKind::Human => unreachable!("a cup has no persons in it"),
    }
}

/// Runs the build steps of the bots that have one, beside each other; what they print is kept in `logs`.
pub(super) fn build(cup: &Cup, logs: &Path, interrupt: &Interrupt) -> BTreeMap<Entrant, String> {
    let mut failures = BTreeMap::new();
    let with_build = cup.bots.iter().enumerate().filter_map(|(entrant, bot)| {
        let launch = launch(&bot.spec);
        Some((entrant, bot.spec.name.as_str(), launch, launch.build.as_ref()?))
    });
    thread::scope(|scope| {
        let running: Vec<_> = with_build
            .map(|(entrant, name, launch, build)| {
                output::complain(&format!("building {name}: {}", build.join(" ")));
                (entrant, scope.spawn(move || build_one(name, launch, build, cup.build_time, logs, interrupt)))
            })
            .collect();
        for (entrant, build) in running {
            if let Err(why) = build.join().unwrap_or_else(|_| Err("its build step could not be run".to_string())) {
                failures.insert(entrant, why);
            }
        }
    });
    failures
}

fn build_one(
    name: &str,
    launch: &Launch,
    build: &[String],
    time: Duration,
    logs: &Path,
    interrupt: &Interrupt,
) -> Result<(), String> {
    let command = shlex::try_join(build.iter().map(String::as_str)).unwrap_or_else(|_| build.join(" "));
    let log = logs.join(format!("{name}.log"));
    let system = |error: std::io::Error| format!("`{command}` cannot be run in {}: {error}", launch.folder.display());
    fs::create_dir_all(logs).map_err(system)?;
    let file = File::create(&log).map_err(system)?;
    let mut child = Command::new(&build[0])
        .args(&build[1..])
        .current_dir(&launch.folder)
        .envs(launch.env.iter().map(|(key, value)| (key, value)))
        .stdin(Stdio::null())
        .stderr(file.try_clone().map_err(system)?)
        .stdout(file)
        // What it starts in its turn is ended with it, and Ctrl-C is ours to pass on.
        .process_group(0)
        .spawn()
        .map_err(system)?;
    let since = Instant::now();
    let ended = loop {
        let left = time.saturating_sub(since.elapsed());
        match child.wait_timeout(left.min(HEED_EVERY)).map_err(system)? {
            Some(status) => break Some(status),
            None if left.is_zero() || interrupt.raised() => break None,
            None => {}
        }
    };
    match ended {
        Some(status) if status.success() => Ok(()),
        Some(status) => Err(format!("`{command}` failed ({status}): see {}", log.display())),
        None => {
            let _ = killpg(Pid::from_raw(child.id() as i32), Signal::SIGKILL);
            let _ = child.wait();
            Err(match interrupt.raised() {
                true => format!("`{command}` was interrupted"),
                false => format!("`{command}` did not end within {} s: see {}", time.as_secs(), log.display()),
            })
        }
    }
}

/// Starts every bot once and shakes hands with it, two at a time, one after the other. Those that fail, with why.
pub(super) fn shake_hands(cup: &Cup, host: &Host, interrupt: &Interrupt) -> Result<BTreeMap<Entrant, String>, Failure> {
    let mut failures = BTreeMap::new();
    let programs = programs(cup);
    for (entrant, bot) in cup.bots.iter().enumerate() {
        if let Err(error) = check_startable(launch(&bot.spec)) {
            failures.insert(entrant, error.to_string());
        }
    }
    let sound: Vec<Entrant> = (0..programs.len()).filter(|entrant| !failures.contains_key(entrant)).collect();
    for pair in sound.chunks(2) {
        // The last of an odd number meets itself.
        let seats = [pair[0], *pair.last().expect("a chunk is not empty")];
        let mut chairs = Vec::new();
        for entrant in seats {
            match seat_program(host, &programs[entrant], &cup.limits) {
                Ok(chair) => chairs.push(chair),
                Err(error) => drop(failures.insert(entrant, error.to_string())),
            }
        }
        let Ok(chairs) = <[_; 2]>::try_from(chairs) else { continue };
        let mut table = Table::new(BySeat(chairs), Thinking::OwnTurn, interrupt.clone());
        for seat in Seat::BOTH {
            let entrant = seats[seat.index()];
            if let Some(why) = shake_one(cup, &mut table, seat, seats)? {
                failures.entry(entrant).or_insert(why);
            }
        }
        let verdict = Verdict {
            winner: None,
            scores: [0; 2],
            reason: Reason::Finished,
            detail: None,
            at_fault: None,
            invalid: None,
        };
        let since = crate::protocol::Since::new();
        let position = cup.game.start(&cup.sets[0], cup.seed)?.position;
        table.dismiss(&verdict, &*position, BySeat([&since, &since]), cup.clock.stop, BySeat([false; 2]), None)?;
    }
    Ok(failures)
}

fn shake_one(cup: &Cup, table: &mut Table, seat: Seat, seats: [Entrant; 2]) -> Result<Option<String>, Failure> {
    let names = seats.map(|entrant| cup.bots[entrant].spec.name.as_str());
    let opening = Opening {
        match_id: "handshake",
        game: cup.game.info().id,
        params: &cup.game.start(&cup.sets[0], cup.seed)?.params,
        seat,
        players: names,
        seed: crate::seed::bot_seed(cup.seed, seat),
        clock: &cup.clock,
    };
    Ok(match table.start(&opening)?.outcome {
        Outcome::Ready => None,
        Outcome::Fault(_, fault) => Some(fault.detail),
        Outcome::Disturbed(why) => Some(why),
        Outcome::Interrupted | Outcome::Quit | Outcome::Move(_) => Some("the handshake was interrupted".to_string()),
    })
}

/// SHA-256 over a bot's files: each with its path and length. Of a folder with a bot.toml all files but hidden ones and what
/// builds leave; else the program, and the arguments that name files.
fn fingerprint(launch: &Launch) -> Result<String, String> {
    let mut files: Vec<PathBuf> = Vec::new();
    if launch.described || (launch.folder.join("bot.toml").is_file() && !launch.bundled) {
        collect(&launch.folder, &mut files).map_err(|error| format!("{}: {error}", launch.folder.display()))?;
    } else {
        files.extend(launch.argv.iter().map(|word| launch.folder.join(word)).filter(|path| path.is_file()));
    }
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        let name = file.strip_prefix(&launch.folder).unwrap_or(&file).to_string_lossy().into_owned();
        let length = fs::metadata(&file).map_err(|error| format!("{}: {error}", file.display()))?.len();
        hash.update(format!("{name}\n{length}\n"));
        let mut open = File::open(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        std::io::copy(&mut open, &mut Sink(&mut hash)).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

struct Sink<'a>(&'a mut Sha256);

impl std::io::Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') || NOT_ITS_OWN.contains(&&*name) {
            continue;
        }
        let kind = entry.file_type()?;
        if kind.is_dir() {
            collect(&entry.path(), files)?;
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}
