//! `arena notipping-server`: the No Tipping server of the course, for its socket clients.

use super::failure::Failure;
use super::matches::{new_transcript, with_ending_kept};
use super::output::{Paper, harmless};
use super::screen::{Detail, Screen};
use super::serve::{self, Beside};
use super::signals::Signals;
use super::values::duration;
use super::{DONE, FOUND_WRONG};
use crate::clock::{Clock, micros};
use crate::game::{AnyGame, Params};
use crate::games::find;
use crate::games::notipping::wire::Flag;
use crate::play::{MatchPlan, play_match};
use crate::record::{Closing, Everyone, PlayerRecord, Recorder, TranscriptWriter};
use crate::seat::{BySeat, Seat};
use crate::seed;
use crate::table::{Chair, CourseClient, Guest, Lobby, Table, Thinking};
use crate::transport::Interrupt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// After each ply with `-w`.
const PAUSE: Duration = Duration::from_secs(1);

/// So long both clients may take to hang up after the match.
const STOP: Duration = Duration::from_secs(1);

/// The No Tipping server of the course, for its socket clients, text or JSON. The second client's flag decides who moves
/// first.
#[derive(clap::Args)]
pub(super) struct ServerArguments {
    /// Where to listen, like 127.0.0.1:5000; port 0 takes any free one, which is shown
    #[arg(value_name = "HOST:PORT")]
    address: String,
    /// The blocks in each hand: one of each weight from 1 to this
    #[arg(value_name = "WEIGHTS")]
    weights: u64,
    /// Wait one second after each ply, outside both clocks
    #[arg(short = 'w')]
    wait: bool,
    /// The thinking time of each client for a whole match
    #[arg(long, value_name = "D", default_value = "2m", value_parser = duration)]
    game_time: Duration,
    /// How long a client may take from connecting to its hello
    #[arg(long, value_name = "D", default_value = "10s", value_parser = duration)]
    start_time: Duration,
    /// How many matches are played, each with new connections
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    matches: u32,
    /// Write the transcript to this file, which must not be there yet; of the second match with `-2` before its ending, and so on
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
    /// Show the matches on a page while they are played, `/index.html` the one that is being played
    #[arg(long, value_name = "HOST:PORT", num_args = 0..=1, default_missing_value = PAGE, value_parser = serve::address)]
    serve: Option<String>,
}

/// Where the course's server has its page.
const PAGE: &str = "127.0.0.1:8000";

pub(super) fn run(arguments: &ServerArguments) -> Result<u8, Failure> {
    let game = find("notipping").expect("No Tipping is in the table of games");
    let params = Params::from_iter([("k".to_string(), arguments.weights.into())]);
    // What is wrong with the number of blocks is said before anybody can connect.
    game.start(&params, 0)?;
    let signals = Signals::take()?;
    let listener = serve::listen(&arguments.address, "127.0.0.1:5000")?;
    let mut paper = Paper::new(false);
    let (first, matches) = (match_id(game, 1), arguments.matches as usize);
    let first = (&*first, arguments.transcript.clone());
    let serve = |address| Beside::start_with(address, first, (matches, Duration::ZERO), &[], &mut paper);
    let page = arguments.serve.as_deref().map(serve).transpose()?;
    paper.line(&format!("listening on {}", listener.local_addr()?))?;
    let lobby = Lobby::new(listener, arguments.weights, arguments.start_time, signals.interrupt())?;
    let mut server = Server { arguments, game, params, signals, lobby, paper, page };
    let mut status = DONE;
    for number in 1..=arguments.matches {
        status = status.max(server.play(number)?);
        if let Some(stopped) = server.signals.status() {
            return Ok(stopped);
        }
    }
    server.page.map_or(Ok(()), |page| page.stay(&server.signals))?;
    Ok(status)
}

struct Server<'a> {
    arguments: &'a ServerArguments,
    game: &'static dyn AnyGame,
    params: Params,
    signals: Signals,
    lobby: Lobby,
    paper: Paper,
    page: Option<Beside>,
}

impl Server<'_> {
    /// Waits for two clients and plays a match with them.
    fn play(&mut self, number: u32) -> Result<u8, Failure> {
        let id = match_id(self.game, number);
        let path = self.arguments.transcript.as_deref().map(|path| numbered(path, number));
        let path = self.page.as_ref().map_or(path.clone(), |page| Some(page.record(&id, path)));
        let mut writer = path.as_deref().map(new_transcript).transpose()?;
        if let (Some(page), Some(path)) = (&self.page, &path) {
            page.show(&id, path);
        }
        let guests = self.wait_for_two();
        let Ok(Some([first, second])) = guests else {
            // Nothing was played, so nothing is left to be taken for a match.
            let _ = path.as_deref().map(std::fs::remove_file);
            return guests.map(|_| DONE);
        };
        let [first, second] = self.seat(first, second)?;
        let plan = self.plan(id, [&first, &second])?;
        let over = Interrupt::new()?;
        let chair = |player: Player| {
            let dialect = CourseClient::new(player.guest.hello.kind, over.clone());
            Chair::new(Box::new(player.guest.socket), Box::new(dialect))
        };
        let mut table = Table::new(BySeat([chair(first), chair(second)]), Thinking::Any, self.signals.interrupt());
        let closing = self.referee(&plan, &mut table, &mut writer, &over)?;
        self.tell_clocks(&plan, &closing)?;
        Ok(if closing.verdict.is_void() { FOUND_WRONG } else { DONE })
    }

    fn wait_for_two(&mut self) -> Result<Option<[Guest; 2]>, Failure> {
        let paper = &mut self.paper;
        // Nobody reading is no reason to send the clients away.
        let guests = self.lobby.two_guests(&mut |text| drop(paper.line(&harmless(text))))?;
        Ok(guests)
    }

    /// Puts two clients, in the order in which they connected, on their seats.
    fn seat(&mut self, one: Guest, two: Guest) -> Result<[Player; 2], Failure> {
        let names = distinct([name_of(&one), name_of(&two)]);
        let second_begins = two.hello.flag == Flag::First;
        if second_begins == (one.hello.flag == Flag::First) {
            let who = &names[usize::from(second_begins)];
            self.paper.line(&harmless(&format!(
                "note: the flags disagree; the second client's decides, so {who} moves first"
            )))?;
        }
        let [name_one, name_two] = names;
        let (one, two) = (Player { guest: one, name: name_one }, Player { guest: two, name: name_two });
        Ok(if second_begins { [two, one] } else { [one, two] })
    }

    fn plan(&self, id: String, players: [&Player; 2]) -> Result<MatchPlan, Failure> {
        let seed = seed::fresh();
        let clock = Clock {
            start: Some(self.arguments.start_time),
            per_move: None,
            game: Some(self.arguments.game_time),
            increment: Duration::ZERO,
            stop: STOP,
        };
        let started = self.game.start(&self.params, seed)?;
        let players = players.map(|player| PlayerRecord { name: player.name.clone(), ..PlayerRecord::default() });
        Ok(MatchPlan {
            thinking: Thinking::Any,
            pause: if self.arguments.wait { PAUSE } else { Duration::ZERO },
            ..MatchPlan::of(id, self.game, started, seed, clock, players)
        })
    }

    /// Plays the match, while whoever else connects before it is `over` is told that it is going on.
    fn referee(
        &mut self,
        plan: &MatchPlan,
        table: &mut Table,
        writer: &mut Option<TranscriptWriter>,
        over: &Interrupt,
    ) -> Result<Closing, Failure> {
        let mut screen = Screen::new(&mut self.paper, Detail::Boards, plan.started.position.clone_box(), false);
        let mut everyone = Everyone(vec![&mut screen as &mut dyn Recorder]);
        if let Some(writer) = writer {
            everyone.0.insert(0, writer);
        }
        let lobby = &mut self.lobby;
        std::thread::scope(|scope| {
            let _raised_at_the_end = RaisedWhenDropped(over);
            // What goes wrong at the door shows again when the next match is waited for; this one goes on.
            scope.spawn(|| lobby.turn_away(over));
            play_match(plan, table, &mut everyone)
        })
        .map_err(Failure::of_match)
    }

    fn tell_clocks(&mut self, plan: &MatchPlan, closing: &Closing) -> Result<(), Failure> {
        let game_us = micros(self.arguments.game_time);
        for seat in Seat::BOTH {
            let left = game_us.saturating_sub(closing.total_us[seat.index()]);
            let name = harmless(&plan.players[seat.index()].name);
            let [left, game] = [left, game_us].map(|us| us as f64 / 1e6);
            self.paper.line(&format!("  {name} (seat {seat}): {left:.3} s of {game} s left"))?;
        }
        Ok(())
    }
}

/// A client and what it is called here.
struct Player {
    guest: Guest,
    name: String,
}

fn name_of(guest: &Guest) -> String {
    if guest.hello.name.is_empty() { "client".to_string() } else { guest.hello.name.clone() }
}

fn match_id(game: &dyn AnyGame, number: u32) -> String {
    format!("{}-server-{number}", game.info().id)
}

/// The second of two equal names, whatever the case, gets `-2`.
fn distinct([one, two]: [String; 2]) -> [String; 2] {
    let second = if one.to_lowercase() == two.to_lowercase() { format!("{two}-2") } else { two };
    [one, second]
}

/// FILE for the first match, for the others with their number before its ending.
fn numbered(path: &Path, number: u32) -> PathBuf {
    if number == 1 { path.to_path_buf() } else { with_ending_kept(path, &format!("-{number}")) }
}

/// Also when the match cannot go on, the door must not be waited for.
struct RaisedWhenDropped<'a>(&'a Interrupt);

impl Drop for RaisedWhenDropped<'_> {
    fn drop(&mut self) {
        self.0.raise();
    }
}
