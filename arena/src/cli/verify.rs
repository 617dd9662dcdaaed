//! `arena verify PATH…`: referees transcripts once more, and whole results folders with all that is in them.

use super::failure::Failure;
use super::{DONE, FOUND_WRONG, output};
use crate::config::played_cup;
use crate::play;
use crate::record::{read_transcript, why_unread};
use crate::tournament::audit::{Audit, Setup, audit};
use crate::tournament::ledger::MATCHES;
use crate::tournament::roster::{ENTRANTS, entrant_names};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct VerifyArguments {
    /// Transcripts, folders of them, or a cup's results (a folder with a matches.csv)
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// One JSON object a transcript or results folder, on a line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &VerifyArguments) -> Result<u8, Failure> {
    let mut files = Vec::new();
    let (results, others): (Vec<&PathBuf>, Vec<&PathBuf>) =
        arguments.paths.iter().partition(|path| path.join(MATCHES).is_file());
    for path in others {
        collect(path, &mut files)?;
    }
    let mut wrong = 0;
    for folder in &results {
        wrong += usize::from(!verify_results(folder, arguments.json)?);
    }
    let mut broken = 0;
    for file in &files {
        broken += usize::from(!verify_transcript(file, arguments.json)?);
    }
    if !arguments.json && !files.is_empty() {
        output::line(&format!("{} of {} transcripts hold", files.len() - broken, files.len()))?;
    }
    Ok(if wrong + broken == 0 { DONE } else { FOUND_WRONG })
}

fn verify_transcript(file: &Path, json: bool) -> Result<bool, Failure> {
    let problems = match read_transcript(file) {
        Ok(transcript) => play::verify(&transcript),
        Err(error) => vec![error.to_string()],
    };
    if json {
        output::line(&json!({"path": file, "holds": problems.is_empty(), "problems": problems}).to_string())?;
    } else if problems.is_empty() {
        output::line(&format!("{}: holds", file.display()))?;
    } else {
        for problem in &problems {
            let prefix = format!("{}:", file.display());
            let problem = problem.strip_prefix(&prefix).map_or(problem.clone(), |rest| format!("line {rest}"));
            output::line(&format!("{}: does not hold: {}", file.display(), output::harmless(&problem)))?;
        }
    }
    Ok(problems.is_empty())
}

/// A cup's results: transcripts, rows, schedule and table against one another.
fn verify_results(folder: &Path, json: bool) -> Result<bool, Failure> {
    let setup = setup(folder);
    let Audit { matches, incomplete, mut problems } = audit(folder, setup.as_ref().ok());
    let shown = folder.display();
    if let Err(why) = setup {
        let why = match folder.join(ENTRANTS).exists() {
            true => format!("{why}; so neither schedule nor table could be looked at"),
            false => format!(
                "there is no {ENTRANTS}, so this is no results folder of a cup (in one, `arena tournament run` with the same cup \
                 writes it again); its transcripts can be verified one by one: arena verify {}",
                folder.join("transcripts").display()
            ),
        };
        problems.insert(0, why);
    }
    if json {
        let problems: Vec<&String> = incomplete.iter().chain(&problems).collect();
        let object = json!({"path": folder, "holds": problems.is_empty(), "matches": matches, "problems": problems});
        output::line(&object.to_string())?;
        return Ok(problems.is_empty());
    }
    if let Some(why) = &incomplete {
        output::line(&format!("{shown}: {}", output::harmless(why)))?;
    }
    if problems.is_empty() && incomplete.is_some() {
        return Ok(false);
    } else if problems.is_empty() {
        output::line(&format!("{shown}: holds: {matches} matches, their transcripts, the schedule and the table"))?;
    } else {
        for problem in &problems {
            output::line(&format!("{shown}: does not hold: {}", output::harmless(problem)))?;
        }
        let count = problems.len();
        let problems = if count == 1 { "problem" } else { "problems" };
        output::line(&format!("{shown}: {count} {problems} in {matches} matches"))?;
    }
    Ok(problems.is_empty())
}

/// What was to be played, as the folder tells it.
pub(super) fn setup(folder: &Path) -> Result<Setup, String> {
    let names = entrant_names(folder)?;
    let path = folder.join("cup.toml");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    played_cup(&text, &path.to_string_lossy(), &names).map_err(|error| error.to_string())
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
