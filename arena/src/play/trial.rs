//! A match in which a bot is tried: against the arena's own player, in a chosen position, in a chosen manner. It goes the way of
//! every match; here is only what is chosen, and what is kept of what happened.

mod witness;

pub use witness::Observed;

use super::meter::Meter;
use super::player::dialect_of;
use super::run::play_to_farewell;
use super::{Continuation, MatchPlan};
use crate::clock::Clock;
use crate::game::{AnyGame, ParamError, Started, Status};
use crate::record::{Closing, Everyone, GoesOn, PlayerRecord, TranscriptWriter};
use crate::seat::{BySeat, Seat};
use crate::table::{Chair, Dialect, Manner, Mannered, Sparring, Table, Thinking};
use crate::transport::{Host, Interrupt, Limits, Loopback, Process, Program, SpawnError};
use std::io;
use std::path::Path;
use witness::Witness;

/// What a trial is to bring to light.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Whether it plays the game at all.
    Tries,
    /// Whether it plays in this position, seat and form of request.
    Plays,
    /// Whether a second process plays the same match.
    SecondMatch,
    /// Keys that it does not know.
    UnknownKeys,
    /// Requests that arrive in pieces.
    InPieces,
    /// No limits on time.
    NoLimits,
    /// A bank of time.
    Bank,
    /// The rival forfeits in the middle of the match.
    RivalForfeits,
    /// The match ends before its first turn.
    NoFirstTurn,
    /// `end` right after `start`.
    EndAtOnce,
    /// Its input ends without `end`.
    NoEnd,
    /// The first of two matches with one process.
    ReuseFirst,
    /// The second of them.
    ReuseSecond,
    /// The second one's match with a process of its own.
    ReuseFresh,
    /// Pauses in which nobody is asked.
    Rests,
    /// It is first asked in the middle of a match.
    Jump,
    /// As another one, with far more time, for a bot that did not answer.
    Patient,
    /// As another one, with lines that nobody needs, for a bot that did not answer.
    ExtraLines,
    /// As [`Kind::Plays`], without any confinement.
    Unconfined,
}

/// One match to be played.
#[derive(Clone)]
pub struct Trial {
    /// What it is called, unique in a check.
    pub name: String,
    /// What it is for.
    pub kind: Kind,
    /// The game.
    pub game: &'static dyn AnyGame,
    /// Which of the game's situations it is played in.
    pub situation: usize,
    /// The bot's seat.
    pub seat: Seat,
    /// Whether the legal moves are listed also where the game does not always do so.
    pub hints: bool,
    /// The limits.
    pub clock: Clock,
    /// The limits that the bot is told, where they are not those that hold.
    pub told: Option<Clock>,
    /// The match's seed.
    pub seed: u64,
    /// After so many turns of its own the rival gives up.
    pub turns: u32,
}

/// Why a trial was not played.
#[derive(Debug)]
pub enum TrialError {
    /// No such match can be dealt.
    Params(ParamError),
    /// The bot's program was not started.
    Spawn(SpawnError),
    /// We failed.
    Failed(io::Error),
}

impl Kind {
    /// Whether such a match is played only to explain another one: what goes wrong in it is no mistake.
    pub const fn explains(self) -> bool {
        matches!(self, Kind::Jump | Kind::Unconfined | Kind::Patient | Kind::ExtraLines)
    }
}

impl From<io::Error> for TrialError {
    fn from(error: io::Error) -> TrialError {
        TrialError::Failed(error)
    }
}

/// Where trials are played, and with which bot.
pub struct Bench<'a> {
    /// The machine.
    pub host: &'a Host,
    /// The bot's program.
    pub program: &'a Program,
    /// The bot, as transcripts name it.
    pub player: PlayerRecord,
    /// What it may use.
    pub limits: &'a Limits,
    /// What a bot may do in its rival's turn.
    pub thinking: Thinking,
    /// The cores that the matches are held to.
    pub cores: Vec<usize>,
    /// Raised when the arena is to stop.
    pub interrupt: Interrupt,
}

/// What the arena's own player is called.
const RIVAL: &str = "arena";

/// A jump lands in this turn, or earlier where the game is over before.
const JUMP: usize = 8;

/// After each turn of a match with pauses.
const REST: std::time::Duration = std::time::Duration::from_millis(25);

/// Between two answers of a bot in a match with pauses, in microseconds.
pub const RESTED_US: u64 = 2 * REST.as_micros() as u64;

/// How long a bot that stays is looked at after `end`.
const AFTER_END: std::time::Duration = std::time::Duration::from_millis(30);

impl Bench<'_> {
    /// Plays a trial, and writes its transcript: what was seen of the bot, and how the match ended. `kept` is a bot that stayed after another one; one that stays after this is given
    /// back where the trial is the first of two.
    ///
    /// # Errors
    /// Nothing was played, or we failed; never a mistake of the bot's.
    pub fn play(
        &self,
        trial: &Trial,
        kept: Option<Chair>,
        transcript: &Path,
    ) -> Result<(Observed, Closing, Option<Chair>), TrialError> {
        let info = trial.game.info();
        let params = info.situations[trial.situation].params();
        let started = trial.game.start(&params, trial.seed).map_err(TrialError::Params)?;
        let meter = Meter::default();
        let bot = match kept {
            Some(chair) => chair,
            None => self.seat(trial)?.watched_by(Box::new(meter.clone())),
        };
        let ready = trial.kind != Kind::NoFirstTurn && trial.kind != Kind::EndAtOnce;
        let rival = Sparring::new(trial.seed, trial.turns, ready);
        let rival = Chair::new(Box::new(Loopback::new()?), Box::new(rival));
        let mut chairs = [bot, rival];
        let mut players = [self.player.clone(), PlayerRecord { name: RIVAL.to_string(), ..PlayerRecord::default() }];
        chairs.rotate_left(trial.seat.index());
        players.rotate_left(trial.seat.index());
        let keep = trial.kind == Kind::ReuseFirst;
        let rests = trial.kind == Kind::Rests;
        let id = trial.name.replace('/', "-");
        let plan = MatchPlan {
            from: (trial.kind == Kind::Jump).then(|| jump(&started, trial)),
            hints: trial.hints,
            thinking: self.thinking,
            cores: Some(self.cores.clone()),
            pause: if rests { REST } else { std::time::Duration::ZERO },
            isolation: self.host.in_force(),
            limits: self.limits.clone(),
            keep: BySeat::from_fn(|seat| keep && seat == trial.seat),
            ..MatchPlan::of(id, trial.game, started, trial.seed, trial.clock.clone(), players)
        };
        let mut table = Table::new(BySeat(chairs), self.thinking, self.interrupt.clone());
        let mut witness = Witness::new(trial.seat, rests);
        let mut writer = TranscriptWriter::create(transcript)?;
        let (closing, mut farewells) =
            play_to_farewell(&plan, &mut table, &mut Everyone(vec![&mut writer, &mut witness]))?;
        let farewell = std::mem::take(&mut farewells[trial.seat]);
        let [first, second] = table.into_chairs().0;
        let mut bot = if trial.seat == Seat::First { first } else { second };
        let offers_reuse = bot.can_stay();
        let stays = farewell.stays;
        if stays {
            // What it does after `end` although it is to wait is seen here, and not in the next match.
            std::thread::sleep(AFTER_END);
        }
        let fit = stays && bot.can_play_again();
        let unread = stays && !fit;
        let again = if fit {
            Some(bot)
        } else {
            if stays {
                bot.send_away(trial.clock.stop)?;
            }
            None
        };
        let seen = Observed { sent: meter.take(), farewell, unread, offers_reuse, ..witness.seen() };
        Ok((seen, closing, again))
    }

    fn seat(&self, trial: &Trial) -> Result<Chair, TrialError> {
        let process = Process::spawn(self.host, self.program, self.limits).map_err(TrialError::Spawn)?;
        let manner = match trial.kind {
            Kind::UnknownKeys => Manner::UnknownKeys,
            Kind::EndAtOnce => Manner::EndAtOnce,
            Kind::NoEnd => Manner::NoEnd,
            Kind::ExtraLines => Manner::ExtraLines,
            _ => Manner::Plain,
        };
        let told = trial.told.clone();
        let dialect = dialect_of(self.program);
        let dialect: Box<dyn Dialect> = match (manner, told) {
            (Manner::Plain, None) => dialect,
            (manner, told) => Box::new(Mannered { dialect, manner, told }),
        };
        let chair = Chair::new(Box::new(process), dialect);
        Ok(if trial.kind == Kind::InPieces { chair.in_pieces() } else { chair })
    }
}

/// The turns before a match that the bot is first asked in the middle of: it is to move then.
fn jump(started: &Started, trial: &Trial) -> Continuation {
    let mut stream = crate::seed::Stream::new(trial.seed, "jump");
    let mut position = started.position.clone_box();
    let mut turns = Vec::new();
    loop {
        match position.status() {
            Status::ToMove(seat) if turns.len() < JUMP || seat != trial.seat => {
                let mut next = position.clone_box();
                let mv = position.sample_move(&mut stream);
                let Ok(played) = next.play(&mv) else { break };
                if matches!(next.status(), Status::Over(_)) {
                    break;
                }
                position = next;
                turns.push(Some(played.accepted));
            }
            Status::MustPass(_) => {
                position.pass();
                turns.push(None);
            }
            _ => break,
        }
    }
    Continuation {
        from: GoesOn { id: format!("{}-before", trial.name.replace('/', "-")), turn: turns.len() as u32 },
        turns,
    }
}
