//! Which hashes were there already, in little memory.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// Hashes that there were, in several sets: one that grows holds its old memory besides the new, and so only a small part is
/// held twice. A set takes 9 bytes a place, and at least seven sixteenths of its places are taken.
#[derive(Clone, Debug)]
pub(super) struct Seen([HashSet<u64, BuildHasherDefault<Ready>>; 64]);

impl Default for Seen {
    fn default() -> Seen {
        Seen(std::array::from_fn(|_| HashSet::default()))
    }
}

impl Seen {
    /// Whether the hash is new. Which set it belongs to is told by bits of it that the sets do not look at.
    pub(super) fn insert(&mut self, hash: u64) -> bool {
        self.0[(hash >> 40) as usize % 64].insert(hash)
    }
}

/// Keys that are hashes already.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ready(u64);

impl Hasher for Ready {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
