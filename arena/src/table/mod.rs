//! Both seats of a running match. They wait together: while one is asked, the other's output is drained too, so that
//! nobody blocks and nobody's words are taken for an answer they are not.
//!
//! The table knows channels, dialects and clocks. It does not know the rules: whether a move is legal is not decided here.

mod chair;
mod dialect;
mod dismissal;
mod faults;
mod log;
mod notipping;
mod notipping_lobby;
mod sparring;
mod stopwatch;
mod visitor;
mod words;

pub use chair::{Chair, Overheard, OverheardKind, Watcher};
pub use dialect::{Dialect, Heard, JsonLines, Opening, Person, Request};
pub use dismissal::{Farewell, HURRIED_STOP};
pub use faults::LINE_KEPT;
pub use notipping::{CourseClient, CourseServer, view_of};
pub use notipping_lobby::{Guest, Lobby};
pub use sparring::{Manner, Mannered, Sparring, pass_maker};
pub use visitor::{Asked, Visiting};
pub use words::{ThroughWrapper, Words};

use crate::clock::micros;
use crate::game::AnyPosition;
use crate::protocol::Expect;
use crate::record::Times;
use crate::seat::{BySeat, Seat};
use crate::transport::load::{Gauge, OwnDelay, Reading};
use crate::transport::{DESCRIPTORS, EVERYTHING, Interests, Interrupt, Readiness, wait};
use crate::verdict::Fault;
use faults::{Cause, Circumstances};
use nix::poll::{PollFd, PollFlags};
use serde_json::Value;
use std::io;
use std::time::{Duration, Instant};
use stopwatch::{Lateness, QUICK, Stopwatch};

/// For so long at most the arena is awake between two waits, unless it stands still.
const AWAKE: Duration = Duration::from_millis(10);

/// How long the exit code of a bot that has closed its output is waited for: what it held in memory and in files goes first.
const EXIT_CODE_WAIT: Duration = Duration::from_secs(1);

/// What a bot may do while its rival is to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Thinking {
    /// Nothing: it is stopped as soon as its rival takes longer than a quick answer.
    #[default]
    OwnTurn,
    /// What it likes.
    Any,
}

impl Thinking {
    /// The word for it on the command line and in transcripts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Thinking::OwnTurn => "own-turn",
            Thinking::Any => "any",
        }
    }

    /// The one that is written so.
    pub fn parse(word: &str) -> Option<Thinking> {
        [Thinking::OwnTurn, Thinking::Any].into_iter().find(|thinking| thinking.as_str() == word)
    }
}

/// How one request ended.
#[derive(Debug)]
pub struct Turn {
    /// The times of the answer, or of the wait for it until its end.
    pub times: Times,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a request.
#[derive(Debug)]
pub enum Outcome {
    /// The player is ready.
    Ready,
    /// Its move, of whatever shape.
    Move(Answer),
    /// A seat is at fault: not always the one that was asked.
    Fault(Seat, Fault),
    /// The machine was late, not the player: how.
    Disturbed(String),
    /// The arena is to stop.
    Interrupted,
    /// The player gave the match up.
    Quit,
}

/// An answer to a request.
#[derive(Debug)]
pub struct Answer {
    /// The move, of whatever shape.
    pub mv: Value,
    /// The line that it came on.
    pub line: Vec<u8>,
    /// Its note, as JSON text.
    pub note: Option<String>,
    /// The size of a note that was too long to be kept.
    pub note_dropped: Option<usize>,
}

/// Both seats of a running match. It belongs to the thread that made it.
pub struct Table {
    chairs: BySeat<Chair>,
    thinking: Thinking,
    own_delay: OwnDelay,
    interrupt: Interrupt,
    /// Whether players are held to the limits that they are told.
    limits: bool,
    overheard: Vec<Overheard>,
    line: Vec<u8>,
}

impl Table {
    /// Seats two players.
    pub fn new(chairs: BySeat<Chair>, thinking: Thinking, interrupt: Interrupt) -> Table {
        // By default the kernel may wake a thread 50 µs late, to save power.
        let _ = nix::sys::prctl::set_timerslack(1);
        Table {
            chairs,
            thinking,
            own_delay: OwnDelay::of_this_thread(),
            interrupt,
            limits: true,
            overheard: Vec::new(),
            line: Vec::new(),
        }
    }

    /// The same, where players are told the limits of a match, but may take as long as they like.
    pub fn without_limits(self) -> Table {
        Table { limits: false, ..self }
    }

    /// One seat's player.
    pub fn chair(&self, seat: Seat) -> &Chair {
        &self.chairs[seat]
    }

    /// Takes the table apart, to seat the players again.
    pub fn into_chairs(self) -> BySeat<Chair> {
        self.chairs
    }

    /// What was heard of both seats beside answers since this was last asked, in order.
    pub fn take_overheard(&mut self) -> Vec<Overheard> {
        std::mem::take(&mut self.overheard)
    }

    /// The whole lines of a seat's log since this was last asked.
    pub fn take_log_lines(&mut self, seat: Seat) -> Option<String> {
        self.chairs[seat].log.take_lines()
    }

    /// What is left of a seat's log at the end of a match: its last, unfinished line, and the end of a long one with the
    /// number of bytes missing before it.
    pub fn finish_log(&mut self, seat: Seat) -> (Option<String>, Option<(u64, String)>) {
        self.chairs[seat].log.finish()
    }

    /// Tells a player of the match and waits until it is ready.
    pub fn start(&mut self, opening: &Opening<'_>) -> io::Result<Turn> {
        let seat = opening.seat;
        let rival = &mut self.chairs[seat.other()];
        if self.thinking == Thinking::OwnTurn && rival.is_new() {
            // Both processes are there already: neither starts up in the other's time.
            rival.channel.freeze(true);
        }
        let again = self.chairs[seat].begin_match();
        self.line.clear();
        if !self.chairs[seat].dialect.greet(opening, &mut self.line) {
            let line = std::mem::take(&mut self.line);
            self.chairs[seat].send(&line, None)?;
            self.chairs[seat].ready = true;
            return Ok(Turn { times: Times::default(), outcome: Outcome::Ready });
        }
        let awaited = Expect::Ready { match_id: opening.match_id, again };
        self.exchange(seat, &awaited, None, opening.clock.start, false)
    }

    /// Asks a player for a move.
    pub fn ask(&mut self, request: &Request<'_>) -> io::Result<Turn> {
        let seat = request.seat;
        self.line.clear();
        self.chairs[seat].dialect.request(request, &mut self.line);
        let from_bank = request.left.is_some() && request.limit == request.left;
        let awaited = Expect::Move { match_id: request.match_id, turn: request.turn };
        self.exchange(seat, &awaited, Some(request.position), request.limit, from_bank)
    }

    /// Lets time pass, with everybody's output drained. True when the arena is to stop.
    pub fn pause(&mut self, length: Duration) -> io::Result<bool> {
        let end = Instant::now() + length;
        while Instant::now() < end && !self.interrupt.raised() && self.who_has_left(Seat::First).is_none() {
            let ready = self.poll(None, Some(end.saturating_duration_since(Instant::now())), true)?;
            for seat in Seat::BOTH {
                self.listen(seat, &ready[seat], &Expect::Nothing)?;
            }
        }
        Ok(self.interrupt.raised())
    }

    /// Who has left though it had to stay, this seat before its rival.
    fn who_has_left(&mut self, seat: Seat) -> Option<Seat> {
        [seat, seat.other()].into_iter().find(|seat| self.chairs[*seat].has_left())
    }

    fn exchange(
        &mut self,
        seat: Seat,
        awaited: &Expect<'_>,
        position: Option<&dyn AnyPosition>,
        limit: Option<Duration>,
        from_bank: bool,
    ) -> io::Result<Turn> {
        if !matches!(awaited, Expect::Ready { again: false, .. }) {
            // What is in the pipe already answers nothing that has been asked. (A new process has been asked nothing yet
            // that could be mixed up: its `ready` may come as early as it likes.)
            self.empty_pipe(seat)?;
        }
        let limit = limit.filter(|_| self.limits);
        let chair = &mut self.chairs[seat];
        chair.channel.freeze(false);
        let standing = chair.fault_before_request();
        chair.channel.inbox().open();
        let began = Instant::now();
        let watch = Stopwatch::start(began, limit, from_bank);
        let mut wait = Wait { seat, awaited, position, watch, slow: None, output_closed: None, limit };
        if let Some(cause) = standing {
            return Ok(self.fault(&mut wait, seat, cause, began));
        }
        if let Some(left) = self.who_has_left(seat) {
            return Ok(self.fault(&mut wait, left, Cause::ClosedOutput, began));
        }
        self.chairs[seat].send(&self.line, position)?;
        let mut ready = self.poll(Some(seat), Some(limit.map_or(QUICK, |limit| limit.min(QUICK))), true)?;
        let mut woken = Instant::now();
        loop {
            if let Some(turn) = self.wake(&mut wait, &ready)? {
                return Ok(turn);
            }
            let asleep = Instant::now();
            if let Some(slow) = &mut wait.slow {
                slow.overslept += (asleep - woken).saturating_sub(AWAKE);
            }
            let wake_at = wait.wake_at().map(|at| at.max(asleep));
            ready = self.poll(wait.slow.is_none().then_some(seat), wake_at.map(|at| at - asleep), true)?;
            woken = Instant::now();
            if let (Some(slow), Some(at)) = (&mut wait.slow, wake_at) {
                slow.overslept += woken.saturating_duration_since(at);
            }
        }
    }

    /// Takes all that is in a seat's pipe, which may hold more than one read brings. Bounded by what counts as a flood.
    fn empty_pipe(&mut self, seat: Seat) -> io::Result<()> {
        let ready = [PollFlags::empty(), PollFlags::POLLIN, PollFlags::empty(), PollFlags::empty()];
        loop {
            let before = self.chairs[seat].channel.inbox().bytes();
            self.listen(seat, &ready, &Expect::Nothing)?;
            let inbox = self.chairs[seat].channel.inbox();
            if inbox.bytes() == before || inbox.flood().is_some() {
                return Ok(());
            }
        }
    }

    /// Looks at what a wake-up brought. A whole line in time is judged by its content; without one, the first that holds
    /// of flood, end and lateness is the fault. The seat that is asked is judged before its rival.
    fn wake(&mut self, wait: &mut Wait<'_>, ready: &BySeat<Readiness>) -> io::Result<Option<Turn>> {
        let seat = wait.seat;
        if let Some(heard) = self.listen(seat, &ready[seat], wait.awaited)? {
            return self.judge(wait, heard).map(Some);
        }
        let now = Instant::now();
        if let Some(flood) = self.chairs[seat].channel.inbox().flood() {
            return Ok(Some(self.fault(wait, seat, Cause::Flood(flood), now)));
        }
        if let Some(turn) = self.end_of(wait, now)? {
            return Ok(Some(turn));
        }
        self.become_slow(wait, now);
        if let Some(turn) = self.look_at_deadline(wait, now) {
            return Ok(Some(turn));
        }
        let rival = seat.other();
        self.listen(rival, &ready[rival], &Expect::Nothing)?;
        if let Some(flood) = self.chairs[rival].channel.inbox().flood() {
            return Ok(Some(self.fault(wait, rival, Cause::Flood(flood), now)));
        }
        if self.chairs[rival].has_left() {
            return Ok(Some(self.fault(wait, rival, Cause::ClosedOutput, now)));
        }
        if self.interrupt.raised() {
            return Ok(Some(self.turn(wait, Outcome::Interrupted, now)));
        }
        Ok(None)
    }

    /// Judges what the seat that was asked has said.
    fn judge(&mut self, wait: &mut Wait<'_>, heard: Spoken) -> io::Result<Turn> {
        let now = heard.at;
        let seat = wait.seat;
        if wait.limit.is_some_and(|limit| wait.watch.took(now) > limit) {
            // A late answer whose time may not be the bot's: the counters decide, as soon as they may be read. The bot
            // waits for us now, so that nothing is added to them meanwhile.
            if let Some(gauge) = wait.slow.as_ref().and_then(|slow| slow.gauge.as_ref()) {
                std::thread::sleep(gauge.readable_from().saturating_duration_since(Instant::now()));
            }
        }
        self.read_times(wait, now);
        if !wait.watch.answered_in_time(now, wait.excused()) {
            return Ok(self.fault(wait, seat, Cause::Late { line: Some(heard.line) }, now));
        }
        let outcome = match heard.what {
            Heard::Ready { reuse } => {
                self.chairs[seat].ready = true;
                self.chairs[seat].reuse = reuse;
                Outcome::Ready
            }
            Heard::Move { mv, note, note_dropped } => {
                let line = self.chairs[seat].dialect.as_judged(heard.line);
                Outcome::Move(Answer { mv, line, note, note_dropped })
            }
            Heard::Malformed(why) => {
                return Ok(self.fault(wait, seat, Cause::Malformed { why, line: heard.line }, now));
            }
            Heard::Quit => Outcome::Quit,
            Heard::Blank | Heard::Stray | Heard::Stale | Heard::Reply(_) => unreachable!("these do not end a wait"),
        };
        Ok(self.turn(wait, outcome, now))
    }

    /// Whether the player that is asked has ended. What it wrote before that is read first, also without a last newline.
    fn end_of(&mut self, wait: &mut Wait<'_>, now: Instant) -> io::Result<Option<Turn>> {
        let chair = &mut self.chairs[wait.seat];
        let ended = chair.channel.ended().is_some() || chair.channel.lost().is_some();
        if !ended && !chair.channel.inbox().closed() {
            return Ok(None);
        }
        if let Some(heard) = self.last_words(wait)? {
            return self.judge(wait, heard).map(Some);
        }
        let chair = &mut self.chairs[wait.seat];
        // It may have ended while its last words were read.
        let ended = chair.channel.ended().is_some() || chair.channel.lost().is_some();
        // Its exit code follows the closing of its output by a moment.
        let closed = *wait.output_closed.get_or_insert(now);
        if !ended && chair.channel.process_state().is_some() && now < closed + EXIT_CODE_WAIT {
            return Ok(None);
        }
        if let Some(flood) = chair.channel.inbox().flood() {
            return Ok(Some(self.fault(wait, wait.seat, Cause::Flood(flood), now)));
        }
        let cause = chair.end_cause().unwrap_or(Cause::ClosedOutput);
        Ok(Some(self.fault(wait, wait.seat, cause, now)))
    }

    fn last_words(&mut self, wait: &Wait<'_>) -> io::Result<Option<Spoken>> {
        // Bounded: a helper that has inherited the pipe may write for ever.
        for _ in 0..32 {
            if let Some(heard) = self.listen(wait.seat, &EVERYTHING, wait.awaited)? {
                return Ok(Some(heard));
            }
            let chair = &mut self.chairs[wait.seat];
            if chair.channel.inbox().closed() || chair.channel.inbox().flood().is_some() {
                break;
            }
        }
        let chair = &mut self.chairs[wait.seat];
        if chair.channel.inbox().flood().is_some() {
            return Ok(None);
        }
        let first = chair.channel.inbox().at_first_line();
        let partial = chair.channel.inbox().partial().to_vec();
        match chair.dialect.hear(&partial, first, wait.awaited) {
            what @ (Heard::Move { .. } | Heard::Ready { .. }) => {
                chair.channel.inbox().take_partial();
                Ok(Some(Spoken { what, line: partial, at: Instant::now() }))
            }
            _ => {
                let at = Instant::now();
                Ok(chair.dialect.at_end().map(|what| Spoken { what, line: Vec::new(), at }))
            }
        }
    }

    /// The first time that an answer takes longer than a quick one: from here on it is measured, and the rival is stopped.
    fn become_slow(&mut self, wait: &mut Wait<'_>, now: Instant) {
        if wait.slow.is_some() || now < wait.watch.quick_until() {
            return;
        }
        wait.slow = Some(Slow {
            gauge: self.chairs[wait.seat].channel.gauge(now),
            reading: Reading::default(),
            late_us: micros_begun(now - wait.watch.quick_until()),
            overslept: Duration::ZERO,
            own_base_us: self.own_delay.total_us(),
            arena_us: None,
        });
        let rival = &mut self.chairs[wait.seat.other()];
        if self.thinking == Thinking::OwnTurn && rival.ready {
            rival.channel.freeze(true);
        }
    }

    fn look_at_deadline(&mut self, wait: &mut Wait<'_>, now: Instant) -> Option<Turn> {
        // Nothing more can come of a bot that has closed its output: how it ended is the fault, not the time that its end takes.
        if wait.output_closed.is_some() || wait.watch.deadline().is_none_or(|deadline| now < deadline) {
            return None;
        }
        if wait.gauge_readable_from().is_some_and(|readable| now < readable) {
            return None;
        }
        self.read_times(wait, now);
        match wait.watch.look(now, wait.excused()) {
            Lateness::InTime => None,
            Lateness::Late => Some(self.fault(wait, wait.seat, Cause::Late { line: None }, now)),
            Lateness::Disturbed => {
                let excused = wait.excused().as_millis();
                let detail = format!(
                    "seat {} was asked {} ms ago and had no processor, or the arena had none, for {excused} ms of that: the machine is too busy",
                    wait.seat,
                    wait.watch.took(now).as_millis()
                );
                Some(self.turn(wait, Outcome::Disturbed(detail), now))
            }
        }
    }

    fn read_times(&mut self, wait: &mut Wait<'_>, now: Instant) {
        let channel = &self.chairs[wait.seat].channel;
        match &mut wait.slow {
            Some(slow) => {
                if let Some(gauge) = &mut slow.gauge {
                    slow.reading = channel.read_gauge(gauge, Instant::now());
                }
                let own_wait =
                    self.own_delay.total_us().zip(slow.own_base_us).map(|(total, base)| total.saturating_sub(base));
                // A wait for a processor after a sleep was to end counts in both; a stop by a signal in the second alone.
                slow.arena_us = Some(slow.late_us + own_wait.unwrap_or(0).max(micros_begun(slow.overslept)));
            }
            None if now > wait.watch.quick_until() => {
                // The first wait was to end there: that it did not is nobody's delay but the arena's own.
                let late_us = micros_begun(now - wait.watch.quick_until());
                wait.slow = Some(Slow {
                    gauge: None,
                    reading: Reading::default(),
                    late_us,
                    overslept: Duration::ZERO,
                    own_base_us: None,
                    arena_us: Some(late_us),
                });
            }
            None => {}
        }
    }

    fn turn(&mut self, wait: &mut Wait<'_>, outcome: Outcome, now: Instant) -> Turn {
        // What it was judged by is what is recorded: nothing is read twice.
        if wait.slow.as_ref().is_none_or(|slow| slow.arena_us.is_none()) {
            self.read_times(wait, now);
        }
        Turn { times: wait.times(wait.watch.took(now)), outcome }
    }

    fn fault(&mut self, wait: &mut Wait<'_>, seat: Seat, cause: Cause, now: Instant) -> Turn {
        let mut turn = self.turn(wait, Outcome::Interrupted, now);
        let before_ready = matches!(wait.awaited, Expect::Ready { .. }) && seat == wait.seat;
        let circumstances = Circumstances {
            awaited: if seat == wait.seat { *wait.awaited } else { Expect::Nothing },
            position: wait.position,
            before_ready,
            limit: wait.limit,
            took: Duration::from_micros(turn.times.took_us),
            charged: Duration::from_micros(turn.times.charged_us()),
        };
        turn.outcome = Outcome::Fault(seat, faults::fault(&mut self.chairs[seat], cause, &circumstances));
        turn
    }

    /// Waits until something is there, or until the time is up. With `quick`, only that seat's streams are waited on: every
    /// further descriptor costs as much as a tenth of a quick answer, and can wait for a millisecond.
    /// The wish to stop wakes it as well, unless it is known already.
    fn poll(&self, quick: Option<Seat>, timeout: Option<Duration>, stop: bool) -> io::Result<BySeat<Readiness>> {
        let none: Interests<'_> = [None; DESCRIPTORS];
        let interests = BySeat::from_fn(|seat| match quick {
            None => self.chairs[seat].channel.interests(),
            Some(only) if only == seat => self.chairs[seat].channel.stream_interests(),
            Some(_) => none,
        });
        let mut waiting = Vec::with_capacity(2 * DESCRIPTORS + 1);
        for (descriptor, events) in interests.0.iter().flatten().flatten() {
            waiting.push(PollFd::new(*descriptor, *events));
        }
        if quick.is_none() && stop {
            waiting.push(PollFd::new(self.interrupt.descriptor(), PollFlags::POLLIN));
        }
        wait(&mut waiting, timeout)?;
        let mut found = waiting.iter().map(|waited| waited.revents().unwrap_or(PollFlags::empty()));
        let mut readiness = |interest: Option<_>| interest.and_then(|_| found.next()).unwrap_or(PollFlags::empty());
        Ok(BySeat(interests.0.map(|interests| interests.map(&mut readiness))))
    }

    /// Takes what a seat has to say, up to the first line that ends a wait.
    fn listen(&mut self, seat: Seat, ready: &Readiness, awaited: &Expect<'_>) -> io::Result<Option<Spoken>> {
        self.chairs[seat].listen(seat, ready, awaited, &mut self.overheard)
    }
}

/// A line that ends a wait.
#[derive(Debug)]
struct Spoken {
    what: Heard,
    line: Vec<u8>,
    /// When its newline was read.
    at: Instant,
}

/// One request that is open.
struct Wait<'a> {
    seat: Seat,
    awaited: &'a Expect<'a>,
    /// The position in which a move is awaited.
    position: Option<&'a dyn AnyPosition>,
    watch: Stopwatch,
    slow: Option<Slow>,
    output_closed: Option<Instant>,
    limit: Option<Duration>,
}

/// What is measured of an answer that is not quick.
struct Slow {
    gauge: Option<Gauge>,
    reading: Reading,
    /// By how much the first wait, the quick one, ended too late.
    late_us: u64,
    /// The same of all waits since: the arena had no processor, or was stopped.
    overslept: Duration,
    own_base_us: Option<u64>,
    arena_us: Option<u64>,
}

impl Wait<'_> {
    /// When to wake up though nothing has come.
    fn wake_at(&self) -> Option<Instant> {
        if self.slow.is_none() {
            let quick = self.watch.quick_until();
            return Some(self.watch.deadline().map_or(quick, |deadline| deadline.min(quick)));
        }
        if let Some(closed) = self.output_closed {
            return Some(closed + EXIT_CODE_WAIT);
        }
        let deadline = self.watch.deadline()?;
        Some(self.gauge_readable_from().map_or(deadline, |readable| readable.max(deadline)))
    }

    fn gauge_readable_from(&self) -> Option<Instant> {
        Some(self.slow.as_ref()?.gauge.as_ref()?.readable_from())
    }

    /// What was read so far of an answer that took so long.
    fn times(&self, took: Duration) -> Times {
        let slow = self.slow.as_ref();
        let reading = slow.map_or(Reading::default(), |slow| slow.reading);
        Times {
            took_us: micros(took),
            cpu_us: reading.cpu_us,
            stalled_us: reading.stalled_us,
            arena_us: slow.and_then(|slow| slow.arena_us),
        }
    }

    fn excused(&self) -> Duration {
        Duration::from_micros(self.times(Duration::ZERO).excused_us())
    }
}

/// Microseconds, rounded up: where the arena slept past a deadline, what is left to charge must not be over the limit.
fn micros_begun(duration: Duration) -> u64 {
    micros(duration + Duration::from_nanos(999))
}
