//! `arena compare`: is the new version of a bot better than the old one? A cup of two in the format `sprt`, told in plain words.

mod estimate;
mod opening;
mod worse;

use super::bots::{PROGRAM_HELP, bundled_folder};
use super::clock_flags::ClockFlags;
use super::confine;
use super::failure::Failure;
use super::output::{self, Paper};
use super::signals::Signals;
use super::tournament::progress::{Progress, Spectator, Style};
use super::tournament::run::{Course, Played};
use super::values::params;
use super::{DONE, games, own};
use crate::config::{BotKind, Cup, CupParts, cup_from_parts, read_bot};
use crate::files::temporary_folder;
use crate::game::{OPENING, Params};
use crate::isolation::Mode;
use crate::tournament::conductor::{Audience, CupEvent};
use crate::tournament::tally::{Tally, set_of};
use estimate::{Estimate, Test, Verdict};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

#[derive(clap::Args)]
pub(super) struct CompareArguments {
    /// The game
    #[arg(long)]
    game: String,
    #[arg(long = "bot", value_name = "BOT", num_args = 1, required = true, help = PROGRAM_HELP, long_help = format!("{PROGRAM_HELP}; twice: the old one, then the new one"))]
    bots: Vec<String>,
    /// A lead of the new one, in Elo, that is not enough
    #[arg(long, value_name = "ELO", default_value = "0", value_parser = finite, allow_hyphen_values = true)]
    elo0: f64,
    /// A lead that is; the closer the two, the longer it takes
    #[arg(long, value_name = "ELO", default_value = "20", value_parser = finite, allow_hyphen_values = true)]
    elo1: f64,
    /// How often the new one may be called better although its lead is `--elo0`
    #[arg(long, value_name = "P", default_value = "0.05", value_parser = finite)]
    alpha: f64,
    /// How often it may not be called better although its lead is `--elo1`
    #[arg(long, value_name = "P", default_value = "0.05", value_parser = finite)]
    beta: f64,
    /// Give up after so many pairs
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    max_pairs: u32,
    /// What the seeds of all pairs follow from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// A parameter of the game; a list makes a grid
    #[arg(long = "param", value_name = "K=V")]
    params: Vec<String>,
    #[command(flatten)]
    clock: ClockFlags,
    /// How bots are confined that do not come with the arena: `strict` (or nothing is played), `best-effort`, `none`
    #[arg(long, value_name = "MODE", default_value = "none", value_parser = confine::mode)]
    isolation: Mode,
    /// Matches at a time, each on a core of its own [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Keep the matches in this folder, as a cup's results; the same command goes on there [default: nothing is kept]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// With `--out`: play the matches of this bot again, with what is in its files now; the old ones go to superseded/
    #[arg(long, value_name = "BOT", requires = "out")]
    again: Vec<String>,
    /// An event a line on stdout, the comparison last; everything for people goes to stderr
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &CompareArguments) -> Result<u8, Failure> {
    let signals = Signals::take()?;
    let mut paper = Paper::new(arguments.json);
    let home =
        std::env::current_dir().map_err(|error| Failure::new(format!("the current folder cannot be read: {error}")))?;
    let cup = cup(arguments, &home)?;
    let temporary = match &arguments.out {
        Some(_) => None,
        None => Some(temporary_folder("arena-compare-").map_err(Failure::new)?),
    };
    let path = match (&arguments.out, &temporary) {
        (Some(path), _) => path.clone(),
        (None, Some(temporary)) => temporary.path().join("results"),
        (None, None) => unreachable!("one of the two was made"),
    };
    let test = Test { elo0: arguments.elo0, elo1: arguments.elo1, alpha: arguments.alpha, beta: arguments.beta };
    let style = Style::of(arguments.json, &paper);
    let enough = AtomicBool::new(false);
    let (game, sets) = (cup.game.info().id, cup.sets.len());
    let names: Vec<String> = cup.bots.iter().map(|bot| bot.spec.name.clone()).collect();
    let [new, old] = [0, 1].map(|entrant| names[entrant].as_str());
    output::complain(&format!("is {new} better than {old} in {game}? {}", test.question()));
    let course = Course {
        cup,
        home: &home,
        path: &path,
        file: None,
        again: &arguments.again,
        skip_broken: false,
        core_for_page: false,
        jobs: arguments.jobs,
        signals: &signals,
        enough: &enough,
    };
    let played = course.play(&mut |names, _| {
        let progress = Progress::new(style, names, arguments.out.as_deref());
        Ok(Box::new(Live { progress, tally: Tally::new(names, sets), test }))
    })?;
    let Some(Played { ending, tables, .. }) = played else {
        paper.line("stopped before the first match")?;
        return Ok(signals.status().unwrap_or(DONE));
    };
    let estimate = Estimate::of(&tables.tally, test);
    let verdict = estimate.verdict(ending.finished, arguments.max_pairs);
    let worse = worse::pairs(&path, new)?;
    tell(&mut paper, &estimate, &verdict, [new, old])?;
    for remark in tables.warnings.iter().chain(&tables.void_note()) {
        paper.folded(&format!("note: {remark}"))?;
    }
    worse::tell(&mut paper, &worse, &path, new)?;
    if let Some(path) = &arguments.out {
        paper.line(&format!("the matches are in {}", path.display()))?;
        if !ending.finished {
            paper.line(&format!("the same command goes on: {}", own::same_command()))?;
        }
    }
    if arguments.json {
        let mut told = estimate.json("comparison");
        told["old"] = old.into();
        told["new"] = new.into();
        told["verdict"] = verdict.word().into();
        told["results"] = arguments.out.as_ref().map(|path| path.display().to_string()).into();
        told["worse"] = worse::json(&worse, &path)?;
        output::line(&told.to_string())?;
    }
    Ok(signals.status().unwrap_or(DONE))
}

/// The two as a cup, the new one first: what is tested is the lead of the first.
fn cup(arguments: &CompareArguments, home: &Path) -> Result<Cup, Failure> {
    let [old, new] = &arguments.bots[..] else {
        let times =
            if arguments.bots.len() == 1 { "once".to_string() } else { format!("{} times", arguments.bots.len()) };
        return Err(Failure::new(format!(
            "two bots are compared, the old one and the new one, but `--bot` was given {times}"
        )));
    };
    let (game, beside) = (games::game(&arguments.game)?, bundled_folder()?);
    let clock = arguments.clock.checked_clock()?;
    let given = params(game, &arguments.params)?;
    let [new_spec, old_spec] = [read_bot(new, home, &beside)?, read_bot(old, home, &beside)?];
    if [&new_spec, &old_spec].iter().any(|spec| spec.kind == BotKind::Human) {
        return Err(Failure::new("`human` cannot be compared: it takes hundreds of matches"));
    }
    let names = names(&[new_spec.name, old_spec.name]);
    let tables = format!(
        "[sprt]\nelo0 = {:?}\nelo1 = {:?}\nalpha = {:?}\nbeta = {:?}\nmax_pairs = {}",
        arguments.elo0, arguments.elo1, arguments.alpha, arguments.beta, arguments.max_pairs
    );
    let read = |params: Params| {
        let parts = CupParts {
            game: game.info().id,
            bots: &[new.clone(), old.clone()],
            names: &names,
            format: Some("sprt"),
            seed: Some(arguments.seed),
            params,
            clock: Some(clock.clone()),
            hints: arguments.clock.hints,
            thinking: arguments.clock.thinking(),
            isolation: Some(arguments.isolation),
            tables: &tables,
            ..CupParts::default()
        };
        cup_from_parts(&parts, home, &beside)
    };
    let cup = read(given.clone())?;
    if given.contains_key(OPENING.name) {
        return Ok(cup);
    }
    let Some(plies) = opening::needed(game, &cup.sets) else { return Ok(cup) };
    let (id, name) = (game.info().id, OPENING.name);
    output::complain(&format!(
        "note: {id} begins from one position, so each pair begins with {plies} random plies: --param {name}={plies} (0 for none)"
    ));
    let mut params = given;
    params.insert(name.to_string(), plies.into());
    Ok(read(params)?)
}

/// Names that tell the two apart, the new one's first: their own, or `NAME-new` and `NAME-old`.
fn names(own: &[String; 2]) -> [String; 2] {
    // A name has 40 letters at most.
    const KEPT: usize = 36;
    if !own[0].eq_ignore_ascii_case(&own[1]) {
        return own.clone();
    }
    let shorter = |name: &String| name[..name.len().min(KEPT)].to_string();
    [format!("{}-new", shorter(&own[0])), format!("{}-old", shorter(&own[1]))]
}

/// Reads a number, for clap.
fn finite(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| "it is a number, like 20".to_string())
}

fn tell(paper: &mut Paper, estimate: &Estimate, verdict: &Verdict, [new, old]: [&str; 2]) -> Result<(), Failure> {
    paper.line(&format!("{} ({})", verdict.words(new, old, estimate), estimate.words(new)))?;
    if let Verdict::Undecided(why) = verdict {
        paper.folded(&format!("note: {why}{}", estimate.more_words()))?;
    }
    for (name, faults) in [(new, estimate.faults[0]), (old, estimate.faults[1])] {
        if faults > 0 {
            let matches = if faults == 1 { "1 match".to_string() } else { format!("{faults} matches") };
            paper.line(&format!("note: {name} lost {matches} by a fault"))?;
        }
    }
    Ok(())
}

/// Progress with the estimate in it.
struct Live {
    progress: Progress,
    tally: Tally,
    test: Test,
}

impl Audience for Live {
    fn hear(&mut self, event: &CupEvent<'_>) -> Result<(), String> {
        let CupEvent::Ended { row, played } = event else { return self.progress.hear(event) };
        self.tally.count(row, set_of(row), Some(played.observation)).map_err(|stranger| stranger.to_string())?;
        let estimate = Estimate::of(&self.tally, self.test);
        self.progress.tell_instead_of_points(estimate.words(&self.tally.names()[0]));
        self.progress.hear(event)?;
        self.progress.json(&estimate.json("estimate"))
    }
}

impl Spectator for Live {
    fn end(&mut self) {
        self.progress.end();
    }
}
