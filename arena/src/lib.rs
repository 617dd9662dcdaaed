//! The arena: referees games between bots that are separate programs.
//!
//! The modules in reading order; each may use those above it, never those below (`ARCHITECTURE.md`).

pub mod clock;
pub mod files;
pub mod seat;
pub mod seed;
pub mod verdict;

pub mod game;
pub mod isolation;
pub mod protocol;

pub mod games;
pub mod referee;
pub mod transport;

pub mod record;
pub mod table;

pub mod play;

pub mod submissions;
pub mod tournament;

pub mod config;
pub mod report;
pub mod serve;

pub mod cli;
