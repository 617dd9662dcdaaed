//! The page: cups, matches that are being played, replays, play against a bot. A server in one thread beside the arena, which reads the
//! same files as everybody else: it is told nothing by a match, so no spectator can slow one down.
//!
//! What of it is whose: `connections` holds whoever calls, `guard` decides what may be asked at all, `shelf` which file a name means,
//! `watch` follows a match for all who look at it, `download` is what of it may be taken along, `events` is how live news is sent, `html` and `assets` are what all pages have in
//! common; each other file is one page or a few.

mod assets;
mod connections;
mod cup;
mod download;
mod events;
mod guard;
mod html;
mod index;
mod match_page;
mod paper;
mod play;
mod refusal;
mod shelf;
mod watch;

pub use shelf::NOW;

use crate::transport::{Host, Program, cores};
use axum::Router;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::oneshot;
use watch::Watches;

/// When the page stops, whoever is still being told something gets this long to hear it.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// The same where nobody is in a hurry: a machine may be busy, and a match long.
const WHOLE_STORY: Duration = Duration::from_secs(15);

/// Takes a lock, also where whoever held it fell over: what is kept behind the page's locks is whole at every moment.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is wrong, without where on this machine: that is nobody's business who looks at the page.
fn without_folder(why: &str, folder: &Path) -> String {
    why.replace(&format!("{}/", folder.display()), "")
}

/// A bot that can be played against.
pub struct PageBot {
    /// What it is called.
    pub name: String,
    /// How it is started.
    pub program: Program,
    /// The games that it plays, by their words; `None` where it does not say.
    pub games: Option<Vec<String>>,
}

/// What the page shows, and to whom.
pub struct Site {
    /// The folder of all cups.
    results: PathBuf,
    /// Whether notes, stderr and other talk of bots is shown.
    show_logs: bool,
    /// Whether it is served to this machine only.
    loopback: bool,
    /// The bots that can be played against.
    bots: Vec<PageBot>,
    /// Where they are started, confined as they are to be.
    host: Host,
    /// Matches that this process plays: id and transcript, in order.
    now: Mutex<Vec<(String, PathBuf)>>,
    /// How many matches this process plays in all.
    to_play: usize,
    watches: Watches,
    cups: cup::Cups,
    /// Matches of people against bots.
    sessions: play::Sessions,
    /// What makes the threads of those, once the page is served.
    threads: Option<play::Threads>,
    /// After each turn of a match that this process plays, outside the clocks.
    pause: Duration,
    /// The Paper, where it is offered.
    paper: Option<Arc<paper::Paper>>,
}

impl Site {
    /// A page that shows the cups in a folder.
    pub fn new(results: PathBuf, show_logs: bool) -> Site {
        Site {
            results,
            show_logs,
            loopback: true,
            bots: Vec::new(),
            host: Host::new(false),
            now: Mutex::default(),
            to_play: 0,
            watches: Watches::default(),
            cups: cup::Cups::default(),
            sessions: play::Sessions::default(),
            threads: None,
            pause: Duration::ZERO,
            paper: None,
        }
    }

    /// The same with the activity around the Paper, where it is among these bundled bots: they are trusted, and whom they meet there are the
    /// others that play its game.
    ///
    /// # Errors
    /// The system refuses us something, or the Paper does not tell its rules.
    pub fn with_bundled(self, bundled: Vec<PageBot>) -> Result<Site, String> {
        Ok(Site { paper: paper::Paper::find(bundled)?.map(Arc::new), ..self })
    }

    /// The same, where these bots can be played against.
    pub fn with_bots(self, bots: Vec<PageBot>, host: Host) -> Site {
        Site { bots, host, ..self }
    }

    /// The same, of a process that plays so many matches, one after the other: each is to be shown ([`Site::show`]).
    pub fn that_plays(self, matches: usize) -> Site {
        Site { to_play: matches, ..self }
    }

    /// The same, where it lets so much time pass after each turn.
    pub fn that_pauses(self, pause: Duration) -> Site {
        Site { pause, ..self }
    }

    /// Shows a match that this process plays, or is about to play, from its transcript; one that is shown already stays as it is.
    pub fn show(&self, id: &str, transcript: PathBuf) {
        let mut now = lock(&self.now);
        if now.iter().all(|(shown, _)| shown != id) {
            now.push((id.to_string(), transcript));
        }
    }

    /// The matches that this process plays or has played, in order.
    fn shown(&self) -> Vec<(String, PathBuf)> {
        lock(&self.now).clone()
    }
}

/// A page that is being served. Dropped, it stops; what is just being told is told to the end, within bounds.
pub struct Served {
    address: SocketAddr,
    site: Arc<Site>,
    stop: Option<oneshot::Sender<Duration>>,
    last_words: Duration,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    /// Serves a page on a port that listens already, on these cores (on any, where none is named).
    ///
    /// # Errors
    /// The system refuses a thread or a descriptor.
    pub fn start(listener: TcpListener, mut site: Site, on: &[usize]) -> io::Result<Served> {
        let address = listener.local_addr()?;
        site.loopback = address.ip().is_loopback();
        // Made here: the page's own thread is no place for matches to come from.
        site.threads = Some(play::Threads::start()?);
        listener.set_nonblocking(true)?;
        let site = Arc::new(site);
        let (stop, stopped) = oneshot::channel();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (router, most, on) = (router(Arc::clone(&site)), connections::room(), on.to_vec());
        let thread = std::thread::Builder::new().name("page".to_string()).spawn(move || {
            // Bots and referees come first.
            let _ = rustix::process::nice(10);
            if !on.is_empty() {
                let _ = cores::move_this_thread(&on);
            }
            runtime.block_on(async {
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
                connections::accept(listener, router, most, stopped).await;
            });
            // What still reads a file is not waited for.
            runtime.shutdown_background();
        })?;
        Ok(Served { address, site, stop: Some(stop), last_words: LAST_WORDS, thread: Some(thread) })
    }

    /// When it stops, whoever is being told a match that is over hears it to its end.
    pub fn tell_to_the_end(&mut self) {
        self.last_words = WHOLE_STORY;
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it shows.
    pub fn site(&self) -> &Site {
        &self.site
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // Whoever plays hears that it is over before the page goes.
        self.site.sessions.interrupt();
        self.site.paper.iter().for_each(|paper| paper.stop());
        // Who was to hear it has gone only if the thread has ended.
        let _ = self.stop.take().map(|stop| stop.send(self.last_words));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        // One may have begun meanwhile.
        self.site.sessions.interrupt();
        self.site.sessions.join();
    }
}

fn router(site: Arc<Site>) -> Router {
    let pages = Router::new()
        .merge(index::routes())
        .merge(cup::routes())
        .merge(match_page::routes())
        .merge(play::routes())
        .merge(paper::routes())
        .merge(assets::routes());
    guard::around(pages, Arc::clone(&site)).with_state(site)
}
