//! What of the file system is a bot's own: what it is known by, and all that it sees when it is confined.

use super::bot::{Launch, MANIFEST};
use std::io;
use std::path::{Path, PathBuf};

/// Folders that a bot's build makes, or that are nobody's business.
const NOT_ITS_OWN: [&str; 3] = ["target", "node_modules", "__pycache__"];

/// A bot's own files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnFiles {
    /// The folder with its bot.toml, where it has one.
    pub folder: Option<PathBuf>,
    /// Else its program, and the arguments that name files; of a folder's bot those that are outside of it.
    pub files: Vec<PathBuf>,
}

/// The files of a bot that is started so.
pub fn own_files(launch: &Launch) -> OwnFiles {
    let has_folder = launch.described || (launch.folder.join(MANIFEST).is_file() && !launch.bundled);
    let folder = has_folder.then(|| launch.folder.clone());
    let named = launch.argv.iter().map(|word| launch.folder.join(word)).filter(|path| path.is_file());
    let files = named.filter(|path| folder.as_ref().is_none_or(|folder| !path.starts_with(folder))).collect();
    OwnFiles { folder, files }
}

impl OwnFiles {
    /// All files that were written by hand, sorted: of a folder all but hidden ones and what builds leave.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn written(&self) -> io::Result<Vec<PathBuf>> {
        let mut files = match &self.folder {
            Some(folder) => {
                let mut files = Vec::new();
                collect(folder, &mut files)?;
                files
            }
            None => self.files.clone(),
        };
        files.sort();
        Ok(files)
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') || NOT_ITS_OWN.contains(&&*name) {
            continue;
        }
        let kind = entry.file_type()?;
        if kind.is_dir() {
            collect(&entry.path(), files)?;
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}
