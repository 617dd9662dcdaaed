//! How long a cup has been played in all, over all its runs: kept in its folder, so that a budget in time is one of the whole
//! cup. Written so often that a kill loses no more than a moment.

use super::run::unwritable;
use crate::cli::failure::Failure;
use crate::tournament::folder::{Folder, open_own};
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The file: milliseconds, a number of always the same length, which is written over.
const FILE: &str = ".playing-time";

/// How often it is written.
const EVERY: Duration = Duration::from_millis(100);

/// Counts the time that a cup is played, until it is dropped.
pub(super) struct PlayingTime {
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

impl PlayingTime {
    /// Goes on counting, and sets `used_up` when the budget is: at once where earlier runs have used it.
    pub fn count(folder: &Folder, budget: Option<Duration>, used_up: &Arc<AtomicBool>) -> Result<PlayingTime, Failure> {
        let path = folder.file(FILE);
        let failed = |why: &dyn std::fmt::Display| unwritable(&format!("{}: {why}", path.display()));
        let mut file = open_own(OpenOptions::new().read(true), &path).map_err(|error| failed(&error))?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|error| failed(&error))?;
        let before = match text.trim() {
            // New; or killed, or without room, between its making and its first number.
            "" => Duration::ZERO,
            number => Duration::from_millis(number.parse().map_err(|_| {
                failed(&format!(
                    "{text:?} is no number of milliseconds: remove the file, and the time counts from here on"
                ))
            })?),
        };
        note(&file, before).map_err(|error| failed(&error))?;

        let began = Instant::now();
        let used_up = Arc::clone(used_up);
        let left =
            move |played: Duration| budget.map(|budget| budget.saturating_sub(played)).filter(|left| !left.is_zero());
        used_up.store(budget.is_some_and(|budget| before >= budget), Ordering::Relaxed);
        let (stop, stopped) = channel();
        let thread = thread::spawn(move || {
            loop {
                let wait = left(before + began.elapsed()).map_or(EVERY, |left| left.min(EVERY));
                let ends = stopped.recv_timeout(wait) != Err(RecvTimeoutError::Timeout);
                let played = before + began.elapsed();
                // It was written once, and is written over: where that fails, the budget is still heeded in this run.
                let _ = note(&file, played);
                if budget.is_some_and(|budget| played >= budget) {
                    used_up.store(true, Ordering::Relaxed);
                }
                if ends {
                    return;
                }
            }
        });
        Ok(PlayingTime { running: Some((stop, thread)) })
    }
}

impl Drop for PlayingTime {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.running.take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}

fn note(file: &File, played: Duration) -> std::io::Result<()> {
    file.write_all_at(format!("{:020}\n", played.as_millis()).as_bytes(), 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn time_adds_up_over_runs_and_a_budget_that_is_used_up_is_known_at_once() {
        let place = tempfile::tempdir().unwrap();
        let mut folder = Folder::take(place.path()).unwrap();
        folder.begin().unwrap();
        let noted = || fs::read_to_string(place.path().join(FILE)).unwrap().trim().parse::<u64>().unwrap();
        let used_up = Arc::new(AtomicBool::new(false));
        drop(PlayingTime::count(&folder, None, &used_up).unwrap());
        let first = noted();
        fs::write(place.path().join(FILE), format!("{:020}\n", first + 5_000)).unwrap();
        drop(PlayingTime::count(&folder, Some(Duration::from_secs(3_600)), &used_up).unwrap());
        assert!(noted() >= first + 5_000 && !used_up.load(Ordering::Relaxed));
        let running = PlayingTime::count(&folder, Some(Duration::from_secs(5)), &used_up).unwrap();
        assert!(used_up.load(Ordering::Relaxed));
        drop(running);
        fs::write(place.path().join(FILE), "").unwrap();
        drop(PlayingTime::count(&folder, None, &used_up).unwrap());
        fs::write(place.path().join(FILE), "soon").unwrap();
        let read = PlayingTime::count(&folder, None, &used_up).map(drop);
        assert!(matches!(&read, Err(Failure::Message(why)) if why.contains("soon")), "{read:?}");
    }

    #[test]
    fn a_budget_is_used_up_while_time_is_counted() {
        let place = tempfile::tempdir().unwrap();
        let mut folder = Folder::take(place.path()).unwrap();
        folder.begin().unwrap();
        let used_up = Arc::new(AtomicBool::new(false));
        let _running = PlayingTime::count(&folder, Some(Duration::from_millis(20)), &used_up).unwrap();
        while !used_up.load(Ordering::Relaxed) {
            thread::yield_now();
        }
    }
}
