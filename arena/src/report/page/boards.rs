//! Many drawings in little space: every part of a drawing is kept once, and each drawing tells only what is not as in the
//! one before it.

use crate::game::{Scene, Shape};
use crate::report::svg::{choice_parts, shape_part, stands_alone};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Drawings in the making.
#[derive(Default)]
pub(super) struct Boards {
    /// The SVG text of each part.
    parts: Vec<String>,
    numbers: HashMap<String, usize>,
    last: Vec<usize>,
    /// What the last drawing showed, and of which part each shape has become: most shapes of a thousand are there again, and need no text.
    view: [f64; 4],
    shapes: Vec<(Shape, Option<usize>)>,
}

impl Boards {
    /// Adds a drawing: a list of numbers of parts, those behind first, in which a pair `[from, count]` stands for so many
    /// parts of the drawing before, from that place on.
    pub fn add(&mut self, scene: &Scene) -> Value {
        let before = std::mem::take(&mut self.shapes);
        let before = if self.view == scene.view { before } else { Vec::new() };
        self.view = scene.view;
        for (place, shape) in scene.shapes.iter().enumerate() {
            let same = before.get(place).filter(|(there, _)| there == shape && stands_alone(shape));
            let number = match same {
                Some((_, number)) => *number,
                None => self.number(shape_part(scene, shape)),
            };
            self.shapes.push((shape.clone(), number));
        }
        let mut drawing: Vec<usize> = self.shapes.iter().filter_map(|(_, number)| *number).collect();
        drawing.extend(choice_parts(scene).filter_map(|part| self.number(part)));
        let changes = changes(&self.last, &drawing);
        self.last = drawing;
        Value::Array(changes)
    }

    /// All parts so far, by number.
    pub fn parts(&self) -> &[String] {
        &self.parts
    }

    /// The next drawing stands for itself.
    pub fn forget_last(&mut self) {
        self.last.clear();
    }

    /// The number of a part; `None` for an empty one.
    fn number(&mut self, part: String) -> Option<usize> {
        if part.is_empty() {
            return None;
        }
        let next = self.parts.len();
        let number = self.numbers.entry(part).or_insert_with_key(|part| {
            self.parts.push(part.trim_end().to_string());
            next
        });
        Some(*number)
    }
}

fn changes(before: &[usize], after: &[usize]) -> Vec<Value> {
    let places: HashMap<usize, usize> = before.iter().enumerate().map(|(place, number)| (*number, place)).collect();
    let mut changes = Vec::new();
    let mut rest = after;
    while let [number, tail @ ..] = rest {
        let Some(&from) = places.get(number) else {
            changes.push(json!(number));
            rest = tail;
            continue;
        };
        let count = rest.iter().zip(&before[from..]).take_while(|(a, b)| a == b).count();
        changes.push(json!([from, count]));
        rest = &rest[count..];
    }
    changes
}
