//! What all pages have in common: one file that asks nothing of any server, under a policy that lets in only its own
//! styles and its own script, and one look. What a page tells is none of this module's business.

#[cfg(test)]
mod tests;

use super::svg::{escape, svg_rules};
use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};

/// Colours for light and dark, letters, headings, and the line that tells how it ended.
const LOOK: &str = include_str!("look.css");

/// The styles that all pages share, those of boards among them.
pub fn look() -> String {
    format!("{LOOK}{}", svg_rules())
}

/// A page with this title (plain text), the common look and more styles, perhaps a script, and a body (markup).
pub(super) fn page(title: &str, style: &str, script: Option<&str>, body: &str) -> String {
    let style = format!("{LOOK}{style}");
    let allowed = |kind: &str, text: &str| format!(" {kind} 'sha256-{}';", sha256_base64(text.as_bytes()));
    let styles = allowed("style-src", &style);
    let scripts = script.map(|script| allowed("script-src", script)).unwrap_or_default();
    let script = script.map(|script| format!("<script>{script}</script>\n")).unwrap_or_default();
    let title = text(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none';{styles}{scripts} base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}{script}</body>\n</html>\n"
    )
}

/// How a policy names the one script, or the one style sheet, that it allows.
fn sha256_base64(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(Sha256::digest(bytes))
}

/// Plain text inside elements and attributes. Control characters, and those that turn the direction of text around, are
/// made visible.
pub fn text(plain: &str) -> String {
    let mut shown = String::with_capacity(plain.len());
    for letter in plain.chars() {
        match letter {
            '\n' | '\t' => shown.push(' '),
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}' | '\u{feff}' => {
                shown.push_str(&format!("\\u{:x}", letter as u32))
            }
            letter if letter.is_control() => shown.push_str(&format!("\\x{:02x}", letter as u32)),
            letter => shown.push(letter),
        }
    }
    escape(&shown)
}
