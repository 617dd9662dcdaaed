//! A recorded match as one page: every position, both clocks, what the bots said, what went wrong.

mod boards;
mod data;

#[cfg(test)]
mod tests;

pub use data::{Telling, Told, without_folders};

use super::frame;
use super::svg::svg_rules;
use crate::play::Reenactment;
use crate::record::Transcript;

/// What the page of a match consists of, as markup.
pub const BODY: &str = include_str!("page.html");
/// Its styles, beside the common look.
pub const STYLE: &str = include_str!("page.css");
/// Its script.
pub const SCRIPT: &str = include_str!("page.js");

/// Writes the page of a match. `#turn=12` in its address opens it at the position before that turn (the number of
/// turns is the end), `#end` at its end.
///
/// What comes from bots (names, notes, stderr) is data in it: it is never part of the markup.
pub fn replay_page(transcript: &Transcript, reenactment: &Reenactment<'_>) -> String {
    let data = data::of_match(transcript, reenactment);
    // In JSON `<` stands only inside of strings, so that no text can end the element that it is in.
    let told = data.to_string().replace('<', "\\u003c");
    let body = format!("{BODY}<script type=\"application/json\" id=\"match\">{told}</script>\n");
    let title = data["title"].as_str().unwrap_or_default();
    frame::page(title, &format!("{}{STYLE}", svg_rules()), Some(SCRIPT), &body)
}
