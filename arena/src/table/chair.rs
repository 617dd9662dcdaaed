//! One player at the table: its channel, its dialect, and what was heard of it beside its answers.

use super::dismissal::KILL_WAIT;
use super::faults::Cause;
use super::log::Log;
use super::{Dialect, Heard, Spoken};
use crate::game::AnyPosition;
use crate::protocol::{Expect, shown};
use crate::seat::Seat;
use crate::transport::{Channel, EVERYTHING, Readiness, tree, wait};
use nix::poll::PollFd;
use nix::unistd::Pid;
use std::io;
use std::time::{Duration, Instant};

/// How much of one line is kept that is no answer, in characters.
const LINE_SHOWN: usize = 2000;

/// How much of a seat's such lines is kept of one match, in bytes; beyond it they are only counted.
const KEPT: usize = 256 * 1024;

/// How long a piece of a line is alone in the pipe, so that a reader sees it alone.
const BETWEEN_PIECES: Duration = Duration::from_millis(3);

/// Something that a player said beside its answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Overheard {
    /// Who said it.
    pub seat: Seat,
    /// What it is.
    pub kind: OverheardKind,
    /// The line, made valid UTF-8 and cut where it is long.
    pub text: String,
    /// When it was read.
    pub at: Instant,
}

/// What an overheard line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverheardKind {
    /// Text that is no message.
    Stray,
    /// A message that answers nothing that was open.
    Stale,
}

/// Who is told of all that passes between the arena and a player, as it passes.
pub trait Watcher: Send {
    /// A line that is sent, its newline with it.
    fn sent(&mut self, line: &[u8]);

    /// The line of words that the wrapper makes of it for its bot.
    fn sent_on(&mut self, words: &str);

    /// A line that came on stdout, without its newline.
    fn said(&mut self, line: &[u8]);

    /// Bytes that came on stderr.
    fn logged(&mut self, bytes: &[u8]);
}

/// One player at the table.
pub struct Chair {
    pub(super) channel: Box<dyn Channel>,
    pub(super) dialect: Box<dyn Dialect>,
    /// Whether it said so in this match.
    pub(super) ready: bool,
    /// Whether it can play further matches.
    pub(super) reuse: bool,
    pub(super) log: Log,
    watcher: Option<Box<dyn Watcher>>,
    /// Whether lines are sent in pieces.
    in_pieces: bool,
    pub(super) last_no_answer: Option<String>,
    pub(super) dropped_lines: u64,
    matches: u32,
    kept: usize,
    /// Whether something was read that nobody has looked at: what came before the first match begins.
    unheard: bool,
}

impl Chair {
    /// Seats a player.
    pub fn new(channel: Box<dyn Channel>, dialect: Box<dyn Dialect>) -> Chair {
        Chair {
            channel,
            dialect,
            ready: false,
            reuse: false,
            log: Log::default(),
            watcher: None,
            in_pieces: false,
            last_no_answer: None,
            dropped_lines: 0,
            matches: 0,
            kept: 0,
            unheard: false,
        }
    }

    /// The same, with somebody who is told of all that passes.
    pub fn watched_by(self, watcher: Box<dyn Watcher>) -> Chair {
        Chair { watcher: Some(watcher), ..self }
    }

    /// The same, with lines that are sent in pieces, as a slow or full pipe brings them.
    pub fn in_pieces(self) -> Chair {
        Chair { in_pieces: true, ..self }
    }

    /// Sends a line, which asks for a move where there is a position.
    pub(super) fn send(&mut self, line: &[u8], position: Option<&dyn AnyPosition>) -> io::Result<()> {
        // To a bot in words the end of its input tells all.
        if line.is_empty() {
            return Ok(());
        }
        if let Some(watcher) = &mut self.watcher {
            watcher.sent(line);
            if self.dialect.is_wrapper()
                && let Some(words) = self.dialect.asked_in_words(position)
            {
                watcher.sent_on(&words);
            }
        }
        if self.in_pieces && line.len() > 3 {
            let (head, end) = line.split_at(line.len() - 1);
            let (first, second) = head.split_at(head.len() / 2);
            for piece in [first, second] {
                self.channel.send(piece)?;
                std::thread::sleep(BETWEEN_PIECES);
            }
            return self.channel.send(end);
        }
        self.channel.send(line)
    }

    /// Has the debugger that the player runs under stop it where it is.
    pub fn break_in(&self) {
        self.channel.break_in();
    }

    /// The word for where the player's waiting time is read from.
    pub fn gauge_source(&self) -> &'static str {
        self.channel.gauge_source()
    }

    /// The player's process, where it has one: of a bot in words its own, not the wrapper's.
    pub fn pid(&self) -> Option<i32> {
        let process = self.channel.pid()?;
        let own = || tree::children(Pid::from_raw(process)).first().map(|pid| pid.as_raw());
        Some(self.dialect.is_wrapper().then(own).flatten().unwrap_or(process))
    }

    /// Whether the player got as far as its `ready` in this match.
    pub fn is_ready(&self) -> bool {
        self.ready
    }

    /// Lines that were heard beside answers in this match and not kept, because there were too many.
    pub fn dropped_lines(&self) -> u64 {
        self.dropped_lines
    }

    /// Whether the player said that its process can play further matches.
    pub fn can_stay(&self) -> bool {
        self.reuse && self.ready
    }

    /// Whether the player can be given another match: it said so, it is there, and it has left nothing unread.
    pub fn can_play_again(&mut self) -> bool {
        if !self.can_stay() {
            return false;
        }
        let pumped = self.channel.pump(&EVERYTHING);
        self.keep_log();
        if pumped.is_err() || self.channel.ended().is_some() || self.channel.gone() {
            return false;
        }
        let inbox = self.channel.inbox();
        !inbox.closed() && inbox.partial().is_empty()
    }

    /// Forgets the match before. True when there was one.
    pub(super) fn begin_match(&mut self) -> bool {
        self.matches += 1;
        self.ready = false;
        self.last_no_answer = None;
        self.dropped_lines = 0;
        self.kept = 0;
        if self.matches > 1 {
            self.log.forget();
        }
        self.matches > 1
    }

    /// Ends a player that stays for no further match: its stdin is closed, it has `stop` to go, then it is killed.
    pub fn send_away(mut self, stop: Duration) -> io::Result<()> {
        self.channel.close_input();
        let deadline = Instant::now() + stop;
        while !self.channel.gone() {
            let now = Instant::now();
            if now >= deadline + KILL_WAIT {
                // What does not even let itself be killed is ended when this is dropped.
                break;
            }
            if now >= deadline || self.channel.ended().is_some() {
                self.channel.kill();
            }
            let next = if now < deadline { deadline } else { deadline + KILL_WAIT };
            let interests = self.channel.interests();
            let mut waiting: Vec<PollFd<'_>> =
                interests.iter().flatten().map(|(descriptor, events)| PollFd::new(*descriptor, *events)).collect();
            wait(&mut waiting, Some(next - now))?;
            self.channel.pump(&EVERYTHING)?;
            self.channel.take_log();
            self.channel.inbox().discard();
        }
        Ok(())
    }

    /// Whether this is its process's first match, and it has not been told of it yet.
    pub(super) fn is_new(&self) -> bool {
        self.matches == 0
    }

    /// Reads what is still in the pipe of its log: the last lines of a bot that fell over tell why.
    pub(super) fn drain_log(&mut self) {
        // Bounded: a helper that has inherited the pipe may write for ever.
        for _ in 0..64 {
            // A failure here is met again where it matters.
            let _ = self.channel.pump(&EVERYTHING);
            if !self.keep_log() {
                return;
            }
        }
    }

    /// Takes what came on stderr. False when nothing did.
    fn keep_log(&mut self) -> bool {
        let log = self.channel.take_log();
        if log.is_empty() {
            return false;
        }
        if let Some(watcher) = &mut self.watcher {
            watcher.logged(&log);
        }
        self.log.add(&log);
        true
    }

    /// What is already known against a player that is about to be asked.
    pub(super) fn fault_before_request(&mut self) -> Option<Cause> {
        if let Some(flood) = self.channel.inbox().flood() {
            return Some(Cause::Flood(flood));
        }
        self.end_cause()
    }

    /// How the player has ended, if it has. One that closed its output alone is still waited for.
    pub(super) fn end_cause(&self) -> Option<Cause> {
        if let Some(ended) = self.channel.ended() {
            return Some(Cause::Ended(ended));
        }
        self.channel.lost().map(|how| Cause::Lost(how.to_string()))
    }

    /// Whether it has left a line on which it had to stay.
    pub(super) fn has_left(&mut self) -> bool {
        self.channel.must_stay() && self.channel.inbox().closed()
    }

    /// Takes what there is to hear, up to the first line that ends a wait.
    pub(super) fn listen(
        &mut self,
        seat: Seat,
        ready: &Readiness,
        awaited: &Expect<'_>,
        overheard: &mut Vec<Overheard>,
    ) -> io::Result<Option<Spoken>> {
        let nothing_new = ready.iter().all(|flags| flags.is_empty());
        if nothing_new && !self.unheard {
            return Ok(None);
        }
        self.channel.pump(ready)?;
        self.keep_log();
        // While its rival is being started, a new process may be ready already: that is heard when its own turn comes.
        self.unheard = self.is_new();
        if self.unheard {
            return Ok(None);
        }
        let mut read_at = None;
        loop {
            let Some((line, first)) = self.channel.inbox().next_line() else { return Ok(None) };
            let at = *read_at.get_or_insert_with(Instant::now);
            if let Some(watcher) = &mut self.watcher {
                watcher.said(line);
            }
            let what = self.dialect.hear(line, first, awaited);
            let kind = match what {
                Heard::Blank => continue,
                Heard::Stray => OverheardKind::Stray,
                Heard::Stale => OverheardKind::Stale,
                Heard::Reply(text) => {
                    self.channel.send(text.as_bytes())?;
                    continue;
                }
                what => {
                    let line = line.to_vec();
                    return Ok(Some(Spoken { what, line, at }));
                }
            };
            let text = shown(line, LINE_SHOWN);
            self.last_no_answer = Some(text.clone());
            if self.kept + text.len() > KEPT {
                self.dropped_lines += 1;
                continue;
            }
            self.kept += text.len();
            overheard.push(Overheard { seat, kind, text, at });
        }
    }
}
