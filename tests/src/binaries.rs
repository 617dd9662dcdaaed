//! Where the programs under test are: in the target folder of the test that runs.

use std::path::{Path, PathBuf};

/// The `arena` program that was built with the running test.
pub fn arena() -> PathBuf {
    program("arena")
}

/// The fixture bot.
pub fn fixture() -> PathBuf {
    program("fixture")
}

/// A program of the workspace by its name; panics with the way out where it is not built.
pub fn program(name: &str) -> PathBuf {
    let path = folder().join(name);
    assert!(path.is_file(), "{} is not built: run `cargo build --workspace --bins`, or tests/run", path.display());
    path
}

/// The folder of the workspace's `Cargo.toml`: where cargo runs the test now, else where it was built.
pub fn repository() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&package).parent().expect("the package lies in the workspace's folder").to_path_buf()
}

/// `target/PROFILE`: the test itself runs from `deps` in it.
fn folder() -> PathBuf {
    let test = std::env::current_exe().expect("a running test has a file");
    let deps = test.parent().expect("a file is in a folder");
    match deps.file_name() {
        Some(name) if name == "deps" => deps.parent().expect("deps is in the profile's folder").to_path_buf(),
        _ => deps.to_path_buf(),
    }
}
