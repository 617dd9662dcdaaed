//! A scene in characters, for the terminal: with colours, or plain enough for a file and for readers without them.
//!
//! Without colours X stands for what is seat 0's and O for what is seat 1's, `.` for an empty field, `*` for a place that
//! can be chosen, and brackets stand around the last move.

mod canvas;

use super::middle;
use crate::game::{Fact, Scene, Shape, Tone};
use canvas::Canvas;

/// Facts stand beside a board of at most so many columns, below a broader one.
const NARROW: usize = 48;

/// Draws a scene: the board, the facts beside it or below, and the caption. Lines end with LF, the last one too; with
/// `colour`, they hold ANSI escapes (256 colours) and each ends with the colours reset.
pub fn board_text(scene: &Scene, colour: bool) -> String {
    let style = if colour { Style::Colour } else { Style::Plain };
    let mut canvas = Canvas::new(scene.view, scale(scene, style));
    for shape in &scene.shapes {
        draw(&mut canvas, shape, style);
    }
    for shape in &scene.shapes {
        mark(&mut canvas, shape);
    }
    for place in scene.places() {
        canvas.put_if_bare(middle(place), style.choice(), Tone::Choice);
    }
    let facts: Vec<String> = fact_lines(&scene.facts, style);
    let board = if canvas.columns() <= NARROW {
        beside(&canvas, &facts, style)
    } else {
        canvas.lines(style == Style::Colour).into_iter().chain(facts).collect()
    };
    board.into_iter().chain([scene.caption.clone()]).map(|line| line + "\n").collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Colour,
    Plain,
}

impl Style {
    /// A disc or a seat, in one character.
    fn disc(self, tone: Tone) -> char {
        match (self, tone) {
            (Style::Colour, Tone::Second) => '○',
            (Style::Colour, _) => '●',
            (Style::Plain, Tone::First) => 'X',
            (Style::Plain, Tone::Second) => 'O',
            (Style::Plain, _) => '#',
        }
    }

    fn choice(self) -> char {
        match self {
            Style::Colour => '·',
            Style::Plain => '*',
        }
    }

    /// A text with whose it is, where colours do not say that.
    fn owned(self, tone: Tone, text: &str) -> String {
        match (self, tone) {
            (Style::Plain, Tone::First | Tone::Second) => format!("{}{text}", self.disc(tone)),
            _ => text.to_string(),
        }
    }
}

/// Columns and rows a unit. Plain fields are broadened where their texts, with whose they are, would not fit.
fn scale(scene: &Scene, style: Style) -> [f64; 2] {
    let [mut columns, rows] = scene.characters;
    for shape in &scene.shapes {
        if let Shape::Cell { at: [_, _, width, _], tone, text, .. } = shape
            && style == Style::Plain
            && !text.is_empty()
            && *width > 0.0
        {
            let needed = style.owned(*tone, text).chars().count() as f64 / width;
            columns = columns.max(needed);
        }
    }
    [columns, rows]
}

fn draw(canvas: &mut Canvas, shape: &Shape, style: Style) {
    match shape {
        Shape::Cell { at, tone, shade, text } => {
            canvas.fill_rectangle(*at, *tone, *shade);
            if !text.is_empty() {
                canvas.write(middle(*at), &style.owned(*tone, text), None);
            } else if matches!(tone, Tone::First | Tone::Second) && style == Style::Plain {
                canvas.write(middle(*at), &style.disc(*tone).to_string(), None);
            } else if style == Style::Plain && canvas.is_one_row(*at) {
                canvas.write(middle(*at), ".", None);
            }
        }
        Shape::Disc { centre, tone, text, .. } if text.is_empty() => {
            canvas.write(*centre, &style.disc(*tone).to_string(), Some(*tone));
        }
        Shape::Disc { centre, tone, text, .. } => {
            let text = style.owned(*tone, text);
            canvas.write(*centre, &text, None);
            canvas.fill_behind(*centre, text.chars().count(), *tone);
        }
        Shape::Polygon { points, tone } => canvas.fill_polygon(points, '#', *tone),
        Shape::Line { from, to, tone, arrow: false } => canvas.line(*from, *to, *tone),
        // An arrow would cross out what it leads over: only its end is marked.
        Shape::Line { arrow: true, .. } => {}
        Shape::Label { at, text, tone, .. } => canvas.write(*at, text, Some(*tone)),
    }
}

/// Brackets around what was moved last, once everything else is drawn.
fn mark(canvas: &mut Canvas, shape: &Shape) {
    match shape {
        Shape::Cell { at, tone: Tone::Last, .. } if canvas.is_one_row(*at) => canvas.bracket(middle(*at), Tone::Last),
        Shape::Line { to, tone, arrow: true, .. } => canvas.bracket(*to, *tone),
        _ => {}
    }
}

/// A line a fact, their values in one column.
fn fact_lines(facts: &[Fact], style: Style) -> Vec<String> {
    let width = facts.iter().map(|fact| fact.label.chars().count()).max().unwrap_or(0);
    let line = |fact: &Fact| {
        let whose = match fact.seat {
            Some(0) => style.disc(Tone::First),
            Some(_) => style.disc(Tone::Second),
            None => ' ',
        };
        format!("{whose} {:<width$}  {}", fact.label, fact.value)
    };
    facts.iter().map(line).collect()
}

fn beside(canvas: &Canvas, facts: &[String], style: Style) -> Vec<String> {
    let colour = style == Style::Colour;
    let (rows, widths) = (canvas.lines(colour), canvas.widths(colour));
    let first = rows.len().saturating_sub(facts.len()) / 2;
    let mut lines = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let fact = index.checked_sub(first).and_then(|index| facts.get(index));
        lines.push(match fact {
            Some(fact) => format!("{row}{:gap$}{fact}", "", gap = canvas.columns() - widths[index] + 2),
            None => row.clone(),
        });
    }
    lines.extend(facts.iter().skip(rows.len() - first).cloned());
    lines
}
