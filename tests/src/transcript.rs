//! Reading transcripts as another program would: lines of JSON.

use serde_json::Value;
use std::path::Path;

/// The events of a transcript, its first line first. Panics where a line is no JSON object, or is not ended.
pub fn transcript(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(text.is_empty() || text.ends_with('\n'), "{}: the last line is not ended", path.display());
    let event = |(number, line): (usize, &str)| match serde_json::from_str::<Value>(line) {
        Ok(event) if event.is_object() => event,
        other => panic!("{}:{}: no JSON object: {other:?}: {line}", path.display(), number + 1),
    };
    text.lines().enumerate().map(event).collect()
}

/// The events of one type.
pub fn events<'a>(transcript: &'a [Value], kind: &'a str) -> impl Iterator<Item = &'a Value> {
    transcript.iter().filter(move |event| event["type"] == kind)
}
