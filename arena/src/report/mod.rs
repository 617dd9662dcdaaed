//! Data in, text out: positions for the terminal and for web pages.
//! Nothing here knows a game, prints, or reads a file.

mod svg;
mod tables;
mod text;

#[cfg(test)]
mod tests;

pub use svg::board_svg;
pub use tables::{crosstable_text, standings_text};
pub use text::board_text;
