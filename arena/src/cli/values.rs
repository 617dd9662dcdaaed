//! Values of flags that several commands share, read and checked.

use super::failure::Failure;
use super::{games, output};
use crate::config::{parse_duration, parse_size};
use crate::game::{AnyGame, Params};
use crate::table::Thinking;
use crate::transport::Limits;
use std::time::Duration;

/// Reads a duration, for clap.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    parse_duration(text).map_err(|error| error.to_string())
}

/// Reads who thinks when, for clap.
pub(super) fn thinking(text: &str) -> Result<Thinking, String> {
    Thinking::parse(text).ok_or_else(|| "it is `own-turn` or `any`".to_string())
}

/// Reads `--param K=V`s of a game: V is JSON.
pub(super) fn params(game: &dyn AnyGame, texts: &[String]) -> Result<Params, Failure> {
    let known: Vec<&str> = game.params().iter().map(|spec| spec.name).collect();
    let mut params = Params::new();
    for text in texts {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| Failure::new(format!("--param {text}: write it as NAME=VALUE, like size=8")))?;
        if !known.contains(&name) {
            let (name, meant) = (output::harmless(name), games::meant(name, &known));
            let (id, known) = (game.info().id, known.join(", "));
            return Err(Failure::new(format!("{id} has no parameter `{name}`{meant} Its parameters: {known}")));
        }
        let value = serde_json::from_str(value).map_err(|_| {
            Failure::new(format!("--param {text}: `{value}` is no number or list, like 8 or [[1,6],[3,4]]"))
        })?;
        if params.insert(name.to_string(), value).is_some() {
            return Err(Failure::new(format!("--param {name} is given twice")));
        }
    }
    Ok(params)
}

/// Reads `--limit K=V`s.
pub(super) fn limits(texts: &[String]) -> Result<Limits, Failure> {
    let mut limits = Limits::default();
    for text in texts {
        match text.split_once('=') {
            Some(("cpu", value)) => {
                let time = parse_duration(value)?;
                if time.as_secs() == 0 || time.subsec_nanos() > 0 {
                    return Err(Failure::new(format!(
                        "--limit {text}: processor time is limited in whole seconds, from 1s"
                    )));
                }
                limits.cpu_seconds = Some(time.as_secs());
            }
            Some(("files", value)) => limits.file_bytes = Some(parse_size(value)?),
            Some(("memory", value)) => limits.memory_bytes = Some(parse_size(value)?),
            Some(("temp", value)) => limits.temp_bytes = Some(parse_size(value)?),
            Some(("processes", value)) => {
                let processes = value.parse().ok().filter(|processes| *processes > 0);
                let wrong = || Failure::new(format!("--limit {text}: `{value}` is no number of processes, like 64"));
                limits.processes = Some(processes.ok_or_else(wrong)?);
            }
            _ => {
                return Err(Failure::new(format!(
                    "--limit {text}: the limits are cpu=60s, memory=512MiB, files=16MiB, processes=64 and temp=32MiB"
                )));
            }
        }
    }
    Ok(limits)
}
