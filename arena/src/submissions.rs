//! A folder of submissions, the way into a course's cup: `DIR/NAME/VERSION/` has a bot's files in `bot/` and what is known of them in
//! `submission.json`. A name belongs to the user who owns `DIR/NAME`.
//!
//! What is fit for a cup is decided elsewhere, and which cup takes what; nothing here starts a program or knows a game.

pub mod archive;
pub mod copy;
pub mod filing;

use crate::files::open_regular;
use nix::unistd::{Uid, User};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What is known of a version, beside its files.
pub const RECORD: &str = "submission.json";

/// A version's files.
pub const BOT: &str = "bot";

/// The number of the record's format.
pub const SCHEMA: u32 = 1;

/// No record is longer, in bytes.
const LONGEST_RECORD: u64 = 1 << 20;

/// `submission.json`. Keys may be added; what is not known is ignored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Submission {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The version of the arena that filed it.
    pub arena: String,
    /// The bot's name.
    pub name: String,
    /// Who it belongs to: ids; empty when nobody is named.
    pub authors: Vec<String>,
    /// The games that it plays; null for all.
    pub games: Option<Vec<String>>,
    /// Who filed it, as the system knows them.
    pub user: String,
    /// Their number.
    pub uid: u32,
    /// When, RFC 3339.
    pub when: String,
    /// The name of the folder, file or archive that was submitted.
    pub source: String,
    /// SHA-256 over the filed files, in hexadecimal.
    pub sha256: String,
    /// What of the source was not taken along, seen from its top.
    pub left_out: Vec<String>,
    /// Whether it can play in cups, as far as was seen.
    pub fit: bool,
    /// Why not, a text each; empty when it is fit.
    pub problems: Vec<String>,
    /// The games that it plays without a mistake, as far as was seen.
    pub fit_for: Vec<String>,
    /// The checks that it passed with a warning, by their names.
    pub warnings: Vec<String>,
    /// How many checks there were.
    pub checks: usize,
    /// How many matches it was tried in.
    pub matches: usize,
    /// How it was confined meanwhile: `strict`, `best-effort`, `none`.
    pub isolation: String,
}

impl Submission {
    /// Whether it was seen to play this game.
    pub fn plays(&self, game: &str) -> bool {
        self.fit_for.iter().any(|id| id == game)
    }
}

/// One filed version.
#[derive(Clone, Debug)]
pub struct Version {
    /// Its number, from 1; 0 where the folder of the name cannot be read.
    pub number: u32,
    /// `DIR/NAME/VERSION`.
    pub folder: PathBuf,
    /// Its record; or why there is none to be read.
    pub record: Result<Submission, String>,
}

impl Version {
    /// A version of the name whose folder is `shelf`.
    pub fn open(shelf: &Path, name: &str, number: u32) -> Version {
        let folder = shelf.join(number.to_string());
        Version { number, record: read_record(&folder, name), folder }
    }

    /// Where the bot's files are.
    pub fn bot(&self) -> PathBuf {
        self.folder.join(BOT)
    }

    /// Whether it is fit, as its record says.
    pub fn is_fit(&self) -> bool {
        self.record.as_ref().is_ok_and(|record| record.fit)
    }
}

/// All versions of a name.
#[derive(Clone, Debug)]
pub struct Shelf {
    /// The name.
    pub name: String,
    /// The user whom it belongs to.
    pub owner: u32,
    /// The versions, the newest first; at least one.
    pub versions: Vec<Version>,
}

/// All that is filed in a folder, by name. What begins with a dot, and what is no folder, is none of it.
///
/// # Errors
/// The folder cannot be read: a sentence.
pub fn shelves(dir: &Path) -> Result<Vec<Shelf>, String> {
    let failed = |error: io::Error| format!("{} cannot be read: {error}", dir.display());
    let mut shelves = Vec::new();
    for entry in fs::read_dir(dir).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let Ok(about) = entry.path().symlink_metadata() else { continue };
        if name.starts_with('.') || !about.is_dir() {
            continue;
        }
        let versions = versions(&entry.path(), &name);
        if !versions.is_empty() {
            shelves.push(Shelf { name, owner: about.uid(), versions });
        }
    }
    shelves.sort_by(|a, b| a.name.to_lowercase().cmp(&b.name.to_lowercase()).then(a.name.cmp(&b.name)));
    Ok(shelves)
}

/// The versions of a name, the newest first.
fn versions(shelf: &Path, name: &str) -> Vec<Version> {
    if let Err(error) = fs::read_dir(shelf) {
        let record = Err(format!("{} cannot be read: {error}", shelf.display()));
        return vec![Version { number: 0, folder: shelf.to_path_buf(), record }];
    }
    let mut versions: Vec<Version> =
        numbers(shelf).into_iter().map(|number| Version::open(shelf, name, number)).collect();
    versions.sort_by_key(|version| std::cmp::Reverse(version.number));
    versions
}

/// The numbers of the versions in a name's folder, in no order.
fn numbers(shelf: &Path) -> Vec<u32> {
    let entries = fs::read_dir(shelf).into_iter().flatten().flatten();
    let number = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let number: u32 = name.parse().ok()?;
        // Not `007`, nor a link to somebody else's.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        (number > 0 && number.to_string() == name && is_folder).then_some(number)
    };
    entries.filter_map(number).collect()
}

/// What the record of a version says.
fn read_record(folder: &Path, name: &str) -> Result<Submission, String> {
    let path = folder.join(RECORD);
    let at = |why: String| format!("{}: {why}", path.display());
    for (inside, is_right) in
        [(RECORD, fs::Metadata::is_file as fn(&fs::Metadata) -> bool), (BOT, fs::Metadata::is_dir)]
    {
        let about = folder.join(inside).symlink_metadata().map_err(|error| at(format!("{inside}: {error}")))?;
        if !is_right(&about) {
            return Err(at(format!("{inside} is not what was filed")));
        }
    }
    let mut text = String::new();
    let file = open_regular(&path).map_err(|error| at(error.to_string()))?;
    file.take(LONGEST_RECORD).read_to_string(&mut text).map_err(|error| at(error.to_string()))?;
    let record: Submission = serde_json::from_str(&text).map_err(|error| at(format!("it is no record: {error}")))?;
    if record.name != name {
        return Err(at(format!("it is the record of `{}`", record.name.escape_default())));
    }
    Ok(record)
}

/// What the system calls a user; the number where it has no name.
pub fn user_name(uid: u32) -> String {
    User::from_uid(Uid::from_raw(uid)).ok().flatten().map_or_else(|| uid.to_string(), |user| user.name)
}
