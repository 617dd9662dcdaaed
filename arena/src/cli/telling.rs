//! What is said of a match in words: who plays, what was played, what went wrong, how it ended. The same words whether a
//! match is watched or shown again. Everything that comes from bots is made harmless here; where the words go is not known.

use super::output::harmless;
use crate::game::AnyPosition;
use crate::play::Forfeit;
use crate::record::{ClockRecord, GoesOn, Header, RecordedKind, Times};
use crate::seat::{Seat, with_names};
use crate::verdict::{Fault, Reason, Verdict, detail_beside};
use serde_json::Value;

/// Of what a bot wrote on stderr in one turn, so many lines are shown; the transcript has the rest.
const LOG_LINES: usize = 40;

/// Tells of one match.
#[derive(Default)]
pub(super) struct Teller {
    names: [String; 2],
    colour: bool,
    /// Whether what a bot wrote on stderr in one turn is told whole.
    whole: bool,
}

impl Teller {
    /// Tells of the match with this header; with `colour`, seats have the signs of coloured boards.
    pub fn new(header: &Header, colour: bool) -> Teller {
        Teller { names: header.players.each_ref().map(|player| one_line(&player.name)), colour, whole: false }
    }

    /// The same, telling everything that a bot said.
    pub fn at_length(self) -> Teller {
        Teller { whole: true, ..self }
    }

    /// A player's name.
    pub fn name(&self, seat: Seat) -> &str {
        &self.names[seat.index()]
    }

    /// A player's sign on the board.
    pub fn sign(&self, seat: Seat) -> char {
        match (self.colour, seat) {
            (true, Seat::First) => '●',
            (true, Seat::Second) => '○',
            (false, Seat::First) => 'X',
            (false, Seat::Second) => 'O',
        }
    }

    /// A player's name with its sign on the board.
    pub fn who(&self, seat: Seat) -> String {
        format!("{} {}", self.sign(seat), self.name(seat))
    }

    /// Words of the rules, which know seats only, with the players' names.
    pub fn named(&self, text: &str) -> String {
        let [first, second] = &self.names;
        with_names(text, [first, second])
    }

    /// A move in short.
    pub fn short(text: &str) -> String {
        one_line(text)
    }

    /// The game and who plays it.
    pub fn heading(&self, header: &Header) -> String {
        let params: Vec<String> = header.params.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let [first, second] = Seat::BOTH.map(|seat| self.who(seat));
        format!(
            "{} ({}): {first} (moves first) against {second}, seed {}",
            one_line(&header.game),
            one_line(&params.join(", ")),
            header.seed
        )
    }

    /// From where a match goes on that does not begin at its start.
    pub fn goes_on(&self, from: &GoesOn) -> String {
        format!("goes on from turn {} of match {}", from.turn, one_line(&from.id))
    }

    /// A move that was accepted.
    pub fn played(&self, turn: u32, seat: Seat, text: &str, times: &Times) -> String {
        format!("turn {turn}  {}: {}  ({})", self.who(seat), one_line(text), spent(times))
    }

    /// A turn that was skipped.
    pub fn passed(&self, turn: u32, seat: Seat) -> String {
        format!("turn {turn}  {}: no legal move, passes", self.who(seat))
    }

    /// A turn of the match from which this one goes on; without a text it was skipped.
    pub fn replayed(&self, turn: u32, seat: Seat, text: Option<&str>) -> String {
        match text {
            Some(text) => format!("turn {turn}  {}: {}  (replayed)", self.who(seat), one_line(text)),
            None => self.passed(turn, seat),
        }
    }

    /// A part of a move that the rules ignored; parts count from 0.
    pub fn ignored(&self, seat: Seat, part: usize, why: &str) -> String {
        format!("{}: part {part} of the move was ignored: {}", self.name(seat), self.named(&one_line(why)))
    }

    /// What went wrong: who and what, then everything that is known of it.
    pub fn fault(&self, seat: Seat, fault: &Fault) -> Vec<String> {
        let mut lines = vec![format!("FAULT: {} forfeits: {}", self.who(seat), fault.reason.as_str())];
        // What else is told of may quote the bot, whose words stay as they are.
        let detail = harmless(&fault.detail);
        lines.extend(indented(&if fault.reason == Reason::Illegal { self.named(&detail) } else { detail }));
        let parts = Forfeit::of(fault).explained();
        lines.extend(parts.iter().flat_map(|(label, text)| labelled("    ", label, text)));
        lines
    }

    /// Who won, with each score under its name, and why.
    pub fn outcome(&self, verdict: &Verdict, turns: u32) -> Vec<String> {
        let [a, b] = verdict.scores;
        let [first, second] = &self.names;
        let scores = format!("{first} {a}, {second} {b}");
        let reason = verdict.reason.as_str();
        let after = after(turns as usize);
        let by_rules = verdict.reason.is_by_rules();
        let outcome = match (verdict.winner, verdict.at_fault) {
            (Some(winner), Some(loser)) if !by_rules => {
                format!(
                    "{} wins, because {} forfeits ({reason}, {after}): {scores}",
                    self.name(winner),
                    self.name(loser)
                )
            }
            (Some(winner), _) => format!("{} wins: {scores} ({reason}, {after})", self.name(winner)),
            (None, _) if by_rules => format!("draw: {scores} ({reason}, {after})"),
            (None, _) => format!("void: the match counts for nothing ({reason}, {after})"),
        };
        // A forfeit's detail stands with its fault.
        let detail = verdict.detail.as_deref().filter(|_| by_rules || verdict.winner.is_none());
        let detail = detail.map(|detail| format!("  {}", self.named(&one_line(detail))));
        let ignored = verdict.invalid.filter(|counts| counts != &[0, 0]);
        let ignored = ignored.map(|[a, b]| format!("  parts of moves that were ignored: {first} {a}, {second} {b}"));
        std::iter::once(outcome).chain(detail).chain(ignored).collect()
    }

    /// What each seat's thinking took, as charged, in microseconds.
    pub fn thinking(&self, total_us: [u64; 2], max_us: [u64; 2]) -> Vec<String> {
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let line = |seat: Seat| {
            let (total, max) = (time(total_us[seat.index()]), time(max_us[seat.index()]));
            format!("  {:<width$}  thought {total} in all, {max} at most", self.name(seat))
        };
        Seat::BOTH.map(line).into()
    }

    /// What a line of a transcript tells beside turns; `before` is the position in which it happened, `stderr` what the
    /// seat wrote on stderr in that turn.
    pub fn aside(&self, kind: &RecordedKind, before: &dyn AnyPosition, stderr: &str) -> Vec<String> {
        match kind {
            RecordedKind::Invalid { seat, part, why, .. } => vec![format!("  {}", self.ignored(*seat, *part, why))],
            RecordedKind::Stray { seat, text } => self.quoted(*seat, "on stdout, no answer", text),
            RecordedKind::Stale { seat, text } => self.quoted(*seat, "on stdout, answers nothing that was asked", text),
            RecordedKind::Stderr { seat, text, cut } => {
                let cut = cut.map(|bytes| format!(" ({bytes} bytes before this are missing)")).unwrap_or_default();
                self.quoted(*seat, &format!("stderr{cut}"), text)
            }
            RecordedKind::Fault { seat, reason, detail, line, mv } => {
                let is_shown = self.whole || stderr.lines().count() <= LOG_LINES;
                let detail = if is_shown { detail_beside(detail, stderr) } else { detail };
                let fault = Fault { reason: *reason, detail: detail.to_string(), line: line.clone() };
                let mut lines = self.fault(*seat, &fault);
                if let Some(mv) = mv {
                    lines.push(format!("    the move that was refused: {}", one_line(&before.move_text(mv))));
                }
                lines
            }
            RecordedKind::Ready { .. }
            | RecordedKind::Move { .. }
            | RecordedKind::Pass { .. }
            | RecordedKind::Replayed { .. }
            | RecordedKind::Other => Vec::new(),
        }
    }

    /// A bot's own text, under whose it is and where it stood.
    pub fn quoted(&self, seat: Seat, what: &str, text: &str) -> Vec<String> {
        let text = indented(text);
        let most = if self.whole { usize::MAX } else { LOG_LINES };
        let more = text.len().saturating_sub(most);
        let mut lines = vec![format!("  {} {what}:", self.name(seat))];
        lines.extend(text.into_iter().take(most));
        if more > 0 {
            lines.push(format!("    … and {more} more lines, which the transcript has"));
        }
        lines
    }
}

/// `after 1 turn`, `after 12 turns`.
pub(super) fn after(turns: usize) -> String {
    format!("after {turns} turn{}", if turns == 1 { "" } else { "s" })
}

/// A note as people read it: text as text, anything else as JSON.
pub(super) fn note_text(note: &Value) -> String {
    note.as_str().map_or_else(|| note.to_string(), str::to_string)
}

/// The limits of a match in a line.
pub(super) fn clock_text(clock: &ClockRecord) -> String {
    let limit = |ms: Option<u64>| ms.map_or_else(|| "none".to_string(), |ms| time(ms * 1000));
    let mut text =
        format!("start {}, move {}, game {}", limit(clock.start_ms), limit(clock.move_ms), limit(clock.game_ms));
    if clock.increment_ms > 0 {
        text.push_str(&format!(" and {} more each move", time(clock.increment_ms * 1000)));
    }
    text
}

/// Microseconds for people.
pub(super) fn time(us: u64) -> String {
    match us {
        0 => "0 ms".to_string(),
        1..10_000 => format!("{:.2} ms", us as f64 / 1e3),
        10_000..1_000_000 => format!("{:.0} ms", us as f64 / 1e3),
        _ => format!("{} s", (us as f64 / 1e4).round() / 1e2),
    }
}

/// How long an answer took, and what of that was charged where it is not all.
fn spent(times: &Times) -> String {
    let mut text = time(times.took_us);
    if times.charged_us() != times.took_us {
        text.push_str(&format!(", charged {}", time(times.charged_us())));
    }
    if let Some(stalled) = times.stalled_us.filter(|us| *us > 0) {
        text.push_str(&format!(", stalled {}", time(stalled)));
    }
    text
}

/// Text under its label, made harmless: on the label's line where it is one line, else below it, set in.
pub(super) fn labelled(margin: &str, label: &str, text: &str) -> Vec<String> {
    match &indented(text)[..] {
        [line] => vec![format!("{margin}{label}: {}", line.trim_start())],
        lines => std::iter::once(format!("{margin}{label}:"))
            .chain(lines.iter().map(|line| format!("{margin}  {}", line.strip_prefix("    ").unwrap_or(line))))
            .collect(),
    }
}

/// Text from elsewhere as harmless lines, set in.
fn indented(text: &str) -> Vec<String> {
    harmless(text).lines().map(|line| format!("    {}", line.replace('\t', "    "))).collect()
}

/// Text from elsewhere within a line of ours.
fn one_line(text: &str) -> String {
    harmless(text).replace(['\n', '\t'], " ")
}
