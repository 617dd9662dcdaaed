//! `--all`: a new version of a bot against all that its name was asked in a cup.

use super::asking::{change, text};
use super::{DebugArguments, Place, Recorded, read_bot, signals};
use crate::cli::failure::Failure;
use crate::cli::output::{self, harmless};
use crate::cli::{DONE, FOUND_WRONG};
use crate::config::BotSpec;
use crate::play::{Came, Inquiry, Program, Requests};
use crate::record::why_unread;
use crate::seat::Seat;
use crate::transport::Interrupt;
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

pub(super) fn run(arguments: &DebugArguments, folder: &Path) -> Result<u8, Failure> {
    let files = transcripts(folder)?;
    let first = Recorded::read(&files[0])?;
    let (bot, program) = read_bot(&arguments.bot, first.game)?;
    let name = arguments.name.as_deref().unwrap_or(&bot.name);
    let signals = signals(None)?;
    let place = Place::choose(None)?;
    let asking = Asking { arguments, bot: &bot, program: &program, place, interrupt: signals.interrupt() };
    let (mut whole, mut others) = (Whole::default(), BTreeSet::new());
    for file in &files {
        let recorded = Recorded::read(file)?;
        for seat in Seat::BOTH {
            let player = &recorded.header().players[seat.index()].name;
            if player != name {
                others.insert(player.clone());
                continue;
            }
            if !asking.ask(&recorded, seat, &mut whole)? {
                return Ok(signals.status().unwrap_or(FOUND_WRONG));
            }
        }
    }
    if whole.matches == 0 {
        let others: Vec<String> = others.iter().map(|name| harmless(name)).collect();
        return Err(Failure::new(format!(
            "{}: no match of `{}` is there; --name names another player: {}",
            folder.display(),
            harmless(name),
            others.join(", ")
        )));
    }
    let Whole { matches, asked, changed, in_matches } = whole;
    if arguments.json {
        let object = json!({
            "type": "summary", "name": name, "matches": matches, "asked": asked, "changed": changed, "in_matches": in_matches,
        });
        output::line(&object.to_string())?;
    } else {
        output::line(&format!(
            "{changed} of {asked} answers changed, in {in_matches} of {matches} matches of {}",
            harmless(name)
        ))?;
    }
    Ok(if changed == 0 { DONE } else { FOUND_WRONG })
}

/// What all matches come to.
#[derive(Default)]
struct Whole {
    matches: usize,
    asked: usize,
    changed: usize,
    in_matches: usize,
}

struct Asking<'a> {
    arguments: &'a DebugArguments,
    bot: &'a BotSpec,
    program: &'a Program,
    place: Place,
    interrupt: Interrupt,
}

impl Asking<'_> {
    /// Puts the requests of one seat of one match to a fresh process. False when the arena is to stop.
    fn ask(&self, recorded: &Recorded, seat: Seat, whole: &mut Whole) -> Result<bool, Failure> {
        let requests = Requests::of(&recorded.transcript, &recorded.reenactment, seat);
        let (chair, _) = self.place.seat(&self.bot.name, self.program, None)?;
        let mut inquiry = Inquiry::new(&requests, chair, !self.arguments.no_limits, self.interrupt.clone());
        let before = whole.changed;
        whole.matches += 1;
        let Some(came) = inquiry.start()? else { return Ok(false) };
        self.compare(&requests, None, &requests.start_came(), &came, whole)?;
        while let Some(asked) = inquiry.next_request() {
            let Some(came) = inquiry.ask(asked)? else { return Ok(false) };
            whole.asked += 1;
            self.compare(&requests, Some(asked.turn), &requests.answer_came(asked), &came, whole)?;
        }
        inquiry.finish(requests.stop_time())?;
        whole.in_matches += usize::from(whole.changed > before);
        Ok(true)
    }

    fn compare(
        &self,
        requests: &Requests<'_>,
        turn: Option<u32>,
        then: &Came,
        now: &Came,
        whole: &mut Whole,
    ) -> Result<(), Failure> {
        if !then.differs_from(now) {
            return Ok(());
        }
        whole.changed += 1;
        if self.arguments.json {
            return Ok(output::line(&change(requests, turn, then, now).to_string())?);
        }
        let position = requests.position_before(turn);
        let [then, now] = [then, now].map(|came| text(position, came));
        let turn = turn.map_or("start".to_string(), |turn| format!("turn {turn}"));
        Ok(output::line(&format!("{}  {turn}: {then} -> {now}", harmless(&requests.header().id)))?)
    }
}

/// The transcripts of a cup's results, or of a folder, in order; without those of void attempts.
fn transcripts(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let within = folder.join("transcripts");
    let folder = if within.is_dir() { &within } else { folder };
    let cannot = |error: std::io::Error| Failure::new(format!("{}: {}", folder.display(), why_unread(&error)));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if let Some(id) = name.strip_suffix(".jsonl")
            && !id.starts_with('.')
            && id.rsplit_once(".void").is_none_or(|(_, number)| number.parse::<u32>().is_err())
        {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(Failure::new(format!("{}: there is no transcript (*.jsonl) in this folder", folder.display())));
    }
    files.sort();
    Ok(files)
}
