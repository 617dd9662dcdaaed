//! A cup as one page: who won, standings, cross table, Elo with intervals, scores by parameter, thinking times, faults,
//! and where the matches are. It is drawn without a script, so that it reads the same on paper; what single matches tell
//! comes in through [`Excerpts`]. The parts of the page can be had one by one, for pages that are served: where a link leads is [`CupLinks`]' business.

mod elo;
mod links;
mod markup;
mod matches;
mod pieces;
mod rounds;
mod tables;
mod times;
mod verdict;

#[cfg(test)]
mod tests;

pub use links::CupLinks;
pub use markup::address as url_part;
pub use matches::latest_upset;
pub use pieces::{bot_sections, match_table, wall_table};
pub use tables::set_labels;

use self::markup::{address, counted, section, sentences, text};
use self::tables::{short, varying};
use super::frame;
use super::words::limits;
use crate::game::Params;
use crate::record::ClockRecord;
use crate::tournament::excerpts::Excerpts;
use crate::tournament::grades::Grade;
use crate::tournament::standings::{Standings, half_points_of_byes};
use crate::tournament::tally::{Sheet, Tally};
use crate::tournament::{Entrant, Round};

/// The styles of the page, beside the common look.
pub const STYLE: &str = include_str!("cup_page/cup.css");

/// Everything that the page tells. Names and texts are plain: the page escapes them.
#[derive(Clone, Copy, Debug)]
pub struct CupPage<'a> {
    /// The cup's name.
    pub name: &'a str,
    /// The game's title.
    pub game: &'a str,
    /// The format's word.
    pub format: &'a str,
    /// The cup's seed.
    pub seed: u64,
    /// Paired matches per pairing and parameter set.
    pub pairs: u32,
    /// The limits of every match.
    pub clock: &'a ClockRecord,
    /// What confined the bots: `none`, or the layers in words; empty where that is not known.
    pub isolation: &'a str,
    /// The version of the arena; empty where that is not known.
    pub arena: &'a str,
    /// More of how it was played, a label and a value each: own limits of a bot, the machine, when it began.
    pub facts: &'a [(String, String)],
    /// The parameter sets, in the order of the tally's.
    pub sets: &'a [Params],
    /// The counts of all rows.
    pub tally: &'a Tally,
    /// The table of all parameter sets together, in the format's order.
    pub standings: &'a Standings,
    /// What each author's best bot did.
    pub grades: &'a [Grade],
    /// Whom one has to take how many percent of the points from to pass; the grades are shown where it is known.
    pub to_pass: Option<(&'a str, f64)>,
    /// What the format says of its course, a line each.
    pub remarks: &'a [String],
    /// What is to be said of the matches, a sentence each: [`crate::tournament::standings::warnings`], and what else
    /// there is.
    pub warnings: &'a [String],
    /// How far it has got, when it is not at its end.
    pub unfinished: Option<Unfinished>,
    /// The ids of matches that stayed void.
    pub void: &'a [String],
    /// Names of the files beside the page that it links to, such as `matches.csv`.
    pub files: &'a [&'a str],
    /// What the rows tell of single matches.
    pub excerpts: &'a Excerpts,
    /// The rounds, of formats in which who meets whom follows from results.
    pub rounds: &'a [Round],
    /// Where links lead.
    pub links: CupLinks<'a>,
}

/// How far a cup has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// How many matches are played.
    pub done: u64,
    /// How many there will be, where that is known.
    pub planned: Option<u64>,
    /// Whether it is being played just now.
    pub is_going_on: bool,
}

impl CupPage<'_> {
    /// An entrant's name.
    fn name_of(&self, entrant: Entrant) -> &str {
        &self.tally.names()[entrant]
    }

    /// Twice the points of each entrant's byes, where the order of the standings counts them: that of a cup that is done, for all
    /// parameter sets together. Empty where there are none.
    fn byes(&self) -> Vec<u64> {
        let counted = self.unfinished.is_none() && !self.links.of_one_set();
        let byes = counted.then(|| half_points_of_byes(self.rounds, self.tally.names().len()));
        byes.filter(|byes| byes.iter().any(|more| *more > 0)).unwrap_or_default()
    }

    /// Where the matches of two are.
    fn meeting(&self, one: Entrant, other: Entrant) -> String {
        self.links.meeting([self.name_of(one), self.name_of(other)], &self.anchor(one, other))
    }

    /// What the matches of two are found by in the file: the better placed of them comes first.
    fn anchor(&self, one: Entrant, other: Entrant) -> String {
        let place = |entrant: Entrant| self.standings.rows.iter().position(|row| row.entrant == entrant);
        let [first, second] = if place(one) < place(other) { [one, other] } else { [other, one] };
        format!("m-{first}-{second}")
    }
}

/// Writes the page of a cup. Links to matches are relative: the page belongs into the folder of the results.
pub fn cup_page(cup: &CupPage<'_>) -> String {
    let played = played(&cup.tally.whole());
    let sections = PARTS.map(cup_sections(cup));
    let body = format!(
        "<main>\n<header>\n<h1>{}</h1>\n<p id=\"about\">{} · {} · {} · {}</p>\n</header>\n{}</main>\n",
        text(cup.name),
        text(cup.game),
        text(cup.format),
        counted(cup.tally.names().len() as u64, "bot", "bots"),
        counted(played, "match", "matches"),
        sections.concat()
    );
    frame::page(&format!("{}: {}", cup.name, cup.game), STYLE, None, &body)
}

/// The parts of a page that is a file, in their order.
const PARTS: [&str; 13] = [
    "result",
    "course",
    "warnings",
    "standings",
    "rounds",
    "grades",
    "crosstable",
    "parameters",
    "times",
    "faults",
    "upsets",
    "matches",
    "conditions",
];

/// What makes the part of the page that is called so: what is to be told of it may be nothing.
pub fn cup_sections<'a>(cup: &'a CupPage<'a>) -> impl Fn(&str) -> String + 'a {
    let sheet = cup.tally.whole();
    move |part| match part {
        "result" => verdict::verdict(cup, played(&sheet)),
        "course" => remarks(cup.remarks),
        "warnings" => warnings(cup.warnings),
        "standings" => tables::standings(cup),
        "rounds" => rounds::rounds(cup),
        "grades" => tables::grades(cup),
        "crosstable" => tables::crosstable(cup, &sheet),
        "parameters" => tables::by_parameter(cup),
        "times" => times::times(cup),
        "faults" => matches::faults(cup),
        "upsets" => matches::upsets(cup, &sheet),
        "matches" => matches::matches(cup, &sheet),
        "conditions" => conditions(cup),
        _ => unreachable!("no part of the page is called {part}"),
    }
}

fn played(sheet: &Sheet) -> u64 {
    sheet.meetings.values().map(|meeting| meeting.results().played()).sum()
}

fn remarks(lines: &[String]) -> String {
    if lines.is_empty() { String::new() } else { section("course", "How it went", &sentences("lines", lines)) }
}

fn warnings(lines: &[String]) -> String {
    if lines.is_empty() { String::new() } else { section("warnings", "To be aware of", &sentences("lines", lines)) }
}

/// How it was played, and what lies beside the page.
fn conditions(cup: &CupPage<'_>) -> String {
    let varying = varying(cup.sets);
    let same = cup.sets.first().into_iter().flatten().filter(|(name, _)| !varying.contains(name));
    let same: Vec<String> = same.map(|(name, value)| format!("{name} {}", short(value))).collect();
    let mut facts = vec![("Game", cup.game.to_string()), ("Format", cup.format.to_string())];
    facts.extend((!same.is_empty()).then(|| ("Parameters", same.join(", "))));
    facts.extend((cup.sets.len() > 1).then(|| ("Parameter sets", cup.sets.len().to_string())));
    facts.extend([
        ("Pairs of matches per pairing and set", cup.pairs.to_string()),
        ("Limits", limits(cup.clock)),
        ("Seed", cup.seed.to_string()),
    ]);
    let known = [("Isolation", cup.isolation), ("Arena", cup.arena)].into_iter().filter(|(_, value)| !value.is_empty());
    facts.extend(known.map(|(label, value)| (label, value.to_string())));
    let more = cup.facts.iter().map(|(label, value)| (label.as_str(), value.clone()));
    let entry =
        |(label, value): (&str, String)| format!("<div><dt>{}</dt><dd>{}</dd></div>\n", text(label), text(&value));
    let list: String = facts.into_iter().chain(more).map(entry).collect();
    let link = |file: &&str| format!("<a href=\"{}\">{}</a>", address(file), text(file));
    let files: Vec<String> = cup.files.iter().map(link).collect();
    let files =
        if files.is_empty() { String::new() } else { format!("<p>Beside this page: {}.</p>\n", files.join(", ")) };
    section("conditions", "How it was played", &format!("<dl>\n{list}</dl>\n{files}"))
}
