//! `arena tournament run`: plays a cup, or goes on with it.

use super::MEND;
use super::begun::{self, Begun, CUP};
use super::entrants::{self, Sound};
use super::playing_time::PlayingTime;
use super::progress::{Progress, Spectator, Style};
use super::stop_at::TimeOfDay;
use super::tables;
use crate::cli::bots::{PROGRAM_HELP, bundled_folder};
use crate::cli::clock_flags::ClockFlags;
use crate::cli::confine::{self, Confiner};
use crate::cli::failure::Failure;
use crate::cli::output::{self, Paper};
use crate::cli::serve::{self, Beside};
use crate::cli::signals::Signals;
use crate::cli::values::params;
use crate::cli::{DONE, FOUND_WRONG, games, own};
use crate::config::{BotKind, Broken, Cup, CupBot, CupParts, cup_from_parts, cup_from_text, read_cup_with};
use crate::files::read_regular_text;
use crate::isolation::{InForce, Mode};
use crate::record::rows::RowReader;
use crate::record::{ClockRecord, Row, read_transcript};
use crate::report::{CupLinks, CupPage, Unfinished, cup_page};
use crate::serve::Site;
use crate::table::Thinking;
use crate::tournament::Round;
use crate::tournament::conductor::{Audience, Conductor, CupEvent, Ending};
use crate::tournament::failures::{FAILURES, write_failure};
use crate::tournament::folder::{Folder, Out};
use crate::tournament::formats;
use crate::tournament::grades::Grade;
use crate::tournament::ledger::{Ledger, MATCHES};
use crate::tournament::standings::half_points_of_byes;
use crate::tournament::tables::Tables;
use crate::transport::cores;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

#[derive(clap::Args)]
pub(super) struct RunArguments {
    /// The cup; without one, `--game` and `--bot` make it
    cup: Option<PathBuf>,
    /// The game of a cup without a file; this and the flags down to `--thinking` are in a cup file else
    #[arg(long)]
    game: Option<String>,
    #[arg(long = "bot", value_name = "BOT", num_args = 1, help = PROGRAM_HELP)]
    bots: Vec<String>,
    /// Paired matches per pairing
    #[arg(long, value_name = "N")]
    pairs: Option<u64>,
    /// A parameter of the game; a list makes a grid
    #[arg(long = "param", value_name = "K=V")]
    params: Vec<String>,
    /// The format
    #[arg(long)]
    format: Option<String>,
    /// The cup's seed
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    clock: ClockFlags,
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
    /// Begin no match after this time of day in UTC, like 08:00 (or 08:00:30): today, or tomorrow where it has passed; the
    /// same command goes on later
    #[arg(long, value_name = "HH:MM")]
    stop_at: Option<TimeOfDay>,
    /// Show the cup on a page while it is played; one core is then left to the page
    #[arg(long, value_name = "HOST:PORT", num_args = 0..=1, default_missing_value = serve::DEFAULT_ADDRESS, value_parser = serve::address)]
    serve: Option<String>,
}

pub(super) fn run(arguments: &RunArguments) -> Result<u8, Failure> {
    let signals = Signals::take()?;
    let enough = Arc::new(AtomicBool::new(false));
    if let Some(moment) = arguments.stop_at {
        // What is built or started until then takes nothing from the night.
        raise_later(&enough, moment.after(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()));
    }
    let mut paper = Paper::new(arguments.json);
    let Source { cup, home, out } = read(arguments)?;
    let path = out.unwrap_or_else(|| Path::new("results").join(&cup.name));
    let course = Course {
        cup,
        home: &home,
        path: &path,
        file: arguments.cup.as_deref(),
        again: &arguments.again,
        skip_broken: arguments.skip_broken,
        jobs: arguments.jobs,
        core_for_page: arguments.serve.is_some(),
        signals: &signals,
        enough: &enough,
    };
    let style = Style::of(arguments.json, &paper);
    let mut page = None;
    let played = course.play(&mut |names, spare| {
        if let Some(address) = &arguments.serve {
            page = Some(show_cup(address, &path, spare, &mut paper)?);
        }
        Ok(Box::new(Progress::new(style, names, Some(&path))))
    })?;
    let Some(Played { ending, tables, byes, remarks, planned }) = played else {
        paper.line(&format!("stopped before the first match; the same command goes on: {}", own::same_command()))?;
        return Ok(signals.status().unwrap_or(DONE));
    };
    tables.show(&mut paper, &byes, &remarks)?;
    let stopped = match (signals.status(), arguments.stop_at) {
        (None, Some(moment)) => format!("stopped at {moment} UTC"),
        _ => "stopped".to_string(),
    };
    say_how_it_ended(&mut paper, &path, &ending, planned, &stopped)?;
    let by_signal = signals.status();
    page.map_or(Ok(()), |page| page.stay(&signals))?;
    Ok(match (by_signal, ending.void) {
        (Some(status), _) => status,
        (None, 0) => DONE,
        (None, _) => FOUND_WRONG,
    })
}

/// Serves the folder that a cup's results are in, and so this cup.
fn show_cup(address: &str, path: &Path, spare: &[usize], paper: &mut Paper) -> Result<Beside, Failure> {
    let whole = path.canonicalize()?;
    let results = whole.parent().map_or(whole.clone(), Path::to_path_buf);
    let page = Beside::start(address, Site::new(results, false), spare, paper)?;
    page.announce_cup(&whole.file_name().unwrap_or_default().to_string_lossy(), paper)?;
    Ok(page)
}

/// A cup that is to be played in a folder, or gone on with.
pub(in crate::cli) struct Course<'a> {
    /// The cup.
    pub cup: Cup,
    /// The folder that its relative paths are taken from.
    pub home: &'a Path,
    /// The folder of its results.
    pub path: &'a Path,
    /// Its file, where it has one.
    pub file: Option<&'a Path>,
    /// The bots whose matches are played again.
    pub again: &'a [String],
    /// Whether bots that cannot play are left out.
    pub skip_broken: bool,
    /// Matches at a time, where the command says it.
    pub jobs: Option<u16>,
    /// Whether one core, where there are more, is left to a page.
    pub core_for_page: bool,
    /// What stops it.
    pub signals: &'a Signals,
    /// Set when no match is to be begun any more.
    pub enough: &'a AtomicBool,
}

/// Makes whoever watches.
pub(in crate::cli) type Watch<'a> = dyn FnMut(&[String], &[usize]) -> Result<Box<dyn Spectator>, Failure> + 'a;

/// What a cup came to that was played, or stopped.
pub(in crate::cli) struct Played {
    /// How it ended.
    pub ending: Ending,
    /// Its tables, which are written.
    pub tables: Tables,
    /// Twice the points of each entrant's byes, where the order of the tables counts them.
    pub byes: Vec<u64>,
    /// What the format says of its course.
    pub remarks: Vec<String>,
    /// How many matches there are to be, where that is known.
    pub planned: Option<u64>,
}

impl Course<'_> {
    /// Plays what is not on record yet, and writes the tables and the page. `watch` makes whoever watches, from the names of those who
    /// play and the cores that nothing is played on. `None` when it was stopped before the first match.
    pub fn play(mut self, watch: &mut Watch<'_>) -> Result<Option<Played>, Failure> {
        let signals = self.signals;
        for note in self.cup.notes.iter().chain(self.cup.skipped.iter().map(|error| &error.0)) {
            output::complain(&format!("note: {note}"));
        }
        let mut folder = Folder::take(self.path).map_err(Failure::new)?;
        let begun = Begun::read(self.path)?;
        if let Some(begun) = &begun {
            begun.keep_versions(&mut self.cup, self.again, &bundled_folder()?)?;
            begun.refuse_another(&self.cup, self.file, self.again)?;
        }
        // The cores are claimed from here on; and what is too little for the matches is too little for the handshakes.
        let (slots, _claims) = slots(&self.cup, self.jobs, self.core_for_page);
        room_for_descriptors(slots.len())?;
        let confiner = Confiner::prepare(&self.cup.isolation, self.cup.bots.iter().map(|bot| &bot.spec))?;
        let sound = self.make_ready(&confiner, &folder)?;
        if signals.status().is_some() {
            return Ok(None);
        }
        let cup = &self.cup;
        let records = entrants::records(cup, &sound);
        if let Some(begun) = &begun {
            begun.refuse_other_bots(cup, &records, self.file, self.again)?;
        }
        begun::refuse_strangers(&records, self.again)?;
        let conditions = entrants::conditions(cup, sound.into_iter().map(|sound| sound.program).collect());
        let mut format = formats::build(&cup.plan, &conditions.field).map_err(Failure::new)?;

        // Nothing can be refused any more.
        folder.begin().map_err(Failure::new)?;
        if let Some(begun) = &begun {
            begun.set_aside(&folder, self.again)?;
        }
        begun::remember(&folder, cup, self.home, &records)?;
        let mut ledger = Ledger::open(&folder).map_err(|why| unwritable(&why))?;
        let last_batch = Arc::new(AtomicBool::new(false));
        let playing_time = PlayingTime::count(&folder, cup.max_time, &last_batch)?;
        let spare = cores::all_but(&slots.concat());
        let conductor = Conductor {
            conditions: &conditions,
            folder: &folder,
            host: confiner.host(slots.iter().all(|cores| cores.len() == 1)),
            slots,
            interrupt: signals.interrupt(),
            enough: self.enough,
            last_batch: &last_batch,
        };
        let mut spectator = watch(&conditions.field.names, &spare)?;
        spectator.recall().map_err(Failure::new)?;
        let mut chronicle = Chronicle { spectator: &mut *spectator, folder: &folder };
        let ending = conductor.run(&mut *format, &mut ledger, &mut chronicle);
        drop(playing_time);
        spectator.end();
        let mut ending = ending.map_err(|why| unwritable(&why))?;
        if begun.is_some() {
            note_all_failures(&folder)?;
        }
        // What it holds of each match is given back before tables are made.
        ledger.correct_rounds().map_err(|why| unwritable(&why))?;
        if ending.finished {
            ending.on_record -= close(ledger, &folder)?;
        } else {
            drop(ledger);
        }
        let ranking = format.ranking().filter(|_| ending.finished);
        let mut tables =
            tables::read(self.path, &conditions.field.names, conditions.field.sets.len(), ranking.as_deref())?;
        let authors: Vec<Vec<String>> = records.iter().map(|record| record.authors.clone()).collect();
        let grades = tables.grades(&authors, cup.grades.as_ref());
        tables.write(self.path, &grades)?;
        tables.tell_causes(&folder);
        let (remarks, planned) = (format.remarks(), format.planned());
        let unfinished =
            (!ending.finished).then_some(Unfinished { done: ending.on_record, planned, is_going_on: false });
        let on_page = [remarks.clone(), tables.notes.clone()].concat();
        let rounds = format.rounds();
        let byes = ranking.map(|_| half_points_of_byes(&rounds, conditions.field.names.len())).unwrap_or_default();
        let course = Told { remarks: &on_page, rounds: &rounds, unfinished };
        let page = page(cup, &conductor.host.in_force(), &tables, &grades, &course);
        folder
            .write(REPORT, page.as_bytes())
            .map_err(|error| Failure::new(format!("{}: {error}", folder.file(REPORT).display())))?;
        Ok(Some(Played { ending, tables, byes, remarks, planned }))
    }

    /// Builds, starts and shakes hands; what cannot play is named, or left out where that was asked for.
    fn make_ready(&mut self, confiner: &Confiner, folder: &Folder) -> Result<Vec<Sound>, Failure> {
        let (cup, signals) = (&mut self.cup, self.signals);
        let mut ready = entrants::make_ready(cup, confiner, &folder.file("builds"), &signals.interrupt());
        if ready.broken.is_empty() || self.skip_broken {
            entrants::shake_hands(cup, &mut ready, &confiner.host(false), &signals.interrupt())?;
        }
        let broken = ready.broken.clone();
        let sound = ready.sound();
        if signals.status().is_some() || broken.is_empty() {
            return Ok(sound);
        }
        let told: Vec<String> =
            broken.iter().map(|(entrant, why)| format!("{}: {why}", cup.bots[*entrant].spec.name)).collect();
        if !self.skip_broken {
            return Err(Failure::new(format!(
                "{} of {} bots cannot play, so nothing is played:\n  {}\n{MEND}",
                told.len(),
                cup.bots.len(),
                told.join("\n  ")
            )));
        }
        for line in &told {
            output::complain(&format!("left out: {line}"));
        }
        entrants::leave_out(cup, &broken)?;
        Ok(sound)
    }
}

/// The rows of a cup that is played, put in the order of its schedule. Where matches were played again later pairings may have become
/// others: matches that are none of the schedule any more are set aside; how many.
fn close(ledger: Ledger<'_>, folder: &Folder) -> Result<u64, Failure> {
    let strangers = ledger.strangers().map_err(|why| unwritable(&why))?;
    if strangers.count > 0 && !strangers.are_left_over {
        return Err(Failure::new(format!(
            "{} rows of {} are no matches of this cup's schedule, or stand there twice, so no table is made: `{} verify {}` names \
             them; take them out, and the same command goes on",
            strangers.count,
            folder.file(MATCHES).display(),
            own::arena(),
            folder.path().display()
        )));
    }
    ledger.sort().map_err(|why| unwritable(&why))?;
    if strangers.count > 0 {
        folder.supersede(MATCHES, Out::Matches(&strangers.ids)).map_err(|why| unwritable(&why))?;
        let (count, are) = (strangers.count, if strangers.count == 1 { "match is" } else { "matches are" });
        output::complain(&format!(
            "note: {count} {are} in superseded/ now: since others were played again, other pairings have followed"
        ));
    }
    Ok(strangers.count as u64)
}

/// The page of a cup, for people.
const REPORT: &str = "report.html";

/// Writes down each forfeit as it comes, and passes everything on.
struct Chronicle<'a> {
    spectator: &'a mut dyn Spectator,
    folder: &'a Folder,
}

impl Audience for Chronicle<'_> {
    fn hear(&mut self, event: &CupEvent<'_>) -> Result<(), String> {
        if let CupEvent::Ended { row, .. } = event {
            note_failure(self.folder, row)?;
        }
        self.spectator.hear(event)
    }
}

/// Writes down what led to a forfeit, unless that was done before.
fn note_failure(folder: &Folder, row: &Row) -> Result<(), String> {
    if row.at_fault.is_none() || folder.file(FAILURES).join(&row.id).exists() {
        return Ok(());
    }
    let transcript = read_transcript(&folder.transcript(&row.id)).map_err(|error| error.to_string())?;
    write_failure(folder.path(), &transcript, &own::arena()).map(drop)
}

/// An arena that was killed may have committed a forfeit and not yet written down what led to it.
fn note_all_failures(folder: &Folder) -> Result<(), Failure> {
    for row in RowReader::open(&folder.file(MATCHES)).map_err(Failure::new)? {
        note_failure(folder, &row.map_err(Failure::new)?).map_err(Failure::new)?;
    }
    Ok(())
}

/// What the page tells of a cup's course.
struct Told<'a> {
    remarks: &'a [String],
    rounds: &'a [Round],
    unfinished: Option<Unfinished>,
}

fn page(cup: &Cup, in_force: &InForce, tables: &Tables, grades: &[Grade], course: &Told<'_>) -> String {
    let Told { remarks, rounds, unfinished } = *course;
    let mut isolation = [&[in_force.mode.as_str().to_string()], &in_force.layers[..]].concat().join(", ");
    let is_trusted = |bot: &CupBot| matches!(&bot.spec.kind, BotKind::Program(launch) if launch.is_trusted());
    if in_force.mode == Mode::None && cup.bots.iter().all(is_trusted) {
        isolation.push_str(" (all bots come with the arena)");
    }
    let to_pass = cup.grades.as_ref().map(|rule| (cup.bots[rule.pass_against].spec.name.as_str(), rule.pass_pct));
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
        grades,
        to_pass,
        remarks,
        warnings: &tables.warnings,
        unfinished,
        void: &tables.void,
        files: &["matches.csv", "standings.csv", "crosstable.csv", "grades.csv", "cup.toml"],
        excerpts: &tables.excerpts,
        rounds,
        links: CupLinks::Beside,
    })
}

/// A cup as it was asked for.
struct Source {
    cup: Cup,
    /// The folder that its relative paths are taken from.
    home: PathBuf,
    /// The folder of its results, where that is not left to the cup's name.
    out: Option<PathBuf>,
}

fn read(arguments: &RunArguments) -> Result<Source, Failure> {
    let here =
        std::env::current_dir().map_err(|error| Failure::new(format!("the current folder cannot be read: {error}")))?;
    let beside = bundled_folder()?;
    let broken = if arguments.skip_broken { Broken::Skip } else { Broken::Refuse };
    let out = arguments.out.clone();
    if let Some(path) = &arguments.cup {
        refuse_a_folder(path)?;
        refuse_flags_of_the_file(arguments, path)?;
        let folder = here.join(path).parent().map(Path::to_path_buf).unwrap_or(here);
        // The copy beside its results goes on there.
        if path.file_name().is_some_and(|name| name == CUP)
            && let Some(home) = begun::home(&folder)?
        {
            let label = path.display().to_string();
            let text = read_regular_text(path).map_err(|error| Failure::new(format!("{label}: {error}")))?;
            let cup = cup_from_text(&text, &label, &home, &beside, broken, arguments.isolation)?;
            let own = path.parent().filter(|own| !own.as_os_str().is_empty()).unwrap_or(Path::new("."));
            return Ok(Source { cup, home, out: out.or(Some(own.to_path_buf())) });
        }
        let cup = read_cup_with(path, &beside, broken, arguments.isolation)?;
        return Ok(Source { cup, home: folder, out });
    }
    let Some(game) = &arguments.game else {
        return Err(Failure::new("which cup? Name a cup file, or make one with --game G --bot A --bot B"));
    };
    let clock = arguments.clock.checked_clock()?;
    let name = out.as_ref().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    let parts = CupParts {
        name: name.as_deref(),
        game,
        bots: &arguments.bots,
        format: arguments.format.as_deref(),
        pairs: arguments.pairs,
        seed: arguments.seed,
        params: params(games::game(game)?, &arguments.params)?,
        clock: Some(clock),
        hints: arguments.clock.hints,
        thinking: arguments.clock.thinking(),
        isolation: arguments.isolation,
        ..CupParts::default()
    };
    Ok(Source { cup: cup_from_parts(&parts, &here, &beside)?, home: here, out })
}

/// A folder of results is not what is played: the file in it is.
fn refuse_a_folder(path: &Path) -> Result<(), Failure> {
    if !path.is_dir() {
        return Ok(());
    }
    let (folder, file) = (path.display(), path.join(CUP));
    let way_out = match file.is_file() {
        true => format!("to go on with the cup that was begun there, name its file: {}", file.display()),
        false => format!("name the cup's file, not a folder (there is no {CUP} in it)"),
    };
    Err(Failure::new(format!("{folder} is a folder: {way_out}")))
}

/// What a cup's file says is said there and nowhere else, so that the same file is the same cup.
fn refuse_flags_of_the_file(arguments: &RunArguments, file: &Path) -> Result<(), Failure> {
    let more = [
        (arguments.game.is_some(), "--game", "game = \"…\"", ""),
        (!arguments.bots.is_empty(), "--bot", "bot = \"…\"", "[[bots]]"),
        (arguments.pairs.is_some(), "--pairs", "pairs = 10", ""),
        (!arguments.params.is_empty(), "--param", "NAME = VALUE", "[params]"),
        (arguments.format.is_some(), "--format", "format = \"…\"", ""),
        (arguments.seed.is_some(), "--seed", "seed = 1", ""),
    ];
    let given = more.into_iter().filter(|(given, ..)| *given).map(|(_, flag, line, table)| (flag, line, table));
    let Some((flag, line, table)) = given.chain(arguments.clock.given()).next() else { return Ok(()) };
    let under = if table.is_empty() { String::new() } else { format!(" under {table}") };
    Err(Failure::new(format!("{flag} is for a cup without a file: write it in {}, as `{line}`{under}", file.display())))
}

/// The cores of each slot, and the claims that keep other arenas off them. Where nobody says how many there are, one core can be left.
fn slots(cup: &Cup, jobs: Option<u16>, leave_one: bool) -> (Vec<Vec<usize>>, Vec<cores::Claim>) {
    let jobs = jobs.map(usize::from).or(cup.jobs);
    if let Some(named) = &cup.cores {
        let count = jobs.unwrap_or(named.len()).min(named.len());
        return (named[..count].to_vec(), Vec::new());
    }
    let each = if cup.thinking == Thinking::Any { 2 } else { 1 };
    let allowed = cores::allowed().len();
    let jobs = jobs.unwrap_or(((allowed - usize::from(leave_one && allowed > 1)) / each).max(1));
    let claims: Vec<cores::Claim> = (0..jobs * each).map(|_| cores::claim_one()).collect();
    if claims.iter().any(cores::Claim::shared) {
        let why = if jobs * each > allowed {
            format!("{jobs} matches at a time would need {} cores, and {allowed} are here", jobs * each)
        } else {
            "another arena uses cores that this one needs".to_string()
        };
        output::complain(&format!("note: {why}: matches share cores, and times are less reliable"));
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
    stopped: &str,
) -> Result<(), Failure> {
    let folder = path.display();
    let on_one_page = format!("all of it on one page, for a browser: {}", path.join(REPORT).display());
    let of = planned.map(|planned| format!(" of {planned}")).unwrap_or_default();
    if ending.finished {
        paper.line(&format!("{} matches are on record in {folder}", ending.on_record))?;
        paper.line(&on_one_page)?;
    } else {
        paper.line(&on_one_page)?;
        paper.line(&format!(
            "{stopped}: {}{of} matches are on record in {folder}; the same command goes on: {}",
            ending.on_record,
            own::command_that_goes_on()
        ))?;
    }
    Ok(())
}

/// A failure of ours in the middle of a cup: what is on record is safe, and how to go on.
pub(super) fn unwritable(why: &str) -> Failure {
    Failure::new(format!(
        "{why}\nwhat is on record is safe; when this is mended, the same command goes on: {}",
        own::command_that_goes_on()
    ))
}

fn raise_later(flag: &Arc<AtomicBool>, after: Duration) {
    let flag = Arc::clone(flag);
    std::thread::spawn(move || {
        std::thread::sleep(after);
        flag.store(true, Ordering::Relaxed);
    });
}
