//! `arena check`: what it finds wrong with every way in which a bot can misbehave, and that it finds nothing wrong with good
//! bots.

use arena::games::{GAMES, bundled_bots};
use arena::play::fitness::{CHECKS, Weight};
use serde_json::Value;
use std::fs;
use std::process::Command;
use std::thread;
use tests::arena::{Arena, Run};
use tests::binaries::{self, repository};
use tests::fixture::WORDS;
use tests::skip::needs;

/// What a word of the fixture comes to: its command line after the word, whether the bot is fit, the check that says what is wrong
/// (with a `-`: nothing is), and words that are told beside it.
type Row = (&'static str, &'static str, bool, &'static str, &'static str);

/// Every word. What is no misbehaviour, or only the bot's own loss, is fit.
const ROWS: &[Row] = &[
    ("good", "", true, "-", ""),
    // Getting ready.
    ("never-ready", "", false, "shakes-hands", "with more time nothing came either"),
    ("late-ready", "2500", false, "ready-in-time", "with more time it is ready after 2"),
    ("ready-twice", "", false, "answers-once", "ready"),
    ("ready-again", "", false, "message-type", "another message than the one that was asked for"),
    ("banner", "", false, "clean-stdout", "*** Fixture 1.0"),
    ("claim-name", "", true, "-", ""),
    ("exit-before-ready", "3", false, "starts", "exited with code 3"),
    ("exit-at-once", "3", false, "starts", "exited with code 3"),
    ("echo-seed", "", true, "-", ""),
    ("describe", "", true, "-", ""),
    ("read-data", "--file no-such-file", false, "starts", "no-such-file"),
    // Answers that count.
    ("crlf", "", true, "-", ""),
    ("bom", "", true, "-", ""),
    ("spaces", "", true, "-", ""),
    ("blank-lines", "20000", false, "small-output", "10000 lines between two requests"),
    ("extra-keys", "", true, "-", ""),
    ("note", "", true, "-", ""),
    ("big-note", "", true, "notes", "20002 bytes"),
    ("padded", "100000", false, "small-output", "a line of over 64 KiB"),
    ("echo-match", "", true, "-", ""),
    ("debug-lines", "", false, "clean-stdout", "thinking about turn 0"),
    ("double-answer", "", false, "answers-once", "answered nothing that was open"),
    ("pre-answer", "", false, "answers-once", "answered nothing that was open"),
    ("earlier-turn", "", false, "answers-once", "answered nothing that was open"),
    ("wrong-match", "", false, "answers-once", "another"),
    ("strict-lf", "", true, "-", ""),
    // Answers that are none.
    ("broken-json", "", false, "valid-json", "let a JSON library write the whole object"),
    ("wrong-type", "", false, "message-type", "hello"),
    ("no-turn", "", false, "echoes-turn", "`turn` is missing"),
    ("text-turn", "", false, "echoes-turn", "write a number without quotes"),
    ("no-move", "", false, "sends-move", "`move` is missing"),
    ("later-turn", "", false, "echoes-turn", "yet to come"),
    ("duplicate-key", "", false, "valid-json", "move"),
    ("bad-utf8", "", false, "utf-8", "UTF-8"),
    ("nul-byte", "", false, "valid-json", "control character"),
    ("utf16", "", false, "utf-8", "UTF-16"),
    ("utf16-bom", "", false, "utf-8", "UTF-16"),
    ("python-dict", "", false, "valid-json", "Python dictionary"),
    ("pretty-json", "", false, "valid-json", "one line"),
    ("trailing-text", "", false, "valid-json", "send nothing else on its line"),
    ("two-in-a-line", "", false, "valid-json", "second object begins on the same line"),
    ("json-array", "", false, "valid-json", "[{"),
    ("bare-move", "", false, "valid-json", "an answer is {"),
    ("empty-object", "", false, "echoes-turn", "`turn` is missing"),
    ("deep-json", "", false, "valid-json", "deep"),
    ("nan", "", false, "valid-json", "NaN"),
    ("infinity", "", false, "valid-json", "Infinity"),
    ("minus-infinity", "", false, "valid-json", "-Infinity"),
    ("1e999", "", false, "valid-json", "1e999"),
    ("number-move", "", false, "move-shape", "arena rules GAME"),
    ("fraction-move", "", false, "move-shape", "1.5"),
    ("huge-number-move", "", false, "move-shape", "12345678901234567890"),
    ("null-move", "", false, "legal-moves", "null is no move"),
    ("illegal-move", "", false, "legal-moves", "legal here"),
    ("off-board", "", false, "legal-moves", "z9"),
    // Time.
    ("silent", "", false, "answers", "with more time nothing came either"),
    ("sleep", "1500", false, "answers-in-time", "with more time it answers turn 0 after 1"),
    ("think", "1500", false, "answers-in-time", "with more time it answers turn 0 after 1"),
    ("stall", "1500", false, "answers-in-time", "with more time it answers turn 18 after 1"),
    ("late-then-ok", "", false, "answers-in-time", "limit"),
    ("knife-edge", "100", false, "answers-in-time", "with more time it answers turn 0 after"),
    ("burn-cpu", "1000", false, "answers-in-time", "limit"),
    ("cpu-limit", "", false, "answers-in-time", "running"),
    ("spin-in-rivals-turn", "", true, "own-turn", "it gains nothing"),
    ("spin-threads", "1", true, "own-turn", "it gains nothing"),
    ("spin-after-eof", "", false, "ends-after-end", "end of file"),
    ("renice", "", true, "priority", "changed its own priority"),
    ("sched-idle", "", true, "priority", "changed its own priority"),
    // Streams.
    ("no-flush", "", false, "flushes", "flush stdout after every line"),
    ("half-line", "", false, "ends-lines", "end every line with a newline"),
    ("half-line-exit", "", false, "stays-up", "exited with code 0"),
    ("torn-line-exit", "", false, "stays-up", "bytes of a line without its newline"),
    ("endless-line", "", false, "small-output", "a line of over 64 KiB"),
    ("endless-lines", "", false, "small-output", "between two requests"),
    ("stray-flood", "", false, "small-output", "between two requests"),
    ("stray-many", "20000", false, "small-output", "10000 lines between two requests"),
    ("write-1mb-before-read", "", false, "clean-stdout", "stray..."),
    ("never-read", "", false, "answers", "with more time nothing came either"),
    ("answer-unread", "", false, "answers-once", "answered nothing that was open"),
    ("read-two-lines", "", false, "reads-lines", "more than one line for each message"),
    ("expect-greeting", "", false, "reads-lines", "none comes before `start`"),
    ("stderr-flood", "", true, "stderr-volume", "MiB on stderr"),
    ("stderr-bad-utf8", "", true, "-", ""),
    ("close-stdout", "", false, "keeps-streams", "closed its stdout"),
    ("close-stdin", "", false, "answers", "with more time nothing came either"),
    ("close-both", "", false, "keeps-streams", "closed its stdout"),
    ("close-stderr", "", true, "-", ""),
    ("close-stdin-exit", "", false, "stays-up", "exited with code 0"),
    // Ends.
    ("exit", "3", false, "stays-up", "exited with code 3"),
    ("exit-after-answer", "3", false, "stays-up", "exited with code 3"),
    ("signal", "11", false, "stays-up", "SIGSEGV"),
    ("panic-with-trace", "", false, "stays-up", "ValueError: the fixture fell over"),
    ("stderr-no-newline-then-crash", "", false, "stays-up", "the last words"),
    ("stop-self", "", false, "answers", "the process was stopped"),
    ("stop-parent", "", false, "ends-after-end", "had to be killed"),
    // Children and resources.
    ("daemon", "--life 20", false, "leaves-nothing", "end what you start"),
    ("helper-child", "", false, "leaves-nothing", "end what you start"),
    ("helper-child-exit", "", false, "stays-up", "exited with code 0"),
    ("ignore-eof", "", false, "ends-at-eof", "leave the reading loop at end of file"),
    ("fork-many", "20", false, "leaves-nothing", "20 processes"),
    ("allocate", "90", false, "within-limits", "memory: 64 MiB"),
    ("file-size", "--file big", false, "within-limits", "file size: 1 MiB"),
    // Several matches with one process.
    ("reuse", "", true, "-", ""),
    ("reuse-dirty", "--reuse", false, "reuse-quiet", "say nothing after `end`"),
    ("reuse-crash-between", "--reuse", false, "reuse-quiet", "wait for the next `start`"),
    ("reuse-deaf", "--reuse", false, "reuse", "which it does in no other match"),
];

/// What these do to the arena, and when it is noticed, is chance or takes too long: other tests have them.
const ELSEWHERE: [&str; 2] = ["kill-parent", "stop-arena"];

/// Rows at a time: most of them wait for somebody who does not answer.
const WORKERS: usize = 5;

#[test]
fn every_misbehaviour_is_found_and_its_cause_is_named() {
    for word in WORDS {
        let has_row = ROWS.iter().any(|(name, ..)| *name == word.name) || ELSEWHERE.contains(&word.name);
        assert!(has_row, "{} has no row", word.name);
    }
    let faults: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS)
            .map(|worker| {
                scope.spawn(move || ROWS.iter().skip(worker).step_by(WORKERS).filter_map(try_row).collect::<Vec<_>>())
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a row that fails is told")).collect()
    });
    assert!(faults.is_empty(), "{} words are not found as they should be:\n\n{}", faults.len(), faults.join("\n\n"));
}

/// What is wrong with what the check made of a word, if anything is.
fn try_row((word, rest, fit, check, says): &Row) -> Option<String> {
    let arena = check_of_fixture(&format!("{word} {rest}"), "--game othello --isolation none --json").args(
        "--move-time 500ms --start-time 2s --stop-time 300ms --keep kept --limit memory=64MiB --limit files=1MiB",
    );
    let run = arena.run();
    let Some(report) = run.try_json() else { return Some(format!("{word}: {run:#?}")) };
    let named = |finding: &&Value| ["failed", "warning"].contains(&finding["status"].as_str().unwrap_or_default());
    let findings: Vec<&Value> = report["checks"].as_array().expect("checks are listed").iter().filter(named).collect();
    let found = match *check {
        "-" => findings.iter().all(|finding| finding["name"] == "thinking-time"),
        check => {
            findings.iter().any(|finding| finding["name"] == check && finding.to_string().contains(&escaped(says)))
        }
    };
    let status = i32::from(!fit);
    let left = arena.no_process_left();
    if report["fit"] == *fit && run.code == Some(status) && found && left.is_ok() {
        return None;
    }
    let brief: Vec<String> = findings
        .iter()
        .map(|finding| format!("{}: {} {}", finding["name"], finding["words"], finding["fault"]))
        .collect();
    Some(format!(
        "{word}: status {:?}, wanted {check} with {says:?}, left {left:?}; found\n  {}",
        run.code,
        brief.join("\n  ")
    ))
}

/// A text as it stands in JSON.
fn escaped(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_string()
}

fn check_of_fixture(word: &str, rest: &str) -> Arena {
    Arena::new(["check"]).fixture("mine", word).args(rest)
}

fn check(words: &[&str]) -> Run {
    Arena::new(["check"].iter().chain(words).copied()).run()
}

#[test]
fn bundled_bots_are_fit_for_the_games_they_play() {
    for bot in bundled_bots() {
        if ["notipping-bridge", "plain"].contains(&bot) {
            // They wait for somebody else's client, or speak for another bot.
            continue;
        }
        let run = check(&["--bot", bot, "--json"]);
        let report = run.json();
        let games: Vec<&str> =
            report["games"].as_object().expect("games are told").keys().map(String::as_str).collect();
        let plays: Vec<&str> =
            GAMES.iter().map(|game| game.info()).filter(|info| info.bots.contains(&bot)).map(|info| info.id).collect();
        assert_eq!((run.code, report["fit"].as_bool(), games), (Some(0), Some(true), plays), "{bot}: {}", run.stderr);
    }
}

#[test]
fn the_examples_are_fit_confined_as_in_a_cup_or_as_near_as_this_machine_comes() {
    if !needs("python3") {
        return;
    }
    for game in GAMES {
        let id = game.info().id;
        let file = repository().join(format!("examples/{id}.py"));
        let run = check(&["--bot", &format!("python3 {}", file.display()), "--json"]);
        let report = run.json();
        assert_eq!((run.code, &report["games"][id]), (Some(0), &Value::from(true)), "{id}: {run:#?}");
        let others = report["not_played"].as_object().expect("the other games are told").len();
        assert_eq!(others + report["games"].as_object().map_or(0, |games| games.len()), GAMES.len(), "{report}");
        let isolation = status(&report, "isolation");
        assert!(["passed", "warning"].contains(&isolation), "{id}: {isolation}");
    }
}

fn status<'a>(report: &'a Value, name: &str) -> &'a str {
    let checks = report["checks"].as_array().expect("checks are listed");
    let found = checks.iter().find(|check| check["name"] == name).expect("there is such a check");
    found["status"].as_str().expect("a status is a word")
}

#[test]
fn there_are_forty_checks_and_more_each_with_its_name_and_time() {
    let run = check(&["--bot", "paper", "--json"]);
    let report = run.json();
    let checks = report["checks"].as_array().expect("checks are listed");
    assert!(checks.len() >= 40, "{}", checks.len());
    assert!(checks.iter().all(|check| check["name"].is_string() && check["ms"].is_u64() && check["what"].is_string()));
    assert_eq!(status(&report, "passes"), "passed", "positions after forced passes come up");
    assert!(run.stderr.starts_with("FIT for othello: paper"), "people are told on stderr: {}", run.stderr);
}

#[test]
fn every_check_stands_on_its_page_with_its_weight() {
    let page = fs::read_to_string(repository().join("arena/docs/check.md")).expect("the page is there");
    for check in CHECKS {
        let weight = match check.weight {
            Weight::Required => "required",
            Weight::Advised => "advised",
            Weight::Reported => "told",
        };
        let row = format!("| `{}` | {weight} | {} |", check.name, check.what);
        assert!(page.contains(&row), "arena/docs/check.md lacks the row {row}");
    }
}

#[test]
fn the_verdict_comes_first_and_what_to_do_below_it() {
    let run = check_of_fixture("no-turn --at 3", "--game othello --isolation none --keep kept").run();
    assert_eq!(run.code, Some(1));
    let text = &run.stdout;
    assert!(text.starts_with("NOT FIT: mine\n"), "{text}");
    for part in [
        "\nFAILED echoes-turn (wanted: it repeats the number of the request)\n",
        "what happened: `turn` is missing",
        "likely cause: the bot counts turns by itself",
        "to ask it the same again: ",
        "to play it again: ",
    ] {
        assert!(text.contains(part), "{part:?} is not told:\n{text}");
    }
}

#[test]
fn warnings_stand_above_the_list_and_the_time_of_all_matches_is_not_repeated_in_it() {
    let run = check_of_fixture("big-note", "--game othello --isolation none").run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    let (above, list) = run.stdout.split_once("\nAll checks").expect("the checks are listed");
    let warning = "\nWARNING notes (wanted: it sends no note that is too long to be kept)\n  in match othello/";
    assert!(above.starts_with("FIT ") && above.contains(warning), "{}", run.stdout);
    let has_time = |name: &str| {
        let row = list.lines().find(|line| line.split_whitespace().nth(1) == Some(name)).expect("it has a row");
        row.ends_with(" ms)")
    };
    for (name, own) in
        [("valid-json", false), ("ends-after-end", false), ("in-pieces", true), ("othello/usual/0", true)]
    {
        assert_eq!(has_time(name), own, "{name}: {list}");
    }
}

/// A bot that plays Flip, with lines of Python that see each `line` first.
fn check_of_flip(lines: &str) -> Run {
    let arena = Arena::new("check --bot mine --game flip --isolation none --keep kept".split(' '));
    let text = fs::read_to_string(repository().join("examples/flip.py")).expect("it is there");
    let text = text.replacen("for line in sys.stdin:\n", &format!("import os\nfor line in sys.stdin:\n{lines}"), 1);
    arena.write("mine/bot.py", text);
    arena.write("mine/bot.toml", "run = [\"python3\", \"bot.py\"]\n");
    arena.run()
}

#[test]
fn long_requests_fails_only_for_what_only_long_requests_fail() {
    if !needs("python3") {
        return;
    }
    let dies = check_of_flip("    if len(line) > 13000:\n        os.kill(os.getpid(), 11)\n");
    for part in [
        "\nFAILED long-requests ",
        " characters; the longest that it answers has ",
        "\n  the request before that: it had 1",
    ] {
        assert!(dies.code == Some(1) && dies.stdout.contains(part), "{part:?}: {dies:#?}");
    }
    let lines = "    if len(line) > 13000 and line.startswith('{\"type\":\"turn\",\"turn\":0,'):\n        print('{\"turn\":0,\"move\":[7]}', flush=True)\n        continue\n";
    let wrong = check_of_flip(lines);
    for part in ["\nFAILED move-shape ", "not judged: it fails in flip/", "but answers requests that are as long"] {
        assert!(wrong.code == Some(1) && wrong.stdout.contains(part), "{part:?}: {wrong:#?}");
    }
    assert!(!wrong.stdout.contains("FAILED long-requests"), "{wrong:#?}");
}

#[test]
fn of_a_bot_that_reads_words_the_length_of_the_deadly_line_is_told_in_words() {
    let arena = Arena::new("check --bot mine --game notipping --isolation none --keep kept".split(' '));
    arena.write("mine/bot.toml", "run = [\"plain\", \"--\", \"sh\", \"bot.sh\"]\n");
    arena
        .write("mine/bot.sh", "read -r first; echo ready; read -r line; echo \"${#line} in all\" >&2; kill -SEGV $$\n");
    let run = arena.run();
    let told = |after: &str| run.stdout.split(after).nth(1).and_then(|rest| rest.split_whitespace().next());
    let said = run.stdout.lines().find_map(|line| line.trim().strip_suffix(" in all"));
    let said = said.and_then(|line| line.split_whitespace().last());
    assert!(said.is_some() && told("the request before that: it had ") == said, "{run:#?}");
    assert!(run.stdout.contains(" characters, in words\n"), "{run:#?}");
}

#[test]
fn of_a_bot_that_reads_words_what_was_awaited_is_told_in_words_in_every_match() {
    for oddity in ["no-limits", "unknown-keys"] {
        let check =
            format!("check --bot mine --game notipping --isolation none --only notipping/{oddity} --move-time 200ms");
        let arena = Arena::new(check.split(' '));
        arena.write("mine/bot.toml", "run = [\"plain\", \"--\", \"sh\", \"bot.sh\"]\n");
        arena.write("mine/bot.sh", "read -r first; echo ready; read -r line; read -r line\n");
        let run = arena.run();
        for part in ["no answer to turn 0", "; it was asked ", " (`arena rules notipping --plain`)"] {
            assert!(run.stdout.contains(part), "{oddity}, {part:?}: {run:#?}");
        }
        assert!(!run.stdout.contains("\"turn\":"), "{oddity}: {run:#?}");
    }
}

#[test]
fn a_person_is_named_only_where_one_can_play() {
    for (command, named) in [("match", true), ("check", false), ("debug", false), ("compare", false), ("serve", false)]
    {
        let help = Arena::new([command, "--help"]).run().stdout;
        let bot = help.split("\n      --bot <BOT>").nth(1).expect("it has the flag");
        let bot = bot.split("\n      --").next().expect("a split has a first part");
        assert_eq!(bot.contains("`human`"), named, "{command}: {bot}");
    }
}

#[test]
fn the_commands_that_are_shown_show_the_mistake_again() {
    let arena = check_of_fixture("broken-json --at 2", "--game othello --isolation none --keep kept");
    let run = arena.run();
    for label in ["to ask it the same again: ", "to play it again: "] {
        let command = run.stdout.lines().find_map(|line| line.trim_start().strip_prefix(label)).expect("it is shown");
        let again = Command::new("sh").args(["-c", command]).output().expect("there is a shell");
        let again = String::from_utf8_lossy(&again.stdout).into_owned();
        assert!(again.contains("malformed"), "{command}: {again}");
    }
}

#[test]
fn games_are_found_out_unless_they_are_named() {
    // It plays where the legal moves are listed in every request, and only there.
    let found = check_of_fixture("good", "--isolation none --json").run();
    let report = found.json();
    assert_eq!((found.code, report["games"].to_string().as_str()), (Some(0), r#"{"othello":true}"#), "{found:#?}");
    assert!(report["not_played"]["flip"].as_str().is_some_and(|why| why.contains("malformed")), "{report}");
    let named = check_of_fixture("good", "--isolation none --game othello --game offset --keep kept --json").run();
    let report = named.json();
    assert_eq!((named.code, &report["fit"]), (Some(1), &Value::from(false)), "all that are named have to hold");
    assert_eq!((&report["games"]["othello"], &report["games"]["offset"]), (&Value::from(true), &Value::from(false)));
    let hinted = check_of_fixture("good", "--isolation none --game offset --hints").run();
    assert_eq!(hinted.code, Some(0), "{hinted:#?}");
}

#[test]
fn what_bot_toml_lists_has_to_hold_and_nothing_else() {
    let words = vec![binaries::fixture().display().to_string(), "good".to_string()];
    for (games, code) in [("[\"othello\"]", 0), ("[\"othello\", \"flip\"]", 1)] {
        let arena = Arena::new(["check", "--bot", "bot", "--isolation", "none", "--keep", "kept"]);
        arena.write("bot/bot.toml", format!("run = {}\ngames = {games}\n", Value::from(words.clone())));
        let run = arena.run();
        assert_eq!(run.code, Some(code), "{run:#?}");
        assert!(!run.stdout.contains("does not play"), "other games are not tried: {}", run.stdout);
        let other = arena.also("check --bot bot --isolation none --game offset");
        assert_eq!(other.code, Some(1), "{other:#?}");
        assert!(other.stdout.contains("bot.toml lists othello"), "{other:#?}");
    }
}

#[test]
fn a_bot_that_is_not_there_is_status_two() {
    for (words, says) in [
        (&["--bot", "./nowhere"][..], "nowhere"),
        (&["--bot", "human"], "a person is not checked"),
        (&["--bot", "paper", "--game", "chess"], "chess"),
        (&["--bot", "paper", "--only", "othello/nowhere"], "othello/usual/0"),
    ] {
        let run = check(words);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{words:?}: {run:#?}");
        assert!(run.stderr.contains(says), "{words:?}: {}", run.stderr);
    }
}

#[test]
fn what_a_bot_trips_over_alone_is_named_alone() {
    if !needs("python3") {
        return;
    }
    let start = "import json, os, sys\ndef say(answer): print(json.dumps(answer), flush=True)\n";
    let turn = "    if m['type'] == 'turn': say({'turn': m['turn'], 'move': m['legal'][0]})\n";
    let ready = "    if m['type'] == 'start': say({'type': 'ready'})\n";
    let read = "for line in sys.stdin:\n    m = json.loads(line)\n";
    let bots = [
        ("unknown-keys", format!("{start}{read}    assert 'new_key' not in m\n{ready}{turn}")),
        ("no-limits", format!("{start}{read}{ready}    if m['type'] == 'turn': m['clock']['limit_ms'] / 2\n{turn}")),
        (
            "bank",
            format!("{start}{read}{ready}    if m['type'] == 'turn': assert m['clock']['left_ms'] is None\n{turn}"),
        ),
        (
            "in-pieces",
            format!(
                "{start}while True:\n    line = os.read(0, 1 << 20)\n    if not line: break\n    m = json.loads(line)\n{ready}{turn}"
            ),
        ),
    ];
    for (name, text) in bots {
        let arena =
            Arena::new(["check", "--bot", "python3 bot.py", "--game", "othello", "--isolation", "none", "--json"])
                .args("--keep kept");
        arena.write("bot.py", text);
        let run = arena.run();
        let report = run.json();
        assert_eq!((run.code, status(&report, name)), (Some(1), "failed"), "{name}: {}", run.stderr);
        let others = ["unknown-keys", "no-limits", "bank", "in-pieces"].into_iter().filter(|other| *other != name);
        for other in others {
            assert_eq!(status(&report, other), "passed", "{name}, {other}: {}", run.stderr);
        }
    }
}

#[test]
fn what_only_confinement_forbids_is_told_as_that() {
    if !needs("python3") {
        return;
    }
    let arena = Arena::new(["check", "--bot", "bot", "--game", "othello", "--json", "--keep", "kept"]);
    let outside = arena.write("outside/data.txt", "7");
    let bot = fs::read_to_string(repository().join("examples/othello.py")).expect("it is there");
    let bot = bot.replacen("import json", &format!("import json\nopen({:?}).read()", outside.display().to_string()), 1);
    arena.write("bot/bot.py", bot);
    arena.write("bot/bot.toml", "run = [\"python3\", \"bot.py\"]\n");
    let run = arena.run();
    let report = run.json();
    assert_eq!((run.code, status(&report, "isolation")), (Some(1), "failed"), "{run:#?}");
    assert_eq!(arena.also("check --bot bot --game othello --isolation none").code, Some(0));
}
