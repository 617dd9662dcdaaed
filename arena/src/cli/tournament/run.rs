//! `arena tournament run`: plays a cup, or goes on with it.

use super::entrants::{self, EntrantRecord, Ready};
use super::progress::{Progress, Style};
use super::tables;
use crate::cli::bots::{BOT_HELP, bundled_folder};
use crate::cli::confine::{self, Confiner};
use crate::cli::failure::Failure;
use crate::cli::output::{self, Paper};
use crate::cli::signals::Signals;
use crate::cli::values::params;
use crate::cli::{DONE, FOUND_WRONG, games};
use crate::config::{Broken, Cup, CupParts, Grades, cup_from_parts, cup_from_text, differences, read_cup_with};
use crate::isolation::{InForce, Mode};
use crate::record::rows::RowReader;
use crate::record::{ClockRecord, Row, read_transcript};
use crate::report::{CupPage, Unfinished, crosstable_text, cup_page, standings_text};
use crate::table::Thinking;
use crate::tournament::conductor::{Audience, Conductor, CupEvent, Ending};
use crate::tournament::failures::{FAILURES, again_command, write_failure};
use crate::tournament::folder::Folder;
use crate::tournament::formats::{self, Plan};
use crate::tournament::ledger::{Ledger, MATCHES};
use crate::tournament::roster::ENTRANTS;
use crate::tournament::slot::Conditions;
use crate::transport::{Program, cores};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

#[derive(clap::Args)]
pub(super) struct RunArguments {
    /// The cup; without one, `--game` and `--bot` make it
    #[arg(conflicts_with_all = ["game", "bots"])]
    cup: Option<PathBuf>,
    /// The game of a cup without a file
    #[arg(long)]
    game: Option<String>,
    #[arg(long = "bot", value_name = "BOT", num_args = 1, help = BOT_HELP)]
    bots: Vec<String>,
    /// Paired matches per pairing, for a cup without a file
    #[arg(long, value_name = "N", requires = "game")]
    pairs: Option<u64>,
    /// A parameter of the game, for a cup without a file; a list makes a grid
    #[arg(long = "param", value_name = "K=V", requires = "game")]
    params: Vec<String>,
    /// The format, for a cup without a file
    #[arg(long, requires = "game")]
    format: Option<String>,
    /// The cup's seed, for a cup without a file
    #[arg(long, value_name = "N", requires = "game")]
    seed: Option<u64>,
    /// This cup's own folder [default: results/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Matches at a time, each on a core of its own [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// How bots are confined that do not come with the arena, where the cup does not say: `strict` (or nothing is played),
    /// `best-effort`, `none` [default: strict]
    #[arg(long, value_name = "MODE", value_parser = confine::mode)]
    isolation: Option<Mode>,
    /// An event a line on stdout; everything for people goes to stderr
    #[arg(long)]
    json: bool,
    /// Enter the bots that can be started, and leave out the others
    #[arg(long)]
    skip_broken: bool,
    /// Play the matches of this bot again, with what is in its files now; the old ones go to superseded/
    #[arg(long, value_name = "BOT")]
    again: Vec<String>,
    /// Begin no match after this time of day, like 08:00 (UTC); the same command goes on later
    #[arg(long, value_name = "HH:MM", value_parser = time_of_day)]
    stop_at: Option<Duration>,
}

pub(super) fn run(arguments: &RunArguments) -> Result<u8, Failure> {
    let signals = Signals::take()?;
    let mut paper = Paper::new(arguments.json);
    let (mut cup, home) = read(arguments)?;
    for note in cup.notes.iter().chain(cup.skipped.iter().map(|error| &error.0)) {
        output::complain(&format!("note: {note}"));
    }
    let path = arguments.out.clone().unwrap_or_else(|| Path::new("results").join(&cup.name));
    let folder = Folder::take(&path).map_err(Failure::new)?;
    let before = Remembered::read(&path, &home)?;
    if let Some(before) = &before {
        compare(before, &cup, arguments)?;
    }
    let confiner = Confiner::prepare(&cup.isolation, cup.bots.iter().map(|bot| &bot.spec))?;
    let programs = make_ready(&mut cup, &confiner, &folder, arguments, &signals)?;
    if let Some(status) = signals.status() {
        paper.line(&format!("stopped before the first match; the same command goes on: {}", same_command()))?;
        return Ok(status);
    }
    let records = entrants::records(&cup)?;
    if let Some(before) = &before {
        set_aside_superseded(&folder, &before.entrants, &records, arguments)?;
    }
    remember(&folder, &cup, &home, &records)?;

    let field = cup.field();
    let conditions = Conditions {
        game: cup.game,
        programs,
        clock: cup.clock.clone(),
        limits: cup.limits.clone(),
        hints: cup.hints,
        thinking: cup.thinking,
        reuse: cup.reuse,
        field,
    };
    let mut format = formats::build(&cup.plan, &conditions.field).map_err(Failure::new)?;
    let mut ledger = Ledger::open(&folder).map_err(|why| unwritable(&why))?;
    let (slots, _claims) = slots(&cup, arguments);
    room_for_descriptors(slots.len())?;
    let enough = Arc::new(AtomicBool::new(false));
    if let Some(moment) = arguments.stop_at {
        raise_later(&enough, until(moment));
    }
    let last_batch = Arc::new(AtomicBool::new(false));
    if let Some(budget) = cup.max_time {
        raise_later(&last_batch, budget);
    }
    let conductor = Conductor {
        conditions: &conditions,
        folder: &folder,
        host: confiner.host(slots.iter().all(|cores| cores.len() == 1)),
        slots,
        interrupt: signals.interrupt(),
        enough: &enough,
        last_batch: &last_batch,
    };
    let mut progress = Progress::new(Style::of(arguments.json, &paper), &conditions.field.names, &path);
    let mut chronicle = Chronicle { progress: &mut progress, folder: &folder };
    let ending = conductor.run(&mut *format, &mut ledger, &mut chronicle);
    progress.end();
    let ending = ending.map_err(|why| unwritable(&why))?;
    note_all_failures(&folder)?;
    if ending.finished {
        ledger.sort().map_err(|why| unwritable(&why))?;
    }
    let ranking = format.ranking().filter(|_| ending.finished);
    let tables = tables::read(&path, &conditions.field.names, conditions.field.sets.len(), ranking.as_deref())?;
    let authors: Vec<Vec<String>> = records.iter().map(|record| record.authors.clone()).collect();
    tables.write(&path, &authors, cup.grades.as_ref())?;
    let unfinished = (!ending.finished).then(|| Unfinished { done: ending.on_record, planned: format.planned() });
    let page = page(&cup, &confiner.host(false).in_force(), &tables, &format.remarks(), unfinished);
    folder
        .write(REPORT, page.as_bytes())
        .map_err(|error| Failure::new(format!("{}: {error}", folder.file(REPORT).display())))?;

    paper.line(&standings_text(&tables.standings))?;
    paper.line(&crosstable_text(&tables.crosstable))?;
    for remark in format.remarks().iter().chain(&tables.standings.remarks()).chain(&tables.warnings) {
        paper.line(&format!("note: {remark}"))?;
    }
    say_how_it_ended(&mut paper, &path, &ending, format.planned(), &signals)?;
    Ok(match (signals.status(), ending.void) {
        (Some(status), _) => status,
        (None, 0) => DONE,
        (None, _) => FOUND_WRONG,
    })
}

/// The page of a cup, for people.
const REPORT: &str = "report.html";

/// Writes down each forfeit as it comes, and passes everything on.
struct Chronicle<'a> {
    progress: &'a mut Progress,
    folder: &'a Folder,
}

impl Audience for Chronicle<'_> {
    fn hear(&mut self, event: &CupEvent<'_>) -> Result<(), String> {
        if let CupEvent::Ended { row, .. } = event {
            note_failure(self.folder, row)?;
        }
        self.progress.hear(event)
    }
}

/// Writes down what led to a forfeit, unless that was done before.
fn note_failure(folder: &Folder, row: &Row) -> Result<(), String> {
    if row.at_fault.is_none() || folder.file(FAILURES).join(&row.id).exists() {
        return Ok(());
    }
    let transcript = read_transcript(&folder.transcript(&row.id)).map_err(|error| error.to_string())?;
    write_failure(folder.path(), &transcript, &again_command(&transcript)).map(drop)
}

/// An arena that was killed may have committed a forfeit and not yet written down what led to it.
fn note_all_failures(folder: &Folder) -> Result<(), Failure> {
    for row in RowReader::open(&folder.file(MATCHES)).map_err(Failure::new)? {
        note_failure(folder, &row.map_err(Failure::new)?).map_err(Failure::new)?;
    }
    Ok(())
}

fn page(
    cup: &Cup,
    in_force: &InForce,
    tables: &tables::Tables,
    remarks: &[String],
    unfinished: Option<Unfinished>,
) -> String {
    let isolation = [&[in_force.mode.as_str().to_string()], &in_force.layers[..]].concat().join(", ");
    cup_page(&CupPage {
        name: &cup.name,
        game: cup.game.info().title,
        format: cup.plan.id(),
        seed: cup.seed,
        pairs: cup.pairs,
        clock: &ClockRecord::from(&cup.clock),
        isolation: &isolation,
        arena: env!("CARGO_PKG_VERSION"),
        facts: &[],
        sets: &cup.sets,
        tally: &tables.tally,
        standings: &tables.standings,
        remarks,
        warnings: &tables.warnings,
        unfinished,
        void: &tables.void,
        files: &["matches.csv", "standings.csv", "crosstable.csv", "grades.csv", "cup.toml"],
        excerpts: &tables.excerpts,
    })
}

/// The cup, and the folder that its relative paths are taken from.
fn read(arguments: &RunArguments) -> Result<(Cup, PathBuf), Failure> {
    let here =
        std::env::current_dir().map_err(|error| Failure::new(format!("the current folder cannot be read: {error}")))?;
    let beside = bundled_folder()?;
    let broken = if arguments.skip_broken { Broken::Skip } else { Broken::Refuse };
    if let Some(path) = &arguments.cup {
        let home = here.join(path).parent().map(Path::to_path_buf).unwrap_or(here);
        return Ok((read_cup_with(path, &beside, broken, arguments.isolation)?, home));
    }
    let Some(game) = &arguments.game else {
        return Err(Failure::new("which cup? Name a cup file, or make one with --game G --bot A --bot B"));
    };
    let name = arguments.out.as_ref().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    let parts = CupParts {
        name: name.as_deref(),
        game,
        bots: &arguments.bots,
        format: arguments.format.as_deref(),
        pairs: arguments.pairs,
        seed: arguments.seed,
        params: params(games::game(game)?, &arguments.params)?,
        clock: None,
        hints: false,
        isolation: arguments.isolation,
    };
    Ok((cup_from_parts(&parts, &here, &beside)?, here))
}

/// What a results folder remembers of the cup that was played in it.
struct Remembered {
    cup: Cup,
    entrants: Vec<EntrantRecord>,
}

impl Remembered {
    fn read(path: &Path, home: &Path) -> Result<Option<Remembered>, Failure> {
        let file = path.join("cup.toml");
        let Ok(text) = fs::read_to_string(&file) else { return Ok(None) };
        let label = file.display().to_string();
        let home = fs::read_to_string(path.join(HOME)).map_or_else(|_| home.to_path_buf(), PathBuf::from);
        let cup = cup_from_text(&text, &label, &home, &bundled_folder()?, Broken::Skip)?;
        let entrants_file = path.join(ENTRANTS);
        let entrants = fs::read_to_string(&entrants_file)
            .map_err(|error| Failure::new(format!("{}: {error}", entrants_file.display())))?;
        let entrants = serde_json::from_str(&entrants)
            .map_err(|error| Failure::new(format!("{}: {error}", entrants_file.display())))?;
        Ok(Some(Remembered { cup, entrants }))
    }
}

/// The folder that the cup file's relative paths are taken from.
pub(super) const HOME: &str = ".home";

/// Refuses to go on with another cup than the one in the folder.
fn compare(before: &Remembered, cup: &Cup, arguments: &RunArguments) -> Result<(), Failure> {
    // Bots that left the file, or could not be read, show in the entrants below.
    let refused: Vec<String> = differences(&before.cup, cup)
        .into_iter()
        .filter(|change| !change.taken_up)
        .map(|change| format!("`{}` was {} and is {}", change.key, change.old, change.new))
        .collect();
    if refused.is_empty() {
        return Ok(());
    }
    let file = arguments.cup.as_ref().map_or_else(|| "the cup".to_string(), |path| path.display().to_string());
    Err(Failure::new(format!(
        "{file} is not the cup that was begun in this folder: {}. Finished matches would not be matches of this cup: play it \
         in a folder of its own with --out NEW, or put the old values back{}",
        refused.join("; "),
        if arguments.again.is_empty() { "" } else { " (--again is for bots whose files have changed)" }
    )))
}

/// Builds, starts and shakes hands; what cannot play is named, or left out where that was asked for.
fn make_ready(
    cup: &mut Cup,
    confiner: &Confiner,
    folder: &Folder,
    arguments: &RunArguments,
    signals: &Signals,
) -> Result<Vec<Program>, Failure> {
    let mut ready = entrants::make_ready(cup, confiner, &folder.file("builds"), &signals.interrupt());
    if ready.broken.is_empty() || arguments.skip_broken {
        entrants::shake_hands(cup, &mut ready, &confiner.host(false), &signals.interrupt())?;
    }
    let Ready { programs, broken } = ready;
    let sound = programs.into_iter().enumerate().filter(|(entrant, _)| !broken.contains_key(entrant));
    let sound: Vec<Program> = sound.filter_map(|(_, program)| program).collect();
    if signals.status().is_some() || broken.is_empty() {
        return Ok(sound);
    }
    let told: Vec<String> =
        broken.iter().map(|(entrant, why)| format!("{}: {why}", cup.bots[*entrant].spec.name)).collect();
    if !arguments.skip_broken {
        return Err(Failure::new(format!(
            "{} of {} bots cannot play, so nothing is played:\n  {}\nmend them, or enter the rest with --skip-broken",
            told.len(),
            cup.bots.len(),
            told.join("\n  ")
        )));
    }
    for line in &told {
        output::complain(&format!("left out: {line}"));
    }
    leave_out(cup, &broken)?;
    Ok(sound)
}

fn leave_out(cup: &mut Cup, broken: &BTreeMap<usize, String>) -> Result<(), Failure> {
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

/// Bots whose files have changed: their finished matches are no matches of what is there now.
fn set_aside_superseded(
    folder: &Folder,
    before: &[EntrantRecord],
    now: &[EntrantRecord],
    arguments: &RunArguments,
) -> Result<(), Failure> {
    let mut again = arguments.again.clone();
    for record in now {
        let Some(old) = before.iter().find(|old| old.name == record.name) else { continue };
        if old.sha256 != record.sha256 && !again.contains(&record.name) {
            return Err(Failure::new(format!(
                "the files of {} have changed since this cup was begun (SHA-256 {}… then, {}… now): play its matches again with \
                 --again {}, or play the cup in a folder of its own with --out NEW",
                record.name,
                &old.sha256[..12],
                &record.sha256[..12],
                record.name
            )));
        }
    }
    for name in &again {
        if !now.iter().any(|record| &record.name == name) {
            return Err(Failure::new(format!("--again {name}: there is no bot of that name in this cup")));
        }
    }
    again.retain(|name| before.iter().any(|old| &old.name == name));
    if again.is_empty() {
        return Ok(());
    }
    let moved = folder.supersede(MATCHES, &again).map_err(Failure::new)?;
    output::complain(&format!("{moved} matches of {} are in superseded/ now, and are played again", again.join(", ")));
    Ok(())
}

fn remember(folder: &Folder, cup: &Cup, home: &Path, records: &[EntrantRecord]) -> Result<(), Failure> {
    let entrants = serde_json::to_string_pretty(records).expect("a list of texts is JSON") + "\n";
    let home = home.to_string_lossy();
    for (name, text) in [("cup.toml", cup.text.as_str()), (ENTRANTS, entrants.as_str()), (HOME, &*home)] {
        folder
            .write(name, text.as_bytes())
            .map_err(|error| Failure::new(format!("{}: {error}", folder.file(name).display())))?;
    }
    Ok(())
}

/// The cores of each slot, and the claims that keep other arenas off them.
fn slots(cup: &Cup, arguments: &RunArguments) -> (Vec<Vec<usize>>, Vec<cores::Claim>) {
    let jobs = arguments.jobs.map(usize::from).or(cup.jobs);
    if let Some(named) = &cup.cores {
        let count = jobs.unwrap_or(named.len()).min(named.len());
        return (named[..count].to_vec(), Vec::new());
    }
    let each = if cup.thinking == Thinking::Any { 2 } else { 1 };
    let allowed = cores::allowed().len();
    let jobs = jobs.unwrap_or((allowed / each).max(1));
    let claims: Vec<cores::Claim> = (0..jobs * each).map(|_| cores::claim_one()).collect();
    if claims.iter().any(cores::Claim::shared) {
        output::complain(&format!(
            "note: {jobs} matches at a time share the {allowed} cores that are here or free: times are less reliable"
        ));
    }
    let all = cores::allowed();
    let core = |place: usize, claim: &cores::Claim| if claim.shared() { all[place % all.len()] } else { claim.core() };
    let numbers: Vec<usize> = claims.iter().enumerate().map(|(place, claim)| core(place, claim)).collect();
    (numbers.chunks(each).map(<[usize]>::to_vec).collect(), claims)
}

/// Sees to it that all slots can have their pipes, or says so now and not in the middle of a cup.
fn room_for_descriptors(slots: usize) -> Result<(), Failure> {
    // A running match was seen to hold 14, and some more while its bots start; the arena itself 13.
    const EACH: u64 = 32;
    const OURS: u64 = 32;
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).map_err(std::io::Error::from)?;
    let needed = OURS + EACH * slots as u64;
    if needed <= soft {
        return Ok(());
    }
    if needed <= hard && setrlimit(Resource::RLIMIT_NOFILE, needed, hard).is_ok() {
        return Ok(());
    }
    let fitting = hard.saturating_sub(OURS) / EACH;
    let way_out = match fitting {
        0 => "raise the limit (`ulimit -n`)".to_string(),
        _ => format!("play {fitting} at a time with --jobs {fitting}, or raise the limit (`ulimit -n`)"),
    };
    Err(Failure::new(format!(
        "{slots} matches at a time may need {needed} open files, and this process may have {hard}: {way_out}"
    )))
}

fn say_how_it_ended(
    paper: &mut Paper,
    path: &Path,
    ending: &Ending,
    planned: Option<u64>,
    signals: &Signals,
) -> Result<(), Failure> {
    let folder = path.display();
    let of = planned.map(|planned| format!(" of {planned}")).unwrap_or_default();
    if ending.finished {
        paper.line(&format!("{} matches are on record in {folder}", ending.on_record))?;
    } else {
        let why = if signals.status().is_some() { "stopped" } else { "not finished" };
        paper.line(&format!(
            "{why}: {}{of} matches are on record in {folder}; the same command goes on: {}",
            ending.on_record,
            same_command()
        ))?;
    }
    if ending.void > 0 {
        paper.line(&format!("{} matches stayed void, and count for nothing", ending.void))?;
    }
    Ok(())
}

fn same_command() -> String {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = std::iter::once("arena").chain(words.iter().map(String::as_str)).collect();
    shlex::try_join(words.iter().copied()).unwrap_or_else(|_| words.join(" "))
}

/// A failure of ours in the middle of a cup: what is on record is safe, and how to go on.
fn unwritable(why: &str) -> Failure {
    Failure::new(format!(
        "{why}\nwhat is on record is safe; when this is mended, the same command goes on: {}",
        same_command()
    ))
}

fn raise_later(flag: &Arc<AtomicBool>, after: Duration) {
    let flag = Arc::clone(flag);
    std::thread::spawn(move || {
        std::thread::sleep(after);
        flag.store(true, Ordering::Relaxed);
    });
}

/// How long it is until this time of day, UTC.
fn until(moment: Duration) -> Duration {
    const DAY: u64 = 24 * 3600;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()) % DAY;
    Duration::from_secs((moment.as_secs() + DAY - now) % DAY)
}

fn time_of_day(text: &str) -> Result<Duration, String> {
    let wrong = || "a time of day is written like 08:00".to_string();
    let (hours, minutes) = text.split_once(':').ok_or_else(wrong)?;
    let (hours, minutes): (u64, u64) = (hours.parse().map_err(|_| wrong())?, minutes.parse().map_err(|_| wrong())?);
    if hours > 23 || minutes > 59 {
        return Err(wrong());
    }
    Ok(Duration::from_secs(hours * 3600 + minutes * 60))
}
