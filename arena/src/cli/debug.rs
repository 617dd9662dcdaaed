//! `arena debug`: the requests of a recorded match, put to a bot once more, under a debugger if need be.

mod asking;
mod cup;
mod play_on;
mod shown;
mod wrap;

use super::bots::{self, PROGRAM_HELP};
use super::confine::Confiner;
use super::failure::Failure;
use super::output;
use super::signals::Signals;
use crate::config::{BotKind, BotSpec};
use crate::game::AnyGame;
use crate::games;
use crate::play::{Program, Reenactment, words_bot};
use crate::record::{Header, Transcript, read_transcript};
use crate::seat::Seat;
use crate::table::{Chair, Dialect, JsonLines, Words};
use crate::transport::{Host, Interrupt, Limits, Process, cores};
use std::path::{Path, PathBuf};
use std::time::Duration;
use wrap::{Wrap, Wrapped};

/// How long a debugger may stay open when nothing more is asked: as long as somebody may be looking.
const LOOKING: Duration = Duration::from_secs(7 * 86_400);

/// Put the requests of a recorded match to a bot again, and compare its answers with what was played.
#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 0 no answer differs; 1 some do; 2 a mistake in the command or its files. With --play-on as for `arena match`."
)]
pub(super) struct DebugArguments {
    /// The transcript
    #[arg(required_unless_present = "all")]
    transcript: Option<PathBuf>,
    #[arg(long, value_name = "BOT", help = PROGRAM_HELP)]
    bot: String,
    /// Whose requests [default: of the player with the bot's name or command, else seat 0]
    #[arg(long, value_name = "S", value_parser = seat)]
    seat: Option<Seat>,
    /// Go straight to this turn: the bot is sent what comes before, and at a terminal Enter is waited for
    #[arg(long, value_name = "N", conflicts_with = "from_turn")]
    turn: Option<u32>,
    /// Tell the bot the recorded limits, but let it take as long as it likes
    #[arg(long)]
    no_limits: bool,
    /// Show every message, sent and received, with its time and size
    #[arg(long, conflicts_with = "play_on")]
    messages: bool,
    /// A debugger around the bot, like `gdb --args`, `python3 -m pdb`, `valgrind`; without limits
    #[arg(long, value_name = "WORDS")]
    wrap: Option<String>,
    /// Begin a new match from the position before this turn
    #[arg(long, value_name = "N", requires = "play_on")]
    from_turn: Option<u32>,
    /// With --from-turn: play it to its end
    #[arg(long, requires_all = ["from_turn", "against"])]
    play_on: bool,
    /// With --play-on: the bot in the other seat
    #[arg(long, value_name = "BOT", requires = "play_on")]
    against: Option<String>,
    /// With --play-on: write the new match's transcript to this file, which must not be there yet
    #[arg(long = "transcript", id = "new_transcript", value_name = "FILE", requires = "play_on")]
    new_transcript: Option<PathBuf>,
    /// Instead of one transcript: all in a cup's results, or in a folder, in which a player has the bot's name
    #[arg(long, value_name = "DIR", conflicts_with_all = ["transcript", "seat", "turn", "messages", "wrap", "from_turn", "play_on", "against", "new_transcript"])]
    all: Option<PathBuf>,
    /// With --all: the player whose requests are asked [default: the bot's name]
    #[arg(long, value_name = "NAME", requires = "all")]
    name: Option<String>,
    /// One JSON object a changed answer on stdout, and one of the whole; everything for people goes to stderr
    #[arg(long, conflicts_with = "wrap")]
    json: bool,
}

fn seat(text: &str) -> Result<Seat, String> {
    text.parse().ok().and_then(Seat::from_index).ok_or_else(|| "a seat is 0 or 1".to_string())
}

pub(super) fn run(arguments: &DebugArguments) -> Result<u8, Failure> {
    // A conflict with --from-turn takes away that --play-on requires it.
    if let (true, Some(turn)) = (arguments.play_on, arguments.turn) {
        return Err(Failure::new(format!(
            "--turn {turn} asks a bot what was asked in that turn, and --play-on plays a new match: to begin it before turn {turn}, write \
             --from-turn {turn} instead of --turn {turn}; to ask, leave out --play-on and --against"
        )));
    }
    match (&arguments.all, &arguments.transcript, arguments.from_turn) {
        (Some(folder), ..) => cup::run(arguments, folder),
        (None, Some(path), Some(turn)) => play_on::run(arguments, &Recorded::of(&read(path)?)?, turn),
        (None, Some(path), None) => asking::run(arguments, &Recorded::of(&read(path)?)?),
        (None, None, _) => unreachable!("one of the two is required"),
    }
}

/// A recorded match, and what the rules make of it.
struct Recorded<'a> {
    transcript: &'a Transcript,
    reenactment: Reenactment<'a>,
    game: &'static dyn AnyGame,
}

fn read(path: &Path) -> Result<Transcript, Failure> {
    read_transcript(path).map_err(Failure::new)
}

impl Recorded<'_> {
    fn of(transcript: &Transcript) -> Result<Recorded<'_>, Failure> {
        let path = &transcript.path;
        let at = |why: String| Failure::new(format!("{}: {why}", path.display()));
        let reenactment = Reenactment::new(transcript).map_err(at)?;
        let game = games::find(&transcript.header.game).expect("its match could be played again");
        if let Some((line, why)) = &reenactment.broken {
            let why = output::harmless(why);
            output::complain(&format!("note: {}:{line}: {why}; asked up to there", path.display()));
        }
        Ok(Recorded { transcript, reenactment, game })
    }

    fn header(&self) -> &Header {
        &self.transcript.header
    }
}

/// The bot that is asked. It has to be a program.
fn read_bot(text: &str, game: &dyn AnyGame) -> Result<(BotSpec, Program), Failure> {
    let spec = bots::read_bots(&[text.to_string()], game.info())?.remove(0);
    match ready(&spec)? {
        Some(program) => Ok((spec, program)),
        None => Err(Failure::new("--bot human: a person is not asked again; a program is".to_string())),
    }
}

/// How a bot is started: as it is, on its author's own machine. `None` for a person.
fn ready(bot: &BotSpec) -> Result<Option<Program>, Failure> {
    // Ctrl-C ends the arena while it builds, and the build with it.
    Confiner::none().ready(bot, &Interrupt::new()?)
}

/// Whose requests the bot is asked, and a note where that was guessed.
fn seat_of(header: &Header, bot: &BotSpec, given: Option<Seat>) -> (Seat, Option<String>) {
    let find = |is: &dyn Fn(Seat) -> bool| Seat::BOTH.into_iter().find(|seat| is(*seat));
    let command = match &bot.kind {
        BotKind::Program(launch) => &launch.argv[..],
        BotKind::Human => &[],
    };
    let player = |seat: Seat| &header.players[seat.index()];
    let known = given
        .or_else(|| find(&|seat| player(seat).name == bot.name))
        .or_else(|| find(&|seat| player(seat).command == command));
    match known {
        Some(seat) => (seat, None),
        None => {
            let [first, second] = Seat::BOTH.map(|seat| output::harmless(&player(seat).name));
            let note = format!(
                "{} is neither {first} nor {second} by name or command: it takes the place of {first} in seat 0 (--seat 1 for the other)",
                bot.name
            );
            (Seat::First, Some(note))
        }
    }
}

/// Where bots run that are asked: on a core of their own, as in a match.
struct Place {
    host: Host,
    cores: Option<Vec<usize>>,
    _claim: Option<cores::Claim>,
}

impl Place {
    fn choose(wrap: Option<&Wrap>) -> Result<Place, Failure> {
        if wrap.is_some() {
            // A debugger, and what a person looks at besides, may have the whole machine.
            return Ok(Place { host: Host::new(false), cores: None, _claim: None });
        }
        let claim = cores::claim_one();
        let cores = vec![claim.core()];
        cores::bind_this_thread(&cores).map_err(Failure::new)?;
        Ok(Place { host: Host::new(true), cores: Some(cores), _claim: Some(claim) })
    }

    /// Starts the bot, in its debugger where it has one. What its user should know comes back too.
    fn seat(&self, name: &str, program: &Program, wrap: Option<&Wrap>) -> Result<(Chair, Option<String>), Failure> {
        let Some(wrap) = wrap else { return Ok((bots::seat(&self.host, name, program, &Limits::default())?, None)) };
        // The debugger goes around the bot itself: a wrapper, which speaks words with it, is left out, and the arena does that.
        let inner = words_bot(program);
        let dialect: Box<dyn Dialect> = match &inner {
            Some(_) => Box::<Words>::default(),
            None => Box::<JsonLines>::default(),
        };
        match wrap.around(inner.as_ref().unwrap_or(program))? {
            Wrapped::Program { program, hint } => {
                let process = Process::spawn(&self.host, &program, &Limits::default());
                let process = process.map_err(|error| Failure::new(format!("{name}: {error}")))?;
                Ok((Chair::new(Box::new(process), dialect), hint))
            }
            Wrapped::InTerminal { pipes, program, hint } => {
                Ok((wrap::seat(pipes, &program, dialect)?, Some(hint.to_string())))
            }
        }
    }
}

/// The signals that end a run: with a debugger in the terminal Ctrl-C is the debugger's.
fn signals(wrap: Option<&Wrap>) -> Result<Signals, Failure> {
    Ok(if wrap.is_some_and(Wrap::takes_terminal) { Signals::take_but_ctrl_c()? } else { Signals::take()? })
}
