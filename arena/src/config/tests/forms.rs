//! Every form of BOT.

use super::{Ground, says};
use crate::config::{BotKind, check_startable, read_bot};
use crate::games::bundled_bots;
use std::path::Path;

const SCRIPT: &str = "#!/bin/sh\nexit 0\n";

#[test]
fn a_path_is_taken_as_it_is_written() {
    let ground = Ground::new();
    ground.program("my", SCRIPT);
    for folder in ["my bot", "my\tbot", "it's", "say \"hi\"", "a$b;c", "é=y z", "my bot/deeper down"] {
        let program = format!("{folder}/bot");
        ground.program(&program, SCRIPT);
        let launch = ground.launch(&program);
        assert_eq!(launch.argv, [ground.text(&program)]);
        assert_eq!(launch.folder, ground.path(folder));
        assert_eq!(check_startable(&launch), Ok(()));
        assert_eq!(ground.launch(&ground.text(&program)), launch, "the absolute path is the same bot");
        assert_eq!(ground.launch(&format!("./{program}")), launch);

        ground.file(&format!("{folder}/bot.toml"), "run = [\"./bot\", \"a b\"]");
        let from_folder = ground.launch(folder);
        assert_eq!(from_folder.argv, [ground.text(&program), "a b".to_string()]);
        assert_eq!(from_folder.folder, ground.path(folder));
        assert_eq!(ground.launch(&format!("{folder}/")), from_folder);
        assert_eq!(ground.launch(&format!("{folder}/bot.toml")), from_folder);
    }
}

#[test]
fn each_of_two_versions_runs_its_own_file_in_its_own_folder() {
    let ground = Ground::new();
    for version in ["v1", "v2"] {
        ground.program(&format!("{version}/bot"), SCRIPT);
        ground.file(&format!("{version}/bot.toml"), "run = [\"./bot\"]");
        for bot in [version.to_string(), format!("{version}/bot"), format!("v1/../{version}/bot.toml")] {
            let launch = ground.launch(&bot);
            assert_eq!(
                Path::new(&launch.argv[0]).canonicalize().ok(),
                ground.path(version).join("bot").canonicalize().ok()
            );
            assert_eq!(launch.folder.canonicalize().ok(), ground.path(version).canonicalize().ok());
        }
    }
    let by_line = ground.launch("v2/bot --depth 3");
    assert_eq!(by_line.argv, [ground.text("v2/bot"), "--depth".into(), "3".into()]);
    assert_eq!(by_line.folder, ground.path(""), "a command line is started in the caller's folder");
}

#[test]
fn names_come_from_the_prefix_the_file_or_the_program() {
    let ground = Ground::new();
    for program in ["bot.py", "my bot.v2.sh", "engine-1.2", "draw", "x"] {
        ground.program(program, SCRIPT);
    }
    ground.file("folder/bot.toml", "run = [\"sh\"]");
    ground.file("given/bot.toml", "name = \"Chosen\"\nrun = [\"sh\"]");
    for (bot, name) in [
        ("bot.py", "bot"),
        ("my bot.v2.sh", "my-bot.v2"),
        ("engine-1.2", "engine-1.2"),
        ("draw", "bot-draw"),
        ("folder", "folder"),
        ("folder/bot.toml", "folder"),
        ("./folder/.", "folder"),
        ("given", "Chosen"),
        ("mine=given", "mine"),
        ("mine=./x", "mine"),
        ("A.b_c-1=sh -c 'exit 0'", "A.b_c-1"),
        ("sh -u bot.py --depth 3", "bot"),
        ("sh -c 'exit 0'", "sh"),
        ("./x --depth 3", "x"),
        ("paper --rules corner,avoid,most,edge", "paper"),
        ("human", "human"),
        ("ann=human", "ann"),
    ] {
        let spec = ground.spec(bot);
        assert_eq!(spec.name, name, "{bot}");
        assert_eq!(spec.name_given, bot.starts_with("given") || bot.contains('='), "{bot}");
    }
    assert_eq!(ground.spec("human").kind, BotKind::Human);
    assert_eq!(ground.spec("ann=human").kind, BotKind::Human);
}

#[test]
fn interpreters_lend_their_name_to_no_bot() {
    let words = |line: &str| shlex::split(line).expect("it has whole quotes");
    for (line, name) in [
        ("python3 -u bot.py --depth 3", "bot"),
        ("/usr/bin/python3.12 -X dev bots/alpha.py", "alpha"),
        ("python3 -m pkg.bot", "pkg.bot"),
        ("python3 -c 'import x'", "python3"),
        ("node --max-old-space-size=100 js/beta.mjs", "beta"),
        ("java -jar out/gamma.jar", "gamma"),
        ("java -cp out Delta", "Delta"),
        ("bash run.sh", "run"),
        ("perl -I lib epsilon.pl", "epsilon"),
        ("bash -lc 'exec bot'", "bash"),
        ("deno run zeta.js", "zeta"),
        ("./engine bot.py", "engine"),
        ("plain -- ./mine", "mine"),
        ("plain -- python3 bots/eta.py", "eta"),
        ("plain --", "plain"),
    ] {
        assert_eq!(crate::config::words::default_name(&words(line)), name, "{line}");
    }
}

#[test]
fn what_is_before_the_equals_sign_has_to_be_a_name() {
    let ground = Ground::new();
    for bot in ["🎉=paper", "a,b=paper", "a\nb=paper", "draw=paper", "my bot=paper", "=paper"] {
        says(&ground.error(bot), &["there is no bot"]);
    }
    says(&ground.error("🎉=paper"), &["before `=` is no name", "1 to 40 of"]);
    says(&ground.error("x=gone"), &["there is no bot `gone`", "(`x=` was read as the bot's name)"]);
    says(&ground.error("name="), &["names no bot", "`name=` was read as the bot's name"]);
    says(&ground.error("DEPTH=3 sh bot.sh"), &["`DEPTH=` was read as the bot's name", "env DEPTH=3 sh bot.sh"]);
    ground.file("broken/bot.toml", "rnu = 1");
    assert_eq!(ground.error("mine=broken"), "broken/bot.toml:1: unknown key `rnu`, did you mean `run`?");
    ground.program("a=b/bot", SCRIPT);
    says(&ground.error("a=b/bot"), &["`a=` was read as the bot's name", "write `./a=b/bot`"]);
    assert_eq!(ground.launch("./a=b/bot").argv, [ground.text("a=b/bot")]);
}

#[test]
fn bundled_bots_are_looked_for_beside_the_arena() {
    let ground = Ground::new();
    for name in bundled_bots() {
        // The wrapper wants a command, which is a sound one here.
        let bot = if name == "plain" { "plain -- sh" } else { name };
        let launch = ground.launch(bot);
        assert_eq!(launch.argv[0], ground.text(&format!("arena-dir/{name}")));
        assert!(launch.bundled);
        let message = check_startable(&launch).expect_err("it is not built").to_string();
        says(&message, &[name, "is not built", "`cargo build --release --workspace`", &ground.text("arena-dir")]);
        ground.program(&format!("arena-dir/{name}"), SCRIPT);
        assert_eq!(check_startable(&ground.launch(bot)), Ok(()));
    }
    let launch = ground.launch("paper --rules 'corner, avoid' x");
    assert_eq!(launch.argv[1..], ["--rules", "corner, avoid", "x"]);
    assert_eq!((launch.folder, launch.bundled), (ground.path(""), true));
    says(&ground.error("papr"), &["there is no bot `papr`", "did you mean `paper`?"]);
}

#[test]
fn what_a_wrapper_starts_is_checked_like_a_bot_of_its_own() {
    let ground = Ground::new();
    ground.program("arena-dir/plain", SCRIPT);
    let problem = |bot: &str| check_startable(&ground.launch(bot)).expect_err(bot).to_string();
    says(&problem("plain -- ./gone"), &[&ground.text("gone"), "is not there"]);
    says(&problem("plain -- python3 gone.py"), &[&ground.text("gone.py"), "is not there"]);
    says(&problem("plain"), &["`plain` needs the command of a bot: plain -- ./mybot"]);
    says(&problem("plain --"), &["`plain` needs the command of a bot"]);
    says(&problem("plain ./gone now"), &["`plain` has no option `./gone`"]);
    ground.file("mine", SCRIPT);
    says(&problem("plain -- ./mine"), &["is not executable", "chmod +x"]);
    ground.mode("mine", 0o755);
    assert_eq!(check_startable(&ground.launch("plain -- ./mine --depth 3")), Ok(()));
    assert_eq!(check_startable(&ground.launch("plain -- mine")), Ok(()));
}

#[test]
fn where_a_path_and_a_word_both_fit_the_path_is_taken_and_told() {
    let ground = Ground::new();
    ground.file("paper/bot.toml", "run = [\"sh\"]");
    ground.program("greedy", SCRIPT);
    ground.program("human", SCRIPT);
    ground.folder("random");
    for (bot, what) in [("paper", "a bundled bot `paper`"), ("greedy", "a bundled bot `greedy`"), ("human", "a person")]
    {
        let spec = ground.spec(bot);
        assert!(matches!(&spec.kind, BotKind::Program(launch) if !launch.bundled), "{spec:?}");
        says(&spec.notes.join("|"), &[&format!("both a path `./{bot}` and {what}"), "the path is taken"]);
    }
    assert_eq!(ground.spec("./greedy").notes, [] as [&str; 0], "a plain path says which is meant");
    let with_arguments = ground.spec("greedy --x");
    assert!(matches!(&with_arguments.kind, BotKind::Program(launch) if !launch.bundled));
    assert_eq!(with_arguments.notes.len(), 1);

    let no_bot = ground.spec("random");
    assert!(matches!(&no_bot.kind, BotKind::Program(launch) if launch.bundled));
    says(&no_bot.notes.join("|"), &["a bundled bot `random` is taken", "the folder `./random` has no bot.toml"]);
}

#[test]
fn command_lines_are_split_like_a_shells_words() {
    let ground = Ground::new();
    ground.program("bots/run me.sh", SCRIPT);
    for (bot, arguments) in [
        ("sh -u bots/a.py --depth 3", vec!["-u", "bots/a.py", "--depth", "3"]),
        ("sh   'a b'\t\"c 'd'\" e\\ f", vec!["a b", "c 'd'", "e f"]),
        ("sh -c 'echo $HOME | cat > /dev/null && true'", vec!["-c", "echo $HOME | cat > /dev/null && true"]),
        ("sh a\\|b '#c' d#e", vec!["a|b", "#c", "d#e"]),
        ("sh \"\"", vec![""]),
        ("sh é 🎉", vec!["é", "🎉"]),
    ] {
        let launch = ground.launch(bot);
        assert!(Path::new(&launch.argv[0]).is_absolute() && launch.argv[0].ends_with("/sh"), "{:?}", launch.argv);
        assert_eq!(launch.argv[1..], arguments, "{bot}");
        assert_eq!(launch.folder, ground.path(""));
    }
    let quoted = ground.launch("'bots/run me.sh' --fast");
    assert_eq!(quoted.argv, [ground.text("bots/run me.sh"), "--fast".to_string()]);
    ground.program("sh", SCRIPT);
    assert_eq!(ground.launch("sh -u x").argv[0], ground.text("sh"), "beside the caller comes before PATH");
}

#[test]
fn what_needs_a_shell_is_refused_with_the_words_that_resulted() {
    let ground = Ground::new();
    for (bot, feature) in [
        ("sh bot.sh | tee log", "uses `|`"),
        ("sh bot.sh > log", "uses `>`"),
        ("sh bot.sh 2>>log", "uses `>>`"),
        ("sh < input", "uses `<`"),
        ("cd bots && sh bot.sh", "uses `&&`"),
        ("sh bot.sh; true", "uses `;`"),
        ("sh bot.sh &", "uses `&`"),
        ("sh $SCRIPT x", "uses `$SCRIPT`"),
        ("sh ${SCRIPT}", "uses `$`"),
        ("sh $(which bot)", "uses `$`"),
        ("sh `which bot`", "uses ```"),
        ("sh bot.sh # fast", "uses `#`"),
        ("paper --rules $RULES", "uses `$RULES`"),
    ] {
        says(&ground.error(bot), &[feature, "no shell is started", "its words are [", "`sh -c "]);
    }
    says(
        &ground.error("sh -u bot.sh | tee"),
        &["[\"sh\", \"-u\", \"bot.sh\", \"|\", \"tee\"]", "sh -c 'sh -u bot.sh | tee'"],
    );
    says(&ground.error("sh 'open"), &["a quote that is not closed"]);
    says(&ground.error("sh \\"), &["a quote that is not closed, or ends in `\\`"]);
    for (bot, what) in [("sh *.sh", "`*`"), ("sh ~/bot.sh", "`~`"), ("sh \"$HOME\"", "`$HOME`"), ("sh a?", "`?`")] {
        says(&ground.spec(bot).notes.join("|"), &[what, "no shell expands it", "its words are [\"sh\", "]);
    }
}

#[test]
fn a_bot_that_is_not_there_is_named_with_the_path_that_was_tried() {
    let ground = Ground::new();
    ground.program("bots/alpha.sh", SCRIPT);
    ground.folder("spare");
    says(
        &ground.error("bots/alhpa.sh"),
        &["`bots/alhpa.sh`", &ground.text("bots/alhpa.sh"), "did you mean `bots/alpha.sh`?"],
    );
    says(&ground.error("./bots/alhpa.sh"), &["did you mean `./bots/alpha.sh`?"]);
    says(
        &ground.error("no-such-program-7 --depth 3"),
        &[
            &ground.text("no-such-program-7"),
            "no program of that name is in PATH",
            "[\"no-such-program-7\", \"--depth\", \"3\"]",
        ],
    );
    says(&ground.error("~/bot"), &["`~` is the shell's"]);
    says(&ground.error("bots\\alpha.sh"), &["write `bots/alpha.sh` with slashes"]);
    says(&ground.error("pa\u{202e}per"), &["`pa\\u{202e}per`"]);
    says(&ground.error("spare"), &["the folder", "has no bot.toml", "run = [\"python3\", \"bot.py\"]"]);
    says(&ground.error("spare --x"), &["is a folder and cannot be given arguments"]);
    ground.file("spare/Bot.toml", "");
    says(&ground.error("spare"), &["Bot.toml` meant to be it?"]);
    ground.file("spring.toml", "");
    says(&ground.error("spring.toml"), &["is no bot", "`bot.toml`"]);
    for empty in ["", " ", "\t\n"] {
        says(&ground.error(empty), &["an empty text names no bot", "paper, random, greedy"]);
    }
    says(&ground.error("''"), &["names no program"]);
    says(&ground.error("a\0b"), &["NUL"]);
    std::os::unix::fs::symlink("gone", ground.path("link")).expect("a link can be made");
    says(&ground.error("link"), &["is a symbolic link to `gone`, which is not there"]);
}

#[test]
fn a_path_with_a_space_never_starts_the_program_of_its_first_word() {
    let ground = Ground::new();
    ground.program("my", SCRIPT);
    ground.program("my bot/bot", SCRIPT);
    says(&ground.error("my bot/bott"), &["is not there, though the folder", "did you mean", "my bot/bot`?"]);
    says(&ground.error("my bot/bot --depth 3"), &["begins with the path `my bot/bot`", "\"'my bot/bot' --depth 3\""]);
    assert_eq!(ground.launch("'my bot/bot' --depth 3").argv[0], ground.text("my bot/bot"));
    assert_eq!(ground.launch("my --depth 3").argv[0], ground.text("my"));
    assert_eq!(ground.launch(" my bot/bot ").argv, [ground.text("my bot/bot")]);
}

#[test]
fn relative_folders_are_made_absolute() {
    let spec = read_bot("paper", Path::new("."), Path::new("target")).expect("a bundled bot");
    let BotKind::Program(launch) = spec.kind else { panic!("a program") };
    assert!(launch.folder.is_absolute() && Path::new(&launch.argv[0]).is_absolute(), "{launch:?}");
}
