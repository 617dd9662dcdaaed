//! Whether a bot is fit for cups: built, started and tried as a cup would play it, one short match a game.

use super::bots::bundled_folder;
use super::building::{Builder, check_built};
use super::confine::Confiner;
use super::failure::Failure;
use super::signals::Signals;
use super::tournament::entrants::conditions;
use crate::config::{BUILD_TIME, BotKind, BotSpec, Cup, CupParts, cup_from_parts, read_bot};
use crate::files::{temporary_file, temporary_folder};
use crate::games::GAMES;
use crate::isolation::{Mode, Settings};
use crate::seat::Seat;
use crate::submissions::Check;
use crate::tournament::Half;
use crate::tournament::folder::{Folder, TRIES};
use crate::tournament::slot::{Outcome, PlayedMatch, Slot};
use crate::transport::{Program, cores};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::thread;

/// Who sits in the other seat.
const RIVAL: &str = "random";

/// So much is shown of what a build step printed last, in bytes.
const SHOWN: u64 = 2048;

/// What was found of a bot.
pub(super) struct Fitness {
    /// Why it is not fit, a text each; empty when it is.
    pub problems: Vec<String>,
    /// The matches that it was tried in.
    pub checks: Vec<Check>,
}

/// Tries the bot whose bot.toml is in `folder`, under this name. The folder may be changed meanwhile: a build step that is not confined
/// runs in it. `None` when it was stopped.
pub(super) fn fitness(
    folder: &Path,
    name: &str,
    isolation: Mode,
    signals: &Signals,
) -> Result<Option<Fitness>, Failure> {
    let text = folder.to_str().ok_or_else(|| Failure::new(format!("{} is not valid UTF-8", folder.display())))?;
    let beside = bundled_folder()?;
    let spec = BotSpec { name: name.to_string(), ..read_bot(text, Path::new("/"), &beside)? };
    let mut found = Fitness { problems: Vec::new(), checks: Vec::new() };
    let settings = Settings { mode: isolation, ..Settings::default() };
    let confiner = Confiner::prepare(&settings, [&spec])?;
    let program = match build(&spec, &confiner, signals) {
        Ok(program) => program,
        Err(_) if signals.status().is_some() => return Ok(None),
        Err(why) => {
            found.problems.push(why);
            return Ok(Some(found));
        }
    };
    let games: Vec<&str> =
        GAMES.iter().filter(|game| spec.refusal(game.info()).is_none()).map(|game| game.info().id).collect();
    if games.is_empty() {
        found.problems.push(format!(
            "it plays none of this arena's games: its bot.toml lists {}",
            spec.games.unwrap_or_default().join(", ")
        ));
    }
    // Nothing in it could be taken for the rival.
    let empty = temporary_folder("arena-").map_err(Failure::new)?;
    let rival = if name.eq_ignore_ascii_case(RIVAL) { "other" } else { RIVAL };
    for game in games {
        let parts = CupParts {
            game,
            bots: &[text.to_string(), RIVAL.to_string()],
            names: &[name.to_string(), rival.to_string()],
            isolation: Some(isolation),
            ..CupParts::default()
        };
        let cup = cup_from_parts(&parts, empty.path(), &beside)?;
        let Some(played) = one_match(&cup, &program, &confiner, signals)? else { return Ok(None) };
        let verdict = &played.closing.verdict;
        let at_fault = verdict.at_fault == Some(Seat::First);
        if at_fault {
            let detail = verdict.detail.as_deref().unwrap_or_default();
            found.problems.push(format!(
                "{game} against {RIVAL}: {} after {} turns: {detail}",
                verdict.reason.as_str(),
                played.closing.turns
            ));
        }
        let (reason, turns) = (verdict.reason.as_str().to_string(), played.closing.turns);
        found.checks.push(Check { game: game.to_string(), against: RIVAL.to_string(), reason, turns, at_fault });
    }
    Ok(Some(found))
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

/// One match of the first bot against the second. `None` when it was stopped.
fn one_match(
    cup: &Cup,
    program: &Program,
    confiner: &Confiner,
    signals: &Signals,
) -> Result<Option<Box<PlayedMatch>>, Failure> {
    let rival = confiner.program(&cup.bots[1].spec, None).map_err(Failure::new)?;
    let conditions = conditions(cup, [program.clone()].into_iter().chain(rival).collect());
    let place = temporary_folder("arena-").map_err(Failure::new)?;
    let mut folder = Folder::take(place.path()).map_err(Failure::new)?;
    folder.begin().map_err(Failure::new)?;
    let claim = cores::claim_one();
    let field = &conditions.field;
    let pairing = field.pairing(&field.pair_id(None, 0, [0, 1], 1), 1, 0, [0, 1], Half::First);
    // A thread of its own is bound to the core, and this one is not.
    let outcome = thread::scope(|scope| {
        let play = || {
            let mut slot =
                Slot::new(&conditions, &folder, vec![claim.core()], confiner.host(true), signals.interrupt())?;
            let mut outcome = slot.play(&pairing);
            for _ in 1..TRIES {
                if matches!(outcome, Outcome::Disturbed(_)) {
                    folder.forget(&pairing.id);
                    outcome = slot.play(&pairing);
                }
            }
            slot.send_parked_away()?;
            Ok::<Outcome, String>(outcome)
        };
        scope.spawn(play).join().unwrap_or_else(|_| Err("the match could not be played".to_string()))
    });
    match outcome.map_err(Failure::new)? {
        Outcome::Played(played) => Ok(Some(played)),
        Outcome::Interrupted => Ok(None),
        Outcome::Disturbed(_) => Err(Failure::new(format!(
            "the machine was too busy to try the bot ({TRIES} times): submit it again when it is less so"
        ))),
        Outcome::Failed(why) => Err(Failure::new(why)),
    }
}
