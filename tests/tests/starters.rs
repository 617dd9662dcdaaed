//! `arena new`: in each language whose tools are here, the bot is built, plays whole matches in every game without a fault, and
//! can be entered in cups.

use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use tests::arena::{Arena, Run};
use tests::binaries::{self, repository};
use tests::skip::{needs, needs_that};

/// Each language, and the programs that its bots need besides the arena.
const LANGUAGES: [(&str, &[&str]); 9] = [
    ("python", &["python3"]),
    ("javascript", &["node"]),
    ("typescript", &["node", "tsc"]),
    ("c", &["gcc"]),
    ("cpp", &["g++"]),
    ("java", &["javac", "jar", "java"]),
    ("go", &["go"]),
    ("rust", &["cargo"]),
    ("shell", &["awk"]),
];

/// The games, with parameters that keep a match short, and openings where there are some: hands and boards are not the
/// usual ones then.
const GAMES: [(&str, &str); 5] = [
    ("othello", "--param size=8 --param opening=4"),
    ("othello", "--param size=10"),
    ("offset", "--param size=12 --param opening=4"),
    ("notipping", "--param opening=4"),
    ("flip", "--param n=3"),
];

/// A folder with the starter of a language in `mine`.
fn started(language: &str, more: &str) -> Arena {
    let arena = Arena::new(["new", language, "mine"]).args(more);
    let run = arena.run();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:#?}");
    arena
}

fn has_tools(tools: &[&str]) -> bool {
    tools.iter().all(|tool| needs(tool))
}

/// Plays a match in this seat; it has to end by the rules of the game.
fn plays(arena: &Arena, game: &str, params: &str, seat: usize) {
    let mut bots = ["./mine", "random"];
    bots.swap(0, seat);
    let name = format!("{game}-{seat}-{}.jsonl", params.replace(' ', ""));
    let words =
        format!("--start-time 60s --move-time 20s --seed 7 --transcript {name} --bot {} --bot {}", bots[0], bots[1]);
    let run = arena.also(&format!("match {game} {params} --json --quiet {words}"));
    let result = run.json();
    assert_eq!((run.code, &result["at_fault"]), (Some(0), &Value::Null), "{game} {params}: {run:#?}");
    assert!(["finished", "turn_limit"].contains(&result["reason"].as_str().unwrap_or_default()), "{run:#?}");
    assert!(result["invalid"].is_null() || result["invalid"][seat] == 0, "an invalid flip: {result}");
    assert_eq!(arena.also(&format!("verify {name}")).code, Some(0), "{name}");
}

/// Tests of one language, side by side with those of the others.
macro_rules! languages {
    ($($language:ident),*) => {$(
        mod $language {
            #[test]
            fn plays_every_game_in_both_seats() {
                super::plays_every_game(stringify!($language));
            }

            #[test]
            fn plays_one_game_and_no_other() {
                super::plays_one_game(stringify!($language));
            }
        }
    )*};
}

languages!(python, javascript, typescript, c, cpp, java, go, rust, shell);

fn tools(language: &str) -> &'static [&'static str] {
    LANGUAGES.iter().find(|(id, _)| *id == language).expect("each language is listed").1
}

fn plays_every_game(language: &str) {
    if !has_tools(tools(language)) {
        return;
    }
    let arena = started(language, "");
    for (game, params) in GAMES {
        for seat in [0, 1] {
            plays(&arena, game, params, seat);
        }
    }
}

fn plays_one_game(language: &str) {
    if !has_tools(tools(language)) {
        return;
    }
    let arena = started(language, "--game flip");
    plays(&arena, "flip", "--param n=1", 0);
    let run = arena.also("match othello --bot ./mine --bot random");
    assert_eq!(run.code, Some(2), "{run:#?}");
    assert!(run.stderr.contains("mine does not play othello: its bot.toml lists flip"), "{run:#?}");
}

/// What each language's function for Othello is made to print, as its first thing, to show what it sees: the line that it begins with,
/// and the line that prints.
const SEES: [(&str, &str, &str, &str); 9] = [
    (
        "python",
        "othello.py",
        "def choose(request):",
        "    import sys; print('sees', request['seat'], request['seed'], request['clock']['limit_ms'], file=sys.stderr)",
    ),
    (
        "javascript",
        "othello.mjs",
        "export function choose(request) {",
        "console.error('sees', request.seat, request.seed, request.clock.limit_ms);",
    ),
    (
        "typescript",
        "othello.ts",
        "export function choose(request: { state: State; seat: number; legal: string[] }): string {",
        "const r = request as any; console.error('sees', r.seat, r.seed, r.clock.limit_ms);",
    ),
    (
        "c",
        "othello.h",
        "static void choose_othello(char **words, int count, char *answer)\n{",
        "fprintf(stderr, \"sees %d %lld %lld\\n\", start.seat, start.seed, start.move_ms);",
    ),
    (
        "cpp",
        "othello.hpp",
        "inline std::string choose(const std::vector<std::string>& words) {",
        "std::cerr << \"sees \" << start.seat << ' ' << start.seed << ' ' << start.move_ms << '\\n';",
    ),
    (
        "java",
        "Othello.java",
        "static String choose(String[] words) {",
        "System.err.println(\"sees \" + Bot.seat + \" \" + Bot.seed + \" \" + Bot.moveMs);",
    ),
    (
        "go",
        "othello.go",
        "func chooseOthello(request Request) any {",
        "println(\"sees\", request.Seat, request.Seed, *request.Clock.LimitMs)",
    ),
    (
        "rust",
        "src/othello.rs",
        "pub fn choose(words: &[&str]) -> String {",
        "let s = crate::start(); eprintln!(\"sees {} {} {}\", s.seat, s.seed, s.move_ms.unwrap());",
    ),
    ("shell", "othello.sh", "choose() {", "echo \"sees $seat $seed $move_ms\" >&2"),
];

/// What the bot in seat 1 wrote on stderr first, of what it sees.
fn sees(arena: &Arena, bot: &str) -> String {
    let words =
        format!("match othello --seed 7 --quiet --json --start-time 60s --move-time 21s --bot random --bot {bot}");
    let run = arena.also(&format!("{words} --transcript {}.jsonl", bot.trim_start_matches("./")));
    assert_eq!((run.code, &run.json()["reason"]), (Some(0), &json!("finished")), "{bot}: {run:#?}");
    let lines = arena.transcript(&format!("{}.jsonl", bot.trim_start_matches("./")));
    let logs = lines.iter().filter(|line| line["type"] == "stderr").filter_map(|line| line["text"].as_str());
    let seen = logs.flat_map(str::lines).find(|line| line.starts_with("sees "));
    seen.unwrap_or_else(|| panic!("{bot} does not say what it sees: {run:#?}")).to_string()
}

#[test]
fn each_function_sees_seat_seed_and_limit_and_the_readme_says_where() {
    let teller =
        "read -r first; echo \"sees $first\" >&2; echo ready; while read -r line; do echo \"${line##* }\"; done\n";
    let arena = Arena::new(["games"]);
    arena.write("teller/bot.toml", "run = [\"plain\", \"--\", \"sh\", \"teller.sh\"]\n");
    arena.write("teller/teller.sh", teller);
    let first = sees(&arena, "./teller");
    let seed = first.split(' ').find_map(|word| word.strip_prefix("seed=")).expect("the seed is told");
    assert!(first.starts_with("sees othello 1 ") && first.contains(" move_ms=21000 "), "{first}");
    for (language, file, begins, prints) in SEES {
        if !has_tools(tools(language)) {
            continue;
        }
        let arena = started(language, "--game othello");
        let path = format!("mine/{file}");
        let text = fs::read_to_string(arena.path(&path)).expect("it was made");
        assert_eq!(text.matches(begins).count(), 1, "{language}: {text}");
        arena.write(&path, text.replacen(begins, &format!("{begins}\n{prints}"), 1));
        assert_eq!(sees(&arena, "./mine"), format!("sees 1 {seed} 21000"), "{language}");
        let readme = fs::read_to_string(arena.path("mine/README.md")).expect("it was made");
        assert!(
            readme.contains("Seat, seed and the limit on a move in milliseconds, as the function sees them: `"),
            "{readme}"
        );
    }
}

#[test]
fn every_language_is_tried() {
    let help = Arena::new(["new", "--help"]).run().stdout;
    for (language, _) in LANGUAGES {
        assert!(help.contains(language), "{language} is not in the help: {help}");
    }
    let run = Arena::new(["new", "cobol", "mine"]).run();
    let listed = run.stderr.split("The languages are ").nth(1).unwrap_or_default();
    let listed: Vec<&str> = listed.split(';').next().unwrap_or_default().split(", ").collect();
    assert_eq!(listed, LANGUAGES.map(|(language, _)| language), "{}", run.stderr);
}

#[test]
fn a_starter_is_entered_in_a_cup_that_goes_on() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let arena = started("c", "");
    let run = |pairs: u32| {
        let words = "--param opening=4 --bot ./mine --bot random --out cup";
        arena.also(&format!("tournament run --game othello --pairs {pairs} {words}"))
    };
    for pairs in [1, 2] {
        let run = run(pairs);
        assert_eq!(run.code, Some(0), "{run:#?}");
        let rows = fs::read_to_string(arena.path("cup/matches.csv")).expect("the cup has rows");
        assert_eq!(rows.lines().count(), 1 + 2 * pairs as usize, "{rows}");
        assert_eq!(rows.matches(",finished,").count(), 2 * pairs as usize, "{rows}");
    }
    let verified = arena.also("verify cup");
    assert_eq!(verified.code, Some(0), "{verified:#?}");
}

#[test]
fn a_starter_says_what_to_do_next_and_has_a_short_readme() {
    let arena = Arena::new(["new", "c++", "bots/my bot", "--game", "othello"]);
    let run = arena.run();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:#?}");
    for part in [
        "'bots/my bot' is a bot in C++ that plays othello",
        "choose in 'bots/my bot/othello.hpp'",
        "cd 'bots/my bot' && g++ ",
        "arena match othello --bot './bots/my bot' --bot random",
    ] {
        assert!(run.stdout.contains(part), "{part:?} is not told: {}", run.stdout);
    }
    let read = |name: &str| fs::read_to_string(arena.path(&format!("bots/my bot/{name}"))).expect(name);
    assert!(read("bot.toml").starts_with("name = \"my-bot\"\nbuild = [\"g++\","), "{}", read("bot.toml"));
    assert!(read("bot.toml").contains("run = [\"plain\", \"--\", \"./bot\"]\ngames = [\"othello\"]\n"));
    let readme = read("README.md");
    assert!((16..=26).contains(&readme.lines().count()) && !readme.contains('@'), "{readme}");
    for (language, _) in LANGUAGES {
        let arena = started(language, "");
        for entry in fs::read_dir(arena.path("mine")).expect("it was made") {
            let path = entry.expect("it can be read").path();
            let left = ["@game@", "@Game@", "@name@"];
            let text = fs::read_to_string(&path).unwrap_or_default();
            assert!(!left.iter().any(|word| text.contains(word)), "{language}: {}", path.display());
        }
    }
}

#[test]
fn a_starter_is_written_whole_or_not_at_all_and_then_once_more() {
    // A file may not be longer than this: the system ends the arena at the first byte beyond it, in the middle of its work.
    for (dir, blocks) in [("mine", 0), ("deep/in/the/tree", 1), ("there", 1)] {
        let arena = Arena::new(["new", "python", dir]);
        if dir == "there" {
            fs::create_dir(arena.path(dir)).expect("the private folder is writable");
        }
        let line = format!("ulimit -f {blocks}; exec \"$1\" new python {dir}");
        let mut command = Command::new("sh");
        command.args(["-c", &line, "sh"]).arg(binaries::arena()).current_dir(arena.folder());
        let status = command.status().expect("there is a shell");
        assert!(!status.success(), "{dir}: {status:?}");
        let is_seen = |entry: &fs::DirEntry| !entry.file_name().to_string_lossy().starts_with('.');
        let place = if dir == "there" { arena.path(dir) } else { arena.folder().to_path_buf() };
        let seen = fs::read_dir(place).expect("it is there").flatten().filter(is_seen).count();
        assert_eq!(seen, 0, "{dir}: half a folder is left");
        let run = arena.run();
        assert_eq!(run.code, Some(0), "{dir}: {run:#?}");
        assert!(arena.path(dir).join("bot.toml").is_file(), "{dir}");
    }
}

#[test]
fn a_name_with_escape_sequences_is_shown_harmless() {
    for name in ["a\u{1b}[2Jb", "a\rb", "a\u{202e}b"] {
        let run = Arena::new(["new", "python", name]).run();
        let said = run.stdout + &run.stderr;
        assert!(!said.contains(['\u{1b}', '\r', '\u{202e}']) && said.contains("\\u{"), "{name:?}: {said:?}");
    }
}

#[test]
fn nothing_is_written_over() {
    let arena = Arena::new(["new", "python", "mine"]);
    let refused = |run: Run, says: &str| {
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:#?}");
        assert!(run.stderr.contains(says), "{says:?} is not told: {}", run.stderr);
    };
    arena.write("mine/bot.py", "precious");
    refused(arena.run(), "the folder mine is not empty, and nothing in it is written over");
    assert_eq!(fs::read(arena.path("mine/bot.py")).expect("it is there"), b"precious");
    assert_eq!(fs::read_dir(arena.path("mine")).expect("it is there").count(), 1);
    refused(arena.also("new python mine/bot.py"), "is there already, and is no folder");
    refused(arena.also("new python mine/bot.py/sub"), "is no folder");
    symlink("gone", arena.path("link")).expect("a link can be made");
    refused(arena.also("new python link"), "is there already");
    refused(arena.also("new pyton other"), "did you mean `python`?");
    refused(arena.also("new python other --game otello"), "did you mean `othello`?");
    assert!(!arena.path("other").exists(), "a mistake in the command makes no folder");
    fs::create_dir(arena.path("empty")).expect("the folder is writable");
    assert_eq!(arena.also("new python empty").code, Some(0));
    assert_eq!(arena.also("new python paper").code, Some(0));
    let named = arena.also("new python draw");
    assert!(named.stdout.contains("--bot ./draw "), "{named:#?}");
    assert!(!fs::read_to_string(arena.path("draw/bot.toml")).expect("it was made").contains("\"draw\""));
}

#[test]
fn the_bot_with_a_json_library_of_the_system_plays() {
    let page = fs::read_to_string(repository().join("arena/docs/starters.md")).expect("the page is there");
    let (_, code) = page.split_once("```c\n").expect("the page shows a bot in C");
    let (code, _) = code.split_once("```").expect("the block is closed");
    if !has_tools(&["gcc"]) {
        return;
    }
    let arena = Arena::new("match othello --json --quiet --bot ./json --bot random".split(' '));
    let source = arena.write("json.c", code);
    let has_library = |name: &str| {
        let probe = arena.write("probe.c", format!("#include <{name}>\nint main(void) {{ return 0; }}\n"));
        let probed = Command::new("gcc").arg("-o").arg(arena.path("probe")).arg(probe).arg("-ljansson").output();
        probed.is_ok_and(|output| output.status.success())
    };
    if !needs_that("jansson", has_library("jansson.h")) {
        return;
    }
    let built = Command::new("gcc")
        .args(["-O2", "-Wall", "-Werror", "-o"])
        .arg(arena.path("json"))
        .arg(source)
        .arg("-ljansson")
        .output();
    let built = built.expect("gcc can be started");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let run = arena.run();
    assert_eq!((run.code, &run.json()["reason"]), (Some(0), &json!("finished")), "{run:#?}");
}
