//! What one sees of a cup while it is played: a display that is drawn over itself on a terminal, plain lines at a humane
//! rate elsewhere, or an event a line for programs. Points and faults are those of the whole cup, the pace is that of this
//! run.

#[cfg(test)]
mod tests;

use crate::cli::crop::{crop, width};
use crate::cli::output::{self, Paper, harmless};
use crate::record::{Row, RowError, RowOutcome, RowReader};
use crate::seat::Seat;
use crate::tournament::conductor::{Audience, CupEvent};
use crate::tournament::failures::FAILURES;
use crate::tournament::ledger::MATCHES;
use crossterm::terminal;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often plain lines tell how far it is.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// How often the display is drawn when nothing happens.
const DRAWN_EVERY: Duration = Duration::from_millis(500);

/// So many of the best, and of the latest faults, are shown.
const SHOWN: usize = 4;

/// So many columns of a bot's name are shown before what it did, so that there is room for that.
const NAME_SHOWN: usize = 24;

/// How progress is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Style {
    /// A display that is drawn over itself.
    Display,
    /// Plain lines.
    Plain,
    /// JSON lines on stdout.
    Json,
}

impl Style {
    /// The one that fits.
    pub fn of(json: bool, paper: &Paper) -> Style {
        match (json, paper.terminal) {
            (true, _) => Style::Json,
            (false, true) => Style::Display,
            (false, false) => Style::Plain,
        }
    }
}

/// Whoever watches a cup, and is told when it is over or stopped.
pub(in crate::cli) trait Spectator: Audience {
    /// Counts the rows that are on record, one by one, where anybody is to be told of them.
    ///
    /// # Errors
    /// Rows that cannot be read.
    fn recall(&mut self) -> Result<(), RowError> {
        Ok(())
    }

    /// The cup is over.
    fn end(&mut self);
}

/// Tells of a cup as it goes.
pub(in crate::cli) struct Progress {
    /// What is told instead of points, where somebody knows better.
    headline: Option<String>,
    style: Style,
    bar: ProgressBar,
    /// Where the matches are kept, where they are.
    folder: Option<PathBuf>,
    /// How many matches were on record when this run began.
    on_record: u64,
    /// How many were played since.
    played: u64,
    planned: Option<u64>,
    began: Instant,
    told: Instant,
    half_points: HashMap<String, u64>,
    running: BTreeMap<String, String>,
    /// What went wrong last, the newest first.
    latest: VecDeque<String>,
    /// Each kind of fault of each bot: the first of this run is told whole, and all of the cup are counted.
    counted: BTreeMap<(String, &'static str), Counted>,
}

/// A kind of fault of a bot.
#[derive(Default)]
struct Counted {
    first: Option<String>,
    count: u64,
}

impl Progress {
    /// For a cup of these bots, which is kept in this folder.
    pub fn new(style: Style, names: &[String], folder: Option<&Path>) -> Progress {
        let bar = match style {
            Style::Display => ProgressBar::new(0),
            _ => ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
        };
        let template = "{bar:30} {pos}/{len} matches  {prefix}\n{msg}";
        bar.set_style(ProgressStyle::with_template(template).expect("the template is fixed and whole"));
        if style == Style::Display {
            // What follows fast is not all drawn; what came last is, a little later.
            bar.enable_steady_tick(DRAWN_EVERY);
        }
        Progress {
            headline: None,
            style,
            bar,
            folder: folder.map(Path::to_path_buf),
            on_record: 0,
            played: 0,
            planned: None,
            began: Instant::now(),
            told: Instant::now(),
            half_points: names.iter().map(|name| (name.clone(), 0)).collect(),
            running: BTreeMap::new(),
            latest: VecDeque::new(),
            counted: BTreeMap::new(),
        }
    }

    /// Tells this from now on instead of points.
    pub fn tell_instead_of_points(&mut self, headline: String) {
        self.headline = Some(headline);
    }

    /// What is left to be told of faults: on a display the first of each kind, and how many there were.
    fn faults(&self) -> Vec<String> {
        let told = |folder: &PathBuf| format!("told in {}", folder.join(FAILURES).display());
        let told = self.folder.as_ref().map(told).unwrap_or_else(|| "told nowhere else".to_string());
        let mut lines = Vec::new();
        for ((bot, reason), Counted { first, count }) in &self.counted {
            lines.extend(first.clone().filter(|_| self.style == Style::Display));
            match (count, first) {
                (1, Some(_)) => {}
                (1, None) => lines.push(format!("{bot}: {reason} once in all, {told}")),
                _ => lines.push(format!("{bot}: {reason} {count} times in all, each {told}")),
            }
        }
        lines
    }

    /// Counts a row of this run or an earlier one.
    fn count(&mut self, row: &Row) {
        for seat in Seat::BOTH {
            let half_points = match row.outcome {
                RowOutcome::Won(winner) if winner == seat => 2,
                RowOutcome::Drawn => 1,
                _ => 0,
            };
            *self.half_points.entry(row.bots[seat.index()].clone()).or_default() += half_points;
        }
        if let Some(seat) = row.at_fault {
            self.counted.entry((row.bots[seat.index()].clone(), row.reason.as_str())).or_default().count += 1;
        }
    }

    fn ended(&mut self, row: &Row, detail: Option<&str>) {
        self.played += 1;
        self.running.remove(&row.id);
        self.count(row);
        if let Some(seat) = row.at_fault {
            let (bot, reason) = (&row.bots[seat.index()], row.reason.as_str());
            let first_line = detail.unwrap_or_default().lines().next().unwrap_or_default().replace('\t', " ");
            let detail = harmless(&first_line);
            let counted = self.counted.entry((bot.clone(), reason)).or_default();
            if counted.first.is_none() {
                let line = format!("{}: {bot} forfeits: {reason}: {detail}", row.id);
                if self.style == Style::Plain {
                    output::complain(&line);
                }
                counted.first = Some(line);
            }
            self.tell_latest(in_short(bot, reason, &detail));
        }
    }

    fn tell_latest(&mut self, line: String) {
        self.latest.push_front(line);
        self.latest.truncate(SHOWN);
    }

    fn show(&mut self) {
        match self.style {
            Style::Display => {
                let columns = terminal::size().map_or(80, |(columns, _)| usize::from(columns));
                self.bar.set_length(self.planned.unwrap_or(self.done()));
                self.bar.set_position(self.done());
                self.bar.set_prefix(self.pace(self.began.elapsed()));
                self.bar.set_message(self.message(columns));
            }
            Style::Plain if self.told.elapsed() >= PLAIN_EVERY => {
                self.told = Instant::now();
                output::complain(&self.plain_line(self.began.elapsed()));
            }
            Style::Plain | Style::Json => {}
        }
    }

    fn done(&self) -> u64 {
        self.on_record + self.played
    }

    /// Matches of this run a second.
    fn rate(&self, elapsed: Duration) -> f64 {
        self.played as f64 / elapsed.as_secs_f64().max(0.001)
    }

    /// The rate, and how long the rest takes at that rate, where that can be told.
    fn pace(&self, elapsed: Duration) -> String {
        let rate = self.rate(elapsed);
        let missing = self.planned.filter(|_| self.played > 0).map(|planned| planned.saturating_sub(self.done()));
        let left = missing.and_then(|missing| Duration::try_from_secs_f64(missing as f64 / rate).ok());
        let left = left.map(|left| format!("  about {:#} left", HumanDuration(left))).unwrap_or_default();
        format!("{rate:.1} a second{left}")
    }

    fn plain_line(&self, elapsed: Duration) -> String {
        let of = self.planned.map(|planned| format!(" of {planned}")).unwrap_or_default();
        let standing = self.headline.clone().unwrap_or_else(|| self.leaders(usize::MAX));
        format!("{}{of} matches, {:.1} a second; {standing}", self.done(), self.rate(elapsed))
    }

    /// The first by points, as many as there is room for, and how many there are besides.
    fn leaders(&self, columns: usize) -> String {
        let mut all: Vec<(&String, u64)> = self.half_points.iter().map(|(name, points)| (name, *points)).collect();
        all.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let first = |shown: usize| {
            let mut texts: Vec<String> =
                all.iter().take(shown).map(|(name, points)| format!("{name} {}", *points as f64 / 2.0)).collect();
            texts.extend((all.len() > shown).then(|| format!("… {} more", all.len() - shown)));
            texts.join(", ")
        };
        (2..=SHOWN).rev().map(first).find(|text| width(text) <= columns).unwrap_or_else(|| first(1))
    }

    /// What is below the bar, on a screen of so many columns.
    fn message(&self, columns: usize) -> String {
        const POINTS: &str = "points so far: ";
        // What is wider than the screen could not be drawn over.
        let columns = columns.saturating_sub(1);
        let points = || format!("{POINTS}{}", self.leaders(columns.saturating_sub(POINTS.len())));
        let mut lines = vec![self.headline.clone().unwrap_or_else(points)];
        lines.push(format!("playing: {}", self.running.values().cloned().collect::<Vec<_>>().join(", ")));
        lines.extend(self.latest.iter().cloned());
        let cropped: Vec<String> = lines.iter().map(|line| crop(line, 0, columns)).collect();
        cropped.join("\n")
    }

    /// One more line for programs, where they are told.
    pub fn json(&self, value: &serde_json::Value) -> Result<(), String> {
        if self.style != Style::Json {
            return Ok(());
        }
        output::line(&value.to_string()).map_err(|error| format!("stdout: {error}"))
    }
}

impl Spectator for Progress {
    fn recall(&mut self) -> Result<(), RowError> {
        if let Some(folder) = self.folder.as_ref().filter(|_| self.style != Style::Json) {
            for row in RowReader::open(&folder.join(MATCHES))? {
                self.count(&row?);
            }
        }
        Ok(())
    }

    fn end(&mut self) {
        self.bar.finish_and_clear();
        if self.style == Style::Json {
            return;
        }
        self.faults().iter().for_each(|line| output::complain(line));
    }
}

/// A forfeit on a line of a screen: who, why, and the cause before its circumstances.
fn in_short(bot: &str, reason: &str, detail: &str) -> String {
    let name = match width(bot) {
        columns if columns > NAME_SHOWN => crop(bot, 0, NAME_SHOWN - 1) + "…",
        _ => bot.to_string(),
    };
    format!("{name}: {reason}: {}", detail.strip_prefix("the bot ").unwrap_or(detail))
}

impl Audience for Progress {
    fn hear(&mut self, event: &CupEvent<'_>) -> Result<(), String> {
        match event {
            CupEvent::Began { planned, on_record, slots } => {
                self.planned = *planned;
                if self.style == Style::Plain {
                    let of = planned.map(|planned| format!(" of {planned}")).unwrap_or_default();
                    let at_a_time = if *slots == 1 { "one match".to_string() } else { format!("{slots} matches") };
                    let there =
                        |folder: &PathBuf| format!("{on_record}{of} matches are on record in {}; ", folder.display());
                    let there = self.folder.as_ref().map(there).unwrap_or_default();
                    output::complain(&format!("{there}{at_a_time} at a time"));
                }
                self.on_record = *on_record;
                self.began = Instant::now();
                self.json(&json!({"type": "began", "planned": planned, "on_record": on_record, "slots": slots}))?;
            }
            CupEvent::Started { pairing } => {
                self.running.insert(pairing.id.clone(), pairing.id.clone());
                self.json(&json!({"type": "started", "id": pairing.id, "round": pairing.round, "seed": pairing.seed}))?;
            }
            CupEvent::Ended { row, played } => {
                self.ended(row, played.closing.verdict.detail.as_deref());
                let winner = match row.outcome {
                    RowOutcome::Won(seat) => json!(row.bots[seat.index()]),
                    RowOutcome::Drawn => json!("draw"),
                    RowOutcome::Void => json!(null),
                };
                self.json(&json!({
                    "type": "ended", "id": row.id, "first": row.bots[0], "second": row.bots[1], "winner": winner,
                    "scores": row.scores, "reason": row.reason.as_str(),
                    "at_fault": row.at_fault.map(|seat| row.bots[seat.index()].clone()),
                    "turns": row.turns, "transcript": row.transcript,
                }))?;
            }
            CupEvent::Disturbed { pairing, attempt, gives_up } => {
                let what = if *gives_up { "stays void" } else { "is played again" };
                let line = format!("{}: the machine was too busy (attempt {attempt}): it {what}", pairing.id);
                self.running.remove(&pairing.id);
                self.played += u64::from(*gives_up);
                match self.style {
                    Style::Plain => output::complain(&line),
                    _ => self.tell_latest(line),
                }
                self.json(&json!({"type": "disturbed", "id": pairing.id, "attempt": attempt, "gives_up": gives_up}))?;
            }
        }
        self.show();
        Ok(())
    }
}
