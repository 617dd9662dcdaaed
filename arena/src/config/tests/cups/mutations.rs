//! Thousands of damaged cups: each is read or refused in words, and nothing panics.

use super::super::Ground;
use super::super::mutations::{damage, whole_sentence};
use super::names;
use crate::config::check_name;
use crate::seed::Stream;
use std::collections::HashSet;

const CUPS: [&str; 2] = [
    "name = \"a\"\ngame = \"offset\"\npairs = 2\nseed = 1\ncores = [\"0\", \"1\"]\n[clock]\nmove = \"1s\"\ngame = \"2m\"\n\
     [params]\nsize = 6\nd = [5, 7]\noffsets = \"all\"\n[[bots]]\nbot = \"random\"\n[[bots]]\npath = \"bots/*\"\n",
    "name = \"b\"\ngame = \"flip\"\nformat = \"until-ranked\"\nhints = true\n[limits]\ncpu = \"9s\"\n[until_ranked]\n\
     confidence = 0.9\nmax_time = \"1h\"\n[[params]]\nn = 1\n[[bots]]\nbot = \"greedy\"\nname = \"g\"\n[[bots]]\nbot = \"x=random\"\n",
];

#[test]
fn damaged_cups() {
    let ground = Ground::new();
    ground.file("bots/mine/bot.toml", "run = [\"sh\"]\n");
    let mut stream = Stream::new(5, "damaged cups");
    let (mut read, mut refused) = (0, 0);
    for round in 0..3000 {
        let text = damage(CUPS[round % CUPS.len()], &mut stream);
        match ground.read_cup(&text) {
            Ok(cup) => {
                read += 1;
                let different: HashSet<String> = names(&cup).iter().map(|name| name.to_lowercase()).collect();
                assert!(names(&cup).iter().all(|name| check_name(name).is_ok()), "{text:?}");
                assert!(different.len() == cup.bots.len() && different.len() >= 2, "{text:?}");
                assert!(!cup.sets.is_empty() && cup.pairs >= 1, "{text:?}");
            }
            Err(error) => {
                refused += 1;
                assert!(error.0.starts_with("cup.toml:"), "{text:?} gives {error}");
                whole_sentence(&error.0, &text);
            }
        }
    }
    assert!(read > 100 && refused > 1000, "neither nothing nor everything is damage: {read} read, {refused} refused");
}
