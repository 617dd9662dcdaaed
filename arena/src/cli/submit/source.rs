//! What is submitted, brought into one form: a folder with a bot.toml.

use crate::cli::failure::Failure;
use crate::config::{ConfigError, check_name, read_bot};
use crate::submissions::archive::{self, Kind, kind_of, make_place, packed_folder};
use crate::submissions::copy::MOST_BYTES;
use serde_json::Value;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf, absolute};

/// A bot's description.
const MANIFEST: &str = "bot.toml";

/// Why nothing was filed.
pub(super) enum Refused {
    /// The bot cannot be read, or not be filed: a sentence.
    Bot(String),
    /// The arena could not do its work.
    Failure(Failure),
}

impl Refused {
    pub fn bot(why: impl Display) -> Refused {
        Refused::Bot(why.to_string())
    }
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Refused {
        Refused::Failure(failure)
    }
}

/// A bot as it was named.
pub(super) struct Source {
    path: PathBuf,
    /// The name that was written before it.
    pub name: Option<String>,
}

impl Source {
    /// The path that a text names, which has to be there.
    pub fn find(text: &str) -> Result<Source, Failure> {
        let there = |text: &str| absolute(text).ok().filter(|path| !text.is_empty() && path.exists());
        if let Some(path) = there(text) {
            return Ok(Source { path, name: None });
        }
        if let Some((name, rest)) = text.split_once('=')
            && check_name(name).is_ok()
            && let Some(path) = there(rest)
        {
            return Ok(Source { path, name: Some(name.to_string()) });
        }
        Err(Failure::new(format!(
            "there is nothing at {text}: a submission is a folder with a {MANIFEST}, a program or script, a .zip or a .tar.gz"
        )))
    }

    /// Its name as people know it.
    pub fn shown(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// A folder with a bot.toml, in `work` where it is not there already, and a name made of the source's. `games` are what a lone program
    /// plays; all when there are none.
    pub fn open(&self, work: &Path, games: &[String]) -> Result<(PathBuf, String), Refused> {
        let about = fs::metadata(&self.path).map_err(Refused::bot)?;
        if about.is_dir() {
            return Ok((self.path.clone(), default_name(&self.path)?));
        }
        if !about.is_file() {
            return Err(Refused::Bot("it is no folder and no regular file".to_string()));
        }
        if self.path.file_name().is_some_and(|name| name == MANIFEST) {
            let folder = self.path.parent().unwrap_or(Path::new("/")).to_path_buf();
            let name = default_name(&folder)?;
            return Ok((folder, name));
        }
        let file = self.shown();
        let kind = kind_of(&file);
        if kind.is_none() && about.len() > MOST_BYTES {
            let most = MOST_BYTES >> 20;
            return Err(Refused::Bot(format!(
                "it has {} bytes, and {most} MiB are the most for a submission",
                about.len()
            )));
        }
        match kind {
            Some((kind, stem)) => self.unpack(kind, stem, work),
            None => self.wrap(work, games),
        }
    }

    fn unpack(&self, kind: Kind, stem: &str, work: &Path) -> Result<(PathBuf, String), Refused> {
        let outer = work.join("unpacked");
        // A folder of the archive's name: what lies at its top is called after it.
        let place = outer.join(stem);
        make_place(&outer).and_then(|()| make_place(&place)).map_err(Failure::new)?;
        archive::unpack(&self.path, kind, &place).map_err(Refused::Bot)?;
        let folder = packed_folder(&place, |folder| folder.join(MANIFEST).is_file()).ok_or_else(|| {
            Refused::Bot(format!(
                "it has no {MANIFEST} at its top, nor in the one folder at its top: pack the bot's folder, with a {MANIFEST} that has a \
                 line like run = [\"python3\", \"bot.py\"]"
            ))
        })?;
        let name = default_name(&folder)?;
        Ok((folder, name))
    }

    /// A lone program or script gets a bot.toml.
    fn wrap(&self, work: &Path, games: &[String]) -> Result<(PathBuf, String), Refused> {
        let text = self.path.to_str().ok_or_else(|| Refused::Bot("its path is not valid UTF-8".to_string()))?;
        let spec = read_bot(text, Path::new("/"), Path::new("/")).map_err(Refused::bot)?;
        let folder = work.join("alone");
        let file = self.shown();
        let written = make_place(&folder).map_err(Failure::new).and_then(|()| {
            fs::copy(&self.path, folder.join(&file))?;
            let run = Value::from(format!("./{file}"));
            let mut toml = format!("name = {}\nrun = [{run}]\n", Value::from(spec.name.as_str()));
            if !games.is_empty() {
                toml += &format!("games = {}\n", Value::from(games));
            }
            fs::write(folder.join(MANIFEST), toml)?;
            Ok(())
        });
        written?;
        Ok((folder, spec.name))
    }
}

/// The name that a bot has by its folder alone.
fn default_name(folder: &Path) -> Result<String, Refused> {
    let text = folder.to_str().ok_or_else(|| Refused::Bot(format!("{} is not valid UTF-8", folder.display())))?;
    let named = |error: ConfigError| Refused::Bot(error.to_string());
    Ok(read_bot(text, Path::new("/"), Path::new("/")).map_err(named)?.name)
}
