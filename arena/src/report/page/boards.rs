//! Many drawings in little space: every part of a drawing is kept once, and each drawing tells only what is not as in the
//! one before it.

use crate::game::Scene;
use crate::report::svg::{Places, svg_parts};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Drawings in the making.
#[derive(Default)]
pub(super) struct Boards {
    /// The SVG text of each part.
    parts: Vec<String>,
    numbers: HashMap<String, usize>,
    last: Vec<usize>,
}

impl Boards {
    /// Adds a drawing: a list of numbers of parts, those behind first, in which a pair `[from, count]` stands for so many
    /// parts of the drawing before, from that place on.
    pub fn add(&mut self, scene: &Scene) -> Value {
        let drawing: Vec<usize> = svg_parts(scene, Places::Marked).into_iter().map(|part| self.number(part)).collect();
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

    fn number(&mut self, part: String) -> usize {
        let next = self.parts.len();
        *self.numbers.entry(part).or_insert_with_key(|part| {
            self.parts.push(part.trim_end().to_string());
            next
        })
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
