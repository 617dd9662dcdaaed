//! `arena replay`: a recorded match, stepped through at a terminal, or written out.

use super::failure::Failure;
use super::output::{Paper, harmless};
use super::story::Story;
use super::{DONE, output, viewer};
use crate::play::Reenactment;
use crate::record::{Transcript, read_transcript};
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct ReplayArguments {
    /// The transcript
    transcript: PathBuf,
    /// Show the position before this turn, and what was played there; at a terminal, begin there
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
    let colour = paper.colour;
    let story = || Story::new(&transcript, &reenactment, colour);
    match arguments.turn {
        Some(turn) if arguments.json => output::line(&state_before(&transcript, &reenactment, turn).to_string())?,
        None if arguments.json => states(&transcript, &reenactment)?,
        turn if Paper::holds_a_screen() => return viewer::step_through(&story().at_length(), turn.unwrap_or(0)),
        Some(turn) => write(&mut paper, &story().lines_of_turn(turn))?,
        None => write(&mut paper, &story().lines())?,
    }
    Ok(DONE)
}

fn write(paper: &mut Paper, lines: &[String]) -> Result<(), Failure> {
    Ok(paper.put(&(lines.join("\n") + "\n"))?)
}

fn states(transcript: &Transcript, reenactment: &Reenactment<'_>) -> Result<(), Failure> {
    output::line(&json!({"type": "start", "state": reenactment.started.position.state()}).to_string())?;
    for (turn, seen) in reenactment.turns.iter().enumerate() {
        let (kind, mv) = happened(transcript, seen.event);
        let line = json!({"type": kind, "turn": seen.turn, "seat": seen.seat.index(), "move": mv, "state": reenactment.after(turn).state()});
        output::line(&line.to_string())?;
    }
    if let Some(result) = &transcript.result {
        output::line(&result.value.to_string())?;
    }
    Ok(())
}

/// The state before a turn, and what was played there; without a seat and a move at the end.
fn state_before(transcript: &Transcript, reenactment: &Reenactment<'_>, turn: usize) -> Value {
    let seen = reenactment.turns.get(turn);
    let (kind, mv) = seen.map_or(("end", Value::Null), |seen| happened(transcript, seen.event));
    let seat = seen.map(|seen| seen.seat.index());
    json!({"type": "before", "turn": turn, "state": reenactment.before(turn).state(), "seat": seat, "next": kind, "move": mv})
}

fn happened(transcript: &Transcript, event: usize) -> (&'static str, Value) {
    let played = transcript.events[event].kind.played();
    played.map_or(("pass", Value::Null), |mv| ("move", mv.clone()))
}
