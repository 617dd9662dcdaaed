//! The house rules that a compiler does not check: layers, where clocks and printing belong, where games are named,
//! what lies at the top of the tree, how long a file may be. Each failure says what to do.

mod scan;

use scan::{Source, lines_with, lines_with_any, paths, scan, without_tests};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use tests::binaries::repository;

/// The modules of the arena, lowest layer first. A module may use its own layer and those below it.
const LAYERS: &[&[&str]] = &[
    &["clock", "files", "seat", "seed", "verdict"],
    &["game", "isolation", "protocol"],
    &["games", "record", "referee", "transport"],
    &["play", "table"],
    &["submissions", "tournament"],
    &["config", "report", "serve"],
    &["cli"],
];

/// What `bots` may use of the arena.
const FOR_BOTS: &[&str] = &["game", "games", "protocol", "seat", "seed"];

/// Where the clock may be read.
const WITH_CLOCK: &[&str] = &["cli", "play", "table", "transport"];

/// Where files are read that anybody may have put there. What lies below reads the system's, which are what they are.
const READ_FILES: &[&str] = &["cli", "config", "record", "serve", "submissions", "tournament"];

/// Mutable statics that are allowed, by name: the keepers, which are to be told from the strays that a killed one leaves.
const MUTABLE_STATICS: &[&str] = &["LIVE_CHILDREN"];

/// Files outside `games/` that serve one game's own protocol, and so name it; and the transcript, in which the part of a
/// move that was ignored is called a flip.
const NAME_A_GAME: &[&str] = &["arena/src/cli/notipping", "arena/src/table/notipping", "arena/src/record/writer.rs"];

/// Where the texts of starter bots lie that are no game's; each game has its own. They are no code of the arena.
const STARTERS: &str = "arena/src/config/starters";

/// The endings of sources in the languages that starter bots, examples and tests are written in.
const SOURCES: &[&str] =
    &["rs", "py", "js", "mjs", "ts", "html", "css", "c", "h", "cpp", "hpp", "java", "go", "sh", "txt", "toml"];

/// What may lie at the top of the repository; a name that ends in `*` is a beginning.
const TOP_LEVEL: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "LICENSE*",
    "rust-toolchain.toml",
    "rustfmt.toml",
    "clippy.toml",
    "deny.toml",
    "justfile",
    ".editorconfig",
    ".git*",
    ".ci",
    ".cargo",
    ".config",
    "arena",
    "bots",
    "examples",
    "results",
    "tests",
];

/// What has to be there.
const NEEDED: &[&str] = &["Cargo.toml", "Cargo.lock", "LICENSE-APACHE", "LICENSE-MIT", "arena", "bots", "tests"];

const LONGEST_FILE: usize = 600;

#[test]
fn modules_use_only_lower_layers() {
    rule(program_files(), layer_faults);
}

#[test]
fn bots_use_only_what_is_theirs() {
    rule(rust_files("bots"), |file| {
        let stranger = |(line, name): (usize, String)| {
            (!FOR_BOTS.contains(&name.as_str())).then(|| {
                file.at(
                    line,
                    &format!("a bot may not use arena::{name}, only {}: move what is shared", FOR_BOTS.join(", ")),
                )
            })
        };
        paths(&file.code(), "arena").into_iter().filter_map(stranger).collect()
    });
}

#[test]
fn the_clock_is_read_in_few_places() {
    rule(program_files(), clock_faults);
}

#[test]
fn files_that_have_to_be_regular_are_opened_as_such() {
    rule(program_files(), opening_faults);
}

#[test]
fn only_cli_prints() {
    rule(program_files(), printing_faults);
}

#[test]
fn games_are_named_in_their_own_folders_only() {
    rule(program_files(), naming_faults);
    rule(page_files(), |file| {
        let names = ["othello", "notipping", "Othello", "No Tipping", "\"flip\"", "'flip'", "\"offset\"", "'offset'"];
        let advice = |(line, name)| file.at(line, &format!("the page names a game ({name}): draw the Scene instead"));
        lines_with_any(&file.text, &names).into_iter().map(advice).collect()
    });
    rule(starter_files(), starter_faults);
}

#[test]
fn nothing_mutable_is_static() {
    rule(program_files(), static_faults);
}

#[test]
fn files_can_be_read_in_one_sitting() {
    rule(all_text_files(), |file| {
        let lines = file.text.lines().count();
        let long = lines > LONGEST_FILE;
        long.then(|| file.at(lines, &format!("{lines} lines: split it, {LONGEST_FILE} is the most")))
            .into_iter()
            .collect()
    });
}

#[test]
fn nothing_unfinished_is_left() {
    rule(all_rust_files(), unfinished_faults);
}

#[test]
fn tests_are_skipped_in_one_way_only() {
    rule(all_rust_files(), |file| {
        let mut faults: Vec<String> = lines_with(&file.source.code, "#[ignore")
            .into_iter()
            .map(|line| file.at(line, "no test is ignored: mend it, or skip it with tests::skip::needs"))
            .collect();
        let helper = file.path.ends_with("tests/src/skip.rs") || file.path.contains("tests/tidy/");
        for (line, text) in &file.source.literals {
            if text.starts_with("SKIPPED") && !helper {
                faults.push(file.at(*line, "skip with tests::skip::needs, which prints and counts it"));
            }
        }
        faults
    });
}

#[test]
fn the_top_of_the_tree_is_the_one_that_is_documented() {
    let Some(names) = top_level() else { return };
    let allowed = |name: &str| {
        TOP_LEVEL.iter().any(|entry| match entry.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == *entry,
        })
    };
    let strangers: Vec<&String> = names.iter().filter(|name| !allowed(name)).collect();
    assert!(strangers.is_empty(), "{strangers:?} do not belong at the top of the tree: move them into a folder of it");
    let missing: Vec<&&str> = NEEDED.iter().filter(|name| !names.contains(**name)).collect();
    assert!(missing.is_empty(), "{missing:?} are missing at the top of the tree");
}

/// The rules have to be able to fail: each is given a text that breaks it.
#[test]
fn every_rule_finds_what_it_is_for() {
    let faults = |path: &str, text: &str, rule: fn(&File) -> Vec<String>| rule(&File::new(path, text)).len();
    let (low, high) = ("arena/src/game/mod.rs", "arena/src/cli/mod.rs");
    assert_eq!(faults(low, "use crate::{seat::Seat, cli};", layer_faults), 1);
    assert_eq!(faults(low, "use super::cli::x;", layer_faults), 1);
    assert_eq!(faults(low, "use crate::unheard::x;", layer_faults), 1);
    assert_eq!(faults("arena/src/unheard.rs", "", layer_faults), 1);
    assert_eq!(faults(high, "use crate::{seat::Seat, game};", layer_faults), 0);
    assert_eq!(faults(low, "let t = Instant::now();", clock_faults), 1);
    assert_eq!(faults(high, "let t = Instant::now();", clock_faults), 0);
    assert_eq!(faults(high, "let a = fs::read(x); let b = File::open(x);", opening_faults), 2);
    assert_eq!(faults("arena/src/transport/load.rs", "File::open(x)", opening_faults), 0);
    assert_eq!(faults(low, "eprintln!(\"x\");", printing_faults), 1);
    assert_eq!(faults(high, "eprintln!(\"x\");", printing_faults), 0);
    assert_eq!(faults(low, "if id == \"flip\" {} let offset = 1;", naming_faults), 1);
    assert_eq!(faults(low, "f(\"notipping-random\"); f(\"a notipping board\")", naming_faults), 1);
    assert_eq!(faults(low, "games::othello::start()", naming_faults), 1);
    assert_eq!(faults("arena/src/games/mod.rs", "mod othello;", naming_faults), 0);
    assert_eq!(faults(low, "#[cfg(test)] mod tests { fn f() { g(\"othello\") } }", naming_faults), 0);
    assert_eq!(faults("arena/src/config/starters/c/bot.c", "#include \"flip.h\"\nint offset;", starter_faults), 2);
    assert_eq!(faults("arena/src/config/starters/c/bot.c", "#include \"@game@.h\"", starter_faults), 0);
    assert_eq!(faults(low, "static mut X: u8 = 0; static Y: Mutex<u8> = a();", static_faults), 2);
    assert_eq!(faults(low, "static NAMES: [&'static str; 1] = [\"a\"];", static_faults), 0);
    assert_eq!(faults(low, concat!("// TO", "DO: later\nfn f() { db", "g!(1) }"), unfinished_faults), 2);
}

fn layer_faults(file: &File) -> Vec<String> {
    let Some(module) = file.module() else { return Vec::new() };
    let Some(own) = layer_of(&module) else {
        return vec![file.at(1, &format!("the module {module} has no layer: add it to LAYERS in tests/tests/tidy"))];
    };
    let code = file.code();
    let judge = |(line, name): (usize, String)| match layer_of(&name) {
        Some(layer) if layer <= own => None,
        Some(_) => {
            Some(file.at(line, &format!("{module} may not use {name}, which is above it: move what is shared down")))
        }
        None => Some(file.at(line, &format!("crate::{name} is no module with a layer: name the module it comes from"))),
    };
    let mut faults: Vec<String> = paths(&code, "crate").into_iter().filter_map(judge).collect();
    let out = "super::".repeat(file.depth());
    faults.extend(
        lines_with(&code, &out).into_iter().map(|line| file.at(line, "leaves its module: write crate:: instead")),
    );
    faults
}

fn layer_of(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

fn clock_faults(file: &File) -> Vec<String> {
    if file.module().is_none_or(|module| WITH_CLOCK.contains(&module.as_str())) {
        return Vec::new();
    }
    let advice = format!("reads the clock: only {} may, hand the time in", WITH_CLOCK.join(", "));
    file.all_with(&["Instant::now", "SystemTime", "clock_gettime"], &advice)
}

fn opening_faults(file: &File) -> Vec<String> {
    if file.module().is_none_or(|module| !READ_FILES.contains(&module.as_str())) {
        return Vec::new();
    }
    file.all_with(
        &["File::open", "fs::read", "fs::read_to_string"],
        "waits for a named pipe: open it with crate::files",
    )
}

fn printing_faults(file: &File) -> Vec<String> {
    if file.module().is_some_and(|module| module == "cli") {
        return Vec::new();
    }
    file.all_with(&["println!", "eprintln!", "print!", "eprint!"], "prints: only cli may, return the text instead")
}

fn naming_faults(file: &File) -> Vec<String> {
    if file.path.starts_with("arena/src/games/") || NAME_A_GAME.iter().any(|prefix| file.path.starts_with(prefix)) {
        return Vec::new();
    }
    const ADVICE: &str = "names a game: only its folder in games/ may, go through the trait and the table";
    let types = ["games::othello", "games::offset", "games::notipping", "games::flip", "Othello", "NoTipping"];
    let mut faults = file.all_with(&types, ADVICE);
    let tested = file.tested_lines();
    for (line, text) in &file.source.literals {
        // A bot or a command that is called after its game is a name of its own; two ids are ordinary English words,
        // and count only where they are the whole literal.
        let text = text.replace("notipping-", "");
        let named =
            ["othello", "notipping", "Othello", "No Tipping"].iter().any(|id| !lines_with(&text, id).is_empty())
                || ["offset", "flip", "Offset", "Flip"].contains(&text.as_str());
        if named && !tested.contains(line) {
            faults.push(file.at(*line, ADVICE));
        }
    }
    faults
}

/// What a language's starter knows of games comes from their folders.
fn starter_faults(file: &File) -> Vec<String> {
    const ADVICE: &str = "a starter's text names a game: write @game@, and put what the game needs into its own folder";
    let names = ["othello", "Othello", "notipping", "Notipping", "No Tipping", "offset", "Offset", "flip", "Flip"];
    lines_with_any(&file.text, &names)
        .into_iter()
        .map(|(line, name)| file.at(line, &format!("{name}: {ADVICE}")))
        .collect()
}

fn static_faults(file: &File) -> Vec<String> {
    const CELLS: &[&str] = &["Atomic", "Mutex", "RwLock", "Once", "Lazy", "Cell"];
    let code = file.code();
    let mut faults = file.all_with(&["static mut", "thread_local!"], "hidden state: hand it to those who need it");
    for line in lines_with(&code, "static") {
        let text = code.lines().nth(line - 1).unwrap_or_default();
        for declaration in text.split("static ").skip(1).filter(|rest| rest.contains(':')) {
            let name = declaration.split(':').next().unwrap_or_default().trim();
            let kind = declaration.split([';', '=']).next().unwrap_or_default();
            if CELLS.iter().any(|cell| kind.contains(cell)) && !MUTABLE_STATICS.contains(&name) {
                faults.push(file.at(line, &format!("{name} is a mutable static: hand it to those who need it")));
            }
        }
    }
    faults.dedup();
    faults
}

fn unfinished_faults(file: &File) -> Vec<String> {
    // Put together here, so that this file passes its own rule.
    let notes = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];
    let macros = [concat!("to", "do!"), concat!("unimple", "mented!"), concat!("db", "g!")];
    let in_text = notes.iter().flat_map(|word| lines_with(&file.text, word));
    let in_code = macros.iter().flat_map(|word| lines_with(&file.source.code, word));
    in_text.chain(in_code).map(|line| file.at(line, "is unfinished: finish it, or take it out")).collect()
}

/// A file under a rule.
struct File {
    /// From the top of the repository.
    path: String,
    text: String,
    source: Source,
}

impl File {
    fn new(path: &str, text: &str) -> File {
        let source =
            if path.ends_with(".rs") { scan(text) } else { Source { code: String::new(), literals: Vec::new() } };
        File { path: path.to_owned(), text: text.to_owned(), source }
    }

    /// The code of the program itself, its unit tests blanked.
    fn code(&self) -> String {
        without_tests(&self.source.code)
    }

    /// The module directly under the crate that the file belongs to; none for `main.rs` and `lib.rs`.
    fn module(&self) -> Option<String> {
        let inside = self.path.strip_prefix("arena/src/")?;
        let first = inside.split('/').next()?.trim_end_matches(".rs");
        (!["main", "lib"].contains(&first)).then(|| first.to_owned())
    }

    /// How many `super::` lead out to the crate's root.
    fn depth(&self) -> usize {
        self.path.trim_start_matches("arena/src/").split('/').filter(|part| *part != "mod.rs").count()
    }

    /// The lines of the file's unit tests.
    fn tested_lines(&self) -> BTreeSet<usize> {
        let (all, kept) = (&self.source.code, self.code());
        let differs = |(number, (a, b)): (usize, (&str, &str))| (a != b).then_some(number + 1);
        let touched: BTreeSet<usize> = all.lines().zip(kept.lines()).enumerate().filter_map(differs).collect();
        touched
    }

    fn all_with(&self, needles: &[&str], advice: &str) -> Vec<String> {
        let found = lines_with_any(&self.code(), needles).into_iter();
        found.map(|(line, needle)| self.at(line, &format!("{needle} {advice}"))).collect()
    }

    fn at(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.path)
    }
}

fn rule(files: Vec<File>, faults: impl Fn(&File) -> Vec<String>) {
    let faults: Vec<String> = files.iter().flat_map(faults).collect();
    assert!(faults.is_empty(), "{} places break this rule:\n{}", faults.len(), faults.join("\n"));
}

/// The arena's own files, without those that hold unit tests only.
fn program_files() -> Vec<File> {
    let is_test = |path: &str| path.ends_with("/tests.rs") || path.contains("/tests/") || path.ends_with("_tests.rs");
    let is_ours = |file: &File| !is_test(&file.path) && !file.path.contains("/starters/");
    let files: Vec<File> = rust_files("arena/src").into_iter().filter(is_ours).collect();
    assert!(!files.is_empty(), "arena/src holds no file: the rules look in the wrong place");
    files
}

fn starter_files() -> Vec<File> {
    let files = files(STARTERS, SOURCES);
    assert!(!files.is_empty(), "{STARTERS} holds no file: the rule looks in the wrong place");
    files
}

fn all_rust_files() -> Vec<File> {
    ["arena", "bots", "tests"].into_iter().flat_map(rust_files).collect()
}

fn rust_files(folder: &str) -> Vec<File> {
    files(folder, &["rs"])
}

fn page_files() -> Vec<File> {
    let files = files("arena/src", &["js", "html", "css"]);
    assert!(!files.is_empty(), "arena/src holds no page: the rule looks in the wrong place");
    files
}

fn all_text_files() -> Vec<File> {
    ["arena", "bots", "examples", "tests"].into_iter().flat_map(|folder| files(folder, SOURCES)).collect()
}

/// The files of these kinds under a folder of the repository, which may not be there.
fn files(folder: &str, kinds: &[&str]) -> Vec<File> {
    let mut found = Vec::new();
    collect(&repository(), &repository().join(folder), kinds, &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn collect(root: &Path, folder: &Path, kinds: &[&str], found: &mut Vec<File>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let built = path.file_name().is_some_and(|name| name == "target" || name == "node_modules");
        if path.is_dir() && !built {
            collect(root, &path, kinds, found);
        } else if path.extension().is_some_and(|kind| kinds.iter().any(|wanted| kind == *wanted)) {
            let name = path.strip_prefix(root).expect("it was found under the root").display().to_string();
            let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
            found.push(File::new(&name, &text));
        }
    }
}

/// The first parts of all paths that git knows; nothing, and a skip, where this is no git checkout.
fn top_level() -> Option<BTreeSet<String>> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(repository()).output();
    let listed = listed.ok().filter(|output| output.status.success());
    if !tests::skip::needs_that("a git checkout", listed.is_some()) {
        return None;
    }
    let listed = String::from_utf8_lossy(&listed?.stdout).into_owned();
    Some(
        listed
            .split('\0')
            .filter_map(|path| path.split('/').next())
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect(),
    )
}
