//! Tests that cannot run on every machine say so, in one way, so that a skip is never taken for a pass.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

/// Whether a program is on the PATH; when it is not, the skip is printed and counted, and the test is to return.
///
/// ```no_run
/// if !tests::skip::needs("python3") {
///     return;
/// }
/// ```
pub fn needs(program: &str) -> bool {
    needs_that(program, is_on_path(program))
}

/// The same for anything else that a test needs; `what` names it as `tests/allowed-skips.txt` does.
pub fn needs_that(what: &str, is_there: bool) -> bool {
    if !is_there {
        record(what);
    }
    is_there
}

/// Prints the skip, and appends it to the file that `ARENA_SKIPS` names, for `tests/run` to count.
fn record(what: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    println!("SKIPPED: needs {what}");
    let Some(file) = std::env::var_os("ARENA_SKIPS") else { return };
    let mut file = OpenOptions::new().create(true).append(true).open(&file).expect("ARENA_SKIPS names a writable file");
    file.write_all(format!("{what}\t{test}\n").as_bytes()).expect("the list of skips is written");
}

fn is_on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| is_executable(&folder.join(program)))
}

fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_is_there_only() {
        assert!(is_on_path("sh"));
        assert!(!is_on_path("no-such-program-anywhere"));
    }
}
