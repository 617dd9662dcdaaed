//! What a check found, for people and for programs: the verdict first, then what to mend, then every check.

use super::playing::Done;
use super::{Candidate, CheckArguments, Summary};
use crate::cli::failure::Failure;
use crate::cli::output::{self, Paper, harmless};
use crate::cli::{own, telling};
use crate::config::BotKind;
use crate::play::Forfeit;
use crate::play::fitness::{Confined, Evidence, Finding, Played, Status, Weight, judge, mistake};
use crate::record::read_transcript;
use crate::tournament::failures::debug_command;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// So many checks may have the same matches, and each is told how long they took.
const SHARING: usize = 3;

/// Tells all of it. True when the bot is fit.
pub(super) fn tell(arguments: &CheckArguments, candidate: &Candidate<'_>, mut done: Done) -> Result<bool, Failure> {
    let findings = findings(candidate, &done);
    let kept = keep(arguments, &findings, &mut done)?;
    let only = arguments.manner.only.as_deref();
    let report = Report { candidate, findings: &findings, done: &done, kept, only };
    let mut paper = Paper::new(arguments.json);
    for line in report.text() {
        paper.line(&line)?;
    }
    if arguments.json {
        output::line(&report.json().to_string())?;
    }
    Ok(report.is_fit())
}

/// What it came to, in short.
pub(super) fn summary(candidate: &Candidate<'_>, done: &Done) -> Summary {
    let findings = findings(candidate, done);
    let report = Report { candidate, findings: &findings, done, kept: BTreeMap::new(), only: None };
    let with = |status: Status| findings.iter().filter(move |finding| finding.judged.status == status);
    let games: Vec<&str> = done.games.iter().map(|game| game.info().id).filter(|game| report.fits(game)).collect();
    let not_played = report.not_played().into_iter().map(|(game, why)| format!("does not play {game}: {why}"));
    // A position fails by a mistake that has a check of its own.
    let failed = with(Status::Failed).filter(|finding| !finding.is_position);
    let mut failed: Vec<String> = failed
        .map(|finding| {
            let fault = finding.judged.at.and_then(|place| done.played[place].seen.fault.as_ref());
            let detail = fault.map(|(_, fault)| format!("\n{}", fault.detail)).unwrap_or_default();
            format!("{}: {}{detail}", finding.name, finding.judged.words)
        })
        .collect();
    failed.extend(done.missing.clone());
    let fit = report.is_fit();
    if !fit && failed.is_empty() {
        failed.extend(not_played);
    }
    Summary {
        fit,
        games,
        checks: findings.len(),
        matches: done.played.len(),
        failed,
        warned: with(Status::Warned).map(|finding| finding.name.clone()).collect(),
    }
}

fn findings(candidate: &Candidate<'_>, done: &Done) -> Vec<Finding> {
    judge(&evidence(candidate, done))
}

fn evidence<'a>(candidate: &'a Candidate<'_>, done: &'a Done) -> Evidence<'a> {
    let Done { played, missing, .. } = done;
    let memory_bytes = candidate.memory_bytes();
    Evidence { played, memory_bytes, confined: candidate.confined, missing: missing.as_deref() }
}

/// Keeps the transcripts of what failed: where each is now, by its place.
fn keep(
    arguments: &CheckArguments,
    findings: &[Finding],
    done: &mut Done,
) -> Result<BTreeMap<usize, PathBuf>, Failure> {
    // For a warning alone nothing is left behind unless that is asked for.
    let failed = |finding: &&Finding| match finding.judged.status {
        Status::Failed => true,
        Status::Warned => arguments.keep.is_some(),
        _ => false,
    };
    let places = findings.iter().filter(failed).filter_map(|finding| finding.judged.at);
    let mut kept: BTreeMap<usize, PathBuf> = places.map(|place| (place, PathBuf::new())).collect();
    if kept.is_empty() {
        return Ok(kept);
    }
    let folder = match &arguments.keep {
        Some(folder) => folder.clone(),
        None => {
            done.folder.disable_cleanup(true);
            done.folder.path().to_path_buf()
        }
    };
    let cannot = |error| Failure::new(format!("{} cannot be written: {error}", folder.display()));
    fs::create_dir_all(&folder).map_err(cannot)?;
    let folder = std::path::absolute(&folder).map_err(cannot)?;
    for (place, path) in &mut kept {
        let played = &done.played[*place];
        *path = folder.join(format!("{}.jsonl", played.trial.name.replace('/', "-")));
        fs::copy(&played.transcript, &*path).map_err(cannot)?;
    }
    if arguments.keep.is_none() {
        for played in done.played.iter().chain(done.not_played.iter().map(|(_, played)| played)) {
            let _ = fs::remove_file(&played.transcript);
        }
    }
    Ok(kept)
}

/// What was found, ready to be told.
struct Report<'a> {
    candidate: &'a Candidate<'a>,
    findings: &'a [Finding],
    done: &'a Done,
    kept: BTreeMap<usize, PathBuf>,
    only: Option<&'a str>,
}

impl Report<'_> {
    fn evidence(&self) -> Evidence<'_> {
        evidence(self.candidate, self.done)
    }

    fn fits(&self, game: &str) -> bool {
        !self.findings.iter().any(|finding| finding.rules_out(game))
    }

    fn is_fit(&self) -> bool {
        let mut games = self.done.games.iter().map(|game| self.fits(game.info().id));
        let some = !self.done.games.is_empty();
        if self.candidate.wanted.named {
            some && self.candidate.wanted.refused.is_empty() && games.all(|fits| fits)
        } else {
            games.any(|fits| fits)
        }
    }

    fn text(&self) -> Vec<String> {
        let mut lines = self.verdict();
        for finding in self.findings.iter().filter(|finding| finding.judged.status == Status::Failed) {
            // A position fails by a mistake that has a check of its own, where it is explained.
            if !finding.is_position {
                lines.push(String::new());
                lines.extend(self.failed(finding));
            }
        }
        let warned = self.findings.iter().filter(|finding| finding.judged.status == Status::Warned);
        for finding in warned {
            lines.push(String::new());
            lines.push(format!("WARNING {} (wanted: it {})", finding.name, finding.what));
            lines.push(format!("  {}", harmless(&finding.judged.words)));
        }
        lines.push(String::new());
        lines.push("All checks, each with the time of its matches where these are its own:".to_string());
        let width = self.findings.iter().map(|finding| finding.name.len()).max().unwrap_or(0);
        lines.extend(self.findings.iter().map(|finding| row(finding, width, self.has_own_time(finding))));
        lines
    }

    /// Whether no more than a few checks are judged by the same matches: a total of all matches tells nothing on thirty lines.
    fn has_own_time(&self, finding: &Finding) -> bool {
        self.findings.iter().filter(|other| other.judged.by == finding.judged.by).count() <= SHARING
    }

    fn verdict(&self) -> Vec<String> {
        let name = &self.candidate.bot.name;
        let (fit, unfit): (Vec<&str>, Vec<&str>) =
            self.done.games.iter().map(|game| game.info().id).partition(|id| self.fits(id));
        let count = |status: Status| self.findings.iter().filter(|finding| finding.judged.status == status).count();
        let failed = count(Status::Failed);
        let mut first = match (self.is_fit(), self.only) {
            (true, Some(only)) => format!("NOTHING WRONG in match {only}: {name}"),
            (true, None) => format!("FIT for {}: {name}", fit.join(", ")),
            (false, _) if fit.is_empty() => format!("NOT FIT: {name}"),
            (false, _) => format!("NOT FIT for all that was asked: {name} (fit for {})", fit.join(", ")),
        };
        if let Confined::Lacking { .. } = self.candidate.confined {
            first.push_str(" (as far as this machine can tell: strict isolation does not hold here)");
        }
        let mut lines = vec![first];
        if !unfit.is_empty() {
            lines.push(format!(
                "  not fit for {}: {failed} check{} failed",
                unfit.join(", "),
                if failed == 1 { "" } else { "s" }
            ));
        }
        if self.candidate.wanted.games.is_empty() && self.candidate.wanted.refused.is_empty() {
            lines.push("  its bot.toml lists no game that this arena has".to_string());
        }
        for (game, why) in &self.candidate.wanted.refused {
            lines.push(format!("  not fit for {game}: {}", harmless(why)));
        }
        for (game, why) in self.not_played() {
            lines.push(format!("  does not play {game}: {why}"));
        }
        if let Some(missing) = &self.done.missing {
            lines.push(format!("  {missing}"));
        }
        let matches: Duration = self.done.played.iter().map(|played| played.took).sum();
        lines.push(format!(
            "  {} checks: {} passed, {failed} failed, {} with a warning, {} told, {} not tried; {} matches in {}",
            self.findings.len(),
            count(Status::Passed),
            count(Status::Warned),
            count(Status::Told),
            count(Status::NotTried),
            self.done.played.len(),
            telling::time(matches.as_micros() as u64),
        ));
        lines
    }

    /// The games that it turned out not to play, and why in a line.
    fn not_played(&self) -> Vec<(&str, String)> {
        let why = |played: &Played| {
            let (_, fault) = played.seen.fault.as_ref().expect("it made a mistake");
            let words = fault.detail.lines().next().unwrap_or_default();
            let cut: String = harmless(words).chars().take(160).collect();
            format!("{}: {cut}", fault.reason.as_str())
        };
        self.done.not_played.iter().map(|(game, played)| (*game, why(played))).collect()
    }

    fn failed(&self, finding: &Finding) -> Vec<String> {
        let mut lines = vec![
            format!("FAILED {} (wanted: it {})", finding.name, finding.what),
            format!("  {}", harmless(&finding.judged.words)),
        ];
        for (label, text) in self.parts(finding) {
            lines.extend(telling::labelled("  ", label, &text));
        }
        lines
    }

    /// What happened, what was expected, and the commands that go on from there.
    fn parts(&self, finding: &Finding) -> Vec<(&'static str, String)> {
        let Some(place) = finding.judged.at else { return Vec::new() };
        let played = &self.done.played[place];
        let (again, debug) = self.commands(place, played);
        match &played.seen.fault {
            Some((_, fault)) => {
                let mistake = mistake(&self.evidence(), played);
                let mut parts = Forfeit { fault, mistake, again, debug }.parts();
                if let Some(length) = self.length_of_deadly_request(played) {
                    parts.insert(1, ("the request before that", length));
                }
                parts
            }
            None => Forfeit::commands_of(again, debug),
        }
    }

    /// How long the request was at which a signal ended the bot: one that is longer than a buffer is a common reason.
    fn length_of_deadly_request(&self, played: &Played) -> Option<String> {
        let (Some(_), Some(_)) = (played.seen.farewell.ended?.signal, played.seen.fault.as_ref()?.0) else {
            return None;
        };
        let (trial, sent) = (&played.trial, &played.seen.sent);
        let length = sent.lengths.get(played.seen.moves.len())?;
        let BotKind::Program(launch) = &self.candidate.bot.kind else { return None };
        if !launch.is_wrapped() {
            return Some(format!("it had {length} characters"));
        }
        let request: Value = serde_json::from_str(&sent.last).ok()?;
        let params = trial.game.start(&trial.game.info().situations[trial.situation].params(), trial.seed).ok()?.params;
        let mut words = Vec::new();
        trial.game.read_state(&params, &request["state"], trial.seat).ok()?.write_plain(&mut words);
        Some(format!("it had {} characters, in words", words.len()))
    }

    fn commands(&self, place: usize, played: &Played) -> (Option<String>, Option<String>) {
        let again = format!("{} --only {}", own::same_command(), played.trial.name);
        let again = if self.only.is_some() { own::same_command() } else { again };
        let path: Option<&Path> = self.kept.get(&place).map(PathBuf::as_path);
        let transcript = path.and_then(|path| read_transcript(path).ok());
        let debug = transcript.and_then(|transcript| debug_command(&transcript, played.trial.seat, &own::arena()));
        (Some(again), debug)
    }

    fn json(&self) -> Value {
        let games: serde_json::Map<String, Value> =
            self.done.games.iter().map(|game| (game.info().id.to_string(), self.fits(game.info().id).into())).collect();
        let other = self.not_played().into_iter().map(|(game, why)| (game.to_string(), why));
        let other =
            other.chain(self.candidate.wanted.refused.iter().map(|(game, why)| (game.to_string(), why.clone())));
        let not_played: serde_json::Map<String, Value> = other.map(|(game, why)| (game, why.into())).collect();
        let confined = match self.candidate.confined {
            Confined::Trusted => json!({"as": "trusted"}),
            Confined::NotAskedFor => json!({"as": "none"}),
            Confined::As(layers) => json!({"as": "asked", "layers": layers}),
            Confined::Lacking { why, layers } => json!({"as": "lacking", "why": why, "layers": layers}),
            Confined::Refused(why) => json!({"as": "refused", "why": why}),
        };
        let checks: Vec<Value> = self.findings.iter().map(|finding| self.json_of(finding)).collect();
        json!({
            "type": "check", "bot": self.candidate.bot.name, "fit": self.is_fit(), "games": games, "not_played": not_played,
            "isolation": confined, "checks": checks,
        })
    }

    fn json_of(&self, finding: &Finding) -> Value {
        let judged = &finding.judged;
        let mut object = json!({
            "name": finding.name, "what": finding.what, "status": judged.status.as_str(),
            "required": finding.weight == Weight::Required, "ms": finding.took.as_millis() as u64, "words": judged.words,
        });
        let shown = matches!(judged.status, Status::Failed | Status::Warned);
        if let Some(place) = judged.at.filter(|_| shown) {
            let played = &self.done.played[place];
            let (again, debug) = self.commands(place, played);
            object["match"] = played.trial.name.clone().into();
            object["transcript"] = json!(self.kept.get(&place));
            object["again"] = json!(again);
            object["debug"] = json!(debug);
            if let Some((turn, fault)) = &played.seen.fault {
                let cause = mistake(&self.evidence(), played).map(|mistake| mistake.cause_of(&fault.detail));
                object["fault"] = json!({
                    "turn": turn, "reason": fault.reason.as_str(), "detail": fault.detail, "line": fault.line,
                    "cause": cause,
                });
            }
        }
        object
    }
}

/// One check in a line.
fn row(finding: &Finding, width: usize, with_time: bool) -> String {
    let sign = match finding.judged.status {
        Status::Passed => "ok",
        Status::Failed => "FAILED",
        Status::Warned => "warning",
        Status::Told => "told",
        Status::NotTried => "-",
    };
    let words = harmless(&finding.judged.words).replace('\n', " ");
    let words = if words.is_empty() { String::new() } else { format!(": {words}") };
    let took = match finding.took.as_millis() {
        0 => String::new(),
        _ if !with_time => String::new(),
        ms => format!(" ({ms} ms)"),
    };
    format!("  {sign:<8}{:<width$}  {}{words}{took}", finding.name, finding.what)
}
