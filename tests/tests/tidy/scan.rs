//! Reads Rust text just well enough for the rules: code apart from comments and literals, paths, test modules.

/// A source text, taken apart. `code` has the text's lines, with comments and the inside of literals blanked.
pub struct Source {
    pub code: String,
    /// Every string literal as written between its quotes, with its line from 1.
    pub literals: Vec<(usize, String)>,
}

/// Takes a Rust text apart.
pub fn scan(text: &str) -> Source {
    let mut scanner =
        Scanner { rest: text.chars().collect(), at: 0, line: 1, code: String::new(), literals: Vec::new() };
    while scanner.at < scanner.rest.len() {
        scanner.step();
    }
    Source { code: scanner.code, literals: scanner.literals }
}

struct Scanner {
    rest: Vec<char>,
    at: usize,
    line: usize,
    code: String,
    literals: Vec<(usize, String)>,
}

impl Scanner {
    fn step(&mut self) {
        if self.sees("//") {
            while self.at < self.rest.len() && self.rest[self.at] != '\n' {
                self.blank();
            }
        } else if self.sees("/*") {
            self.block_comment();
        } else if let Some(hashes) = self.raw_string() {
            self.string(Some(hashes));
        } else if self.sees("\"") {
            self.string(None);
        } else if self.sees("'") && self.is_character() {
            self.character();
        } else {
            self.keep();
        }
    }

    fn sees(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(offset, wanted)| self.rest.get(self.at + offset) == Some(&wanted))
    }

    fn keep(&mut self) {
        self.take(false);
    }

    fn blank(&mut self) {
        self.take(true);
    }

    fn take(&mut self, blank: bool) -> char {
        let letter = self.rest[self.at];
        self.at += 1;
        self.line += usize::from(letter == '\n');
        self.code.push(if blank && letter != '\n' { ' ' } else { letter });
        letter
    }

    fn block_comment(&mut self) {
        let mut depth = 0;
        while self.at < self.rest.len() {
            let step = i32::from(self.sees("/*")) - i32::from(self.sees("*/"));
            depth += step;
            self.blank();
            if step != 0 && self.at < self.rest.len() {
                self.blank();
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// How many hashes a raw string that begins here has.
    fn raw_string(&self) -> Option<usize> {
        let begins_word = self.at == 0 || !is_word(self.rest[self.at - 1]) || self.rest[self.at - 1] == 'b';
        if !self.sees("r") || !begins_word {
            return None;
        }
        let hashes = self.rest[self.at + 1..].iter().take_while(|letter| **letter == '#').count();
        (self.rest.get(self.at + 1 + hashes) == Some(&'"')).then_some(hashes)
    }

    fn string(&mut self, raw: Option<usize>) {
        let line = self.line;
        for _ in 0..raw.map_or(0, |hashes| hashes + 1) {
            self.blank();
        }
        self.keep();
        let end = format!("\"{}", "#".repeat(raw.unwrap_or(0)));
        let mut text = String::new();
        while self.at < self.rest.len() && !self.sees(&end) {
            if raw.is_none() && self.sees("\\") {
                text.push(self.take(true));
            }
            if self.at < self.rest.len() {
                text.push(self.take(true));
            }
        }
        for letter in end.chars() {
            if self.at < self.rest.len() {
                self.take(letter != '"');
            }
        }
        self.literals.push((line, text));
    }

    /// A character literal, and not a lifetime.
    fn is_character(&self) -> bool {
        self.rest.get(self.at + 1) == Some(&'\\') || self.rest.get(self.at + 2) == Some(&'\'')
    }

    fn character(&mut self) {
        self.keep();
        if self.sees("\\") {
            self.blank();
        }
        self.blank();
        while self.at < self.rest.len() && !self.sees("'") {
            self.blank();
        }
        if self.at < self.rest.len() {
            self.keep();
        }
    }
}

/// Blanks every `#[cfg(test)]` item with a body, so that a rule about the program leaves its unit tests alone.
pub fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut kept = code.to_owned();
    while let Some(start) = kept.find(MARK) {
        let end = start + end_of_item(&kept[start..]);
        let blank: String = kept[start..end].chars().map(|letter| if letter == '\n' { '\n' } else { ' ' }).collect();
        kept.replace_range(start..end, &blank);
    }
    kept
}

/// Where the item that begins here ends: after its `;`, or after the brace that closes it.
fn end_of_item(code: &str) -> usize {
    let mut depth = 0;
    for (place, letter) in code.char_indices() {
        match letter {
            ';' if depth == 0 => return place + 1,
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return place + 1;
                }
            }
            _ => {}
        }
    }
    code.len()
}

/// The names that directly follow `root::`, also in a group `root::{a, b::c}`, each with its line from 1.
pub fn paths(code: &str, root: &str) -> Vec<(usize, String)> {
    let start = format!("{root}::");
    let mut found = Vec::new();
    for (place, _) in code.match_indices(&start) {
        let before = code[..place].chars().next_back();
        if before.is_some_and(|letter| is_word(letter) || letter == ':') {
            continue;
        }
        let line = line_of(code, place);
        let rest = code[place + start.len()..].trim_start();
        match rest.strip_prefix('{') {
            Some(group) => found.extend(group_heads(group).into_iter().map(|name| (line, name))),
            None => found.push((line, first_word(rest))),
        }
    }
    found
}

/// The first name of each entry of a `use` group, whose opening brace is already read.
fn group_heads(group: &str) -> Vec<String> {
    let mut depth = 1;
    let mut entries = vec![String::new()];
    for letter in group.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => entries.push(String::new()),
            _ if depth == 1 => entries.last_mut().expect("there is one from the start").push(letter),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    entries.iter().map(|entry| first_word(entry.trim())).filter(|name| !name.is_empty()).collect()
}

/// The lines, from 1, on which `needle` stands as words of their own.
pub fn lines_with(code: &str, needle: &str) -> Vec<usize> {
    let is_apart =
        |letter: Option<char>, edge: Option<char>| !(letter.is_some_and(is_word) && edge.is_some_and(is_word));
    code.match_indices(needle)
        .filter(|(place, _)| is_apart(code[..*place].chars().next_back(), needle.chars().next()))
        .filter(|(place, _)| is_apart(code[place + needle.len()..].chars().next(), needle.chars().next_back()))
        .map(|(place, _)| line_of(code, place))
        .collect()
}

/// The same for several needles: each line with the needle that was found on it.
pub fn lines_with_any(code: &str, needles: &[&str]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for needle in needles {
        found.extend(lines_with(code, needle).into_iter().map(|line| (line, (*needle).to_owned())));
    }
    found
}

fn line_of(text: &str, place: usize) -> usize {
    text[..place].matches('\n').count() + 1
}

fn first_word(text: &str) -> String {
    text.chars().take_while(|letter| is_word(*letter)).collect()
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[test]
fn comments_and_literals_are_no_code() {
    let text =
        "let a = \"println!(1)\"; // dbg!\n/* use /* crate::x */ */ let c = '\"'; let d = r#\"a\"b\"#; fn f<'a>() {}";
    let source = scan(text);
    for hidden in ["println", "dbg", "crate", "a\"b"] {
        assert!(!source.code.contains(hidden), "{}", source.code);
    }
    assert!(source.code.contains("fn f<'a>() {}"), "{}", source.code);
    assert_eq!(source.literals, [(1, "println!(1)".to_owned()), (2, "a\"b".to_owned())]);
}

#[test]
fn escapes_do_not_end_a_literal() {
    let source = scan(r#"x("say \"hi\" \\"); y('\''); z(b"\"")"#);
    assert!(source.code.contains("y(") && source.code.contains("z("), "{}", source.code);
    assert_eq!(source.literals.len(), 2);
}

#[test]
fn paths_are_found_alone_and_in_groups() {
    let code =
        "use crate::seat::Seat;\nuse crate::{game::{Game, a}, seed, record as r};\ncrate::play::x(); my_crate::no();";
    let names: Vec<String> = paths(code, "crate").into_iter().map(|(line, name)| format!("{line} {name}")).collect();
    assert_eq!(names, ["1 seat", "2 game", "2 seed", "2 record", "3 play"]);
}

#[test]
fn test_modules_are_left_out() {
    let code =
        "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() { { } }\n}\nfn c() {}\n#[cfg(test)]\nmod tests;\nfn d() {}";
    let kept = without_tests(code);
    assert!(kept.contains("fn a") && kept.contains("fn c") && kept.contains("fn d"), "{kept}");
    assert!(!kept.contains("fn b") && !kept.contains("mod tests"), "{kept}");
    assert_eq!(kept.lines().count(), code.lines().count());
}

#[test]
fn words_are_found_whole() {
    let code = "print!(a);\neprint!(b); Instant::now()\nMyInstant::now()";
    assert_eq!(lines_with(code, "print!"), [1]);
    assert_eq!(lines_with(code, "Instant::now"), [2]);
}
