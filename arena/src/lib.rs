//! The arena: referees games between bots that are separate programs.
//!
//! The modules in reading order; each may use those above it, never those below (`ARCHITECTURE.md`).

pub mod seat;
pub mod seed;
pub mod verdict;

pub mod game;
pub mod games;

pub mod report;
