//! A recorded match as one page: every position, both clocks, what the bots said, what went wrong. The page is a single
//! file that asks nothing of any server; its policy lets only its own script and its own styles in.

mod boards;
mod data;
mod digest;

#[cfg(test)]
mod tests;

use super::svg::{escape, svg_rules};
use crate::play::Reenactment;
use crate::record::Transcript;

const BODY: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Writes the page of a match. `#turn=12` in its address opens it at that turn, `#end` at its end.
///
/// What comes from bots (names, notes, stderr) is data in it: it is never part of the markup.
pub fn replay_page(transcript: &Transcript, reenactment: &Reenactment) -> String {
    let data = data::of_match(transcript, reenactment);
    let title = escape(data["title"].as_str().unwrap_or_default());
    let style = format!("{}{STYLE}", svg_rules());
    // In JSON `<` stands only inside of strings, so that no text can end the element that it is in.
    let data = data.to_string().replace('<', "\\u003c");
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        digest::sha256_base64(style.as_bytes()),
        digest::sha256_base64(SCRIPT.as_bytes())
    );
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n{BODY}\
         <script type=\"application/json\" id=\"match\">{data}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )
}
