//! `bot.toml`, right and wrong.

use super::{Ground, says};
use crate::config::{BotKind, TomlFile, check_startable};

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
    says(&ground.error("mine"), &["`mine/bot.toml` cannot be read: it is no regular file"]);
    ground.folder("other");
    nix::unistd::mkfifo(&ground.path("other/bot.toml"), nix::sys::stat::Mode::S_IRWXU).expect("a pipe can be made");
    says(&ground.error("other"), &["no regular file"]);
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
    let text = "a = \"x\"\n[clock]\nmoev = \"1s\"\n";
    let file = TomlFile::from_bytes("cup.toml", text.as_bytes().to_vec()).expect("it is UTF-8");
    let root = file.root().expect("it is TOML");
    let clock = root.section("clock", "[clock]").expect("a table").expect("it is there");
    let message = clock.allow_only(&["start", "move"]).expect_err("`moev` is unknown").to_string();
    assert_eq!(message, "cup.toml:3: unknown key `moev` in [clock], did you mean `move`?");
    says(&clock.missing("start", "start = \"10s\"").to_string(), &["cup.toml:2: [clock]: `start` is missing"]);
}
