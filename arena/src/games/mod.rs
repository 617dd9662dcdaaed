//! The table of games: a new game is one folder here, one `mod` line and one entry.

pub mod notipping;
pub mod offset;
pub mod othello;

#[cfg(test)]
mod playthrough;
#[cfg(test)]
mod tests;

use crate::game::{AnyGame, erase};

/// Every game, in the order in which they are listed.
pub static GAMES: &[&dyn AnyGame] =
    &[erase::<othello::Othello>(), erase::<offset::Offset>(), erase::<notipping::NoTipping>()];

/// The game that is called so.
pub fn find(id: &str) -> Option<&'static dyn AnyGame> {
    GAMES.iter().copied().find(|game| game.info().id == id)
}
