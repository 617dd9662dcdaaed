//! A match between a person at the page and a bot: a real match, in a thread of its own. The page sees it in its transcript, as every
//! other; what a person answers is written on a line to the person's chair.

use super::Refusal;
use super::retention::folder;
use super::threads::Threads;
use crate::clock::Clock;
use crate::game::{AnyGame, AnyPosition, Params, Started};
use crate::play::{Continuation, MatchPlan, play_match, player_record, seat_program, seat_visitor};
use crate::record::{PlayerRecord, TranscriptWriter, read_transcript};
use crate::seat::{BySeat, Seat};
use crate::seed::fresh;
use crate::serve::{Site, lock, without_folder};
use crate::table::{Chair, Table};
use crate::transport::{Host, Interrupt, Program};
use serde_json::{Value, json};
use std::fs;
use std::io::{self, Write};
use std::net::IpAddr;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::{MutexGuard, oneshot, watch};

/// What a person is called in transcripts.
const PERSON: &str = "human";

/// What is played, and by whom.
#[derive(Clone)]
pub(super) struct Settings {
    pub game: &'static dyn AnyGame,
    pub params: Params,
    pub seed: u64,
    /// The bot's place in the site's list.
    pub bot: usize,
    /// The person's seat.
    pub seat: Seat,
    /// The person's time for a move; `None` for no limit.
    pub time: Option<Duration>,
    /// Whether the person is warned before a move that loses at once.
    pub warn: bool,
    /// Who plays.
    pub from: IpAddr,
}

/// One such match.
pub(super) struct Session {
    /// Its address's part, which nobody can guess: whoever knows it can play.
    pub id: String,
    /// The match's id, as its transcript has it.
    pub match_id: String,
    pub settings: Settings,
    pub transcript: PathBuf,
    /// Whether anybody is there.
    pub presence: Presence,
    board: Arc<Mutex<Board>>,
    /// Where answers are written; gone once the person has left.
    line: Mutex<Option<UnixStream>>,
    interrupt: Interrupt,
    over: watch::Sender<bool>,
    /// How many moves the person has made, those of the match from which this one goes on included.
    moves: AtomicUsize,
    /// The session that this one goes on in. Held for as long as it is being made: who asks meanwhile is told of it then.
    next: tokio::sync::Mutex<Option<String>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// By what it is told that somebody is there: whoever follows a match, and whoever asks for something of it, where the line breaks again
/// and again or a match is played without one.
#[derive(Default)]
pub(super) struct Presence {
    viewers: AtomicUsize,
    asked: AtomicBool,
}

impl Presence {
    /// Somebody asks for something.
    pub fn sign(&self) {
        self.asked.store(true, Ordering::Relaxed);
    }

    /// Whether somebody follows it, or has asked for something since this was last asked.
    pub fn is_felt(&self) -> bool {
        self.asked.swap(false, Ordering::Relaxed) || self.viewers.load(Ordering::Relaxed) > 0
    }
}

/// What the person is asked.
#[derive(Default)]
struct Board {
    /// The turn, the position before it, and whether an answer may come.
    asked: Option<(u32, Box<dyn AnyPosition>, bool)>,
}

/// What a thread needs to play.
pub(super) struct Start {
    board: Arc<Mutex<Board>>,
    plan: MatchPlan,
    host: Host,
    program: Program,
    seat: Seat,
    interrupt: Interrupt,
    writer: TranscriptWriter,
}

impl Session {
    /// A match that is about to be played, from its start or from where another one was.
    pub fn prepare(
        site: &Site,
        settings: Settings,
        started: Started,
        from: Option<TakenBack>,
    ) -> Result<(Session, Start), Refusal> {
        let (from, moves) = from.map_or((None, 0), |from| (Some(from.to), from.moves));
        let bot = &site.bots[settings.bot];
        let folder = folder(&site.results)?;
        let name = bot.name.replace(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_', "-");
        let match_id = format!("{}-{name}-{:014x}", settings.game.info().id, fresh());
        let transcript = folder.join(format!("{match_id}.jsonl"));
        let unwritable = |error| Refusal::ours(format!("The match cannot be kept: {error}"));
        let writer = TranscriptWriter::create(&transcript).map_err(unwritable)?;
        let usual = Clock::default();
        let mut clocks = BySeat::from_fn(|_| usual.clone());
        clocks[settings.seat] = Clock { per_move: settings.time, ..usual.without_limits() };
        let mut players = [PlayerRecord::default(), PlayerRecord::default()];
        players[settings.seat.index()] = player_record(PERSON, None);
        players[settings.seat.other().index()] = player_record(&bot.name, Some(&bot.program));
        let plan = MatchPlan {
            from,
            clocks,
            isolation: site.host.in_force(),
            ..MatchPlan::of(match_id.clone(), settings.game, started, settings.seed, usual, players)
        };
        let interrupt = Interrupt::new().map_err(|error| Refusal::ours(error.to_string()))?;
        let board = Arc::default();
        let (host, program, seat) = (site.host.clone(), bot.program.clone(), settings.seat);
        let start =
            Start { board: Arc::clone(&board), plan, host, program, seat, interrupt: interrupt.clone(), writer };
        let session = Session {
            id: format!("{:014x}{:014x}", fresh(), fresh()),
            match_id,
            settings,
            transcript,
            presence: Presence::default(),
            board,
            line: Mutex::default(),
            interrupt,
            over: watch::Sender::new(false),
            moves: AtomicUsize::new(moves),
            next: tokio::sync::Mutex::default(),
            thread: Mutex::default(),
        };
        Ok((session, start))
    }

    /// Plays it. Ready when the bot was started, or could not be.
    pub async fn begin(self: &Arc<Session>, threads: &Threads, start: Start) -> Result<(), Refusal> {
        let (seated, whether_seated) = oneshot::channel();
        let session = Arc::clone(self);
        let run = move || {
            session.run(start, seated);
            lock(&session.board).asked = None;
            drop(lock(&session.line).take());
            session.over.send_replace(true);
        };
        let begun = match threads.make("visitor", run).await {
            Ok(thread) => {
                *lock(&self.thread) = Some(thread);
                whether_seated.await.unwrap_or_else(|_| Err("the match has ended before it began".to_string()))
            }
            Err(error) => Err(error.to_string()),
        };
        begun.map_err(|why| {
            self.over.send_replace(true);
            // Nothing was played, so nothing is left to be taken for a match.
            let _ = fs::remove_file(&self.transcript);
            Refusal::ours(format!("The match cannot be played: {why}"))
        })
    }

    fn run(&self, start: Start, seated: oneshot::Sender<Result<(), String>>) {
        let Start { board, plan, host, program, seat, interrupt, mut writer } = start;
        let chairs = seat_program(&host, &program, &plan.limits).map_err(|error| error.to_string()).and_then(|bot| {
            let person = self.seat_person(board).map_err(|error| error.to_string())?;
            Ok(if seat == Seat::First { [person, bot] } else { [bot, person] })
        });
        let chairs = match chairs {
            Ok(chairs) => chairs,
            Err(why) => return drop(seated.send(Err(why))),
        };
        let _ = seated.send(Ok(()));
        let mut table = Table::new(BySeat(chairs), plan.thinking, interrupt);
        // Where we failed, the transcript ends without a result, and the page says so.
        let _ = play_match(&plan, &mut table, &mut writer);
    }

    fn seat_person(&self, board: Arc<Mutex<Board>>) -> io::Result<Chair> {
        let sent_board = Arc::clone(&board);
        let asked = move |turn, position| lock(&board).asked = Some((turn, position, false));
        let sent = move |_: &[u8]| {
            if let Some((.., open)) = &mut lock(&sent_board).asked {
                *open = true;
            }
        };
        let (chair, line) = seat_visitor(Box::new(asked), Box::new(sent))?;
        *lock(&self.line) = Some(line);
        Ok(chair)
    }

    /// The turn in which the person is asked, and the position before it; `None` where it is not the person's turn.
    pub fn asked(&self) -> Option<(u32, Box<dyn AnyPosition>)> {
        let board = lock(&self.board);
        board.asked.as_ref().filter(|(.., open)| *open).map(|(turn, position, _)| (*turn, position.clone_box()))
    }

    /// Makes the person's move. The first one in a turn counts.
    pub fn answer(&self, turn: u32, mv: &Value) -> Result<(), Refusal> {
        let mut board = lock(&self.board);
        if !board.asked.as_ref().is_some_and(|(asked, _, open)| *asked == turn && *open) {
            return Err(Refusal::now(TOO_LATE));
        }
        let line = format!("{}\n", json!({"type": "move", "turn": turn, "move": mv}));
        let written = lock(&self.line).as_mut().map(|stream| stream.write_all(line.as_bytes()));
        board.asked = None;
        match written {
            Some(Ok(())) => {
                self.moves.fetch_add(1, Ordering::Relaxed);
                Ok(())
            }
            _ => Err(Refusal::now("The match is over.")),
        }
    }

    /// The person leaves: the match ends as soon as the person would be asked.
    pub fn leave(&self) {
        lock(&self.board).asked = None;
        drop(lock(&self.line).take());
    }

    /// Ends it at once: the arena stops.
    pub fn interrupt(&self) {
        self.interrupt.raise();
    }

    /// Waits for its thread.
    pub fn join(&self) {
        if let Some(thread) = lock(&self.thread).take() {
            let _ = thread.join();
        }
    }

    pub fn is_over(&self) -> bool {
        *self.over.borrow()
    }

    /// Waits, within bounds, until it is over; whether it is.
    pub async fn ended(&self, within: Duration) -> bool {
        let mut over = self.over.subscribe();
        tokio::time::timeout(within, over.wait_for(|over| *over)).await.is_ok()
    }

    /// The address of the session that this one goes on in, where there is one: to be set where it is being made.
    pub async fn next(&self) -> MutexGuard<'_, Option<String>> {
        self.next.lock().await
    }

    /// Where its page is.
    pub fn address(&self) -> String {
        format!("/play/{}", self.id)
    }

    /// Counts whoever looks, until what it gives is dropped.
    pub fn look(self: &Arc<Session>) -> Look {
        self.presence.viewers.fetch_add(1, Ordering::Relaxed);
        Look(Arc::clone(self))
    }

    /// Whether the person has made a move, which may not be recorded yet.
    pub fn has_moved(&self) -> bool {
        self.moves.load(Ordering::Relaxed) > 0
    }

    /// The match, which is over, up to before the person's last move; `None` where there was no move.
    pub fn before_last_move(&self) -> Result<Option<TakenBack>, Refusal> {
        let transcript = read_transcript(&self.transcript);
        let transcript = transcript.map_err(|error| {
            Refusal::ours(without_folder(&error.to_string(), self.transcript.parent().unwrap_or(&self.transcript)))
        })?;
        let turns = transcript.events.iter().filter(|event| event.kind.is_turn()).enumerate();
        let own = turns.filter(|(_, event)| event.kind.mover() == Some(self.settings.seat));
        let own: Vec<usize> = own.map(|(turn, _)| turn).collect();
        let back = |(last, before): (&usize, &[usize])| TakenBack {
            to: Continuation::of(&transcript, *last),
            moves: before.len(),
        };
        Ok(own.split_last().map(back))
    }
}

/// Where a match goes on from which a move was taken back.
pub(super) struct TakenBack {
    to: Continuation,
    /// How many moves of the person stand before that.
    moves: usize,
}

/// What is said to whoever answers what is not asked any more.
pub(super) const TOO_LATE: &str =
    "It is not your move now: it was made already, perhaps in another window. The board shows how it stands.";

/// Somebody who looks at a match.
pub(super) struct Look(Arc<Session>);

impl Drop for Look {
    fn drop(&mut self) {
        self.0.presence.viewers.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_asks_is_there_also_without_following() {
        let presence = Presence::default();
        assert!(!presence.is_felt());
        presence.sign();
        assert!(presence.is_felt() && !presence.is_felt(), "a sign counts once");
        presence.viewers.fetch_add(1, Ordering::Relaxed);
        assert!(presence.is_felt() && presence.is_felt(), "who follows is there all the time");
    }
}
