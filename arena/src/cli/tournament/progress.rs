//! What one sees of a cup while it is played: a display that is drawn over itself on a terminal, plain lines at a humane
//! rate elsewhere, or an event a line for programs.

use crate::cli::crop::crop;
use crate::cli::output::{self, Paper, harmless};
use crate::record::{Row, RowOutcome};
use crate::seat::Seat;
use crate::tournament::conductor::{Audience, CupEvent};
use crate::tournament::failures::FAILURES;
use crossterm::terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use serde_json::json;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often plain lines tell how far it is.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// So many of the best, and of the latest faults, are shown.
const SHOWN: usize = 4;

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
    done: u64,
    planned: Option<u64>,
    began: Instant,
    told: Instant,
    half_points: HashMap<String, u64>,
    running: BTreeMap<String, String>,
    /// What went wrong last, the newest first.
    latest: VecDeque<String>,
    /// Each kind of fault of each bot: the first is told whole, then they are counted.
    counted: BTreeMap<(String, &'static str), Counted>,
}

/// A kind of fault of a bot.
#[derive(Default)]
struct Counted {
    first: String,
    count: u64,
}

impl Progress {
    /// For a cup of these bots, which is kept in this folder.
    pub fn new(style: Style, names: &[String], folder: Option<&Path>) -> Progress {
        let bar = match style {
            Style::Display => ProgressBar::new(0),
            _ => ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
        };
        let template = "{bar:30} {pos}/{len} matches  {rate} a second  about {eta} left\n{msg}";
        let rate = |state: &ProgressState, out: &mut dyn Write| {
            let _ = write!(out, "{:.1}", state.per_sec());
        };
        let look = ProgressStyle::with_template(template).expect("the template is fixed and whole");
        bar.set_style(look.with_key("rate", rate));
        Progress {
            headline: None,
            style,
            bar,
            folder: folder.map(Path::to_path_buf),
            done: 0,
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

    fn ended(&mut self, row: &Row, detail: Option<&str>) {
        self.done += 1;
        self.running.remove(&row.id);
        for seat in Seat::BOTH {
            let half_points = match row.outcome {
                RowOutcome::Won(winner) if winner == seat => 2,
                RowOutcome::Drawn => 1,
                _ => 0,
            };
            *self.half_points.entry(row.bots[seat.index()].clone()).or_default() += half_points;
        }
        if let Some(seat) = row.at_fault {
            let bot = row.bots[seat.index()].clone();
            let first_line = detail.unwrap_or_default().lines().next().unwrap_or_default().replace('\t', " ");
            let line = format!("{}: {bot} forfeits: {}: {}", row.id, row.reason.as_str(), harmless(&first_line));
            let counted = self.counted.entry((bot, row.reason.as_str())).or_default();
            counted.count += 1;
            if counted.count == 1 {
                counted.first.clone_from(&line);
                if self.style == Style::Plain {
                    output::complain(&line);
                }
            }
            self.tell_latest(line);
        }
    }

    fn tell_latest(&mut self, line: String) {
        self.latest.push_front(line);
        self.latest.truncate(SHOWN);
    }

    fn show(&mut self) {
        match self.style {
            Style::Display => {
                self.bar.set_length(self.planned.unwrap_or(self.done));
                self.bar.set_position(self.done);
                self.bar.set_message(self.message());
            }
            Style::Plain if self.told.elapsed() >= PLAIN_EVERY => {
                self.told = Instant::now();
                output::complain(&self.plain_line());
            }
            Style::Plain | Style::Json => {}
        }
    }

    fn plain_line(&self) -> String {
        let of = self.planned.map(|planned| format!(" of {planned}")).unwrap_or_default();
        let rate = self.done as f64 / self.began.elapsed().as_secs_f64().max(0.001);
        format!("{}{of} matches, {rate:.1} a second; {}", self.done, self.standing())
    }

    fn standing(&self) -> String {
        self.headline.clone().unwrap_or_else(|| self.leaders())
    }

    fn leaders(&self) -> String {
        let mut all: Vec<(&String, u64)> = self.half_points.iter().map(|(name, points)| (name, *points)).collect();
        all.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let texts: Vec<String> =
            all.iter().take(SHOWN).map(|(name, points)| format!("{name} {}", *points as f64 / 2.0)).collect();
        texts.join(", ")
    }

    fn message(&self) -> String {
        let points = || format!("points so far: {}", self.leaders());
        let mut lines = vec![self.headline.clone().unwrap_or_else(points)];
        lines.push(format!("playing: {}", self.running.values().cloned().collect::<Vec<_>>().join(", ")));
        lines.extend(self.latest.iter().cloned());
        // What is wider than the screen could not be drawn over.
        let columns = terminal::size().map_or(80, |(columns, _)| usize::from(columns));
        let cropped: Vec<String> = lines.iter().map(|line| crop(line, 0, columns.saturating_sub(1))).collect();
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
    /// Takes the display away.
    fn end(&mut self) {
        self.bar.finish_and_clear();
        if self.style == Style::Json {
            return;
        }
        let told = |folder: &PathBuf| format!(", each told in {}", folder.join(FAILURES).display());
        let told = self.folder.as_ref().map(told).unwrap_or_default();
        for ((bot, reason), Counted { first, count }) in &self.counted {
            if self.style == Style::Display {
                output::complain(first);
            }
            if *count > 1 {
                output::complain(&format!("{bot}: {reason} {count} times in all{told}"));
            }
        }
    }
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
                self.done = *on_record;
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
