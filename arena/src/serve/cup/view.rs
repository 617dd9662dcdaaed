//! A cup as its pages show it: what its folder tells, counted once, and the parts of its page.

use super::cache::Stamp;
use super::list::Stage;
use crate::config::played_in;
use crate::record::ClockRecord;
use crate::report::{CupLinks, CupPage, Unfinished, cup_sections, latest_upset, plain_text, url_part};
use crate::seat::Seat;
use crate::seed::{HASH_OF_NOTHING, hash};
use crate::serve::match_page::cup_address;
use crate::tournament::audit::Setup;
use crate::tournament::course::{Course, Gathered};
use crate::tournament::folder::{CUP, TRANSCRIPTS, being_played, owner};
use crate::tournament::ledger::MATCHES;
use crate::tournament::roster::{ENTRANTS, Remembered, remembered};
use crate::tournament::tables::{Met, Tables, count};
use std::collections::HashMap;
use std::path::Path;

/// What is known of a cup, perhaps of one parameter set of it only.
pub(super) struct View {
    /// Its name, that of its folder.
    pub name: String,
    /// The set that is counted, from 0; all where there is none.
    pub set: Option<usize>,
    pub setup: Setup,
    pub entrants: Vec<Remembered>,
    pub tables: Tables,
    pub course: Course,
    /// Whether it is being played.
    pub is_going_on: bool,
    /// The ids of the matches that are being played.
    pub running: Vec<String>,
    /// Where each row is, in the order of the file.
    pub rows: Vec<Place>,
    /// The parts of its page.
    pub parts: Vec<Part>,
    /// The latest upset, as markup within a paragraph.
    pub upset: Option<String>,
    clock: ClockRecord,
    address: String,
}

/// A row that can be read again. Small, as there may be many.
pub(super) struct Place {
    /// Where it begins in the file, in bytes.
    pub begin: u64,
    /// Who sat in seats 0 and 1; [`STRANGER`] for whoever is not in the cup.
    pub seats: [u16; 2],
    /// Its parameter set, from 0.
    pub set: u16,
    /// Whose fault ended it.
    pub at_fault: Option<Seat>,
}

/// The number of a bot that is not in the cup.
const STRANGER: u16 = u16::MAX;

/// A part of the page that changes while the cup goes on.
pub(super) struct Part {
    /// What it is called.
    pub name: &'static str,
    /// By what it is told that it has changed.
    pub hash: String,
    /// The markup; empty where there is nothing to be told.
    pub markup: String,
}

/// The parts of a cup's page, in their order. Those that are not named here are for pages that are files.
const PARTS: [&str; 11] = [
    "result",
    "running",
    "warnings",
    "standings",
    "rounds",
    "crosstable",
    "upsets",
    "faults",
    "parameters",
    "times",
    "course",
];

/// By what it is told that a cup has changed.
pub(super) fn stamp(folder: &Path) -> Stamp {
    let owner = owner(folder);
    // New matches begin only where somebody plays; and a folder of many files changes with each.
    let playing = if owner.is_some() { TRANSCRIPTS } else { MATCHES };
    let files = [MATCHES, CUP, ENTRANTS, playing].map(|name| folder.join(name));
    Stamp::of(&files.each_ref().map(|path| path.as_path()), owner)
}

impl View {
    /// Reads a cup's folder; `set` is the parameter set that is to be counted.
    ///
    /// # Errors
    /// It is none, or damaged: a sentence.
    pub fn read(folder: &Path, name: &str, set: Option<usize>) -> Result<View, String> {
        let setup = played_in(folder)?;
        let entrants = remembered(folder)?;
        let names = &setup.field.names;
        if set.is_some_and(|set| set >= setup.field.sets.len()) {
            return Err(format!("there is no parameter set of that number: there are {}", setup.field.sets.len()));
        }
        // Asked first: what is written before its writer goes is read after.
        let is_going_on = owner(folder).is_some();
        let running = if is_going_on { being_played(folder) } else { Vec::new() };
        let small = |number: usize| u16::try_from(number).unwrap_or(STRANGER);
        let numbers: HashMap<&str, u16> = names.iter().map(String::as_str).zip((0..).map(small)).collect();
        let (mut gathered, mut rows) = (Gathered::new(&setup), Vec::new());
        let counts = count(folder, names, setup.field.sets.len(), set, &mut |met: &Met<'_>| {
            gathered.add(met.row, met.observation);
            let seats = met.row.bots.each_ref().map(|bot| numbers.get(bot.as_str()).copied().unwrap_or(STRANGER));
            rows.push(Place { begin: met.begin, seats, set: small(met.set), at_fault: met.row.at_fault });
        })?;
        let course = gathered.course()?;
        let tables = counts.tables(course.ranking.as_deref());
        let (name, clock) = (name.to_string(), ClockRecord::from(&setup.clock));
        let address = cup_address(&name);
        let (parts, upset) = (Vec::new(), None);
        let mut view = View {
            name,
            set,
            setup,
            entrants,
            tables,
            course,
            is_going_on,
            running,
            rows,
            parts,
            upset,
            clock,
            address,
        };
        view.upset = latest_upset(&view.page());
        view.parts = view.make_parts();
        Ok(view)
    }

    /// Where the cup's page is.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// How it is with the cup.
    pub fn stage(&self) -> Stage {
        Stage::of(self.is_going_on, &self.course)
    }

    /// What reports are made of.
    pub fn page(&self) -> CupPage<'_> {
        let View { setup, tables, course, .. } = self;
        let unfinished = Unfinished { done: course.played, planned: course.planned, is_going_on: self.is_going_on };
        CupPage {
            name: &self.name,
            game: setup.game.info().title,
            format: setup.plan.id(),
            seed: setup.field.seed,
            pairs: setup.field.pairs,
            clock: &self.clock,
            isolation: "",
            arena: "",
            facts: &[],
            sets: &setup.field.sets,
            tally: &tables.tally,
            standings: &tables.standings,
            grades: &[],
            to_pass: None,
            remarks: &course.remarks,
            warnings: &tables.warnings,
            unfinished: (!course.is_over).then_some(unfinished),
            void: &tables.void,
            files: &[],
            excerpts: &tables.excerpts,
            rounds: &course.rounds,
            links: CupLinks::Served { cup: &self.address, set: self.set },
        }
    }

    fn make_parts(&self) -> Vec<Part> {
        let page = self.page();
        let section = cup_sections(&page);
        let part = |name: &'static str| {
            let markup = match name {
                "running" => self.running_matches(),
                "parameters" if self.set.is_some() => String::new(),
                _ => section(name),
            };
            Part { name, hash: format!("{:016x}", hash(HASH_OF_NOTHING, markup.as_bytes())), markup }
        };
        PARTS.map(part).into_iter().collect()
    }

    fn running_matches(&self) -> String {
        let link = |id: &String| {
            let who = players(id).map_or(plain_text(id), |[one, other]| {
                format!("{} – {} <small>{}</small>", plain_text(one), plain_text(other), plain_text(id))
            });
            format!("<li><a href=\"{}/match/{}\">{who}</a></li>\n", self.address, url_part(id))
        };
        if self.running.is_empty() {
            return String::new();
        }
        let links: String = self.running.iter().map(link).collect();
        format!(
            "<section id=\"running\" aria-labelledby=\"running-title\">\n<h2 id=\"running-title\">Being played</h2>\n\
             <ul class=\"running\">\n{links}</ul></section>\n"
        )
    }
}

/// Who sits in seats 0 and 1 of a match, as its id tells ([`crate::tournament::Field::pair_id`]).
fn players(id: &str) -> Option<[&str; 2]> {
    let is_round = |part: &&str| part.strip_prefix('r').is_some_and(|number| number.parse::<u32>().is_ok());
    let mut parts: Vec<&str> = id.split('+').collect();
    // A bot may be called like a round: then there are too few parts left.
    if parts.len() > 3 && parts.first().is_some_and(is_round) {
        parts.remove(0);
    }
    let [one, other, ..] = parts[..] else { return None };
    Some(if id.ends_with('b') { [other, one] } else { [one, other] })
}
