//! Lines with colours, measured, cut or folded to the breadth of a terminal. The only escapes they hold are the colours of
//! boards; what comes from bots was made harmless before.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

const ESCAPE: char = '\u{1b}';

/// How many columns a line takes.
pub(super) fn width(line: &str) -> usize {
    pieces(line).filter(|piece| !piece.starts_with(ESCAPE)).map(UnicodeWidthStr::width).sum()
}

/// What a window of `columns` shows of a line, from the column `from` on. Colours stay as they are, and end with it.
pub(super) fn crop(line: &str, from: usize, columns: usize) -> String {
    let mut text = String::new();
    let (mut column, mut coloured) = (0, false);
    for piece in pieces(line) {
        if piece.starts_with(ESCAPE) {
            text.push_str(piece);
            coloured = true;
        } else {
            let after = column + piece.width();
            if column >= from && after <= from.saturating_add(columns) {
                text.push_str(piece);
            }
            column = after;
        }
    }
    if coloured {
        text.push_str("\u{1b}[0m");
    }
    text
}

/// Text without colours in lines of at most so many columns, broken at blanks where there are any; what follows is
/// set in like the first line, and a little more.
pub(super) fn fold(line: &str, columns: usize) -> Vec<String> {
    let indent = line.chars().take_while(|character| *character == ' ').count() + 2;
    if indent + 8 > columns {
        return vec![line.to_string()];
    }
    let mut lines = Vec::new();
    let (mut current, mut taken, mut blank) = (String::new(), 0, None);
    for character in line.chars() {
        let breadth = character.width().unwrap_or(0);
        if taken + breadth > columns {
            let at = if character == ' ' { Some(current.len()) } else { blank };
            let rest = current.split_off(at.unwrap_or(current.len()));
            lines.push(std::mem::replace(&mut current, " ".repeat(indent) + rest.trim_start_matches(' ')));
            (taken, blank) = (current.width(), None);
            if character == ' ' {
                continue;
            }
        }
        if character == ' ' && taken >= indent {
            blank = Some(current.len());
        }
        current.push(character);
        taken += breadth;
    }
    lines.push(current);
    lines
}

/// Characters, and escapes as wholes.
fn pieces(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let length = match first {
            ESCAPE => rest.find('m').map_or(rest.len(), |end| end + 1),
            _ => first.len_utf8(),
        };
        let (piece, after) = rest.split_at(length);
        rest = after;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_keeps_the_colours_of_what_it_shows() {
        let line = "ab\u{1b}[0;38;5;16mcd\u{1b}[0mef";
        assert_eq!(width(line), 6);
        assert_eq!(crop(line, 3, 2), "\u{1b}[0;38;5;16md\u{1b}[0me\u{1b}[0m");
        assert_eq!(crop("plain", 0, 3), "pla");
        assert_eq!(crop("plain", 9, 3), "");
        assert_eq!(
            (width("\u{754c}x"), crop("\u{754c}x", 0, 2).as_str(), crop("\u{754c}x", 1, 2).as_str()),
            (3, "\u{754c}", "x")
        );
    }

    #[test]
    fn long_text_is_folded_at_blanks_and_long_words_anywhere() {
        assert_eq!(fold("  one two three four", 12), ["  one two", "    three", "    four"]);
        assert_eq!(fold("abcdefghijklmnop", 12), ["abcdefghijkl", "  mnop"]);
        assert_eq!(fold("fits in here", 12), ["fits in here"]);
        assert_eq!(fold("too narrow to fold", 5), ["too narrow to fold"]);
        assert_eq!(fold(&"\u{754c}".repeat(8), 12)[0].chars().count(), 6, "these take two columns each");
        let long = "word ".repeat(50);
        assert!(fold(&long, 20).iter().all(|line| line.chars().count() <= 20));
    }
}
