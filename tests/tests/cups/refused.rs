//! A cup that is refused leaves nothing behind, and changes nothing that was there.

use crate::support::{Cup, names};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tests::binaries;

/// All files and folders below a folder, with what is in the files.
fn snapshot(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("the folder is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            all.extend(snapshot(&path));
            all.insert(path, None);
        } else {
            let bytes = fs::read(&path).expect("the file is there");
            all.insert(path, Some(bytes));
        }
    }
    all
}

fn refused(cup: &Cup, flags: &str, says: &str) {
    let run = cup.run(flags);
    assert_eq!(run.code, Some(2), "{run:#?}");
    assert!(run.stderr.contains(says), "{says}: {run:#?}");
}

/// Nothing but the cup's file is there, before and after.
fn leaves_nothing(cup: &Cup, flags: &str, says: &str) {
    let before = snapshot(cup.arena.folder());
    refused(cup, flags, says);
    assert_eq!(snapshot(cup.arena.folder()), before, "{says}");
}

#[test]
fn whatever_is_wrong_before_the_first_match_nothing_is_left() {
    let sound = || Cup::othello(1).bot("greedy", "greedy").bot("random", "random");
    let broken = |words: &str| sound().fixture("broken", words);
    for flags in ["", "--out deep/in/the/tree", "--out here"] {
        leaves_nothing(&broken("exit-at-once 3"), flags, "1 of 3 bots cannot play");
    }
    leaves_nothing(&broken("broken-json --at ready"), "", "broken: ");
    leaves_nothing(&sound().bot("absent", "./no/such/bot"), "", "no/such/bot");
    let mut wrong = sound();
    wrong.edit("pairs", "pears");
    leaves_nothing(&wrong, "", "pears");
    let mut few = Cup::othello(1).bot("random", "random").fixture("broken", "exit-at-once 3");
    leaves_nothing(&few, "--skip-broken", "fewer than two bots");
    few.edit("pairs = 1", "format = \"swiss\"\nswiss = { rounds = 9 }");
    leaves_nothing(&few, "", "rounds");
    let cup = sound();
    cup.arena.write("results", "a file, where a folder would be");
    leaves_nothing(&cup, "", "results");
}

#[test]
fn too_few_open_files_are_told_and_leave_nothing() {
    let cup = Cup::othello(2).fixture("good", "good").bot("random", "random");
    let line = "ulimit -n 64; exec \"$1\" tournament run cup.toml --jobs 8";
    let mut command = Command::new("sh");
    command.args(["-c", line, "sh"]).arg(binaries::arena()).current_dir(cup.arena.folder());
    let output = command.output().expect("there is a shell");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("open files") && stderr.contains("--jobs 1"), "{stderr}");
    assert_eq!(names(cup.arena.folder()), ["cup.toml"]);
}

#[test]
fn what_a_build_said_is_kept() {
    let cup = Cup::othello(1).bot("random", "random");
    cup.arena.write(
        "mine/bot.toml",
        "name = \"mine\"\nrun = [\"sh\"]\nbuild = [\"sh\", \"-c\", \"echo no compiler; exit 3\"]\n",
    );
    let cup = cup.bot("mine", "mine");
    refused(&cup, "", "builds/mine.log");
    assert_eq!(names(&cup.results()), ["builds"]);
    let log = fs::read_to_string(cup.results().join("builds/mine.log")).expect("it is named in the message");
    assert_eq!(log, "no compiler\n");
}

#[test]
fn a_folder_that_was_there_stays_as_it_was() {
    let mut cup = Cup::othello(2).bot("greedy", "greedy").bot("random", "random");
    fs::create_dir_all(cup.results()).expect("the private folder is writable");
    cup.edit("size = 4", "size = 5");
    leaves_nothing(&cup, "", "size");
    cup.edit("size = 5", "size = 4");
    cup.played("");
    cup.enter("broken", &cup.arena.fixture_command("exit-at-once 3"));
    leaves_nothing(&cup, "", "broken: ");
    leaves_nothing(&cup, "--again greedy", "broken: ");
    cup.edit("seed = 7", "seed = 8");
    leaves_nothing(&cup, "", "`seed` was 7 and is 8");
}

#[test]
fn a_cup_of_other_bots_is_not_played_over_another() {
    let mut cup = Cup::othello(2).bot("greedy", "greedy").bot("random", "random");
    cup.played("");
    let before = snapshot(&cup.results());
    // The very same again: nothing is played, and nothing is lost.
    let again = cup.played("--json");
    assert!(!again.stdout.contains("\"started\""), "{again:#?}");
    let rows = cup.results().join("matches.csv");
    assert_eq!(fs::read(&rows).ok(), before[&rows]);
    // Another list of bots in a cup of the same name.
    let text = fs::read_to_string(cup.arena.path("cup.toml")).expect("it is there");
    cup.arena.write("cup.toml", text.replace("\"greedy\"", "\"paper\""));
    let before = snapshot(cup.arena.folder());
    refused(&cup, "", "greedy");
    assert_eq!(snapshot(cup.arena.folder()), before);
    cup.edit("seed = 7", "seed = 7");
    cup.played("");
}
