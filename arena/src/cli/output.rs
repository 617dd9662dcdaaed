//! Where words go: results to stdout, and what people should know besides to stderr.

use super::crop::fold;
use std::io::{self, IsTerminal, Write};

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

/// Makes text from a bot safe to show on a terminal: control characters but line breaks and tabs are escaped.
pub(super) fn harmless(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        // Besides control characters: what turns the direction of the text around.
        let harmful = (character.is_control() && !matches!(character, '\n' | '\t'))
            || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if harmful { safe.extend(character.escape_unicode()) } else { safe.push(character) }
    }
    safe
}
