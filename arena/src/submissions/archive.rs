//! Archives that come from anybody: unpacked within bounds, with plain files and folders in it and nothing else.
//!
//! Sizes are counted as they are unpacked; what an archive says of itself is not believed. An archive that asks for anything
//! outside of its folder, or for a link, a device or an encrypted file, is refused as a whole.

use super::copy::make_folders;
use super::filing::make_folder;
use crate::files::open_regular;
use flate2::read::MultiGzDecoder;
use std::fs::{self, File, Permissions};
use std::io::{self, BufReader, ErrorKind, Read, Seek};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use tar::EntryType;
use zip::ZipArchive;
use zip::result::ZipError;

/// The largest archive, in bytes.
pub const MOST_PACKED: u64 = 64 << 20;

/// The most that one may unpack to, in bytes: of a tar.gz all of it, headers included.
pub const MOST_UNPACKED: u64 = 256 << 20;

/// The most files and folders in one.
pub const MOST_ENTRIES: usize = 20_000;

/// The most folders within one another.
const DEEPEST: usize = 32;

/// What Unix keeps of a file's kind in its mode, and two of the kinds.
const KIND: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;
const FOLDER: u32 = 0o040_000;

/// Which kind of archive a file is, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `.zip`
    Zip,
    /// `.tar.gz` or `.tgz`
    TarGz,
}

/// The kind of archive that a name promises, and the name without that ending.
pub fn kind_of(name: &str) -> Option<(Kind, &str)> {
    let endings = [(".zip", Kind::Zip), (".tar.gz", Kind::TarGz), (".tgz", Kind::TarGz)];
    endings.into_iter().find_map(|(ending, kind)| {
        let at = name.len().checked_sub(ending.len()).filter(|at| *at > 0 && name.is_char_boundary(*at))?;
        name[at..].eq_ignore_ascii_case(ending).then_some((kind, &name[..at]))
    })
}

/// Unpacks an archive into a folder that is there, empty, and nobody else's.
///
/// # Errors
/// What is wrong with the archive, in a sentence; what was unpacked until then is left.
pub fn unpack(archive: &Path, kind: Kind, to: &Path) -> Result<(), String> {
    let about = |why: String| format!("{} cannot be unpacked: {why}", archive.display());
    let file = open_regular(archive).map_err(|error| about(error.to_string()))?;
    let size = file.metadata().map_err(|error| about(error.to_string()))?.len();
    if size > MOST_PACKED {
        return Err(about(format!("it has {size} bytes, and {} MiB are the most", MOST_PACKED >> 20)));
    }
    let mut target = Target { top: to, left: MOST_UNPACKED, entries: 0 };
    match kind {
        Kind::Zip => unzip(BufReader::new(file), &mut target),
        Kind::TarGz => untar(BufReader::new(file), &mut target),
    }
    .map_err(about)
}

fn unzip(file: impl Read + Seek, target: &mut Target<'_>) -> Result<(), String> {
    let broken = |error: ZipError| format!("it is no whole zip archive ({error})");
    let mut archive = ZipArchive::new(file).map_err(broken)?;
    if archive.len() > MOST_ENTRIES {
        return Err(too_many());
    }
    for number in 0..archive.len() {
        let mut entry = archive.by_index(number).map_err(|error| match error {
            ZipError::UnsupportedArchive(why) => {
                format!("it has something in it that cannot be read ({why}): pack it plainly")
            }
            other => broken(other),
        })?;
        let name = entry.name().map_err(|error| format!("a name in it cannot be read ({error})"))?.to_string();
        let mode = entry.unix_mode().unwrap_or(0);
        match mode & KIND {
            FOLDER => target.folder(&name)?,
            0 if entry.is_dir() => target.folder(&name)?,
            0 | REGULAR if !entry.is_dir() => target.file(&name, mode, &mut entry)?,
            _ => return Err(not_plain(&name)),
        }
    }
    Ok(())
}

fn untar(file: impl Read, target: &mut Target<'_>) -> Result<(), String> {
    let broken = |error: io::Error| match error.kind() {
        ErrorKind::QuotaExceeded => too_large(),
        _ => format!("it is no whole tar.gz archive ({error})"),
    };
    let bounded = Bounded { source: MultiGzDecoder::new(file), left: MOST_UNPACKED };
    let mut archive = tar::Archive::new(bounded);
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        let name = String::from_utf8(entry.path_bytes().into_owned())
            .map_err(|error| format!("a name in it is not valid UTF-8: {}", error.as_bytes().escape_ascii()))?;
        let mode = entry.header().mode().unwrap_or(0);
        match entry.header().entry_type() {
            EntryType::Directory => target.folder(&name)?,
            EntryType::Regular | EntryType::Continuous => target.file(&name, mode, &mut entry)?,
            // What `git archive` writes about the whole.
            EntryType::XGlobalHeader => {}
            _ => return Err(not_plain(&name)),
        }
    }
    Ok(())
}

/// Where it is unpacked, and how much more may be.
struct Target<'a> {
    top: &'a Path,
    left: u64,
    entries: usize,
}

impl Target<'_> {
    fn folder(&mut self, name: &str) -> Result<(), String> {
        let path = self.place(name)?;
        make_folders(&path, self.top).map_err(|error| unwritable(name, &error))
    }

    fn file(&mut self, name: &str, mode: u32, content: &mut dyn Read) -> Result<(), String> {
        let path = self.place(name)?;
        if path == self.top {
            return Err(format!("a file in it is called {}", shown(name)));
        }
        make_folders(path.parent().unwrap_or(self.top), self.top).map_err(|error| unwritable(name, &error))?;
        let mut file = File::create_new(&path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => format!("{} is in it twice", shown(name)),
            _ => unwritable(name, &error),
        })?;
        let copied = io::copy(&mut content.take(self.left + 1), &mut file).map_err(|error| match error.kind() {
            ErrorKind::QuotaExceeded => too_large(),
            _ => format!("{}: {error}", shown(name)),
        })?;
        self.left = self.left.checked_sub(copied).ok_or_else(too_large)?;
        let rights = if mode & 0o111 != 0 { 0o755 } else { 0o644 };
        fs::set_permissions(&path, Permissions::from_mode(rights)).map_err(|error| unwritable(name, &error))
    }

    /// Where an entry goes: within the folder, or nowhere.
    fn place(&mut self, name: &str) -> Result<PathBuf, String> {
        self.entries += 1;
        if self.entries > MOST_ENTRIES {
            return Err(too_many());
        }
        let refused = |why: &str| format!("{} in it {why}", shown(name));
        if name.contains('\\') {
            return Err(refused("has a backslash in its name: pack it again with another program"));
        }
        if name.contains('\0') || name.is_empty() {
            return Err(refused("is no name of a file"));
        }
        let mut path = self.top.to_path_buf();
        for part in Path::new(name).components() {
            match part {
                Component::Normal(part) => path.push(part),
                Component::CurDir => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                    return Err(refused(
                        "leads out of the archive: it may have neither `..` nor an absolute path in it",
                    ));
                }
            }
        }
        if path.components().count() - self.top.components().count() > DEEPEST {
            return Err(refused(&format!("lies deeper than {DEEPEST} folders")));
        }
        Ok(path)
    }
}

/// Ends with an error where a source gives more than it may.
struct Bounded<R> {
    source: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        match self.left.checked_sub(count as u64) {
            Some(left) => self.left = left,
            None => return Err(ErrorKind::QuotaExceeded.into()),
        }
        Ok(count)
    }
}

/// The folder in which a bot was packed: the top, or its only folder where the top has nothing else.
pub fn packed_folder(top: &Path, is_it: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    if is_it(top) {
        return Some(top.to_path_buf());
    }
    let entries = fs::read_dir(top).ok()?.flatten();
    // What some systems add on their own.
    let own = |name: &str| !name.starts_with('.') && name != "__MACOSX";
    let mut folders = entries.filter(|entry| entry.file_name().to_str().is_some_and(own)).map(|entry| entry.path());
    let only = folders.next()?;
    (folders.next().is_none() && is_it(&only)).then_some(only)
}

/// Makes an empty folder to unpack into.
pub fn make_place(path: &Path) -> Result<(), String> {
    make_folder(path, 0o700).map_err(|error| format!("{} cannot be made: {error}", path.display()))
}

fn too_large() -> String {
    format!("it unpacks to more than {} MiB, which is the most", MOST_UNPACKED >> 20)
}

fn too_many() -> String {
    format!("it has more than {MOST_ENTRIES} files and folders, which is the most")
}

fn not_plain(name: &str) -> String {
    format!("{} in it is no plain file and no folder (a link, a device): put a copy of the file there", shown(name))
}

fn unwritable(name: &str, error: &io::Error) -> String {
    format!("{} cannot be written: {error}", shown(name))
}

fn shown(name: &str) -> String {
    let cut: String = name.chars().take(200).collect();
    format!("`{}`", cut.escape_debug())
}
