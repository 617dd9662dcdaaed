//! `arena verify PATH…`: referees transcripts once more.

use super::failure::Failure;
use super::{DONE, FOUND_WRONG, output};
use crate::play;
use crate::record::{read_transcript, why_unread};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct VerifyArguments {
    /// Transcripts, or folders of them
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// One JSON object a transcript, on a line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &VerifyArguments) -> Result<u8, Failure> {
    let mut files = Vec::new();
    for path in &arguments.paths {
        collect(path, &mut files)?;
    }
    let mut wrong = 0;
    for file in &files {
        let problems = match read_transcript(file) {
            Ok(transcript) => play::verify(&transcript),
            Err(error) => vec![error.to_string()],
        };
        wrong += usize::from(!problems.is_empty());
        if arguments.json {
            output::line(&json!({"path": file, "holds": problems.is_empty(), "problems": problems}).to_string())?;
        } else if problems.is_empty() {
            output::line(&format!("{}: holds", file.display()))?;
        } else {
            for problem in problems {
                let prefix = format!("{}:", file.display());
                let problem = problem.strip_prefix(&prefix).map_or(problem.clone(), |rest| format!("line {rest}"));
                output::line(&format!("{}: does not hold: {}", file.display(), output::harmless(&problem)))?;
            }
        }
    }
    if !arguments.json {
        output::line(&format!("{} of {} transcripts hold", files.len() - wrong, files.len()))?;
    }
    Ok(if wrong == 0 { DONE } else { FOUND_WRONG })
}

/// The transcripts that a path stands for.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let cannot = |error: std::io::Error| Failure::new(format!("{}: {}", path.display(), why_unread(&error)));
    if !fs::metadata(path).map_err(cannot)?.is_dir() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    let before = files.len();
    let mut entries: Vec<PathBuf> = fs::read_dir(path)
        .map_err(cannot)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(cannot)?;
    entries.sort();
    files.extend(entries.into_iter().filter(|entry| entry.extension().is_some_and(|ending| ending == "jsonl")));
    if files.len() == before {
        return Err(Failure::new(format!("{}: there is no transcript (*.jsonl) in this folder", path.display())));
    }
    Ok(())
}
