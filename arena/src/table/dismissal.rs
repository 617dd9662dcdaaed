//! The orderly end: both players are told, given time to go, and whatever is left of them is killed.

use super::{Heard, Table};
use crate::game::AnyPosition;
use crate::protocol::words::was_begun;
use crate::protocol::{Expect, Since, shown};
use crate::seat::{BySeat, Seat};
use crate::transport::{Ended, ProcessState, Usage};
use crate::verdict::Verdict;
use std::io;
use std::time::{Duration, Instant};

/// How long players may take to go once the arena is to stop.
pub const HURRIED_STOP: Duration = Duration::from_millis(500);

/// How long a keeper may take to kill and reap what it watches over.
pub(super) const KILL_WAIT: Duration = Duration::from_secs(2);

/// An answer that follows the closing of stdin so soon was most likely waiting in a buffer.
const BUFFERED: Duration = Duration::from_millis(250);

/// How a player went.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Farewell {
    /// How its process ended, where it had one and it has ended.
    pub ended: Option<Ended>,
    /// What it used in all.
    pub usage: Usage,
    /// How long it had been waited for when it had to be killed, because it did not end by itself in time.
    pub killed_after: Option<Duration>,
    /// What its author should know of a fault that came to light only now.
    pub hint: Option<String>,
    /// Whether it stays seated, for another match.
    pub stays: bool,
}

impl Table {
    /// Ends the match for both players, in this position. Those that `stay` are told and kept; of the others nothing is left afterwards.
    /// `missing` is the answer that was awaited in vain: whether it comes out when stdin is closed tells why.
    pub fn dismiss(
        &mut self,
        verdict: &Verdict,
        position: &dyn AnyPosition,
        since: BySeat<&Since>,
        stop: Duration,
        stay: BySeat<bool>,
        missing: Option<(Seat, Expect<'_>)>,
    ) -> io::Result<BySeat<Farewell>> {
        let mut farewells: BySeat<Farewell> = BySeat::default();
        // A bot that is still computing is not waiting for its buffer to be emptied.
        let computing = missing
            .and_then(|(seat, _)| self.chairs[seat].channel.process_state())
            .is_some_and(|state| state == ProcessState::Running);
        for seat in Seat::BOTH {
            let mut line = Vec::new();
            let chair = &mut self.chairs[seat];
            chair.dialect.farewell(verdict, position, since[seat], &mut line);
            chair.channel.freeze(false);
            chair.send(&line, None)?;
            farewells[seat].stays = stay[seat];
            if !stay[seat] {
                chair.channel.close_input();
            }
        }
        let closed = Instant::now();
        let mut deadline = closed + stop;
        let mut hurried = false;
        while let Some(waiting) = self.still_here(&farewells) {
            let now = Instant::now();
            if !hurried && self.interrupt.raised() {
                hurried = true;
                deadline = deadline.min(now + HURRIED_STOP);
            }
            if now >= deadline + KILL_WAIT {
                // What does not even let itself be killed is ended when its chair is cleared.
                break;
            }
            for seat in waiting {
                let chair = &mut self.chairs[seat];
                let main_process_ended = chair.channel.ended().is_some();
                // A player without a process leaves nothing behind, and may hang up when it likes.
                if now >= deadline && !main_process_ended && chair.channel.process_state().is_some() {
                    farewells[seat].killed_after.get_or_insert(deadline - closed);
                }
                // Whoever floods gets no grace, and is not listened to any more.
                let floods = chair.channel.inbox().flood().is_some();
                if floods {
                    chair.channel.inbox().discard();
                }
                if now >= deadline || main_process_ended || floods {
                    chair.channel.kill();
                }
            }
            if self.still_here(&farewells).is_none() {
                break;
            }
            let next = if now < deadline { deadline } else { deadline + KILL_WAIT };
            let ready = self.poll(None, Some(next.saturating_duration_since(now)), !hurried)?;
            for seat in Seat::BOTH {
                let awaited = missing
                    .as_ref()
                    .filter(|(at_fault, _)| *at_fault == seat)
                    .map_or(Expect::Nothing, |(_, awaited)| *awaited);
                while let Some(heard) = self.listen(seat, &ready[seat], &awaited)? {
                    let whole = matches!(heard.what, Heard::Move { .. } | Heard::Ready { .. });
                    // One whose beginning had come waited for its newline, not for a flush.
                    if whole && !was_begun(&heard.line) && farewells[seat].hint.is_none() {
                        let line = self.chairs[seat].dialect.as_written(&heard.line, Some(position));
                        farewells[seat].hint = Some(late_hint(heard.at - closed, computing, &line));
                    }
                }
            }
        }
        for seat in Seat::BOTH {
            let chair = &mut self.chairs[seat];
            if !stay[seat] {
                // Its last words are still in the pipe.
                chair.drain_log();
                farewells[seat].ended = chair.channel.ended();
                farewells[seat].usage = chair.channel.usage();
            }
        }
        Ok(farewells)
    }

    fn still_here(&self, farewells: &BySeat<Farewell>) -> Option<Vec<Seat>> {
        let here: Vec<Seat> = Seat::BOTH
            .into_iter()
            .filter(|seat| !farewells[*seat].stays && !self.chairs[*seat].channel.gone())
            .collect();
        (!here.is_empty()).then_some(here)
    }
}

fn late_hint(after: Duration, computing: bool, line: &[u8]) -> String {
    let line = shown(line, 200);
    if computing {
        format!("its answer came {} ms later: {line}: it was still computing", after.as_millis())
    } else if after <= BUFFERED {
        format!(
            "as soon as its stdin was closed, a full answer came out of it: {line}: most likely it does not flush its output after every line"
        )
    } else {
        format!("an answer came {} ms after its stdin was closed: {line}", after.as_millis())
    }
}
