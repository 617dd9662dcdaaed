//! `arena match`: one match between two bots, shown as it goes.

use super::bots::{self, BOT_HELP};
use super::clock_flags::ClockFlags;
use super::confine::{self, Confiner};
use super::failure::Failure;
use super::output::{self, Paper};
use super::screen::{Detail, Screen};
use super::serve::{self, Beside};
use super::signals::Signals;
use super::values::{duration, limits, params};
use super::{DONE, FOUND_WRONG, games, own};
use crate::clock::Clock;
use crate::config::{BotKind, BotSpec};
use crate::game::{AnyGame, Params};
use crate::isolation::{Mode, Settings};
use crate::play::{Forfeit, MatchPlan, play_match, player_record, seat_person, those_who_can_play_again};
use crate::record::{Closing, Everyone, PlayerRecord, Recorder, TranscriptWriter, read_transcript};
use crate::seat::{BySeat, Seat};
use crate::seed::{self, SEED_LIMIT};
use crate::table::{Chair, Table, Thinking};
use crate::tournament::failures::debug_command;
use crate::transport::{Host, Limits, Program, cores};
use crate::verdict::Reason;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Play one match between two bots. The first named moves first.
#[derive(clap::Args)]
pub(super) struct MatchArguments {
    /// The game
    game: String,
    #[arg(long = "bot", value_name = "BOT", required = true, num_args = 1, help = BOT_HELP)]
    bots: Vec<String>,
    /// A parameter of the game
    #[arg(long = "param", value_name = "K=V")]
    params: Vec<String>,
    /// The match's seed; the same seed deals the same board [default: a fresh one, which is shown]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    seed: Option<u64>,
    #[command(flatten)]
    clock: ClockFlags,
    /// How long a `human` may take for each move [default: as long as it takes]
    #[arg(long, value_name = "D", value_parser = duration, allow_hyphen_values = true)]
    human_time: Option<Duration>,
    /// No limits on thinking, as for a bot in a debugger; such a match proves nothing about time
    #[arg(long)]
    no_limits: bool,
    /// Play a second match with the seats swapped, with the same seed and parameters
    #[arg(long)]
    swap_too: bool,
    /// Write the transcript to this file, which must not be there yet
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
    /// One JSON object a match on stdout; everything for people goes to stderr
    #[arg(long)]
    json: bool,
    /// Show no boards, only what goes wrong and how it ends (a `human` sees the boards all the same)
    #[arg(long)]
    quiet: bool,
    /// Wait so long after each turn, outside the clocks
    #[arg(long, value_name = "D", default_value = "0s", value_parser = duration, allow_hyphen_values = true)]
    pause: Duration,
    /// The cores that the match is held to, like `0` or `2-3` [default: one that no other arena uses]
    #[arg(long, value_name = "LIST", value_parser = cores::parse_list)]
    cores: Option<CoreList>,
    /// How bots are confined that do not come with the arena: `strict` (or nothing is played), `best-effort`, `none`
    #[arg(long, value_name = "MODE", default_value = "none", value_parser = confine::mode)]
    isolation: Mode,
    /// A limit for each bot: `cpu=60s` (processor time in a match, whole seconds), `memory=512MiB`, `files=16MiB` (the largest file it
    /// may write); for confined bots `processes=64` and `temp=32MiB` too
    #[arg(long = "limit", value_name = "K=V")]
    limits: Vec<String>,
    /// Show the match on a page while it is played
    #[arg(long, value_name = "HOST:PORT", num_args = 0..=1, default_missing_value = serve::DEFAULT_ADDRESS, value_parser = serve::address)]
    serve: Option<String>,
}

type CoreList = Vec<usize>;

/// With this variable Python writes every line out at once; bots that are not confined have it from the arena's caller.
const UNBUFFERED: &str = "PYTHONUNBUFFERED";

pub(super) fn run(arguments: &MatchArguments) -> Result<u8, Failure> {
    let game = games::game(&arguments.game)?;
    let [_, _] = &arguments.bots[..] else {
        let times =
            if arguments.bots.len() == 1 { "once".to_string() } else { format!("{} times", arguments.bots.len()) };
        return Err(Failure::new(format!("a match has two bots, but `--bot` was given {times}")));
    };
    let seed = arguments.seed.unwrap_or_else(seed::fresh);
    if seed >= SEED_LIMIT {
        return Err(Failure::new(format!(
            "seed {seed} is too large: seeds are below 2^53 ({SEED_LIMIT}), so that every language reads them exactly"
        )));
    }
    let params = params(game, &arguments.params)?;
    // What is wrong with the parameters, or in the way of a transcript, is said before anything is started.
    game.start(&params, seed)?;
    let limits = limits(&arguments.limits)?;
    for path in transcripts(arguments) {
        if path.symlink_metadata().is_ok() {
            return Err(is_there_already(&path));
        }
    }
    let specs = bots::read_bots(&arguments.bots, game.info())?;
    if arguments.isolation == Mode::None
        && std::env::var_os(UNBUFFERED).is_some_and(|value| !value.is_empty())
        && specs.iter().any(leaves_flushing_to_python)
    {
        output::complain(&format!(
            "note: {UNBUFFERED} is set here: a Python bot that does not flush its output works here, and times out elsewhere"
        ));
    }
    let signals = Signals::take()?;
    let place = Place::choose(arguments)?;
    let settings = Settings { mode: arguments.isolation, ..Settings::default() };
    let confiner = Confiner::prepare(&settings, &specs)?;
    let programs =
        specs.iter().map(|spec| confiner.ready(spec, &signals.interrupt())).collect::<Result<Vec<_>, _>>()?;
    confiner.tell_programs();
    let players: Vec<Player> =
        specs.into_iter().zip(programs).map(|(spec, program)| Player { spec, program }).collect();
    let host = confiner.host(place.cores.len() == 1);
    // A person who plays needs the board before the eyes, also when stdout goes to a file.
    let person_sees_stderr =
        has_person(&players) && !std::io::stdout().is_terminal() && std::io::stderr().is_terminal();
    let mut paper = Paper::new(arguments.json || person_sees_stderr);
    let matches = if arguments.swap_too { 2 } else { 1 };
    let first = (&*match_id(game, &players, seed), arguments.transcript.clone());
    let serve = |address| Beside::start_with(address, first, (matches, arguments.pause), &place.spare, &mut paper);
    let page = arguments.serve.as_deref().map(serve);
    let page = page.transpose()?;
    let mut session = Session { arguments, game, params, seed, limits, host, signals, place, paper, page };
    let (mut status, BySeat([first, second])) = session.play(&players, false, BySeat([None, None]))?;
    if arguments.swap_too && session.signals.status().is_none() {
        let swapped = [players[1].clone(), players[0].clone()];
        status = session.play(&swapped, true, BySeat([second, first]))?.0.max(status);
    }
    let status = session.signals.status().unwrap_or(status);
    session.page.map_or(Ok(()), |page| page.stay(&session.signals))?;
    Ok(status)
}

/// Who plays: a bot and how it is started, or a person.
#[derive(Clone)]
struct Player {
    spec: BotSpec,
    program: Option<Program>,
}

impl Player {
    fn record(&self) -> PlayerRecord {
        player_record(&self.spec.name, self.program.as_ref())
    }
}

/// Where matches are played: the cores that they are held to.
struct Place {
    cores: Vec<usize>,
    /// The others.
    spare: Vec<usize>,
    /// Held for as long as the matches go on.
    _claim: Option<cores::Claim>,
}

impl Place {
    fn choose(arguments: &MatchArguments) -> Result<Place, Failure> {
        let (cores, claim) = match (&arguments.cores, arguments.clock.thinking()) {
            (Some(cores), _) => (cores.clone(), None),
            // Each seat has a core of its own, as far as there are two.
            (None, Thinking::Any) => (cores::allowed(), None),
            (None, Thinking::OwnTurn) => {
                let claim = cores::claim_one();
                if claim.shared() {
                    output::complain(
                        "note: every core is in use by another arena: this match shares one, and times are less reliable",
                    );
                }
                (vec![claim.core()], Some(claim))
            }
        };
        let spare = cores::all_but(&cores);
        cores::bind_this_thread(&cores).map_err(Failure::new)?;
        Ok(Place { cores, spare, _claim: claim })
    }
}

/// What all matches of one command have in common.
struct Session<'a> {
    arguments: &'a MatchArguments,
    game: &'static dyn AnyGame,
    params: Params,
    seed: u64,
    limits: Limits,
    host: Host,
    signals: Signals,
    place: Place,
    paper: Paper,
    page: Option<Beside>,
}

/// The players that stayed after a match, to be seated in the next one.
type Kept = BySeat<Option<Chair>>;

impl Session<'_> {
    /// Plays one match; the exit status, and the chairs of bots that can be seated again.
    fn play(&mut self, players: &[Player], swapped: bool, kept: Kept) -> Result<(u8, Kept), Failure> {
        let plan = self.plan(players, swapped)?;
        let transcript = self
            .arguments
            .transcript
            .as_deref()
            .map(|path| if swapped { swapped_name(path) } else { path.to_path_buf() });
        let record = match &self.page {
            Some(page) => Some(page.record(&plan.id, transcript.clone())),
            None => transcript.clone(),
        };
        let mut writer = record.as_deref().map(new_transcript).transpose()?;
        let chairs = self.seat(players, kept).inspect_err(|_| {
            // Nothing was played, so nothing is left to be taken for a match.
            let _ = record.as_deref().map(std::fs::remove_file);
        })?;
        if let (Some(page), Some(record)) = (&self.page, &record) {
            page.show(&plan.id, record);
        }
        let mut table = Table::new(chairs, self.arguments.clock.thinking(), self.signals.interrupt());
        // Nobody can play without a board, and a board drawn over the last one would wipe the prompt out.
        let detail = if self.arguments.quiet && !has_person(players) { Detail::EndOnly } else { Detail::Boards };
        let in_place = !self.arguments.pause.is_zero() && !has_person(players);
        let mut screen = Screen::new(&mut self.paper, detail, plan.started.position.clone_box(), in_place);
        let mut everyone = Everyone(vec![&mut screen as &mut dyn Recorder]);
        if let Some(writer) = &mut writer {
            // The file comes first: what is shown is then certainly recorded.
            everyone.0.insert(0, writer);
        }
        let closing = play_match(&plan, &mut table, &mut everyone).map_err(|error| match (error.kind(), &record) {
            (kind, Some(path)) if kind != ErrorKind::BrokenPipe => Failure::new(format!(
                "the match was stopped, because {} or the screen cannot be written: {error}",
                path.display()
            )),
            _ => Failure::of_match(error),
        })?;
        self.say_how_to_repeat(&closing, transcript.as_deref(), swapped)?;
        if self.arguments.json {
            output::line(&summary(&plan, &closing, transcript.as_deref()).to_string())?;
        }
        let again = those_who_can_play_again(table.into_chairs(), self.arguments.clock.clock().stop)?;
        let status = if closing.verdict.is_void() { FOUND_WRONG } else { DONE };
        Ok((status, again))
    }

    fn plan(&self, players: &[Player], swapped: bool) -> Result<MatchPlan, Failure> {
        let arguments = self.arguments;
        let clock = arguments.clock.clock();
        let clock = if arguments.no_limits { clock.without_limits() } else { clock };
        let clocks = BySeat::from_fn(|seat| match players[seat.index()].spec.kind {
            BotKind::Human => Clock { per_move: arguments.human_time, ..clock.without_limits() },
            BotKind::Program(_) => clock.clone(),
        });
        let (id, started) = (match_id(self.game, players, self.seed), self.game.start(&self.params, self.seed)?);
        let records = [players[0].record(), players[1].record()];
        Ok(MatchPlan {
            clocks,
            hints: arguments.clock.hints,
            thinking: arguments.clock.thinking(),
            cores: Some(self.place.cores.clone()),
            pause: arguments.pause,
            isolation: self.host.in_force(),
            limits: self.limits.clone(),
            keep: BySeat([arguments.swap_too && !swapped; 2]),
            ..MatchPlan::of(id, self.game, started, self.seed, clock, records)
        })
    }

    fn seat(&self, players: &[Player], mut kept: Kept) -> Result<BySeat<Chair>, Failure> {
        let mut seat_one = |seat: Seat| match kept[seat].take() {
            Some(chair) => Ok(chair),
            None => self.new_chair(&players[seat.index()]),
        };
        Ok(BySeat([seat_one(Seat::First)?, seat_one(Seat::Second)?]))
    }

    fn new_chair(&self, player: &Player) -> Result<Chair, Failure> {
        let Some(program) = &player.program else { return person() };
        bots::seat(&self.host, &player.spec.name, program, &self.limits)
    }

    /// After a fault: the command that asks the bot the same again, where a transcript was kept, and the one that plays the
    /// same match again.
    fn say_how_to_repeat(
        &mut self,
        closing: &Closing,
        transcript: Option<&Path>,
        swapped: bool,
    ) -> Result<(), Failure> {
        let reason = closing.verdict.reason;
        if reason.is_by_rules() || reason == Reason::Interrupted {
            return Ok(());
        }
        let debug = match (transcript, closing.verdict.at_fault) {
            (Some(path), Some(seat)) => {
                debug_command(&read_transcript(path).map_err(Failure::new)?, seat, &own::arena())
            }
            _ => None,
        };
        let again = repeat_command(&std::env::args_os().collect::<Vec<_>>(), self.seed, swapped);
        for (label, command) in Forfeit::commands_of(Some(again), debug) {
            self.paper.line(&format!("{label}: {command}"))?;
        }
        Ok(())
    }
}

fn match_id(game: &dyn AnyGame, players: &[Player], seed: u64) -> String {
    format!("{}-{}-{}-{seed}", game.info().id, players[0].spec.name, players[1].spec.name)
}

/// What a program is told of a match.
pub(super) fn summary(plan: &MatchPlan, closing: &Closing, transcript: Option<&Path>) -> Value {
    let mut object = closing.to_line(closing.duration_ms);
    let more = json!({
        "id": plan.id, "game": plan.game.info().id, "params": plan.started.params, "seed": plan.seed,
        "players": [plan.players[0].name, plan.players[1].name], "transcript": transcript,
    });
    let Value::Object(more) = more else { unreachable!("written as an object") };
    object.extend(more);
    Value::Object(object)
}

/// The files that the matches of this command are to be recorded in.
fn transcripts(arguments: &MatchArguments) -> Vec<PathBuf> {
    let Some(path) = &arguments.transcript else { return Vec::new() };
    if arguments.swap_too { vec![path.clone(), swapped_name(path)] } else { vec![path.clone()] }
}

pub(super) fn is_there_already(path: &Path) -> Failure {
    Failure::new(format!("{} is there already, and is not written over: remove it, or name another", path.display()))
}

pub(super) fn new_transcript(path: &Path) -> Result<TranscriptWriter, Failure> {
    TranscriptWriter::create(path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => is_there_already(path),
        _ => Failure::new(format!("the transcript {} cannot be written: {error}", path.display())),
    })
}

/// FILE with `-swapped` before its ending.
fn swapped_name(path: &Path) -> PathBuf {
    with_ending_kept(path, "-swapped")
}

/// A file's name with something added before its ending.
pub(super) fn with_ending_kept(path: &Path, added: &str) -> PathBuf {
    let mut name = path.file_stem().map(OsString::from).unwrap_or_default();
    name.push(added);
    if let Some(ending) = path.extension() {
        name.push(".");
        name.push(ending);
    }
    path.with_file_name(name)
}

/// Whether the bot's command begins with Python or a script of it, and does not itself ask for unbuffered output.
fn leaves_flushing_to_python(bot: &BotSpec) -> bool {
    let BotKind::Program(launch) = &bot.kind else { return false };
    let name = Path::new(&launch.argv[0]).file_name().unwrap_or_default().to_string_lossy();
    (name.starts_with("python") || name.ends_with(".py"))
        && !launch.argv.iter().any(|word| word == "-u")
        && !launch.env.iter().any(|(variable, _)| variable == UNBUFFERED)
}

fn has_person(players: &[Player]) -> bool {
    players.iter().any(|player| player.spec.kind == BotKind::Human)
}

pub(super) fn person() -> Result<Chair, Failure> {
    let stdin = std::io::stdin();
    let keyboard = std::os::fd::AsFd::as_fd(&stdin).try_clone_to_owned()?;
    if !stdin.is_terminal() {
        output::complain("note: `human` reads its moves from stdin, which is no terminal");
    }
    Ok(seat_person(keyboard, Box::new(std::io::stderr())))
}

/// The command line as it was given, with the seed that was drawn, and the bots in the order in which they sat.
fn repeat_command(words: &[OsString], seed: u64, swapped: bool) -> String {
    let mut words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    // As it was called, if that was by a path: it need not be in PATH.
    if !words[0].contains('/') {
        words[0] = "arena".to_string();
    }
    let drop_with_value = |words: &mut Vec<String>, flag: &str| {
        while let Some(at) = words.iter().position(|word| word == flag) {
            words.drain(at..(at + 2).min(words.len()));
        }
        words.retain(|word| !word.starts_with(&format!("{flag}=")));
    };
    // A transcript is not written over, so the same name would be refused.
    drop_with_value(&mut words, "--transcript");
    drop_with_value(&mut words, "--seed");
    words.retain(|word| !matches!(word.as_str(), "--swap-too" | "--json" | "--quiet"));
    words.extend(["--seed".to_string(), seed.to_string()]);
    if swapped {
        swap_bots(&mut words);
    }
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}

fn swap_bots(words: &mut [String]) {
    let places: Vec<usize> = words
        .iter()
        .enumerate()
        .filter_map(|(at, word)| if word == "--bot" { Some(at + 1) } else { word.starts_with("--bot=").then_some(at) })
        .collect();
    if let [first, second] = places[..] {
        words.swap(first, second);
    }
}
