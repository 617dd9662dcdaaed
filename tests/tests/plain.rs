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
}

#[test]
fn what_a_bot_does_wrong_comes_through() {
    let rows: &[(&str, &str, &str, &[&str])] = &[
        ("offset", "echo ready; read l; echo hello world; read l", "malformed", &["hello world", "is no whole number"]),
        ("offset", "echo ready; read l; echo 1 1 1 1; read l", "illegal", &["[1,1]"]),
        ("offset", "echo ready; read l; echo; read l", "malformed", &["0 numbers came"]),
        ("othello", "echo ready; read l; echo z9; read l", "illegal", &["z9", "legal here"]),
        ("othello", "echo ready; read l; echo I think c2; read l", "illegal", &["I think c2"]),
        ("notipping", "echo ready; read l; echo 99 0; read l", "illegal", &["no block of 99 kg"]),
        ("flip", "echo ready; read l; echo 0 1; read l", "malformed", &["0 1"]),
        ("flip", "echo ready; read l; printf '\\377\\n'; read l", "malformed", &["\u{fffd}"]),
        ("othello", "echo set; read l", "no_start", &["set", "`ready`"]),
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
    assert!(said.contains("plain: passed over, since it came before it was asked for: thinking on"), "{said}");
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
