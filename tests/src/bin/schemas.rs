//! Writes the JSON Schemas of messages and transcripts into `arena/docs/schemas`.

use std::fs;
use std::io;
use tests::binaries::repository;
use tests::schemas;

fn main() -> io::Result<()> {
    let folder = repository().join(schemas::FOLDER);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    for (name, text) in schemas::files() {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a file is in a folder"))?;
        fs::write(path, text)?;
    }
    Ok(())
}
