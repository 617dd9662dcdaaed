//! Whether a bot that was submitted is fit for cups: built as a cup builds it, and put to the whole of `arena check`.

use super::bots::bundled_folder;
use super::building::{Builder, check_built};
use super::check::{Summary, examine};
use super::confine::Confiner;
use super::failure::Failure;
use super::signals::Signals;
use crate::config::{BUILD_TIME, BotKind, BotSpec, read_bot};
use crate::files::temporary_file;
use crate::isolation::{Mode, Settings};
use crate::play::fitness::Confined;
use crate::transport::Program;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// So much is shown of what a build step printed last, in bytes.
const SHOWN: u64 = 2048;

/// Tries the bot whose bot.toml is in `folder`, under this name. The folder may be changed meanwhile: a build step that is not confined
/// runs in it. `None` when it was stopped.
pub(super) fn fitness(
    folder: &Path,
    name: &str,
    isolation: Mode,
    signals: &Signals,
) -> Result<Option<Summary>, Failure> {
    let text = folder.to_str().ok_or_else(|| Failure::new(format!("{} is not valid UTF-8", folder.display())))?;
    let spec = BotSpec { name: name.to_string(), ..read_bot(text, Path::new("/"), &bundled_folder()?)? };
    let settings = Settings { mode: isolation, ..Settings::default() };
    let confiner = Confiner::prepare(&settings, [&spec])?;
    let program = match build(&spec, &confiner, signals) {
        Ok(program) => program,
        Err(_) if signals.status().is_some() => return Ok(None),
        Err(why) => return Ok(Some(Summary::unbuilt(why))),
    };
    let confined = match confiner.confines(&spec) {
        true => Confined::As(format!("{}: {}", isolation.as_str(), confiner.layers())),
        false => Confined::NotAskedFor,
    };
    let summary = examine(&spec, &program, &confiner, &confined, &signals.interrupt())?;
    Ok(signals.status().is_none().then_some(summary))
}

/// The program, built where there is a build step, as a cup does it.
fn build(spec: &BotSpec, confiner: &Confiner, signals: &Signals) -> Result<Program, String> {
    let BotKind::Program(launch) = &spec.kind else { return Err("it is no program".to_string()) };
    let mut built = None;
    if let Some(build) = &launch.build {
        let mut log = temporary_file()?;
        let builder = Builder { confiner, time: BUILD_TIME, network: false, interrupt: &signals.interrupt() };
        built = builder.build(spec, launch, build, &log, "").map_err(|why| format!("{why}{}", last_words(&mut log)))?;
    }
    check_built(launch, built.as_deref())?;
    confiner.program(spec, built.as_deref())?.ok_or_else(|| "it is no program".to_string())
}

fn last_words(log: &mut File) -> String {
    let length = log.seek(SeekFrom::End(0)).unwrap_or(0);
    let mut bytes = Vec::new();
    let _ = log.seek(SeekFrom::Start(length.saturating_sub(SHOWN))).and_then(|_| log.read_to_end(&mut bytes));
    let text = String::from_utf8_lossy(&bytes);
    if text.trim().is_empty() { String::new() } else { format!("; it printed last:\n{}", text.trim_end()) }
}
