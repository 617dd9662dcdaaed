//! A cup's format with its settings. What a format does with them is its own business.

use super::keys::{entrant, number, offset_of, table, whole};
use crate::config::toml_error::TomlSection;
use crate::config::{ConfigError, shown, suggest};
use std::time::Duration;

/// The formats, as `format` names them.
pub const FORMATS: [&str; 7] =
    ["round-robin", "gauntlet", "knockout", "double-elimination", "swiss", "sprt", "until-ranked"];

/// A format with its settings. What is `None` is left to the format.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// Everybody against everybody.
    RoundRobin,
    /// The challengers against everybody, one another included.
    Gauntlet {
        /// Their places in the cup's list of bots, at least one, each once.
        challengers: Vec<usize>,
    },
    /// Who loses is out.
    Knockout,
    /// Who has lost twice is out.
    DoubleElimination,
    /// Rounds among equals.
    Swiss {
        /// How many.
        rounds: Option<u32>,
    },
    /// Is the first of two bots stronger than the second?
    Sprt {
        /// The lead of the first bot, in Elo, that is not enough.
        elo0: f64,
        /// The lead that is; above `elo0`.
        elo1: f64,
        /// How often `elo1` may be accepted where `elo0` holds: above 0, below one half.
        alpha: f64,
        /// How often `elo0` may be accepted where `elo1` holds: above 0, below one half.
        beta: f64,
        /// Pairs a batch, at least one.
        batch: u32,
        /// Pairs after which it ends undecided, at least one.
        max_pairs: Option<u32>,
    },
    /// Everybody, until the order of the table is sure.
    UntilRanked {
        /// How sure: above one half, below 1.
        confidence: f64,
        /// Pairs a batch, at least one.
        batch: u32,
        /// Matches in all after which it ends, at least two.
        max_matches: Option<u64>,
    },
}

/// Pairs a batch of a format that decides as it goes, where the file does not say, whatever the number of jobs.
const BATCH: u32 = 8;

const SHARE: (&str, fn(f64) -> bool) = ("above 0 and below 0.5", |share| share > 0.0 && share < 0.5);
const SURE: (&str, fn(f64) -> bool) = ("above 0.5 and below 1", |share| share > 0.5 && share < 1.0);
const ELO: (&str, fn(f64) -> bool) = ("from -2000 to 2000", |elo| elo.abs() <= 2000.0);

impl Plan {
    /// The format, as `format` names it.
    pub fn id(&self) -> &'static str {
        match self {
            Plan::RoundRobin => "round-robin",
            Plan::Gauntlet { .. } => "gauntlet",
            Plan::Knockout => "knockout",
            Plan::DoubleElimination => "double-elimination",
            Plan::Swiss { .. } => "swiss",
            Plan::Sprt { .. } => "sprt",
            Plan::UntilRanked { .. } => "until-ranked",
        }
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
        "swiss" => Plan::Swiss { rounds: read_rounds(root)? },
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
    if challengers.is_empty() {
        let why = format!("`challengers` names no bot: write {EXAMPLE}, or leave it out for the first bot");
        return Err(section.error_at(given.offset, &why));
    }
    Ok(challengers)
}

fn read_rounds(root: &TomlSection<'_>) -> Result<Option<u32>, ConfigError> {
    let Some(section) = table(root, "swiss")? else { return Ok(None) };
    count(&section, "rounds", 1, 1000)
}

fn read_sprt(root: &TomlSection<'_>, names: &[&str]) -> Result<Plan, ConfigError> {
    if names.len() != 2 {
        let offset = offset_of(root, "format").unwrap_or_default();
        let why = format!("the format `sprt` compares two bots, but the cup has {}: {}", names.len(), names.join(", "));
        return Err(root.error_at(offset, &why));
    }
    let (mut elo0, mut elo1, mut alpha, mut beta, mut batch, mut max_pairs) = (0.0, 20.0, 0.05, 0.05, BATCH, None);
    if let Some(section) = table(root, "sprt")? {
        elo0 = number(&section, "elo0", ELO, "elo0 = 0")?.unwrap_or(elo0);
        elo1 = number(&section, "elo1", ELO, "elo1 = 20")?.unwrap_or(elo1);
        alpha = number(&section, "alpha", SHARE, "alpha = 0.05")?.unwrap_or(alpha);
        beta = number(&section, "beta", SHARE, "beta = 0.05")?.unwrap_or(beta);
        batch = read_batch(&section)?;
        max_pairs = count(&section, "max_pairs", 1, super::MOST_PAIRS)?;
        if elo0 >= elo1 {
            let offset = offset_of(&section, "elo1").or(offset_of(&section, "elo0")).unwrap_or_default();
            return Err(
                section.error_at(offset, &format!("`elo1` is {elo1}, but must be above `elo0`, which is {elo0}"))
            );
        }
    }
    Ok(Plan::Sprt { elo0, elo1, alpha, beta, batch, max_pairs })
}

fn read_until_ranked(root: &TomlSection<'_>) -> Result<Plan, ConfigError> {
    let (mut confidence, mut batch, mut max_matches) = (0.95, BATCH, None);
    if let Some(section) = table(root, "until_ranked")? {
        confidence = number(&section, "confidence", SURE, "confidence = 0.95")?.unwrap_or(confidence);
        batch = read_batch(&section)?;
        max_matches = count(&section, "max_matches", 2, 2 * super::MOST_PAIRS)?;
    }
    Ok(Plan::UntilRanked { confidence, batch, max_matches: max_matches.map(u64::from) })
}

/// The time after which no further batch is planned.
pub(super) fn read_max_time(root: &TomlSection<'_>) -> Result<Option<Duration>, ConfigError> {
    let Some(section) = table(root, "until_ranked")? else { return Ok(None) };
    super::settings::positive(&section, "max_time")
}

fn read_batch(section: &TomlSection<'_>) -> Result<u32, ConfigError> {
    Ok(count(section, "batch", 1, 10_000)?.unwrap_or(BATCH))
}

fn count(section: &TomlSection<'_>, key: &str, least: i64, most: i64) -> Result<Option<u32>, ConfigError> {
    let given = whole(section, key, least, most, &format!("{key} = {}", least.max(5)))?;
    Ok(given.map(|given| u32::try_from(given.value).expect("the bounds are those of small numbers")))
}
