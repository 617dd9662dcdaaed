//! Runs one match.

use super::Continuation;
use crate::clock::{Bank, Clock, millis};
use crate::game::{AnyGame, Started, Status};
use crate::isolation::InForce;
use crate::protocol::words::Exchange;
use crate::protocol::{Expect, malformed_move, shown};
use crate::record::{Closing, Event, Header, PlayerRecord, Recorder, SCHEMA, Times};
use crate::referee::{Referee, Refusal, Step};
use crate::seat::{BySeat, Seat};
use crate::seed::bot_seed;
use crate::table::{
    Answer, Farewell, HURRIED_STOP, LINE_KEPT, Opening, Outcome, OverheardKind, Request, Table, Thinking,
};
use crate::transport::Limits;
use crate::verdict::{Fault, Reason, Verdict};
use std::io;
use std::time::{Duration, Instant, SystemTime};

/// Of the notes of a match so much is kept, in bytes.
const NOTES_LIMIT: usize = 1024 * 1024;

/// Whoever has answered slower than this, in microseconds, or not at all yet, leaves the recorders time to write down what they hold.
const IDLE_US: u64 = 1000;

/// What is to be played.
pub struct MatchPlan {
    /// The match's id.
    pub id: String,
    /// The game.
    pub game: &'static dyn AnyGame,
    /// Its start: parameters, opening, position.
    pub started: Started,
    /// Where it goes on, if that is not its start.
    pub from: Option<Continuation>,
    /// The match's seed.
    pub seed: u64,
    /// The match's limits.
    pub clock: Clock,
    /// The limits that hold for each seat: a person's may differ.
    pub clocks: BySeat<Clock>,
    /// The players, as the transcript names them.
    pub players: [PlayerRecord; 2],
    /// Whether the legal moves are listed also where the game does not always do so.
    pub hints: bool,
    /// What a bot may do in its rival's turn.
    pub thinking: Thinking,
    /// The cores that the match is held to.
    pub cores: Option<Vec<usize>>,
    /// After each turn, outside the clocks.
    pub pause: Duration,
    /// What confines the bots.
    pub isolation: InForce,
    /// What each bot may use of the machine.
    pub limits: Limits,
    /// Which players are kept for another match, when they can be.
    pub keep: BySeat<bool>,
}

impl MatchPlan {
    /// A match from its start, as most are: the same limits for both, one bot at a time, no confinement, and nobody kept.
    pub fn of(
        id: String,
        game: &'static dyn AnyGame,
        started: Started,
        seed: u64,
        clock: Clock,
        players: [PlayerRecord; 2],
    ) -> MatchPlan {
        MatchPlan {
            id,
            game,
            started,
            from: None,
            seed,
            clocks: BySeat([clock.clone(), clock.clone()]),
            clock,
            players,
            hints: false,
            thinking: Thinking::default(),
            cores: None,
            pause: Duration::ZERO,
            isolation: InForce::nothing(),
            limits: Limits::default(),
            keep: BySeat([false; 2]),
        }
    }
}

/// Plays a match to whatever end.
///
/// # Errors
/// We failed: a recorder could not write, or the system refused us something. It is never a bot's fault.
pub fn play_match(plan: &MatchPlan, table: &mut Table, recorder: &mut dyn Recorder) -> io::Result<Closing> {
    play_to_farewell(plan, table, recorder).map(|(closing, _)| closing)
}

/// The same; how each player went is told too.
pub(super) fn play_to_farewell(
    plan: &MatchPlan,
    table: &mut Table,
    recorder: &mut dyn Recorder,
) -> io::Result<(Closing, BySeat<Farewell>)> {
    let mut run = Run {
        plan,
        table,
        recorder,
        referee: Referee::new(plan.started.position.clone_box()),
        began: Instant::now(),
        banks: BySeat::from_fn(|seat| Bank::new(&plan.clocks[seat])),
        total_us: [0; 2],
        max_us: [0; 2],
        notes: 0,
        stray_told: [false; 2],
        slow: BySeat([true; 2]),
    };
    let header = run.header();
    run.recorder.begin(&header)?;
    run.replay()?;
    let end = match run.start()? {
        Some(end) => end,
        None => run.turns()?,
    };
    run.finish(end)
}

/// Why a match is over, before both players have been sent away.
struct End {
    verdict: Verdict,
    /// What was done wrong, by whom, and with which move.
    faults: Vec<(Seat, Fault, Option<String>)>,
    /// The turn at which an answer was awaited in vain; `None` before the first.
    missing: Option<(Seat, Option<u32>)>,
}

impl From<Verdict> for End {
    fn from(verdict: Verdict) -> End {
        End { verdict, faults: Vec::new(), missing: None }
    }
}

struct Run<'a> {
    plan: &'a MatchPlan,
    table: &'a mut Table,
    recorder: &'a mut dyn Recorder,
    referee: Referee,
    began: Instant,
    banks: BySeat<Bank>,
    total_us: [u64; 2],
    max_us: [u64; 2],
    notes: usize,
    stray_told: [bool; 2],
    /// Whether a seat's next answer is expected to take long, by its last one; one that has not answered yet may take for ever.
    slow: BySeat<bool>,
}

impl Run<'_> {
    fn header(&self) -> Header {
        let plan = self.plan;
        let mut players = plan.players.clone();
        for seat in Seat::BOTH {
            let player = &mut players[seat.index()];
            player.seed = Some(bot_seed(plan.seed, seat));
            player.clock = (plan.clocks[seat] != plan.clock).then(|| (&plan.clocks[seat]).into());
            player.fair_clock = Some(self.table.chair(seat).gauge_source().to_string());
        }
        Header {
            schema: SCHEMA,
            arena: env!("CARGO_PKG_VERSION").to_string(),
            id: plan.id.clone(),
            game: plan.game.info().id.to_string(),
            params: plan.started.params.clone(),
            seed: plan.seed,
            from: plan.from.as_ref().map(|continuation| continuation.from.clone()),
            opening: plan.started.opening.clone(),
            clock: (&plan.clock).into(),
            hints: plan.hints,
            thinking: Some(plan.thinking.as_str().to_string()),
            cores: plan.cores.clone(),
            isolation: Some(plan.isolation.mode.as_str().to_string()),
            layers: plan.isolation.layers.clone(),
            limits: plan.limits.words(),
            players,
            started: humantime::format_rfc3339_millis(SystemTime::now()).to_string(),
        }
    }

    /// Makes the turns of another match from which this one goes on. Nobody was told of them yet: each player's first
    /// request does.
    fn replay(&mut self) -> io::Result<()> {
        for mv in self.plan.from.iter().flat_map(|continuation| &continuation.turns) {
            let (turn, seat) = match (self.referee.step(), mv) {
                (Step::Ask { turn, seat }, Some(mv)) => {
                    let value = serde_json::from_str(mv)?;
                    self.referee.rule(seat, &value).map_err(|refusal| io::Error::other(refusal.why))?;
                    (turn, seat)
                }
                (Step::Passed { turn, seat }, None) => (turn, seat),
                _ => return Err(io::Error::other("the turns to go on from do not follow from one another")),
            };
            self.tell(&Event::Replayed { turn, seat, mv: mv.as_deref() })?;
        }
        Ok(())
    }

    /// Starts both players, the second also when the first has failed, so that both can be named.
    fn start(&mut self) -> io::Result<Option<End>> {
        let names = [self.plan.players[0].name.as_str(), self.plan.players[1].name.as_str()];
        let mut faults: Vec<(Seat, Fault, Option<String>)> = Vec::new();
        let mut missing = None;
        for seat in Seat::BOTH {
            let opening = Opening {
                match_id: &self.plan.id,
                game: self.plan.game.info().id,
                params: &self.plan.started.params,
                seat,
                players: names,
                seed: bot_seed(self.plan.seed, seat),
                clock: &self.plan.clocks[seat],
            };
            let turn = self.table.start(&opening)?;
            self.tell_overheard()?;
            match turn.outcome {
                Outcome::Ready => self.tell(&Event::Ready { seat, times: turn.times })?,
                Outcome::Fault(guilty, fault) => {
                    if is_missing(&fault) {
                        missing.get_or_insert((guilty, None));
                    }
                    if !faults.iter().any(|(seat, ..)| *seat == guilty) {
                        faults.push((guilty, fault, None));
                    }
                }
                outcome => return self.ended(seat, outcome).map(Some),
            }
        }
        Ok(match &faults[..] {
            [] => None,
            [(seat, fault, _)] => {
                let verdict = self.referee.forfeit(*seat, fault.reason, fault.detail.clone());
                Some(End { verdict, faults, missing })
            }
            both => {
                let details: Vec<String> = both
                    .iter()
                    .map(|(seat, fault, _)| format!("{} (seat {seat}): {}", names[seat.index()], fault.detail))
                    .collect();
                let verdict =
                    self.referee.void(Reason::NoStart, format!("neither bot could start. {}", details.join(" / ")));
                Some(End { verdict, faults, missing })
            }
        })
    }

    fn turns(&mut self) -> io::Result<End> {
        loop {
            match self.referee.step() {
                Step::Done(verdict) => return Ok(verdict.into()),
                Step::Passed { turn, seat } => self.tell(&Event::Pass { turn, seat })?,
                Step::Ask { turn, seat } => {
                    if let Some(end) = self.turn(turn, seat)? {
                        return Ok(end);
                    }
                    let over = matches!(self.referee.position().status(), Status::Over(_));
                    if !over && !self.plan.pause.is_zero() && self.pause()? {
                        return self.ended(seat, Outcome::Interrupted);
                    }
                }
            }
        }
    }

    fn turn(&mut self, turn: u32, seat: Seat) -> io::Result<Option<End>> {
        let bank = &self.banks[seat];
        let clock = &self.plan.clocks[seat];
        let request = Request {
            match_id: &self.plan.id,
            turn,
            seat,
            position: self.referee.position(),
            since: self.referee.since(seat),
            hints: self.plan.hints,
            limit: bank.limit(clock.per_move),
            per_move: clock.per_move,
            left: bank.left(),
        };
        if self.slow[seat] {
            // Whoever looks sees the position that is being thought about.
            self.recorder.idle()?;
        }
        let asked = self.table.ask(&request)?;
        self.referee.told(seat);
        self.tell_overheard()?;
        self.tell_logs(turn)?;
        let times = asked.times;
        self.slow[seat] = times.took_us > IDLE_US;
        if self.slow[seat] {
            self.recorder.idle()?;
        }
        let charged = times.charged_us();
        self.total_us[seat.index()] += charged;
        self.max_us[seat.index()] = self.max_us[seat.index()].max(charged);
        match asked.outcome {
            Outcome::Move(answer) => self.rule(turn, seat, answer, times),
            outcome => self.ended(seat, outcome).map(Some),
        }
    }

    fn rule(&mut self, turn: u32, seat: Seat, answer: Answer, times: Times) -> io::Result<Option<End>> {
        match self.referee.rule(seat, &answer.mv) {
            Ok(played) => {
                self.banks[seat].charge(times.charged_us());
                for ignored in &played.ignored {
                    self.tell(&Event::Invalid { turn, seat, part: ignored.part, why: &ignored.why })?;
                }
                let note = self.kept_note(seat, answer.note, answer.note_dropped)?;
                self.tell(&Event::Move { turn, seat, mv: &played.accepted, times, note: note.as_deref() })?;
                Ok(None)
            }
            Err(refusal) => {
                let fault = refused(turn, &answer, refusal);
                let verdict = self.referee.forfeit(seat, fault.reason, fault.detail.clone());
                Ok(Some(End { verdict, faults: vec![(seat, fault, Some(answer.mv.to_string()))], missing: None }))
            }
        }
    }

    fn ended(&mut self, asked: Seat, outcome: Outcome) -> io::Result<End> {
        Ok(match outcome {
            Outcome::Fault(seat, fault) => {
                let verdict = self.referee.forfeit(seat, fault.reason, fault.detail.clone());
                let missing = (seat == asked && is_missing(&fault)).then_some((seat, Some(self.referee.turn())));
                End { verdict, faults: vec![(seat, fault, None)], missing }
            }
            Outcome::Disturbed(detail) => self.referee.void(Reason::Disturbed, detail).into(),
            Outcome::Interrupted => self.referee.void(Reason::Interrupted, "the arena was stopped".to_string()).into(),
            Outcome::Quit => {
                let name = &self.plan.players[asked.index()].name;
                self.referee.void(Reason::Interrupted, format!("{name} gave the match up")).into()
            }
            Outcome::Ready | Outcome::Move(_) => unreachable!("these go on"),
        })
    }

    /// Sends both players away, completes what is known of a fault, and closes the record.
    fn finish(mut self, mut end: End) -> io::Result<(Closing, BySeat<Farewell>)> {
        let duration_ms = self.ms();
        let stay = BySeat::from_fn(|seat| {
            self.plan.keep[seat] && end.faults.is_empty() && !end.verdict.is_void() && self.table.chair(seat).can_stay()
        });
        let missing = end.missing.map(|(seat, turn)| {
            let match_id = self.plan.id.as_str();
            let awaited = match turn {
                Some(turn) => Expect::Move { match_id, turn },
                None => Expect::Ready { match_id, again: false },
            };
            (seat, awaited)
        });
        let since = BySeat::from_fn(|seat| self.referee.since(seat));
        let stop = if end.verdict.reason == Reason::Interrupted {
            self.plan.clock.stop.min(HURRIED_STOP)
        } else {
            self.plan.clock.stop
        };
        let farewells = self.table.dismiss(&end.verdict, self.referee.position(), since, stop, stay, missing)?;
        self.tell_overheard()?;
        self.tell_logs(self.referee.turn())?;
        self.tell_last_logs()?;
        for (seat, fault, mv) in &mut end.faults {
            if let Some(hint) = &farewells[*seat].hint {
                fault.detail = format!("{}\n{hint}", fault.detail);
                if end.verdict.at_fault == Some(*seat) {
                    end.verdict.detail = Some(fault.detail.clone());
                }
            }
            self.recorder
                .record(millis(self.began.elapsed()), &Event::Fault { seat: *seat, fault, mv: mv.as_deref() })?;
        }
        for seat in Seat::BOTH {
            self.tell_of_farewell(seat, &farewells[seat])?;
        }
        let closing = Closing {
            verdict: end.verdict,
            turns: self.referee.turn(),
            duration_ms,
            total_us: self.total_us,
            max_us: self.max_us,
            cpu_us: farewells.0.each_ref().map(|farewell| farewell.usage.cpu_us),
            peak_kib: farewells.0.each_ref().map(|farewell| farewell.usage.peak_kib),
            left_behind: farewells.0.each_ref().map(|farewell| farewell.usage.left_behind),
        };
        self.tell(&Event::Result(&closing))?;
        Ok((closing, farewells))
    }

    fn tell_of_farewell(&mut self, seat: Seat, farewell: &Farewell) -> io::Result<()> {
        let left = farewell.usage.left_behind;
        if left > 0 {
            let text =
                format!("left {left} process{} behind, which had to be killed", if left == 1 { "" } else { "es" });
            self.tell(&Event::Warning { seat, text: &text })?;
        }
        if let Some(waited) = farewell.killed_after {
            let text = format!("did not end within {} ms after its stdin was closed, and was killed", millis(waited));
            self.tell(&Event::Warning { seat, text: &text })?;
        }
        Ok(())
    }

    fn kept_note(&mut self, seat: Seat, note: Option<String>, dropped: Option<usize>) -> io::Result<Option<String>> {
        let size = note.as_ref().map_or(0, String::len);
        let dropped = dropped.or((self.notes + size > NOTES_LIMIT).then_some(size));
        if let Some(bytes) = dropped {
            let text =
                format!("sent a note of {bytes} bytes, which was left out: one may have 16 KiB, all of a match 1 MiB");
            self.tell(&Event::Warning { seat, text: &text })?;
            return Ok(None);
        }
        self.notes += size;
        Ok(note)
    }

    /// Waits outside the clocks; true when the arena is to stop.
    fn pause(&mut self) -> io::Result<bool> {
        self.recorder.idle()?;
        self.table.pause(self.plan.pause)
    }

    fn tell_overheard(&mut self) -> io::Result<()> {
        for heard in self.table.take_overheard() {
            let ms = millis(heard.at.saturating_duration_since(self.began));
            let seat = heard.seat;
            let event = match heard.kind {
                OverheardKind::Stray => Event::Stray { seat, text: &heard.text },
                OverheardKind::Stale => Event::Stale { seat, text: &heard.text },
            };
            self.recorder.record(ms, &event)?;
            if heard.kind == OverheardKind::Stray && !std::mem::replace(&mut self.stray_told[seat.index()], true) {
                let text = format!(
                    "prints text that is no answer on stdout (logs belong on stderr): {}",
                    shown(heard.text.as_bytes(), 100)
                );
                self.recorder.record(ms, &Event::Warning { seat, text: &text })?;
            }
        }
        Ok(())
    }

    fn tell_logs(&mut self, turn: u32) -> io::Result<()> {
        for seat in Seat::BOTH {
            if let Some(text) = self.table.take_log_lines(seat) {
                self.tell(&Event::Stderr { seat, turn, text: &text, cut: None })?;
            }
        }
        Ok(())
    }

    fn tell_last_logs(&mut self) -> io::Result<()> {
        let turn = self.referee.turn();
        for seat in Seat::BOTH {
            let (unfinished, end) = self.table.finish_log(seat);
            if let Some(text) = unfinished {
                self.tell(&Event::Stderr { seat, turn, text: &text, cut: None })?;
            }
            if let Some((cut, text)) = end {
                self.tell(&Event::Stderr { seat, turn, text: &text, cut: Some(cut) })?;
            }
            let dropped = self.table.chair(seat).dropped_lines();
            if dropped > 0 {
                let text = format!("printed {dropped} more lines on stdout that are no answers, which were not kept");
                self.tell(&Event::Warning { seat, text: &text })?;
            }
        }
        Ok(())
    }

    fn tell(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.recorder.record(self.ms(), event)
    }

    fn ms(&self) -> u64 {
        millis(self.began.elapsed())
    }
}

/// The fault of an answer that the referee has refused.
pub(super) fn refused(turn: u32, answer: &Answer, Refusal { reason, why }: Refusal) -> Fault {
    let detail = match reason {
        Reason::Malformed => malformed_move(turn, &answer.line, &why),
        _ => match Exchange::of(&answer.line) {
            Some(words) => format!("turn {turn}: {} is not allowed: {why}{}", words.said, words.told()),
            None => format!("turn {turn}: {} is not allowed: {why}", answer.mv),
        },
    };
    Fault { reason, detail, line: Some(shown(&answer.line, LINE_KEPT)) }
}

/// Whether an answer was awaited in vain, and may still come out of the bot's buffer.
pub(super) fn is_missing(fault: &Fault) -> bool {
    matches!(fault.reason, Reason::Timeout | Reason::NoStart) && fault.line.is_none()
}
