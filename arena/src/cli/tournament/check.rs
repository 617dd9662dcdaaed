//! `arena tournament check CUP.toml`: what a cup will take, before a week is spent on it.

use super::{MEND, entrants};
use crate::cli::bots::bundled_folder;
use crate::cli::confine::{self, Confiner};
use crate::cli::failure::Failure;
use crate::cli::signals::Signals;
use crate::cli::telling::after;
use crate::cli::{DONE, FOUND_WRONG, output};
use crate::config::{Broken, Cup, read_cup_with};
use crate::files::temporary_folder;
use crate::game::OPENING;
use crate::isolation::Mode;
use crate::tournament::folder::Folder;
use crate::tournament::slot::{Outcome, PlayedMatch, Slot};
use crate::tournament::{Entrant, Half, formats};
use crate::transport::{Host, Program, cores};
use std::collections::BTreeSet;
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
    let mut cup = read_cup_with(&arguments.cup, &bundled_folder()?, Broken::Refuse, arguments.isolation)?;
    for note in &cup.notes {
        output::complain(&format!("note: {note}"));
    }
    let place = temporary_folder("arena-").map_err(Failure::new)?;
    let mut folder = Folder::take(place.path()).map_err(Failure::new)?;
    folder.begin().map_err(Failure::new)?;
    let confiner = Confiner::prepare(&cup.isolation, cup.bots.iter().map(|bot| &bot.spec))?;
    let mut ready = entrants::make_ready(&cup, &confiner, &folder.file("builds"), &signals.interrupt());
    entrants::shake_hands(&cup, &mut ready, &confiner.host(false), &signals.interrupt())?;
    let broken = ready.broken.clone();
    if let Some(status) = signals.status() {
        return Ok(status);
    }
    for (entrant, bot) in cup.bots.iter().enumerate() {
        let verdict = broken.get(&entrant).map_or("starts".to_string(), |why| format!("CANNOT PLAY: {why}"));
        output::line(&format!("{}: {verdict}", bot.spec.name))?;
    }
    let entered = cup.bots.len();
    if !broken.is_empty() {
        if entered - broken.len() < 2 {
            cannot_play(broken.len(), entered)?;
            return Ok(FOUND_WRONG);
        }
        // The others can be tried all the same.
        entrants::leave_out(&mut cup, &broken)?;
    }
    let samples = samples(
        &cup,
        ready.sound().into_iter().map(|sound| sound.program).collect(),
        confiner.host(true),
        &folder,
        &signals,
    )?;
    if let Some(status) = signals.status() {
        return Ok(status);
    }
    estimate(&cup, &samples, arguments.jobs.map(usize::from).or(cup.jobs).unwrap_or(cores_here))?;
    tell_repeats(&cup)?;
    let at_fault: BTreeSet<Entrant> = samples.iter().filter_map(Sample::at_fault).collect();
    if !broken.is_empty() {
        cannot_play(broken.len(), entered)?;
    }
    if !at_fault.is_empty() {
        let names: Vec<&str> = at_fault.iter().map(|entrant| cup.bots[*entrant].spec.name.as_str()).collect();
        let were = if names.len() == 1 {
            "bot was at fault in its sample match"
        } else {
            "bots were at fault in their sample matches"
        };
        output::line(&format!("{} {were}: {}", names.len(), names.join(", ")))?;
    }
    Ok(if at_fault.is_empty() && broken.is_empty() { DONE } else { FOUND_WRONG })
}

fn cannot_play(broken: usize, entered: usize) -> Result<(), Failure> {
    output::line(&format!("{broken} of {entered} bots cannot play, so nothing would be played: {MEND}"))?;
    Ok(())
}

/// What every match begins from is the same under every seed: then bots that draw no lots play it again and again.
fn tell_repeats(cup: &Cup) -> Result<(), Failure> {
    // Only some formats are done with one pair for each two bots.
    let once = cup.pairs == 1 && formats::build(&cup.plan, &cup.field()).map_err(Failure::new)?.planned().is_some();
    let mut alike = false;
    for set in &cup.sets {
        let [one, other] = [cup.game.start(set, 1)?, cup.game.start(set, 2)?];
        let same_start = one.params == other.params && one.opening == other.opening;
        alike |= same_start && one.position.state() == other.position.state();
    }
    if once || !alike {
        return Ok(());
    }
    let way_out = match cup.game.params().iter().any(|spec| spec.name == OPENING.name) {
        true => format!(": begin from different positions with `{} = 4` under [params]", OPENING.name),
        false => String::new(),
    };
    output::line(&format!(
        "note: all matches begin alike, and two bots that draw no lots repeat theirs move for move{way_out}"
    ))?;
    Ok(())
}

struct Sample {
    played: Box<PlayedMatch>,
    bytes: u64,
}

impl Sample {
    fn at_fault(&self) -> Option<Entrant> {
        let seat = self.played.closing.verdict.at_fault?;
        Some(self.played.pairing.seats[seat.index()])
    }

    /// Who met whom, how it ended, and what led to it.
    fn tell(&self, names: &[String]) -> Result<(), Failure> {
        let verdict = &self.played.closing.verdict;
        let [first, second] = self.played.pairing.seats.map(|entrant| names[entrant].as_str());
        let guilty = self.at_fault().map(|entrant| format!(", {} at fault", names[entrant])).unwrap_or_default();
        output::line(&format!(
            "{first} against {second}: {}{guilty}, {}, {} ms",
            verdict.reason.as_str(),
            after(self.played.closing.turns as usize),
            self.played.closing.duration_ms
        ))?;
        for line in verdict.detail.as_deref().unwrap_or_default().lines() {
            output::line(&format!("  {}", output::harmless(line)))?;
        }
        Ok(())
    }
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
                let sample = Sample { played, bytes };
                sample.tell(&field.names)?;
                samples.push(sample);
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
