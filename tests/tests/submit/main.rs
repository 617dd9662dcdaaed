//! `arena submit` and `arena submissions`: the way into a course's cup.

mod archives;
mod cup;
mod support;

use serde_json::Value;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use support::{files, ground, names, record, script, submit, tar_gz, write_bot, zip};
use tests::skip::needs_that;

#[test]
fn a_clean_copy_is_filed_with_who_when_and_what_was_found() {
    let arena = ground();
    write_bot(&arena, "work/mine", "games = [\"othello\", \"offset\"]\nauthors = [\"id1\"]");
    for junk in ["target/big", "node_modules/x/y.js", "lib/__pycache__/a.pyc", ".git/HEAD", "lib/.swp"] {
        arena.write(&format!("work/mine/{junk}"), "junk");
    }
    arena.write("work/mine/lib/table.txt", "kept");
    let run = submit(&arena, "--bot work/mine");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(
        run.stdout.starts_with("mine: fit; filed as version 1 in filed/mine/1\n  plays othello, offset, as "),
        "{run:#?}"
    );
    assert!(run.stdout.contains("note: left out: .git, lib/.swp, lib/__pycache__, node_modules, target\n"), "{run:#?}");
    let version = arena.path("filed/mine/1");
    assert_eq!(files(&version), ["bot/bot.sh", "bot/bot.toml", "bot/lib/table.txt", "submission.json"]);
    let told = record(&arena, "mine", 1);
    assert_eq!((&told["fit"], &told["schema"], &told["name"]), (&true.into(), &1.into(), &"mine".into()), "{told}");
    assert_eq!(told["uid"].as_u64(), Some(u64::from(nix::unistd::geteuid().as_raw())));
    assert!(told["when"].as_str().is_some_and(|when| when.ends_with('Z') && when.len() == 20), "{told}");
    assert_eq!(told["sha256"].as_str().map(str::len), Some(64));
    assert_eq!((&told["authors"], &told["isolation"]), (&serde_json::json!(["id1"]), &"none".into()));
    assert_eq!(told["fit_for"], serde_json::json!(["othello", "offset"]));
    assert!(told["checks"].as_u64() >= Some(40), "the whole of `arena check`: {told}");
    // Whoever runs the cup can read it, whatever the mask of whoever filed it was.
    for file in files(&version) {
        let mode = fs::metadata(version.join(&file)).unwrap().mode() & 0o777;
        assert_eq!(mode, 0o644, "{file}");
    }
    assert_eq!(names(&arena.path("filed")), ["mine"]);

    // Other files are another version with another hash, and the original is as it was.
    arena.write("work/mine/lib/table.txt", "changed");
    assert_eq!(submit(&arena, "--bot work/mine --author id2 --author id3").code, Some(0));
    let second = record(&arena, "mine", 2);
    assert_ne!(second["sha256"], told["sha256"]);
    assert_eq!(second["authors"], serde_json::json!(["id2", "id3"]));
    assert!(arena.path("work/mine/.git/HEAD").exists());
    let list = arena.run();
    assert_eq!(list.code, Some(0), "{list:#?}");
    assert_eq!(list.stdout.lines().count(), 2, "{list:#?}");
    let row: Vec<&str> = list.stdout.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(row[..3], ["mine", "2", "fit"]);
}

#[test]
fn what_a_fall_or_the_build_has_left_is_not_taken_along() {
    let arena = ground();
    let greedy = tests::binaries::program("greedy");
    let toml =
        format!("build = [\"cp\", \"{}\", \"bot\"]\nrun = [\"./bot\"]\ngames = [\"othello\"]\n", greedy.display());
    arena.write("mine/bot.toml", toml);
    fs::copy(greedy, arena.path("mine/bot")).expect("there is room");
    let core = [b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x04\0".as_slice(), &[0; 100]].concat();
    for left in ["core", "core.30251", "lib/vgcore.7"] {
        arena.write(&format!("mine/{left}"), &core);
    }
    for own in ["core.py", "lib/core"] {
        arena.write(&format!("mine/{own}"), "own");
    }
    let run = submit(&arena, "--bot mine");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.contains("note: left out: bot, core, core.30251, lib/vgcore.7\n"), "{run:#?}");
    assert_eq!(files(&arena.path("filed/mine/1/bot")), ["bot.toml", "core.py", "lib/core"]);
}

#[test]
fn all_forms_are_taken_several_at_once() {
    let arena = ground();
    write_bot(&arena, "folder", "games = [\"othello\"]");
    fs::set_permissions(arena.write("alone.sh", script()), fs::Permissions::from_mode(0o755)).unwrap();
    let bot = |toml: &'static str| {
        [
            support::Packed::File("packed/bot.toml", toml.into()),
            support::Packed::File("packed/bot.sh", script().into_bytes()),
        ]
    };
    zip(arena.path("one.zip"), &bot("run = [\"./bot.sh\"]\ngames = [\"othello\"]\n"));
    tar_gz(arena.path("two.tar.gz"), &bot("name = \"own\"\nrun = [\"./bot.sh\"]\ngames = [\"othello\"]\n"));
    let run = submit(
        &arena,
        "--json --game othello --bot folder --bot alone.sh --bot one.zip --bot two.tar.gz --bot given=one.zip",
    );
    assert_eq!(run.code, Some(0), "{run:#?}");
    let told: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let named: Vec<(&str, &str)> =
        told.iter().map(|one| (one["name"].as_str().unwrap(), one["source"].as_str().unwrap())).collect();
    assert_eq!(
        named,
        [
            ("folder", "folder"),
            ("alone", "alone.sh"),
            ("packed", "one.zip"),
            ("own", "two.tar.gz"),
            ("given", "one.zip")
        ]
    );
    assert_eq!(files(&arena.path("filed/packed/1/bot")), ["bot.sh", "bot.toml"]);
    assert_eq!(files(&arena.path("filed/alone/1/bot")), ["alone.sh", "bot.toml"]);

    let games = |name: &str| record(&arena, name, 1)["fit_for"].as_array().map(Vec::len);
    assert_eq!((games("alone"), games("own")), (Some(1), Some(1)), "a lone script plays what the command says");

    let named = submit(&arena, "--bot two.tar.gz --name chosen");
    assert!(named.code == Some(0) && arena.path("filed/chosen/1").is_dir(), "{named:#?}");
    let several = submit(&arena, "--bot folder --bot alone.sh --name one");
    assert!(several.code == Some(2) && several.stderr.contains("--name is for one bot"), "{several:#?}");
}

#[test]
fn what_run_names_is_kept_where_nothing_is_built() {
    let arena = ground();
    let bot = format!(
        "#!/bin/sh\n[ \"$1\" = --book=target/book/moves ] && exec {}\n",
        tests::binaries::program("greedy").display()
    );
    for (name, build) in [("ready", ""), ("made", "build = [\"sh\", \"make.sh\"]\n")] {
        let program = arena.write(&format!("{name}/target/release/run.sh"), &bot);
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
        arena.write(&format!("{name}/target/release/other"), "junk");
        arena.write(&format!("{name}/target/book/moves"), "e4");
        arena.write(&format!("{name}/source.sh"), &bot);
        arena.write(
            &format!("{name}/make.sh"),
            "mkdir -p target/release && cp source.sh target/release/run.sh && chmod +x target/release/run.sh\n",
        );
        arena.write(
            &format!("{name}/bot.toml"),
            format!("run = [\"target/release/run.sh\", \"--book=target/book/moves\"]\ngames = [\"othello\"]\n{build}"),
        );
    }
    let run = submit(&arena, "--bot ready --bot made");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert_eq!(
        files(&arena.path("filed/ready/1/bot")),
        ["bot.toml", "make.sh", "source.sh", "target/book/moves", "target/release/run.sh"]
    );
    assert_eq!(
        files(&arena.path("filed/made/1/bot")),
        ["bot.toml", "make.sh", "source.sh"],
        "what it builds is built again"
    );
}

#[test]
fn a_bot_that_is_not_fit_is_filed_with_why_and_one_that_cannot_be_read_is_not() {
    let arena = ground();
    write_bot(&arena, "mine", "games = [\"othello\"]");
    assert_eq!(submit(&arena, "--bot mine").code, Some(0));
    arena.write("mine/bot.sh", "echo 'no engine' >&2; exit 3\n");
    let run = submit(&arena, "--bot mine");
    assert_eq!(run.code, Some(1), "{run:#?}");
    for part in ["mine: NOT FIT; filed as version 2 in filed/mine/2\n", "starts: ", "no engine", "all of it: "] {
        assert!(run.stdout.contains(part), "{part}: {run:#?}");
    }
    let told = record(&arena, "mine", 2);
    assert!(told["fit"] == false && told["problems"][0].as_str().is_some_and(|why| why.contains("exit")), "{told}");

    write_bot(&arena, "unbuilt", "build = [\"sh\", \"-c\", \"echo no compiler; exit 4\"]");
    let unbuilt = submit(&arena, "--bot unbuilt");
    assert!(unbuilt.code == Some(1) && unbuilt.stdout.contains("no compiler"), "{unbuilt:#?}");

    let list = arena.run().stdout;
    assert!(list.contains("NOT FIT") && list.contains("starts: ") && list.contains("(version 1 is fit)"), "{list}");
    // Where several checks failed each is named, and the first one with its reason.
    let mut several = told.clone();
    let problems = several["problems"].as_array_mut().expect("a list");
    problems.truncate(1);
    problems.extend(["plays legal moves: in turn 3\nmore of it".into(), format!("{}: why", "long ".repeat(20)).into()]);
    arena.write("filed/mine/2/submission.json", several.to_string());
    let list = arena.run().stdout;
    let named = format!("; also: plays legal moves, {}… (version 1 is fit)", "long ".repeat(8));
    assert!(list.contains("starts: ") && list.contains(&named), "{list}");
    let json = arena.also("submissions filed --json");
    let row: Value = serde_json::from_str(json.stdout.lines().next().unwrap()).unwrap();
    assert_eq!((&row["version"], &row["fit"], &row["fit_version"]), (&2.into(), &false.into(), &1.into()), "{row}");

    // Nothing is filed of what is no bot; the others are all the same.
    arena.write("empty/readme", "nothing");
    arena.write("broken/bot.toml", "run = [");
    write_bot(&arena, "good", "games = [\"othello\"]");
    let run = submit(&arena, "--bot empty --bot broken --bot good");
    assert_eq!(run.code, Some(1), "{run:#?}");
    for part in ["NOT FILED: empty: ", "has no bot.toml", "NOT FILED: broken: ", "good: fit; filed as version 1"] {
        assert!(run.stdout.contains(part), "{part}: {run:#?}");
    }
    assert_eq!(names(&arena.path("filed")), ["good", "mine", "unbuilt"]);

    let nothing = submit(&arena, "--bot good --bot nowhere");
    assert!(nothing.code == Some(2) && nothing.stderr.contains("there is nothing at nowhere"), "{nothing:#?}");
    assert!(!arena.path("filed/good/2").exists(), "a mistake in the command is told before anything is filed");
    let nowhere = arena.also("submit --bot good --to nowhere");
    assert!(nowhere.code == Some(2) && nowhere.stderr.contains("mkdir -m 1777"), "{nowhere:#?}");
}

#[test]
fn who_submits_at_the_same_time_loses_nothing() {
    let arena = ground();
    write_bot(&arena, "mine", "games = [\"othello\"]");
    let mut running: Vec<_> =
        (0..4).map(|_| arena.start_also("submit --to filed --isolation none --bot mine")).collect();
    for one in &mut running {
        let run = one.finish(std::time::Duration::from_secs(60)).expect("it ends");
        assert_eq!(run.code, Some(0), "{run:#?}");
    }
    assert_eq!(names(&arena.path("filed/mine")), ["1", "2", "3", "4"]);
    for version in 1..=4 {
        assert_eq!(record(&arena, "mine", version)["fit"], true);
        assert_eq!(files(&arena.path(&format!("filed/mine/{version}/bot"))), ["bot.sh", "bot.toml"]);
    }
    assert_eq!(names(&arena.path("filed")), ["mine"], "nothing that was prepared is left");
}

#[test]
fn a_name_belongs_to_who_filed_it_first() {
    if !needs_that("root's rights", nix::unistd::geteuid().is_root()) {
        return;
    }
    let arena = ground();
    write_bot(&arena, "mine", "games = [\"othello\"]");
    assert_eq!(submit(&arena, "--bot mine").code, Some(0));
    let shelf = arena.path("filed/mine");
    chown(&shelf, Some(65534), None).unwrap();
    let run = submit(&arena, "--bot mine");
    assert_eq!(run.code, Some(1), "{run:#?}");
    assert!(run.stdout.contains("the name mine belongs to nobody, who filed it first in"), "{run:#?}");
    assert_eq!(names(&shelf), ["1"]);
    assert_eq!(names(&arena.path("filed")), ["mine"]);
    // Handed over.
    chown(&shelf, Some(0), None).unwrap();
    assert_eq!(submit(&arena, "--bot mine").code, Some(0));
    let bundled = submit(&arena, "--bot Greedy=mine");
    assert!(bundled.code == Some(1) && bundled.stdout.contains("the name of a bundled bot"), "{bundled:#?}");
    // Capitals make no difference.
    let capitals = submit(&arena, "--bot Mine=mine");
    assert!(capitals.code == Some(1) && capitals.stdout.contains("the name mine is taken"), "{capitals:#?}");
    // Where the folder's group is given on, others do not read it.
    fs::set_permissions(arena.path("filed"), fs::Permissions::from_mode(0o3777)).unwrap();
    assert_eq!(submit(&arena, "--bot apart=mine").code, Some(0));
    assert_eq!(fs::metadata(arena.path("filed/apart")).unwrap().mode() & 0o777, 0o750);
}
