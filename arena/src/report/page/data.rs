//! What the page is told of a match: its players and result, and step by step the drawing, the clocks, and what was said.

use super::boards::Boards;
use crate::clock::{Bank, micros};
use crate::game::Scene;
use crate::play::{Reenactment, Seen};
use crate::record::{Header, Recorded, RecordedKind, Times, Transcript, stderr};
use crate::report::svg::svg_size;
use crate::report::words::{in_words, limits};
use crate::seat::{BySeat, Seat, with_names};
use crate::verdict::{Reason, Verdict, detail_beside};
use serde_json::{Value, json};

/// Everything, as JSON: `title`, `about` (lines about the match), `players`, `result`, `size` of the drawings, `parts` of
/// them, and `steps`: the start, each turn, and the end where anything was heard after the last turn.
pub(super) fn of_match(transcript: &Transcript, reenactment: &Reenactment<'_>) -> Value {
    let header = &transcript.header;
    let info = reenactment.started.position.info();
    let [first, second] = &header.players;
    let size = svg_size(&reenactment.started.position.scene());
    let mut steps = Steps::new(transcript, reenactment);
    let list = steps.list();
    json!({
        "title": format!("{}: {} against {}", info.title, first.name, second.name),
        "game": info.title,
        "about": about(header),
        "players": Seat::BOTH.map(|seat| player(header, seat)),
        "result": result(transcript, reenactment),
        "size": size,
        "parts": steps.boards.into_parts(),
        "steps": list,
    })
}

fn about(header: &Header) -> Vec<String> {
    let params = header.params.iter().map(|(name, value)| format!("{name} {value}"));
    let rest = [format!("seed {}", header.seed), header.started.clone(), format!("match {}", header.id)];
    params.chain(rest).collect()
}

fn player(header: &Header, seat: Seat) -> Value {
    let player = &header.players[seat.index()];
    json!({"name": player.name, "command": command(&player.command), "limits": limits(header.clock_of(seat))})
}

/// The program without its folder, which is nobody's business where a page is passed on.
fn command(command: &[String]) -> String {
    let Some((program, arguments)) = command.split_first() else { return "a person".to_string() };
    let program = program.rsplit('/').next().unwrap_or(program);
    [program].into_iter().chain(arguments.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
}

/// `kind` (`first`, `second`, `draw`, `void`, `unfinished`), `headline` and `detail`. Points stand with their names: the winner of
/// a forfeit may have fewer.
fn result(transcript: &Transcript, reenactment: &Reenactment<'_>) -> Value {
    if let Some((line, why)) = &reenactment.broken {
        let detail = format!("line {line} of the transcript: {why}");
        return json!({"kind": "unfinished", "headline": "The transcript holds up to here only", "detail": detail});
    }
    let Some(result) = &transcript.result else {
        let detail = "the transcript ends without a result";
        return json!({"kind": "unfinished", "headline": "The match was not finished", "detail": detail});
    };
    let verdict = &result.verdict;
    let (kind, headline) = outcome(verdict, &transcript.header);
    let at_fault = verdict.at_fault.map(|seat| transcript.header.players[seat.index()].name.clone());
    let reason = at_fault.map_or(in_words(verdict.reason).to_string(), |name| {
        format!("{name} is at fault: {}", in_words(verdict.reason))
    });
    // The whole detail of a fault stands at the fault itself.
    let detail = match &verdict.detail {
        Some(detail) if verdict.at_fault.is_none() => format!("{reason}; {}", named(detail, &transcript.header)),
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

/// Goes through the events of a match, turn by turn.
struct Steps<'a> {
    transcript: &'a Transcript,
    reenactment: &'a Reenactment<'a>,
    boards: Boards,
    banks: BySeat<Bank>,
    used: [u64; 2],
}

impl<'a> Steps<'a> {
    fn new(transcript: &'a Transcript, reenactment: &'a Reenactment<'a>) -> Steps<'a> {
        let banks = BySeat::from_fn(|seat| Bank::new(&transcript.header.clock_of(seat).into()));
        Steps { transcript, reenactment, boards: Boards::default(), banks, used: [0; 2] }
    }

    fn list(&mut self) -> Vec<Value> {
        let reenactment = self.reenactment;
        let events = &self.transcript.events;
        let is_ready = |kind: &RecordedKind| matches!(kind, RecordedKind::Ready { .. });
        let first_turn = reenactment.turns.first().map_or(events.len(), |seen| seen.event);
        let before = &events[..first_turn];
        let mut next = before.iter().rposition(|event| is_ready(&event.kind)).map_or(0, |last| last + 1);
        let start = reenactment.started.position.scene();
        let mut steps = vec![self.step("start", &start, 0..next, json!({}))];
        for (index, seen) in reenactment.turns.iter().enumerate() {
            let turn = self.turn(index, seen);
            steps.push(self.step("turn", &reenactment.after(index).scene(), next..seen.event + 1, turn));
            next = seen.event + 1;
        }
        if next < events.len() || !self.ends_by_rules() {
            let last = reenactment.before(usize::MAX).scene();
            let turn = reenactment.turns.len();
            steps.push(self.step("end", &last, next..events.len(), json!({"turn": turn})));
        }
        steps
    }

    fn ends_by_rules(&self) -> bool {
        let result = self.transcript.result.as_ref();
        self.reenactment.broken.is_none() && result.is_some_and(|result| result.verdict.reason.is_by_rules())
    }

    /// Who moved, how, and how long it took; the clocks go on by it.
    fn turn(&mut self, index: usize, seen: &Seen) -> Value {
        let seat = seen.seat;
        let kind = &self.transcript.events[seen.event].kind;
        let Some(mv) = kind.played() else {
            return json!({"turn": seen.turn, "seat": seat.index(), "pass": true});
        };
        let mut took = 0;
        // What was replayed took no time.
        if let RecordedKind::Move { times, .. } = kind {
            self.charge(seat, times);
            took = times.charged_us();
        }
        let text = self.reenactment.before(index).move_text(mv);
        json!({"turn": seen.turn, "seat": seat.index(), "move": text, "took": took})
    }

    fn charge(&mut self, seat: Seat, times: &Times) {
        self.used[seat.index()] += times.charged_us();
        self.banks[seat].charge(times.charged_us());
    }

    fn step(&mut self, kind: &str, scene: &Scene, events: std::ops::Range<usize>, mut step: Value) -> Value {
        let facts = scene.facts.iter().map(|fact| json!([fact.seat, fact.label, fact.value]));
        step["kind"] = json!(kind);
        step["board"] = self.boards.add(scene);
        step["caption"] = json!(named(&scene.caption, &self.transcript.header));
        step["facts"] = facts.collect();
        step["used"] = json!(self.used);
        step["left"] = json!(Seat::BOTH.map(|seat| self.banks[seat].left().map(micros)));
        let events = &self.transcript.events[events];
        step["heard"] = events.iter().filter_map(|event| self.heard(&event.kind, events)).collect();
        step
    }

    /// What was said or went wrong, among the `events` of its step: `[kind, seat, text]`.
    fn heard(&self, kind: &RecordedKind, events: &[Recorded]) -> Option<Value> {
        let (kind, seat, text) = match kind {
            RecordedKind::Move { seat, note: Some(note), .. } => ("note", seat, in_lines(note)),
            RecordedKind::Invalid { seat, part, why, .. } => {
                ("invalid", seat, format!("part {part}: {}", named(why, &self.transcript.header)))
            }
            RecordedKind::Stray { seat, text } => ("stray", seat, text.clone()),
            RecordedKind::Stale { seat, text } => ("stale", seat, text.clone()),
            RecordedKind::Stderr { seat, text, cut } => {
                let cut = cut.map(|bytes| format!("[{bytes} bytes were not kept]\n")).unwrap_or_default();
                ("stderr", seat, format!("{cut}{}", text.trim_end()))
            }
            RecordedKind::Fault { seat, reason, detail, line, mv } => {
                let position = self.reenactment.before(usize::MAX);
                let mv = mv.as_ref().map(|mv| format!("\nthe move: {}", position.move_text(mv))).unwrap_or_default();
                let line = line.as_ref().map(|line| format!("\nthe line: {line}")).unwrap_or_default();
                let detail = detail_beside(detail, &stderr(events, *seat)).to_string();
                // What else is told of may quote the bot, whose words stay as they are.
                let is_the_rules = *reason == Reason::Illegal;
                let detail = if is_the_rules { named(&detail, &self.transcript.header) } else { detail };
                ("fault", seat, format!("{}: {}\n{detail}{mv}{line}", reason.as_str(), in_words(*reason)))
            }
            _ => return None,
        };
        Some(json!([kind, seat.index(), text]))
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
