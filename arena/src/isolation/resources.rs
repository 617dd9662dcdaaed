//! Limits that the kernel enforces on each process by itself.

use nix::sys::resource::{Resource, setrlimit};
use serde::{Deserialize, Serialize};

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
            (Resource::RLIMIT_CORE, Some(0), 0),
        ];
        for (resource, limit, more) in limits {
            let Some(limit) = limit else { continue };
            setrlimit(resource, limit, limit + more)
                .map_err(|error| format!("{resource:?} cannot be set to {limit}: {error}"))?;
        }
        Ok(())
    }
}
