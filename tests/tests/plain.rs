//! Bots that read and write words: what they are sent, and that what they do wrong is theirs to see.

use arena::games::GAMES;
use serde_json::{Value, json};
use std::fs;
use tests::arena::{Arena, Run};
use tests::binaries::repository;
use tests::transcript::log;

/// A bot in shell that answers with these lines, one after the other, and then ends. It tells what was said.
const RECITER: &str = r#"for answer in "$@"; do
    read -r asked
    printf '> %s\n' "$asked" >&2
    printf '%s\n' "$answer"
    printf '< %s\n' "$answer" >&2
done
"#;

#[test]
fn the_examples_of_what_bots_are_sent_are_true() {
    for game in GAMES {
        let id = game.info().id;
        let page = fs::read_to_string(repository().join(format!("arena/src/games/{id}/PLAIN.md"))).expect("a page");
        assert_eq!(Arena::new(["rules", id, "--plain"]).run().stdout.trim_end(), page.trim_end());
        let (_, example) = page.rsplit_once("```text\n").expect("an example ends the page");
        let example = example.trim_end().trim_end_matches("```");
        let answers: Vec<&str> = example.lines().filter_map(|line| line.strip_prefix("< ")).collect();
        let first = example.lines().next().expect("the first line is the arena's");
        let params = first.split_whitespace().filter(|word| word.contains('=')).skip(4);
        let mut arena = Arena::new(["match", id, "--seed", "1", "--json", "--quiet", "--transcript", "m.jsonl"]);
        for param in params {
            arena = arena.arg("--param").arg(param);
        }
        arena.write("reciter.sh", RECITER);
        let words: String = answers.iter().map(|answer| format!(" '{answer}'")).collect();
        let arena = arena.arg("--bot").arg(format!("mine=plain -- sh reciter.sh{words}")).args("--bot random");
        let run = arena.run();
        assert_eq!(run.json()["reason"], "crashed", "it ends after its answers: {run:#?}");
        assert_eq!(log(&arena.transcript("m.jsonl"), 0), example, "{id}");
    }
}

/// A match of a bot in words, given as a script, against `random`, in this seat.
fn match_of(script: &str, game: &str, seat: usize) -> Arena {
    let arena =
        Arena::new(["match", game, "--seed", "1", "--json", "--quiet", "--start-time", "5s", "--move-time", "5s"]);
    arena.write("bot.sh", script);
    let mut bots = ["mine=plain -- sh bot.sh", "random"];
    bots.swap(0, seat);
    arena.arg("--bot").arg(bots[0]).arg("--bot").arg(bots[1]).args("--transcript m.jsonl")
}

/// The result, which is this seat's fault for this reason, with a detail that says all of this.
fn at_fault(run: &Run, seat: usize, reason: &str, says: &[&str]) {
    let result = run.json();
    assert_eq!((&result["reason"], &result["at_fault"]), (&json!(reason), &json!(seat)), "{run:#?}");
    let detail = result["detail"].as_str().unwrap_or_default();
    for part in says {
        assert!(detail.contains(part), "{part:?} is not told: {detail}");
    }
    assert!(!detail.contains("{\""), "the bot has never seen JSON: {detail}");
}

#[test]
fn what_a_bot_does_wrong_comes_through() {
    let rows: &[(&str, &str, &str, &[&str])] = &[
        (
            "offset",
            "echo ready; read l; echo hello world; read l",
            "malformed",
            &["is no whole number. The bot sent hello world; expected was X Y X Y", "it was asked 32 "],
        ),
        (
            "offset",
            "echo ready; read l; echo 1 1 1 1; read l",
            "illegal",
            &["[1,1]", "The bot sent 1 1 1 1; expected was X Y X Y"],
        ),
        ("offset", "echo ready; read l; echo; read l", "malformed", &["0 numbers came"]),
        ("othello", "echo ready; read l; echo z9; read l", "illegal", &["z9", "legal here"]),
        ("othello", "echo ready; read l; echo I think c2; read l", "illegal", &["I think c2"]),
        ("notipping", "echo ready; read l; echo 99 0; read l", "illegal", &["no block of 99 kg"]),
        ("flip", "echo ready; read l; echo 0 1; read l", "malformed", &["0 1", "PIECE X Y"]),
        ("flip", "echo ready; read l; printf '\\377\\n'; read l", "malformed", &["\u{fffd}"]),
        (
            "othello",
            "echo set; read l",
            "no_start",
            &["`ready`. The bot sent set; expected was ready", "it was asked othello "],
        ),
        ("othello", "exit 5", "no_start", &["exited with code 5"]),
        ("othello", "echo ready; read l; echo oh no >&2; exit 3", "crashed", &["exited with code 3", "oh no"]),
        ("othello", "echo ready; read l; kill -SEGV $$", "crashed", &["SIGSEGV"]),
        ("othello", "echo ready; read l; kill -KILL $$", "crashed", &["SIGKILL"]),
        ("othello", "echo ready; read l; exec >&-; sleep 100", "crashed", &["closed its stdout"]),
        // Somebody else still holds its output.
        ("othello", "echo ready; read l; sleep 100 & exit 4", "crashed", &["exited with code 4"]),
        ("othello", "echo ready; read l; yes | tr -d '\\n'", "flood", &["64 KiB"]),
    ];
    for (game, script, reason, says) in rows {
        for seat in [0, 1] {
            let script = format!("read first\n{script}\n");
            let run = match_of(&script, game, seat).run();
            assert!(run.code == Some(0), "{script}: {run:#?}");
            at_fault(&run, seat, reason, says);
        }
    }
}

#[test]
fn lines_that_are_not_flushed_are_told_as_such() {
    // To a pipe, sed keeps what it writes until its input ends.
    let bot = "mine=plain -- sed s/.*/ready/";
    let words = ["match", "othello", "--json", "--quiet", "--start-time", "500ms", "--bot", bot, "--bot", "random"];
    at_fault(&Arena::new(words).run(), 0, "no_start", &["most likely it does not flush its output"]);
}

#[test]
fn a_bot_that_is_still_thinking_is_told_as_such() {
    let arena = Arena::new(["match", "othello", "--json", "--quiet", "--move-time", "300ms", "--stop-time", "100ms"]);
    arena.write("bot.sh", "read l; echo ready; read l; while :; do :; done\n");
    let run = arena.args("--bot").arg("plain -- sh bot.sh").args("--bot random").run();
    at_fault(&run, 0, "timeout", &["nothing had arrived; the process was running"]);
}

#[test]
fn the_end_of_the_input_comes_through_and_what_came_early_is_passed_over() {
    let script = r#"read -r first; echo ready
while read -r size colour rest; do
    set -- $rest
    shift "$size"
    printf '%s\nthinking on\n' "$1"
done
echo over >&2
exit 7
"#;
    let arena = match_of(script, "othello", 1);
    let run = arena.run();
    assert_eq!((run.code, &run.json()["reason"]), (Some(0), &json!("finished")), "{run:#?}");
    let said = log(&arena.transcript("m.jsonl"), 1);
    assert!(said.ends_with("over\n"), "{said}");
    let events = arena.transcript("m.jsonl");
    let strays: Vec<&Value> = events.iter().filter(|event| event["type"] == "stray").collect();
    assert!(strays.len() > 5 && strays.iter().all(|stray| stray["text"] == "thinking on"), "{strays:?}");
    assert_eq!(arena.also("verify m.jsonl").code, Some(0));
}

#[test]
fn the_last_line_before_the_end_counts_without_its_newline() {
    let run = match_of("read l; echo ready; read l; printf c2; exit 6\n", "othello", 0).run();
    at_fault(&run, 0, "crashed", &["exited with code 6", "turn 2"]);
}

#[test]
fn a_bot_that_is_not_there_is_told_before_anything_is_played() {
    for (bot, says) in [("plain -- ./gone", "gone is not there"), ("plain", "plain -- ./mybot")] {
        let run = Arena::new(["match", "othello", "--json", "--bot", bot, "--bot", "random"]).run();
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:#?}");
        assert!(run.stderr.replace('`', "").contains(says), "{}", run.stderr);
    }
}

#[test]
fn a_wrapped_bot_is_built_started_in_its_folder_and_given_its_variables() {
    let arena = Arena::new(["match", "othello", "--json", "--quiet", "--seed", "1", "--transcript", "m.jsonl"]);
    arena.write("mine/source.sh", "echo \"$GREETING\" >&2; cat data.txt >&2; read l; echo ready; read l; echo c2\n");
    arena.write("mine/data.txt", "data\n");
    arena.write(
        "mine/bot.toml",
        "build = [\"cp\", \"source.sh\", \"bot.sh\"]\nrun = [\"plain\", \"--\", \"sh\", \"bot.sh\"]\n\
         env = { GREETING = \"hello\" }\n",
    );
    let arena = arena.args("--bot mine --bot random");
    let run = arena.run();
    assert!(run.stderr.contains("building mine: cp source.sh bot.sh"), "{run:#?}");
    let events = arena.transcript("m.jsonl");
    assert_eq!(events[0]["players"][0]["name"], "mine");
    assert_eq!(log(&events, 0), "hello\ndata\n");
    let moves: Vec<&Value> = events.iter().filter(|event| event["type"] == "move" && event["seat"] == 0).collect();
    assert_eq!(moves.len(), 1, "its one answer was played");
}

/// Prints a line that is no answer before each answer, at once with it.
const CHATTY: &str = r#"read -r first; echo ready
while read -r size colour rest; do
    set -- $rest
    shift "$size"
    printf 'trying %s\n%s\n' "$1" "$1"
done
"#;

/// Prints each move that it looks at as if it were its answer, and then its answer.
const THINKS_ALOUD: &str = r#"read -r first; echo ready
while read -r size colour rest; do
    set -- $rest
    shift "$size"
    printf '%s\n' "$@" "$1"
done
"#;

#[test]
fn a_debug_print_on_stdout_is_named_with_the_fault() {
    let arena = Arena::new(["match", "othello", "--seed", "1", "--move-time", "5s", "--bot"]);
    arena.write("bot.sh", CHATTY);
    let run = arena.arg("mine=plain -- sh bot.sh").args("--bot random").run();
    for part in [
        "The bot sent trying ",
        "besides its answers it printed on stdout: \"",
        "expected was one of the moves that end the request",
        "likely cause: stdout is for answers alone: every line there is taken for an answer",
    ] {
        assert!(run.stdout.contains(part), "{part:?} is not told\n{}{}", run.stdout, run.stderr);
    }
    assert!(!run.stdout.contains("{\"turn\""), "the bot has never seen JSON\n{}", run.stdout);
}

#[test]
fn a_check_finds_what_is_printed_besides_the_answers() {
    for (script, says) in [(CHATTY, "more was printed than the answer"), (THINKS_ALOUD, "this is no message")] {
        let arena = Arena::new(["check", "--json", "--game", "othello", "--isolation", "none", "--bot"]);
        arena.write("bot.sh", script);
        let run = arena.arg("mine=plain -- sh bot.sh").run();
        let report = run.json();
        let checks = report["checks"].as_array().expect("checks are listed");
        let clean = checks.iter().find(|check| check["name"] == "clean-stdout").expect("it is one of them");
        assert_eq!(clean["status"], "failed", "{clean}");
        assert!(clean["words"].as_str().unwrap_or_default().contains(says), "{clean}");
    }
}

#[test]
fn a_line_without_its_newline_is_told_as_that() {
    let rows = [
        (
            "read l; echo ready; read l; printf c2; read l",
            "timeout",
            "2 bytes of a line without its newline had arrived: c2",
        ),
        ("read l; printf ready; read l", "no_start", "5 bytes of a line without its newline had arrived: ready"),
    ];
    for (script, reason, says) in rows {
        let limits = ["--start-time", "700ms", "--move-time", "700ms"];
        let arena = Arena::new(["match", "othello", "--json", "--quiet"].into_iter().chain(limits));
        arena.write("bot.sh", script);
        let run = arena.arg("--bot").arg("plain -- sh bot.sh").args("--bot random").run();
        at_fault(&run, 0, reason, &[says, "it must end with a newline", "it was asked "]);
        assert!(!run.json()["detail"].as_str().unwrap_or_default().contains("most likely"), "it does flush: {run:#?}");
    }
}

#[test]
fn a_line_that_comes_in_pieces_is_one_answer() {
    let script = "read l; echo ready; read l; printf c; sleep 0.2; echo 2; read l; exit 5\n";
    let run = match_of(script, "othello", 0).run();
    at_fault(&run, 0, "crashed", &["exited with code 5", "turn 2", "it was asked 6 B "]);
}

#[test]
fn the_words_are_shown_with_the_messages() {
    let arena = match_of("read l; echo ready; read l; echo 7,; read l\n", "offset", 0);
    arena.run();
    let run = arena.also_words(&["debug", "m.jsonl", "--messages", "--bot", "mine=plain -- sh bot.sh"]);
    for part in ["in words: offset 0 seed=", "in words: 32 0 ", "as then"] {
        assert!(run.stdout.contains(part), "{part:?} is not shown: {run:#?}");
    }
}
