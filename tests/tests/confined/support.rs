//! Confined matches as root and as an ordinary user, and small bots to play them.

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;
use tests::arena::{Arena, Run};
use tests::skip::needs;

/// A bot for Othello in the language of the shell that every system has.
pub const SHELL_BOT: &str = r#"#!/bin/sh
while read -r line; do
  case $line in
  '{"type":"start"'*) echo '{"type":"ready"}' ;;
  '{"type":"turn"'*)
    turn=${line#*\"turn\":}
    move=${line#*\"legal\":\[\"}
    echo "{\"turn\":${turn%%,*},\"move\":\"${move%%\"*}\"}"
    ;;
  esac
done
"#;

/// The same in C.
pub const C_BOT: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    static char line[65536];
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\"type\":\"start\"")) {
            puts("{\"type\":\"ready\"}");
        } else if (strstr(line, "\"type\":\"turn\"")) {
            int turn = atoi(strstr(line, "\"turn\":") + 7);
            printf("{\"turn\":%d,\"move\":\"%.2s\"}\n", turn, strstr(line, "\"legal\":[\"") + 10);
        }
    }
    return 0;
}
"#;

/// Whether bots can be confined by all that there is.
pub fn can_confine() -> bool {
    needs("bwrap")
}

/// The arena in a folder that nobody but its user can look into: as whoever runs the tests, and as an ordinary user where
/// that is root.
pub fn everybody() -> Vec<Arena> {
    let mut all = vec![new_arena()];
    if nix::unistd::geteuid().is_root() {
        all.push(as_ordinary_user());
    }
    all
}

/// The arena as a user without any rights, in a folder of that user's.
pub fn as_ordinary_user() -> Arena {
    let arena = new_arena().as_ordinary_user();
    let temporary = arena.folder().to_path_buf();
    arena.env("TMPDIR", temporary)
}

fn new_arena() -> Arena {
    let arena = Arena::new([""; 0]).within(Duration::from_secs(180));
    // Like many homes.
    fs::set_permissions(arena.folder(), fs::Permissions::from_mode(0o700)).expect("the folder is ours");
    arena
}

/// Writes a program or script into the private folder.
pub fn executable(arena: &Arena, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = arena.write(name, text);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("the file is ours");
    path
}

/// A strictly confined match of small Othello, on record in `m.jsonl`, with time enough for a busy machine.
pub fn strict_match(arena: &Arena, bots: [&str; 2]) -> Run {
    const WORDS: &str = "match othello --param size=4 --quiet --json --seed 1 --isolation strict --start-time 100s \
                         --move-time 30s --stop-time 30s --transcript m.jsonl";
    let _ = fs::remove_file(arena.path("m.jsonl"));
    let mut words: Vec<&str> = WORDS.split_whitespace().collect();
    for bot in bots {
        words.extend(["--bot", bot]);
    }
    arena.run_words(&words)
}

/// Expects that a match was played to its end, confined, with nothing left behind.
pub fn was_played(arena: &Arena, run: &Run) {
    let result = run.json();
    assert_eq!((run.code, result["reason"].as_str()), (Some(0), Some("finished")), "{run:#?}");
    assert_eq!(result["left_behind"], serde_json::json!([0, 0]), "{run:#?}");
    let header = &arena.transcript("m.jsonl")[0];
    assert_eq!(header["isolation"], "strict", "{header}");
    assert!(layers(header).iter().any(|layer| layer.starts_with("bubblewrap ")), "{header}");
    assert!(layers(header).iter().any(|layer| layer == "seccomp"), "{header}");
    assert_eq!(staged_by(run.pid, arena), Vec::<PathBuf>::new(), "copies go with the arena");
}

fn layers(header: &Value) -> Vec<String> {
    let layers = header["layers"].as_array().unwrap_or_else(|| panic!("no layers: {header}"));
    layers.iter().filter_map(|layer| layer.as_str().map(str::to_string)).collect()
}

/// The folders for copies that the arena of this process id has left.
pub fn staged_by(pid: u32, arena: &Arena) -> Vec<PathBuf> {
    let places = [PathBuf::from("/run/arena/staged"), std::env::temp_dir(), arena.folder().to_path_buf()];
    let entries = places.iter().flat_map(|place| fs::read_dir(place).into_iter().flatten().flatten());
    let prefix = format!("arena-{pid}-");
    entries.map(|entry| entry.path()).filter(|path| path.to_string_lossy().contains(&prefix)).collect()
}
