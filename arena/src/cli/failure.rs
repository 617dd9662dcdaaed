//! Why a command could not do its work.

use std::fmt::Display;
use std::io::{self, ErrorKind};

/// Why a command could not do its work.
#[derive(Debug)]
pub(super) enum Failure {
    /// A sentence for the user.
    Message(String),
    /// Whoever was to read the output has gone (`arena … | head`): there is nothing left to do, and nothing to say.
    NobodyReads,
}

impl Failure {
    /// A failure that says so.
    pub fn new(message: impl Display) -> Failure {
        Failure::Message(message.to_string())
    }

    /// A match that could not go on, through no fault of its players.
    pub fn of_match(error: io::Error) -> Failure {
        match error.kind() {
            ErrorKind::BrokenPipe => Failure::NobodyReads,
            _ => Failure::new(format!("the match was stopped: {error}")),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        if error.kind() == ErrorKind::BrokenPipe { Failure::NobodyReads } else { Failure::new(error) }
    }
}

impl From<crate::config::ConfigError> for Failure {
    fn from(error: crate::config::ConfigError) -> Failure {
        Failure::new(error)
    }
}

impl From<crate::game::ParamError> for Failure {
    fn from(error: crate::game::ParamError) -> Failure {
        Failure::new(error)
    }
}
