//! A cup's entrants made ready: built, checked, shaken hands with, and known by what is in their files.

use crate::cli::building::Builder;
use crate::cli::confine::Confiner;
use crate::cli::failure::Failure;
use crate::cli::output;
use crate::config::{BotKind, BotSpec, Cup, CupBot, Grades, Launch, fingerprint};
use crate::play::seat_program;
use crate::seat::{BySeat, Seat};
use crate::table::{Opening, Outcome, Table, Thinking};
use crate::tournament::Entrant;
use crate::tournament::formats::Plan;
use crate::tournament::slot::Conditions;
use crate::transport::{Host, Interrupt, Program};
use crate::verdict::{Reason, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::thread;

/// An entrant as the results folder remembers it (`entrants.json`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EntrantRecord {
    /// Its name.
    pub name: String,
    /// What the cup file enters it by.
    pub bot: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// Where it is started.
    pub folder: String,
    /// What is in its files.
    pub sha256: String,
    /// Who it belongs to.
    pub authors: Vec<String>,
    /// Which version it is, where it was submitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
}

/// What is remembered of a cup's entrants, in the order of the cup file, as are the entrants themselves.
pub(super) fn records(cup: &Cup, sound: &[Sound]) -> Vec<EntrantRecord> {
    let record = |(bot, sound): (&CupBot, &Sound)| {
        let launch = launch(&bot.spec);
        EntrantRecord {
            name: bot.spec.name.clone(),
            bot: bot.entered.clone(),
            command: launch.argv.clone(),
            folder: launch.folder.to_string_lossy().into_owned(),
            sha256: sound.sha256.clone(),
            authors: bot.spec.authors.clone(),
            version: bot.filed.as_ref().map(|filed| filed.version),
        }
    };
    cup.bots.iter().zip(sound).map(record).collect()
}

/// What is the same for all matches of a cup that is played with these programs.
pub(in crate::cli) fn conditions(cup: &Cup, programs: Vec<Program>) -> Conditions {
    Conditions {
        game: cup.game,
        programs,
        clock: cup.clock.clone(),
        limits: cup.limits.clone(),
        hints: cup.hints,
        thinking: cup.thinking,
        reuse: cup.reuse,
        field: cup.field(),
    }
}

fn launch(spec: &BotSpec) -> &Launch {
    match &spec.kind {
        BotKind::Program(launch) => launch,
        BotKind::Human => unreachable!("a cup has no persons in it"),
    }
}

/// An entrant that can play.
pub(super) struct Sound {
    /// How it is started.
    pub program: Program,
    /// What is in its files.
    pub sha256: String,
}

/// A cup's entrants, in the order of the cup file, as far as they can be made ready; and why the others cannot.
pub(super) struct Ready {
    /// Those that are ready to be started.
    pub entrants: Vec<Option<Sound>>,
    /// Those that cannot play, with why.
    pub broken: BTreeMap<Entrant, String>,
}

impl Ready {
    /// Those that can play, in the order of the cup file.
    pub fn sound(self) -> Vec<Sound> {
        let sound = self.entrants.into_iter().enumerate().filter(|(entrant, _)| !self.broken.contains_key(entrant));
        sound.filter_map(|(_, sound)| sound).collect()
    }
}

/// Takes those that cannot play out of a cup.
pub(super) fn leave_out(cup: &mut Cup, broken: &BTreeMap<Entrant, String>) -> Result<(), Failure> {
    let mut place = 0;
    cup.bots.retain(|_| {
        place += 1;
        !broken.contains_key(&(place - 1))
    });
    let place_now = |old: usize| (!broken.contains_key(&old)).then(|| old - broken.range(..old).count());
    if let Plan::Gauntlet { challengers } = &mut cup.plan {
        *challengers = challengers.iter().filter_map(|old| place_now(*old)).collect();
    }
    cup.grades =
        cup.grades.take().and_then(|grades| Some(Grades { pass_against: place_now(grades.pass_against)?, ..grades }));
    if cup.bots.len() < 2 {
        return Err(Failure::new("fewer than two bots can play: there is no cup to be played"));
    }
    Ok(())
}

/// Builds what has a build step, and makes everybody ready to be started.
pub(super) fn make_ready(cup: &Cup, confiner: &Confiner, logs: &Path, interrupt: &Interrupt) -> Ready {
    let mut built = build(cup, confiner, logs, interrupt);
    let mut broken = BTreeMap::new();
    let mut entrants = Vec::new();
    for (entrant, bot) in cup.bots.iter().enumerate() {
        let built = built.remove(&entrant).unwrap_or(Ok(None));
        let ready = built.and_then(|built| confiner.program(&bot.spec, built.as_deref()));
        // What it is known by has to be had, too.
        let sound = ready.and_then(|program| {
            let Some(program) = program else { unreachable!("a cup has no persons in it") };
            Ok(Sound { program, sha256: fingerprint(launch(&bot.spec))? })
        });
        entrants.push(sound.map_err(|why| broken.insert(entrant, why)).ok());
    }
    confiner.tell_programs();
    Ready { entrants, broken }
}

type Built = BTreeMap<Entrant, Result<Option<PathBuf>, String>>;

/// Runs the build steps of the bots that have one, beside each other; what they print is kept in `logs`.
fn build(cup: &Cup, confiner: &Confiner, logs: &Path, interrupt: &Interrupt) -> Built {
    let builder = Builder { confiner, time: cup.build_time, network: cup.build_network, interrupt };
    let builder = &builder;
    thread::scope(|scope| {
        let mut running = Vec::new();
        for (entrant, bot) in cup.bots.iter().enumerate() {
            let launch = launch(&bot.spec);
            let Some(build) = &launch.build else { continue };
            output::complain(&format!("building {}: {}", bot.spec.name, build.join(" ")));
            running.push((entrant, scope.spawn(move || build_one(builder, &bot.spec, launch, build, logs))));
        }
        let failed = || Err("its build step could not be run".to_string());
        running.into_iter().map(|(entrant, build)| (entrant, build.join().unwrap_or_else(|_| failed()))).collect()
    })
}

fn build_one(
    builder: &Builder<'_>,
    bot: &BotSpec,
    launch: &Launch,
    build: &[String],
    logs: &Path,
) -> Result<Option<PathBuf>, String> {
    let log = logs.join(format!("{}.log", bot.name));
    let unwritable = |error: std::io::Error| format!("{} cannot be written: {error}", log.display());
    fs::create_dir_all(logs).map_err(unwritable)?;
    let file = File::create(&log).map_err(unwritable)?;
    builder.build(bot, launch, build, &file, &format!(": see {}", log.display()))
}

/// Starts every bot once and shakes hands with it, two at a time, one after the other. Those that fail join the broken.
pub(super) fn shake_hands(cup: &Cup, ready: &mut Ready, host: &Host, interrupt: &Interrupt) -> Result<(), Failure> {
    let failures = &mut ready.broken;
    let sound: Vec<Entrant> = (0..ready.entrants.len()).filter(|entrant| ready.entrants[*entrant].is_some()).collect();
    for pair in sound.chunks(2) {
        // The last of an odd number meets itself.
        let seats = [pair[0], *pair.last().expect("a chunk is not empty")];
        let mut chairs = Vec::new();
        for entrant in seats {
            let program = &ready.entrants[entrant].as_ref().expect("only those were taken").program;
            match seat_program(host, program, &cup.limits) {
                Ok(chair) => chairs.push(chair),
                Err(error) => drop(failures.insert(entrant, error.to_string())),
            }
        }
        let Ok(chairs) = <[_; 2]>::try_from(chairs) else { continue };
        let mut table = Table::new(BySeat(chairs), Thinking::OwnTurn, interrupt.clone());
        for seat in Seat::BOTH {
            let entrant = seats[seat.index()];
            if let Some(why) = shake_one(cup, &mut table, seat, seats)? {
                failures.entry(entrant).or_insert(why);
            }
        }
        let verdict = Verdict {
            winner: None,
            scores: [0; 2],
            reason: Reason::Finished,
            detail: None,
            at_fault: None,
            invalid: None,
        };
        let since = crate::protocol::Since::new();
        let position = cup.game.start(&cup.sets[0], cup.seed)?.position;
        table.dismiss(&verdict, &*position, BySeat([&since, &since]), cup.clock.stop, BySeat([false; 2]), None)?;
    }
    Ok(())
}

fn shake_one(cup: &Cup, table: &mut Table, seat: Seat, seats: [Entrant; 2]) -> Result<Option<String>, Failure> {
    let names = seats.map(|entrant| cup.bots[entrant].spec.name.as_str());
    let opening = Opening {
        match_id: "handshake",
        game: cup.game.info().id,
        params: &cup.game.start(&cup.sets[0], cup.seed)?.params,
        seat,
        players: names,
        seed: crate::seed::bot_seed(cup.seed, seat),
        clock: &cup.clock,
    };
    Ok(match table.start(&opening)?.outcome {
        Outcome::Ready => None,
        Outcome::Fault(_, fault) => Some(fault.detail),
        Outcome::Disturbed(why) => Some(why),
        Outcome::Interrupted | Outcome::Quit | Outcome::Move(_) => Some("the handshake was interrupted".to_string()),
    })
}
