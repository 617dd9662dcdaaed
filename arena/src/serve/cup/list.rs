//! Each cup as one line among the others: read once, and again when it has changed.

use super::Cups;
use super::cache::Stamp;
use super::view;
use crate::config::played_in;
use crate::files::read_regular;
use crate::record::rows::count_rows;
use crate::serve::play::PLAYED;
use crate::serve::{Site, lock, without_folder};
use crate::tournament::course::{Course, Gathered};
use crate::tournament::folder::{CUP, STANDINGS, owner};
use crate::tournament::ledger::MATCHES;
use crate::tournament::tables::count;
use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The lines that were made, by folder, each with the stamp of what it was made of.
pub(super) type Known = HashMap<PathBuf, (Stamp, Line)>;

/// A cup among the others.
#[derive(Clone)]
pub(in crate::serve) struct Line {
    /// Its name.
    pub name: String,
    /// What is known of it; else why it is not, in a sentence.
    pub told: Result<Told, String>,
    /// As [`written`] has it.
    written: [i64; 2],
}

/// What is told of a cup.
#[derive(Clone)]
pub(in crate::serve) struct Told {
    /// The game's title.
    pub game: &'static str,
    /// The format's word.
    pub format: &'static str,
    pub stage: Stage,
    /// How many matches are on record.
    pub played: u64,
    /// How many there will be, where that is known.
    pub planned: Option<u64>,
    /// Who leads; nobody before the first match.
    pub leader: Option<String>,
}

/// How it is with a cup.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::serve) enum Stage {
    Running,
    Finished,
    Stopped,
}

impl Stage {
    /// That of a cup which has got so far, by whether somebody plays it.
    pub fn of(is_going_on: bool, course: &Course) -> Stage {
        match (is_going_on, course.is_over) {
            (true, _) => Stage::Running,
            (false, true) => Stage::Finished,
            (false, false) => Stage::Stopped,
        }
    }
}

/// All cups, the newest first.
pub(in crate::serve) async fn lines(site: &Arc<Site>) -> Arc<Vec<Line>> {
    let Cups { list, known, place, .. } = &site.cups;
    let (asked, known) = (Arc::clone(site), Arc::clone(known));
    // Each cup has a stamp of its own.
    let made = list.get(None, Arc::clone(place), move || all(&asked, &known)).await;
    made.unwrap_or_default()
}

fn all(site: &Site, known: &Mutex<Known>) -> Vec<Line> {
    let mut known = lock(known);
    let mut old = std::mem::take(&mut *known);
    for entry in fs::read_dir(&site.results).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        // Matches of people lie among the cups, and are none.
        let is_none = name == PLAYED && !entry.path().join(CUP).exists();
        if name.starts_with('.') || is_none || !entry.path().is_dir() {
            continue;
        }
        let folder = entry.path();
        let stamp = view::stamp(&folder);
        let made = old.remove(&folder).filter(|(before, _)| *before == stamp);
        let (_, line) = made.unwrap_or_else(|| (stamp.clone(), line(site, &folder, name)));
        known.insert(folder, (stamp, line));
    }
    let mut lines: Vec<Line> = known.values().map(|(_, line)| line.clone()).collect();
    lines.sort_by(|one, other| other.written.cmp(&one.written).then_with(|| one.name.cmp(&other.name)));
    lines
}

fn line(site: &Site, folder: &Path, name: String) -> Line {
    let written_at = written(&folder.join(MATCHES)).or_else(|| written(folder)).unwrap_or_default();
    let told = match site.cup_folder(&name) {
        None => Err("a cup's folder lies in the folder of the cups, and its name does not begin with -".to_string()),
        Some(_) => site.stays_inside(folder).and_then(|()| tell(folder)),
    };
    Line { name, told: told.map_err(|why| without_folder(&why, folder)), written: written_at }
}

fn tell(folder: &Path) -> Result<Told, String> {
    if !folder.join(CUP).exists() {
        return Err("it is no cup's folder: there is no cup.toml".to_string());
    }
    let setup = played_in(folder)?;
    let is_running = owner(folder).is_some();
    let rows = folder.join(MATCHES);
    let mut gathered = Gathered::new(&setup);
    let mut leader = leader_on_record(folder);
    if leader.is_some() && gathered.counts_only() {
        gathered.add_all(count_rows(&rows).map_err(|error| error.to_string())? as u64);
    } else {
        let field = &setup.field;
        let counts =
            count(folder, &field.names, field.sets.len(), None, &mut |met| gathered.add(met.row, met.observation))?;
        if leader.is_none() {
            leader = counts.tables(None).standings.rows.first().map(|row| row.bot.clone());
        }
    }
    let course = gathered.course()?;
    Ok(Told {
        game: setup.game.info().title,
        format: setup.plan.id(),
        stage: Stage::of(is_running, &course),
        played: course.played,
        planned: course.planned,
        leader: leader.filter(|_| course.played > 0),
    })
}

/// When a file was written: seconds and nanoseconds since 1970; `None` where there is none.
fn written(path: &Path) -> Option<[i64; 2]> {
    fs::metadata(path).map(|data| [data.mtime(), data.mtime_nsec()]).ok()
}

/// Who leads by the table that lies beside the rows, where no row is newer.
fn leader_on_record(folder: &Path) -> Option<String> {
    if written(&folder.join(STANDINGS))? < written(&folder.join(MATCHES))? {
        return None;
    }
    let text = read_regular(&folder.join(STANDINGS)).ok()?;
    let text = String::from_utf8(text).ok()?;
    let mut lines = text.lines();
    let bot = lines.next()?.split(',').position(|column| column == "bot")?;
    // Names have no comma and no quotes.
    Some(lines.next()?.split(',').nth(bot)?.to_string())
}
