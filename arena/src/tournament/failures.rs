//! What is kept of a forfeit for whoever is to mend the bot: what it was sent, what it said, what it logged, and the
//! command that plays the match again. All of it is made from the transcript, so that it can be made anew at any time.

mod again;
#[cfg(test)]
mod tests;

pub use again::again_command;

use crate::clock::{Bank, Clock};
use crate::game::Status;
use crate::play::Reenactment;
use crate::protocol::{Since, shown};
use crate::record::{RecordedKind, RecordedResult, Transcript};
use crate::seat::Seat;
use crate::seed::bot_seed;
use crate::table::{Dialect, JsonLines, Opening, Request};
use crate::verdict::Reason;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of a cup's failures.
pub const FAILURES: &str = "failures";

/// Of a line of a fault's detail, so many characters are told.
const LONGEST_LINE: usize = 2000;

/// Writes `failures/ID/` into a cup's folder: `README.txt`, `sent.jsonl`, `said.jsonl` and `stderr.txt`. `command` plays
/// the match again ([`again_command`]). It appears whole or not at all; what an arena was writing when it was killed
/// begins with a dot. One that is there already is replaced.
///
/// # Errors
/// A transcript in which no bot is at fault, or files that cannot be read or written: a sentence.
pub fn write_failure(folder: &Path, transcript: &Transcript, command: &str) -> Result<PathBuf, String> {
    write(folder, transcript, Some(command))
}

/// The same; without a command, the README says nothing of playing it again.
pub(super) fn write(folder: &Path, transcript: &Transcript, command: Option<&str>) -> Result<PathBuf, String> {
    let failures = folder.join(FAILURES);
    let id = &transcript.header.id;
    let cannot = |error: std::io::Error| format!("{} cannot be written: {error}", failures.join(id).display());
    let failure = Failure::of(transcript)?;
    let (sent, said) = (failure.sent()?, failure.said()?);
    fs::create_dir_all(&failures).map_err(cannot)?;
    let place = failures.join(id);
    let new = new_folder(&failures).map_err(cannot)?;
    let file = |name: &str, bytes: &[u8]| fs::write(new.path().join(name), bytes).map_err(cannot);
    file("README.txt", failure.readme(command).as_bytes())?;
    file("sent.jsonl", &sent)?;
    file("said.jsonl", said.as_bytes())?;
    file("stderr.txt", failure.stderr().as_bytes())?;
    if place.symlink_metadata().is_ok() {
        fs::remove_dir_all(&place).map_err(cannot)?;
    }
    fs::rename(new.keep(), &place).map_err(cannot)?;
    Ok(place)
}

/// A folder in the making, for everybody that the umask lets in; it is removed unless it is kept.
pub(super) fn new_folder(beside: &Path) -> std::io::Result<tempfile::TempDir> {
    use std::os::unix::fs::PermissionsExt;
    tempfile::Builder::new().prefix(".new-").permissions(fs::Permissions::from_mode(0o777)).tempdir_in(beside)
}

/// A forfeit, seen from the bot at fault.
struct Failure<'a> {
    transcript: &'a Transcript,
    result: &'a RecordedResult,
    seat: Seat,
}

impl Failure<'_> {
    fn of(transcript: &Transcript) -> Result<Failure<'_>, String> {
        let nobody = || format!("{}: no bot was at fault in this match", transcript.path.display());
        let result = transcript.result.as_ref().ok_or_else(nobody)?;
        Ok(Failure { transcript, result, seat: result.verdict.at_fault.ok_or_else(nobody)? })
    }

    fn name(&self, seat: Seat) -> &str {
        &self.transcript.header.players[seat.index()].name
    }

    /// One screen, for people.
    fn readme(&self, command: Option<&str>) -> String {
        let Transcript { header, path, .. } = self.transcript;
        let reason = self.result.verdict.reason;
        let (name, rival) = (self.name(self.seat), self.name(self.seat.other()));
        let when = match reason {
            Reason::NoStart => "before its first turn".to_string(),
            _ => format!("in turn {}", self.turns()),
        };
        let detail = self.result.verdict.detail.as_deref().unwrap_or("nothing more is known");
        let detail: Vec<String> =
            detail.lines().map(|line| format!("  {}", shown(line.as_bytes(), LONGEST_LINE))).collect();
        // Without a command the folder is on its way to somebody else, with its transcript two folders up.
        let transcript = match command {
            Some(_) => std::path::absolute(path).unwrap_or_else(|_| path.clone()),
            None => Path::new("../../transcripts").join(path.file_name().unwrap_or_default()),
        };
        let replay = shlex::try_join(["arena", "replay", &*transcript.to_string_lossy()]).unwrap_or_default();
        let limits = match reason {
            Reason::Resource => "  (with the cup's [limits], as --limit cpu=… or --limit files=…)\n",
            _ => "",
        };
        let again = command.map(|command| format!("To play the match again:\n  {command}\n{limits}\n"));
        format!(
            "{name} forfeits match {id} {when}: {reason}\n\n\
             Game {game}, seed {seed}; {name} sits in seat {seat}, {rival} in seat {other}. Turns count from 0.\n\n\
             What happened, and the likely cause where one is known:\n{detail}\n\n\
             {again}\
             To step through it:\n  {replay}\n\n\
             Beside this file:\n\
             \x20 sent.jsonl  what {name} was sent, a message a line, made again from the transcript\n\
             \x20 said.jsonl  what {name} said: moves, lines that were no answer (stray, stale), and the line that was judged\n\
             \x20 stderr.txt  what {name} wrote on stderr\n",
            id = header.id,
            reason = reason.as_str(),
            game = header.game,
            seed = header.seed,
            seat = self.seat,
            other = self.seat.other(),
            detail = detail.join("\n"),
            again = again.unwrap_or_default(),
        )
    }

    /// How many turns were played, which is the number of the one in which it ended.
    fn turns(&self) -> usize {
        let is_turn = |kind: &RecordedKind| matches!(kind, RecordedKind::Move { .. } | RecordedKind::Pass { .. });
        self.transcript.events.iter().filter(|event| is_turn(&event.kind)).count()
    }

    /// Whether both were ready, so that turns were asked for.
    fn began(&self) -> bool {
        let ready = |seat: Seat| self.transcript.events.iter().any(|event| event.kind == RecordedKind::Ready { seat });
        Seat::BOTH.into_iter().all(ready)
    }

    /// What the bot was sent, from the rules and the recorded times. The last request is there when it was the bot's turn,
    /// also where the bot had gone before it could be read.
    fn sent(&self) -> Result<Vec<u8>, String> {
        let Transcript { header, events, .. } = self.transcript;
        let again = Reenactment::new(self.transcript)?;
        let clock = Clock::from(header.players[self.seat.index()].clock.as_ref().unwrap_or(&header.clock));
        let mut bank = Bank::new(&clock);
        let mut since = Since::new();
        let mut out = Vec::new();
        let opening = Opening {
            match_id: &header.id,
            game: &header.game,
            params: &header.params,
            seat: self.seat,
            players: [self.name(Seat::First), self.name(Seat::Second)],
            seed: bot_seed(header.seed, self.seat),
            clock: &clock,
        };
        JsonLines.greet(&opening, &mut out);
        let ask = |turn: usize, bank: &Bank, since: &Since, out: &mut Vec<u8>| {
            let position = again.before(turn);
            let request = Request {
                match_id: &header.id,
                turn: turn as u32,
                seat: self.seat,
                position: &*position,
                since,
                hints: header.hints,
                limit: bank.limit(clock.per_move),
                per_move: clock.per_move,
                left: bank.left(),
            };
            JsonLines.request(&request, out);
        };
        for (turn, seen) in again.turns.iter().enumerate() {
            match &events[seen.event].kind {
                RecordedKind::Move { mv, times, .. } => {
                    if seen.seat == self.seat {
                        ask(turn, &bank, &since, &mut out);
                        since.clear();
                        bank.charge(times.charged_us());
                    }
                    since.push(seen.turn, seen.seat, Some(&mv.to_string()));
                }
                _ => since.push(seen.turn, seen.seat, None),
            }
        }
        let last = again.turns.len();
        if self.began() && again.before(last).status() == Status::ToMove(self.seat) {
            ask(last, &bank, &since, &mut out);
            since.clear();
        }
        JsonLines.farewell(&self.result.verdict, &*again.before(last), &since, &mut out);
        Ok(out)
    }

    /// The transcript's lines of what the bot said, as they are.
    fn said(&self) -> Result<String, String> {
        const SAID: [&str; 6] = ["ready", "move", "invalid", "stray", "stale", "fault"];
        let path = &self.transcript.path;
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let its_own = |line: &&str| {
            let event: Value = serde_json::from_str(line).unwrap_or_default();
            event["seat"] == self.seat.index() && event["type"].as_str().is_some_and(|kind| SAID.contains(&kind))
        };
        Ok(text.lines().filter(its_own).map(|line| format!("{line}\n")).collect())
    }

    fn stderr(&self) -> String {
        let mut log = String::new();
        for event in &self.transcript.events {
            let RecordedKind::Stderr { seat, text, cut } = &event.kind else { continue };
            if *seat == self.seat {
                let cut = cut.map(|bytes| format!("\n[{bytes} bytes are missing here]\n"));
                log.extend([cut.as_deref().unwrap_or_default(), text]);
            }
        }
        log
    }
}
