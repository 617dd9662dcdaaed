//! What a cup's organiser hands back: a folder an entrant with its own matches, rows and failures, and nothing of what its
//! rivals wrote for themselves. Made from a results folder, which is only read.

#[cfg(test)]
mod tests;

use super::failures::{self, FAILURES, new_folder};
use super::folder::{STANDINGS, TRANSCRIPTS};
use super::ledger::MATCHES;
use super::roster::{entrant_names, is_file_name};
use crate::files::{read_regular, read_regular_text};
use crate::record::rows::{RowReader, RowWriter};
use crate::record::{Row, read_transcript};
use crate::seat::Seat;
use crate::verdict::Reason;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// What was handed back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feedback {
    /// How many entrants have a folder.
    pub entrants: usize,
    /// How many matches are in the folders of those who played them.
    pub matches: u64,
}

/// Writes `OUT/NAME/` for each entrant of a results folder. `out` must not be there yet, and appears whole or not at all.
/// `planned` is how many matches the whole cup has, where that is known: those of one that is not complete are told so.
///
/// # Errors
/// A sentence: `out` is there, or something cannot be read or written.
pub fn write_feedback(results: &Path, out: &Path, planned: Option<u64>) -> Result<Feedback, String> {
    if out.symlink_metadata().is_ok() {
        return Err(format!(
            "{} is there already, and is not written over: remove it, or give another folder",
            out.display()
        ));
    }
    let names = entrant_names(results)?;
    let cannot = |error: std::io::Error| format!("{} cannot be written: {error}", out.display());
    let beside = out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(beside).map_err(cannot)?;
    let new = new_folder(beside).map_err(cannot)?;
    let handing = Handing { results, out: new.path(), names: &names };
    handing.begin()?;
    let mut matches = 0;
    for row in RowReader::open(&results.join(MATCHES)).map_err(|error| error.to_string())? {
        handing.hand_back(&row.map_err(|error| error.to_string())?)?;
        matches += 1;
    }
    handing.explain(incomplete(matches, planned).as_deref())?;
    fs::rename(new.keep(), out).map_err(cannot)?;
    Ok(Feedback { entrants: names.len(), matches })
}

/// That matches are missing, in a sentence, where it is known that some are.
pub fn incomplete(matches: u64, planned: Option<u64>) -> Option<String> {
    let planned = planned.filter(|planned| matches < *planned)?;
    Some(format!("the cup is not complete: {matches} of {planned} matches are on record"))
}

struct Handing<'a> {
    results: &'a Path,
    out: &'a Path,
    names: &'a [String],
}

impl Handing<'_> {
    /// Makes each entrant's folder, with what does not depend on its matches.
    fn begin(&self) -> Result<(), String> {
        let standings = self.results.join(STANDINGS);
        let table = read_regular(&standings).ok();
        for name in self.names {
            let folder = self.out.join(name);
            let cannot = |error: std::io::Error| format!("{} cannot be written: {error}", folder.display());
            fs::create_dir_all(folder.join(TRANSCRIPTS)).map_err(cannot)?;
            RowWriter::open(&folder.join(MATCHES)).map_err(cannot)?;
            if let Some(table) = &table {
                let own = own_standing(table, name).map_err(|why| format!("{}: {why}", standings.display()))?;
                fs::write(folder.join(STANDINGS), own).map_err(cannot)?;
            }
        }
        Ok(())
    }

    /// Writes what each folder holds, and how complete the cup is.
    fn explain(&self, incomplete: Option<&str>) -> Result<(), String> {
        for name in self.names {
            let path = self.out.join(name).join("README.txt");
            let has_table = self.out.join(name).join(STANDINGS).exists();
            fs::write(&path, readme(name, has_table, incomplete))
                .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
        }
        Ok(())
    }

    /// Gives a match to both who played it.
    fn hand_back(&self, row: &Row) -> Result<(), String> {
        let file = row.transcript.strip_prefix("transcripts/").filter(|file| is_file_name(file)).ok_or_else(|| {
            format!("match {}: its transcript is {:?}, which is none of this cup's", row.id, row.transcript)
        })?;
        let path = self.results.join(TRANSCRIPTS).join(file);
        let text = read_regular_text(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        for seat in Seat::BOTH {
            let name = &row.bots[seat.index()];
            if !self.names.contains(name) {
                return Err(format!("match {} was played by {name:?}, who is not in this cup", row.id));
            }
            let folder = self.out.join(name);
            let own = folder.join(TRANSCRIPTS).join(file);
            let cannot = |error: std::io::Error| format!("{} cannot be written: {error}", own.display());
            let kept = without_the_rival(&text, seat).map_err(|why| format!("{}: {why}", path.display()))?;
            fs::write(&own, kept).map_err(cannot)?;
            let (mut rows, _) = RowWriter::open(&folder.join(MATCHES)).map_err(cannot)?;
            rows.append(row).map_err(cannot)?;
            if row.at_fault == Some(seat) {
                let transcript = read_transcript(&own).map_err(|error| error.to_string())?;
                failures::write(&folder, &transcript, None)?;
            }
        }
        Ok(())
    }
}

/// A transcript for the bot in this seat: what the other one wrote for itself is left out, what was played is all there. Of
/// where the organiser keeps the bots it tells nothing.
fn without_the_rival(text: &str, seat: Seat) -> Result<String, String> {
    let rival = seat.other().index();
    let mut kept = String::with_capacity(text.len());
    let mut own_fault = None;
    for (number, line) in (1..).zip(text.lines()) {
        let mut event: Value = serde_json::from_str(line).map_err(|error| format!("line {number}: {error}"))?;
        let its_rivals = event["seat"] == rival;
        let changed = match event["type"].as_str().unwrap_or_default() {
            "match" => {
                let player = &mut event["players"][rival];
                player["command"] = json!([]);
                remove(player, "folder");
                shorten_command(&mut event["players"][seat.index()]);
                true
            }
            "move" if its_rivals => remove(&mut event, "note"),
            "fault" if its_rivals => {
                remove(&mut event, "line");
                hide_detail(&mut event);
                true
            }
            "result" => hide_result(&mut event, rival, own_fault.as_ref()),
            "ready" | "pass" | "invalid" => false,
            // Its log and its stray lines; and what a newer arena may write of it.
            _ if its_rivals => continue,
            kind => {
                if kind == "fault" {
                    own_fault = Some(event["detail"].clone());
                }
                false
            }
        };
        if changed {
            kept.push_str(&event.to_string());
        } else {
            kept.push_str(line);
        }
        kept.push('\n');
    }
    Ok(kept)
}

/// The result tells of a fault what its line tells; where neither bot could start, it tells of both.
fn hide_result(result: &mut Value, rival: usize, own_fault: Option<&Value>) -> bool {
    if result["at_fault"] == rival {
        hide_detail(result);
        true
    } else if result["at_fault"].is_null() && result["reason"] == Reason::NoStart.as_str() {
        let own = own_fault.and_then(Value::as_str).unwrap_or_default();
        result["detail"] = json!(format!("neither bot could start. This one: {own}"));
        true
    } else {
        false
    }
}

/// A detail quotes the bot's lines and its log. That of an illegal move has only the move and the rule that it breaks.
fn hide_detail(event: &mut Value) {
    if event["reason"] != Reason::Illegal.as_str() {
        event["detail"] = json!("the details are the other bot's");
    }
}

/// Leaves out a player's folder, and the folders in its command.
fn shorten_command(player: &mut Value) {
    let folder = player["folder"].as_str().map(PathBuf::from);
    for word in player["command"].as_array_mut().into_iter().flatten() {
        let path = Path::new(word.as_str().unwrap_or_default());
        if !path.is_absolute() {
            continue;
        }
        let within = folder.as_ref().and_then(|folder| path.strip_prefix(folder).ok());
        let Some(kept) = within.or(path.file_name().map(Path::new)) else { continue };
        *word = json!(kept.to_string_lossy());
    }
    remove(player, "folder");
}

fn remove(value: &mut Value, key: &str) -> bool {
    value.as_object_mut().is_some_and(|fields| fields.shift_remove(key).is_some())
}

/// The head of the table and the entrant's row.
fn own_standing(table: &[u8], name: &str) -> Result<Vec<u8>, String> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(table);
    let mut writer = csv::WriterBuilder::new().flexible(true).terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let mut column = None;
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let own = match column {
            None => {
                column = Some(record.iter().position(|cell| cell == "bot").ok_or("it has no column `bot`")?);
                true
            }
            Some(column) => record.get(column) == Some(name),
        };
        if own {
            writer.write_record(&record).map_err(|error| error.to_string())?;
        }
    }
    writer.into_inner().map_err(|error| error.to_string())
}

fn readme(name: &str, standings: bool, incomplete: Option<&str>) -> String {
    let incomplete = incomplete.map(|what| format!(" When this was written, {what}.")).unwrap_or_default();
    let standings = if standings { "  standings.csv  its row of the table\n" } else { "" };
    format!(
        "What {name} did in the cup.{incomplete}\n\n\
         \x20 transcripts/   its matches, a file each. What the other bot wrote for itself is left out: its log, its notes, its\n\
         \x20                lines that were no answer, and how it is started. What was played is complete.\n\
         \x20 matches.csv    its matches, a row each\n\
         {standings}\
         \x20 {FAILURES}/      a folder for each match that it forfeited, if there is one: what it was sent, what it said, its log\n\n\
         From this folder, MYBOT being the bot's folder, or its command in quotes:\n\n\
         To step through a match:         arena replay transcripts/ID.jsonl\n\
         To ask a bot the same again:     arena debug transcripts/ID.jsonl --bot {name}=MYBOT\n\
         The same for all its matches:    arena debug --all . --bot {name}=MYBOT\n\
         To referee all of them again:    arena verify transcripts\n"
    )
}
