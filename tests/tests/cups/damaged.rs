//! A cup's folder in which something else stands in the place of a file: it is told, or mended, and the cup goes on.

use crate::support::{Cup, ids};
use std::fs;
use std::time::Duration;
use tests::odd::{ODD, take_away};

/// The files that a cup reads when it goes on, and whether one that is taken away is made again or done without.
const FILES: &[(&str, bool)] = &[
    (".begun", true),
    (".home", true),
    (".lock", true),
    (".observations", true),
    (".playing-time", true),
    ("cup.toml", true),
    ("entrants.json", false),
    ("matches.csv", true),
    ("standings.csv", true),
    ("crosstable.csv", true),
    ("grades.csv", true),
    ("report.html", true),
];

#[test]
fn whatever_stands_in_the_place_of_a_file_is_told_or_mended_and_the_cup_goes_on() {
    let mut cup = Cup::othello(1).bot("greedy", "greedy").bot("random", "random");
    cup.arena = cup.arena.within(Duration::from_secs(20));
    cup.played("");
    let on_record = ids(&cup.rows());
    for (name, is_made_again) in FILES {
        let path = cup.results().join(name);
        let aside = cup.arena.path("aside");
        for (what, put) in ODD {
            fs::rename(&path, &aside).unwrap_or_else(|error| panic!("{name}: {error}"));
            put(&path);
            for command in ["verify results/cup", "tournament standings results/cup"] {
                let run = cup.arena.also(command);
                assert!(run.code.is_some() && !run.stderr.contains("panicked"), "{what} as {name}: {run:#?}");
            }
            let run = cup.run("");
            if run.code != Some(0) {
                assert_eq!(run.code, Some(2), "{what} as {name}: {run:#?}");
                assert!(
                    run.stderr.contains(&path.strip_prefix(cup.arena.folder()).unwrap().display().to_string()),
                    "{what} as {name}: {}",
                    run.stderr
                );
                take_away(&path);
            }
            if !is_made_again {
                fs::rename(&aside, &path).expect("it is there");
            }
            let again = cup.played("");
            assert!(!again.stdout.contains("panicked"), "{again:#?}");
            assert!(path.symlink_metadata().is_ok_and(|about| about.is_file()), "{what} as {name} is still there");
            assert_eq!(ids(&cup.rows()), on_record, "{what} as {name}");
            let run = cup.arena.also("verify results/cup");
            assert_eq!(run.code, Some(0), "{what} as {name}: {run:#?}");
        }
    }
}

#[test]
fn a_damaged_copy_of_the_cup_is_named_itself_with_the_way_out() {
    let cup = Cup::othello(1).bot("greedy", "greedy").bot("random", "random");
    cup.played("");
    let file = cup.results().join(".begun");
    let whole = fs::read_to_string(&file).expect("it was begun");
    let damages: [&[u8]; 5] = [b"", b"name = ", b"\xff\xfe\0", b"[[[", &whole.as_bytes()[..whole.len() / 2]];
    for damage in damages {
        fs::write(&file, damage).expect("the private folder is writable");
        let run = cup.run("");
        assert_eq!(run.code, Some(2), "{run:#?}");
        assert!(run.stderr.contains("results/cup/.begun") && run.stderr.contains("Take it away"), "{run:#?}");
        fs::remove_file(&file).expect("the way out");
        cup.played("");
        assert_eq!(fs::read_to_string(&file).ok().as_ref(), Some(&whole));
    }
}
