//! Limits on the whole of a bot, that no single process can be held to: memory, processor time, temporary files. A control group
//! holds memory where there is one; else it is looked at again and again, which a bot may run ahead of for a moment.

use crate::transport::tree;
use nix::sys::statfs::statfs;
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often is looked.
const INTERVAL: Duration = Duration::from_millis(50);

/// How many files a bot may have in its temporary folder: each costs memory that nobody else counts.
pub const TEMPORARY_FILES: u64 = 10_000;

/// A limit on the whole of a bot that was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Over {
    /// Memory.
    Memory,
    /// Processor time.
    Processor,
    /// The number of temporary files.
    TemporaryFiles,
    /// The number of processes and threads.
    Processes,
}

/// What is watched.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Watch {
    /// The most memory of all its processes together, in bytes.
    pub memory_bytes: Option<u64>,
    /// The control group whose kernel holds it to that, when there is one.
    pub memory_group: Option<PathBuf>,
    /// The most processor time of all its processes together, in microseconds.
    pub cpu_us: Option<u64>,
    /// The control group that counts it, when there is one.
    pub cpu_group: Option<PathBuf>,
    /// Whether it has temporary folders of its own.
    pub temporary: bool,
    /// The most processes and threads, where the kernel does not hold it to that.
    pub processes: Option<u64>,
}

impl Watch {
    /// How often is to be looked; never, when the kernel holds all limits.
    pub(super) fn interval(&self) -> Option<Duration> {
        let looked_at = self.memory_group.is_none() && (self.memory_bytes.is_some() || self.temporary);
        (looked_at || self.cpu_us.is_some() || self.processes.is_some()).then_some(INTERVAL)
    }

    /// The control group besides the one in which it is frozen.
    pub(super) fn group(&self) -> Option<&Path> {
        self.memory_group.as_deref()
    }

    /// The limit that the bot has passed, if one.
    pub(super) fn passed(&self, bot: Pid) -> Option<Over> {
        let memory = self.memory_bytes.filter(|_| self.memory_group.is_none());
        if memory.is_some() || self.processes.is_some() {
            let used = Used::now();
            // Most of what a process has of its parent's memory it shares with it: told apart only when it matters, as that takes long.
            if memory.is_some_and(|most| used.awake && used.bytes > most && Used::with_shares().bytes > most) {
                return Some(Over::Memory);
            }
            if self.processes.is_some_and(|most| used.tasks > most) {
                return Some(Over::Processes);
            }
        }
        if self.cpu_us.is_some_and(|most| self.processor_us() > most) {
            return Some(Over::Processor);
        }
        let many = self.temporary && self.memory_group.is_none() && temporary_files(bot) > TEMPORARY_FILES;
        many.then_some(Over::TemporaryFiles)
    }

    /// The limit for which the kernel has ended a process of the bot's, if it has.
    pub(super) fn kernel_ended_it(&self) -> Option<Over> {
        let group = self.memory_group.as_deref()?;
        let count = |file: &str| {
            let text = fs::read_to_string(group.join(file)).ok()?;
            text.lines().find_map(|line| line.strip_prefix("oom_kill "))?.trim().parse::<u64>().ok()
        };
        let ended = count("memory.events").or_else(|| count("memory.oom_control"))?;
        (ended > 0).then_some(Over::Memory)
    }

    /// Processor time used so far, in microseconds.
    pub(super) fn processor_us(&self) -> u64 {
        let counted = self.cpu_group.as_deref().and_then(|group| {
            let text = fs::read_to_string(group.join("cpu.stat")).ok()?;
            text.lines().find_map(|line| line.strip_prefix("usage_usec "))?.trim().parse().ok()
        });
        counted.unwrap_or_else(|| tree::processor_us(Pid::this()))
    }
}

/// What all processes of the bot use together.
#[derive(Default)]
struct Used {
    /// Memory, in bytes: what is in use or was swapped out, and the tables that lead to it.
    bytes: u64,
    /// Processes and threads.
    tasks: u64,
    /// Whether one of them may run: what is stopped takes nothing more.
    awake: bool,
}

impl Used {
    /// What they share counts for each.
    fn now() -> Used {
        Used::by(|_| None)
    }

    /// What they share counts once.
    fn with_shares() -> Used {
        Used::by(|pid| {
            let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
            let sizes = text.lines().filter_map(|line| line.strip_prefix("Pss:").or(line.strip_prefix("SwapPss:")));
            sizes.map(|size| size.split_whitespace().next()?.parse::<u64>().ok()).sum()
        })
    }

    /// `kib`: the memory of a process, where it is known better than the first sight tells.
    fn by(kib: impl Fn(Pid) -> Option<u64>) -> Used {
        let mut used = Used::default();
        for pid in tree::descendants(Pid::this()) {
            let better = kib(pid);
            used.bytes += better.unwrap_or(0) << 10;
            let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
            for line in status.lines() {
                let Some((key, value)) = line.split_once(':') else { continue };
                let number = || value.split_whitespace().next().and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
                match key {
                    "VmRSS" | "VmSwap" if better.is_none() => used.bytes += number() << 10,
                    "VmPTE" => used.bytes += number() << 10,
                    "Threads" => used.tasks += number(),
                    "State" => used.awake |= !value.trim_start().starts_with(['T', 'Z']),
                    _ => {}
                }
            }
        }
        used
    }
}

/// Files in the bot's own temporary folder; none where it has the machine's, which others fill.
fn temporary_files(bot: Pid) -> u64 {
    let used = |folder: &str| {
        let its = format!("/proc/{bot}/root{folder}");
        let device = |folder: &str| fs::metadata(folder).ok().map(|about| about.dev());
        if device(&its) == device(folder) {
            return 0;
        }
        statfs(its.as_str()).map_or(0, |about| about.files().saturating_sub(about.files_free()))
    };
    used("/tmp") + used("/dev/shm")
}

/// Holds a control group to this much memory, with whichever kind of group it is.
pub fn hold_memory(group: &Path, bytes: u64) -> std::io::Result<()> {
    let bytes = bytes.to_string();
    if group.join("memory.max").exists() {
        // What is swapped out would not count.
        let _ = fs::write(group.join("memory.swap.max"), "0");
        return fs::write(group.join("memory.max"), bytes);
    }
    fs::write(group.join("memory.limit_in_bytes"), &bytes)?;
    let _ = fs::write(group.join("memory.memsw.limit_in_bytes"), &bytes);
    Ok(())
}
