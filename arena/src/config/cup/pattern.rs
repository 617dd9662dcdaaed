//! Patterns of paths: `*` for any letters of a name, `?` for one. Nothing else is special, so that a folder may be called
//! anything.

use std::fs;
use std::path::Path;

/// Whether the text is a pattern rather than a path.
pub(super) fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?'])
}

/// The paths that match, as they would be written in the pattern's place, by name; an error in words when the pattern
/// cannot be followed. A pattern finds no hidden entries unless it begins with a dot, and no `__pycache__`.
pub(super) fn matches(folder: &Path, pattern: &str) -> Result<Vec<String>, String> {
    if pattern.contains("**") {
        return Err("has `**`, which means nothing here: write a `*` for each level of folders".to_string());
    }
    let mut found = vec![String::new()];
    for (place, part) in pattern.split('/').enumerate() {
        let separator = if place == 0 { "" } else { "/" };
        let mut longer = Vec::new();
        for before in found {
            let before = format!("{before}{separator}");
            if is_pattern(part) {
                longer.extend(entries(&folder.join(&before), part)?.iter().map(|name| format!("{before}{name}")));
            } else {
                longer.push(format!("{before}{part}"));
            }
        }
        found = longer;
    }
    found.retain(|path| folder.join(path).exists());
    Ok(found)
}

/// The names in a folder that match, in order; none where there is no such folder.
fn entries(folder: &Path, pattern: &str) -> Result<Vec<String>, String> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let unreadable = |error: std::io::Error| format!("cannot be followed: {}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        let name = name.into_string().map_err(|name| {
            format!("cannot be followed: the name {} is not UTF-8: rename it", folder.join(name).display())
        })?;
        let hidden = (name.starts_with('.') && !pattern.starts_with('.')) || name == "__pycache__";
        if !hidden && fits(&name, pattern) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// Whether a name matches. Goes back to the last `*` only, so that no pattern takes long.
fn fits(name: &str, pattern: &str) -> bool {
    let (name, pattern): (Vec<char>, Vec<char>) = (name.chars().collect(), pattern.chars().collect());
    let (mut at, mut part) = (0, 0);
    let mut star = None;
    while at < name.len() {
        match pattern.get(part) {
            Some('*') => {
                star = Some((part, at));
                part += 1;
            }
            Some(letter) if *letter == '?' || *letter == name[at] => {
                at += 1;
                part += 1;
            }
            _ => {
                let Some((from, taken)) = star else { return false };
                star = Some((from, taken + 1));
                at = taken + 1;
                part = from + 1;
            }
        }
    }
    pattern[part..].iter().all(|letter| *letter == '*')
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn names_fit_patterns() {
        for (name, pattern) in
            [("bot", "*"), ("bot.py", "*.py"), ("a1", "a?"), ("abcabd", "*ab?"), ("é", "?"), ("a", "a**")]
        {
            assert!(fits(name, pattern), "{name} fits {pattern}");
        }
        for (name, pattern) in
            [("bot.js", "*.py"), ("a", "a?"), ("abc", "?"), ("ab", "b*"), ("abcab", "*abd"), ("[a]", "[b]")]
        {
            assert!(!fits(name, pattern), "{name} does not fit {pattern}");
        }
    }
}
