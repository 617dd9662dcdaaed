//! What is no regular file, in the place of one: it is told as what it is, and nothing waits for it. And places for temporary files that
//! are none.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;
use tests::arena::Arena;
use tests::odd::{ODD, take_away};

/// Makes a place for temporary files that is none.
type Make = fn(&Arena);

const BOUND: Duration = Duration::from_secs(20);

/// Commands that read a file, which the second word names.
const READ: &[(&str, &str)] = &[
    ("replay m.jsonl", "m.jsonl"),
    ("replay m.jsonl --json", "m.jsonl"),
    ("replay m.jsonl --html page.html", "m.jsonl"),
    ("verify all/m.jsonl", "all/m.jsonl"),
    ("verify all", "all/m.jsonl"),
    ("debug m.jsonl --bot random", "m.jsonl"),
    ("debug --all all --bot random", "all/m.jsonl"),
    ("match othello --bot mine --bot random", "mine/bot.toml"),
    ("match othello --bot mine/bot.toml --bot random", "mine/bot.toml"),
    ("check --bot mine", "mine/bot.toml"),
    ("tournament run cup.toml", "cup.toml"),
    ("tournament check cup.toml", "cup.toml"),
];

#[test]
fn what_is_no_regular_file_is_told_as_what_it_is() {
    for (command, name) in READ {
        for (what, put) in ODD {
            // A folder that is named in the command is something of its own.
            if *what == "a folder" && command.split(' ').any(|word| word == *name) {
                continue;
            }
            let arena = Arena::new([""; 0]).within(BOUND);
            let path = arena.write(name, "");
            take_away(&path);
            put(&path);
            let run = arena.also(command);
            assert_eq!(run.code, Some(2), "{what} as {name}: {command}: {run:#?}");
            let told = run.stderr.contains(name) && (run.stderr.contains(what) || run.stderr.contains("symbolic link"));
            assert!(told, "{what} as {name}: {command}: {}", run.stderr);
            assert!(!run.stderr.contains("panicked"), "{run:#?}");
        }
    }
}

#[test]
fn an_archive_that_is_no_regular_file_is_refused() {
    for (what, put) in ODD.iter().filter(|(what, _)| *what != "a folder") {
        for name in ["mine.zip", "mine.tar.gz", "mine.tgz"] {
            let arena = Arena::new([""; 0]).within(BOUND);
            put(&arena.path(name));
            fs::create_dir(arena.path("filed")).expect("the private folder is writable");
            let run = arena.also(&format!("submit --bot {name} --to filed"));
            assert!(matches!(run.code, Some(1 | 2)), "{what} as {name}: {run:#?}");
            assert!((run.stdout + &run.stderr).contains(name), "{what} as {name}");
            let filed = fs::read_dir(arena.path("filed")).into_iter().flatten().count();
            assert_eq!(filed, 0, "{what} as {name}");
        }
    }
}

#[test]
fn no_place_for_temporary_files_is_told_in_one_way_by_every_command_that_needs_one() {
    const NEED_ONE: &[&str] = &[
        "check --bot ./mine",
        "compare --game othello --bot random --bot greedy --max-pairs 1",
        "submit --bot mine --to filed",
        "tournament check cup.toml",
        "doctor --isolation best-effort",
    ];
    let places: &[(&str, Make)] = &[
        ("missing", |_| {}),
        ("file", |arena| drop(arena.write("file", ""))),
        ("closed", |arena| {
            let closed = arena.path("closed");
            fs::create_dir(&closed).expect("the private folder is writable");
            fs::set_permissions(closed, PermissionsExt::from_mode(0o555)).expect("it is ours");
        }),
    ];
    for (name, make) in places {
        let arena = Arena::new([""; 0]).as_ordinary_user();
        make(&arena);
        let place = arena.path(name);
        let arena = arena.env("TMPDIR", &place);
        arena.write("mine/bot.toml", "run = [\"sh\", \"bot.sh\"]\n");
        arena.write("mine/bot.sh", "");
        arena.write("cup.toml", "name = \"cup\"\ngame = \"othello\"\n[[bots]]\nbot = \"true\"\nname = \"a\"\n[[bots]]\nbot = \"true\"\nname = \"b\"\n[isolation]\nmode = \"none\"\n");
        let filed = arena.path("filed");
        fs::create_dir(&filed).expect("the private folder is writable");
        fs::set_permissions(filed, PermissionsExt::from_mode(0o1777)).expect("it is ours");
        for command in NEED_ONE {
            let run = arena.also(command);
            let says = format!("temporary files cannot be made in {} (", place.display());
            assert_eq!(run.code, Some(2), "{name}: {command}: {run:#?}");
            let told =
                run.stderr.matches(&says).count() == 1 && run.stderr.contains("set TMPDIR to a folder that is there");
            assert!(told, "{name}: {command}: {}", run.stderr);
        }
    }
}
