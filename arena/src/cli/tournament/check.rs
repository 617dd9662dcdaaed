//! `arena tournament check CUP.toml`: what a cup will take, before a week is spent on it.

use super::entrants;
use crate::cli::bots::bundled_folder;
use crate::cli::confine::{self, Confiner};
use crate::cli::failure::Failure;
use crate::cli::signals::Signals;
use crate::cli::telling::after;
use crate::cli::{DONE, FOUND_WRONG, output};
use crate::config::{Broken, Cup, read_cup_with};
use crate::isolation::Mode;
use crate::tournament::folder::Folder;
use crate::tournament::slot::{Outcome, PlayedMatch, Slot};
use crate::tournament::{Half, formats};
use crate::transport::{Host, Program, cores};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

#[derive(clap::Args)]
pub(super) struct CheckArguments {
    /// The cup
    cup: PathBuf,
    /// Matches at a time, as it will be played [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// How bots are confined that do not come with the arena, where the cup does not say: `strict` (or nothing is started),
    /// `best-effort`, `none` [default: strict]
    #[arg(long, value_name = "MODE", value_parser = confine::mode)]
    isolation: Option<Mode>,
}

pub(super) fn run(arguments: &CheckArguments) -> Result<u8, Failure> {
    let signals = Signals::take()?;
    // Before a slot binds this thread to one of them.
    let cores_here = cores::allowed().len();
    let cup = read_cup_with(&arguments.cup, &bundled_folder()?, Broken::Refuse, arguments.isolation)?;
    for note in &cup.notes {
        output::complain(&format!("note: {note}"));
    }
    let place = tempfile::tempdir()?;
    let mut folder = Folder::take(place.path()).map_err(Failure::new)?;
    folder.begin().map_err(Failure::new)?;
    let confiner = Confiner::prepare(&cup.isolation, cup.bots.iter().map(|bot| &bot.spec))?;
    let mut ready = entrants::make_ready(&cup, &confiner, &folder.file("builds"), &signals.interrupt());
    entrants::shake_hands(&cup, &mut ready, &confiner.host(false), &signals.interrupt())?;
    let broken = ready.broken;
    if let Some(status) = signals.status() {
        return Ok(status);
    }
    for (entrant, bot) in cup.bots.iter().enumerate() {
        let verdict = broken.get(&entrant).map_or("starts".to_string(), |why| format!("CANNOT PLAY: {why}"));
        output::line(&format!("{}: {verdict}", bot.spec.name))?;
    }
    if !broken.is_empty() {
        return Ok(FOUND_WRONG);
    }
    let programs = ready.programs.into_iter().flatten().collect();
    let samples = samples(&cup, programs, confiner.host(true), &folder, &signals)?;
    if let Some(status) = signals.status() {
        return Ok(status);
    }
    estimate(&cup, &samples, arguments.jobs.map(usize::from).or(cup.jobs).unwrap_or(cores_here))?;
    let at_fault = samples.iter().any(|sample| sample.played.closing.verdict.at_fault.is_some());
    Ok(if at_fault { FOUND_WRONG } else { DONE })
}

struct Sample {
    played: Box<PlayedMatch>,
    bytes: u64,
}

/// One match of each bot, two at a time.
fn samples(
    cup: &Cup,
    programs: Vec<Program>,
    host: Host,
    folder: &Folder,
    signals: &Signals,
) -> Result<Vec<Sample>, Failure> {
    let conditions = entrants::conditions(cup, programs);
    let field = &conditions.field;
    let claim = cores::claim_one();
    let mut slot =
        Slot::new(&conditions, folder, vec![claim.core()], host, signals.interrupt()).map_err(Failure::new)?;
    let entrants: Vec<usize> = (0..field.names.len()).collect();
    let mut samples = Vec::new();
    for pair in entrants.chunks(2) {
        let players = [pair[0], pair.get(1).copied().unwrap_or(0)];
        let pairing = field.pairing(&field.pair_id(None, 0, players, 1), 1, 0, players, Half::First);
        match slot.play(&pairing) {
            Outcome::Played(played) | Outcome::Disturbed(played) => {
                let bytes = fs::metadata(folder.unfinished(&pairing.id)).map_or(0, |data| data.len());
                let verdict = &played.closing.verdict;
                let names = players.map(|entrant| field.names[entrant].as_str());
                let detail = verdict.detail.as_deref().unwrap_or_default().lines().next().unwrap_or_default();
                output::line(&format!(
                    "{} against {}: {} {}, {} ms {}",
                    names[0],
                    names[1],
                    verdict.reason.as_str(),
                    after(played.closing.turns as usize),
                    played.closing.duration_ms,
                    output::harmless(detail)
                ))?;
                samples.push(Sample { played, bytes });
            }
            Outcome::Interrupted => break,
            Outcome::Failed(why) => return Err(Failure::new(why)),
        }
    }
    Ok(samples)
}

fn estimate(cup: &Cup, samples: &[Sample], jobs: usize) -> Result<(), Failure> {
    let format = formats::build(&cup.plan, &cup.field()).map_err(Failure::new)?;
    let count = samples.len().max(1) as f64;
    let mean_ms = samples.iter().map(|sample| sample.played.closing.duration_ms as f64).sum::<f64>() / count;
    let bytes = samples.iter().map(|sample| sample.bytes as f64).sum::<f64>() / count;
    let Some(planned) = format.planned() else {
        output::line(&format!(
            "how many matches `{}` takes depends on their results; a match takes about {mean_ms:.0} ms and {bytes:.0} bytes",
            cup.plan.id()
        ))?;
        return Ok(());
    };
    let matches = planned as f64;
    let likely = Duration::from_secs_f64(matches * mean_ms / 1e3 / jobs as f64);
    let most_turns = samples.iter().map(|sample| sample.played.closing.turns).max().unwrap_or(0);
    let longest = longest_match(cup, most_turns).map(|one| one.mul_f64(matches / jobs as f64));
    output::line(&format!("{planned} matches, {jobs} at a time"))?;
    output::line(&format!("likely about {}", rounded(likely)))?;
    output::line(&match longest {
        Some(longest) => format!(
            "at the longest about {}, if every bot used all of its time in matches of {most_turns} turns",
            rounded(longest)
        ),
        None => "at the longest without end: there is no limit on a match".to_string(),
    })?;
    output::line(&format!("about {:.1} MB of transcripts", matches * bytes / 1e6))?;
    Ok(())
}

/// How long one match may take, start and stop included, where a limit says so.
fn longest_match(cup: &Cup, turns: u32) -> Option<Duration> {
    let clock = &cup.clock;
    let by_moves = clock.per_move.map(|each| each * turns);
    let by_bank = clock.game.map(|bank| (bank + clock.increment * turns.div_ceil(2)) * 2);
    let thinking = [by_moves, by_bank].into_iter().flatten().min()?;
    Some(thinking + clock.start? * 2 + clock.stop)
}

fn rounded(duration: Duration) -> String {
    match duration.as_secs() {
        0..10 => format!("{} s", (duration.as_secs_f64() * 10.0).round() / 10.0),
        seconds => humantime::format_duration(Duration::from_secs(seconds)).to_string(),
    }
}
