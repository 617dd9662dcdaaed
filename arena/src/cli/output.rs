//! Where words go: results to stdout, and what people should know besides to stderr.

use super::crop::fold;
use std::io::{self, IsTerminal, Write};
use unicode_width::UnicodeWidthChar;

/// A place for text that people read.
pub(super) struct Paper {
    writer: Box<dyn Write + Send>,
    /// Whether it takes colours.
    pub colour: bool,
    /// Whether it is a terminal.
    pub terminal: bool,
}

impl Paper {
    /// Stdout, or stderr where stdout is for machines.
    pub fn new(machine_output: bool) -> Paper {
        let terminal = if machine_output { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let writer: Box<dyn Write + Send> =
            if machine_output { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
        Paper { writer, colour: terminal && !plain, terminal: terminal && !plain }
    }

    /// Columns and rows of the terminal, where it is one.
    pub fn size(&self) -> Option<(u16, u16)> {
        self.terminal.then(crossterm::terminal::size)?.ok()
    }

    /// Writes a line, on a terminal folded between words: not for what is to be copied.
    pub fn folded(&mut self, text: &str) -> io::Result<()> {
        match self.size() {
            Some((columns, _)) => fold(text, columns.into()).iter().try_for_each(|line| self.line(line)),
            None => self.line(text),
        }
    }

    /// Whether a program with a screen of its own can run here: keys come from a terminal and it is drawn on one, with
    /// colours or without.
    pub fn holds_a_screen() -> bool {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb
    }

    /// Writes text as it is.
    pub fn put(&mut self, text: &str) -> io::Result<()> {
        self.writer.write_all(text.as_bytes())?;
        self.writer.flush()
    }

    /// Writes a line.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        self.put(&format!("{text}\n"))
    }
}

/// Writes a line to stdout.
pub(super) fn line(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.write_all(b"\n")
}

/// Says something on stderr, whatever becomes of it.
pub(super) fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// So many characters without a width of their own may stand on another: no script needs more.
const MOST_MARKS: usize = 8;

/// Makes text from a bot safe to show on a terminal: control characters but line breaks and tabs are escaped.
pub(super) fn harmless(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut marks = 0;
    for character in text.chars() {
        marks = if character.width() == Some(0) { marks + 1 } else { 0 };
        // Besides control characters: what turns the direction of the text around, and what breaks lines elsewhere.
        let harmful = (character.is_control() && !matches!(character, '\n' | '\t'))
            || marks > MOST_MARKS
            || matches!(
                character,
                '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}' | '\u{feff}'
            );
        if harmful { safe.extend(character.escape_unicode()) } else { safe.push(character) }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_moves_the_cursor_or_turns_text_around_is_left() {
        let evil = "\u{1b}[2J\0\r\u{8}\u{7f}\u{9b}31m\u{202e}\u{2067}\u{200f}\u{61c}\u{feff}\u{2028}";
        let safe = harmless(evil);
        assert!(safe.is_ascii() && !safe.contains(|character: char| character.is_control()), "{safe:?}");
        assert_eq!(harmless("tab\tand\nline, \u{754c} e\u{301}"), "tab\tand\nline, \u{754c} e\u{301}");
        let piled = harmless(&format!("a{}", "\u{301}".repeat(1000)));
        assert_eq!(piled.matches('\u{301}').count(), MOST_MARKS, "marks do not pile up");
    }
}
