//! `arena verify PATH…`: referees transcripts once more, and whole results folders with all that is in them.

use super::failure::Failure;
use super::{CANNOT, DONE, FOUND_WRONG, output};
use crate::config::played_in;
use crate::play;
use crate::record::{TranscriptError, read_transcript, why_unread};
use crate::tournament::audit::{Audit, audit};
use crate::tournament::ledger::MATCHES;
use crate::tournament::roster::ENTRANTS;
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

/// What verifying came to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Holds,
    Wrong,
    Unread,
}

pub(super) fn run(arguments: &VerifyArguments) -> Result<u8, Failure> {
    let json = arguments.json;
    let (mut cups, mut transcripts) = (Vec::new(), Vec::new());
    for path in &arguments.paths {
        if path.join(MATCHES).symlink_metadata().is_ok() {
            cups.push(verify_results(path, json)?);
            continue;
        }
        match collect(path) {
            Ok(files) => {
                for file in files {
                    transcripts.push(verify_transcript(&file, json)?);
                }
            }
            Err(why) => transcripts.push(unread(path, &why, json)?),
        }
    }
    let count = |verdict| transcripts.iter().filter(|other| **other == verdict).count();
    let (held, read) = (count(Verdict::Holds), transcripts.len() - count(Verdict::Unread));
    if !json && read > 0 {
        output::line(&format!("{held} of {read} transcripts hold"))?;
    }
    let any = |verdict| cups.contains(&verdict) || transcripts.contains(&verdict);
    Ok(match () {
        () if any(Verdict::Unread) => CANNOT,
        () if any(Verdict::Wrong) => FOUND_WRONG,
        () => DONE,
    })
}

/// Tells that a path could not be read. `why` names it.
fn unread(path: &Path, why: &str, json: bool) -> Result<Verdict, Failure> {
    output::complain(&format!("error: {}", output::harmless(why)));
    if json {
        output::line(&json!({"path": path, "holds": null, "problems": [why]}).to_string())?;
    }
    Ok(Verdict::Unread)
}

fn verify_transcript(file: &Path, json: bool) -> Result<Verdict, Failure> {
    let problems = match read_transcript(file) {
        Ok(transcript) => play::verify(&transcript),
        Err(error @ TranscriptError::File { .. }) => return unread(file, &error.to_string(), json),
        Err(error) => vec![error.to_string()],
    };
    if json {
        output::line(&json!({"path": file, "holds": problems.is_empty(), "problems": problems}).to_string())?;
    } else if problems.is_empty() {
        output::line(&format!("{}: holds", shown(file)))?;
    } else {
        for problem in &problems {
            let prefix = format!("{}:", file.display());
            let problem = problem.strip_prefix(&prefix).map_or(problem.clone(), |rest| format!("line {rest}"));
            output::line(&format!("{}: does not hold: {}", shown(file), output::harmless(&problem)))?;
        }
    }
    Ok(verdict(&problems))
}

fn verdict(problems: &[impl AsRef<str>]) -> Verdict {
    if problems.is_empty() { Verdict::Holds } else { Verdict::Wrong }
}

/// A path as it may stand on a terminal.
fn shown(path: &Path) -> String {
    output::harmless(&path.display().to_string())
}

/// A cup's results: transcripts, rows, schedule and table against one another.
fn verify_results(folder: &Path, json: bool) -> Result<Verdict, Failure> {
    let setup = played_in(folder);
    let Audit { matches, incomplete, mut problems } = audit(folder, setup.as_ref().ok());
    let shown = shown(folder);
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
        return Ok(verdict(&problems));
    }
    if let Some(why) = &incomplete {
        output::line(&format!("{shown}: {}", output::harmless(why)))?;
    }
    if problems.is_empty() && incomplete.is_some() {
        return Ok(Verdict::Wrong);
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
    Ok(verdict(&problems))
}

/// The transcripts that a path stands for.
fn collect(path: &Path) -> Result<Vec<PathBuf>, String> {
    if !path.is_dir() {
        // What it is else is told when it is opened.
        return Ok(vec![path.to_path_buf()]);
    }
    let cannot = |error: std::io::Error| format!("{}: {}", path.display(), why_unread(&error));
    let entries: Result<Vec<_>, _> = fs::read_dir(path).map_err(cannot)?.collect();
    let mut files: Vec<PathBuf> = entries.map_err(cannot)?.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
    if files.is_empty() {
        return Err(format!("{}: there is no transcript (*.jsonl) in this folder", path.display()));
    }
    files.sort();
    Ok(files)
}
