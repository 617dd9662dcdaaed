//! `arena check`: whether a bot is fit to enter, and exactly why not.

mod playing;
mod told;

use super::bots::{self, PROGRAM_HELP};
use super::clock_flags::ClockFlags;
use super::confine::{self, Confiner};
use super::failure::Failure;
use super::signals::Signals;
use super::values::limits;
use super::{DONE, FOUND_WRONG, games};
use crate::config::{BotKind, BotSpec};
use crate::game::AnyGame;
use crate::games::GAMES;
use crate::isolation::{Mode, Settings};
use crate::play::fitness::Confined;
use crate::play::{Bench, Program, player_record};
use crate::transport::{Interrupt, Limits, cores};
use playing::{Done, Session};
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::thread;

/// Check whether a bot is fit to enter a cup, and tell what to mend.
#[derive(clap::Args)]
#[command(after_help = "Exit status: 0 it is fit; 1 it is not; 2 it is not there, or a mistake in the command.")]
pub(super) struct CheckArguments {
    #[arg(long, value_name = "BOT", help = PROGRAM_HELP)]
    bot: String,
    /// A game that it has to play; may be given again [default: those in its bot.toml, else those that it turns out to play]
    #[arg(long = "game", value_name = "GAME")]
    games: Vec<String>,
    #[command(flatten)]
    manner: Manner,
    /// Keep the transcripts of failed checks in this folder [default: a new one among the temporary files]
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// How it is confined: `strict`, as in a cup, `best-effort`, `none`; bots that come with the arena never are
    #[arg(long, value_name = "MODE", default_value = "strict", value_parser = confine::mode)]
    isolation: Mode,
    /// A limit of the cup: `memory=512MiB`, `cpu=60s`, `files=16MiB`, `processes=64`, `temp=32MiB`
    #[arg(long = "limit", value_name = "K=V")]
    limits: Vec<String>,
    /// One JSON object with all checks on stdout; everything for people goes to stderr
    #[arg(long)]
    json: bool,
}

/// How a bot is checked.
#[derive(clap::Args)]
pub(super) struct Manner {
    #[command(flatten)]
    clock: ClockFlags,
    /// From which the matches' seeds are made: the same checks again, or others
    #[arg(long, value_name = "N", default_value_t = SEED)]
    seed: u64,
    /// Play this match alone, by its name in the report
    #[arg(long, value_name = "MATCH")]
    only: Option<String>,
}

/// The seed of a check where nobody names another.
const SEED: u64 = 1;

impl Default for Manner {
    fn default() -> Manner {
        Manner { clock: ClockFlags::default(), seed: SEED, only: None }
    }
}

pub(super) fn run(arguments: &CheckArguments) -> Result<u8, Failure> {
    let named = arguments.games.iter().map(|id| games::game(id)).collect::<Result<Vec<_>, _>>()?;
    let limits = limits(&arguments.limits)?;
    let bot = bots::read_bots_of_any_game(std::slice::from_ref(&arguments.bot))?.remove(0);
    if bot.kind == BotKind::Human {
        return Err(Failure::new("--bot human: a person is not checked; a program is"));
    }
    let signals = Signals::take()?;
    let (confiner, program, confined) = make_ready(arguments.isolation, &bot, &signals.interrupt())?;
    let wanted = Wanted::of(&bot, named);
    let candidate = Candidate { bot: &bot, program: &program, confined: &confined, wanted: &wanted, limits: &limits };
    let done = candidate.play(&arguments.manner, &confiner, &signals.interrupt())?;
    if let Some(status) = signals.status() {
        return Ok(status);
    }
    let fit = told::tell(arguments, &candidate, done)?;
    Ok(if fit { DONE } else { FOUND_WRONG })
}

/// A bot that is to be checked.
struct Candidate<'a> {
    bot: &'a BotSpec,
    program: &'a Program,
    confined: &'a Confined,
    wanted: &'a Wanted,
    limits: &'a Limits,
}

impl Candidate<'_> {
    /// Plays all that is judged by, on one core; the calling thread stays bound to it.
    fn play(&self, manner: &Manner, confiner: &Confiner, interrupt: &Interrupt) -> Result<Done, Failure> {
        let claim = cores::claim_one();
        let cores = vec![claim.core()];
        cores::bind_this_thread(&cores).map_err(Failure::new)?;
        let host = confiner.host(true);
        let bench = Bench {
            host: &host,
            program: self.program,
            player: player_record(&self.bot.name, Some(self.program)),
            limits: self.limits,
            thinking: manner.clock.thinking(),
            cores,
            interrupt: interrupt.clone(),
        };
        let mut session = Session::new(manner, self.bot, bench)?;
        session.play(self.wanted)?;
        session.done()
    }

    /// What it may use of memory in a cup, in bytes.
    fn memory_bytes(&self) -> u64 {
        self.limits.for_confined().memory_bytes.unwrap_or(u64::MAX)
    }
}

/// The whole check of a bot that is ready to be started: what `arena check` would say of it, in short.
pub(super) fn examine(
    bot: &BotSpec,
    program: &Program,
    confiner: &Confiner,
    confined: &Confined,
    interrupt: &Interrupt,
) -> Result<Summary, Failure> {
    let (wanted, limits) = (Wanted::of(bot, Vec::new()), Limits::default());
    let candidate = Candidate { bot, program, confined, wanted: &wanted, limits: &limits };
    // A thread of its own is bound to the core, and this one is not.
    let play = || candidate.play(&Manner::default(), confiner, interrupt);
    let done = thread::scope(|scope| scope.spawn(play).join()).unwrap_or_else(|panic| resume_unwind(panic))?;
    Ok(told::summary(&candidate, &done))
}

/// What a check came to, in short.
pub(super) struct Summary {
    /// Whether the bot is fit.
    pub fit: bool,
    /// The games that it plays without a mistake.
    pub games: Vec<&'static str>,
    /// How many checks there were.
    pub checks: usize,
    /// How many matches.
    pub matches: usize,
    /// What failed: the check's name and why, a text each.
    pub failed: Vec<String>,
    /// The names of the checks that warn.
    pub warned: Vec<String>,
}

impl Summary {
    /// Of a bot that could not even be built: why.
    pub fn unbuilt(why: String) -> Summary {
        Summary { fit: false, games: Vec::new(), checks: 0, matches: 0, failed: vec![why], warned: Vec::new() }
    }
}

/// The games that are asked about.
struct Wanted {
    /// They are to be played, all of them; without, at least one game is.
    named: bool,
    games: Vec<&'static dyn AnyGame>,
    /// Games that were named, and that the bot's own description leaves out: why.
    refused: Vec<(&'static str, String)>,
}

impl Wanted {
    fn of(bot: &BotSpec, named: Vec<&'static dyn AnyGame>) -> Wanted {
        let listed = named.is_empty() && bot.games.is_some();
        let asked = if named.is_empty() { GAMES.to_vec() } else { named.clone() };
        let (mut games, mut refused) = (Vec::new(), Vec::new());
        for game in asked {
            match bot.refusal(game.info()) {
                None => games.push(game),
                Some(_) if listed => {}
                Some(why) => refused.push((game.info().id, why)),
            }
        }
        Wanted { named: !named.is_empty() || listed, games, refused }
    }
}

/// The bot's program as it is confined in a cup, or as near to that as this machine allows.
fn make_ready(mode: Mode, bot: &BotSpec, interrupt: &Interrupt) -> Result<(Confiner, Program, Confined), Failure> {
    let settings = |mode| Settings { mode, ..Settings::default() };
    let mut lacking = None;
    let confiner = match Confiner::prepare(&settings(mode), [bot]) {
        Err(Failure::Message(why)) if mode == Mode::Strict => {
            // The way out that it tells is taken here, and that it does not hold is said around it.
            let why = why.split("; write `--isolation").next().unwrap_or(&why);
            lacking = Some(why.strip_prefix("strict isolation does not hold here: ").unwrap_or(why).to_string());
            Confiner::prepare(&settings(Mode::BestEffort), [bot])?
        }
        prepared => prepared?,
    };
    let ready = |confiner: &Confiner| {
        let program = confiner.ready(bot, interrupt)?;
        Ok::<Program, Failure>(program.expect("a bot that is no person has a program"))
    };
    let trusted = matches!(&bot.kind, BotKind::Program(launch) if launch.bundled);
    if !confiner.confines(bot) {
        let program = ready(&confiner)?;
        return Ok((confiner, program, if trusted { Confined::Trusted } else { Confined::NotAskedFor }));
    }
    let layers = confiner.layers();
    match ready(&confiner) {
        Ok(program) => {
            let confined = match lacking {
                Some(why) => Confined::Lacking { why, layers },
                None => Confined::As(format!("{}: {layers}", mode.as_str())),
            };
            Ok((confiner, program, confined))
        }
        // What is there, and cannot be started confined, is not missing: it is unfit, and the rest is told as well.
        Err(Failure::Message(why)) => {
            let free = Confiner::none();
            let program = ready(&free).map_err(|_| Failure::Message(why.clone()))?;
            Ok((free, program, Confined::Refused(why)))
        }
        Err(other) => Err(other),
    }
}
