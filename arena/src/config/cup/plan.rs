//! A cup's format with its settings. What a format does with them is its own business.

use super::keys::{self, entrant, offset_of, table, whole};
use crate::config::toml_error::TomlSection;
use crate::config::{ConfigError, shown, suggest};
use std::time::Duration;

/// The formats, as `format` names them.
pub const FORMATS: [&str; 7] =
    ["round-robin", "gauntlet", "knockout", "double-elimination", "swiss", "sprt", "until-ranked"];

/// A format with its settings.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// Everyone against everyone.
    RoundRobin,
    /// Each challenger against everyone who is none.
    Gauntlet {
        /// Their places in the cup's list of bots.
        challengers: Vec<usize>,
    },
    /// Who loses is out.
    Knockout,
    /// Who loses twice is out.
    DoubleElimination,
    /// Rounds of bots with like points.
    Swiss {
        /// How many.
        rounds: u32,
    },
    /// Two bots, until a likelihood ratio tells which of two Elo differences holds.
    Sprt {
        /// The difference of the first hypothesis.
        elo0: f64,
        /// The difference of the second, greater.
        elo1: f64,
        /// The chance of taking the second though the first holds.
        alpha: f64,
        /// The chance of taking the first though the second holds.
        beta: f64,
        /// Pairs that are planned at a time.
        batch: u32,
        /// Pairs after which it ends undecided.
        max_pairs: u32,
    },
    /// Everyone, until neighbours in the ranking are told apart.
    UntilRanked {
        /// How sure that must be, above one half and below 1.
        confidence: f64,
        /// Pairs that are planned at a time.
        batch: u32,
        /// Matches after which it ends.
        max_matches: Option<u64>,
        /// Time after which it ends, with the batch.
        max_time: Option<Duration>,
    },
}

/// Pairs in a batch of a format that decides as it goes.
const BATCH: i64 = 8;
/// What an adaptive format is stopped at when the file names no bound: equal bots are never told apart.
const MOST_PAIRS: i64 = 10_000;
const MOST_MATCHES: u64 = 10_000;

const SHARE: (&str, fn(f64) -> bool) = ("above 0 and at most 0.5", |share| share > 0.0 && share <= 0.5);
const SURE: (&str, fn(f64) -> bool) = ("above 0.5 and below 1", |share| share > 0.5 && share < 1.0);
const ELO: (&str, fn(f64) -> bool) = ("from -2000 to 2000", |elo| elo.abs() <= 2000.0);

impl Plan {
    /// The format, as `format` names it.
    pub fn word(&self) -> &'static str {
        FORMATS[match self {
            Plan::RoundRobin => 0,
            Plan::Gauntlet { .. } => 1,
            Plan::Knockout => 2,
            Plan::DoubleElimination => 3,
            Plan::Swiss { .. } => 4,
            Plan::Sprt { .. } => 5,
            Plan::UntilRanked { .. } => 6,
        }]
    }

    /// Whether finished matches stay good when bots or pairs are added: not where later pairings follow from results.
    pub(super) fn can_grow(&self) -> bool {
        matches!(self, Plan::RoundRobin | Plan::Gauntlet { .. })
    }
}

/// The format's word, and that no other format's table is there.
pub(super) fn read_format(root: &TomlSection<'_>) -> Result<&'static str, ConfigError> {
    const EXAMPLE: &str = "format = \"round-robin\"";
    let format = match root.text("format", EXAMPLE)? {
        None => FORMATS[0],
        Some(given) => FORMATS.into_iter().find(|word| *word == given.value).ok_or_else(|| {
            let way_out = match suggest(&given.value, FORMATS) {
                Some(meant) => format!(", did you mean `{meant}`?"),
                None => format!(": the formats are {}", FORMATS.join(", ")),
            };
            root.error_at(given.offset, &format!("there is no format {}{way_out}", shown(&given.value)))
        })?,
    };
    for other in FORMATS.into_iter().filter(|other| *other != format) {
        let table = other.replace('-', "_");
        if let Some(offset) = offset_of(root, &table) {
            let why = format!(
                "[{table}] is for the format `{other}`, but this cup's is `{format}`: write format = \"{other}\", or leave \
                 the table out"
            );
            return Err(root.error_at(offset, &why));
        }
    }
    Ok(format)
}

/// The format with its settings, for bots of these names.
pub(super) fn read_plan(root: &TomlSection<'_>, format: &str, names: &[&str]) -> Result<Plan, ConfigError> {
    Ok(match format {
        "gauntlet" => Plan::Gauntlet { challengers: read_challengers(root, names)? },
        "knockout" => Plan::Knockout,
        "double-elimination" => Plan::DoubleElimination,
        "swiss" => Plan::Swiss { rounds: read_rounds(root, names.len())? },
        "sprt" => read_sprt(root, names)?,
        "until-ranked" => read_until_ranked(root)?,
        _ => Plan::RoundRobin,
    })
}

/// The first bot, where the file does not say.
fn read_challengers(root: &TomlSection<'_>, names: &[&str]) -> Result<Vec<usize>, ConfigError> {
    const EXAMPLE: &str = "challengers = [\"mine\"]";
    let Some(section) = table(root, "gauntlet")? else { return Ok(vec![0]) };
    let given = section.texts("challengers", EXAMPLE)?.ok_or_else(|| section.missing("challengers", EXAMPLE))?;
    let mut challengers = Vec::new();
    for name in &given.value {
        let place = entrant(&section, "challengers", name, given.offset, names)?;
        if challengers.contains(&place) {
            return Err(section.error_at(given.offset, &format!("`challengers` names {} twice", shown(name))));
        }
        challengers.push(place);
    }
    if challengers.is_empty() || challengers.len() == names.len() {
        let which = if challengers.is_empty() { "no bot" } else { "every bot" };
        let why = format!("`challengers` names {which}: a gauntlet has challengers, and others that they are to beat");
        return Err(section.error_at(given.offset, &why));
    }
    Ok(challengers)
}

/// As many rounds as tell a single best bot, where the file does not say.
fn read_rounds(root: &TomlSection<'_>, bots: usize) -> Result<u32, ConfigError> {
    let rounds = match table(root, "swiss")? {
        Some(section) => whole(&section, "rounds", 1, 1000, "rounds = 5")?,
        None => None,
    };
    Ok(rounds.map_or(bots.next_power_of_two().trailing_zeros(), |rounds| rounds.value as u32))
}

fn read_sprt(root: &TomlSection<'_>, names: &[&str]) -> Result<Plan, ConfigError> {
    if names.len() != 2 {
        let offset = offset_of(root, "format").unwrap_or_default();
        let why = format!("the format `sprt` compares two bots, but the cup has {}: {}", names.len(), names.join(", "));
        return Err(root.error_at(offset, &why));
    }
    let Some(section) = table(root, "sprt")? else { return Ok(sprt_of([0.0, 20.0], [0.05; 2], BATCH, MOST_PAIRS)) };
    let elo0 = keys::number(&section, "elo0", ELO, "elo0 = 0")?.unwrap_or(0.0);
    let elo1 = keys::number(&section, "elo1", ELO, "elo1 = 20")?.unwrap_or(20.0);
    if elo0 >= elo1 {
        let offset = offset_of(&section, "elo1").or(offset_of(&section, "elo0")).unwrap_or_default();
        return Err(section.error_at(offset, &format!("`elo1` is {elo1}, but must be above `elo0`, which is {elo0}")));
    }
    let alpha = keys::number(&section, "alpha", SHARE, "alpha = 0.05")?.unwrap_or(0.05);
    let beta = keys::number(&section, "beta", SHARE, "beta = 0.05")?.unwrap_or(0.05);
    let most = whole(&section, "max_pairs", 1, super::MOST_PAIRS, "max_pairs = 10000")?;
    let most = most.map_or(MOST_PAIRS, |most| most.value);
    Ok(sprt_of([elo0, elo1], [alpha, beta], read_batch(&section)?, most))
}

fn sprt_of([elo0, elo1]: [f64; 2], [alpha, beta]: [f64; 2], batch: i64, max_pairs: i64) -> Plan {
    Plan::Sprt { elo0, elo1, alpha, beta, batch: batch as u32, max_pairs: max_pairs as u32 }
}

fn read_until_ranked(root: &TomlSection<'_>) -> Result<Plan, ConfigError> {
    let (mut confidence, mut batch, mut max_matches, mut max_time) = (0.95, BATCH, None, None);
    if let Some(section) = table(root, "until_ranked")? {
        confidence = keys::number(&section, "confidence", SURE, "confidence = 0.95")?.unwrap_or(confidence);
        batch = read_batch(&section)?;
        let most = whole(&section, "max_matches", 1, 2 * super::MOST_PAIRS, "max_matches = 1000")?;
        max_matches = most.map(|most| most.value as u64);
        max_time = super::settings::positive(&section, "max_time")?;
    }
    if max_time.is_none() {
        max_matches = max_matches.or(Some(MOST_MATCHES));
    }
    Ok(Plan::UntilRanked { confidence, batch: batch as u32, max_matches, max_time })
}

fn read_batch(section: &TomlSection<'_>) -> Result<i64, ConfigError> {
    Ok(whole(section, "batch", 1, 10_000, "batch = 8")?.map_or(BATCH, |batch| batch.value))
}
