//! Starter bots: the files of a folder with a bot that plays legal moves, in one of several languages, for one game or for
//! all. Each language has its loop here; what it plays comes from each game's own folder. Nothing is written to the disk.
//!
//! In the texts `@name@` and the like are filled in, and a line with `@game@` or `@Game@` is there once for each game.

use super::names::name_from;
use super::words::list_text;
use super::{ConfigError, shown, suggest};
use crate::game::GameInfo;

/// A language that there are starter bots in.
#[derive(Debug)]
pub struct Language {
    /// The word for it on the command line, and for its sources in a game's folder.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Other words that people use for it.
    also: &'static [&'static str],
    /// The file of a game; `@game@` stands for the game's word, `@Game@` for the same with a capital letter.
    source: &'static str,
    /// The function in it that the author changes.
    choose: &'static str,
    /// The file with the loop.
    main: &'static str,
    /// All files that are no game's: path and text.
    files: &'static [(&'static str, &'static str)],
    /// How it is built, where it has to be.
    build: &'static [&'static str],
    /// How it is started.
    run: &'static [&'static str],
    /// Where the function finds its seat, its seed and its limit on a move, in Markdown.
    start: &'static str,
    /// What pushes its lines out, in Markdown.
    flush: &'static str,
    /// What prints to stderr, in Markdown.
    debug: &'static str,
}

/// A starter bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Starter {
    /// What it is called.
    pub name: String,
    /// Its files: paths from its folder, and their texts.
    pub files: Vec<(String, String)>,
    /// The function that its author changes: file and name, for each game.
    pub to_change: Vec<(String, String)>,
    /// The command that builds it, as a shell takes it; `None` where nothing is to be built.
    pub build: Option<String>,
}

/// Every language, in the order in which they are listed.
pub static LANGUAGES: &[Language] = &[
    Language {
        id: "python",
        title: "Python",
        also: &["py", "python3"],
        source: "@game@.py",
        choose: "choose",
        main: "bot.py",
        files: &[("bot.py", include_str!("starters/python/bot.py"))],
        build: &[],
        run: &["python3", "bot.py"],
        start: "`request[\"seat\"]`, `request[\"seed\"]`, `request[\"clock\"][\"limit_ms\"]` (`None`: no limit)",
        flush: "`print(…, flush=True)`",
        debug: "`print(…, file=sys.stderr)`",
    },
    Language {
        id: "javascript",
        title: "JavaScript",
        also: &["js", "node", "nodejs"],
        source: "@game@.mjs",
        choose: "choose",
        main: "bot.mjs",
        files: &[("bot.mjs", include_str!("starters/javascript/bot.mjs"))],
        build: &[],
        run: &["node", "bot.mjs"],
        start: "`request.seat`, `request.seed`, `request.clock.limit_ms` (`null`: no limit)",
        flush: "`process.stdout.write(…)`, without `process.exit()` after it",
        debug: "`console.error(…)`",
    },
    Language {
        id: "typescript",
        title: "TypeScript",
        also: &["ts"],
        source: "@game@.ts",
        choose: "choose",
        main: "bot.ts",
        files: &[
            ("bot.ts", include_str!("starters/typescript/bot.ts")),
            ("build.mjs", include_str!("starters/typescript/build.mjs")),
        ],
        build: &["node", "build.mjs"],
        run: &["node", "target/bot.mjs"],
        start: "`request.seat`, `request.seed`, `request.clock.limit_ms` (`null`: no limit)",
        flush: "`process.stdout.write(…)`, without `process.exit()` after it",
        debug: "`console.error(…)`",
    },
    Language {
        id: "c",
        title: "C",
        also: &[],
        source: "@game@.h",
        choose: "choose_@game@",
        main: "bot.c",
        files: &[("bot.c", include_str!("starters/c/bot.c")), ("start.h", include_str!("starters/c/start.h"))],
        build: &["gcc", "-O2", "-g", "-Wall", "-o", "bot", "bot.c", "-lm"],
        run: &["plain", "--", "./bot"],
        start: "`start.seat`, `start.seed`, `start.move_ms` (-1: no limit)",
        flush: "`setvbuf` at the start of `main`",
        debug: "`fprintf(stderr, …)`",
    },
    Language {
        id: "cpp",
        title: "C++",
        also: &["c++", "cxx"],
        source: "@game@.hpp",
        choose: "choose",
        main: "bot.cpp",
        files: &[
            ("bot.cpp", include_str!("starters/cpp/bot.cpp")),
            ("start.hpp", include_str!("starters/cpp/start.hpp")),
        ],
        build: &["g++", "-std=c++17", "-O2", "-g", "-Wall", "-o", "bot", "bot.cpp"],
        run: &["plain", "--", "./bot"],
        start: "`start.seat`, `start.seed`, `start.move_ms` (-1: no limit)",
        flush: "`std::endl`",
        debug: "`std::cerr << …`",
    },
    Language {
        id: "java",
        title: "Java",
        also: &[],
        source: "@Game@.java",
        choose: "choose",
        main: "Bot.java",
        files: &[("Bot.java", include_str!("starters/java/Bot.java"))],
        // One jar, so that a bot which is not built yet is found out.
        build: &["sh", "-c", "javac -d target/classes *.java && jar cfe target/bot.jar Bot -C target/classes ."],
        run: &["plain", "--", "java", "-jar", "target/bot.jar"],
        start: "`Bot.seat`, `Bot.seed`, `Bot.moveMs` (-1: no limit)",
        flush: "`System.out.flush()`",
        debug: "`System.err.println(…)`",
    },
    Language {
        id: "go",
        title: "Go",
        also: &["golang"],
        source: "@game@.go",
        choose: "choose@Game@",
        main: "bot.go",
        files: &[("bot.go", include_str!("starters/go/bot.go")), ("go.mod", include_str!("starters/go/go.mod.txt"))],
        build: &["go", "build", "-buildvcs=false", "-o", "target/bot", "."],
        run: &["./target/bot"],
        start: "`request.Seat`, `request.Seed`, `request.Clock.LimitMs` (`nil`: no limit)",
        flush: "`fmt.Println(…)`, without a `bufio.Writer`",
        debug: "`log.Print(…)`",
    },
    Language {
        id: "rust",
        title: "Rust",
        also: &["rs"],
        source: "src/@game@.rs",
        choose: "choose",
        main: "src/main.rs",
        files: &[
            ("Cargo.toml", include_str!("starters/rust/Cargo.toml.txt")),
            ("src/main.rs", include_str!("starters/rust/main.rs")),
        ],
        build: &["cargo", "build", "--release", "--offline", "--target-dir", "target"],
        run: &["plain", "--", "target/release/bot"],
        start: "`crate::start().seat`, `.seed`, `.move_ms` (`None`: no limit)",
        flush: "`println!`",
        debug: "`eprintln!(…)`",
    },
    Language {
        id: "shell",
        title: "shell",
        also: &["sh", "bash"],
        source: "@game@.sh",
        choose: "choose",
        main: "bot.sh",
        files: &[("bot.sh", include_str!("starters/shell/bot.sh"))],
        build: &[],
        run: &["plain", "--", "sh", "bot.sh"],
        start: "`$seat`, `$seed`, `$move_ms` (-1: no limit)",
        flush: "`echo`, without a filter after it",
        debug: "`echo … >&2`",
    },
];

/// The language that a person named, by any of its words, in small letters or not.
pub fn language(word: &str) -> Result<&'static Language, ConfigError> {
    let lower = word.to_lowercase();
    let fits = |language: &&Language| language.id == lower || language.also.contains(&lower.as_str());
    LANGUAGES.iter().find(fits).ok_or_else(|| {
        let ids: Vec<&str> = LANGUAGES.iter().map(|language| language.id).collect();
        let meant = suggest(&lower, &ids).map_or_else(|| ".".to_string(), |meant| format!(", did you mean `{meant}`?"));
        ConfigError(format!(
            "there is no starter in {}{meant} The languages are {}; in any other, a bot reads and writes lines of JSON",
            shown(word),
            ids.join(", ")
        ))
    })
}

impl Language {
    /// What a starter in this language needs to play the game; `None` where the game has nothing in it.
    pub fn source_for(&self, game: &GameInfo) -> Option<&'static str> {
        game.starters.iter().find(|(id, _)| *id == self.id).map(|(_, text)| *text)
    }
}

/// The starter in this language for these games (at least one), in a folder of this name. `all` says that they are all
/// games that there are, so that the bot need not be held to them.
pub fn starter(language: &Language, games: &[&GameInfo], folder_name: &str, all: bool) -> Result<Starter, ConfigError> {
    let name = name_from(folder_name);
    let build = match language.build {
        [] => None,
        ["sh", "-c", line] => Some((*line).to_string()),
        words => Some(words.join(" ")),
    };
    let mut files = vec![("bot.toml".to_string(), manifest(language, games, &name, all))];
    files.push(("README.md".to_string(), readme(language, games, &name, build.as_deref())));
    files.extend(language.files.iter().map(|(path, text)| ((*path).to_string(), per_game(text, games))));
    let mut to_change = Vec::new();
    for game in games {
        let text = language.source_for(game).ok_or_else(|| {
            ConfigError(format!("there is no starter in {} for {}: choose another language", language.title, game.id))
        })?;
        let source = for_game(language.source, game);
        files.push((source.clone(), text.to_string()));
        to_change.push((source, for_game(language.choose, game)));
    }
    Ok(Starter { name, files, to_change, build })
}

fn manifest(language: &Language, games: &[&GameInfo], name: &str, all: bool) -> String {
    let mut lines = vec![format!("name = \"{name}\"")];
    if !language.build.is_empty() {
        lines.push(format!("build = {}", list_text(&owned(language.build))));
    }
    lines.push(format!("run = {}", list_text(&owned(language.run))));
    if !all {
        let ids: Vec<&str> = games.iter().map(|game| game.id).collect();
        lines.push(format!("games = {}", list_text(&owned(&ids))));
    }
    lines.push("# authors = [\"id1\"]".to_string());
    lines.join("\n") + "\n"
}

fn readme(language: &Language, games: &[&GameInfo], name: &str, build: Option<&str>) -> String {
    let titles: Vec<&str> = games.iter().map(|game| game.title).collect();
    let built = build.map(|build| {
        format!("Build it first, and again after each change (the arena does so by itself only before a cup, and when nothing is built yet):\n\n```sh\n{build}\n```\n\n")
    });
    let texts = include_str!("starters/readme.txt").replace("@source@", language.source);
    per_game(&texts.replace("@choose@", language.choose), games)
        .replace("@first step@", &built.unwrap_or_default())
        .replace("@name@", name)
        .replace("@language@", language.title)
        .replace("@games@", &titles.join(", "))
        .replace("@loop@", language.main)
        .replace("@first@", games[0].id)
        .replace("@start@", language.start)
        .replace("@flush@", language.flush)
        .replace("@debug@", language.debug)
        .replace("@plain@", if language.run.contains(&crate::protocol::words::WRAPPER) { " --plain" } else { "" })
}

/// The text with each line that names `@game@` once for each game.
fn per_game(text: &str, games: &[&GameInfo]) -> String {
    let mut filled = String::new();
    for line in text.split_inclusive('\n') {
        if line.contains("@game@") || line.contains("@Game@") {
            filled.extend(games.iter().map(|game| for_game(line, game)));
        } else {
            filled.push_str(line);
        }
    }
    filled
}

fn for_game(text: &str, game: &GameInfo) -> String {
    let capital = game.id[..1].to_uppercase() + &game.id[1..];
    text.replace("@game@", game.id).replace("@Game@", &capital)
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_string()).collect()
}
