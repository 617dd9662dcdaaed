//! Every line between the arena and a bot, kept as it passes.

use crate::arena::Arena;
use std::fs;

/// Passes on what it reads and what the bot says, and keeps both.
const RECORDER: &str = "#!/bin/sh\nname=$1\nshift\ntee -a \"$name.sent\" | \"$@\" | tee -a \"$name.said\"\n";

/// The words of `--bot` for a bot under this name, whose command is recorded in the private folder.
pub fn recorded(arena: &Arena, name: &str, command: &str) -> String {
    let script = arena.write("record.sh", RECORDER);
    format!("{name}=sh {} {} {command}", script.display(), arena.path(name).display())
}

/// What was recorded of a bot: what it was sent and what it said.
pub fn lines(arena: &Arena, name: &str) -> [Vec<String>; 2] {
    ["sent", "said"].map(|way| {
        let bytes = fs::read(arena.path(&format!("{name}.{way}"))).expect("it was recorded");
        String::from_utf8_lossy(&bytes).lines().map(str::to_string).collect()
    })
}
