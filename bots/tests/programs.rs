//! What a person or the arena sees of the bundled bots' programs: their help, their refusals, their ends.

mod support;

use std::io::Write;
use std::process::{Command, Output, Stdio};
use support::{bundled, bundled_path, example, examples_folder};

#[test]
fn the_paper_shows_its_rules() {
    let output = run("paper", &["--help"], "");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    for word in ["--rules", "corner", "avoid", "edge", "most", "fewest", "mobility", "center", "frontier"] {
        assert!(stdout(&output).contains(word), "{word} is missing in {}", stdout(&output));
    }
}

#[test]
fn the_paper_refuses_rules_and_options_that_it_does_not_know() {
    for (arguments, words) in [
        (
            &["--rules", "corner,middle"][..],
            "paper: there is no rule `middle`: the rules are corner, avoid, edge, most",
        ),
        (&["--rules="], "paper: there is no rule ``"),
        (&["--rules"], "paper: `--rules` needs a list"),
        (&["--rule", "corner"], "paper: `--rule` is no option"),
    ] {
        let output = run("paper", arguments, "");
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()));
        assert!(stderr(&output).starts_with(words), "{}", stderr(&output));
    }
}

#[test]
fn bots_without_options_say_so() {
    for bot in ["random", "greedy", "notipping-random"] {
        let output = run(bot, &["--depth", "3"], "");
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()));
        assert_eq!(stderr(&output), format!("{bot}: `--depth` is refused: this bot has no options\n"));
        let output = run(bot, &["--help"], "");
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
        assert!(stdout(&output).starts_with("Plays "), "{}", stdout(&output));
    }
}

#[test]
fn the_bridge_needs_the_command_of_a_client() {
    for arguments in [&[][..], &["--"], &["python3", "client.py"]] {
        let output = run("notipping-bridge", arguments, "");
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()));
        assert!(stderr(&output).contains("the client's command is missing: notipping-bridge -- python3"));
    }
    let output = run("notipping-bridge", &["--help"], "");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    assert!(stdout(&output).contains("{first} for 1 when it moves first"), "{}", stdout(&output));
    let output = run("notipping-bridge", &["--", "true"], &start("othello"));
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()));
    assert!(stderr(&output).contains("does not play `othello`: it plays notipping"), "{}", stderr(&output));
}

#[test]
fn the_wrapper_needs_the_command_of_a_bot() {
    for arguments in [&[][..], &["--"], &["./mybot"]] {
        let output = run("plain", arguments, "");
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()));
        assert_eq!(stderr(&output), "plain: the bot's command is missing: plain -- ./mybot\n");
    }
    let output = run("plain", &["--help"], "");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    assert!(stdout(&output).contains("arena rules GAME --plain"), "{}", stdout(&output));
    let output = run("plain", &["--", "./gone"], "");
    assert_eq!((output.status.code(), stdout(&output)), (Some(1), String::new()));
    assert!(stderr(&output).contains("the bot `./gone` cannot be started"), "{}", stderr(&output));
    let output = run("plain", &["--", "cat"], &start("chess"));
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()));
    assert!(stderr(&output).contains("`chess` is not known here: the games are othello"), "{}", stderr(&output));
}

#[test]
fn a_conversation_that_was_written_in_advance_is_answered_to_its_end() {
    let turn = |number: u32| {
        let state = r#"{"size":6,"board":["......","......","..WB..","..BW..","......","......"],"to_move":"B"}"#;
        format!("{{\"type\":\"turn\",\"turn\":{number},\"seat\":0,\"state\":{state},\"since\":[],\"clock\":{{}}}}\n")
    };
    let script = "read l; echo ready; while read l; do set -- $l; shift 8; echo $1; done; exit 3";
    let output = run("plain", &["--", "sh", "-c", script], &(start("othello") + &turn(0) + &turn(2) + &turn(4)));
    let moved = |number: u32| format!("{{\"type\":\"move\",\"turn\":{number},\"move\":\"c2\"}}\n");
    let ready = "{\"type\":\"ready\"}\n".to_string();
    assert_eq!(stdout(&output), ready + &moved(0) + &moved(2) + &moved(4), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_game_that_a_bot_does_not_play_is_refused_before_ready() {
    for (bot, game, plays) in [
        ("paper", "flip", "othello"),
        ("notipping-random", "othello", "notipping"),
        ("greedy", "chess", "othello, offset, notipping, flip"),
        ("random", "chess", "othello, offset, notipping, flip"),
    ] {
        let output = run(bot, &[], &start(game));
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()));
        assert_eq!(stderr(&output), format!("{bot}: this bot does not play `{game}`: it plays {plays}\n"));
    }
}

#[test]
fn a_bot_ends_well_when_its_input_ends() {
    for bot in ["paper", "random", "greedy"] {
        let output = run(bot, &[], &start("othello"));
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{bot}");
        assert_eq!(stdout(&output), "{\"type\":\"ready\",\"reuse\":true}\n", "{bot}");
    }
}

#[test]
fn a_bot_ends_without_a_panic_when_nobody_reads_it() {
    let mut child = piped("random").spawn().expect("the bot starts");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("the input is piped");
    // The bot may be gone before all of it is written.
    let _ = input.write_all(start("othello").repeat(1000).as_bytes());
    let output = child.wait_with_output().expect("the bot ends");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
}

#[test]
fn the_conversation_in_the_readme_of_the_examples_is_true() {
    if !tests::skip::needs("python3") {
        return;
    }
    let readme = std::fs::read_to_string(examples_folder().join("README.md")).expect("the examples have a README");
    let (_, after) = readme.split_once("$ python3 examples/othello.py\n").expect("it shows a conversation");
    let (conversation, _) = after.split_once("```").expect("the conversation ends");
    let lines: Vec<&str> = conversation.lines().collect();
    assert_eq!(lines.len(), 4, "two messages and two answers");
    let mut bot = example("othello.py");
    for pair in lines.chunks(2) {
        let answer = bot.ask(format!("{}\n", pair[0]).as_bytes());
        assert_eq!(String::from_utf8_lossy(&answer).trim_end(), pair[1]);
    }
    assert_eq!(bot.close(), Some(0));
}

#[test]
fn a_bot_waits_for_another_match_after_the_end_of_one() {
    let mut bot = bundled("paper", &[]);
    for _ in 0..3 {
        bot.ask(start("othello").as_bytes());
        bot.tell(b"{\"type\":\"end\",\"result\":{\"winner\":1,\"scores\":[16,20],\"reason\":\"finished\",\"detail\":null,\"at_fault\":null},\"since\":[]}\n");
    }
    assert_eq!(bot.close(), Some(0));
}

fn start(game: &str) -> String {
    format!(
        "{{\"type\":\"start\",\"protocol\":1,\"game\":\"{game}\",\"params\":{{\"size\":6}},\"seat\":0,\
         \"players\":[\"a\",\"b\"],\"seed\":1,\"match\":\"m\",\"clock\":{{}}}}\n"
    )
}

fn run(bot: &str, arguments: &[&str], input: &str) -> Output {
    let mut child = piped(bot).args(arguments).spawn().expect("the bot starts");
    // A bot that refuses its arguments does not read.
    let _ = child.stdin.take().expect("the input is piped").write_all(input.as_bytes());
    child.wait_with_output().expect("the bot ends")
}

fn piped(bot: &str) -> Command {
    let mut command = Command::new(bundled_path(bot));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
