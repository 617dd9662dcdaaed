//! What may stand where a regular file is looked for.

use nix::sys::stat::Mode;
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;

/// Puts one of them there.
pub type Put = fn(&Path);

/// What can be opened and is no regular file, in the words in which it is told, and how it is put somewhere. A pipe that is opened without
/// care is waited for.
pub const ODD: &[(&str, Put)] = &[
    ("a named pipe", |path| nix::unistd::mkfifo(path, Mode::S_IRWXU).expect("the folder is writable")),
    ("a socket", |path| drop(UnixListener::bind(path).expect("the path is short"))),
    ("a device", |path| symlink("/dev/zero", path).expect("the folder is writable")),
    ("a folder", |path| fs::create_dir(path).expect("the folder is writable")),
    ("a link that leads nowhere", |path| symlink("/nowhere/at/all", path).expect("the folder is writable")),
];

/// Takes it away again, whatever it is.
pub fn take_away(path: &Path) {
    let is_folder = path.symlink_metadata().is_ok_and(|about| about.is_dir());
    let _ = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}
