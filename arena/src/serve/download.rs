//! A transcript as it may be taken along: what bots say besides their moves is left out where it is not shown, and with it where
//! things are on the organiser's machine. What is left holds: `arena verify` takes it.

use crate::files::{open_regular, read_regular};
use crate::report::{Told, without_folders};
use crate::verdict::Reason;
use serde_json::{Map, Value};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

/// The transcript in this file.
///
/// # Errors
/// It cannot be read.
pub(super) fn download(path: &Path, told: Told) -> io::Result<Vec<u8>> {
    if told == Told::All {
        return read_regular(path);
    }
    let mut out = Vec::new();
    for line in BufReader::new(open_regular(path)?).lines() {
        // A line that is no JSON is one that was not written to its end.
        let Ok(Value::Object(mut event)) = serde_json::from_str::<Value>(&line?) else { break };
        if leave_out(&mut event) {
            continue;
        }
        writeln!(out, "{}", Value::Object(event))?;
    }
    Ok(out)
}

/// Takes away what is nobody's business; whether that is all of it.
fn leave_out(event: &mut Map<String, Value>) -> bool {
    match event.get("type").and_then(Value::as_str) {
        Some("stderr" | "stray" | "stale") => return true,
        Some("match") => event.get_mut("players").and_then(Value::as_array_mut).into_iter().flatten().for_each(here),
        Some("fault" | "result") if !quotes_nobody(event) => {
            if let Some(detail) = event.get_mut("detail") {
                *detail = Value::Null;
            }
        }
        _ => {}
    }
    event.shift_remove("note");
    event.shift_remove("line");
    false
}

/// Takes from a player where it is on this machine.
fn here(player: &mut Value) {
    let Some(player) = player.as_object_mut() else { return };
    player.shift_remove("folder");
    if let Some(Value::Array(words)) = player.get_mut("command") {
        let command: Vec<String> = words.iter().filter_map(Value::as_str).map(str::to_string).collect();
        *words = without_folders(&command).into_iter().map(Value::String).collect();
    }
}

/// Whether what is told of an end are words of the rules or of the arena; what is told of any other fault may quote the bot.
fn quotes_nobody(event: &Map<String, Value>) -> bool {
    let reason = event.get("reason").and_then(Value::as_str).and_then(Reason::parse);
    reason.is_some_and(Reason::quotes_nobody)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn left(event: &Value) -> Option<Value> {
        let mut event = event.as_object().expect("an event").clone();
        (!leave_out(&mut event)).then_some(Value::Object(event))
    }

    #[test]
    fn what_may_quote_a_bot_and_where_it_is_are_left_out() {
        let player = json!({"name": "a", "command": ["/srv/me/run", "--book=/srv/me/book", "x"], "folder": "/srv/me"});
        let left_of_header = left(&json!({"type": "match", "players": [player, {"name": "b", "command": []}]}));
        let kept = json!({"name": "a", "command": ["run", "book", "x"]});
        assert_eq!(left_of_header, Some(json!({"type": "match", "players": [kept, {"name": "b", "command": []}]})));
        for kind in ["fault", "result"] {
            for (reason, stays) in [("crashed", false), ("malformed", false), ("no_start", false), ("illegal", true)] {
                let event = left(&json!({"type": kind, "reason": reason, "detail": "said", "line": "{"}));
                let detail = if stays { json!("said") } else { Value::Null };
                assert_eq!(event, Some(json!({"type": kind, "reason": reason, "detail": detail})));
            }
        }
        assert_eq!(left(&json!({"type": "stderr", "text": "said"})), None);
        assert_eq!(left(&json!({"type": "move", "turn": 1, "note": "said"})), Some(json!({"type": "move", "turn": 1})));
    }
}
