//! The process of a bot that speaks in words: lines to it, lines from it, how it ends. Knows nothing of JSON or of games.

use super::failed;
use crate::conversation::Stop;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{Signal, raise};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

/// The longest line that is read as an answer, in bytes; what is longer is the arena's to judge, whose limit it is too.
const LONGEST_LINE: usize = 64 * 1024;

/// Between two looks at a bot that says nothing, in ms. Its end is seen at once when it closes its output with it; the looks
/// are for one whose output somebody else still holds.
const LOOK_MS: u16 = 50;

/// So many ms a bot that has closed its output may take to end.
const LOOKS_AT_THE_END: u32 = 100;

/// So much of what came early is passed over at most, in bytes: the arena is to see a flood.
const EARLY: usize = 256 * 1024;

/// A bot that runs.
pub(super) struct Inner {
    child: Child,
    /// Gone once our own input has ended.
    input: Option<ChildStdin>,
    /// Gone once it has ended.
    output: Option<ChildStdout>,
    /// What was read and not yet taken.
    buffer: Vec<u8>,
    /// Whether nobody can write to us any more.
    hung_up: bool,
}

/// What came of a request.
pub(super) enum Heard {
    /// A line without its end, made valid UTF-8; also one that was cut off by the end of the output.
    Line(String),
    /// The beginning of a line that is too long to be an answer.
    TooLong(Vec<u8>),
    /// It will say nothing more.
    Nothing,
}

impl Inner {
    /// Starts the command here. Its first word with a slash, or the name of a file here, is that file; else it is looked up
    /// in PATH.
    pub(super) fn start(command: &[String]) -> Result<Inner, Stop> {
        let (program, arguments) = command.split_first().expect("a command has a word");
        let is_here = !program.contains('/') && Path::new(program).is_file();
        let path = if is_here { format!("./{program}") } else { program.clone() };
        let child = Command::new(path).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| failed(format!("the bot `{program}` cannot be started: {error}")))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        Ok(Inner { child, input, output, buffer: Vec::new(), hung_up: false })
    }

    /// The lines that it said while nothing was asked, and that come within this time.
    pub(super) fn take_what_came_early(&mut self, wait_ms: u16) -> Vec<String> {
        let mut wait_ms = wait_ms;
        while self.buffer.len() < EARLY && self.has_something_to_say(wait_ms) && self.read() {
            wait_ms = 0;
        }
        let early = std::mem::take(&mut self.buffer);
        String::from_utf8_lossy(&early).lines().map(String::from).collect()
    }

    /// Sends a line and waits for one. If the other end of our own input is closed, and `more` says that nothing is left in it
    /// to be asked, the bot's input ends as well, and what it then says is heard. `begun` is told once of a line that stays without
    /// its newline.
    pub(super) fn ask(&mut self, request: &str, mut more: impl FnMut() -> bool, begun: impl FnOnce(&str)) -> Heard {
        let request = format!("{request}\n").into_bytes();
        let mut begun = Some(begun);
        if let Some(input) = &mut self.input
            && input.write_all(&request).is_err()
        {
            // It does not listen any more; it may have said something before.
            self.input = None;
        }
        loop {
            if self.hung_up && self.input.is_some() && !more() {
                self.input = None;
            }
            if let Some(end) = self.buffer.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.buffer.drain(..=end).collect();
                let line = line[..end].strip_suffix(b"\r").unwrap_or(&line[..end]);
                return Heard::Line(String::from_utf8_lossy(line).into_owned());
            }
            if self.buffer.len() > LONGEST_LINE {
                return Heard::TooLong(std::mem::take(&mut self.buffer));
            }
            if self.output.is_none() {
                return self.last_line();
            }
            if self.has_something_to_say(LOOK_MS) {
                self.read();
                continue;
            }
            if !self.buffer.is_empty()
                && let Some(begun) = begun.take()
            {
                begun(&String::from_utf8_lossy(&self.buffer));
            }
            if matches!(self.child.try_wait(), Ok(Some(_))) && !self.has_something_to_say(0) {
                self.output = None;
            }
        }
    }

    /// Ends its input, waits for its end, and ends as it did: with its exit status, or by its signal.
    pub(super) fn end(mut self) -> ExitCode {
        self.input = None;
        loop {
            match self.child.try_wait() {
                Ok(None) if self.output.is_none() => wait_unheard(&mut self.child),
                // Nobody hears what it still says; unread, it would keep the bot from ending.
                Ok(None) if self.has_something_to_say(LOOK_MS) => {
                    self.read();
                    self.buffer.clear();
                }
                Ok(None) => {}
                Ok(Some(status)) => return end_like(status),
                Err(error) => {
                    crate::complain(&format!("how the bot ended is not known: {error}"));
                    return ExitCode::FAILURE;
                }
            }
        }
    }

    /// A line that the end of the output has cut off counts, since the arena takes such a one too.
    fn last_line(&mut self) -> Heard {
        match std::mem::take(&mut self.buffer) {
            line if line.is_empty() => Heard::Nothing,
            line => Heard::Line(String::from_utf8_lossy(&line).into_owned()),
        }
    }

    /// Waits for output so long; true also for its end. Notes when the other end of our own input is closed meanwhile.
    fn has_something_to_say(&mut self, wait_ms: u16) -> bool {
        let Some(output) = &self.output else { return false };
        let stdin = io::stdin();
        let mut descriptors = vec![PollFd::new(output.as_fd(), PollFlags::POLLIN)];
        if !self.hung_up {
            // No flag is asked for: a hang-up is always told.
            descriptors.push(PollFd::new(stdin.as_fd(), PollFlags::empty()));
        }
        match poll(&mut descriptors, PollTimeout::from(wait_ms)) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => return true,
        }
        let told = |index: usize| {
            descriptors.get(index).and_then(PollFd::revents).is_some_and(|flags: PollFlags| !flags.is_empty())
        };
        let (speaks, hung_up) = (told(0), told(1));
        self.hung_up |= hung_up;
        speaks
    }

    /// Reads what is there, or waits for something; false at the end.
    fn read(&mut self) -> bool {
        let Some(output) = &mut self.output else { return false };
        let mut chunk = [0; 4096];
        match output.read(&mut chunk) {
            Ok(0) => self.output = None,
            Ok(count) => self.buffer.extend_from_slice(&chunk[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => self.output = None,
        }
        self.output.is_some()
    }
}

/// Waits for the end of a bot that has closed its output, which mostly follows at once. If it stays, our output is closed as
/// well, so that the arena sees what there is to see.
fn wait_unheard(child: &mut Child) {
    for _ in 0..LOOKS_AT_THE_END {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
    if let Ok(nowhere) = File::options().write(true).open("/dev/null") {
        let _ = nix::unistd::dup2_stdout(nowhere);
    }
    // The status is asked for once more by whoever called.
    let _ = child.wait();
}

/// Ends this process as another one has ended.
fn end_like(status: ExitStatus) -> ExitCode {
    if let Some(code) = status.code() {
        return ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX));
    }
    let number = status.signal().unwrap_or_default();
    if let Ok(signal) = Signal::try_from(number) {
        // One core file is enough.
        let _ = setrlimit(Resource::RLIMIT_CORE, 0, 0);
        // Of some signals the first one only takes off the handler that Rust programs have for it.
        let _ = raise(signal).and_then(|()| raise(signal));
    }
    // A signal that does not end this process: told as a shell tells it.
    crate::complain(&format!("the bot was ended by signal {number}"));
    ExitCode::from(u8::try_from(128 + number).unwrap_or(u8::MAX))
}
