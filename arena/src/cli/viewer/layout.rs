//! Where things stand on a screen of some size. What does not fit is left out, the least needed first.

use ratatui::layout::Rect;

/// The columns of the list of moves, its border counted.
const LIST: u16 = 26;

/// What was said has so many rows at least, its border counted, where there is room.
const SAID: u16 = 6;

/// The parts of the screen; an area without rows or columns is not shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    /// The match, in a line.
    pub heading: Rect,
    /// A line a seat.
    pub clocks: Rect,
    /// The board.
    pub board: Rect,
    /// What is to be done in its position, in a line.
    pub caption: Rect,
    /// The list of moves.
    pub list: Rect,
    /// What was said.
    pub said: Rect,
    /// Where one is, and keys.
    pub status: Rect,
}

/// Lays a screen out around a board of so many columns and rows.
pub(super) fn lay_out(area: Rect, board: [usize; 2]) -> Layout {
    let row = |y: u16, height: u16| Rect { y: area.y + y, height, ..area };
    // The fewer rows there are, the fewer are spent on anything but board and words.
    let heading = u16::from(area.height >= 5);
    let clocks = if area.height >= 8 { 2 } else { 0 };
    let status = u16::from(area.height >= 2);
    let top = heading + clocks;
    let body = row(top, area.height - top - status);
    let [columns, rows] = board.map(|side| u16::try_from(side).unwrap_or(u16::MAX));
    let beside = columns.saturating_add(LIST) <= area.width;
    let said = SAID.min(body.height / 2).max(body.height.saturating_sub(rows.saturating_add(1)));
    let (upper, lower) = split_rows(body, body.height - said);
    let (upper, caption) = split_rows(upper, upper.height - u16::from(upper.height >= 3));
    let (board, list, said) = if beside {
        let (left, right) = split_columns(body, body.width - LIST);
        (Rect { width: left.width, ..upper }, right, Rect { width: left.width, ..lower })
    } else if area.width >= 3 * LIST && lower.height >= 4 {
        let (left, right) = split_columns(lower, lower.width - LIST);
        (upper, right, left)
    } else {
        (upper, Rect::default(), lower)
    };
    let status = row(area.height - status, status);
    let caption = Rect { width: board.width, ..caption };
    Layout { heading: row(0, heading), clocks: row(heading, clocks), board, caption, list, said, status }
}

fn split_rows(area: Rect, upper: u16) -> (Rect, Rect) {
    (Rect { height: upper, ..area }, Rect { y: area.y + upper, height: area.height - upper, ..area })
}

fn split_columns(area: Rect, left: u16) -> (Rect, Rect) {
    (Rect { width: left, ..area }, Rect { x: area.x + left, width: area.width - left, ..area })
}
