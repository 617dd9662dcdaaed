//! The table of games: a new game is one folder here, one `mod` line and one entry.

/// The starter bots' sources of a game, a text a language, from the folder `starters` of whoever writes this.
macro_rules! starters {
    ($game:literal, $class:literal) => {
        &[
            ("python", include_str!(concat!("starters/", $game, ".py"))),
            ("javascript", include_str!(concat!("starters/", $game, ".mjs"))),
            ("typescript", include_str!(concat!("starters/", $game, ".ts"))),
            ("c", include_str!(concat!("starters/", $game, ".h"))),
            ("cpp", include_str!(concat!("starters/", $game, ".hpp"))),
            ("java", include_str!(concat!("starters/", $class, ".java"))),
            ("go", include_str!(concat!("starters/", $game, ".go"))),
            ("rust", include_str!(concat!("starters/", $game, ".rs"))),
            ("shell", include_str!(concat!("starters/", $game, ".sh"))),
        ]
    };
}

pub mod flip;
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
    &[erase::<othello::Othello>(), erase::<offset::Offset>(), erase::<notipping::NoTipping>(), erase::<flip::Flip>()];

/// The game that is called so.
pub fn find(id: &str) -> Option<&'static dyn AnyGame> {
    GAMES.iter().copied().find(|game| game.info().id == id)
}

/// The bots that come with the arena, by name, as the games list them; each is a program of this name beside the arena.
pub fn bundled_bots() -> Vec<&'static str> {
    let mut names = Vec::new();
    for name in GAMES.iter().flat_map(|game| game.info().bots) {
        if !names.contains(name) {
            names.push(*name);
        }
    }
    names
}
