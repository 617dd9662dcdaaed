//! A cup's format with its settings, as the table of formats checks them.

use super::Cup;
use super::keys::{entrant, named_in, offset_of, table, whole};
use crate::config::toml_error::TomlSection;
use crate::config::{ConfigError, shown, suggest};
use crate::tournament::formats::{self, BATCH, FORMATS, Plan};
use std::time::Duration;

/// The format's word, and that no other format's table is there.
pub(super) fn read_format(root: &TomlSection<'_>) -> Result<&'static str, ConfigError> {
    const EXAMPLE: &str = "format = \"round-robin\"";
    let ids: Vec<&str> = FORMATS.iter().map(|format| format.id).collect();
    let format = match root.text("format", EXAMPLE)? {
        None => ids[0],
        Some(given) => ids.iter().copied().find(|id| *id == given.value).ok_or_else(|| {
            let way_out = match suggest(&given.value, &ids) {
                Some(meant) => format!(", did you mean `{meant}`?"),
                None => format!(": the formats are {}", ids.join(", ")),
            };
            root.error_at(given.offset, &format!("there is no format {}{way_out}", shown(&given.value)))
        })?,
    };
    for other in ids.into_iter().filter(|other| *other != format) {
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
        "sprt" => read_sprt(root)?,
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
    count(&section, "rounds", 1)
}

fn read_sprt(root: &TomlSection<'_>) -> Result<Plan, ConfigError> {
    let (mut elo0, mut elo1, mut alpha, mut beta, mut batch, mut max_pairs) = (0.0, 20.0, 0.05, 0.05, BATCH, None);
    if let Some(section) = table(root, "sprt")? {
        elo0 = number(&section, "elo0", elo0)?;
        elo1 = number(&section, "elo1", elo1)?;
        alpha = number(&section, "alpha", alpha)?;
        beta = number(&section, "beta", beta)?;
        batch = count(&section, "batch", 1)?.unwrap_or(batch);
        max_pairs = count(&section, "max_pairs", 1)?;
    }
    Ok(Plan::Sprt { elo0, elo1, alpha, beta, batch, max_pairs })
}

fn read_until_ranked(root: &TomlSection<'_>) -> Result<Plan, ConfigError> {
    let (mut confidence, mut batch, mut max_matches) = (0.95, BATCH, None);
    if let Some(section) = table(root, "until_ranked")? {
        confidence = number(&section, "confidence", confidence)?;
        batch = count(&section, "batch", 1)?.unwrap_or(batch);
        max_matches = count(&section, "max_matches", 2)?;
    }
    Ok(Plan::UntilRanked { confidence, batch, max_matches: max_matches.map(u64::from) })
}

/// The time after which no further batch is planned.
pub(super) fn read_max_time(root: &TomlSection<'_>) -> Result<Option<Duration>, ConfigError> {
    let Some(section) = table(root, "until_ranked")? else { return Ok(None) };
    super::settings::positive(&section, "max_time")
}

/// Whether the format can be played by these bots; else its complaint, where the key stands that it is about.
pub(super) fn check(root: &TomlSection<'_>, cup: &Cup) -> Result<(), ConfigError> {
    let Err(complaint) = formats::build(&cup.plan, &cup.field()) else { return Ok(()) };
    let settings = table(root, &cup.plan.id().replace('-', "_"))?;
    let key = settings.and_then(|settings| named_in(&settings, &complaint, ""));
    Err(root.error_at(key.or(offset_of(root, "format")).unwrap_or_default(), &complaint))
}

fn number(section: &TomlSection<'_>, key: &str, default: f64) -> Result<f64, ConfigError> {
    Ok(section.number(key, &format!("{key} = {default}"))?.map_or(default, |given| given.value))
}

fn count(section: &TomlSection<'_>, key: &str, least: i64) -> Result<Option<u32>, ConfigError> {
    let given = whole(section, key, least, super::MOST_PAIRS, &format!("{key} = {}", least.max(5)))?;
    Ok(given.map(|given| u32::try_from(given.value).expect("the bounds are those of small numbers")))
}
