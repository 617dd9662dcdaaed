//! The `arena` program as a user runs it: in a private folder, with its output and status kept, and a bound on its time.

use crate::{binaries, processes, transcript};
use serde_json::Value;
use std::ffi::OsString;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use wait_timeout::ChildExt;

/// The user whom every Linux has for programs that own nothing.
const NOBODY: u32 = 65534;

/// A command line of the arena in preparation. Its folder lives as long as it does.
pub struct Arena {
    folder: TempDir,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    input: Option<String>,
    bound: Duration,
    marker: String,
    /// Where the programs are for a user who may not look into the build's folder.
    programs: Option<PathBuf>,
}

/// What a run left.
#[derive(Debug)]
pub struct Run {
    /// The exit code; nothing when a signal ended it.
    pub code: Option<i32>,
    /// The process id that the arena had.
    pub pid: u32,
    /// How it ended.
    pub status: ExitStatus,
    /// Its standard output, made valid UTF-8.
    pub stdout: String,
    /// Its standard error, made valid UTF-8.
    pub stderr: String,
    /// Wall time from start to exit.
    pub took: Duration,
    /// The most memory that the arena itself was seen to hold, in KiB; sampled, so short peaks may be missed.
    pub peak_kib: u64,
}

impl Arena {
    /// A run with these arguments, in a new empty folder, bound to three minutes: by far more than any takes, also where other tests run
    /// beside it.
    pub fn new<A: Into<OsString>>(arguments: impl IntoIterator<Item = A>) -> Arena {
        Arena {
            folder: TempDir::with_prefix("arena-test-").expect("a folder for temporary files"),
            arguments: arguments.into_iter().map(Into::into).collect(),
            environment: vec![("NO_COLOR".into(), "1".into())],
            input: None,
            bound: Duration::from_secs(180),
            marker: processes::new_marker(),
            programs: None,
        }
    }

    /// Runs it as a user without any rights, also where the tests run as root. The programs are copied into the private
    /// folder, which becomes that user's.
    pub fn as_ordinary_user(mut self) -> Arena {
        if nix::unistd::geteuid().is_root() {
            let programs = self.path("programs");
            fs::create_dir(&programs).expect("the private folder is writable");
            for program in [binaries::arena(), binaries::fixture()] {
                let name = program.file_name().expect("a program has a name").to_owned();
                fs::copy(&program, programs.join(name)).expect("there is room for two programs");
            }
            chown(self.folder(), Some(NOBODY), Some(NOBODY)).expect("root gives files away");
            self.programs = Some(programs);
        }
        self
    }

    /// One more argument.
    pub fn arg(mut self, argument: impl Into<OsString>) -> Arena {
        self.arguments.push(argument.into());
        self
    }

    /// More arguments, split at spaces.
    pub fn args(mut self, arguments: &str) -> Arena {
        self.arguments.extend(arguments.split_whitespace().map(Into::into));
        self
    }

    /// `--bot NAME=` the fixture bot with this word and these flags, marked.
    pub fn fixture(self, name: &str, word: &str) -> Arena {
        let bot = format!("{name}={}", self.fixture_command(word));
        self.arg("--bot").arg(bot)
    }

    /// The command line of a marked fixture bot.
    pub fn fixture_command(&self, word: &str) -> String {
        format!("{} {word} --marker {}", quoted(&self.program(binaries::fixture())), self.marker)
    }

    fn program(&self, built: PathBuf) -> PathBuf {
        let name = built.file_name().expect("a program has a name");
        self.programs.as_ref().map_or_else(|| built.clone(), |programs| programs.join(name))
    }

    /// Sets a variable of the environment.
    pub fn env(mut self, key: &str, value: impl Into<OsString>) -> Arena {
        self.environment.push((key.into(), value.into()));
        self
    }

    /// What is piped into its standard input, which ends then; without it, there is nothing to read.
    pub fn input(mut self, text: impl Into<String>) -> Arena {
        self.input = Some(text.into());
        self
    }

    /// Changes the bound on wall time. A run that passes it is ended, and the test fails.
    pub fn within(mut self, bound: Duration) -> Arena {
        self.bound = bound;
        self
    }

    /// The private folder, which is the current folder of the run.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A path in the private folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The text that every fixture of this run has among its arguments.
    pub fn marker(&self) -> &str {
        &self.marker
    }

    /// The events of a transcript in the private folder.
    pub fn transcript(&self, name: &str) -> Vec<Value> {
        transcript::transcript(&self.path(name))
    }

    /// Writes a file in the private folder, with the folders on the way.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        let parent = path.parent().expect("a file is in a folder");
        fs::create_dir_all(parent).and_then(|()| fs::write(&path, text)).expect("the private folder is writable");
        path
    }

    /// Runs it to its end. Panics when the bound is passed, with what had been printed until then.
    pub fn run(&self) -> Run {
        self.to_its_end(&self.arguments)
    }

    /// Runs another command line of the arena in the same folder, its words split at spaces.
    pub fn also(&self, arguments: &str) -> Run {
        let arguments: Vec<OsString> = arguments.split_whitespace().map(Into::into).collect();
        self.to_its_end(&arguments)
    }

    /// The same, its words as they are.
    pub fn also_words(&self, arguments: &[&str]) -> Run {
        let arguments: Vec<OsString> = arguments.iter().map(Into::into).collect();
        self.to_its_end(&arguments)
    }

    fn to_its_end(&self, arguments: &[OsString]) -> Run {
        let mut running = self.launch(arguments);
        match running.finish(self.bound) {
            Some(run) => run,
            None => {
                processes::end_marked(&self.marker);
                let (stdout, stderr) = running.end();
                panic!("{arguments:?} was not done within {:?}\n{stdout}\n{stderr}", self.bound)
            }
        }
    }

    /// Starts it and does not wait, for tests that interrupt it.
    pub fn start(&self) -> Running {
        self.launch(&self.arguments)
    }

    /// Starts another command line of the arena in the same folder, its words split at spaces, and does not wait.
    pub fn start_also(&self, arguments: &str) -> Running {
        let arguments: Vec<OsString> = arguments.split_whitespace().map(Into::into).collect();
        self.launch(&arguments)
    }

    /// The same, its words as they are.
    pub fn start_words(&self, arguments: &[&str]) -> Running {
        let arguments: Vec<OsString> = arguments.iter().map(Into::into).collect();
        self.launch(&arguments)
    }

    fn launch(&self, arguments: &[OsString]) -> Running {
        let mut command = Command::new(self.program(binaries::arena()));
        if self.programs.is_some() {
            command.uid(NOBODY).gid(NOBODY);
        }
        let mut child = command
            .args(arguments)
            .envs(self.environment.iter().map(|(key, value)| (key, value)))
            .current_dir(self.folder.path())
            .stdin(if self.input.is_some() { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the arena starts");
        if let (Some(mut stdin), Some(text)) = (child.stdin.take(), self.input.clone()) {
            // A program that ends before it has read everything is the test's to judge.
            thread::spawn(move || stdin.write_all(text.as_bytes()));
        }
        let stdout = collect(child.stdout.take().expect("stdout is piped"));
        let stderr = collect(child.stderr.take().expect("stderr is piped"));
        Running { child, stdout: Some(stdout), stderr: Some(stderr), since: Instant::now(), peak_kib: 0 }
    }

    /// Whether all bots of this run are gone, with a short wait for the kernel to reap them.
    pub fn no_process_left(&self) -> Result<(), Vec<String>> {
        processes::no_process_left(&self.marker, Duration::from_secs(3))
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        processes::end_marked(&self.marker);
    }
}

/// An arena that runs. Dropped, it is killed.
pub struct Running {
    child: Child,
    stdout: Option<JoinHandle<String>>,
    stderr: Option<JoinHandle<String>>,
    since: Instant,
    peak_kib: u64,
}

impl Running {
    /// The process id of the arena.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: nix::sys::signal::Signal) {
        let pid = nix::unistd::Pid::from_raw(self.child.id() as i32);
        nix::sys::signal::kill(pid, signal).expect("the arena is still there");
    }

    /// Waits for the exit, until `bound` after the start at most.
    pub fn finish(&mut self, bound: Duration) -> Option<Run> {
        let status = loop {
            self.peak_kib = self.peak_kib.max(processes::peak_memory_kib(self.child.id()).unwrap_or(0));
            match self.child.wait_timeout(Duration::from_millis(10)).expect("a child can be waited for") {
                Some(status) => break status,
                None if self.since.elapsed() >= bound => return None,
                None => {}
            }
        };
        let took = self.since.elapsed();
        let (stdout, stderr) = self.output();
        Some(Run { code: status.code(), pid: self.pid(), status, stdout, stderr, took, peak_kib: self.peak_kib })
    }

    /// Kills it; what it had printed.
    pub fn end(mut self) -> (String, String) {
        self.kill();
        self.output()
    }

    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Both streams to their end.
    fn output(&mut self) -> (String, String) {
        let text = |stream: &mut Option<JoinHandle<String>>| {
            stream.take().map(|reader| reader.join().expect("a reader does not panic")).unwrap_or_default()
        };
        (text(&mut self.stdout), text(&mut self.stderr))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Run {
    /// Standard error without the one note that depends on what else runs on this machine.
    pub fn complaints(&self) -> String {
        complaints(&self.stderr)
    }

    /// The last line of standard output as JSON. Panics where it is none.
    pub fn json(&self) -> Value {
        self.try_json().unwrap_or_else(|| panic!("the last line on stdout is no JSON\n{self:#?}"))
    }

    /// The last line of standard output as JSON, where it is.
    pub fn try_json(&self) -> Option<Value> {
        serde_json::from_str(self.stdout.lines().last()?).ok()
    }
}

/// Standard error without the one note that depends on what else runs on this machine.
pub fn complaints(stderr: &str) -> String {
    stderr
        .lines()
        .filter(|line| !line.starts_with("note: every core is in use"))
        .map(|line| format!("{line}\n"))
        .collect()
}

fn collect(mut stream: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("a pipe can be read");
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// A path as one word of a shell's command line.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}
