//! Lines with colours, measured and cut to the breadth of a terminal. The only escapes they hold are the colours of
//! boards; what comes from bots was made harmless before.

const ESCAPE: char = '\u{1b}';

/// How many characters of a line are shown.
pub(super) fn width(line: &str) -> usize {
    pieces(line).filter(|piece| !piece.starts_with(ESCAPE)).count()
}

/// What a window of `columns` shows of a line, from the character `from` on. Colours stay as they are, and end with it.
pub(super) fn crop(line: &str, from: usize, columns: usize) -> String {
    let mut text = String::new();
    let (mut column, mut coloured) = (0, false);
    for piece in pieces(line) {
        if piece.starts_with(ESCAPE) {
            text.push_str(piece);
            coloured = true;
        } else {
            if (from..from.saturating_add(columns)).contains(&column) {
                text.push_str(piece);
            }
            column += 1;
        }
    }
    if coloured {
        text.push_str("\u{1b}[0m");
    }
    text
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
    }
}
