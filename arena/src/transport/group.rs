//! Control groups (cgroup v2): one for each bot, where the system lets us make them. They freeze, kill and measure a
//! whole process tree at once. No controller is needed for that.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// An arena's folder is called so, with its process id.
const PREFIX: &str = "arena-";

/// Where this arena's groups are made. Made once; its folder goes with it.
#[derive(Debug)]
pub struct Groups {
    folder: PathBuf,
    /// The same folder as `/proc/PID/cgroup` names it.
    name: String,
    made: AtomicU64,
}

impl Groups {
    /// Prepares a folder of groups for this process, or says why there can be none.
    pub fn new() -> Result<Groups, String> {
        let (own, inside) = own_group().ok_or("no cgroup v2 is mounted")?;
        // Moving a process asks for the right to write in the group that holds both its old and its new one.
        let writable = fs::OpenOptions::new().write(true).open(own.join("cgroup.procs"));
        writable.map_err(|error| format!("{} is not ours to write: {error}", own.display()))?;
        remove_what_dead_arenas_left(&own);
        let folder = own.join(format!("{PREFIX}{}", std::process::id()));
        let inside = inside.trim_end_matches('/');
        let name = format!("{inside}/{PREFIX}{}", std::process::id());
        let groups = Groups { folder, name, made: AtomicU64::new(0) };
        let probe = groups.make().map_err(|error| format!("no group can be made in {}: {error}", own.display()))?;
        let complete = ["cpu.pressure", "cpu.stat", "cgroup.freeze", "cgroup.kill"]
            .map(|file| (file, probe.path.join(file).exists()));
        match complete.iter().find(|(_, there)| !there) {
            Some((file, _)) => Err(format!("its groups have no {file}")),
            None => Ok(groups),
        }
    }

    /// The same in the older hierarchy that only counts and limits memory, for what the newer one cannot do here.
    pub fn for_memory() -> Result<Groups, String> {
        let (own, inside) = group_in("memory").ok_or("no hierarchy for memory is mounted")?;
        let writable = fs::OpenOptions::new().write(true).open(own.join("cgroup.procs"));
        writable.map_err(|error| format!("{} is not ours to write: {error}", own.display()))?;
        remove_what_dead_arenas_left(&own);
        let own_name = format!("{PREFIX}{}", std::process::id());
        let name = format!("{}/{own_name}", inside.trim_end_matches('/'));
        let groups = Groups { folder: own.join(own_name), name, made: AtomicU64::new(0) };
        let probe = groups.make().map_err(|error| format!("no group can be made in {}: {error}", own.display()))?;
        super::keeper::hold_memory(probe.path(), 1 << 30)
            .map_err(|error| format!("memory cannot be limited in {}: {error}", own.display()))?;
        Ok(groups)
    }

    /// Whether its groups can hold memory.
    pub fn hold_memory(&self) -> bool {
        self.make().is_ok_and(|group| group.path().join("memory.max").exists())
    }

    /// A new, empty group.
    pub fn make(&self) -> io::Result<Group> {
        loop {
            // The folder may have gone with the last group in it.
            fs::create_dir_all(&self.folder)?;
            let number = self.made.fetch_add(1, Ordering::Relaxed);
            let path = self.folder.join(number.to_string());
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Group { path, name: format!("{}/{number}", self.name) }),
                // Never somebody else's group: whoever kills one kills all that is in it.
                Err(error) if matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.folder);
    }
}

/// One bot's group.
#[derive(Debug)]
pub struct Group {
    path: PathBuf,
    name: String,
}

impl Group {
    /// Its folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its name, as `/proc/PID/cgroup` tells it of its members.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Stops every process in it, or lets them go on.
    pub fn freeze(&self, frozen: bool) -> io::Result<()> {
        fs::write(self.path.join("cgroup.freeze"), if frozen { "1" } else { "0" })
    }

    /// Kills every process in it.
    pub fn kill(&self) -> io::Result<()> {
        fs::write(self.path.join("cgroup.kill"), "1")
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // The keeper has removed it already, unless it is an empty one.
        let _ = fs::remove_dir(&self.path);
    }
}

/// An arena that was killed before it had a bot leaves its folder. Only empty ones can be removed.
fn remove_what_dead_arenas_left(own: &Path) {
    for entry in fs::read_dir(own).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { continue };
        if fs::exists(Path::new("/proc").join(pid)).unwrap_or(true) {
            continue;
        }
        for group in fs::read_dir(entry.path()).into_iter().flatten().flatten() {
            let _ = fs::remove_dir(group.path());
        }
        let _ = fs::remove_dir(entry.path());
    }
}

/// The folder of the v2 group in which this process is, and the group's name, which begins with `/`.
fn own_group() -> Option<(PathBuf, String)> {
    own_group_where(
        |mount| mount.starts_with("cgroup2 "),
        |number, controllers| number == "0" && controllers.is_empty(),
    )
}

/// The same in the v1 hierarchy of a controller.
fn group_in(controller: &str) -> Option<(PathBuf, String)> {
    let has = |list: &str| list.split(',').any(|word| word == controller);
    own_group_where(
        |mount| mount.starts_with("cgroup ") && mount.rsplit(' ').next().is_some_and(has),
        |_, controllers| has(controllers),
    )
}

/// `of_mount` is asked what a mount is (type, source, options), `of_group` a membership's number and controllers.
fn own_group_where(
    of_mount: impl Fn(&str) -> bool,
    of_group: impl Fn(&str, &str) -> bool,
) -> Option<(PathBuf, String)> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let mount = mounts.lines().find_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        of_mount(after).then(|| before.split(' ').nth(4))?
    })?;
    let memberships = fs::read_to_string("/proc/self/cgroup").ok()?;
    let name = memberships.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (number, controllers, name) = (parts.next()?, parts.next()?, parts.next()?);
        (of_group(number, controllers) && name.starts_with('/')).then_some(name)
    })?;
    Some((Path::new(mount).join(&name[1..]), name.to_string()))
}
