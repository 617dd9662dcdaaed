//! Play against a bot: the form, and the matches that are being played so. [`session`] is one such match, [`choices`] what can be chosen
//! in it, [`form`] how one is begun, [`retention`] what is left of it, [`threads`] where it runs.

mod choices;
mod form;
mod page;
mod retention;
mod session;
mod threads;

pub(super) use page::routes;
pub(super) use retention::PLAYED;
pub(super) use threads::Threads;

/// Where a match against a bot is begun.
pub(super) const ADDRESS: &str = "/play";

/// What is asked of a match to go on in another one.
const UNDO: &str = "/undo";
const AGAIN: &str = "/again";

use super::refusal::Refusal;
use super::watch::IsWritten;
use super::{Site, lock};
use session::{Session, Settings, TakenBack};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// So many matches are played at once.
const MOST: usize = 64;

/// So many of them by one address: a class may sit behind one.
const MOST_OF_ONE: usize = 48;

/// So many matches are remembered; of those that are over the oldest go.
const REMEMBERED: usize = 1000;

/// A match that is left for another one has so long to end: a bot's move and its farewell.
const ENDS_WITHIN: Duration = Duration::from_secs(20);

/// How long it may take, before anything else is done, until a match has ended that is left by asking for this path.
pub(super) fn end_awaited_by(path: &str) -> Duration {
    let is_left = path.starts_with(ADDRESS) && [UNDO, AGAIN].iter().any(|what| path.ends_with(what));
    if is_left { ENDS_WITHIN } else { Duration::ZERO }
}

/// How often it is looked whether anybody still looks.
const ROUND: Duration = Duration::from_secs(30);

/// After so many rounds with nobody there, the person has left.
const ROUNDS_ALONE: u32 = 20;

/// The same for a match that nobody has asked for anything yet: whoever began it has hung up.
const ROUNDS_UNSEEN: u32 = 2;

/// All matches against a person, in the order in which they began.
#[derive(Default)]
pub(super) struct Sessions(Mutex<Vec<Arc<Session>>>);

impl Sessions {
    fn find(&self, id: &str) -> Option<Arc<Session>> {
        self.all().iter().find(|session| session.id == id).cloned()
    }

    /// Asks whether a match of this id is still being played.
    pub fn is_going_on(&self, match_id: &str) -> IsWritten {
        let session = self.all().iter().find(|session| session.match_id == match_id).cloned();
        Box::new(move || session.as_ref().is_some_and(|session| !session.is_over()))
    }

    fn all(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Session>>> {
        lock(&self.0)
    }

    /// The transcripts of those that are being played.
    fn live(&self) -> Vec<PathBuf> {
        self.all().iter().filter(|session| !session.is_over()).map(|session| session.transcript.clone()).collect()
    }

    /// Says whether another one may begin.
    fn room(&self, from: IpAddr) -> Result<(), Refusal> {
        let all = self.all();
        let live = || all.iter().filter(|session| !session.is_over());
        let (count, own) = (live().count(), live().filter(|session| session.settings.from == from).count());
        if count >= MOST {
            return Err(Refusal::full(format!(
                "This page is full: {MOST} matches are being played. Try again when one has ended."
            )));
        }
        if own >= MOST_OF_ONE {
            return Err(Refusal::full(format!(
                "This page is full for you: {MOST_OF_ONE} matches are being played from your address. Try again when one has ended."
            )));
        }
        Ok(())
    }

    fn add(&self, session: &Arc<Session>) {
        let mut all = self.all();
        all.push(Arc::clone(session));
        let too_many = all.len().saturating_sub(REMEMBERED);
        let mut gone = 0;
        all.retain(|session| {
            let goes = gone < too_many && session.is_over();
            gone += usize::from(goes);
            !goes
        });
    }

    /// Ends all matches; [`Sessions::join`] waits for them.
    pub fn interrupt(&self) {
        self.all().iter().for_each(|session| session.interrupt());
    }

    /// Waits until all have ended, which is to have been asked of them.
    pub fn join(&self) {
        let all = self.all().clone();
        all.iter().for_each(|session| session.join());
    }
}

/// Begins a match.
async fn begin(site: &Arc<Site>, settings: Settings, from: Option<TakenBack>) -> Result<Arc<Session>, Refusal> {
    site.sessions.room(settings.from)?;
    let (game, params, seed) = (settings.game, settings.params.clone(), settings.seed);
    let threads = threads(site)?;
    // Some openings are long in being drawn.
    let started = threads.done(&threads.starts, "start", move || game.start(&params, seed)).await;
    let started = started.map_err(|why| Refusal::ours(format!("The match cannot be set up: {why}.")))?;
    let started = started.map_err(|error| Refusal::wrong(short(&error.to_string())))?;
    // Nothing is awaited from here until it is added, and this is the only thread that begins matches.
    site.sessions.room(settings.from)?;
    let (session, start) = Session::prepare(site, settings, started, from)?;
    let session = Arc::new(session);
    site.sessions.add(&session);
    tokio::spawn(attend(Arc::clone(&session)));
    let site = Arc::clone(site);
    to_the_end(async move {
        session.begin(self::threads(&site)?, start).await?;
        let transcripts = session.transcript.parent().map(Path::to_path_buf);
        let live = site.sessions.live();
        tokio::task::spawn_blocking(move || transcripts.iter().for_each(|folder| retention::thin_out(folder, &live)));
        Ok(session)
    })
    .await
}

/// Does what must not be left half done, in a task of its own: whoever asked for it may hang up.
async fn to_the_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, Refusal>> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::spawn(work).await.unwrap_or_else(|_| Err(Refusal::ours("The page failed at that.")))
}

/// What makes threads.
fn threads(site: &Site) -> Result<&Threads, Refusal> {
    site.threads.as_ref().ok_or_else(|| Refusal::ours("The page is not served yet."))
}

/// Ends a match that everybody has left, or that nobody has come to.
async fn attend(session: Arc<Session>) {
    let (mut alone, mut left_after) = (0, ROUNDS_UNSEEN);
    while !session.ended(ROUND).await {
        if session.presence.is_felt() {
            (alone, left_after) = (0, ROUNDS_ALONE);
        } else {
            alone += 1;
        }
        if alone >= left_after {
            return session.leave();
        }
    }
}

/// What was sent, as it is told back.
fn short(text: &str) -> String {
    crate::protocol::shown(text.as_bytes(), 200)
}

fn no_such_match() -> Refusal {
    let why = "There is no such match: it was played long ago, or before this page was started. Begin another one.";
    Refusal::missing(why)
}
