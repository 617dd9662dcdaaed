//! What the page is told of a match: its players and result, and step by step the drawing, the clocks, and what was said.
//! It is told piece by piece, as a match is recorded, so that one that goes on can be followed.

use super::boards::Boards;
use crate::clock::{Bank, micros};
use crate::game::{AnyPosition, Status};
use crate::play::{Reenactment, play_recorded, start_of};
use crate::protocol::shown;
use crate::record::{Header, Recorded, RecordedKind, RecordedResult, Times, Transcript, stderr};
use crate::report::svg::svg_size;
use crate::report::words::{in_words, limits};
use crate::seat::{BySeat, Seat, with_names};
use crate::verdict::{Verdict, detail_beside};
use serde_json::{Value, json};

/// What of a match is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Everything.
    All,
    /// Not what bots say besides their moves (notes, stderr, lines that are no answers): it may give away how they think.
    MovesOnly,
}

/// A match in the telling: it hears what was recorded, and gives it out in pieces.
///
/// A piece is JSON: `from`, the number of the first step in it (a step that was told before is told anew); `steps`; `parts`, those of
/// the drawings that are new; and once the match is over its `result`.
pub struct Telling {
    header: Header,
    told: Told,
    /// After the last turn that was heard.
    position: Box<dyn AnyPosition>,
    boards: Boards,
    banks: BySeat<Bank>,
    used: [u64; 2],
    turns: u32,
    /// What was heard since the last step was made.
    waiting: Vec<Recorded>,
    broken: Option<(usize, String)>,
    result: Option<Value>,
    /// What has not been given out yet.
    from: usize,
    steps: Vec<Value>,
    parts: usize,
}

/// Everything of a match that was recorded, as JSON: `title`, `about` (lines about the match), `players`, `size` of the drawings,
/// `result`, `parts` of the drawings, and `steps`: the start, each turn, and the end where anything was heard after the last turn.
pub(super) fn of_match(transcript: &Transcript, reenactment: &Reenactment<'_>) -> Value {
    let mut telling = Telling::of(transcript.header.clone(), reenactment.started.position.clone_box(), Told::All);
    transcript.events.iter().for_each(|event| telling.hear(event));
    telling.end(transcript.result.as_ref());
    let mut whole = telling.opening();
    let piece = telling.take().unwrap_or_default();
    for key in ["steps", "parts", "result"] {
        whole[key] = piece[key].clone();
    }
    whole
}

impl Telling {
    /// A match that begins so.
    ///
    /// # Errors
    /// A game that this arena does not have, or parameters that it does not accept.
    pub fn new(header: Header, told: Told) -> Result<Telling, String> {
        let position = start_of(&header)?.position;
        Ok(Telling::of(header, position, told))
    }

    fn of(header: Header, position: Box<dyn AnyPosition>, told: Told) -> Telling {
        let banks = BySeat::from_fn(|seat| Bank::new(&header.clock_of(seat).into()));
        let mut telling = Telling {
            header,
            told,
            position,
            boards: Boards::default(),
            banks,
            used: [0; 2],
            turns: 0,
            waiting: Vec::new(),
            broken: None,
            result: None,
            from: 0,
            steps: Vec::new(),
            parts: 0,
        };
        telling.push("start", &[], json!({}));
        telling
    }

    /// What is known of the match before its first step: `title`, `about`, `players`, `size`.
    pub fn opening(&self) -> Value {
        let header = &self.header;
        let info = self.position.info();
        let [first, second] = &header.players;
        json!({
            "title": format!("{}: {} against {}", info.title, first.name, second.name),
            "about": about(header),
            "players": Seat::BOTH.map(|seat| player(header, seat)),
            "size": svg_size(&self.position.picture()),
        })
    }

    /// Hears what was recorded next. Nothing is heard after a turn that the rules refuse.
    pub fn hear(&mut self, event: &Recorded) {
        if self.broken.is_some() {
            return;
        }
        self.waiting.push(event.clone());
        if matches!(event.kind, RecordedKind::Ready { .. }) && self.turns == 0 {
            self.tell_start_anew();
        } else if event.kind.is_turn() {
            self.turn(event);
        }
    }

    /// The match is over, or nothing more is recorded of it.
    pub fn end(&mut self, result: Option<&RecordedResult>) {
        let by_rules = result.is_some_and(|result| result.verdict.reason.is_by_rules());
        if !self.waiting.is_empty() || !by_rules || self.broken.is_some() {
            let events = std::mem::take(&mut self.waiting);
            self.push("end", &events, json!({"turn": self.turns}));
        }
        self.result = Some(told_result(&self.header, result, self.broken.as_ref(), self.told));
    }

    /// What is new since this was last asked.
    pub fn take(&mut self) -> Option<Value> {
        if self.steps.is_empty() && self.result.is_none() {
            return None;
        }
        let steps = std::mem::take(&mut self.steps);
        let told = steps.len();
        let parts = &self.boards.parts()[self.parts..];
        let piece = json!({"from": self.from, "steps": steps, "parts": parts, "result": self.result.take()});
        self.parts += parts.len();
        self.from += told;
        Some(piece)
    }

    /// What was said until both were ready belongs to the start.
    fn tell_start_anew(&mut self) {
        let events = self.waiting.clone();
        self.boards.forget_last();
        self.from = 0;
        self.steps.clear();
        self.push("start", &events, json!({}));
    }

    /// Who moved, how, and how long it took; the clocks go on by it.
    fn turn(&mut self, event: &Recorded) {
        let text = event.kind.played().map(|mv| self.position.move_text(mv));
        let mut after = self.position.clone_box();
        let seat = match play_recorded(&mut *after, self.turns, event) {
            Ok(seat) => seat.expect("it tells of a turn"),
            Err(why) => {
                self.waiting.pop();
                self.broken = Some((event.line, why));
                return;
            }
        };
        self.position = after;
        let told = match text {
            None => json!({"turn": self.turns, "seat": seat.index(), "pass": true}),
            Some(text) => {
                let mut took = 0;
                // What was replayed took no time.
                if let RecordedKind::Move { times, .. } = &event.kind {
                    self.charge(seat, times);
                    took = times.charged_us();
                }
                json!({"turn": self.turns, "seat": seat.index(), "move": text, "took": took})
            }
        };
        self.turns += 1;
        let events = std::mem::take(&mut self.waiting);
        self.push("turn", &events, told);
    }

    fn charge(&mut self, seat: Seat, times: &Times) {
        self.used[seat.index()] += times.charged_us();
        self.banks[seat].charge(times.charged_us());
    }

    fn push(&mut self, kind: &str, events: &[Recorded], mut step: Value) {
        let scene = self.position.picture();
        let facts = scene.facts.iter().map(|fact| json!([fact.seat, fact.label, fact.value]));
        step["kind"] = json!(kind);
        step["asked"] = match self.position.status() {
            Status::ToMove(seat) if kind != "end" => json!(seat.index()),
            _ => Value::Null,
        };
        step["board"] = self.boards.add(&scene);
        step["caption"] = json!(named(&scene.caption, &self.header));
        step["facts"] = facts.collect();
        step["used"] = json!(self.used);
        step["left"] = json!(Seat::BOTH.map(|seat| self.banks[seat].left().map(micros)));
        step["heard"] = events.iter().filter_map(|event| self.heard(&event.kind, events)).collect();
        self.steps.push(step);
    }

    /// What was said or went wrong, among the `events` of its step: `[kind, seat, text]`.
    fn heard(&self, kind: &RecordedKind, events: &[Recorded]) -> Option<Value> {
        let all = self.told == Told::All;
        let (kind, seat, text) = match kind {
            RecordedKind::Invalid { seat, part, why, .. } => {
                let why = named(why, &self.header);
                ("invalid", seat, format!("part {part}: {}", if all { why } else { within_bounds(&why) }))
            }
            RecordedKind::Fault { seat, reason, detail, line, mv } => {
                let mv = mv.as_ref().map(|mv| format!("\nthe move: {}", self.position.move_text(mv)));
                let line = line.as_ref().filter(|_| all).map(|line| format!("\nthe line: {line}"));
                // A move may be a long text. What else may quote the bot stays as it is.
                let detail = match reason {
                    reason if reason.quotes_nobody() => named(detail, &self.header),
                    _ if all => detail_beside(detail, &stderr(events, *seat)).to_string(),
                    _ => String::new(),
                };
                let rest = [mv, line].into_iter().flatten().collect::<String>();
                let [detail, rest] = [detail, rest].map(|text| if all { text } else { within_bounds(&text) });
                ("fault", seat, format!("{}: {}\n{detail}{rest}", reason.as_str(), in_words(*reason)))
            }
            _ if !all => return None,
            RecordedKind::Move { seat, note: Some(note), .. } => ("note", seat, in_lines(note)),
            RecordedKind::Stray { seat, text } => ("stray", seat, text.clone()),
            RecordedKind::Stale { seat, text } => ("stale", seat, text.clone()),
            RecordedKind::Stderr { seat, text, cut } => {
                let cut = cut.map(|bytes| format!("[{bytes} bytes were not kept]\n")).unwrap_or_default();
                ("stderr", seat, format!("{cut}{}", text.trim_end()))
            }
            _ => return None,
        };
        Some(json!([kind, seat.index(), text]))
    }
}

/// So much of a text that may quote a bot is told to everybody, in characters.
const TOLD: usize = 400;

/// A text of lines that may quote a bot, each as people can be shown it.
fn within_bounds(text: &str) -> String {
    text.split('\n').map(|line| shown(line.as_bytes(), TOLD)).collect::<Vec<_>>().join("\n")
}

fn about(header: &Header) -> Vec<String> {
    let params = header.params.iter().map(|(name, value)| format!("{name} {value}"));
    let rest = [format!("seed {}", header.seed), header.started.clone(), format!("match {}", header.id)];
    params.chain(rest).collect()
}

fn player(header: &Header, seat: Seat) -> Value {
    let player = &header.players[seat.index()];
    let clock = header.clock_of(seat);
    let us = |ms: Option<u64>| ms.map(|ms| ms.saturating_mul(1000));
    json!({
        "name": player.name,
        "command": command(&player.command),
        "limits": limits(clock),
        "bank": us(clock.game_ms),
        "move": us(clock.move_ms),
    })
}

fn command(command: &[String]) -> String {
    if command.is_empty() { "a person".to_string() } else { without_folders(command).join(" ") }
}

/// The words of a command without folders, which are nobody's business where a page or a transcript is passed on.
pub fn without_folders(command: &[String]) -> Vec<String> {
    command.iter().map(|word| word.rsplit('/').next().unwrap_or(word).to_string()).collect()
}

/// `kind` (`first`, `second`, `draw`, `void`, `unfinished`), `headline` and `detail`. Points stand with their names: the winner of
/// a forfeit may have fewer.
fn told_result(
    header: &Header,
    result: Option<&RecordedResult>,
    broken: Option<&(usize, String)>,
    told: Told,
) -> Value {
    if let Some((line, why)) = broken {
        let detail = format!("line {line} of the transcript: {why}");
        return json!({"kind": "unfinished", "headline": "The transcript holds up to here only", "detail": detail});
    }
    let Some(result) = result else {
        let detail = "the transcript ends without a result";
        return json!({"kind": "unfinished", "headline": "The match was not finished", "detail": detail});
    };
    let verdict = &result.verdict;
    let (kind, headline) = outcome(verdict, header);
    let at_fault = verdict.at_fault.map(|seat| header.players[seat.index()].name.clone());
    let reason = at_fault.map_or(in_words(verdict.reason).to_string(), |name| {
        format!("{name} is at fault: {}", in_words(verdict.reason))
    });
    // The whole detail of a fault stands at the fault itself.
    let detail = match &verdict.detail {
        Some(detail) if verdict.at_fault.is_none() && (told == Told::All || verdict.reason.quotes_nobody()) => {
            format!("{reason}; {}", named(detail, header))
        }
        _ => reason,
    };
    json!({"kind": kind, "headline": headline, "detail": detail})
}

/// Words of the rules, which know seats only, with the players' names.
fn named(text: &str, header: &Header) -> String {
    with_names(text, header.players.each_ref().map(|player| player.name.as_str()))
}

fn outcome(verdict: &Verdict, header: &Header) -> (&'static str, String) {
    let [a, b] = verdict.scores;
    let [first, second] = header.players.each_ref().map(|player| player.name.as_str());
    let scores = format!("{first} {a}, {second} {b}");
    match verdict.winner {
        Some(seat) => {
            let kind = if seat == Seat::First { "first" } else { "second" };
            let name = |seat: Seat| [first, second][seat.index()];
            let headline = match verdict.at_fault {
                Some(loser) if !verdict.reason.is_by_rules() => {
                    format!("{} wins, because {} forfeits: {scores}", name(seat), name(loser))
                }
                _ => format!("{} wins: {scores}", name(seat)),
            };
            (kind, headline)
        }
        None if verdict.is_void() => ("void", "Void: the match counts for nothing".to_string()),
        None => ("draw", format!("A draw: {scores}")),
    }
}

/// A bot's note: text as it is, an object of plain values a line each, all else as JSON.
fn in_lines(note: &Value) -> String {
    match note {
        Value::String(text) => text.clone(),
        Value::Object(entries) if entries.values().all(|value| !value.is_object() && !value.is_array()) => {
            let line = |(key, value): (&String, &Value)| match value {
                Value::String(text) => format!("{key}: {text}"),
                value => format!("{key}: {value}"),
            };
            entries.iter().map(line).collect::<Vec<_>>().join("\n")
        }
        note => note.to_string(),
    }
}
