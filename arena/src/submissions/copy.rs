//! The copy that is filed: only regular files, within bounds, with plain rights.

use super::filing::make_folder;
use nix::fcntl::OFlag;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// How much a submitted bot may hold, in bytes.
pub const MOST_BYTES: u64 = 64 << 20;

/// How many files it may have.
pub const MOST_FILES: usize = 5_000;

/// Copies files of the folder `from` into the folder `to`, which is there and empty. They can be read by all, and executed where they could be.
///
/// # Errors
/// Too much, with the limit; or the system refused: a sentence.
pub fn copy_files(files: &[PathBuf], from: &Path, to: &Path) -> Result<(), String> {
    if files.len() > MOST_FILES {
        return Err(format!(
            "{} has {} files, and a submission may have {MOST_FILES}: leave out what the bot does not need",
            from.display(),
            files.len()
        ));
    }
    let mut left = MOST_BYTES;
    for file in files {
        let inside = file.strip_prefix(from).unwrap_or(file);
        let copied = copy_one(file, &to.join(inside), to, left)
            .map_err(|error| format!("{} cannot be copied: {error}", file.display()))?;
        left = left.checked_sub(copied).ok_or_else(|| {
            format!(
                "{} holds more than {} MiB, which is the most for a submission: leave out what the bot does not need",
                from.display(),
                MOST_BYTES >> 20
            )
        })?;
    }
    Ok(())
}

/// How many bytes were copied: at most one more than `most`.
fn copy_one(from: &Path, to: &Path, top: &Path, most: u64) -> io::Result<u64> {
    let source =
        OpenOptions::new().read(true).custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits()).open(from)?;
    let about = source.metadata()?;
    if !about.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it is no regular file"));
    }
    make_folders(to.parent().unwrap_or(top), top)?;
    let mut target = File::create_new(to)?;
    let copied = io::copy(&mut source.take(most.saturating_add(1)), &mut target)?;
    let executable = about.permissions().mode() & 0o111 != 0;
    fs::set_permissions(to, Permissions::from_mode(if executable { 0o755 } else { 0o644 }))?;
    Ok(copied)
}

/// Makes a folder below `top`, and those on the way.
pub(super) fn make_folders(folder: &Path, top: &Path) -> io::Result<()> {
    if folder == top || folder.is_dir() {
        return Ok(());
    }
    make_folders(folder.parent().unwrap_or(top), top)?;
    make_folder(folder, 0o755)
}
