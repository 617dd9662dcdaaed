//! Command lines as people write them: split like a shell's words, without a shell. What only a shell would
//! understand is found and told.

use super::names::name_from;
use super::{ConfigError, shown};
use crate::protocol::words::WRAPPER;
use std::path::Path;

/// Programs that run a script, without version numbers (`python3.12` is `python`).
const INTERPRETERS: [&str; 27] = [
    "python", "pypy", "node", "nodejs", "deno", "bun", "java", "ruby", "perl", "bash", "sh", "dash", "zsh", "ksh",
    "fish", "lua", "luajit", "php", "julia", "rscript", "dotnet", "tclsh", "guile", "racket", "runghc", "escript",
    "mono",
];
/// Endings of scripts, and what runs them.
const SCRIPT_ENDINGS: [(&str, &str); 14] = [
    ("py", "python3"),
    ("js", "node"),
    ("mjs", "node"),
    ("cjs", "node"),
    ("rb", "ruby"),
    ("pl", "perl"),
    ("sh", "sh"),
    ("bash", "bash"),
    ("lua", "lua"),
    ("php", "php"),
    ("jl", "julia"),
    ("r", "Rscript"),
    ("jar", "java -jar"),
    ("tcl", "tclsh"),
];

/// A command line split, and what a person should know of it.
#[derive(Debug)]
pub(super) struct Split {
    /// At least one word.
    pub(super) words: Vec<String>,
    pub(super) notes: Vec<String>,
}

/// Splits a command line; an error when a quote is open or when it needs a shell.
pub(super) fn split(text: &str) -> Result<Split, ConfigError> {
    let features = shell_features(text);
    if let Some(feature) = features.refused {
        let words = shlex::split(text).unwrap_or_default();
        let (kept, shell) = (shown(&feature), quoted(text.trim()));
        return Err(ConfigError(format!(
            "the command {} uses {kept}, which only a shell understands, and no shell is started: its words are {}; \
             put it in quotes to pass it on as it is, or write `sh -c {shell}`",
            shown(text),
            list_text(&words),
        )));
    }
    let words = shlex::split(text).ok_or_else(|| {
        ConfigError(format!("the command {} has a quote that is not closed, or ends in `\\`", shown(text)))
    })?;
    if words.first().is_none_or(|word| word.is_empty()) {
        return Err(ConfigError(format!("the command {} names no program", shown(text))));
    }
    let notes = features.noted.map(|feature| {
        format!(
            "{} in {} is passed on as it is: no shell expands it; its words are {}",
            shown(&feature),
            shown(text),
            list_text(&words)
        )
    });
    Ok(Split { notes: notes.into_iter().collect(), words })
}

/// The words of a command line: at least one.
///
/// # Errors
/// A quote that is open, no word at all, or what only a shell would understand.
pub fn split_command(text: &str) -> Result<Vec<String>, ConfigError> {
    split(text).map(|split| split.words)
}

/// Words as a list in bot.toml.
pub(super) fn list_text(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
    format!("[{}]", words.join(", "))
}

/// A word as a shell wants it, on one line whatever is in it.
pub(super) fn quoted(word: &str) -> String {
    if word.contains(char::is_control) {
        return format!("$'{}'", word.chars().map(ansi_c).collect::<String>());
    }
    shlex::try_quote(word).map_or_else(|_| word.to_string(), |word| word.into_owned())
}

/// A letter within a shell's `$'…'`.
fn ansi_c(letter: char) -> String {
    match letter {
        '\n' | '\t' | '\r' | '\\' | '\'' => letter.escape_default().to_string(),
        _ if letter.is_control() => format!("\\u{:04x}", u32::from(letter)),
        _ => letter.to_string(),
    }
}

/// Words as a line for a shell.
pub(super) fn command_text(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// What a bot with this command is called when nobody says: its script's name, else its program's; one that is wrapped is
/// called as if it were not.
pub(super) fn default_name(words: &[String]) -> String {
    let program = words.first().map_or("", String::as_str);
    if let [wrapper, dashes, inner @ ..] = words
        && wrapper == WRAPPER
        && dashes == "--"
        && !inner.is_empty()
    {
        return default_name(inner);
    }
    name_from(match operand(words) {
        Some(Operand::Script(script)) => stem(script),
        Some(Operand::Module(module)) => module,
        None => stem(program),
    })
}

/// The script that an interpreter is given, as it is written; `None` for other programs, and for code and modules.
pub fn script_of(words: &[String]) -> Option<&String> {
    match operand(words)? {
        Operand::Script(word) => Some(word),
        Operand::Module(_) => None,
    }
}

/// What runs a script with this name, by its ending.
pub(super) fn interpreter_for(path: &Path) -> Option<&'static str> {
    let ending = path.extension()?.to_str()?.to_lowercase();
    SCRIPT_ENDINGS.iter().find(|(known, _)| *known == ending).map(|(_, interpreter)| *interpreter)
}

/// A file's name without its ending; `.2` in `bot-1.2` is no ending.
pub(super) fn stem(path: &str) -> &str {
    let name = Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && ending.starts_with(|c: char| c.is_ascii_alphabetic()) => stem,
        _ => name,
    }
}

enum Operand<'a> {
    Script(&'a String),
    Module(&'a String),
}

/// What an interpreter is told to run; `None` for code, and when the program is no interpreter.
fn operand(words: &[String]) -> Option<Operand<'_>> {
    let (program, arguments) = words.split_first()?;
    let interpreter = interpreter_name(program)?;
    let mut arguments = arguments.iter();
    while let Some(word) = arguments.next() {
        match option_meaning(interpreter, word) {
            Meaning::Nothing => {}
            Meaning::ValueFollows => drop(arguments.next()),
            Meaning::ModuleFollows => return arguments.next().map(Operand::Module),
            Meaning::CodeFollows => return None,
            Meaning::Script => return Some(Operand::Script(word)),
        }
    }
    None
}

/// What a word before the script means to an interpreter.
enum Meaning {
    Nothing,
    ValueFollows,
    ModuleFollows,
    CodeFollows,
    Script,
}

fn option_meaning(interpreter: &str, word: &str) -> Meaning {
    match (interpreter, word) {
        ("python" | "pypy", "-m") | ("java", "-m" | "--module") => Meaning::ModuleFollows,
        ("python" | "pypy", "-c") | ("php", "-r") => Meaning::CodeFollows,
        ("perl" | "ruby" | "lua" | "luajit" | "julia" | "rscript", "-e") => Meaning::CodeFollows,
        ("node" | "nodejs" | "bun", "-e" | "-p" | "--eval" | "--print") => Meaning::CodeFollows,
        ("bash" | "sh" | "dash" | "zsh" | "ksh" | "fish", _) if word.starts_with('-') && word.ends_with('c') => {
            Meaning::CodeFollows
        }
        ("python" | "pypy", "-W" | "-X")
        | ("java", "-cp" | "-classpath" | "--class-path" | "-p" | "--module-path")
        | ("node" | "nodejs" | "bun", "-r" | "--require" | "--import")
        | ("perl" | "ruby", "-I" | "-r") => Meaning::ValueFollows,
        ("deno" | "bun" | "dotnet", "run") => Meaning::Nothing,
        _ if word.starts_with('-') => Meaning::Nothing,
        _ => Meaning::Script,
    }
}

/// Whether two programs are the same interpreter, in whatever version.
pub fn same_interpreter(first: &str, second: &str) -> bool {
    let name = |program: &str| interpreter_name(program).map(|name| name.trim_end_matches("js"));
    name(first).is_some_and(|first| name(second) == Some(first))
}

/// The entry of [`INTERPRETERS`] that this program is.
fn interpreter_name(program: &str) -> Option<&'static str> {
    let name = Path::new(program).file_name().and_then(|name| name.to_str()).unwrap_or(program).to_lowercase();
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    INTERPRETERS.into_iter().find(|known| *known == name)
}

#[derive(Default)]
struct Features {
    /// What changes the command's meaning: operators, variables, comments.
    refused: Option<String>,
    /// What may well be meant as it is: patterns, `~`, a variable in double quotes.
    noted: Option<String>,
}

/// The first thing of each sort that a shell would act on.
fn shell_features(text: &str) -> Features {
    let mut found = Features::default();
    let (mut quote, mut word_start) = (None, true);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        let expands = letter == '`' || (letter == '$' && after.starts_with(starts_variable));
        let mut skip_next = false;
        match (quote, letter) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (Some('\''), _) => {}
            (_, '\\') => skip_next = true,
            (Some(_), _) if expands => note(&mut found.noted, rest),
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(letter),
            (None, '|' | '&' | ';' | '<' | '>' | '(' | ')') => note(&mut found.refused, rest),
            (None, _) if expands || (letter == '#' && word_start) => note(&mut found.refused, rest),
            (None, '*' | '?') => note(&mut found.noted, rest),
            (None, '~') if word_start => note(&mut found.noted, rest),
            _ => {}
        }
        word_start = letter.is_whitespace();
        rest = after;
        if skip_next && let Some(next) = rest.chars().next() {
            rest = &rest[next.len_utf8()..];
        }
    }
    found
}

fn starts_variable(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_{(?@".contains(letter)
}

/// Keeps the first finding: an operator with its double (`&&`), a variable with its name, a sign alone.
fn note(kept: &mut Option<String>, rest: &str) {
    let first = rest.chars().next().unwrap_or_default();
    let same = |c: char| c == first;
    let end = match first {
        '$' => 1 + rest[1..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len() - 1),
        '|' | '&' | '>' | '<' => rest.find(|c| !same(c)).unwrap_or(rest.len()).min(2),
        _ => 1,
    };
    kept.get_or_insert_with(|| rest[..end].to_string());
}
