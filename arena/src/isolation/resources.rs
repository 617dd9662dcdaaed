//! Limits that the kernel enforces on each process by itself.

use nix::sys::resource::{Resource, setrlimit};
use nix::unistd::Uid;
use serde::{Deserialize, Serialize};
use std::fs;
use std::os::unix::fs::MetadataExt;

/// What one process may use at the most; what is not there is not limited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resources {
    /// Processor time, in seconds.
    pub cpu_seconds: Option<u64>,
    /// The largest file that it may write, in bytes.
    pub file_bytes: Option<u64>,
    /// Processes and threads of its user, or of its user namespace.
    pub processes: Option<u64>,
    /// Open files.
    pub open_files: Option<u64>,
    /// Memory that may not be swapped out, in bytes.
    pub locked_bytes: Option<u64>,
}

/// The size of a memory image after a crash, in bytes: none.
const CORE: u64 = 1;

/// Signals that wait to be received, the most.
const SIGNALS: u64 = 1024;

/// The processes and threads that the user of this process has now.
pub fn tasks_of_this_user() -> u64 {
    let own = Uid::effective().as_raw();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let of_user = entries.filter(|entry| entry.metadata().is_ok_and(|about| about.uid() == own));
    of_user.filter_map(|entry| Some(fs::read_dir(entry.path().join("task")).ok()?.count() as u64)).sum()
}

impl Resources {
    /// Sets these limits for the calling process and all that it starts. Only system calls are made.
    ///
    /// # Errors
    /// The limit that could not be set, in words.
    pub fn set(&self) -> Result<(), String> {
        let limits = [
            // The hard limit is a second later: the soft one's signal names the cause.
            (Resource::RLIMIT_CPU, self.cpu_seconds, 1),
            (Resource::RLIMIT_FSIZE, self.file_bytes, 0),
            (Resource::RLIMIT_NPROC, self.processes, 0),
            (Resource::RLIMIT_NOFILE, self.open_files, 0),
            (Resource::RLIMIT_MEMLOCK, self.locked_bytes, 0),
            // With 0 a crash would still start the system's own collector; 1 says that there is none.
            (Resource::RLIMIT_CORE, Some(CORE), 0),
            // Shared by all of a user, like timers: nobody takes it from others.
            (Resource::RLIMIT_SIGPENDING, self.processes.and(Some(SIGNALS)), 0),
        ];
        for (resource, limit, more) in limits {
            let Some(limit) = limit else { continue };
            setrlimit(resource, limit, limit + more)
                .map_err(|error| format!("{resource:?} cannot be set to {limit}: {error}"))?;
        }
        Ok(())
    }
}
