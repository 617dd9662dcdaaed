//! What people write, in temporary folders, and what they are told.

mod amounts;
mod cups;
mod forms;
mod manifests;
mod mutations;
mod startable;

use super::{BotKind, BotSpec, ConfigError, Launch, read_bot};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A folder to be the caller's, with another in it for bundled bots.
struct Ground(tempfile::TempDir);

impl Ground {
    fn new() -> Ground {
        let ground = Ground(tempfile::tempdir().expect("a temporary folder"));
        ground.folder("arena-dir");
        ground
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().expect("temporary paths are UTF-8").to_string()
    }

    fn folder(&self, name: &str) {
        fs::create_dir_all(self.path(name)).expect("a folder can be made");
    }

    /// A file with its folders, readable, not executable.
    fn file(&self, name: &str, content: impl AsRef<[u8]>) {
        self.folder(Path::new(name).parent().and_then(Path::to_str).unwrap_or_default());
        // A new file each time: some file systems flush one that is cut and written again to the disk, thousands here.
        let _ = fs::remove_file(self.path(name));
        fs::write(self.path(name), content).expect("a file can be written");
        self.mode(name, 0o644);
    }

    /// A file that may be executed.
    fn program(&self, name: &str, content: impl AsRef<[u8]>) {
        self.file(name, content);
        self.mode(name, 0o755);
    }

    fn mode(&self, name: &str, mode: u32) {
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(mode)).expect("a mode can be set");
    }

    fn read(&self, bot: &str) -> Result<BotSpec, ConfigError> {
        read_bot(bot, self.0.path(), &self.path("arena-dir"))
    }

    fn spec(&self, bot: &str) -> BotSpec {
        self.read(bot).unwrap_or_else(|error| panic!("{bot:?} is a bot, but: {error}"))
    }

    fn launch(&self, bot: &str) -> Launch {
        match self.spec(bot).kind {
            BotKind::Program(launch) => launch,
            BotKind::Human => panic!("{bot:?} is a program"),
        }
    }

    fn error(&self, bot: &str) -> String {
        match self.read(bot) {
            Err(error) => error.to_string(),
            Ok(spec) => panic!("{bot:?} is refused, but was read as {spec:?}"),
        }
    }
}

/// Asserts that a message says all of this, on one line.
#[track_caller]
fn says(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "the message lacks {part:?}: {message}");
    }
    assert!(!message.contains(char::is_control), "the message has a bare control character: {message:?}");
}
