//! Files that end too early: each is an unfinished match, wherever it was cut.

use super::{played, verify};
use serde_json::Value;
use std::fs;

#[test]
fn a_file_that_was_cut_off_is_an_unfinished_match_wherever_the_cut_is() {
    let arena = played("othello --bot paper --bot greedy --seed 1 --param size=4");
    let text = fs::read_to_string(arena.path("m.jsonl")).expect("it was written");
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    let mut cuts = Vec::new();
    let mut begin = 0;
    for end in &ends {
        cuts.extend([(begin + end) / 2, end - 2, *end]);
        begin = *end;
    }
    cuts.pop();
    for cut in &cuts {
        let name = format!("cut/{cut}.jsonl");
        arena.write(&name, &text[..*cut]);
    }
    arena.write("cut/0.jsonl", "");
    let run = verify(&arena, "cut --json");
    assert_eq!(run.code, Some(1), "{run:#?}");
    let rows: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(rows.len(), cuts.len() + 1);
    for row in rows {
        let problems = row["problems"].to_string();
        assert_eq!(row["holds"], false, "{row}");
        let told =
            ["unfinished", "the file is empty", "first line is no JSON"].iter().any(|part| problems.contains(part));
        assert!(told, "{row}");
    }
}
