//! Threads with the priority that the arena was started with. The page's own thread has made itself less important than matches are, and a
//! thread begins as the one that makes it, as do the bots that it starts: so another one makes those in which matches are played
//! and choices found.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, JoinHandle};
use tokio::sync::{Semaphore, oneshot};

type Name = &'static str;
type Work = Box<dyn FnOnce() + Send>;

/// What is wanted: a thread of this name that does this, and whom to tell of it.
type Wanted = (Name, Work, oneshot::Sender<io::Result<JoinHandle<()>>>);

/// So many are at the same kind of work at once; more would take all memory, and every core.
const AT_ONCE: usize = 4;

/// Whoever makes such threads. It goes when this is dropped.
pub(in crate::serve) struct Threads {
    wanted: Sender<Wanted>,
    /// Places for those who find choices, and for those who draw a match's start.
    pub choices: Arc<Semaphore>,
    pub starts: Arc<Semaphore>,
}

impl Threads {
    /// To be called in a thread that has the priority which is wanted.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn start() -> io::Result<Threads> {
        let (sender, wanted) = channel::<Wanted>();
        Builder::new().name("visitors".to_string()).spawn(move || {
            for (name, work, made) in wanted {
                let _ = made.send(Builder::new().name(name.to_string()).spawn(work));
            }
        })?;
        let [choices, starts] = [AT_ONCE; 2].map(|places| Arc::new(Semaphore::new(places)));
        Ok(Threads { wanted: sender, choices, starts })
    }

    /// A thread of this name that does this.
    pub async fn make<W>(&self, name: Name, work: W) -> io::Result<JoinHandle<()>>
    where
        W: FnOnce() + Send + 'static,
    {
        let (made, told) = oneshot::channel();
        let gone = || io::Error::other("whoever makes threads is gone");
        self.wanted.send((name, Box::new(work), made)).map_err(|_| gone())?;
        told.await.unwrap_or_else(|_| Err(gone()))
    }

    /// What this work comes to, done in a thread of its own once there is a place for it. Whoever goes away before that leaves none waiting.
    pub async fn done<T: Send + 'static>(
        &self,
        places: &Arc<Semaphore>,
        name: Name,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> io::Result<T> {
        let gone = |_| io::Error::other("it fell over");
        let place = Arc::clone(places).acquire_owned().await.map_err(|_| io::Error::other("the page stops"))?;
        let (done, told) = oneshot::channel();
        let held = move || {
            let _ = done.send(work());
            drop(place);
        };
        self.make(name, held).await?;
        told.await.map_err(gone)
    }
}
