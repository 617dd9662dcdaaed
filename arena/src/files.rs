//! Opening files that have to be regular ones: a named pipe in the place of one would be waited for, without end, and a
//! device or a folder be told of in the system's words. And places for temporary files. Knows nothing of what is in any of them.

use nix::fcntl::OFlag;
use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use tempfile::TempDir;

/// Opens a regular file to be read.
///
/// # Errors
/// The system's, or that it is something else: which.
pub fn open_regular(path: &Path) -> io::Result<File> {
    open_regular_with(OpenOptions::new().read(true), path)
}

/// Opens a regular file in any way. It may be made, but what may not be a regular file must not be cut off by opening it: the
/// options have no `truncate(true)`.
///
/// # Errors
/// As of [`open_regular`].
pub fn open_regular_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
    match options.custom_flags(flags.bits()).open(path) {
        Ok(file) => match kind(file.metadata()?.file_type()) {
            Some(other) => Err(not_regular(other)),
            None => Ok(file),
        },
        // A socket cannot be opened, nor a folder to be written, nor a pipe that nobody reads: the system tells it less plainly.
        Err(error) => Err(match fs::metadata(path).ok().and_then(|about| kind(about.file_type())) {
            Some(other) => not_regular(other),
            None if error.kind() == ErrorKind::NotFound && path.is_symlink() => {
                io::Error::new(ErrorKind::InvalidInput, "it is a link that leads nowhere: mend it or take it away")
            }
            None => error,
        }),
    }
}

/// All bytes of a regular file.
///
/// # Errors
/// As of [`open_regular`].
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a regular file.
///
/// # Errors
/// As of [`open_regular`], and that it is not UTF-8.
pub fn read_regular_text(path: &Path) -> io::Result<String> {
    io::read_to_string(open_regular(path)?)
}

/// A folder for temporary files, which goes when it is dropped. Its name begins with `prefix`.
///
/// # Errors
/// There can be none: a sentence with the way out.
pub fn temporary_folder(prefix: &str) -> Result<TempDir, String> {
    tempfile::Builder::new().prefix(prefix).tempdir().map_err(|error| no_temporary(&error))
}

/// A temporary file without a name.
///
/// # Errors
/// As of [`temporary_folder`].
pub fn temporary_file() -> Result<File, String> {
    tempfile::tempfile().map_err(|error| no_temporary(&error))
}

/// Why there is no room for temporary files, and the way out.
fn no_temporary(error: &io::Error) -> String {
    // The error's own words name a file that nobody knows.
    format!(
        "temporary files cannot be made in {} ({}): set TMPDIR to a folder that is there, has room, and that you may write into",
        std::env::temp_dir().display(),
        error.kind()
    )
}

/// What something is that is no regular file.
fn kind(kind: FileType) -> Option<&'static str> {
    if kind.is_file() {
        return None;
    }
    let kinds = [
        (kind.is_dir(), "a folder"),
        (kind.is_fifo(), "a named pipe"),
        (kind.is_socket(), "a socket"),
        (kind.is_char_device() || kind.is_block_device(), "a device"),
    ];
    Some(kinds.into_iter().find_map(|(is, what)| is.then_some(what)).unwrap_or("something else"))
}

fn not_regular(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, format!("it is {what}, not a regular file"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::stat::Mode;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    #[test]
    fn nothing_but_a_regular_file_is_opened_and_each_other_thing_is_told() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        nix::unistd::mkfifo(&at("pipe"), Mode::S_IRWXU).unwrap();
        let _listener = UnixListener::bind(at("socket")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        symlink("/dev/null", at("device")).unwrap();
        symlink("pipe", at("link")).unwrap();
        symlink("nothing", at("dangling")).unwrap();
        let rows = [
            ("pipe", "it is a named pipe, not a regular file"),
            ("socket", "it is a socket, not a regular file"),
            ("folder", "it is a folder, not a regular file"),
            ("device", "it is a device, not a regular file"),
            ("link", "it is a named pipe, not a regular file"),
            ("dangling", "it is a link that leads nowhere: mend it or take it away"),
        ];
        for (name, told) in rows {
            let read = open_regular(&at(name)).map(drop);
            assert_eq!(read.unwrap_err().to_string(), told, "{name}");
        }
        for (name, told) in &rows[..5] {
            let options = &mut OpenOptions::new();
            let written = open_regular_with(options.write(true).create(true), &at(name)).map(drop);
            assert_eq!(written.unwrap_err().to_string(), *told, "{name}, to be written");
        }
        assert_eq!(open_regular(&at("missing")).unwrap_err().kind(), ErrorKind::NotFound);
        fs::write(at("file"), "text").unwrap();
        symlink("file", at("good")).unwrap();
        assert_eq!(read_regular_text(&at("good")).unwrap(), "text");
        assert_eq!(read_regular(&at("file")).unwrap(), b"text");
    }
}
