//! What is kept of a bot under trial.

use crate::play::meter::Sent;
use crate::record::{Event, Header, Recorder, Times};
use crate::seat::Seat;
use crate::table::Farewell;
use crate::transport::tree::{Scheduling, own_scheduling, run_times, scheduled_as_started};
use crate::verdict::{Fault, Reason};
use nix::unistd::Pid;
use std::io;

/// What was seen of the bot in a match.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// How long its `ready` took, in microseconds as charged.
    pub ready_us: Option<u64>,
    /// Its moves as they were accepted: the turn, the move as JSON text, and the time as charged.
    pub moves: Vec<(u32, String, u64)>,
    /// Its forced passes.
    pub passes: u32,
    /// Lines on stdout that are no message.
    pub stray: Vec<String>,
    /// Messages that answered nothing.
    pub stale: Vec<String>,
    /// What was warned of.
    pub warnings: Vec<String>,
    /// Bytes of its kept notes.
    pub notes: usize,
    /// Bytes that it wrote on stderr.
    pub stderr: u64,
    /// Parts of its moves that the rules ignored: the turn, and why.
    pub ignored: Vec<(u32, String)>,
    /// What it did wrong, and in which turn; `None` before the first.
    pub fault: Option<(Option<u32>, Fault)>,
    /// The requests for a move; none where the bot stayed after another match.
    pub sent: Sent,
    /// How the bot went.
    pub farewell: Farewell,
    /// Whether it left something unread, though it had offered another match.
    pub unread: bool,
    /// Whether it offered further matches.
    pub offers_reuse: bool,
    /// Whether a thread of it ran with another priority or policy than it was started with; looked at in [`Kind::Rests`](super::Kind::Rests) only.
    pub rescheduled: bool,
    /// For how much of the pauses before each of its answers but the first its threads ran, or were ready to, in microseconds;
    /// looked at in [`Kind::Rests`](super::Kind::Rests) only.
    pub rests_us: Vec<u64>,
}

/// Keeps what the bot under trial does.
pub(super) struct Witness {
    seat: Seat,
    turns: u32,
    /// What the bot was started with, where that is looked at.
    scheduling: Option<Scheduling>,
    /// What its threads had run or been ready to when it last answered.
    wanted_us: Option<u64>,
    seen: Observed,
}

impl Witness {
    /// Of the bot in this seat; whether it keeps its priority, and what it runs in pauses, is looked at in a match that `rests`.
    pub fn new(seat: Seat, rests: bool) -> Witness {
        let scheduling = own_scheduling().filter(|_| rests);
        Witness { seat, turns: 0, scheduling, wanted_us: None, seen: Observed::default() }
    }

    /// What the events told.
    pub fn seen(self) -> Observed {
        self.seen
    }
}

impl Recorder for Witness {
    fn begin(&mut self, _header: &Header) -> io::Result<()> {
        Ok(())
    }

    fn record(&mut self, _ms: u64, event: &Event<'_>) -> io::Result<()> {
        let charged = |times: &Times| times.charged_us();
        if let Event::Move { .. } | Event::Pass { .. } | Event::Replayed { .. } = event {
            self.turns += 1;
        }
        let seen = &mut self.seen;
        match event {
            Event::Ready { seat, times } if *seat == self.seat => seen.ready_us = Some(charged(times)),
            Event::Move { turn, seat, mv, times, note } if *seat == self.seat => {
                seen.moves.push((*turn, (*mv).to_string(), charged(times)));
                seen.notes += note.map_or(0, str::len);
                // Nobody else has been started by this process meanwhile.
                if let Some(start) = self.scheduling {
                    seen.rescheduled |= !scheduled_as_started(Pid::this(), start);
                    let wanted: u64 = run_times(Pid::this()).values().map(|times| times.ran + times.waited).sum();
                    let before = self.wanted_us.replace(wanted / 1000);
                    // Start-up and answers may take several cores.
                    let rest = before.map(|before| (wanted / 1000).saturating_sub(before + 2 * times.took_us));
                    seen.rests_us.extend(rest);
                }
            }
            Event::Pass { seat, .. } if *seat == self.seat => seen.passes += 1,
            Event::Stray { seat, text } if *seat == self.seat => seen.stray.push((*text).to_string()),
            Event::Stale { seat, text } if *seat == self.seat => seen.stale.push((*text).to_string()),
            Event::Warning { seat, text } if *seat == self.seat => seen.warnings.push((*text).to_string()),
            Event::Stderr { seat, text, cut, .. } if *seat == self.seat => {
                seen.stderr += text.len() as u64 + cut.unwrap_or(0);
            }
            Event::Invalid { turn, seat, why, .. } if *seat == self.seat => {
                seen.ignored.push((*turn, (*why).to_string()));
            }
            Event::Fault { seat, fault, .. } if *seat == self.seat => {
                let turn = (fault.reason != Reason::NoStart).then_some(self.turns);
                seen.fault = Some((turn, (*fault).clone()));
            }
            _ => {}
        }
        Ok(())
    }
}
