//! Durations (`500ms`, `1s`, `2m`) and sizes (`512MiB`) as people write them.

use super::{ConfigError, shown, suggest};
use std::time::Duration;

const TIME_UNITS: [(&str, u64); 6] = [
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
    ("d", 86_400_000_000_000),
];
const SIZE_UNITS: [(&str, u64); 9] = [
    ("B", 1),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
];
/// A year: what is longer is a slip, and would only overflow somewhere later.
const LONGEST_TIME: u64 = 365 * 86_400_000_000_000;
/// 2^60 bytes, for the same reason.
const LARGEST_SIZE: u64 = 1 << 60;

/// Reads a duration: a number, which may have decimals, and `us`, `ms`, `s`, `m`, `h` or `d`; several of them add up
/// (`1m30s`). At most 365 days, exact to the nanosecond.
pub fn parse_duration(text: &str) -> Result<Duration, ConfigError> {
    let form = Form { what: "duration", examples: "`500ms`, `1s` or `2m`", units: &TIME_UNITS };
    let mut rest = text.trim();
    let mut total = 0_u64;
    loop {
        let end = end_of_amount(rest);
        let amount = form.amount(text, &rest[..end])?;
        total = total.saturating_add(amount);
        rest = &rest[end..];
        if rest.is_empty() {
            break;
        }
    }
    if total > LONGEST_TIME {
        return Err(ConfigError(format!("the duration {} is longer than 365 days (`365d`)", shown(text))));
    }
    Ok(Duration::from_nanos(total))
}

/// Reads a size in bytes: a number, which may have decimals, and `B`, `KiB`, `MiB`, `GiB`, `TiB` (powers of 1024) or
/// `kB`, `MB`, `GB`, `TB` (powers of 1000). At most 2^60 bytes.
pub fn parse_size(text: &str) -> Result<u64, ConfigError> {
    let form = Form { what: "size", examples: "`512MiB`, `64KiB` or `2GiB`", units: &SIZE_UNITS };
    let size = form.amount(text, text.trim())?;
    if size > LARGEST_SIZE {
        return Err(ConfigError(format!("the size {} is more than 2^60 bytes (`1048576TiB`)", shown(text))));
    }
    Ok(size)
}

struct Form {
    what: &'static str,
    examples: &'static str,
    units: &'static [(&'static str, u64)],
}

impl Form {
    /// One number with its unit, in the smallest unit; `whole` is what the person wrote. Saturates.
    fn amount(&self, whole: &str, part: &str) -> Result<u64, ConfigError> {
        let (number, unit) = part.split_at(end_of_number(part));
        let unit = unit.trim();
        let (digits, decimals) = number.split_once('.').unwrap_or((number, ""));
        if digits.is_empty() || (number.contains('.') && decimals.is_empty()) || decimals.contains('.') {
            return Err(self.error(whole, "it has no number where one is expected"));
        }
        let Some((_, factor)) = self.units.iter().find(|(word, _)| *word == unit) else {
            return Err(self.unknown_unit(whole, number, unit));
        };
        if digits.len() > 20 || decimals.len() > 18 {
            return Err(self.error(whole, "its number has too many digits"));
        }
        let scale = 10_u128.pow(decimals.len() as u32);
        let number: u128 = format!("{digits}{decimals}").parse().expect("at most 38 digits are a number");
        let scaled = number.saturating_mul(u128::from(*factor));
        if scaled % scale != 0 {
            return Err(self.error(whole, "it has more decimals than can be kept"));
        }
        Ok(u64::try_from(scaled / scale).unwrap_or(u64::MAX))
    }

    fn unknown_unit(&self, whole: &str, number: &str, unit: &str) -> ConfigError {
        if unit.is_empty() {
            return self.error(whole, &format!("`{number}` has no unit"));
        }
        let words = self.units.iter().map(|(word, _)| *word);
        let binary =
            words.clone().find(|word| word.strip_suffix("iB").is_some_and(|stem| stem.eq_ignore_ascii_case(unit)));
        let meant = binary.map(String::from).or_else(|| suggest(unit, words.clone()));
        let way_out = match meant {
            Some(meant) => format!(", did you mean `{number}{meant}`?"),
            None => format!(": it is one of {}", words.collect::<Vec<_>>().join(", ")),
        };
        self.error(whole, &format!("{} is no unit{way_out}", shown(unit)))
    }

    fn error(&self, whole: &str, why: &str) -> ConfigError {
        let shape = format!("write a {} like {}", self.what, self.examples);
        ConfigError(format!("{} is not a {}: {why} ({shape})", shown(whole), self.what))
    }
}

fn end_of_number(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len())
}

/// The end of the first number with its unit: where the next number begins.
fn end_of_amount(text: &str) -> usize {
    let number = end_of_number(text);
    text[number..].find(|c: char| c.is_ascii_digit()).map_or(text.len(), |unit| number + unit)
}
