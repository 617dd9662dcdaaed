//! `arena replay`: a recorded match.

use super::failure::Failure;
use super::output::{Paper, harmless};
use super::{DONE, output};
use crate::play::Reenactment;
use crate::record::{RecordedKind, Transcript, read_transcript};
use crate::report::board_text;
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct ReplayArguments {
    /// The transcript
    transcript: PathBuf,
    /// Show the position before this turn, and nothing else
    #[arg(long, value_name = "N")]
    turn: Option<usize>,
    /// A state a line: the start, each turn with the state after it, the result
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
    if arguments.json {
        return states(&transcript, &reenactment);
    }
    let _ = (arguments.turn, Paper::new(false), board_text, RecordedKind::Other);
    Ok(DONE)
}

fn states(transcript: &Transcript, reenactment: &Reenactment) -> Result<u8, Failure> {
    let state = |position: &dyn crate::game::AnyPosition| -> Value {
        let mut text = Vec::new();
        position.write_state(&mut text);
        serde_json::from_slice(&text).expect("a state is JSON")
    };
    output::line(&json!({"type": "start", "state": state(&*reenactment.started.position)}).to_string())?;
    for seen in &reenactment.turns {
        let (kind, mv) = match &transcript.events[seen.event].kind {
            RecordedKind::Move { mv, .. } => ("move", mv.clone()),
            _ => ("pass", Value::Null),
        };
        let line = json!({"type": kind, "turn": seen.turn, "seat": seen.seat.index(), "move": mv, "state": state(&*seen.after)});
        output::line(&line.to_string())?;
    }
    if let Some(result) = &transcript.result {
        output::line(&result.value.to_string())?;
    }
    Ok(DONE)
}
