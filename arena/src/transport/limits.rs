//! What a bot may use of the machine, and which limit its end tells of.

use super::keeper::{Ended, Over, TEMPORARY_FILES};
use crate::isolation::{Allowance, Resources};
use nix::sys::signal::Signal;

/// Limits of one bot; what is not there is not limited, but for bots that are confined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The most processor time of all its processes in a match, in seconds.
    pub cpu_seconds: Option<u64>,
    /// The largest file that it may write, in bytes.
    pub file_bytes: Option<u64>,
    /// The most memory of all its processes together, in bytes.
    pub memory_bytes: Option<u64>,
    /// The most processes and threads; only for a confined bot.
    pub processes: Option<u64>,
    /// What its temporary folder holds, in bytes; only for a confined bot.
    pub temp_bytes: Option<u64>,
    /// The most open files of one process; only for a confined bot.
    pub open_files: Option<u64>,
}

/// What a confined bot may use where nobody says otherwise.
const MEMORY: u64 = 512 << 20;
const PROCESSES: u64 = 64;
const FILE: u64 = 16 << 20;
const TEMP: u64 = 32 << 20;
const OPEN_FILES: u64 = 64;

impl Limits {
    /// The same with a limit on everything.
    pub fn for_confined(&self) -> Limits {
        Limits {
            cpu_seconds: self.cpu_seconds,
            file_bytes: self.file_bytes.or(Some(FILE)),
            memory_bytes: self.memory_bytes.or(Some(MEMORY)),
            processes: self.processes.or(Some(PROCESSES)),
            temp_bytes: self.temp_bytes.or(Some(TEMP)),
            open_files: self.open_files.or(Some(OPEN_FILES)),
        }
    }

    /// The limits that were set, as `arena match --limit` takes them: `memory=64MiB`. That on open files has no word.
    pub fn words(&self) -> Vec<String> {
        let size = |bytes: u64| match bytes {
            bytes if bytes.is_multiple_of(1 << 20) => format!("{}MiB", bytes >> 20),
            bytes => format!("{bytes}B"),
        };
        let set = [
            ("cpu", self.cpu_seconds.map(|seconds| format!("{seconds}s"))),
            ("memory", self.memory_bytes.map(size)),
            ("files", self.file_bytes.map(size)),
            ("processes", self.processes.map(|most| most.to_string())),
            ("temp", self.temp_bytes.map(size)),
        ];
        set.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", value?))).collect()
    }

    /// What the kernel holds each process of a bot to that is not confined.
    pub(super) fn own(&self) -> Resources {
        Resources { cpu_seconds: self.cpu_seconds, file_bytes: self.file_bytes, ..Resources::default() }
    }

    /// What a confined program is held to, and whether it has the machine's network.
    pub(super) fn allowance(&self, network: bool) -> Allowance {
        let resources =
            Resources { processes: self.processes, open_files: self.open_files, locked_bytes: Some(0), ..self.own() };
        Allowance { resources, temp_bytes: self.temp_bytes.unwrap_or(TEMP), network }
    }

    /// The limit that a bot's end tells of, as it was set.
    pub(super) fn passed_by(&self, ended: Ended) -> Option<String> {
        let mib = |bytes: u64| if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{bytes} bytes") };
        let processor = |seconds: u64| format!("processor time: {seconds} s in a match");
        match ended.over {
            Some(Over::Memory) => return self.memory_bytes.map(|most| format!("memory: {} in all", mib(most))),
            Some(Over::Processor) => return self.cpu_seconds.map(processor),
            Some(Over::Processes) => return self.processes.map(|most| format!("processes: {most} in all")),
            Some(Over::TemporaryFiles) => return Some(format!("temporary files: {TEMPORARY_FILES}")),
            None => {}
        }
        let spent = |seconds: u64| ended.cpu_us >= seconds * 1_000_000;
        match (Signal::try_from(ended.signal?).ok()?, self.cpu_seconds, self.file_bytes) {
            (Signal::SIGXCPU, Some(seconds), _) => Some(processor(seconds)),
            (Signal::SIGKILL, Some(seconds), _) if spent(seconds) => Some(processor(seconds)),
            (Signal::SIGXFSZ, _, Some(bytes)) => Some(format!("file size: {} a file", mib(bytes))),
            _ => None,
        }
    }
}
