//! Ctrl-C and SIGTERM: once in good order, twice at once.

use crate::transport::Interrupt;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The signals that ask for a stop, from now on.
pub(super) struct Signals {
    interrupt: Interrupt,
    last: Arc<AtomicUsize>,
}

impl Signals {
    /// Takes the signals: the first raises an [`Interrupt`], a second one ends the program at once. Bots end with it
    /// either way, because their keepers see it go.
    pub fn take() -> io::Result<Signals> {
        Signals::taking(&[SIGINT, SIGTERM])
    }

    /// The same for a command that holds the screen, which `give_back` gives back. After SIGHUP that is done at once: the terminal
    /// may be gone, and whoever waits for its keys would wait for ever.
    pub fn take_with_screen(give_back: fn()) -> io::Result<Signals> {
        let mut hang_up = signal_hook::iterator::Signals::new([SIGHUP])?;
        std::thread::spawn(move || {
            if hang_up.forever().next().is_some() {
                give_back();
                std::process::exit(exit_status(SIGHUP).into());
            }
        });
        Signals::taking(&[SIGINT, SIGTERM, SIGQUIT])
    }

    /// The same, but Ctrl-C is left to a program that has the terminal with us, as a debugger.
    pub fn take_but_ctrl_c() -> io::Result<Signals> {
        // A handler that does nothing: an ignored signal would be ignored by that program as well.
        signal_hook::flag::register(SIGINT, Arc::default())?;
        // Its terminal may be closed; nothing is to be left then either.
        Signals::taking(&[SIGTERM, SIGHUP])
    }

    fn taking(signals: &[i32]) -> io::Result<Signals> {
        let interrupt = Interrupt::new()?;
        let last = Arc::new(AtomicUsize::new(0));
        for &signal in signals {
            // The order matters: the second signal must find the flag that the first has set.
            signal_hook::flag::register_conditional_shutdown(signal, exit_status(signal).into(), interrupt.flag())?;
            signal_hook::flag::register(signal, interrupt.flag())?;
            signal_hook::flag::register_usize(signal, Arc::clone(&last), signal as usize)?;
            signal_hook::low_level::pipe::register(signal, interrupt.bell()?)?;
        }
        // A file that may not grow is then an error that can be told. Unlike an ignored signal, a handler is not passed on.
        signal_hook::flag::register(SIGXFSZ, Arc::default())?;
        Ok(Signals { interrupt, last })
    }

    /// Raised by the first signal.
    pub fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// The exit status that a signal asks for, if one came.
    pub fn status(&self) -> Option<u8> {
        match self.last.load(Ordering::SeqCst) {
            0 => None,
            signal => Some(exit_status(signal as i32)),
        }
    }
}

/// The exit status of a program that this signal has ended, as shells tell it.
pub(super) fn exit_status(signal: i32) -> u8 {
    128 + signal as u8
}
