//! Threads with the priority that the arena was started with. The page's own thread has made itself less important than matches are, and a
//! thread begins as the one that makes it, as do the bots that it starts: so another one makes those in which matches are played
//! and choices found.

use std::io;
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, JoinHandle};
use tokio::sync::oneshot;

type Name = &'static str;
type Work = Box<dyn FnOnce() + Send>;

/// What is wanted: a thread of this name that does this, and whom to tell of it.
type Wanted = (Name, Work, oneshot::Sender<io::Result<JoinHandle<()>>>);

/// Whoever makes such threads. It goes when this is dropped.
pub(in crate::serve) struct Threads(Sender<Wanted>);

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
        Ok(Threads(sender))
    }

    /// A thread of this name that does this.
    pub async fn make<W>(&self, name: Name, work: W) -> io::Result<JoinHandle<()>>
    where
        W: FnOnce() + Send + 'static,
    {
        let (made, told) = oneshot::channel();
        let gone = || io::Error::other("whoever makes threads is gone");
        self.0.send((name, Box::new(work), made)).map_err(|_| gone())?;
        told.await.unwrap_or_else(|_| Err(gone()))
    }
}
