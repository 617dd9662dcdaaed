//! A match as it is watched in the terminal: the board after every turn, what goes wrong, and how it ends. It reads
//! events like everybody else, and plays the moves on a position of its own.

use super::output::{Paper, harmless};
use crate::game::AnyPosition;
use crate::record::{Closing, Event, Header, Recorder};
use crate::report::board_text;
use crate::seat::Seat;
use crate::verdict::{Fault, Reason};
use std::io;

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// The board after every turn.
    Boards,
    /// What goes wrong, and the end.
    EndOnly,
}

/// Shows a match on paper.
pub(super) struct Screen<'a> {
    paper: &'a mut Paper,
    detail: Detail,
    position: Box<dyn AnyPosition>,
    names: [String; 2],
    /// Whether each board is drawn over the one before.
    in_place: bool,
    /// Lines of the board that stands there, to be drawn over.
    drawn: usize,
}

impl<'a> Screen<'a> {
    /// Shows a match that begins from `position`. `in_place`: boards are drawn over each other, where that can be done.
    pub fn new(paper: &'a mut Paper, detail: Detail, position: Box<dyn AnyPosition>, in_place: bool) -> Screen<'a> {
        let in_place = in_place && paper.terminal;
        Screen { paper, detail, position, names: Default::default(), in_place, drawn: 0 }
    }

    fn board(&mut self, heading: &str) -> io::Result<()> {
        if self.detail == Detail::EndOnly {
            return Ok(());
        }
        let text = format!("{heading}\n{}\n", board_text(&self.position.scene(), self.paper.colour));
        if self.in_place && self.drawn > 0 {
            // Up to where the last board began, and clear from there.
            self.paper.put(&format!("\x1b[{}F\x1b[J", self.drawn))?;
        }
        self.drawn = text.matches('\n').count();
        self.paper.put(&text)
    }

    /// Writes a line that stays, below the board.
    fn aside(&mut self, text: &str) -> io::Result<()> {
        self.drawn = 0;
        self.paper.line(text)
    }

    fn who(&self, seat: Seat) -> String {
        format!("{} (seat {seat})", self.names[seat.index()])
    }

    fn fault(&mut self, seat: Seat, fault: &Fault) -> io::Result<()> {
        let who = self.who(seat);
        self.aside(&format!("{who} forfeits: {}", fault.reason.as_str()))?;
        for line in harmless(&fault.detail).lines() {
            self.paper.line(&format!("    {line}"))?;
        }
        Ok(())
    }

    fn end(&mut self, closing: &Closing) -> io::Result<()> {
        let verdict = &closing.verdict;
        let [a, b] = verdict.scores;
        let by_rules = matches!(verdict.reason, Reason::Finished | Reason::TurnLimit);
        let outcome = match verdict.winner {
            Some(seat) => format!("{} wins {a}–{b}", self.who(seat)),
            None if by_rules => format!("draw {a}–{b}"),
            None => "void: the match counts for nothing".to_string(),
        };
        let detail = verdict.detail.as_ref().filter(|_| by_rules || verdict.winner.is_none());
        let detail = detail.map(|detail| format!("; {}", harmless(detail))).unwrap_or_default();
        self.aside(&format!("{outcome} ({}{detail}) after {} turns", verdict.reason.as_str(), closing.turns))?;
        let seconds = |us: u64| format!("{:.3} s", us as f64 / 1e6);
        for seat in Seat::BOTH {
            let place = seat.index();
            let total = closing.total_us[place];
            self.paper.line(&format!(
                "  {}: thought {} in all, {} at most",
                self.who(seat),
                seconds(total),
                seconds(closing.max_us[place])
            ))?;
        }
        Ok(())
    }
}

impl Recorder for Screen<'_> {
    fn begin(&mut self, header: &Header) -> io::Result<()> {
        self.names = header.players.each_ref().map(|player| harmless(&player.name));
        let params: Vec<String> = header.params.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let [first, second] = &self.names;
        let heading =
            format!("{} ({}): {first} against {second}, seed {}", header.game, params.join(", "), header.seed);
        self.aside(&heading)?;
        self.board("the start")
    }

    fn record(&mut self, _ms: u64, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Move { turn, seat, mv, times, .. } => {
                let mv = serde_json::from_str(mv)?;
                let text = self.position.move_text(&mv);
                // The same move was accepted by the referee a moment ago.
                let _ = self.position.play(&mv);
                let heading =
                    format!("turn {turn}  {}: {text}  ({:.1} ms)", self.who(*seat), times.took_us as f64 / 1e3);
                self.board(&heading)
            }
            Event::Pass { turn, seat } => {
                self.position.pass();
                let heading = format!("turn {turn}  {} has no move and passes", self.who(*seat));
                self.board(&heading)
            }
            Event::Invalid { seat, part, why, .. } if self.detail == Detail::Boards => {
                let text = format!("{}: part {part} of the move was ignored: {why}", self.who(*seat));
                self.aside(&text)
            }
            Event::Warning { seat, text } => {
                let text = format!("note: {} {}", self.who(*seat), harmless(text));
                self.aside(&text)
            }
            Event::Fault { seat, fault, .. } => self.fault(*seat, fault),
            Event::Result(closing) => self.end(closing),
            _ => Ok(()),
        }
    }
}
