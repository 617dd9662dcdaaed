//! Data in, text out: positions for the terminal and for web pages, and a match as a page of its own.
//! Nothing here knows a game, prints, or reads a file.

mod page;
mod svg;
mod tables;
mod text;

#[cfg(test)]
mod tests;

pub use page::replay_page;
pub use svg::board_svg;
pub use tables::{crosstable_text, standings_text};
pub use text::board_text;
