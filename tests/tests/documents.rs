//! The pages that people read: what they say is tried. Commands run, links lead somewhere, examples are what the arena
//! accepts, and lists of flags, keys and reasons are complete.
//!
//! How well a page reads is for people to judge.

use arena::config::{Broken, cup_from_text};
use arena::games::{GAMES, bundled_bots};
use arena::protocol::{self, Expect, Heard};
use arena::record::rows;
use arena::tournament::formats::FORMATS;
use arena::tournament::{crosstable, grades, standings};
use arena::verdict::Reason;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tests::arena::{Arena, Run};
use tests::binaries::{self, repository};
use tests::skip::needs;
use tests::traffic;
use wait_timeout::ChildExt;

const README: &str = "README.md";
const BOTS: &str = "bots/README.md";
const PROTOCOL: &str = "arena/docs/protocol.md";
const TRANSCRIPTS: &str = "arena/docs/transcripts.md";
const ARCHITECTURE: &str = "arena/ARCHITECTURE.md";
const COMMAND_LINE: &str = "arena/docs/command-line.md";
const CUPS: &str = "arena/docs/cups.md";
const RESULTS: &str = "results/README.md";

/// Subcommands that wait for somebody: their flags are read, and they are not run.
const WAITING: &[&str] = &["notipping-server", "notipping-client", "notipping-bridge", "serve"];

/// How the README makes its bot fail: what to replace, by what. It shows the screen of each in a block of its own.
const FAILURES: [(&str, &str); 3] =
    [("return legal[0]", "return \"a1\""), ("return legal[0]", "return legal[99]"), (", flush=True", "")];

#[test]
fn the_bot_in_the_readme_plays_a_whole_match() {
    if !needs("python3") {
        return;
    }
    let bot = readme_bot();
    assert!(bot.lines().count() < 30, "a bot in a minute is a short one");
    for seats in [["mine.py", "greedy"], ["greedy", "mine.py"]] {
        let seats = seats.map(|bot| if bot == "mine.py" { "python3 mine.py" } else { bot });
        let match_ = Arena::new(["match", "othello", "--json", "--seed", "1", "--bot", seats[0], "--bot", seats[1]]);
        match_.write("mine.py", &bot);
        let run = match_.run();
        assert_eq!((run.code, run.json()["reason"].as_str()), (Some(0), Some("finished")), "{run:?}");
    }
}

#[test]
fn the_bot_in_the_readme_fails_as_it_is_told_there() {
    if !needs("python3") {
        return;
    }
    let (bot, page) = (readme_bot(), read(README));
    let shown = fences(section(&page, "## Make it fail, and see why"), &["text"]);
    assert_eq!(shown.len(), FAILURES.len(), "each failure is shown, and only those");
    for ((from, to), screen) in FAILURES.iter().zip(shown) {
        assert!(page.contains(&format!("`{from}`")) && (to.is_empty() || page.contains(&format!("`{to}`"))), "{to}");
        let run = play_python(&bot.replace(from, to));
        for line in screen.lines() {
            assert!(run.stdout.contains(line), "the README shows `{line}`, but the arena said\n{}", run.stdout);
        }
    }
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for page in pages() {
        let text = read(&page);
        for target in link_targets(&text).filter(|target| !target.contains("://") && !target.starts_with("mailto:")) {
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let folder = page.parent().expect("a page is in a folder");
            let file = if path.is_empty() { page.clone() } else { folder.join(path) };
            let lead = repository().join(&file).exists()
                && (anchor.is_empty() || anchors(&read(&file)).contains(&anchor.to_string()));
            if !lead {
                broken.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "these links lead nowhere:\n{}", broken.join("\n"));
}

#[test]
fn commands_work_as_they_stand() {
    let mut tried = 0;
    for page in pages() {
        let text = read(&page);
        let commands: Vec<String> = fences(&text, &["sh", "console"]).into_iter().flat_map(commands).collect();
        if commands.iter().any(|command| command.contains("python3")) && !needs("python3") {
            continue;
        }
        if commands.iter().any(|command| command.contains("--isolation strict")) && !needs("bwrap") {
            continue;
        }
        // One folder a page: what one command writes, a later one reads.
        let folder = page_folder();
        for command in commands {
            tried += 1;
            run_as_it_stands(&page, folder.path(), &command);
        }
    }
    assert!(tried > 10, "the pages show commands");
}

#[test]
fn subcommands_that_pages_name_are_there() {
    let known = subcommands();
    let mut unknown = Vec::new();
    for page in pages() {
        for span in code_spans(&read(&page)) {
            let Some(rest) = span.strip_prefix("arena ") else { continue };
            let is_word = rest.starts_with(|c: char| c.is_ascii_lowercase());
            let fits = |name: &String| format!("{rest} ").starts_with(&format!("{name} "));
            // Those with subcommands of their own may be named as a whole.
            let is_group = known.iter().any(|name| name.starts_with(&format!("{rest} ")));
            if is_word && !is_group && !known.iter().any(fits) {
                unknown.push(format!("{}: `{span}`", page.display()));
            }
        }
    }
    assert!(unknown.is_empty(), "the arena has no such subcommand ({}):\n{}", known.join(", "), unknown.join("\n"));
}

#[test]
fn the_command_line_page_lists_every_flag_and_no_other() {
    let page = read(COMMAND_LINE);
    for subcommand in subcommands() {
        let help = Arena::new(subcommand.split(' ').chain(["--help"])).run();
        // Continued lines of an explanation are indented further.
        let lines = help.stdout.lines().map(|line| (line.len() - line.trim_start().len(), line.trim_start()));
        let offered: BTreeSet<String> =
            lines.filter(|(indent, _)| *indent <= 6).filter_map(|(_, line)| flag(line)).collect();
        let section = section(&page, &format!("## arena {subcommand}"));
        let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
        let listed: BTreeSet<String> = rows.filter_map(flag).collect();
        let missing: Vec<_> = offered.difference(&listed).collect();
        let surplus: Vec<_> = listed.difference(&offered).collect();
        assert!(missing.is_empty(), "{COMMAND_LINE}, `arena {subcommand}`: {missing:?} are not listed");
        assert!(surplus.is_empty(), "{COMMAND_LINE}, `arena {subcommand}`: {surplus:?} are no flags of it");
    }
    for heading in page.lines().filter_map(|line| line.strip_prefix("## arena ")) {
        assert!(subcommands().iter().any(|name| name == heading), "{COMMAND_LINE}: there is no `arena {heading}`");
    }
}

#[test]
fn json_in_the_pages_is_json() {
    for page in pages() {
        for fence in fences(&read(&page), &["json"]) {
            let text = fence.replace('…', "null");
            for value in serde_json::Deserializer::from_str(&text).into_iter::<Value>() {
                assert!(value.is_ok(), "{}: {}\n{fence}", page.display(), value.unwrap_err());
            }
        }
    }
}

#[test]
fn the_messages_on_the_protocol_page_are_messages() {
    let page = read(PROTOCOL);
    let fences = fences(&page, &["json", "text"]);
    let (mut arenas, mut bots) = (0, 0);
    for line in fences.iter().flat_map(|fence| fence.lines()) {
        let marked =
            line.strip_prefix("> ").map(|line| (line, true)).or(line.strip_prefix("< ").map(|line| (line, false)));
        let (line, of_the_arena) = marked.unwrap_or((line, is_the_arenas(line)));
        if !line.starts_with('{') {
            assert_eq!(line, "…", "a line is a message, or stands for some");
        } else if of_the_arena {
            arenas += 1;
            let read = serde_json::from_str::<protocol::bot::Message>(line);
            assert!(read.is_ok(), "{}\n{line}", read.unwrap_err());
        } else {
            bots += 1;
            let heard = hear(line);
            assert!(matches!(heard, Heard::Ready { .. } | Heard::Move { .. }), "{heard:?}\n{line}");
        }
    }
    assert!(arenas > 10 && bots > 10, "each game has an exchange");
}

#[test]
fn the_matches_on_the_protocol_page_are_played_as_they_stand() {
    if !needs("python3") {
        return;
    }
    let page = read(PROTOCOL);
    for game in GAMES.iter().map(|game| game.info()) {
        let part = section(&page, &format!("### {}", game.title));
        let (shown, command) = (fences(part, &["text"])[0], fences(part, &["sh"])[0]);
        let arena = Arena::new(["new", "python", "mine"]);
        arena.run();
        let bot = traffic::recorded(&arena, "mine", "python3 mine/bot.py");
        let words = command.split_whitespace().skip(1).map(|word| if word == "./mine" { bot.as_str() } else { word });
        let run = arena.also_words(&words.collect::<Vec<_>>());
        assert_eq!(run.code, Some(0), "{command}: {run:#?}");
        let [sent, said] = traffic::lines(&arena, "mine");
        let mut said = said.iter();
        let real = sent.iter().flat_map(|line| {
            [Some(format!("> {line}")), said.next().map(|line| format!("< {line}"))].into_iter().flatten()
        });
        // What is left of a bank is not the same twice.
        let timeless = |line: &str| match line.split_once(r#""left_ms":"#) {
            Some((before, left)) => format!("{before}{}", left.trim_start_matches(|c: char| c.is_ascii_digit())),
            None => line.to_string(),
        };
        let real: Vec<String> = real.map(|line| timeless(&line)).collect();
        assert_eq!(shown.lines().map(timeless).collect::<Vec<_>>(), real, "{PROTOCOL}: {command}");
    }
}

#[test]
fn the_protocol_page_has_every_reason() {
    let page = read(PROTOCOL);
    let results = section(&page, "## Results");
    for reason in Reason::ALL {
        assert!(results.contains(&format!("| `{}` |", reason.as_str())), "{} is missing", reason.as_str());
    }
}

#[test]
fn the_transcript_page_has_every_key() {
    let page = read(TRANSCRIPTS);
    let match_ = Arena::new(["match", "flip", "--quiet", "--transcript", "m.jsonl", "--param", "rounds=3"])
        .arg("--bot")
        .arg("greedy")
        .fixture("loud", "debug-lines");
    match_.run();
    let lines = match_.transcript("m.jsonl");
    let mut keys = BTreeSet::new();
    for line in &lines {
        keys.extend(line.as_object().expect("a line is an object").keys().cloned());
    }
    for part in [&lines[0]["clock"], &lines[0]["players"][0]] {
        keys.extend(part.as_object().expect("an object").keys().cloned());
    }
    assert!(keys.contains("took_us") && keys.contains("fair_clock") && keys.contains("left_behind"), "{keys:?}");
    let missing: Vec<_> = keys.iter().filter(|key| !page.contains(&format!("`{key}`"))).collect();
    assert!(missing.is_empty(), "{TRANSCRIPTS}: {missing:?} are not explained");
}

#[test]
fn the_architecture_page_has_every_module_in_its_layers() {
    let page = read(ARCHITECTURE);
    let layers: Vec<&str> = section(&page, "## Bird's view").lines().filter(|line| line.starts_with("| ")).collect();
    let library = read("arena/src/lib.rs");
    let modules = library.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let missing: Vec<_> =
        modules.filter(|module| !layers.iter().any(|row| row.contains(&format!("`{module}`")))).collect();
    assert!(missing.is_empty(), "{ARCHITECTURE}: {missing:?} have no layer");
}

#[test]
fn the_page_of_bots_has_every_bundled_bot_and_the_games_that_it_plays() {
    let page = read(BOTS);
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let listed: Vec<(&str, &str)> = rows
        .filter_map(|(bot, rest)| Some((bot, rest.split_once(" | ")?.0)))
        .take_while(|(bot, _)| *bot != "corner")
        .collect();
    let plays = |bot: &str| {
        let games: Vec<&str> = GAMES
            .iter()
            .map(|game| game.info())
            .filter(|game| game.bots.contains(&bot))
            .map(|game| game.title)
            .collect();
        if games.len() == GAMES.len() { "all games".to_string() } else { games.join(", ") }
    };
    for bot in bundled_bots() {
        let row = listed.iter().find(|(name, _)| *name == bot).map(|(_, games)| games.to_string());
        assert_eq!(row, Some(plays(bot)), "{BOTS}: {bot}");
    }
    assert_eq!(listed.len(), bundled_bots().len(), "{BOTS}: {listed:?}");
}

#[test]
fn the_page_of_cups_has_every_format() {
    let page = read(CUPS);
    let formats = section(&page, "## Formats");
    for format in FORMATS {
        assert!(formats.contains(&format!("\n### {}\n", format.id)), "{CUPS}: {} has no section", format.id);
    }
}

#[test]
fn the_page_of_cups_has_every_key_and_no_other() {
    let page = read(CUPS);
    let top = known_keys("");
    let is_table = |key: &String| !known_keys(&format!("[{key}]")).is_empty() || key == "params" || key == "bots";
    let (tables, plain): (BTreeSet<String>, BTreeSet<String>) = top.into_iter().partition(is_table);
    assert!(tables.contains("clock") && plain.contains("pairs"), "{tables:?} {plain:?}");
    assert_eq!(listed_keys(&page, "key"), plain, "{CUPS}: the keys of the whole cup");
    for table in tables.iter().filter(|table| *table != "params") {
        let header = if table == "bots" { "[[bots]]".to_string() } else { format!("[{table}]") };
        assert_eq!(listed_keys(&page, &format!("`{header}`")), known_keys(&header), "{CUPS}: the keys of {header}");
    }
}

#[test]
fn the_cups_in_the_pages_can_be_read() {
    let mut cups = 0;
    for page in pages() {
        let text = read(&page);
        for cup in fences(&text, &["toml"]).into_iter().filter(|it| it.contains("\ngame = ")) {
            cups += 1;
            let read = read_cup(cup);
            assert!(read.is_none(), "{}: {}\n{cup}", page.display(), read.unwrap_or_default());
        }
    }
    assert!(cups > 0, "there is one");
}

#[test]
fn the_page_of_results_has_every_column_in_order() {
    let page = read(RESULTS);
    let files: [(&str, &[&str]); 4] = [
        ("matches.csv", &rows::COLUMNS),
        ("standings.csv", &standings::COLUMNS),
        ("crosstable.csv", &crosstable::COLUMNS),
        ("grades.csv", &grades::COLUMNS),
    ];
    for (file, columns) in files {
        let rows = section(&page, &format!("## {file}")).lines().filter_map(|line| line.strip_prefix("| `"));
        let listed: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
        assert_eq!(listed, columns, "{RESULTS}: {file}");
    }
}

/// What is wrong with a cup, if anything.
fn read_cup(text: &str) -> Option<String> {
    let programs = binaries::arena();
    let folder = programs.parent().expect("a program is in a folder");
    cup_from_text(text, "the cup", &repository(), folder, Broken::Refuse, None).err().map(|error| error.to_string())
}

/// The keys that a table of a cup may have, as the refusal of another one lists them; none where it is no table.
fn known_keys(header: &str) -> BTreeSet<String> {
    let refusal = read_cup(&format!("{header}\nzzzzzzzz = 1\n")).expect("there is no such key");
    let list = refusal.split_once("the keys are ").map(|(_, list)| list).unwrap_or_default();
    list.split(", ").filter(|key| !key.is_empty()).map(str::to_string).collect()
}

/// The keys in the table of a page whose first heading is this.
fn listed_keys(page: &str, heading: &str) -> BTreeSet<String> {
    let rows = page.lines().skip_while(|line| !line.starts_with(&format!("| {heading} |"))).skip(1);
    let rows = rows.take_while(|line| line.starts_with('|')).filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| row.split('`').next()).map(str::to_string).collect()
}

fn readme_bot() -> String {
    let page = read(README);
    fences(&page, &["python"]).first().map(|bot| bot.to_string()).expect("the README has a bot in Python")
}

/// Plays this bot against a bundled one, on the terms of the README.
fn play_python(bot: &str) -> Run {
    let arguments = ["match", "othello", "--seed", "1", "--start-time", "1s", "--quiet"];
    // Python does not buffer where the environment says so, and the README is about the usual one.
    let match_ =
        Arena::new(arguments).args("--bot").arg("python3 mine.py").args("--bot greedy").env("PYTHONUNBUFFERED", "");
    match_.write("mine.py", bot);
    match_.run()
}

/// The commands of a block that can be tried: those of the arena, and what they need. A line that ends with a backslash
/// goes on in the next one.
fn commands(block: &str) -> Vec<String> {
    let whole = block.replace("\\\n", " ");
    whole.lines().flat_map(|line| line.split(" && ")).filter_map(command).collect()
}

fn command(words: &str) -> Option<String> {
    let words = words.trim();
    let words = words.strip_prefix("$ ").unwrap_or(words);
    let ours = ["arena ", "target/release/arena ", "mkdir ", "cp "].iter().any(|first| words.starts_with(first));
    // Nobody watches.
    ours.then(|| words.replace("--pause 400ms", "--pause 1ms"))
}

/// A folder in which the commands of a page find what they name.
fn page_folder() -> TempDir {
    let folder = TempDir::with_prefix("arena-page-").expect("a folder for temporary files");
    let link = |to: &Path, name: &str| {
        std::os::unix::fs::symlink(to, folder.path().join(name)).expect("the folder is writable");
    };
    fs::create_dir(folder.path().join("target")).expect("the folder is writable");
    let programs = binaries::arena();
    link(programs.parent().expect("a program is in a folder"), "target/release");
    link(&repository().join("examples"), "examples");
    fs::write(folder.path().join("mine.py"), readme_bot()).expect("the folder is writable");
    folder
}

/// Runs a command in a shell. What it is about may fail (a person who is not there gives up); it may not be refused.
fn run_as_it_stands(page: &Path, folder: &Path, command: &str) {
    let waits = WAITING.iter().any(|word| command.split_whitespace().nth(1) == Some(word));
    let command = if waits { format!("{command} --help") } else { command.to_string() };
    let programs = folder.join("target/release");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = folder.join("output");
    let file = File::create(&output).expect("the folder is writable");
    let mut child = Command::new("sh")
        .args(["-c", &format!("exec {command}")])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", programs.display()))
        .stdin(Stdio::null())
        .stdout(file.try_clone().expect("a file can be shared"))
        .stderr(file)
        .spawn()
        .expect("there is a shell");
    let status = child.wait_timeout(Duration::from_secs(60)).expect("a child can be waited for");
    if status.is_none() {
        child.kill().and_then(|()| child.wait()).expect("it is ours to end");
    }
    let said = || String::from_utf8_lossy(&fs::read(&output).unwrap_or_default()).into_owned();
    let code = status.and_then(|status| status.code());
    assert!(matches!(code, Some(0 | 1)), "{}: `{command}` ended with {code:?}:\n{}", page.display(), said());
}

/// The subcommands, as the arena lists them; of one that has some of its own, those: `tournament run`.
fn subcommands() -> Vec<String> {
    let nested = |name: String| {
        let own = listed_subcommands(&[name.as_str(), "--help"]);
        if own.is_empty() { vec![name] } else { own.iter().map(|own| format!("{name} {own}")).collect() }
    };
    listed_subcommands(&["--help"]).into_iter().flat_map(nested).collect()
}

fn listed_subcommands(arguments: &[&str]) -> Vec<String> {
    let help = Arena::new(arguments.iter().copied()).run().stdout;
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.trim().is_empty());
    // Continued lines of an explanation are indented further.
    let names = list.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.map(str::to_string).collect()
}

/// The flag that a line begins with: the long one, where there are two.
fn flag(line: &str) -> Option<String> {
    let long = line.get(2..).and_then(|rest| rest.strip_prefix(", ")).filter(|long| long.starts_with("--"));
    let line = long.unwrap_or(line);
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let name: String = line.chars().take_while(|c| is_name(*c)).collect();
    let letters = name.trim_start_matches('-');
    (name.starts_with('-') && !letters.is_empty() && letters != "help").then_some(name)
}

fn is_the_arenas(line: &str) -> bool {
    let kind = serde_json::from_str::<Value>(line).ok().and_then(|value| value["type"].as_str().map(str::to_string));
    kind.is_some_and(|kind| ["start", "turn", "end"].contains(&kind.as_str()))
}

/// What the arena makes of a bot's line when it awaits one of its kind.
fn hear(line: &str) -> Heard {
    let value: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}\n{line}"));
    let expect = match value["turn"].as_u64() {
        Some(turn) => Expect::Move { match_id: "m", turn: turn.try_into().expect("a small number") },
        None => Expect::Ready { match_id: "m", again: false },
    };
    protocol::read_line(line.as_bytes(), false, &expect)
}

/// Every page, as a path from the repository's folder.
fn pages() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(repository().join(&folder)).expect("the repository can be read") {
            let entry = entry.expect("the repository can be read");
            let name = entry.file_name().into_string().expect("names are UTF-8");
            let path = folder.join(&name);
            if entry.path().is_dir() {
                // What is kept in results is not the project's.
                let left_out = name.starts_with('.') || name == "target" || folder == Path::new("results");
                folders.extend((!left_out).then_some(path));
            } else if name.ends_with(".md") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(found.len() > 10, "the pages are found");
    found
}

fn read(page: impl AsRef<Path>) -> String {
    let path = repository().join(page);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What stands under a heading, up to the next one of its level.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let level = heading.split(' ').next().expect("a heading has a level");
    let start = page.find(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("there is no heading `{heading}`"));
    let body = &page[start + heading.len() + 2..];
    &body[..body.find(&format!("\n{level} ")).unwrap_or(body.len())]
}

/// The contents of the fenced blocks in one of these languages.
fn fences<'a>(page: &'a str, languages: &[&str]) -> Vec<&'a str> {
    let mut found = Vec::new();
    let (mut at, mut open) = (0, None);
    for line in page.split_inclusive('\n') {
        let end = at + line.len();
        if let Some(language) = line.trim_end().strip_prefix("```") {
            match open.take() {
                None => open = Some((language, end)),
                Some((language, start)) if languages.contains(&language) => found.push(&page[start..at]),
                Some(_) => {}
            }
        }
        at = end;
    }
    assert!(open.is_none(), "a block is not closed");
    found
}

/// The page without its fenced blocks.
fn prose(page: &str) -> String {
    let mut inside = false;
    let outside = |line: &&str| {
        let fence = line.starts_with("```");
        inside ^= fence;
        !inside && !fence
    };
    page.lines().filter(outside).collect::<Vec<_>>().join("\n")
}

/// What stands between single back quotes.
fn code_spans(page: &str) -> Vec<String> {
    prose(page).split('`').skip(1).step_by(2).map(|span| span.replace('\n', " ")).collect()
}

fn link_targets(page: &str) -> impl Iterator<Item = &str> {
    page.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target)
}

/// The headings of a page as links name them.
fn anchors(page: &str) -> Vec<String> {
    let headings = prose(page);
    let headings = headings.lines().filter(|line| line.starts_with('#'));
    let letter = |c: char| match c {
        ' ' => Some('-'),
        _ if c.is_alphanumeric() || c == '-' || c == '_' => Some(c.to_ascii_lowercase()),
        _ => None,
    };
    headings.map(|line| line.trim_start_matches('#').trim().chars().filter_map(letter).collect()).collect()
}

/// The readers above have to be able to see what is wrong.
#[test]
fn pages_are_read_as_they_are_written() {
    let page = "# A `b`, c\n\n```sh\narena x\n```\nSee [it](a.md#b) and `arena games`.\n\n## D\ntext\n## E\n";
    assert_eq!(anchors(page), ["a-b-c", "d", "e"]);
    assert_eq!(fences(page, &["sh"]), ["arena x\n"]);
    assert_eq!(link_targets(page).collect::<Vec<_>>(), ["a.md#b"]);
    assert_eq!(code_spans(page), ["b", "arena games"]);
    assert_eq!(section(page, "## D"), "text");
    assert_eq!(flag("-q, --quiet  Says less").as_deref(), Some("--quiet"));
    assert_eq!(flag("--param <K=V>").as_deref(), Some("--param"));
    assert_eq!(flag("-w   Waits, --pause does so too").as_deref(), Some("-w"));
    assert_eq!((flag("says --x"), flag("-h, --help"), flag("- a list")), (None, None, None));
    let block = "cargo build --release \\\n  && target/release/arena games\ncargo test\n$ arena x\n";
    assert_eq!(commands(block), ["target/release/arena games", "arena x"]);
    assert_eq!(listed_keys("| a | b |\n|---|---|\n| `c` | `d` |\n\n| `e` |\n", "a"), ["c".to_string()].into());
}
