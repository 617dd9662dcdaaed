//! `arena notipping-client`: any bot as a client on the course's No Tipping server.
//!
//! The server is seated as the bot's rival: its next state tells the rival's move. So the match is refereed here too,
//! and a bot that breaks a rule is told which one.

use super::bots::{self, PROGRAM_HELP};
use super::confine::Confiner;
use super::failure::Failure;
use super::output::{Paper, harmless};
use super::screen::{Detail, Screen};
use super::signals::Signals;
use super::values::duration;
use super::{DONE, FOUND_WRONG};
use crate::clock::Clock;
use crate::game::{AnyGame, Params};
use crate::games::find;
use crate::games::notipping::wire::{Kind, View, move_value};
use crate::play::{MatchPlan, play_match, player_record};
use crate::record::{Closing, PlayerRecord};
use crate::seat::{BySeat, Seat};
use crate::seed;
use crate::table::{Chair, CourseServer, Table, Thinking, view_of};
use crate::transport::{Channel, Host, Limits, Socket};
use crate::verdict::Reason;
use std::net::TcpStream;
use std::time::Duration;

/// Play No Tipping with a bot on the course's server.
#[derive(clap::Args)]
pub(super) struct ClientArguments {
    /// Where the server listens
    #[arg(value_name = "HOST:PORT")]
    address: String,
    /// Ask to move first
    #[arg(short = 'f')]
    first: bool,
    /// The name that the server is told [default: the bot's]
    #[arg(short = 'n', value_name = "NAME")]
    name: Option<String>,
    #[arg(long = "bot", value_name = "BOT", default_value = "notipping-random", help = PROGRAM_HELP)]
    bot: String,
    /// The thinking time for the whole match, as the bot is told it
    #[arg(long, value_name = "D", default_value = "2m", value_parser = duration)]
    game_time: Duration,
    /// Speak the JSON of newer clients
    #[arg(long)]
    json_dialect: bool,
    /// Show no boards, only what goes wrong and how it ends
    #[arg(long)]
    quiet: bool,
}

pub(super) fn run(arguments: &ClientArguments) -> Result<u8, Failure> {
    let game = find("notipping").expect("No Tipping is in the table of games");
    let bot = bots::read_bots(std::slice::from_ref(&arguments.bot), game.info())?.remove(0);
    let signals = Signals::take()?;
    let program = Confiner::none()
        .ready(&bot, &signals.interrupt())?
        .ok_or_else(|| Failure::new("a `human` cannot be the client: give a program, or leave --bot out"))?;
    let kind = if arguments.json_dialect { Kind::Json } else { Kind::Text };
    let Some(arrival) = arrive(arguments, kind, &bot.name, &signals)? else {
        return signals.status().ok_or_else(|| Failure::new("the server closed the connection before the match began"));
    };
    let own = if arrival.rival_began.is_some() { Seat::Second } else { Seat::First };
    let plan = plan(arguments, game, player_record(&bot.name, Some(&program)), &arrival, own)?;
    let player = bots::seat(&Host::new(false), &bot.name, &program, &Limits::default())?;
    let server = Chair::new(Box::new(arrival.socket), Box::new(CourseServer::new(kind, arrival.first)));
    let chairs = if own == Seat::First { [player, server] } else { [server, player] };
    let mut table = Table::new(BySeat(chairs), Thinking::Any, signals.interrupt());
    let mut paper = Paper::new(false);
    let detail = if arguments.quiet { Detail::EndOnly } else { Detail::Boards };
    let mut screen = Screen::new(&mut paper, detail, plan.started.position.clone_box(), false);
    let closing = play_match(&plan, &mut table, &mut screen).map_err(Failure::of_match)?;
    match signals.status() {
        Some(status) => Ok(status),
        None => tell_end(&mut paper, &closing, own),
    }
}

/// What is known when the first state has come.
struct Arrival {
    socket: Socket,
    k: u64,
    first: View,
    /// The rival's first move, when it has made one.
    rival_began: Option<serde_json::Value>,
}

/// Says the hello and waits for the first state; `None` when there will be none.
fn arrive(arguments: &ClientArguments, kind: Kind, name: &str, signals: &Signals) -> Result<Option<Arrival>, Failure> {
    let shown = harmless(&arguments.address);
    let stream = TcpStream::connect(&arguments.address).map_err(|error| {
        Failure::new(format!(
            "no server answers at {shown} ({error}): start it first, or write its address as HOST:PORT"
        ))
    })?;
    let mut socket = Socket::new(stream)?;
    let mut hello = Vec::new();
    kind.write_hello(arguments.name.as_deref().unwrap_or(name), arguments.first, &mut hello);
    socket.send(&hello)?;
    let interrupt = signals.interrupt();
    let odd = |why: String| Failure::new(format!("{shown}: {why}"));
    let Some(welcome) = socket.wait_for_message(&interrupt)? else { return Ok(None) };
    let k = kind.read_welcome(&welcome).map_err(odd)?;
    let Some(state) = socket.wait_for_message(&interrupt)? else { return Ok(None) };
    let first = kind.read_state(&state).map_err(odd)?;
    let game = find("notipping").expect("No Tipping is in the table of games");
    let start = view_of(&*game.start(&params(k), 0)?.position, false);
    match &first.plies_since(&start)[..] {
        _ if first.over => Err(odd("the match was over before it began".to_string())),
        [] => Ok(Some(Arrival { socket, k, first, rival_began: None })),
        [mv] => Ok(Some(Arrival { socket, k, first, rival_began: Some(move_value(mv)) })),
        plies => Err(odd(format!("the first state has {} blocks more than the board at the start", plies.len()))),
    }
}

fn plan(
    arguments: &ClientArguments,
    game: &'static dyn AnyGame,
    player: PlayerRecord,
    arrival: &Arrival,
    own: Seat,
) -> Result<MatchPlan, Failure> {
    let seed = seed::fresh();
    let mut started = game.start(&params(arrival.k), seed)?;
    if let Some(mv) = &arrival.rival_began
        && started.position.play(mv).is_err()
    {
        return Err(Failure::new(format!("the server says that the rival played {mv}, which the rules forbid")));
    }
    let clock = Clock { per_move: None, game: Some(arguments.game_time), ..Clock::default() };
    let clocks = BySeat::from_fn(|seat| if seat == own { clock.clone() } else { clock.without_limits() });
    let rival = PlayerRecord { name: "rival".to_string(), ..PlayerRecord::default() };
    let players = if own == Seat::First { [player, rival] } else { [rival, player] };
    let id = format!("{}-client", game.info().id);
    Ok(MatchPlan { clocks, thinking: Thinking::Any, ..MatchPlan::of(id, game, started, seed, clock, players) })
}

/// Says what the verdict does not, and whether all is well.
fn tell_end(paper: &mut Paper, closing: &Closing, own: Seat) -> Result<u8, Failure> {
    let verdict = &closing.verdict;
    if verdict.reason == Reason::Interrupted {
        paper.line("the server ended the match without a move of the rival: the rival has forfeited, or the server was stopped")?;
        return Ok(DONE);
    }
    if verdict.at_fault == Some(own.other()) {
        paper.line("the server, not the bot, ended it: it went away, or said something else than a state")?;
    }
    Ok(if verdict.at_fault.is_some() || verdict.is_void() { FOUND_WRONG } else { DONE })
}

fn params(k: u64) -> Params {
    Params::from_iter([("k".to_string(), k.into())])
}
