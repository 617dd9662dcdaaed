//! The wish to stop: raised once from outside, noticed by whatever waits.

use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shared by whoever may ask for a stop and everything that is to notice it.
#[derive(Clone, Debug)]
pub struct Interrupt {
    raised: Arc<AtomicBool>,
    /// Holds a byte from when it is raised, and is never read: it stays ready for everybody.
    wake: Arc<UnixStream>,
    ring: Arc<UnixStream>,
}

impl Interrupt {
    /// One that nobody has raised.
    pub fn new() -> io::Result<Interrupt> {
        let (wake, ring) = UnixStream::pair()?;
        ring.set_nonblocking(true)?;
        Ok(Interrupt { raised: Arc::default(), wake: Arc::new(wake), ring: Arc::new(ring) })
    }

    /// Raises it.
    pub fn raise(&self) {
        self.raised.store(true, Ordering::SeqCst);
        // A full socket wakes as well as one byte more would.
        let _ = (&*self.ring).write(&[1]);
    }

    /// The flag that a signal handler may set; [`Interrupt::bell`] is to be rung with it.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.raised)
    }

    /// A stream into which a byte is to be written, by a signal handler that has set the flag.
    pub fn bell(&self) -> io::Result<UnixStream> {
        self.ring.try_clone()
    }

    /// Whether it was raised.
    pub fn raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
    }

    /// Readable once it was raised.
    pub fn descriptor(&self) -> BorrowedFd<'_> {
        self.wake.as_fd()
    }
}
