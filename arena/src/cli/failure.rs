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
