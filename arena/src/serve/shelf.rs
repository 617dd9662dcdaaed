//! Which file a name in an address means. Nothing outside of the results folder is ever opened.

use super::Site;
use crate::tournament::folder::{CUP, LOCK, STANDINGS, TRANSCRIPTS};
use crate::tournament::ledger::MATCHES;
use crate::tournament::observations::OBSERVATIONS;
use crate::tournament::roster::ENTRANTS;
use std::path::{Path, PathBuf};

/// Stands in addresses for the matches that this process plays; no cup is called so.
pub const NOW: &str = "-now";

impl Site {
    /// The transcript of a match of a shelf: a cup's name, or [`NOW`]. One that is being played is there as well.
    pub(super) fn transcript(&self, shelf: &str, id: &str) -> Option<PathBuf> {
        if shelf == NOW {
            return self.shown().into_iter().find(|(shown, _)| shown == id).map(|(_, path)| path);
        }
        if !is_name(id) {
            return None;
        }
        let folder = self.cup_folder(shelf)?.join(TRANSCRIPTS);
        // It is committed under its own name, and written before under one that begins with a dot.
        let mut names = [format!("{id}.jsonl"), format!(".{id}.jsonl")].into_iter();
        names.find_map(|name| self.inside(&folder.join(name))).filter(|path| path.is_file())
    }

    /// A cup's folder.
    pub(super) fn cup_folder(&self, name: &str) -> Option<PathBuf> {
        if !is_name(name) {
            return None;
        }
        self.inside(&self.results.join(name)).filter(|path| path.is_dir())
    }

    /// Refuses a cup's folder of which a file that is read leads out of the folder of the cups.
    pub(super) fn stays_inside(&self, folder: &Path) -> Result<(), String> {
        const READ: [&str; 7] = [LOCK, OBSERVATIONS, CUP, ENTRANTS, MATCHES, STANDINGS, TRANSCRIPTS];
        let leads_out = |name: &&str| {
            let path = folder.join(name);
            path.is_symlink() && self.inside(&path).is_none()
        };
        match READ.into_iter().find(leads_out) {
            Some(name) => Err(format!("{name} is a link that leads out of the folder of the cups, or nowhere")),
            None => Ok(()),
        }
    }

    /// The path, when it lies in the results folder, links followed.
    fn inside(&self, path: &Path) -> Option<PathBuf> {
        let root = self.results.canonicalize().ok()?;
        path.canonicalize().ok().filter(|path| path.starts_with(root))
    }
}

/// Names of cups and ids of matches: one part of a path, not hidden.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(['.', '-'])
        && name.len() <= 200
        && !name.contains(|letter: char| matches!(letter, '/' | '\\') || letter.is_control())
}
