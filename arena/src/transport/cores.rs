//! Which processor cores a match runs on. A match is sequential: its thread and both bots on one core hand over in a
//! sixth of the time that two sleeping cores take, and a bot that is held to one core can be told from a busy machine.

use nix::fcntl::{Flock, FlockArg, OFlag};
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use std::fs::{self, File, OpenOptions, Permissions};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::PathBuf;

/// Every user's arenas meet here.
const FOLDER: &str = "/tmp/arena-cores";

/// A core that this arena holds, so that another arena takes a different one.
#[derive(Debug)]
pub struct Claim {
    core: usize,
    /// Held for as long as the claim; the system lets go of it if this process dies.
    _lock: Option<Flock<File>>,
}

impl Claim {
    /// The number of the core.
    pub fn core(&self) -> usize {
        self.core
    }

    /// Whether another arena may be using it too.
    pub fn shared(&self) -> bool {
        self._lock.is_none()
    }
}

/// The cores that this process may use.
pub fn allowed() -> Vec<usize> {
    let Ok(set) = sched_getaffinity(Pid::from_raw(0)) else { return vec![0] };
    (0..CpuSet::count()).filter(|core| set.is_set(*core).unwrap_or(false)).collect()
}

/// The cores that this process may use, without these.
pub fn all_but(taken: &[usize]) -> Vec<usize> {
    allowed().into_iter().filter(|core| !taken.contains(core)).collect()
}

/// Claims one core that no other arena has claimed; where all are taken, the first one, shared.
pub fn claim_one() -> Claim {
    let cores = allowed();
    // The last first: the system's own work tends to be on the first.
    for core in cores.iter().rev() {
        if let Some(lock) = lock(*core) {
            return Claim { core: *core, _lock: Some(lock) };
        }
    }
    Claim { core: cores.last().copied().unwrap_or(0), _lock: None }
}

/// The cores that this process may use, and the process that has claimed each.
pub fn claims() -> Vec<(usize, Option<i32>)> {
    let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
    let holder = |core: usize| {
        let file = fs::metadata(PathBuf::from(FOLDER).join(core.to_string())).ok()?;
        let end = format!(":{}", file.ino());
        locks.lines().find_map(|line| {
            // Number, kind, how, for what, process, device:inode.
            let words: Vec<&str> = line.split_whitespace().collect();
            (words.get(1) == Some(&"FLOCK") && words.get(5)?.ends_with(&end)).then(|| words[4].parse().ok())?
        })
    };
    allowed().into_iter().map(|core| (core, holder(core))).collect()
}

/// Binds the calling thread, and the processes that it will start, to these cores.
pub fn bind_this_thread(cores: &[usize]) -> Result<(), String> {
    let allowed = allowed();
    if let Some(core) = cores.iter().find(|core| !allowed.contains(core)) {
        let list = allowed.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        return Err(format!("core {core} is not there to be used: this process may use {list}"));
    }
    move_this_thread(cores)
}

/// The same for a thread of one that is bound already: it may leave its parent's cores for those that were allowed before.
pub fn move_this_thread(cores: &[usize]) -> Result<(), String> {
    let mut set = CpuSet::new();
    for core in cores {
        set.set(*core).map_err(|error| format!("core {core}: {error}"))?;
    }
    sched_setaffinity(Pid::from_raw(0), &set).map_err(|error| format!("cannot be bound to cores {cores:?}: {error}"))
}

/// Reads a list of cores: `0`, `0,2`, `0-3`.
pub fn parse_list(text: &str) -> Result<Vec<usize>, String> {
    let wrong = || format!("`{text}` is no list of cores: write them like `0`, `0,2` or `0-3`");
    let mut cores = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let first: usize = first.trim().parse().map_err(|_| wrong())?;
        let last: usize = last.trim().parse().map_err(|_| wrong())?;
        if first > last || last >= CpuSet::count() {
            return Err(wrong());
        }
        cores.extend(first..=last);
    }
    cores.sort_unstable();
    cores.dedup();
    Ok(cores)
}

fn lock(core: usize) -> Option<Flock<File>> {
    let folder = PathBuf::from(FOLDER);
    if fs::create_dir(&folder).is_ok() {
        let _ = fs::set_permissions(&folder, Permissions::from_mode(0o1777));
    }
    let path = folder.join(core.to_string());
    // Whatever another user has put there must not hold us up, nor lead elsewhere.
    let careful = (OFlag::O_NONBLOCK | OFlag::O_NOFOLLOW).bits();
    // Read access is enough to lock a file that another user has made.
    let file = OpenOptions::new().read(true).custom_flags(careful).open(&path).or_else(|_| {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create_new(true).custom_flags(careful).open(&path)?;
        file.set_permissions(Permissions::from_mode(0o644))?;
        Ok::<_, std::io::Error>(file)
    });
    let file = file.ok().filter(|file| file.metadata().is_ok_and(|about| about.is_file()))?;
    Flock::lock(file, FlockArg::LockExclusiveNonblock).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_cores_are_read() {
        assert_eq!(parse_list("0").unwrap(), [0]);
        assert_eq!(parse_list("3,0-1,1").unwrap(), [0, 1, 3]);
        for wrong in ["", "a", "2-1", "1,", "-1", "0-99999999"] {
            assert!(parse_list(wrong).unwrap_err().contains("0,2"), "{wrong}");
        }
    }

    #[test]
    fn a_claimed_core_is_not_given_twice() {
        let (one, two) = (claim_one(), claim_one());
        assert!(two.shared() || one.core() != two.core());
    }
}
