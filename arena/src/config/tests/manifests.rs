//! `bot.toml`, right and wrong.

use super::{Ground, says};
use crate::config::{BotKind, Placed, TomlFile, check_startable};
use std::time::Duration;

const RUN: &str = "run = [\"sh\", \"bot.sh\"]\n";

/// The error of a bot.toml with this content.
#[track_caller]
fn refused(content: impl AsRef<[u8]>) -> String {
    let ground = Ground::new();
    ground.file("mine/bot.toml", content);
    ground.error("mine")
}

#[test]
fn every_field_is_read() {
    let ground = Ground::new();
    ground.program("mine/tool", "#!/bin/sh\n");
    ground.file(
        "mine/bot.toml",
        "name = \"Mine-1\"\nrun = [\"tool\", \"bot.py\"]\nbuild = [\"make\", \"all\"]\ngames = [\"somegame\"]\n\
         authors = [\"id1\", \"id2\"]\nenv = { B = \"2\", \"A.x\" = \"one two\" }\n",
    );
    let spec = ground.spec("mine");
    assert_eq!((spec.name.as_str(), spec.name_given), ("Mine-1", true));
    assert_eq!(spec.authors, ["id1", "id2"]);
    assert_eq!(spec.games, Some(vec!["somegame".to_string()]));
    let BotKind::Program(launch) = spec.kind else { panic!("a program") };
    assert_eq!(launch.argv, [ground.text("mine/tool"), "bot.py".into()], "a file in the folder comes before PATH");
    assert_eq!(launch.folder, ground.path("mine"));
    assert_eq!(launch.build, Some(vec!["make".to_string(), "all".to_string()]));
    assert_eq!(launch.env, [("B".to_string(), "2".to_string()), ("A.x".to_string(), "one two".to_string())]);
}

#[test]
fn only_run_is_needed_and_windows_files_are_read() {
    let ground = Ground::new();
    for content in [RUN.to_string(), format!("\u{feff}# mine\r\n{}\r\n", RUN.trim()), "run=['sh']\n[env]\nA='1'".into()]
    {
        ground.file("mine/bot.toml", content);
        let spec = ground.spec("mine");
        assert_eq!((spec.name.as_str(), spec.authors.len(), spec.games.clone()), ("mine", 0, None));
        let BotKind::Program(launch) = spec.kind else { panic!("a program") };
        assert!(launch.argv[0].ends_with("/sh") && launch.build.is_none(), "{launch:?}");
    }
}

#[test]
fn unknown_keys_are_refused_with_file_line_and_what_was_meant() {
    let ground = Ground::new();
    let content = format!("# a\n# b\n# c\n# d\n# e\n{RUN}bulid = [\"make\"]\nzzz = 1\n");
    ground.file("bot.toml", &content);
    assert_eq!(ground.error("."), "bot.toml:7: unknown key `bulid`, did you mean `build`?");
    ground.file("bots/mine/bot.toml", &content);
    says(&ground.error("bots/mine"), &["bots/mine/bot.toml:7: unknown key `bulid`"]);
    says(
        &refused(format!("{RUN}comand = 1")),
        &["mine/bot.toml:2: unknown key `comand`: the keys are name, run, build"],
    );
    says(&refused(format!("\u{feff}{RUN}\r\n\r\n\"a\\nb\" = 1")), &["mine/bot.toml:4: unknown key `a\\nb`"]);
}

#[test]
fn wrong_values_say_what_is_expected() {
    for (content, parts) in [
        ("", vec!["mine/bot.toml: `run` is missing", "run = [\"python3\", \"bot.py\"]"]),
        (
            "run = \"python3 'my bot.py'\"",
            vec![":1: `run` must be a list of words, but is the text", "write run = [\"python3\", \"my bot.py\"]"],
        ),
        ("run = []", vec![":1: `run` is an empty list"]),
        ("run = [\"\"]", vec![":1: `run` begins with an empty text"]),
        ("run = [\"sh\",\n 3]", vec![":2: `run` must be a list of texts only, but has the whole number `3`"]),
        ("run = 3", vec![":1: `run` must be a list of texts, but has the whole number `3`"]),
        ("run = [\"sh\"]\nbuild = \"make all\"", vec![":2: `build` must be", "build = [\"make\", \"all\"]"]),
        ("run = [\"sh\"]\nname = 3.5", vec![":2: `name` must be a text in quotes, but has the number `3.5`"]),
        ("run = [\"sh\"]\nname = \"my bot\"", vec![":2: `my bot` cannot be a bot's name"]),
        ("run = [\"sh\"]\nname = \"🎉\"", vec![":2: `🎉` cannot be a bot's name"]),
        ("run = [\"sh\"]\nname = \"a,b\"", vec!["cannot be a bot's name"]),
        ("run = [\"sh\"]\nname = \"a\\nb\"", vec!["`a\\nb` cannot be a bot's name"]),
        ("run = [\"sh\"]\nname = \"draw\"", vec!["cannot be a bot's name", "neither `draw` nor `human`"]),
        ("run = [\"sh\"]\ngames = \"x\"", vec![":2: `games` must be a list of texts", "the text `\"x\"`"]),
        ("run = [\"sh\"]\ngames = []", vec![":2: `games` is an empty list"]),
        ("run = [\"sh\"]\nauthors = \"me\"", vec!["`authors` must be a list", "authors = [\"id1\", \"id2\"]"]),
        ("run = [\"sh\"]\nauthors = [\" \"]", vec!["cannot be an author"]),
        ("run = [\"sh\"]\nenv = [\"A=1\"]", vec!["`env` must be a table", "env = { KEY = \"value\" }"]),
        ("run = [\"sh\"]\nenv = { DEPTH = 3 }", vec!["`DEPTH` must be a text in quotes, but has the whole number `3`"]),
        ("run = [\"sh\"]\nenv = { \"A=B\" = \"1\" }", vec!["`A=B` cannot be the name of a variable"]),
        ("run = [\"sh\"]\nenv = { \"\" = \"1\" }", vec!["cannot be the name of a variable"]),
        ("run = [\"sh\"]\nenv = { A = \"x\\u0000y\" }", vec!["NUL"]),
        ("run = [\"sh\", \"a\\u0000b\"]", vec![":1:", "`run` has a NUL character"]),
        ("run = [\"sh\"]\nrun = [\"sh\"]", vec![":2: this is not valid TOML", "duplicate key"]),
        ("run = [\"sh\"\nname = 1", vec!["this is not valid TOML"]),
        ("\n\nrun = sh", vec![":3: this is not valid TOML"]),
    ] {
        says(&refused(content), &parts);
    }
    says(&refused(b"# \xff\nrun = [\"sh\"]"), &["mine/bot.toml:1: the byte 0xff is not UTF-8"]);
    says(&refused(b"run = [\"sh\"]\n#\n# caf\xe9"), &["mine/bot.toml:3: the byte 0xe9 is not UTF-8"]);
    says(&refused(vec![b'#'; (1 << 20) + 1]), &["cannot be read", "1048577 bytes"]);
}

#[test]
fn a_manifest_that_is_no_file_is_refused_without_waiting() {
    let ground = Ground::new();
    ground.folder("mine/bot.toml");
    says(&ground.error("mine"), &["`mine/bot.toml` cannot be read: it is a folder, not a regular file"]);
    ground.folder("other");
    nix::unistd::mkfifo(&ground.path("other/bot.toml"), nix::sys::stat::Mode::S_IRWXU).expect("a pipe can be made");
    says(&ground.error("other"), &["it is a named pipe, not a regular file"]);
}

#[test]
fn run_may_name_a_bundled_bot() {
    let ground = Ground::new();
    ground.program("arena-dir/plain", "#!/bin/sh\n");
    let content = "run = [\"plain\", \"--\", \"./mybot\"]\nbuild = [\"make\"]\nenv = { A = \"1\" }\n";
    ground.file("mine/bot.toml", content);
    let launch = ground.launch("mine");
    assert_eq!(launch.argv, [ground.text("arena-dir/plain"), "--".to_string(), "./mybot".to_string()]);
    assert_eq!((launch.folder.clone(), launch.bundled), (ground.path("mine"), true));
    assert_eq!(launch.env, [("A".to_string(), "1".to_string())]);
    let message = check_startable(&launch).expect_err("the bot that is wrapped is not built").to_string();
    says(&message, &[&ground.text("mine/mybot"), "is not built yet", "&& make`"]);
    ground.program("mine/mybot", "#!/bin/sh\n");
    assert_eq!(check_startable(&launch), Ok(()));
    ground.program("mine/plain", "#!/bin/sh\n");
    let own = ground.launch("mine");
    assert_eq!((own.argv[0].as_str(), own.bundled), (ground.text("mine/plain").as_str(), false));
}

#[test]
fn a_program_that_is_not_built_names_the_command_that_builds_it() {
    let ground = Ground::new();
    for run in ["./target/bot", "target/bot", "bot-of-this-folder"] {
        let content = format!("run = [\"{run}\"]\nbuild = [\"cargo\", \"build\", \"--bin\", \"a b\"]\n");
        ground.file("my bot/bot.toml", content);
        let launch = ground.launch("my bot");
        let message = check_startable(&launch).expect_err("it is not there").to_string();
        let command = format!("`cd '{}' && cargo build --bin 'a b'`", ground.text("my bot"));
        says(&message, &[run.trim_start_matches("./"), "is not built yet", &command]);
        let built = format!("my bot/{run}");
        ground.program(&built, "#!/bin/sh\n");
        assert_eq!(check_startable(&launch), Ok(()));
        std::fs::remove_file(ground.path(&built)).expect("it was made");
    }
    ground.program("plain/bot", "#!/bin/sh\n");
    ground.file("plain/bot.toml", "run = [\"bto\"]\n");
    let message = check_startable(&ground.launch("plain")).expect_err("it is not there").to_string();
    says(&message, &[&ground.text("plain/bto"), "is not there, did you mean", "plain/bot`?"]);
    ground.file("other/bot.toml", "run = [\"no-such-program-7\"]\n");
    let message = check_startable(&ground.launch("other")).expect_err("it is not there").to_string();
    says(&message, &[&ground.text("other/no-such-program-7"), "is not there, and no program of that name is in PATH"]);
    ground.file("slashed/bot.toml", "run = [\"./sh\"]\n");
    let message = check_startable(&ground.launch("slashed")).expect_err("it is not there").to_string();
    says(&message, &["slashed/sh` is not there; write `sh` to mean `/"]);
}

#[test]
fn other_files_can_be_read_in_the_same_way() {
    let text = "pairs = 0x0a\nhints = true\nelo = 2.5\n[clock]\nstart = \"10s\"\nmoev = \"1s\"\nmemory = \"1KiB\"\n\
                [[bots]]\npath = \"a\"\n[[bots]]\npath = \"b\"\n[params]\nd = [5, 7.5, \"all\", { x = true }]\n";
    let file = TomlFile::from_bytes("cup.toml", text.into()).expect("it is UTF-8");
    let root = file.root().expect("it is TOML");
    let value = |found: Result<Option<Placed<i64>>, _>| found.expect("a number").map(|placed| placed.value);
    assert_eq!(value(root.whole_number("pairs", "pairs = 1")), Some(10));
    assert_eq!(value(root.whole_number("none", "none = 1")), None);
    assert_eq!(root.truth("hints").expect("true or false").map(|hints| hints.value), Some(true));
    let numbers = ["elo", "pairs"].map(|key| root.number(key, "").expect("a number").map(|number| number.value));
    assert_eq!(numbers, [Some(2.5), Some(10.0)]);

    let clock = root.section("clock", "[clock]").expect("a table").expect("it is there");
    assert_eq!(clock.duration("start").expect("a duration").map(|start| start.value), Some(Duration::from_secs(10)));
    assert_eq!(clock.size("memory").expect("a size").map(|size| size.value), Some(1024));
    let message = clock.allow_only(&["start", "move", "memory"]).expect_err("`moev` is unknown").to_string();
    assert_eq!(message, "cup.toml:6: unknown key `moev` in [clock], did you mean `move`?");
    says(&clock.missing("game", "game = \"2m\"").to_string(), &["cup.toml:4: [clock]: `game` is missing"]);

    let bots = root.sections("bots", "[[bots]]").expect("tables");
    let paths: Vec<_> = bots.iter().map(|bot| bot.text("path", "").expect("a text").expect("it is there")).collect();
    assert_eq!(paths.iter().map(|path| path.value.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    says(&bots[1].error_at(paths[1].offset, "no bot").to_string(), &["cup.toml:11: no bot"]);
    let params = root.sections("params", "[params]").expect("one table");
    let d = params[0].json("d").expect("JSON has it").expect("it is there");
    assert_eq!(d.value, serde_json::json!([5, 7.5, "all", { "x": true }]));
}

#[test]
fn wrong_values_in_other_files_say_file_and_line() {
    let text =
        "pairs = \"2\"\nhints = 1\nelo = nan\nbig = 99999999999999999999\nbots = [1]\nclock = 3\nmove = \"5sec\"\n";
    let file = TomlFile::from_bytes("cup.toml", text.into()).expect("it is UTF-8");
    let root = file.root().expect("it is TOML");
    for (error, parts) in [
        (
            root.whole_number("pairs", "pairs = 2").err(),
            ["cup.toml:1: `pairs` must be a whole number", "write pairs = 2"],
        ),
        (root.truth("hints").err(), ["cup.toml:2: `hints` must be `true` or `false`", "write hints = true"]),
        (root.number("elo", "elo = 2.5").err(), ["cup.toml:3: `elo` must be a number", "`nan`"]),
        (root.json("elo").err(), ["cup.toml:3: `elo` has a number that is not finite", "`nan`"]),
        (
            root.whole_number("big", "big = 1").err(),
            ["cup.toml:4: `big` must be a whole number of at most 64 bits", ""],
        ),
        (root.sections("bots", "[[bots]]").err(), ["cup.toml:5: `bots` must be tables", "write [[bots]]"]),
        (root.section("clock", "[clock]").err(), ["cup.toml:6: `clock` must be a table", "write [clock]"]),
        (root.duration("move").err(), ["cup.toml:7: `move`: `5sec` is not a duration", "`500ms`"]),
        (root.size("move").err(), ["cup.toml:7: `move`: `5sec` is not a size", "`512MiB`"]),
    ] {
        says(&error.expect("it is wrong").to_string(), &parts);
    }
}
