//! Build steps of bots: run once, under the same confinement as the bot itself but for a copy of its folder that it may write into.

use super::confine::Confiner;
use crate::config::{BotSpec, Launch, check_startable};
use crate::isolation::{FOLDER_BYTES, FOLDER_DEPTH, FOLDER_FILES, UserClaim, View, copy_folder};
use crate::transport::{Interrupt, Job, JobEnd, Limits, Program};
use std::cell::Cell;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a confined build step may use: compilers want more than bots.
const LIMITS: Limits = Limits {
    cpu_seconds: None,
    file_bytes: Some(512 << 20),
    memory_bytes: Some(2 << 30),
    processes: Some(512),
    temp_bytes: Some(1 << 30),
    open_files: Some(1024),
};

/// How build steps are run.
pub(super) struct Builder<'a> {
    /// What confines them.
    pub confiner: &'a Confiner,
    /// How long each may take.
    pub time: Duration,
    /// Whether they have the machine's network, when they are confined.
    pub network: bool,
    /// Raised when they are to stop.
    pub interrupt: &'a Interrupt,
}

impl Builder<'_> {
    /// Runs a bot's build step; what it prints goes into `log`, which `place` names. Where the built copy is, when it was
    /// built in one.
    pub(super) fn build(
        &self,
        bot: &BotSpec,
        launch: &Launch,
        build: &[String],
        log: &File,
        place: &str,
    ) -> Result<Option<PathBuf>, String> {
        let command = shlex::try_join(build.iter().map(String::as_str)).unwrap_or_else(|_| build.join(" "));
        let plain = Program {
            argv: build.to_vec(),
            folder: launch.folder.clone(),
            env: launch.env.clone(),
            view: None,
            user: None,
        };
        if !self.confiner.confines(bot) {
            self.run(&command, &plain, &Limits::default(), log, place, &|| None)?;
            return Ok(None);
        }
        let sandbox = self.confiner.sandbox().expect("somebody is confined");
        let claim = sandbox.claim_user()?;
        let user = claim.as_ref().map(UserClaim::user);
        let work = sandbox.staging().make(&format!("build-{}", bot.name))?;
        copy_folder(&launch.folder, &work, user)?;
        let view = View { read: Vec::new(), write: vec![(work.clone(), launch.folder.clone())] };
        let program = Program { view: Some(view), user, ..plain };
        let looks = Cell::new(0_u32);
        let too_much = || {
            looks.set(looks.get() + 1);
            if !looks.get().is_multiple_of(5) {
                return None;
            }
            let mut content = Content::default();
            content.add(&work, 0).err()
        };
        self.run(&command, &program, &LIMITS, log, place, &too_much)?;
        // What it has made is copied once more: no link out of it, and nobody's to change.
        let built = sandbox.staging().make(&format!("built-{}", bot.name))?;
        copy_folder(&work, &built, None)?;
        let _ = fs::remove_dir_all(&work);
        Ok(Some(built))
    }

    fn run(
        &self,
        command: &str,
        program: &Program,
        limits: &Limits,
        log: &File,
        place: &str,
        stop: &dyn Fn() -> Option<String>,
    ) -> Result<(), String> {
        let job = Job { program, limits, network: self.network, time: self.time, stop };
        let folder = program.folder.display();
        let end = job
            .run(&self.confiner.host(false), log, self.interrupt)
            .map_err(|error| format!("`{command}` cannot be run in {folder}: {error}"))?;
        match end {
            JobEnd::Ended(ended, None) if ended.code == Some(0) => Ok(()),
            JobEnd::Ended(_, Some(limit)) => Err(format!("`{command}` passed its limit of {limit}{place}")),
            JobEnd::Ended(ended, None) => {
                let how = match (ended.code, ended.signal) {
                    (Some(code), _) => format!("exit status {code}"),
                    (_, Some(signal)) => format!("signal {signal}"),
                    _ => "it ended".to_string(),
                };
                Err(format!("`{command}` in {folder} failed ({how}){place}"))
            }
            JobEnd::TooLong => Err(format!("`{command}` did not end within {} s{place}", self.time.as_secs())),
            JobEnd::Interrupted => Err(format!("`{command}` was interrupted")),
            JobEnd::Stopped(why) => Err(format!("`{command}` was stopped: {why}{place}")),
        }
    }
}

/// Whether a bot can be started as it is, or where its copy is.
pub(super) fn check_built(launch: &Launch, built: Option<&Path>) -> Result<(), String> {
    let Some(copy) = built else { return check_startable(launch).map_err(|error| error.to_string()) };
    let moved = |path: &Path| path.strip_prefix(&launch.folder).map_or(path.to_path_buf(), |rest| copy.join(rest));
    let mut there = launch.clone();
    there.folder = copy.to_path_buf();
    there.argv[0] = moved(Path::new(&launch.argv[0])).to_string_lossy().into_owned();
    let original = launch.folder.display().to_string();
    check_startable(&there).map_err(|error| error.to_string().replace(&copy.display().to_string(), &original))
}

/// What is in a folder, counted until it is too much.
#[derive(Default)]
struct Content {
    bytes: u64,
    files: u64,
}

impl Content {
    fn add(&mut self, folder: &Path, depth: usize) -> Result<(), String> {
        if depth > FOLDER_DEPTH {
            return Err(format!("it puts more than {FOLDER_DEPTH} folders into one another"));
        }
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            self.files += 1;
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => self.add(&entry.path(), depth + 1)?,
                _ => self.bytes += entry.metadata().map_or(0, |about| about.len()),
            }
            if self.bytes > FOLDER_BYTES {
                return Err(format!("it fills its folder with more than {} MiB", FOLDER_BYTES >> 20));
            }
            if self.files > FOLDER_FILES {
                return Err(format!("it fills its folder with more than {FOLDER_FILES} files"));
            }
        }
        Ok(())
    }
}
