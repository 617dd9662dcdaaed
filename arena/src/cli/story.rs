//! A transcript as people read it: what stands above it, and a scene for the start, for each turn and for the end. Only
//! what every scene needs is made at once; boards and words are made for the scene that is looked at.

use super::output::harmless;
use super::telling::{Teller, after, clock_text, note_text};
use crate::clock::{Bank, Clock, micros};
use crate::play::Reenactment;
use crate::record::{Header, RecordedKind, Transcript, stderr};
use crate::report::board_text;
use crate::seat::{BySeat, Seat};
use std::ops::Range;

/// A match, scene by scene.
pub(super) struct Story<'a> {
    /// What stands above it.
    pub heading: Vec<String>,
    /// Scene N shows the position after N turns; the end comes last, and stands still.
    pub scenes: Vec<Scene>,
    /// The scenes in which something went wrong, in order: a fault, or a part of a move that was ignored.
    pub wrong: Vec<usize>,
    /// Tells of it.
    pub teller: Teller,
    /// Whether boards have colours.
    pub colour: bool,
    transcript: &'a Transcript,
    reenactment: &'a Reenactment<'a>,
}

/// One step of the way.
pub(super) struct Scene {
    /// What happened, in a line.
    pub title: String,
    /// The same in a word or two.
    pub label: String,
    /// Whose turn it was.
    pub mover: Option<Seat>,
    /// What each seat has used of its time.
    pub clocks: BySeat<Spent>,
    /// After how many turns.
    pub turns: usize,
    /// The transcript's events that belong to it.
    events: Range<usize>,
}

/// A seat's clock, in microseconds; `None` where nothing was measured, or nothing limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spent {
    /// What its latest move took, as charged.
    pub move_us: Option<u64>,
    /// The limit of that move.
    pub limit_us: Option<u64>,
    /// All its moves together.
    pub total_us: u64,
    /// What is left of its bank.
    pub left_us: Option<u64>,
    /// The bank when it was full.
    pub bank_us: Option<u64>,
}

impl<'a> Story<'a> {
    /// The story of a match; with `colour`, boards have colours.
    pub fn new(transcript: &'a Transcript, reenactment: &'a Reenactment<'a>, colour: bool) -> Story<'a> {
        let teller = Teller::new(&transcript.header, colour);
        let heading = heading(&teller, transcript, reenactment);
        let mut story =
            Story { heading, scenes: Vec::new(), wrong: Vec::new(), teller, colour, transcript, reenactment };
        story.scenes = story.all_scenes();
        story.wrong = (0..story.scenes.len()).filter(|&index| story.went_wrong(index)).collect();
        story
    }

    /// The same, with everything that the bots said, however long it is.
    pub fn at_length(self) -> Story<'a> {
        Story { teller: self.teller.at_length(), ..self }
    }

    /// Whether the match has no result, or holds only in part.
    pub fn is_unfinished(&self) -> bool {
        self.transcript.result.is_none() || self.reenactment.broken.is_some()
    }

    /// How many turns there are.
    pub fn turns(&self) -> usize {
        self.reenactment.turns.len()
    }

    /// A scene's board, its lines.
    pub fn board(&self, index: usize) -> Vec<String> {
        let mut scene = self.reenactment.before(self.scenes[index].turns).scene();
        scene.caption = self.teller.named(&scene.caption);
        board_text(&scene, self.colour).lines().map(str::to_string).collect()
    }

    /// What was said in a scene, and what went wrong: what a bot says of its move comes first.
    pub fn said(&self, index: usize) -> Vec<String> {
        let scene = &self.scenes[index];
        let events = &self.transcript.events[scene.events.clone()];
        let mut said = Vec::new();
        for event in events {
            if let RecordedKind::Move { seat, note: Some(note), .. } = &event.kind {
                said.extend(self.teller.quoted(*seat, "notes", &note_text(note)));
            }
        }
        // It happened in the position before the turn that ended the scene.
        let before = self.reenactment.before(scene.turns - usize::from(scene.mover.is_some()));
        for event in events {
            let stderr = match &event.kind {
                RecordedKind::Fault { seat, .. } => stderr(events, *seat),
                _ => String::new(),
            };
            said.extend(self.teller.aside(&event.kind, &*before, &stderr));
        }
        if index + 1 == self.scenes.len() {
            said.extend(end(&self.teller, self.transcript, self.reenactment).1);
        }
        said
    }

    /// Whether a bot said anything in a scene.
    pub fn has_words(&self, index: usize) -> bool {
        self.texts(index).next().is_some()
    }

    /// Whether a text stands in what was said in a scene, its letters large or small.
    pub fn mentions(&self, index: usize, text: &str) -> bool {
        let text = text.to_lowercase();
        self.texts(index).any(|said| said.to_lowercase().contains(&text))
    }

    /// The whole story, a board a scene.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = self.heading.clone();
        for (index, scene) in self.scenes.iter().enumerate() {
            lines.push(String::new());
            lines.push(scene.title.clone());
            lines.extend(self.said(index));
            // The board of the end stands there already.
            if index + 1 < self.scenes.len() {
                lines.extend(self.board(index));
            }
        }
        lines
    }

    /// The board before a turn, and what was played there.
    pub fn lines_of_turn(&self, turn: usize) -> Vec<String> {
        let mut lines = vec![self.heading[0].clone(), format!("before turn {turn}:")];
        lines.extend(self.board(turn));
        lines.push(self.scenes[turn + 1].title.clone());
        lines.extend(self.said(turn + 1));
        lines
    }

    /// The texts that the events of a scene hold.
    fn texts(&self, index: usize) -> impl Iterator<Item = String> {
        let events = &self.transcript.events[self.scenes[index].events.clone()];
        events.iter().filter_map(|event| match &event.kind {
            RecordedKind::Move { note: Some(note), .. } => Some(note_text(note)),
            RecordedKind::Invalid { why, .. } => Some(why.clone()),
            RecordedKind::Stray { text, .. }
            | RecordedKind::Stale { text, .. }
            | RecordedKind::Stderr { text, .. }
            | RecordedKind::Fault { detail: text, .. } => Some(text.clone()),
            _ => None,
        })
    }

    fn went_wrong(&self, index: usize) -> bool {
        let events = &self.transcript.events[self.scenes[index].events.clone()];
        events.iter().any(|event| matches!(event.kind, RecordedKind::Fault { .. } | RecordedKind::Invalid { .. }))
    }

    fn all_scenes(&self) -> Vec<Scene> {
        let header = &self.transcript.header;
        let mut clocks = BySeat::from_fn(|seat| Running::new(header, seat));
        let scene = |title: String, label: &str, turns, events, clocks: &BySeat<Running>| Scene {
            title,
            label: label.to_string(),
            mover: None,
            clocks: BySeat::from_fn(|seat| clocks[seat].spent),
            turns,
            events,
        };
        let mut scenes = vec![scene("the start".to_string(), "the start", 0, 0..0, &clocks)];
        let mut next = 0;
        for (turn, seen) in self.reenactment.turns.iter().enumerate() {
            let (title, label) = match &self.transcript.events[seen.event].kind {
                RecordedKind::Move { turn: number, seat, mv, times, .. } => {
                    clocks[*seat].charge(times.charged_us());
                    let text = self.reenactment.before(turn).move_text(mv);
                    (self.teller.played(*number, *seat, &text, times), Teller::short(&text))
                }
                RecordedKind::Replayed { turn: number, seat, mv } => {
                    let text = mv.as_ref().map(|mv| self.reenactment.before(turn).move_text(mv));
                    let label = text.as_deref().map_or("passes".to_string(), Teller::short);
                    (self.teller.replayed(*number, *seat, text.as_deref()), label)
                }
                _ => (self.teller.passed(seen.turn, seen.seat), "passes".to_string()),
            };
            let events = next..seen.event + 1;
            scenes.push(Scene { mover: Some(seen.seat), ..scene(title, &label, turn + 1, events, &clocks) });
            next = seen.event + 1;
        }
        let broken_at = self.reenactment.broken.as_ref().map_or(usize::MAX, |(line, _)| *line);
        let rest = self.transcript.events[next..].iter().take_while(|event| event.line < broken_at).count();
        let (title, _) = end(&self.teller, self.transcript, self.reenactment);
        scenes.push(scene(title, "the end", scenes.len() - 1, next..next + rest, &clocks));
        scenes
    }
}

/// A clock as the match goes on.
struct Running {
    spent: Spent,
    bank: Bank,
    per_move: Option<std::time::Duration>,
}

impl Running {
    fn new(header: &Header, seat: Seat) -> Running {
        let clock = Clock::from(header.clock_of(seat));
        let bank = Bank::new(&clock);
        let left_us = bank.left().map(micros);
        Running { spent: Spent { left_us, bank_us: left_us, ..Spent::default() }, bank, per_move: clock.per_move }
    }

    fn charge(&mut self, charged_us: u64) {
        let spent = &mut self.spent;
        spent.limit_us = self.bank.limit(self.per_move).map(micros);
        spent.move_us = Some(charged_us);
        spent.total_us += charged_us;
        self.bank.charge(charged_us);
        spent.left_us = self.bank.left().map(micros);
    }
}

fn heading(teller: &Teller, transcript: &Transcript, reenactment: &Reenactment<'_>) -> Vec<String> {
    let header = &transcript.header;
    let mut lines = vec![teller.heading(header), format!("clock: {}", clock_text(&header.clock))];
    for (seat, player) in Seat::BOTH.into_iter().zip(&header.players) {
        lines.extend(player.clock.as_ref().map(|own| format!("clock of {}: {}", teller.name(seat), clock_text(own))));
    }
    lines.push(harmless(&format!("started {}, match {}", header.started, header.id)).replace('\n', " "));
    lines.extend(header.from.as_ref().map(|from| teller.goes_on(from)));
    let started = &reenactment.started;
    if !started.opening.is_empty() {
        let plies: Vec<String> = started.opening.iter().map(|mv| started.position.move_text(mv)).collect();
        lines.push(format!("opening plies, drawn from the seed: {}", plies.join(" ")));
    }
    lines
}

/// How it ended, or that it did not.
fn end(teller: &Teller, transcript: &Transcript, reenactment: &Reenactment<'_>) -> (String, Vec<String>) {
    let turns = reenactment.turns.len();
    if let Some((line, why)) = &reenactment.broken {
        let title = format!(
            "line {line} does not hold: {}; shown up to there",
            teller.named(&harmless(why)).replace('\n', " ")
        );
        return (title, Vec::new());
    }
    let Some(result) = &transcript.result else {
        let how = if transcript.torn { "in the middle of a line" } else { "without a result" };
        return (format!("unfinished: the transcript ends {how}, {}", after(turns)), Vec::new());
    };
    let mut lines = teller.outcome(&result.verdict, turns as u32);
    let title = lines.remove(0);
    let pair = |key: &str| -> Option<[u64; 2]> { serde_json::from_value(result.value[key].clone()).ok() };
    if let (Some(total), Some(max)) = (pair("total_us"), pair("max_us")) {
        lines.extend(teller.thinking(total, max));
    }
    for (seat, left) in Seat::BOTH.into_iter().zip(pair("left_behind").unwrap_or_default()) {
        if left > 0 {
            lines.push(format!("  {} left {left} of its processes behind, which had to be killed", teller.name(seat)));
        }
    }
    (title, lines)
}
