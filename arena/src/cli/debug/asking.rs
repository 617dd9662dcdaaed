//! One match: answer by answer, with the board at the first difference.

use super::shown::{Shown, Sight};
use super::wrap::Wrap;
use super::{DebugArguments, LOOKING, Place, Recorded, read_bot, seat_of, signals};
use crate::cli::failure::Failure;
use crate::cli::output::{self, Paper, harmless};
use crate::cli::signals::Signals;
use crate::cli::telling::Teller;
use crate::cli::{DONE, FOUND_WRONG, own};
use crate::clock::millis;
use crate::game::AnyPosition;
use crate::play::{Asked, Came, Forfeit, Inquiry, Requests};
use crate::report::board_text;
use crate::seat::Seat;
use crate::table::OverheardKind;
use crate::tournament::failures::again_command;
use crate::transport::wait;
use crate::verdict::{Fault, detail_beside};
use nix::poll::{PollFd, PollFlags};
use serde_json::{Value, json};
use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Of the lines that a bot prints beside one answer, so many are shown.
const OVERHEARD_SHOWN: usize = 20;

pub(super) fn run(arguments: &DebugArguments, recorded: &Recorded<'_>) -> Result<u8, Failure> {
    let (bot, program) = read_bot(&arguments.bot, recorded.game)?;
    let (seat, note) = seat_of(recorded.header(), &bot, arguments.seat);
    let requests = Requests::of(recorded.transcript, &recorded.reenactment, seat);
    if let Some(turn) = arguments.turn {
        check_turn(recorded, &requests, turn)?;
    }
    let wrap = arguments.wrap.as_deref().map(Wrap::read).transpose()?;
    let signals = signals(wrap.as_ref())?;
    let place = Place::choose(wrap.as_ref())?;
    let mut paper = Paper::new(arguments.json);
    let teller = Teller::new(recorded.header(), paper.colour);
    paper.line(&teller.heading(recorded.header()))?;
    if let Some(note) = note {
        output::complain(&format!("note: {note}"));
    }
    let count = requests.all().len();
    let limits = wrap.is_none() && !arguments.no_limits;
    paper.line(&format!(
        "{} is asked what {} was, in seat {seat}: {count} request{}{}",
        bot.name,
        teller.name(seat),
        if count == 1 { "" } else { "s" },
        if limits { "" } else { ", without limits on time" },
    ))?;
    let (chair, hint) = place.seat(&bot.name, &program, wrap.as_ref())?;
    if let Some(hint) = hint {
        paper.line(&format!("  {hint}"))?;
    }
    let sight = Arc::new(Sight::default());
    sight.visible.store(true, Ordering::Relaxed);
    let watcher = Shown::new(&bot.name, arguments, Arc::clone(&sight));
    let inquiry = Inquiry::new(&requests, chair.watched_by(Box::new(watcher)), limits, signals.interrupt());
    let in_terminal = wrap.as_ref().is_some_and(Wrap::takes_terminal);
    Session {
        arguments,
        requests: &requests,
        teller,
        paper,
        signals,
        sight,
        in_terminal,
        limits,
        boards: 0,
        faulty: false,
    }
    .run(inquiry)
}

/// A turn that is asked for has to be one at which this seat was asked.
fn check_turn(recorded: &Recorded<'_>, requests: &Requests<'_>, turn: u32) -> Result<(), Failure> {
    if requests.all().iter().any(|asked| asked.turn == turn) {
        return Ok(());
    }
    let (seat, path) = (requests.seat(), recorded.transcript.path.display());
    let turns: Vec<String> = requests.all().iter().map(|asked| asked.turn.to_string()).collect();
    let turns = if turns.is_empty() { "none".to_string() } else { turns.join(", ") };
    let why = match recorded.reenactment.turns.get(turn as usize) {
        Some(seen) if seen.seat != seat => format!("turn {turn} was seat {}'s (--seat {})", seen.seat, seen.seat),
        Some(_) => format!("seat {seat} was not asked in turn {turn}, which was a forced pass or was replayed"),
        None => format!("{path} has no turn {turn} in which seat {seat} was asked"),
    };
    Err(Failure::new(format!("--turn {turn}: {why}; seat {seat} was asked in turns: {turns}")))
}

struct Session<'a> {
    arguments: &'a DebugArguments,
    requests: &'a Requests<'a>,
    teller: Teller,
    paper: Paper,
    signals: Signals,
    /// Whether what the bot writes on stderr, and the messages, are shown.
    sight: Arc<Sight>,
    in_terminal: bool,
    /// Whether the bot is held to the recorded limits.
    limits: bool,
    /// How many boards were shown.
    boards: usize,
    /// Whether it made a mistake now.
    faulty: bool,
}

impl Session<'_> {
    fn run(mut self, mut inquiry: Inquiry<'_>) -> Result<u8, Failure> {
        let mut differences = Differences::default();
        let Some(came) = inquiry.start()? else { return self.stopped(inquiry) };
        self.tell_start(&came, &mut differences)?;
        while let Some(asked) = inquiry.next_request() {
            let hidden = self.arguments.turn.is_some_and(|turn| asked.turn < turn);
            self.sight.visible.store(!hidden, Ordering::Relaxed);
            if self.arguments.turn == Some(asked.turn) {
                self.at_turn(&inquiry, asked, &differences)?;
                if self.signals.status().is_some() {
                    return self.stopped(inquiry);
                }
            }
            let Some(came) = inquiry.ask(asked)? else { return self.stopped(inquiry) };
            let then = self.requests.answer_came(asked);
            differences.count(asked.turn, &then, &came);
            // What ends it is told in any case.
            if !hidden || inquiry.next_request().is_none() {
                self.tell_overheard(&mut inquiry)?;
                self.tell_answer(asked, &then, &came)?;
            }
            if self.arguments.turn == Some(asked.turn) {
                differences.only(asked.turn);
                break;
            }
        }
        if let Some(turn) = self.arguments.turn.filter(|turn| differences.last.is_none_or(|last| last < *turn)) {
            self.paper.line(&format!("turn {turn} was not reached"))?;
        }
        let left = self.requests.all().iter().filter(|asked| differences.last.is_none_or(|last| asked.turn > last));
        let left = if self.arguments.turn.is_some() { 0 } else { left.count() };
        if self.in_terminal {
            self.paper.line("nothing more is asked: quit the debugger to end")?;
        }
        self.sight.visible.store(true, Ordering::Relaxed);
        let stop = if self.in_terminal { LOOKING } else { self.requests.stop_time() };
        let farewell = inquiry.finish(stop)?;
        if let Some(hint) = &farewell.hint {
            self.paper.line(&format!("  {}", harmless(hint)))?;
        }
        self.tell_whole(&differences, left)?;
        Ok(self.signals.status().unwrap_or(if differences.turns.is_empty() { DONE } else { FOUND_WRONG }))
    }

    /// Ctrl-C, or the like.
    fn stopped(self, inquiry: Inquiry<'_>) -> Result<u8, Failure> {
        inquiry.finish(Duration::ZERO)?;
        Ok(self.signals.status().unwrap_or(FOUND_WRONG))
    }

    fn tell_start(&mut self, came: &Came, differences: &mut Differences) -> Result<(), Failure> {
        let then = self.requests.start_came();
        if *came == Came::Ready && then == Came::Ready {
            return Ok(());
        }
        if then.differs_from(came) {
            differences.at_start = true;
            differences.turns.push(None);
        }
        if self.arguments.json && then.differs_from(came) {
            output::line(&change(self.requests, None, &then, came).to_string())?;
        }
        self.paper.line("start:")?;
        let position = self.requests.last_position();
        self.tell_pair(&*position, &then, came)
    }

    /// The turn that was to be gone to straight: the board, and time to attach a debugger.
    fn at_turn(&mut self, inquiry: &Inquiry<'_>, asked: &Asked, before: &Differences) -> Result<(), Failure> {
        if !before.turns.is_empty() {
            self.paper.line(&format!("note: before that, {}", before.text()))?;
        }
        self.paper.line(&format!("before turn {}:", asked.turn))?;
        self.board(asked)?;
        if self.in_terminal {
            self.paper.line("the debugger stops the bot here; let it go on, and it reads the request")?;
            inquiry.break_in();
        } else if io::stdin().is_terminal() {
            if let Some(limit) = asked.limit.filter(|_| self.limits) {
                let ms = millis(limit);
                self.paper.line(&format!("it has {ms} ms then: --no-limits lifts that"))?;
            }
            let pid = inquiry.pid().map_or("its process has ended".to_string(), |pid| format!("process {pid}"));
            self.paper
                .put(&format!("it waits before turn {} ({pid}): attach a debugger, then press Enter ", asked.turn))?;
            self.wait_for_enter()?;
        }
        Ok(())
    }

    fn wait_for_enter(&mut self) -> Result<(), Failure> {
        let (stdin, interrupt) = (io::stdin(), self.signals.interrupt());
        while !interrupt.raised() {
            let keys = PollFd::new(stdin.as_fd(), PollFlags::POLLIN);
            wait(&mut [keys, PollFd::new(interrupt.descriptor(), PollFlags::POLLIN)], None)?;
            if !interrupt.raised() {
                // A terminal gives whole lines.
                stdin.read_line(&mut String::new())?;
                return Ok(());
            }
        }
        self.paper.line("")?;
        Ok(())
    }

    fn tell_overheard(&mut self, inquiry: &mut Inquiry<'_>) -> Result<(), Failure> {
        let heard = inquiry.heard();
        if self.arguments.messages {
            // Every line is shown already.
            return Ok(());
        }
        for heard in heard.iter().take(OVERHEARD_SHOWN) {
            let what = match heard.kind {
                OverheardKind::Stray => "on stdout, no answer",
                OverheardKind::Stale => "on stdout, answers nothing that was asked",
            };
            for line in self.teller.quoted(heard.seat, what, &heard.text) {
                self.paper.line(&line)?;
            }
        }
        if heard.len() > OVERHEARD_SHOWN {
            self.paper.line(&format!("  … and {} more lines on stdout", heard.len() - OVERHEARD_SHOWN))?;
        }
        Ok(())
    }

    fn tell_answer(&mut self, asked: &Asked, then: &Came, now: &Came) -> Result<(), Failure> {
        let (turn, seat) = (asked.turn, self.requests.seat());
        let position = self.requests.position(asked);
        let who = self.teller.who(seat);
        if !then.differs_from(now) && *then != Came::Nothing {
            let text = text(&*position, now);
            self.paper.line(&format!("turn {turn}  {who}: {text}, as then"))?;
            if let Came::Fault { .. } = now {
                self.faulty = true;
                self.tell_fault(seat, now, &self.sight.log())?;
            }
            return Ok(());
        }
        if self.arguments.json && then.differs_from(now) {
            output::line(&change(self.requests, Some(turn), then, now).to_string())?;
        }
        let word = if *then == Came::Nothing { "the last request" } else { "DIFFERS" };
        self.paper.line(&format!("turn {turn}  {who}: {word}"))?;
        if self.boards == 0 {
            self.board(asked)?;
        }
        self.tell_pair(&*position, then, now)
    }

    fn tell_pair(&mut self, position: &dyn AnyPosition, then: &Came, now: &Came) -> Result<(), Failure> {
        let seat = self.requests.seat();
        for (when, came, log) in [("then", then, String::new()), ("now", now, self.sight.log())] {
            self.paper.line(&format!("  {when}: {}", text(position, came)))?;
            self.tell_fault(seat, came, &log)?;
        }
        self.faulty |= matches!(now, Came::Fault { .. });
        Ok(())
    }

    /// What is known of a fault, but for the end of the bot's stderr where that stands above in `log`.
    fn tell_fault(&mut self, seat: Seat, came: &Came, log: &str) -> Result<(), Failure> {
        let Came::Fault { fault, .. } = came else { return Ok(()) };
        let detail = detail_beside(&fault.detail, log).to_string();
        let fault = &Fault { detail, line: fault.line.clone(), ..*fault };
        // The first line names the fault, which was done.
        for line in self.teller.fault(seat, fault).iter().skip(1) {
            self.paper.line(line)?;
        }
        Ok(())
    }

    fn board(&mut self, asked: &Asked) -> Result<(), Failure> {
        self.boards += 1;
        let board = board_text(&self.requests.position(asked).scene(), self.paper.colour);
        Ok(self.paper.put(&(board.trim_end_matches('\n').to_string() + "\n"))?)
    }

    fn tell_whole(&mut self, differences: &Differences, left: usize) -> Result<(), Failure> {
        if left > 0 {
            let requests = if left == 1 { "request was" } else { "requests were" };
            self.paper.line(&format!("{left} further {requests} not asked: the bot cannot go on"))?;
        }
        if self.faulty {
            let transcript = self.requests.transcript();
            // Against a person, or the arena's own player in a check, no command can play it.
            let programs = transcript.header.players.iter().all(|player| !player.command.is_empty());
            let again = programs.then(|| again_command(transcript, &own::arena()));
            for (label, command) in Forfeit::commands_of(again, Some(own::same_command())) {
                self.paper.line(&format!("{label}: {command}"))?;
            }
        }
        self.paper.line(&differences.text())?;
        if self.arguments.json {
            let (asked, changed) = (differences.asked, differences.turns.len());
            let id = &self.requests.header().id;
            output::line(&json!({"type": "summary", "match": id, "asked": asked, "changed": changed}).to_string())?;
        }
        Ok(())
    }
}

/// Where answers differ.
#[derive(Default)]
pub(super) struct Differences {
    asked: usize,
    last: Option<u32>,
    at_start: bool,
    /// The turns; `None` is the start.
    turns: Vec<Option<u32>>,
    unknown: usize,
}

impl Differences {
    pub(super) fn count(&mut self, turn: u32, then: &Came, now: &Came) {
        self.asked += 1;
        self.last = Some(turn);
        self.unknown += usize::from(*then == Came::Nothing);
        if then.differs_from(now) {
            self.turns.push(Some(turn));
        }
    }

    /// Forgets all but one turn.
    fn only(&mut self, turn: u32) {
        self.turns.retain(|differs| *differs == Some(turn));
        self.unknown = self.unknown.min(1);
        self.asked = 1;
    }

    /// `2 of 14 answers differ: turns 4, 6`.
    fn text(&self) -> String {
        let turns: Vec<String> = self.turns.iter().flatten().map(u32::to_string).collect();
        let answers = |count: usize| if count == 1 { "1 answer".to_string() } else { format!("{count} answers") };
        let mut text = match (turns.len(), self.at_start) {
            (0, true) => "the start differs".to_string(),
            (0, false) => format!("no difference in {}", answers(self.asked)),
            (1, _) => format!("1 of {} differs: turn {}", answers(self.asked), turns[0]),
            (count, _) => format!("{count} of {} differ: turns {}", answers(self.asked), turns.join(", ")),
        };
        if self.unknown > 0 {
            text += "; to the last request the transcript has no answer to compare with";
        }
        text
    }
}

/// What came of a request, for people.
pub(super) fn text(position: &dyn AnyPosition, came: &Came) -> String {
    let one_line = |text: &str| harmless(text).replace('\n', " ");
    match came {
        Came::Ready => "ready".to_string(),
        Came::Move { mv, ignored } if ignored.is_empty() => one_line(&position.move_text(mv)),
        Came::Move { mv, ignored } => {
            let parts: Vec<String> = ignored.iter().map(|(part, _)| part.to_string()).collect();
            format!("{} (ignored: part {})", one_line(&position.move_text(mv)), parts.join(", "))
        }
        Came::Fault { fault, mv: Some(mv) } => {
            format!("{}, {}", fault.reason.as_str(), one_line(&position.move_text(mv)))
        }
        Came::Fault { fault, mv: None } => fault.reason.as_str().to_string(),
        Came::Nothing => "nothing is on record".to_string(),
    }
}

/// A changed answer, for programs; the turn is null for the start.
pub(super) fn change(requests: &Requests<'_>, turn: Option<u32>, then: &Came, now: &Came) -> Value {
    let came = |came: &Came| match came {
        Came::Ready => json!({"ready": true}),
        Came::Move { mv, ignored } => {
            let ignored: Vec<usize> = ignored.iter().map(|(part, _)| *part).collect();
            json!({"move": mv, "ignored": ignored})
        }
        Came::Fault { fault, mv } => json!({"reason": fault.reason.as_str(), "detail": fault.detail, "move": mv}),
        Came::Nothing => Value::Null,
    };
    let seat = requests.seat().index();
    json!({
        "type": "changed", "match": requests.header().id, "turn": turn, "seat": seat, "old": came(then), "new": came(now),
    })
}
