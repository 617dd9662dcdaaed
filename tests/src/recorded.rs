//! A recorded match, and changes to it.

use crate::arena::Arena;
use serde_json::Value;

/// The transcript in the folder of the command.
pub const FILE: &str = "match.jsonl";

/// A match that goes the same way each time, recorded into the folder of the command that comes back.
pub fn recorded(next: &str) -> Arena {
    let arena = Arena::new(["match", "othello", "--bot", "paper", "--bot", "paper", "--quiet", "--transcript", FILE])
        .args("--seed 1");
    assert_eq!(arena.run().code, Some(0));
    let text = std::fs::read_to_string(arena.path(FILE)).expect("it was recorded");
    let replay = Arena::new(["replay", FILE]).args(next);
    replay.write(FILE, text);
    replay
}

/// Changes the lines of a recorded match.
pub fn rewrite(arena: &Arena, change: impl FnOnce(&mut Vec<Value>)) {
    let mut lines = arena.transcript(FILE);
    change(&mut lines);
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    arena.write(FILE, text);
}
