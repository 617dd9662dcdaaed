//! Bots made ready to be confined: what each sees, from where, and who is trusted instead.

use super::building::{Builder, check_built};
use super::failure::Failure;
use super::output;
use crate::config::{
    BUILD_TIME, BotKind, BotSpec, Launch, OwnFiles, check_startable, own_files, program_in, stale_note,
};
use crate::files::open_regular;
use crate::isolation::{Mode, Sandbox, Settings, View, copy_folder, make_folder};
use crate::transport::{Host, Interrupt, Program};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Reads how bots are to be confined, for clap.
pub(super) fn mode(text: &str) -> Result<Mode, String> {
    Mode::parse(text).ok_or_else(|| format!("it is one of {}", Mode::WORDS.join(", ")))
}

/// The layers of this machine, when any bot is to be confined.
pub(super) struct Confiner {
    sandbox: Option<Arc<Sandbox>>,
    /// Bots that are run with another program than the one that was given: names by the program and why.
    elsewhere: Mutex<BTreeMap<(String, String), Vec<String>>>,
}

impl Confiner {
    /// Makes the layers ready, if one of these bots is to be confined.
    pub(super) fn prepare<'a>(
        settings: &Settings,
        bots: impl IntoIterator<Item = &'a BotSpec>,
    ) -> Result<Confiner, Failure> {
        if settings.mode == Mode::None || bots.into_iter().all(is_trusted) {
            return Ok(Confiner::none());
        }
        let sandbox = Sandbox::prepare(settings).map_err(Failure::new)?;
        Ok(Confiner { sandbox: sandbox.map(Arc::new), elsewhere: Mutex::default() })
    }

    /// Nobody is confined.
    pub(super) fn none() -> Confiner {
        Confiner { sandbox: None, elsewhere: Mutex::default() }
    }

    /// This machine, with bots confined as they are to be.
    pub(super) fn host(&self, held_to_one_core: bool) -> Host {
        Host::new(held_to_one_core).confining(self.sandbox.clone())
    }

    /// The layers, where there are any.
    pub(super) fn sandbox(&self) -> Option<&Sandbox> {
        self.sandbox.as_deref()
    }

    /// The layers in words, one after the other; nothing where nobody is confined.
    pub(super) fn layers(&self) -> String {
        self.sandbox().map(|sandbox| sandbox.layers().join(", ")).unwrap_or_default()
    }

    /// Tells, a line a program, which bots made ready since are run with another program than the one that was given.
    pub(super) fn tell_programs(&self) {
        let mut elsewhere = self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner);
        for ((program, why), names) in std::mem::take(&mut *elsewhere) {
            let are = if names.len() == 1 { "is" } else { "are" };
            output::complain(&format!("note: {} {are} run with {program}: {why}", names.join(", ")));
        }
    }

    /// Whether a bot is confined.
    pub(super) fn confines(&self, bot: &BotSpec) -> bool {
        self.sandbox.is_some() && !is_trusted(bot)
    }

    /// A bot made ready for a match: built, if it is not, and checked; `None` for a person. Of one that was built before its sources were
    /// changed a note is told.
    pub(super) fn ready(&self, bot: &BotSpec, interrupt: &Interrupt) -> Result<Option<Program>, Failure> {
        let BotKind::Program(launch) = &bot.kind else { return Ok(None) };
        let mut built = None;
        if let Some(note) = stale_note(launch) {
            output::complain(&format!("note: {}: {note}", bot.name));
        }
        if let (Err(_), Some(build)) = (check_startable(launch), &launch.build) {
            output::complain(&format!("building {}: {}", bot.name, build.join(" ")));
            let builder = Builder { confiner: self, time: BUILD_TIME, network: false, interrupt };
            let log = File::from(std::io::stderr().as_fd().try_clone_to_owned()?);
            built = builder
                .build(bot, launch, build, &log, "")
                .map_err(|why| Failure::new(format!("{} cannot be built: {why}", bot.name)))?;
        }
        self.program(bot, built.as_deref()).map_err(|why| Failure::new(format!("{}: {why}", bot.name)))
    }

    /// The program of a bot that can be started, and what it sees; `None` for a person. `built` is where its folder's copy is, when it was built in one.
    pub(super) fn program(&self, bot: &BotSpec, built: Option<&Path>) -> Result<Option<Program>, String> {
        let BotKind::Program(launch) = &bot.kind else { return Ok(None) };
        let (argv, folder, env) = (launch.argv.clone(), launch.folder.clone(), launch.env.clone());
        let Some(sandbox) = self.sandbox.as_deref().filter(|_| !is_trusted(bot)) else {
            check_built(launch, built)?;
            return Ok(Some(Program { argv, folder, env, view: None, user: None }));
        };
        let mut own = own_files(launch);
        own.files.retain(|file| !sandbox.shows(file));
        let mut argv = argv;
        argv[0] = self.interpreter(bot, launch, built, &mut own, sandbox)?;
        let mut seen = Launch { argv: argv.clone(), ..launch.clone() };
        if !seen.env.iter().any(|(key, _)| key == "PATH") {
            check_first_line(&seen, built, &own, sandbox)?;
            seen.env.push(("PATH".to_string(), sandbox.search_path()));
        }
        check_built(&seen, built)?;
        let read = match built {
            Some(copy) => vec![(copy.to_path_buf(), launch.folder.clone())],
            None => Vec::new(),
        };
        let mut view = View { read, write: Vec::new() };
        let folder_to_bind = own.folder.as_ref().filter(|_| built.is_none());
        if sandbox.has_users() {
            let staged = sandbox.staging().make(&format!("bot-{}", bot.name))?;
            if let Some(own_folder) = folder_to_bind {
                let copy = staged.join("folder");
                make_folder(&copy).map_err(|error| format!("{} cannot be made: {error}", copy.display()))?;
                copy_folder(own_folder, &copy, None)?;
                view.read.push((copy, own_folder.clone()));
            }
            for (number, file) in own.files.iter().enumerate() {
                // Under its own name: interpreters tell languages by it, and without namespaces the bot is started from there.
                let place = staged.join(format!("file-{number}"));
                let copy = place.join(file.file_name().unwrap_or(OsStr::new("file")));
                make_folder(&place)
                    .and_then(|()| copy_file(file, &copy))
                    .map_err(|error| format!("{} cannot be copied: {error}", file.display()))?;
                view.read.push((copy, file.clone()));
            }
        } else {
            let whole = folder_to_bind.into_iter().chain(&own.files);
            view.read.extend(whole.map(|path| (path.clone(), path.clone())));
        }
        Ok(Some(Program { argv, folder, env, view: Some(view), user: None }))
    }

    /// The program as a confined bot finds it. What was found in the caller's PATH may be out of its sight, where another of that name is in it;
    /// and what was found nowhere may be in a folder that only confined bots are shown.
    fn interpreter(
        &self,
        bot: &BotSpec,
        launch: &Launch,
        built: Option<&Path>,
        own: &mut OwnFiles,
        sandbox: &Sandbox,
    ) -> Result<String, String> {
        let given = &launch.argv[0];
        let path = PathBuf::from(given);
        let by_name = std::env::var_os("PATH")
            .is_some_and(|list| std::env::split_paths(&list).any(|folder| path.parent() == Some(folder.as_path())));
        let name = path.file_name().unwrap_or(OsStr::new(""));
        let instead = |other: PathBuf, why: String| {
            let other = other.to_string_lossy().into_owned();
            let mut elsewhere = self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner);
            elsewhere.entry((other.clone(), why)).or_default().push(bot.name.clone());
            other
        };
        if path.parent() == Some(&launch.folder)
            && !built.unwrap_or(&launch.folder).join(name).exists()
            && let Some(other) = sandbox.find_program(name)
        {
            return Ok(instead(other, format!("there is no {given}, and none of that name in PATH")));
        }
        let in_its_folder = own.folder.as_ref().is_some_and(|folder| path.starts_with(folder));
        if in_its_folder || launch.bundled || sandbox.shows(&path) || !by_name {
            return Ok(given.clone());
        }
        own.files.retain(|file| file != &path);
        match sandbox.find_program(name) {
            Some(other) => {
                let why = format!("confined bots do not see {given} (`read` in [isolation] shows them more)");
                Ok(instead(other, why))
            }
            None => Err(format!("it is run with {given}, {}", out_of_sight(&path))),
        }
    }
}

/// Bots that come with the arena, and persons, are not confined.
fn is_trusted(bot: &BotSpec) -> bool {
    match &bot.kind {
        BotKind::Program(launch) => launch.is_trusted(),
        BotKind::Human => true,
    }
}

/// A script's first line names a program that it is run with: whether a confined bot sees it.
fn check_first_line(launch: &Launch, built: Option<&Path>, own: &OwnFiles, sandbox: &Sandbox) -> Result<(), String> {
    let script = Path::new(&launch.argv[0]);
    let place = match (built, script.strip_prefix(&launch.folder)) {
        (Some(copy), Ok(inside)) => copy.join(inside),
        _ => launch.folder.join(script),
    };
    let mut start = Vec::new();
    // What cannot be read is told when it is started.
    let _ = open_regular(&place).and_then(|file| file.take(256).read_to_end(&mut start));
    let Some(line) = start.strip_prefix(b"#!").and_then(|rest| rest.split(|byte| *byte == b'\n').next()) else {
        return Ok(());
    };
    let line = String::from_utf8_lossy(line);
    let mut words = line.split_whitespace();
    let Some(first) = words.next() else { return Ok(()) };
    let told =
        |path: &Path| format!("its first line is `#!{}`, but {}, {}", line.trim(), path.display(), out_of_sight(path));
    if first.ends_with("/env") {
        let Some(name) = words.find(|word| !word.starts_with('-') && !word.contains('=')) else { return Ok(()) };
        let callers = || std::env::var("PATH").ok().and_then(|path| program_in(OsStr::new(name), &path));
        return match sandbox.find_program(OsStr::new(name)) {
            Some(_) => Ok(()),
            None => Err(told(&callers().unwrap_or_else(|| PathBuf::from(name)))),
        };
    }
    let path = Path::new(first);
    // One that is not there at all is told when it is started.
    if !path.exists() || sandbox.shows(path) || is_own(own, path) {
        return Ok(());
    }
    Err(told(path))
}

fn is_own(own: &OwnFiles, path: &Path) -> bool {
    own.folder.as_ref().is_some_and(|folder| path.starts_with(folder)) || own.files.iter().any(|file| file == path)
}

/// What there is to do where confined bots do not see a program.
fn out_of_sight(program: &Path) -> String {
    let target = program.canonicalize().unwrap_or_else(|_| program.to_path_buf());
    let folder = target.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
    let name = program.file_name().unwrap_or(program.as_os_str());
    format!(
        "which confined bots do not see: show it to them with read = [\"{}\"] in [isolation], or install {} for all of the \
         system",
        folder.display(),
        name.to_string_lossy()
    )
}

fn copy_file(from: &Path, to: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::copy(from, to)?;
    let executable = std::fs::metadata(from)?.permissions().mode() & 0o111 != 0;
    std::fs::set_permissions(to, PermissionsExt::from_mode(if executable { 0o755 } else { 0o644 }))
}
