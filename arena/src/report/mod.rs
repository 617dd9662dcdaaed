//! Data in, text out: positions for the terminal and for web pages, and a match or a cup as a page of its own.
//! Nothing here knows a game, prints, or reads a file.

mod cup_page;
mod frame;
mod page;
mod svg;
mod tables;
mod text;
mod words;

#[cfg(test)]
mod tests;

pub use cup_page::{
    CupLinks, CupPage, STYLE as CUP_STYLE, Unfinished, bot_sections, cup_page, cup_sections, latest_upset, match_table,
    set_labels, url_part, wall_table,
};
pub use frame::{look, text as plain_text};
pub use page::{
    BODY as MATCH_BODY, SCRIPT as MATCH_SCRIPT, STYLE as MATCH_STYLE, Telling, Told, replay_page, without_folders,
};
pub use svg::{BoardUnits, board_parts, board_svg, plain_board_svg};
pub use tables::{crosstable_text, standings_text};
pub use text::board_text;

/// The middle of a rectangle of a scene.
fn middle([left, top, width, height]: [f64; 4]) -> [f64; 2] {
    [left + width / 2.0, top + height / 2.0]
}
