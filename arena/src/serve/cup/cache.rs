//! What takes time to be made is made once for all who ask, and again only when what it is made of has changed, and never more often
//! than the machine can bear.

use crate::transport::timed;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{Mutex, Semaphore};

/// Between two makings there is so many times the time that the last one took,
const REST: u32 = 10;

/// and this at least.
const LEAST_REST: Duration = Duration::from_secs(1);

/// By what it is told that files have changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Of each file: which it is, how long, when it was written; zeroes where there is none.
    files: Vec<[i64; 4]>,
    /// Who writes them.
    owner: Option<u32>,
}

impl Stamp {
    /// The stamp of these files, the first of which is the one that must not be mistaken for another.
    pub fn of(files: &[&Path], owner: Option<u32>) -> Stamp {
        let stamp = |path: &&Path| {
            fs::metadata(path)
                .map_or([0; 4], |data| [data.ino() as i64, data.len() as i64, data.mtime(), data.mtime_nsec()])
        };
        Stamp { files: files.iter().map(stamp).collect(), owner }
    }
}

/// Whether the first file is another one than it was, so that what was made of the old one is no help.
fn replaces(new: &Option<Stamp>, old: &Option<Stamp>) -> bool {
    let first = |stamp: &Option<Stamp>| stamp.as_ref().and_then(|stamp| stamp.files.first().map(|file| file[0]));
    first(new) != first(old)
}

/// What was made last.
struct Made<T> {
    /// The stamp of what it was made of.
    stamp: Option<Stamp>,
    value: Arc<T>,
    /// Whether it is too early to make it again.
    rests: Arc<AtomicBool>,
}

/// Something that is made of files.
pub(super) struct Cache<T>(Arc<Mutex<Option<Made<T>>>>);

impl<T> Default for Cache<T> {
    fn default() -> Cache<T> {
        Cache(Arc::default())
    }
}

impl<T: Send + Sync + 'static> Cache<T> {
    /// What is made of files with this stamp, by `make`; without a stamp, of files that may have changed. One `place` is held meanwhile. While it rests, what was made last.
    /// `None` when making it failed as it must not.
    pub async fn get(
        &self,
        stamp: Option<Stamp>,
        place: Arc<Semaphore>,
        make: impl FnOnce() -> T + Send + 'static,
    ) -> Option<Arc<T>> {
        let mut made = Arc::clone(&self.0).lock_owned().await;
        if let Some(Made { stamp: old, value, rests }) = &*made
            && (stamp.is_some() && *old == stamp || rests.load(Ordering::Relaxed) && !replaces(&stamp, old))
        {
            return Some(Arc::clone(value));
        }
        // In a task of its own, so that whoever hangs up does not make it begin again.
        let making = tokio::spawn(async move {
            let _place = place.acquire_owned().await.ok()?;
            let (value, took) = tokio::task::spawn_blocking(move || timed(make)).await.ok()?;
            let value = Arc::new(value);
            // A flag of its own: the rest of what was made before ends earlier.
            let rests = Arc::new(AtomicBool::new(true));
            *made = Some(Made { stamp, value: Arc::clone(&value), rests: Arc::clone(&rests) });
            drop(made);
            tokio::spawn(async move {
                tokio::time::sleep((REST * took).max(LEAST_REST)).await;
                rests.store(false, Ordering::Relaxed);
            });
            Some(value)
        });
        making.await.ok()?
    }
}
