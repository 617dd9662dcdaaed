//! `arena replay`: a recorded match, stepped through at a terminal, or written out.

use super::failure::Failure;
use super::output::{Paper, harmless};
use super::telling::{Teller, after, clock_text, note_text};
use super::{DONE, output, viewer};
use crate::play::Reenactment;
use crate::record::{RecordedKind, Transcript, read_transcript};
use crate::report::board_text;
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct ReplayArguments {
    /// The transcript
    transcript: PathBuf,
    /// Show the position before this turn, and what was played there
    #[arg(long, value_name = "N")]
    turn: Option<usize>,
    /// A state a line: the start, each turn with the state after it, the result; with --turn, the state before it
    #[arg(long)]
    json: bool,
    /// Write the match as one page for a browser, into a new file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "turn"])]
    html: Option<PathBuf>,
}

pub(super) fn run(arguments: &ReplayArguments) -> Result<u8, Failure> {
    let transcript = read_transcript(&arguments.transcript).map_err(Failure::new)?;
    let reenactment = Reenactment::new(&transcript).map_err(Failure::new)?;
    if let Some((line, why)) = &reenactment.broken {
        output::complain(&format!(
            "note: {}:{line}: {}; shown up to there",
            arguments.transcript.display(),
            harmless(why)
        ));
    }
    if let Some(file) = &arguments.html {
        return super::html::write(file, &transcript, &reenactment);
    }
    if let Some(turn) = arguments.turn.filter(|turn| *turn > reenactment.turns.len()) {
        return Err(Failure::new(format!(
            "--turn {turn}: {} has turns 0 to {}, and --turn {} shows its end",
            arguments.transcript.display(),
            reenactment.turns.len().saturating_sub(1),
            reenactment.turns.len()
        )));
    }
    let mut paper = Paper::new(false);
    let story = Story::new(&transcript, &reenactment, paper.colour);
    match arguments.turn {
        Some(turn) if arguments.json => output::line(&state_before(&transcript, &reenactment, turn).to_string())?,
        None if arguments.json => states(&transcript, &reenactment)?,
        Some(turn) => story.write_turn(&mut paper, turn)?,
        None if paper.terminal && std::io::stdin().is_terminal() => return viewer::step_through(&story),
        None => story.write(&mut paper)?,
    }
    Ok(DONE)
}

/// A transcript as people read it: what stands above it, and a scene for the start, for each turn and for the end.
pub(super) struct Story<'a> {
    /// The match.
    pub heading: Vec<String>,
    /// Scene N shows the position after N turns; the end comes last, and stands still.
    pub scenes: Vec<Scene>,
    /// The scenes in which something went wrong, in order: a fault, or a part of a move that was ignored.
    pub wrong: Vec<usize>,
    reenactment: &'a Reenactment,
    colour: bool,
}

/// One step of the way.
pub(super) struct Scene {
    /// What happened, in a line.
    pub title: String,
    /// What was said meanwhile.
    pub said: Vec<String>,
    /// After how many turns.
    turns: usize,
}

impl<'a> Story<'a> {
    fn new(transcript: &Transcript, reenactment: &'a Reenactment, colour: bool) -> Story<'a> {
        let teller = Teller::new(&transcript.header, colour);
        let (scenes, wrong) = scenes(&teller, transcript, reenactment);
        Story { heading: heading(&teller, transcript, reenactment), scenes, wrong, reenactment, colour }
    }

    /// A scene's board, its lines.
    pub fn board(&self, scene: &Scene) -> Vec<String> {
        let text = board_text(&self.reenactment.before(scene.turns).scene(), self.colour);
        text.lines().map(str::to_string).collect()
    }

    fn write(&self, paper: &mut Paper) -> Result<(), Failure> {
        let mut lines = self.heading.clone();
        for (index, scene) in self.scenes.iter().enumerate() {
            lines.push(String::new());
            lines.push(scene.title.clone());
            lines.extend(scene.said.iter().cloned());
            // The board of the end stands there already.
            if index + 1 < self.scenes.len() {
                lines.extend(self.board(scene));
            }
        }
        Ok(paper.put(&(lines.join("\n") + "\n"))?)
    }

    fn write_turn(&self, paper: &mut Paper, turn: usize) -> Result<(), Failure> {
        let mut lines = vec![self.heading[0].clone(), format!("before turn {turn}:")];
        lines.extend(self.board(&self.scenes[turn]));
        let next = &self.scenes[turn + 1];
        lines.push(next.title.clone());
        lines.extend(next.said.iter().cloned());
        Ok(paper.put(&(lines.join("\n") + "\n"))?)
    }
}

fn heading(teller: &Teller, transcript: &Transcript, reenactment: &Reenactment) -> Vec<String> {
    let header = &transcript.header;
    let mut lines = vec![teller.heading(header), format!("clock: {}", clock_text(&header.clock))];
    for (seat, player) in crate::seat::Seat::BOTH.into_iter().zip(&header.players) {
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

fn scenes(teller: &Teller, transcript: &Transcript, reenactment: &Reenactment) -> (Vec<Scene>, Vec<usize>) {
    let mut scenes = vec![Scene { title: "the start".to_string(), said: Vec::new(), turns: 0 }];
    let mut said = Vec::new();
    let mut wrong = Vec::new();
    let broken_at = reenactment.broken.as_ref().map_or(usize::MAX, |(line, _)| *line);
    for recorded in transcript.events.iter().filter(|recorded| recorded.line < broken_at) {
        let turns = scenes.len() - 1;
        let before = reenactment.before(turns);
        let title = match &recorded.kind {
            RecordedKind::Move { turn, seat, mv, times, note } => {
                // What a bot says of its move comes first.
                let note = note.iter().flat_map(|note| teller.quoted(*seat, "notes", &note_text(note)));
                said.splice(0..0, note);
                teller.played(*turn, *seat, &before.move_text(mv), times)
            }
            RecordedKind::Pass { turn, seat } => teller.passed(*turn, *seat),
            RecordedKind::Replayed { turn, seat, mv } => {
                let text = mv.as_ref().map(|mv| before.move_text(mv));
                teller.replayed(*turn, *seat, text.as_deref())
            }
            other => {
                if matches!(other, RecordedKind::Fault { .. } | RecordedKind::Invalid { .. }) {
                    wrong.push(turns + 1);
                }
                said.extend(teller.aside(other, before));
                continue;
            }
        };
        scenes.push(Scene { title, said: std::mem::take(&mut said), turns: turns + 1 });
    }
    let turns = scenes.len() - 1;
    let (title, more) = end(teller, transcript, reenactment);
    said.extend(more);
    scenes.push(Scene { title, said, turns });
    wrong.dedup();
    (scenes, wrong)
}

/// How it ended, or that it did not.
fn end(teller: &Teller, transcript: &Transcript, reenactment: &Reenactment) -> (String, Vec<String>) {
    let turns = reenactment.turns.len();
    if let Some((line, why)) = &reenactment.broken {
        let title = format!("line {line} does not hold: {}; shown up to there", harmless(why).replace('\n', " "));
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
    for (seat, left) in crate::seat::Seat::BOTH.into_iter().zip(pair("left_behind").unwrap_or_default()) {
        if left > 0 {
            lines.push(format!("  {} left {left} of its processes behind, which had to be killed", teller.name(seat)));
        }
    }
    (title, lines)
}

fn states(transcript: &Transcript, reenactment: &Reenactment) -> Result<(), Failure> {
    output::line(&json!({"type": "start", "state": reenactment.started.position.state()}).to_string())?;
    for seen in &reenactment.turns {
        let (kind, mv) = happened(transcript, seen.event);
        let line = json!({"type": kind, "turn": seen.turn, "seat": seen.seat.index(), "move": mv, "state": seen.after.state()});
        output::line(&line.to_string())?;
    }
    if let Some(result) = &transcript.result {
        output::line(&result.value.to_string())?;
    }
    Ok(())
}

/// The state before a turn, and what was played there; without a seat and a move at the end.
fn state_before(transcript: &Transcript, reenactment: &Reenactment, turn: usize) -> Value {
    let seen = reenactment.turns.get(turn);
    let (kind, mv) = seen.map_or(("end", Value::Null), |seen| happened(transcript, seen.event));
    let seat = seen.map(|seen| seen.seat.index());
    json!({"type": "before", "turn": turn, "state": reenactment.before(turn).state(), "seat": seat, "next": kind, "move": mv})
}

fn happened(transcript: &Transcript, event: usize) -> (&'static str, Value) {
    let played = transcript.events[event].kind.played();
    played.map_or(("pass", Value::Null), |mv| ("move", mv.clone()))
}
