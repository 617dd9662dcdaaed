//! What is kept of a forfeit for whoever is to mend the bot: what it was sent, what it said, what it logged, and the
//! command that plays the match again. All of it is made from the transcript, so that it can be made anew at any time.

mod again;
#[cfg(test)]
mod tests;

pub use again::{again_command, debug_command};

use crate::files::read_regular_text;
use crate::play::{Forfeit, Reenactment, Requests};
use crate::protocol::shown;
use crate::record::{RecordedKind, RecordedResult, Transcript};
use crate::seat::Seat;
use crate::table::{Dialect, JsonLines};
use crate::verdict::{Fault, Reason};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of a cup's failures.
pub const FAILURES: &str = "failures";

/// Of a line of a fault's detail, so many characters are told.
const LONGEST_LINE: usize = 2000;

/// Writes `failures/ID/` into a cup's folder: `README.txt`, `sent.jsonl`, `said.jsonl` and `stderr.txt`. `arena` is the
/// word that starts this program, for the commands in it. It appears whole or not at all; what an arena was writing when it was killed
/// begins with a dot. One that is there already is replaced.
///
/// # Errors
/// A transcript in which no bot is at fault, or files that cannot be read or written: a sentence.
pub fn write_failure(folder: &Path, transcript: &Transcript, arena: &str) -> Result<PathBuf, String> {
    write(folder, transcript, Some(arena))
}

/// The same; without that word the folder is for somebody else, and says nothing of playing it again.
pub(super) fn write(folder: &Path, transcript: &Transcript, arena: Option<&str>) -> Result<PathBuf, String> {
    let failures = folder.join(FAILURES);
    let id = &transcript.header.id;
    let cannot = |error: std::io::Error| format!("{} cannot be written: {error}", failures.join(id).display());
    let failure = Failure::of(transcript)?;
    let (sent, said) = (failure.sent()?, failure.said()?);
    fs::create_dir_all(&failures).map_err(cannot)?;
    let place = failures.join(id);
    let new = new_folder(&failures).map_err(cannot)?;
    let file = |name: &str, bytes: &[u8]| fs::write(new.path().join(name), bytes).map_err(cannot);
    file("README.txt", failure.readme(arena).as_bytes())?;
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
    fn readme(&self, arena: Option<&str>) -> String {
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
        // On its way to somebody else, the folder has its transcript two folders up.
        let transcript_file = match arena {
            Some(_) => std::path::absolute(path).unwrap_or_else(|_| path.clone()),
            None => Path::new("../../transcripts").join(path.file_name().unwrap_or_default()),
        };
        let replay = shlex::try_join([arena.unwrap_or("arena"), "replay", &*transcript_file.to_string_lossy()])
            .unwrap_or_default();
        let again = arena.map(|arena| again_command(self.transcript, arena));
        let debug = arena.and_then(|arena| debug_command(self.transcript, self.seat, arena));
        let debug = debug.map(|command| format!("To ask {name} the same again:\n  {command}\n\n"));
        let again = again.map(|command| format!("To play the match again:\n  {command}\n\n"));
        let ask = || {
            let (file, bot) = (transcript_file.to_string_lossy(), format!("{name}=MYBOT"));
            let words = ["arena", "debug", &*file, "--bot", &bot];
            let command = shlex::try_join(words).unwrap_or_default();
            format!(
                "To ask a bot the same again, from this folder (MYBOT: its folder, or its command in quotes):\n  {command}\n\n"
            )
        };
        format!(
            "{name} forfeits match {id} {when}: {reason}\n\n\
             Game {game}, seed {seed}; {name} sits in seat {seat}, {rival} in seat {other}. Turns count from 0.\n\n\
             What happened:\n{detail}\n\n\
             {explained}\
             {again}\
             To step through it{here}:\n  {replay}\n\n\
             Beside this file:\n\
             \x20 sent.jsonl  what {name} was sent, a message a line, made again from the transcript\n\
             \x20 said.jsonl  what {name} said: moves, lines that were no answer (stray, stale), and the line that was judged\n\
             \x20 stderr.txt  what {name} wrote on stderr\n",
            here = if arena.is_none() { ", from this folder" } else { "" },
            id = header.id,
            reason = reason.as_str(),
            game = header.game,
            seed = header.seed,
            seat = self.seat,
            other = self.seat.other(),
            detail = detail.join("\n"),
            explained = self.explained(),
            again = again.map_or_else(ask, |again| debug.unwrap_or_default() + &again),
        )
    }

    /// The line, what was expected, the likely cause.
    fn explained(&self) -> String {
        let fault = self.transcript.events.iter().find_map(|event| match &event.kind {
            RecordedKind::Fault { seat, reason, detail, line, .. } if *seat == self.seat => {
                Some(Fault { reason: *reason, detail: detail.clone(), line: line.clone() })
            }
            _ => None,
        });
        let parts = fault.as_ref().map(|fault| Forfeit::of(fault).explained()).unwrap_or_default();
        let capital = |label: &str| label[..1].to_uppercase() + &label[1..];
        let told = |(label, text): (&str, String)| {
            format!("{}:\n  {}\n\n", capital(label), shown(text.as_bytes(), LONGEST_LINE))
        };
        parts.into_iter().map(told).collect()
    }

    /// How many turns were played, which is the number of the one in which it ended.
    fn turns(&self) -> usize {
        self.transcript.events.iter().filter(|event| event.kind.is_turn()).count()
    }

    /// What the bot was sent.
    fn sent(&self) -> Result<Vec<u8>, String> {
        let again = Reenactment::new(self.transcript)?;
        let requests = Requests::of(self.transcript, &again, self.seat);
        let mut out = Vec::new();
        JsonLines.greet(&requests.opening(), &mut out);
        for asked in requests.all() {
            JsonLines.request(&requests.request(asked, &*requests.position(asked)), &mut out);
        }
        let (position, since) = (requests.last_position(), requests.since_the_last());
        JsonLines.farewell(&self.result.verdict, &*position, since, &mut out);
        Ok(out)
    }

    /// The transcript's lines of what the bot said, as they are.
    fn said(&self) -> Result<String, String> {
        const SAID: [&str; 6] = ["ready", "move", "invalid", "stray", "stale", "fault"];
        let path = &self.transcript.path;
        let text = read_regular_text(path).map_err(|error| format!("{}: {error}", path.display()))?;
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
