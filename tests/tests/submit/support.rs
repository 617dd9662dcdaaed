//! Bots to be submitted, and what became of them.

use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use tests::arena::{Arena, Run};
use tests::binaries;

/// A run in a private folder that has a folder of submissions `filed`.
pub fn ground() -> Arena {
    let arena = Arena::new(["submissions", "filed"]);
    fs::create_dir(arena.path("filed")).expect("the private folder is writable");
    arena
}

/// A shell script that is the bundled bot `greedy`.
pub fn script() -> String {
    format!("#!/bin/sh\nexec '{}'\n", binaries::program("greedy").display())
}

/// Writes a folder `path` with a bot that plays; `more` are further lines of its bot.toml.
pub fn write_bot(arena: &Arena, path: &str, more: &str) {
    arena.write(&format!("{path}/bot.sh"), script());
    arena.write(&format!("{path}/bot.toml"), format!("run = [\"sh\", \"bot.sh\"]\n{more}\n"));
}

/// `arena submit` into `filed`, its words split at spaces, bots not confined: what confines them is tested elsewhere.
pub fn submit(arena: &Arena, words: &str) -> Run {
    arena.also(&format!("submit --to filed --isolation none {words}"))
}

/// The record of a version.
pub fn record(arena: &Arena, name: &str, version: u32) -> Value {
    let path = arena.path(&format!("filed/{name}/{version}/submission.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).expect("a record is JSON")
}

/// The files below a folder, seen from it, sorted.
pub fn files(folder: &Path) -> Vec<String> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap_or_else(|error| panic!("{}: {error}", next.display())) {
            let path = entry.expect("it can be read").path();
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else {
                files.push(path.strip_prefix(folder).expect("it is below").to_string_lossy().into_owned());
            }
        }
    }
    files.sort();
    files
}

/// Everything in a folder, hidden things too.
pub fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// An entry of an archive.
pub enum Packed {
    /// A file.
    File(&'static str, Vec<u8>),
    /// A symbolic link, and where it leads.
    Link(&'static str, &'static str),
    /// In a tar only: an entry of this type.
    Odd(&'static str, tar::EntryType),
    /// In a tar only: a name of so many bytes.
    Long(u64),
}

/// Writes a zip archive.
pub fn zip(path: PathBuf, entries: &[Packed]) {
    use zip::write::SimpleFileOptions;
    let mut zip = zip::ZipWriter::new(fs::File::create(path).expect("the private folder is writable"));
    let options = SimpleFileOptions::default().unix_permissions(0o755);
    for entry in entries {
        match entry {
            Packed::File(name, bytes) => {
                zip.start_file(*name, options).expect("the writer takes any name");
                zip.write_all(bytes).expect("there is room");
            }
            Packed::Link(name, to) => zip.add_symlink(*name, *to, options).expect("the writer takes links"),
            Packed::Odd(..) | Packed::Long(_) => unreachable!("for a tar only"),
        }
    }
    zip.finish().expect("there is room");
}

/// Writes a tar.gz archive.
pub fn tar_gz(path: PathBuf, entries: &[Packed]) {
    let file = fs::File::create(path).expect("the private folder is writable");
    let mut tar = tar::Builder::new(flate2::write::GzEncoder::new(file, flate2::Compression::fast()));
    for entry in entries {
        if let Packed::Long(length) = entry {
            let mut header = tar::Header::new_gnu();
            header.set_entry_type(tar::EntryType::GNULongName);
            header.set_size(*length);
            header.set_cksum();
            tar.append(&header, std::io::repeat(b'a').take(*length)).expect("there is room");
            continue;
        }
        let (name, kind, bytes) = match entry {
            Packed::File(name, bytes) => (*name, tar::EntryType::Regular, &bytes[..]),
            Packed::Link(name, _) => (*name, tar::EntryType::Symlink, &[][..]),
            Packed::Odd(name, kind) => (*name, *kind, &[][..]),
            Packed::Long(_) => unreachable!("it is written above"),
        };
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(0o755);
        header.set_size(bytes.len() as u64);
        // Past the checks of a writer who means well.
        header.as_gnu_mut().expect("it was made so").name[..name.len()].copy_from_slice(name.as_bytes());
        if let Packed::Link(_, to) = entry {
            header.as_gnu_mut().expect("it was made so").linkname[..to.len()].copy_from_slice(to.as_bytes());
        }
        header.set_cksum();
        tar.append(&header, bytes).expect("there is room");
    }
    tar.into_inner().and_then(flate2::write::GzEncoder::finish).expect("there is room");
}
