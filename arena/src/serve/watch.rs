//! Matches that are being looked at: each transcript is read once for all who look at it, as it grows, and told as server-sent events.
//!
//! A spectator holds a place in a list that only grows: one who is slow reads later, and delays nobody.

use super::events::{self, News, SIGN_OF_LIFE, news};
use super::{lock, without_folder};
use crate::record::{Followed, Follower};
use crate::report::{Telling, Told};
use axum::body::Bytes;
use axum::response::Response;
use futures_util::stream;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::convert::Infallible;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use tokio::sync::watch;

/// A transcript that did not grow is looked at again after so long.
const PAUSE: Duration = Duration::from_millis(100);

/// A match that nobody looks at any more is followed for so many pauses: whoever comes back after a break of the line hears the rest.
const PAUSES_ALONE: u32 = 300;

/// A browser whose line has broken tries again after so many milliseconds.
const RETRY_MS: u32 = 1000;

/// So many lines of a transcript make a piece at most.
const LINES: usize = 200;

/// Whether somebody still writes a transcript.
pub(super) type IsWritten = Box<dyn Fn() -> bool + Send>;

/// All matches that somebody looks at.
pub(super) struct Watches {
    open: Mutex<HashMap<(PathBuf, bool), Weak<Watch>>>,
    numbers: AtomicU64,
}

/// A match that somebody looks at.
pub(super) struct Watch {
    /// Tells it from every other one, so that whoever comes back after a break of the line is not told half of two.
    number: u64,
    events: Mutex<Vec<Bytes>>,
    progress: watch::Sender<Progress>,
}

#[derive(Clone, Copy, Default)]
struct Progress {
    events: usize,
    over: bool,
}

impl Default for Watches {
    fn default() -> Watches {
        // Nor does the number of an arena that was here before mean anything.
        Watches { open: Mutex::default(), numbers: AtomicU64::new(crate::seed::fresh()) }
    }
}

impl Watches {
    /// Looks at a match. `is_written` tells, when nothing more is in its transcript, whether there may be.
    pub fn look_at(&self, path: &Path, told: Told, is_written: IsWritten) -> Arc<Watch> {
        let mut open = lock(&self.open);
        open.retain(|_, watch| watch.strong_count() > 0);
        let key = (path.to_path_buf(), told == Told::All);
        if let Some(watch) = open.get(&key).and_then(Weak::upgrade) {
            return watch;
        }
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let watch = Arc::new(Watch { number, events: Mutex::default(), progress: watch::Sender::default() });
        open.insert(key, Arc::downgrade(&watch));
        tokio::spawn(follow(Arc::clone(&watch), Eye::new(path, told, is_written)));
        watch
    }
}

impl Watch {
    /// The match as server-sent events, from its beginning, or after the event that was heard last (`Last-Event-ID`):
    /// `opening` (title, players, size), then `piece` after `piece` of steps as [`Telling`] gives them, in the end `over`.
    pub fn tell(self: Arc<Watch>, heard_last: Option<&str>) -> Response {
        let at = heard_last.and_then(|id| id.strip_prefix(&format!("{}-", self.number))?.parse::<usize>().ok());
        let state = (Arc::clone(&self), self.progress.subscribe(), at.map_or(0, |at| at + 1));
        let told = stream::unfold(state, |(watch, mut progress, at)| async move {
            loop {
                let Progress { events, over } = *progress.borrow_and_update();
                if at < events {
                    let event = lock(&watch.events)[at].clone();
                    return Some((Ok::<_, Infallible>(event), (watch, progress, at + 1)));
                }
                if over {
                    return None;
                }
                match news(&mut progress).await {
                    News::Come => {}
                    News::Over => return None,
                    News::Silence => return Some((Ok(SIGN_OF_LIFE), (watch, progress, at))),
                }
            }
        });
        events::tell(told)
    }

    fn add(&self, found: Vec<(&str, Value)>, over: bool) {
        let mut events = lock(&self.events);
        for (name, value) in found {
            let (number, at) = (self.number, events.len());
            let retry = if at == 0 { format!("retry: {RETRY_MS}\n") } else { String::new() };
            events.push(Bytes::from(format!("{retry}id: {number}-{at}\nevent: {name}\ndata: {value}\n\n")));
        }
        let count = events.len();
        drop(events);
        self.progress.send_replace(Progress { events: count, over });
    }
}

/// Reads on for as long as somebody looks, and a little longer.
async fn follow(watch: Arc<Watch>, mut eye: Eye) {
    let mut alone = 0;
    loop {
        let looked = tokio::task::spawn_blocking(move || {
            let seen = eye.look();
            (eye, seen)
        });
        let Ok((back, Seen { events, over, more })) = looked.await else { return };
        eye = back;
        if !events.is_empty() || over {
            watch.add(events, over);
        }
        if over {
            return;
        }
        alone = if Arc::strong_count(&watch) == 1 { alone + 1 } else { 0 };
        if alone > PAUSES_ALONE {
            return;
        }
        if !more {
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Reads one transcript.
struct Eye {
    path: PathBuf,
    told: Told,
    is_written: IsWritten,
    follower: Option<Follower>,
    telling: Option<Telling>,
}

/// What a look has brought.
struct Seen {
    events: Vec<(&'static str, Value)>,
    over: bool,
    /// Whether there is certainly more.
    more: bool,
}

impl Eye {
    fn new(path: &Path, told: Told, is_written: IsWritten) -> Eye {
        Eye { path: path.to_path_buf(), told, is_written, follower: None, telling: None }
    }

    fn look(&mut self) -> Seen {
        let mut events = Vec::new();
        match self.read(&mut events) {
            Ok((over, more)) => Seen { events, over, more },
            Err(why) => {
                events.push(("trouble", json!(without_folder(&why, self.path.parent().unwrap_or(&self.path)))));
                events.push(("over", Value::Null));
                Seen { events, over: true, more: false }
            }
        }
    }

    /// Whether it is over, and whether there is certainly more.
    fn read(&mut self, events: &mut Vec<(&'static str, Value)>) -> Result<(bool, bool), String> {
        // Asked first: what is written before its writer goes is read after.
        let is_written = (self.is_written)() && self.is_there();
        let mut over = false;
        let mut lines = 0;
        while lines < LINES && !over {
            let Some(followed) = self.next()? else { break };
            lines += 1;
            match (followed, &mut self.telling) {
                (Followed::Match(header), _) => {
                    let telling = Telling::new(*header, self.told)?;
                    events.push(("opening", telling.opening()));
                    self.telling = Some(telling);
                }
                (Followed::Event(event), Some(telling)) => telling.hear(&event),
                (Followed::Result(result), Some(telling)) => {
                    telling.end(Some(&result));
                    over = true;
                }
                (_, None) => unreachable!("a transcript's first line is its match"),
            }
        }
        let more = lines == LINES && !over;
        if !over && !more && !is_written {
            over = true;
            match &mut self.telling {
                Some(telling) => telling.end(None),
                None => return Err("the match was not begun".to_string()),
            }
        }
        events.extend(self.telling.as_mut().and_then(Telling::take).map(|piece| ("piece", piece)));
        if over {
            events.push(("over", Value::Null));
        }
        Ok((over, more))
    }

    fn next(&mut self) -> Result<Option<Followed>, String> {
        if self.follower.is_none() {
            // One that was being played may have got its own name meanwhile.
            if let Some(own) = own_name(&self.path).filter(|own| !self.path.exists() && own.exists()) {
                self.path = own;
            }
            // A match may be told of before its transcript is begun.
            if !self.path.exists() && (self.is_written)() {
                return Ok(None);
            }
            self.follower = Some(Follower::open(&self.path).map_err(|error| error.to_string())?);
        }
        let follower = self.follower.as_mut().expect("it was just opened");
        follower.read().map_err(|error| error.to_string())
    }

    /// Whether the file still has a name: one that was thrown away is not written to the end.
    fn is_there(&self) -> bool {
        match &self.follower {
            Some(follower) => follower.metadata().is_ok_and(|data: fs::Metadata| data.nlink() > 0),
            None => true,
        }
    }
}

/// The path that a transcript has once it is whole, where it has another one before.
fn own_name(path: &Path) -> Option<PathBuf> {
    Some(path.with_file_name(path.file_name()?.to_str()?.strip_prefix('.')?))
}
