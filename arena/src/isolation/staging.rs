//! Copies of bots' folders, in a place that is the arena's: nobody changes a bot while it plays, other users can read it
//! though its author's home is closed, and a build step has something to write into that is not the original.

use super::users::RUN;
use crate::files::temporary_folder;
use cap_std::ambient_authority;
use cap_std::fs::{
    Dir, DirBuilder as CapDirBuilder, MetadataExt, OpenOptions, OpenOptionsExt, Permissions, PermissionsExt,
};
use nix::fcntl::OFlag;
use nix::unistd::Uid;
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt as _};
use std::path::{Component, Path, PathBuf};

/// How much a bot's folder may hold, in bytes.
pub const FOLDER_BYTES: u64 = 512 << 20;

/// How many files it may hold.
pub const FOLDER_FILES: u64 = 50_000;

/// How many folders may lie in one another in it.
pub const FOLDER_DEPTH: usize = 64;

/// An arena's folder for copies is called so, with its process id.
const PREFIX: &str = "arena-";

/// This arena's folder for copies. It goes with this value; what an arena that was killed has left is removed by the next.
#[derive(Debug)]
pub struct Staging {
    folder: PathBuf,
}

impl Staging {
    /// Makes the folder: below /run/arena for root, so that it is out of everybody's way, else where temporary files are.
    pub fn new() -> Result<Staging, String> {
        let root = Uid::effective().is_root();
        let parent = if root { PathBuf::from(RUN).join("staged") } else { std::env::temp_dir() };
        let failed = |path: &Path, error: io::Error| format!("{} cannot be made: {error}", path.display());
        if root {
            let made = fs::DirBuilder::new().recursive(true).mode(0o755).create(&parent);
            let opened = made.and_then(|()| [Path::new(RUN), &parent].into_iter().try_for_each(open_to_all));
            opened.map_err(|error| failed(&parent, error))?;
        }
        remove_what_dead_arenas_left(&parent);
        let prefix = format!("{PREFIX}{}-", std::process::id());
        let made = match root {
            true => {
                tempfile::Builder::new().prefix(&prefix).tempdir_in(&parent).map_err(|error| failed(&parent, error))?
            }
            false => temporary_folder(&prefix)?,
        };
        let folder = made.keep();
        // Bots' users pass through it; they cannot list it.
        let mode = if root { 0o711 } else { 0o700 };
        fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).map_err(|error| failed(&folder, error))?;
        Ok(Staging { folder })
    }

    /// A new, empty folder in it.
    pub fn make(&self, name: &str) -> Result<PathBuf, String> {
        let path = self.folder.join(name);
        make_folder(&path).map_err(|error| format!("{} cannot be made: {error}", path.display()))?;
        Ok(path)
    }

    /// Its place.
    pub fn path(&self) -> &Path {
        &self.folder
    }
}

/// Makes a folder that all may enter and list, if they get to it, whatever the umask of whoever runs the arena.
pub fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir(path)?;
    open_to_all(path)
}

fn open_to_all(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))
}

impl Drop for Staging {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn remove_what_dead_arenas_left(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let pid = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('-').next()?.parse::<u32>().ok());
        if pid.is_some_and(|pid| !fs::exists(format!("/proc/{pid}")).unwrap_or(true)) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Copies what is in a folder into another, which is there and empty. Links are kept when they stay inside. Nothing outside of `from` is
/// read, whatever is changed in it meanwhile. Files can be read by all, and belong to `owner` where one is named.
///
/// # Errors
/// What cannot be copied, in words: a link that leaves the folder, something that is no file, too much.
pub fn copy_folder(from: &Path, to: &Path, owner: Option<u32>) -> Result<(), String> {
    let about = |error: io::Error| format!("the folder {} cannot be copied: {error}", from.display());
    let source = Dir::open_ambient_dir(from, ambient_authority()).map_err(about)?;
    let target = Dir::open_ambient_dir(to, ambient_authority()).map_err(about)?;
    let mut copy = Copy { top: from, bytes: 0, files: 0, owner };
    copy.folder(&source, &target, Path::new(""))?;
    copy.give(to)
}

struct Copy<'a> {
    top: &'a Path,
    bytes: u64,
    files: u64,
    owner: Option<u32>,
}

impl Copy<'_> {
    fn folder(&mut self, from: &Dir, to: &Dir, inside: &Path) -> Result<(), String> {
        let entries = from.entries().map_err(|error| self.failed(inside, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| self.failed(inside, &error))?;
            let name = entry.file_name();
            let path = inside.join(&name);
            let kind = entry.file_type().map_err(|error| self.failed(&path, &error))?;
            self.files += 1;
            if self.files > FOLDER_FILES {
                return Err(self.refused(&path, &format!("a bot's folder may hold {FOLDER_FILES} files")));
            }
            if kind.is_symlink() {
                let target = from.read_link_contents(&name).map_err(|error| self.failed(&path, &error))?;
                if leaves(inside, &target) {
                    return Err(self.refused(
                        &path,
                        &format!(
                            "it is a link to {}, which is outside the bot's folder: put a copy there",
                            target.display()
                        ),
                    ));
                }
                to.symlink_contents(&target, &name).map_err(|error| self.failed(&path, &error))?;
            } else if kind.is_dir() {
                if path.components().count() > FOLDER_DEPTH {
                    return Err(self.refused(&path, &format!("it lies in more than {FOLDER_DEPTH} folders")));
                }
                let deeper = from.open_dir(&name).map_err(|error| self.failed(&path, &error))?;
                to.create_dir_with(&name, &CapDirBuilder::new()).map_err(|error| self.failed(&path, &error))?;
                let below = to.open_dir(&name).map_err(|error| self.failed(&path, &error))?;
                self.folder(&deeper, &below, &path)?;
                self.finish(to, &name, 0o755, &path)?;
            } else if kind.is_file() {
                self.file(from, to, &name, &path)?;
            } else {
                return Err(self.refused(&path, "it is no file, no folder and no link"));
            }
        }
        Ok(())
    }

    fn file(&mut self, from: &Dir, to: &Dir, name: &std::ffi::OsStr, path: &Path) -> Result<(), String> {
        let careful = OFlag::O_NONBLOCK.bits();
        let source = from.open_with(name, OpenOptions::new().read(true).custom_flags(careful));
        let source = source.map_err(|error| self.failed(path, &error))?;
        let about = source.metadata().map_err(|error| self.failed(path, &error))?;
        if !about.is_file() {
            return Err(self.refused(path, "it is no file any more"));
        }
        let mut target = to
            .open_with(name, OpenOptions::new().write(true).create_new(true))
            .map_err(|error| self.failed(path, &error))?;
        // What is copied counts, not what was there before: it may grow meanwhile.
        let room = FOLDER_BYTES - self.bytes;
        self.bytes += io::copy(&mut source.take(room + 1), &mut target).map_err(|error| self.failed(path, &error))?;
        if self.bytes > FOLDER_BYTES {
            let most = FOLDER_BYTES >> 20;
            return Err(self.refused(path, &format!("with it the bot's folder holds more than {most} MiB")));
        }
        let executable = about.mode() & 0o111 != 0;
        self.finish(to, name, if executable { 0o755 } else { 0o644 }, path)
    }

    fn finish(&self, to: &Dir, name: &std::ffi::OsStr, mode: u32, path: &Path) -> Result<(), String> {
        to.set_permissions(name, Permissions::from_mode(mode)).map_err(|error| self.failed(path, &error))
    }

    /// Hands the copy to its owner, links too.
    fn give(&self, to: &Path) -> Result<(), String> {
        let Some(owner) = self.owner else { return Ok(()) };
        let failed = |error: io::Error| format!("{} cannot be given to user {owner}: {error}", to.display());
        give_all(to, owner).map_err(failed)
    }

    fn failed(&self, path: &Path, error: &io::Error) -> String {
        format!("{} cannot be copied: {error}", self.top.join(path).display())
    }

    fn refused(&self, path: &Path, why: &str) -> String {
        format!("{} cannot be taken along: {why}", self.top.join(path).display())
    }
}

fn give_all(path: &Path, owner: u32) -> io::Result<()> {
    std::os::unix::fs::lchown(path, Some(owner), Some(owner))?;
    if path.symlink_metadata()?.is_dir() {
        for entry in fs::read_dir(path)? {
            give_all(&entry?.path(), owner)?;
        }
    }
    Ok(())
}

/// Whether a link that stands in a folder `inside` of the top leads out of the top.
fn leaves(inside: &Path, target: &Path) -> bool {
    let mut depth = inside.components().count();
    for part in target.components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir if depth > 0 => depth -= 1,
            _ => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_that_leave_are_told_from_those_that_stay() {
        for (inside, target, out) in [
            ("", "a", false),
            ("x", "../a", false),
            ("x/y", "../../a", false),
            ("", "../a", true),
            ("x", "../../a", true),
            ("x", "/etc/passwd", true),
            ("", "a/../../b", true),
        ] {
            assert_eq!(leaves(Path::new(inside), Path::new(target)), out, "{inside} {target}");
        }
    }

    #[test]
    fn a_folder_is_copied_with_its_links_and_what_may_be_executed() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir(from.path().join("deep")).unwrap();
        fs::write(from.path().join("deep/bot"), "#!/bin/sh\n").unwrap();
        fs::set_permissions(from.path().join("deep/bot"), fs::Permissions::from_mode(0o700)).unwrap();
        std::os::unix::fs::symlink("deep/bot", from.path().join("link")).unwrap();
        copy_folder(from.path(), to.path(), None).unwrap();
        assert_eq!(fs::read_to_string(to.path().join("link")).unwrap(), "#!/bin/sh\n");
        assert_eq!(fs::metadata(to.path().join("deep/bot")).unwrap().permissions().mode() & 0o777, 0o755);
    }

    #[test]
    fn a_nest_of_folders_is_refused_before_it_costs_much() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir_all(from.path().join("a/".repeat(FOLDER_DEPTH))).unwrap();
        copy_folder(from.path(), to.path(), None).unwrap();
        fs::create_dir(from.path().join("a/".repeat(FOLDER_DEPTH + 1))).unwrap();
        let to = tempfile::tempdir().unwrap();
        assert!(copy_folder(from.path(), to.path(), None).unwrap_err().contains("more than 64 folders"));
    }

    #[test]
    fn what_cannot_be_taken_along_is_named() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink("/etc/passwd", from.path().join("sly")).unwrap();
        let why = copy_folder(from.path(), to.path(), None).unwrap_err();
        assert!(why.contains("sly") && why.contains("/etc/passwd"), "{why}");
    }
}
