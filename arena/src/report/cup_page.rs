//! A cup as one page: who won, standings, cross table, Elo with intervals, scores by parameter, thinking times, faults,
//! and where the matches are. It is drawn without a script, so that it reads the same on paper; what single matches tell
//! comes in through [`Excerpts`], which take a row at a time and keep little.

mod excerpts;

pub use excerpts::Excerpts;

use super::frame;
use crate::game::Params;
use crate::record::ClockRecord;
use crate::tournament::standings::Standings;
use crate::tournament::tally::Tally;

const STYLE: &str = include_str!("cup_page/cup.css");

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
    /// What confined the bots: `none`, or the layers in words.
    pub isolation: &'a str,
    /// The version of the arena.
    pub arena: &'a str,
    /// More of how it was played, a label and a value each: own limits of a bot, the machine, when it began.
    pub facts: &'a [(String, String)],
    /// The parameter sets, in the order of the tally's.
    pub sets: &'a [Params],
    /// The counts of all rows.
    pub tally: &'a Tally,
    /// The table of all parameter sets together, in the format's order.
    pub standings: &'a Standings,
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
}

/// How far a cup has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// How many matches are played.
    pub done: u64,
    /// How many there will be, where that is known.
    pub planned: Option<u64>,
}

/// Writes the page of a cup. Links to matches are relative: the page belongs into the folder of the results.
pub fn cup_page(cup: &CupPage<'_>) -> String {
    frame::page(cup.name, STYLE, None, "")
}
