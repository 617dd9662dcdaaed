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

/// What two runs with the same seed and deterministic bots have in common: times, processes and details left out.
pub fn essence(transcript: &[Value]) -> Vec<Value> {
    const KINDS: &[&str] = &["ready", "move", "pass", "invalid", "fault", "result"];
    const KEYS: &[&str] = &[
        "type", "turn", "seat", "move", "note", "flip", "why", "reason", "winner", "scores", "at_fault", "invalid",
        "turns",
    ];
    let kept = |event: &Value| {
        let fields = event.as_object()?;
        KINDS.contains(&event["type"].as_str()?).then(|| {
            fields.iter().filter(|(key, _)| KEYS.contains(&key.as_str())).map(|(k, v)| (k.clone(), v.clone())).collect()
        })
    };
    transcript.iter().filter_map(kept).collect()
}

/// What a fixture with `--echo` heard: its process id and the message, in order.
pub fn heard(transcript: &[Value], seat: u64) -> Vec<(u32, Value)> {
    let message = |line: &str| {
        let (pid, message) = line.strip_prefix("heard ")?.split_once(' ')?;
        Some((pid.parse().ok()?, serde_json::from_str(message).ok()?))
    };
    log(transcript, seat).lines().filter_map(message).collect()
}

/// What the bot in this seat wrote on stderr, as far as it was kept.
pub fn log(transcript: &[Value], seat: u64) -> String {
    let of_seat = events(transcript, "stderr").filter(|event| event["seat"] == seat);
    of_seat.filter_map(|event| event["text"].as_str()).collect()
}
