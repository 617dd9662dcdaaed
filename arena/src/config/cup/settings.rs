//! The settings of a cup besides format, parameters and bots: clock, cores, limits, isolation, building, grades.

use super::keys::{entrant, offset_of, table, whole};
use crate::clock::Clock;
use crate::config::toml_error::TomlSection;
use crate::config::{ConfigError, shown, shown_path, suggest};
use crate::isolation::{Mode, Settings};
use crate::table::Thinking;
use crate::transport::{Limits, cores};
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

/// How long a bot's build step may take when the cup does not say.
pub const BUILD_TIME: Duration = Duration::from_secs(600);

/// When an author has passed.
#[derive(Clone, Debug, PartialEq)]
pub struct Grades {
    /// The bot to be held against: its place in the cup's list.
    pub pass_against: usize,
    /// The percentage of the points against it that is needed, from 0 to 100.
    pub pass_pct: f64,
}

pub(super) fn read_clock(root: &TomlSection<'_>) -> Result<Clock, ConfigError> {
    let mut clock = Clock::default();
    let Some(section) = table(root, "clock")? else { return Ok(clock) };
    clock.start = positive(&section, "start")?.or(clock.start);
    clock.per_move = positive(&section, "move")?.or(clock.per_move);
    clock.game = positive(&section, "game")?;
    if let Some(stop) = section.duration("stop")? {
        clock.stop = stop.value;
    }
    if let Some(increment) = section.duration("increment")? {
        if clock.game.is_none() && !increment.value.is_zero() {
            let why = "`increment` is added to a bank, and there is none: write game = \"2m\" beside it";
            return Err(section.error_at(increment.offset, why));
        }
        clock.increment = increment.value;
    }
    Ok(clock)
}

/// A duration above zero, if the key is there.
pub(super) fn positive(section: &TomlSection<'_>, key: &str) -> Result<Option<Duration>, ConfigError> {
    match section.duration(key)? {
        Some(time) if time.value.is_zero() => {
            Err(section.error_at(time.offset, &format!("`{key}` is no time at all: it must be above 0")))
        }
        time => Ok(time.map(|time| time.value)),
    }
}

/// One entry a slot. Slots that share a core are allowed, and noted.
pub(super) fn read_cores(
    root: &TomlSection<'_>,
    jobs: Option<usize>,
    notes: &mut Vec<String>,
) -> Result<Option<Vec<Vec<usize>>>, ConfigError> {
    let Some(given) = root.texts("cores", "cores = [\"0\", \"1\"]")? else { return Ok(None) };
    let read =
        |text: &String| cores::parse_list(text).map_err(|why| root.error_at(given.offset, &format!("`cores`: {why}")));
    let slots = given.value.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let needed = jobs.unwrap_or(1);
    if slots.len() < needed {
        let why = format!(
            "`cores` has {} entries, but `jobs` is {needed}: each match that is played at the same time needs one",
            slots.len()
        );
        return Err(root.error_at(given.offset, &why));
    }
    for (place, slot) in slots.iter().enumerate() {
        if let Some(core) = slot.iter().find(|core| slots[..place].iter().any(|before| before.contains(core))) {
            notes.push(format!(
                "core {core} is in several entries of `cores`: matches that share it disturb each other"
            ));
            break;
        }
    }
    Ok(Some(slots))
}

pub(super) fn read_thinking(root: &TomlSection<'_>) -> Result<Thinking, ConfigError> {
    let Some(given) = root.text("thinking", "thinking = \"own-turn\"")? else { return Ok(Thinking::default()) };
    match given.value.as_str() {
        "own-turn" => Ok(Thinking::OwnTurn),
        "any" => Ok(Thinking::Any),
        other => {
            let why = format!("`thinking` is {}, but must be \"own-turn\" or \"any\"", shown(other));
            Err(root.error_at(given.offset, &why))
        }
    }
}

pub(super) fn read_limits(root: &TomlSection<'_>) -> Result<Limits, ConfigError> {
    let mut limits = Limits::default();
    let Some(section) = table(root, "limits")? else { return Ok(limits) };
    limits.file_bytes = section.size("files")?.map(|size| size.value);
    limits.memory_bytes = section.size("memory")?.map(|size| size.value);
    limits.temp_bytes = section.size("temp")?.map(|size| size.value);
    limits.processes = whole(&section, "processes", 1, 1 << 20, "processes = 64")?.map(|number| number.value as u64);
    if let Some(cpu) = section.duration("cpu")? {
        if cpu.value.as_secs() == 0 || cpu.value.subsec_nanos() > 0 {
            let why = "`cpu` must be in whole seconds, from \"1s\": processor time is limited no finer";
            return Err(section.error_at(cpu.offset, why));
        }
        limits.cpu_seconds = Some(cpu.value.as_secs());
    }
    Ok(limits)
}

/// Limits that need confinement are refused without it, rather than not held.
pub(super) fn check_limits(root: &TomlSection<'_>, limits: &Limits, mode: Mode) -> Result<(), ConfigError> {
    let Some(section) = table(root, "limits")?.filter(|_| mode == Mode::None) else { return Ok(()) };
    for (key, given) in [("processes", limits.processes.is_some()), ("temp", limits.temp_bytes.is_some())] {
        if given {
            let why =
                format!("`{key}` is held by isolation only: leave it out, or leave mode = \"none\" out of [isolation]");
            return Err(section.error_at(offset_of(&section, key).unwrap_or_default(), &why));
        }
    }
    Ok(())
}

/// How bots are confined: where the cup does not say, as was `asked`, else strictly. Paths are taken from `folder`.
pub(super) fn read_isolation(
    root: &TomlSection<'_>,
    folder: &Path,
    asked: Option<Mode>,
) -> Result<Settings, ConfigError> {
    let mut settings = Settings { mode: asked.unwrap_or(Mode::Strict), ..Settings::default() };
    let Some(section) = table(root, "isolation")? else { return Ok(settings) };
    if let Some(mode) = section.text("mode", "mode = \"strict\"")? {
        settings.mode = Mode::parse(&mode.value).ok_or_else(|| {
            let why = match suggest(&mode.value, Mode::WORDS) {
                Some(meant) => format!("there is no mode {}, did you mean `{meant}`?", shown(&mode.value)),
                None => format!("there is no mode {}: the modes are {}", shown(&mode.value), Mode::WORDS.join(", ")),
            };
            section.error_at(mode.offset, &why)
        })?;
        if let Some(asked) = asked.filter(|asked| *asked != settings.mode) {
            let why = format!(
                "the cup says mode = \"{}\", but --isolation says {}: leave one of them out",
                settings.mode.as_str(),
                asked.as_str()
            );
            return Err(section.error_at(mode.offset, &why));
        }
    }
    if let Some(read) = section.texts("read", "read = [\"/opt/python\"]")? {
        settings.read = read.value.iter().map(|path| folder.join(path)).collect();
    }
    if let Some(users) = section.text("users", "users = \"61000-61999\"")? {
        settings.users = read_users(&users.value).ok_or_else(|| {
            let why = format!("`users` is {}, but must be two numbers, like \"61000-61999\"", shown(&users.value));
            section.error_at(users.offset, &why)
        })?;
    }
    Ok(settings)
}

/// What bots are to be shown has to be there.
pub(super) fn check_read(root: &TomlSection<'_>, settings: &Settings) -> Result<(), ConfigError> {
    let (Some(section), Some(path)) = (table(root, "isolation")?, settings.read.iter().find(|path| !path.exists()))
    else {
        return Ok(());
    };
    let why = format!("`read` names {}, which is not there", shown_path(path));
    Err(section.error_at(offset_of(&section, "read").unwrap_or_default(), &why))
}

/// The text of a cup that says how bots are confined, so that it is the same cup wherever it is read.
///
/// # Errors
/// Its text says something else of isolation in a form that nothing can be added to.
pub(super) fn with_mode(root: &TomlSection<'_>, text: &str, mode: Mode) -> Result<String, ConfigError> {
    const HEADER: &str = "[isolation]\n";
    let line = format!("mode = \"{}\"\n", mode.as_str());
    let Some(section) = table(root, "isolation")? else {
        let end = if text.ends_with('\n') { "" } else { "\n" };
        return Ok(format!("{text}{end}\n{HEADER}{line}"));
    };
    if offset_of(&section, "mode").is_some() {
        return Ok(text.to_string());
    }
    let says_so = |text: &String| {
        let table = text.parse::<toml::Table>().unwrap_or_default();
        table.get("isolation").and_then(|table| table.get("mode")?.as_str()) == Some(mode.as_str())
    };
    [text.replacen(HEADER, &format!("{HEADER}{line}"), 1), format!("isolation.{line}{text}")]
        .into_iter()
        .find(says_so)
        .ok_or_else(|| section.missing("mode", &line))
}

fn read_users(text: &str) -> Option<RangeInclusive<u32>> {
    let (first, last) = text.split_once('-')?;
    let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    (first < last && last - first < 100_000).then_some(first..=last)
}

pub(super) fn read_build_network(root: &TomlSection<'_>) -> Result<bool, ConfigError> {
    let Some(section) = table(root, "build")? else { return Ok(false) };
    Ok(section.truth("network")?.is_some_and(|network| network.value))
}

pub(super) fn read_build_time(root: &TomlSection<'_>) -> Result<Duration, ConfigError> {
    let Some(section) = table(root, "build")? else { return Ok(BUILD_TIME) };
    Ok(positive(&section, "time")?.unwrap_or(BUILD_TIME))
}

pub(super) fn read_grades(root: &TomlSection<'_>, names: &[&str]) -> Result<Option<Grades>, ConfigError> {
    const AGAINST: &str = "pass_against = \"random\"";
    const PCT: &str = "pass_pct = 60";
    let Some(section) = table(root, "grades")? else { return Ok(None) };
    let against = section.text("pass_against", AGAINST)?.ok_or_else(|| section.missing("pass_against", AGAINST))?;
    let pass_against = entrant(&section, "pass_against", &against.value, against.offset, names)?;
    let pct = section.number("pass_pct", PCT)?.ok_or_else(|| section.missing("pass_pct", PCT))?;
    if !(0.0..=100.0).contains(&pct.value) {
        return Err(section.error_at(pct.offset, &format!("`pass_pct` is {}, but must be from 0 to 100", pct.value)));
    }
    Ok(Some(Grades { pass_against, pass_pct: pct.value }))
}
