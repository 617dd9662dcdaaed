//! A rectangle of characters, each with a colour in front and one behind; from the plane to columns and rows.
//! Knows tones, not shapes.

use crate::game::{DEEPEST, Tone};

/// Larger drawings are cut off, so that no scene fills the memory.
const LARGEST: f64 = 500.0;

pub(super) struct Canvas {
    origin: [f64; 2],
    scale: [f64; 2],
    columns: usize,
    rows: usize,
    places: Vec<Place>,
}

#[derive(Clone, Copy)]
struct Place {
    glyph: char,
    /// `None` takes a colour that shows on what is behind.
    front: Option<Tone>,
    behind: Option<Tone>,
    /// How strong the colour behind is.
    shade: u8,
}

const BLANK: Place = Place { glyph: ' ', front: None, behind: None, shade: 0 };

impl Canvas {
    /// An empty canvas for this part of the plane (left, top, width, height) at so many columns and rows a unit.
    pub(super) fn new(view: [f64; 4], scale: [f64; 2]) -> Canvas {
        let [columns, rows] = [0, 1].map(|axis| (view[2 + axis] * scale[axis]).ceil().clamp(1.0, LARGEST) as usize);
        let places = vec![BLANK; columns * rows];
        Canvas { origin: [view[0], view[1]], scale, columns, rows, places }
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// Whether a rectangle is drawn in a single row.
    pub(super) fn is_one_row(&self, at: [f64; 4]) -> bool {
        at[3] * self.scale[1] < 1.5
    }

    /// Colours what is behind a rectangle, and wipes what was written there.
    pub(super) fn fill_rectangle(&mut self, at: [f64; 4], tone: Tone, shade: u8) {
        let [left, top] = self.to_characters([at[0], at[1]]);
        let [right, bottom] = self.to_characters([at[0] + at[2], at[1] + at[3]]);
        for row in top.round() as i64..bottom.round() as i64 {
            for column in left.round() as i64..right.round() as i64 {
                self.set(column, row, |place| *place = Place { behind: Some(tone), shade, ..BLANK });
            }
        }
    }

    /// Colours what is behind so many characters around a point.
    pub(super) fn fill_behind(&mut self, at: [f64; 2], characters: usize, tone: Tone) {
        let (first, row) = self.first_of(at, characters);
        for column in first..first + characters as i64 {
            self.set(column, row, |place| (place.behind, place.shade) = (Some(tone), 0));
        }
    }

    /// Writes a text around a point.
    pub(super) fn write(&mut self, at: [f64; 2], text: &str, tone: Option<Tone>) {
        let (first, row) = self.first_of(at, text.chars().count());
        for (column, glyph) in (first..).zip(text.chars()) {
            self.set(column, row, |place| (place.glyph, place.front) = (glyph, tone));
        }
    }

    /// Puts one character where nothing is drawn yet but an empty field.
    pub(super) fn put_if_bare(&mut self, at: [f64; 2], glyph: char, tone: Tone) {
        let (column, row) = self.first_of(at, 1);
        self.set(column, row, |place| {
            if matches!(place.glyph, ' ' | '.') {
                (place.glyph, place.front) = (glyph, Some(tone));
            }
        });
    }

    /// Puts brackets around what is written at a point, where there is room.
    pub(super) fn bracket(&mut self, at: [f64; 2], tone: Tone) {
        let (middle, row) = self.first_of(at, 1);
        let is_blank =
            |column: i64| self.index(column, row).is_none_or(|index| matches!(self.places[index].glyph, ' ' | '|'));
        let (mut left, mut right) = (middle - 1, middle + 1);
        while !is_blank(left) {
            left -= 1;
        }
        while !is_blank(right) {
            right += 1;
        }
        if right - left > MOST_IN_BRACKETS {
            return;
        }
        self.set(left, row, |place| (place.glyph, place.front) = ('[', Some(tone)));
        self.set(right, row, |place| (place.glyph, place.front) = (']', Some(tone)));
    }

    /// Draws a line through what is blank.
    pub(super) fn line(&mut self, from: [f64; 2], to: [f64; 2], tone: Tone) {
        let (from, to) = (self.to_characters(from), self.to_characters(to));
        let (wide, high) = (to[0] - from[0], to[1] - from[1]);
        let glyph = match (wide.abs(), high.abs()) {
            (wide, high) if wide > 2.0 * high => '-',
            (wide, high) if high > 2.0 * wide => '|',
            _ if wide * high > 0.0 => '\\',
            _ => '/',
        };
        let steps = wide.abs().max(high.abs()).ceil().clamp(1.0, LARGEST);
        for step in 0..=steps as u64 {
            let part = step as f64 / steps;
            let (column, row) = ((from[0] + wide * part).floor() as i64, (from[1] + high * part).floor() as i64);
            self.set(column, row, |place| {
                if place.glyph == ' ' {
                    (place.glyph, place.front) = (glyph, Some(tone));
                }
            });
        }
    }

    /// Fills the characters whose middles a polygon holds; one that is too small for any is a `^`.
    pub(super) fn fill_polygon(&mut self, points: &[[f64; 2]], glyph: char, tone: Tone) {
        let corners: Vec<[f64; 2]> = points.iter().map(|&point| self.to_characters(point)).collect();
        let mut drawn = false;
        for row in 0..self.rows as i64 {
            for column in 0..self.columns as i64 {
                if is_inside([column as f64 + 0.5, row as f64 + 0.5], &corners) {
                    drawn = true;
                    self.set(column, row, |place| (place.glyph, place.front) = (glyph, Some(tone)));
                }
            }
        }
        if !drawn && !points.is_empty() {
            let mean = |axis: usize| points.iter().map(|point| point[axis]).sum::<f64>() / points.len() as f64;
            self.write([mean(0), mean(1)], "^", Some(tone));
        }
    }

    /// The rows as text, without blanks at their ends; with `colour`, each ends with the colours reset.
    pub(super) fn lines(&self, colour: bool) -> Vec<String> {
        let rows = self.places.chunks(self.columns).zip(self.widths(colour));
        rows.map(|(row, width)| row_text(&row[..width], colour)).collect()
    }

    /// How many characters each of [`Canvas::lines`] shows.
    pub(super) fn widths(&self, colour: bool) -> Vec<usize> {
        let is_shown = |place: &Place| place.glyph != ' ' || (colour && place.behind.is_some());
        let width = |row: &[Place]| row.iter().rposition(is_shown).map_or(0, |last| last + 1);
        self.places.chunks(self.columns).map(width).collect()
    }

    fn to_characters(&self, point: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| (point[axis] - self.origin[axis]) * self.scale[axis])
    }

    /// Column and row of the first of so many characters around a point.
    fn first_of(&self, at: [f64; 2], characters: usize) -> (i64, i64) {
        let [x, y] = self.to_characters(at);
        // A point between two characters belongs to the right one; a hair's breadth left of it must not matter.
        ((x + 1e-9).floor() as i64 - characters as i64 / 2, (y + 1e-9).floor() as i64)
    }

    fn set(&mut self, column: i64, row: i64, change: impl FnOnce(&mut Place)) {
        if let Some(index) = self.index(column, row) {
            change(&mut self.places[index]);
        }
    }

    fn index(&self, column: i64, row: i64) -> Option<usize> {
        let (column, row) = (usize::try_from(column).ok()?, usize::try_from(row).ok()?);
        (column < self.columns && row < self.rows).then(|| row * self.columns + column)
    }
}

/// Brackets farther apart, both counted, would no longer show what they mean.
const MOST_IN_BRACKETS: i64 = 8;

fn row_text(row: &[Place], colour: bool) -> String {
    let mut text = String::new();
    let mut current = (None, None);
    for place in row {
        let colours = (place.front_colour(), place.behind.map(|tone| shaded(tone, place.shade)));
        if colour && colours != current {
            text.push_str("\u{1b}[0");
            for (code, number) in [(38, colours.0), (48, colours.1)] {
                if let Some(number) = number {
                    text.push_str(&format!(";{code};5;{number}"));
                }
            }
            text.push('m');
            current = colours;
        }
        text.push(place.glyph);
    }
    if current != (None, None) {
        text.push_str("\u{1b}[0m");
    }
    text
}

impl Place {
    fn front_colour(&self) -> Option<u8> {
        match (self.front, self.behind) {
            _ if self.glyph == ' ' => None,
            (Some(Tone::Last), Some(behind)) if is_light(behind) => Some(166),
            (Some(tone), _) => front_colour(tone),
            (None, behind) => behind.map(|tone| if is_light(tone) { 16 } else { 231 }),
        }
    }
}

/// Numbers of the 256-colour palette; `None` is the terminal's own colour.
fn front_colour(tone: Tone) -> Option<u8> {
    match tone {
        Tone::Ink => None,
        Tone::First => Some(16),
        Tone::Second => Some(231),
        Tone::Choice => Some(194),
        Tone::Last => Some(220),
        other => Some(behind_colour(other)),
    }
}

/// The colour behind in its shade: towards blue what is dark, towards orange what is light, which everybody can tell apart.
fn shaded(tone: Tone, shade: u8) -> u8 {
    let shades: [u8; DEEPEST as usize + 1] = match tone {
        Tone::First => [16, 17, 18, 19, 20, 21, 27],
        Tone::Second => [231, 230, 229, 228, 222, 221, 215],
        Tone::Neutral => [247, 246, 245, 108, 109, 73, 72],
        _ => return behind_colour(tone),
    };
    shades[usize::from(shade).min(shades.len() - 1)]
}

fn behind_colour(tone: Tone) -> u8 {
    match tone {
        Tone::Board | Tone::Last => 29,
        Tone::BoardOther => 24,
        Tone::First => 16,
        Tone::Second => 231,
        Tone::Neutral => 247,
        Tone::Choice => 35,
        Tone::Alarm => 160,
        Tone::Ink => 240,
    }
}

fn is_light(tone: Tone) -> bool {
    matches!(tone, Tone::Second | Tone::Neutral)
}

/// Even-odd rule.
fn is_inside([x, y]: [f64; 2], corners: &[[f64; 2]]) -> bool {
    let mut inside = false;
    for (index, &[x1, y1]) in corners.iter().enumerate() {
        let [x2, y2] = corners[(index + 1) % corners.len()];
        if (y1 > y) != (y2 > y) && x < (x2 - x1) * (y - y1) / (y2 - y1) + x1 {
            inside = !inside;
        }
    }
    inside
}
