//! The cup file: a tournament as a person wrote it, read and checked before anything is played.
//!
//! Files are looked at, no bot is started. What a format does with its settings, and where results go, is decided
//! elsewhere; what a parameter may be, by the game.

mod changes;
mod entrants;
mod keys;
mod parts;
mod pattern;
mod plan;
mod played;
mod sets;
mod settings;
mod submitted;

pub use changes::{Change, Remedy, bot_changes, setting_changes};
pub use entrants::{Broken, CupBot};
pub use parts::{CupParts, cup_from_parts, template};
pub use played::{played_cup, played_in};
pub use settings::{BUILD_TIME, Grades};
pub use submitted::{Filed, other_version};

use super::names::is_valid;
use super::toml_error::{TomlFile, TomlSection};
use super::{ConfigError, NAME_RULE, escaped, shown, suggest};
use crate::clock::Clock;
use crate::game::{AnyGame, Params};
use crate::games::{GAMES, find};
use crate::isolation::{Mode, Settings};
use crate::seed::SEED_LIMIT;
use crate::table::Thinking;
use crate::tournament::Field;
use crate::tournament::formats::Plan;
use crate::transport::Limits;
use entrants::Entrants;
use std::path::{Path, PathBuf, absolute};
use std::time::Duration;

const MOST_PAIRS: i64 = 1_000_000;
const MOST_JOBS: i64 = 1024;

/// A checked cup.
#[derive(Clone)]
pub struct Cup {
    /// Its name, which becomes a folder: by the rule for names.
    pub name: String,
    /// What is played.
    pub game: &'static dyn AnyGame,
    /// Who plays whom.
    pub plan: Plan,
    /// The time after which no further batch is planned, where the file says it (only `until-ranked`).
    pub max_time: Option<Duration>,
    /// Paired matches per pairing and parameter set, at least one.
    pub pairs: u32,
    /// The cup's seed, below 2^53; 1 when the file names none.
    pub seed: u64,
    /// The parameter sets, at least one: constant defaults filled in, what each match's seed deals left out.
    pub sets: Vec<Params>,
    /// The limits of every match.
    pub clock: Clock,
    /// Whether legal moves are sent also in games that do not always list them.
    pub hints: bool,
    /// Matches at a time, where the file says it.
    pub jobs: Option<usize>,
    /// The cores of each slot, where the file says it; at least as many as `jobs`.
    pub cores: Option<Vec<Vec<usize>>>,
    /// What a bot may do in its rival's turn.
    pub thinking: Thinking,
    /// Whether a bot that asks for it plays further matches in the same process, where the file says it.
    pub reuse: Option<bool>,
    /// How bots are confined that do not come with the arena.
    pub isolation: Settings,
    /// The folder that relative paths are taken from.
    pub home: PathBuf,
    /// Whether build steps have the machine's network.
    pub build_network: bool,
    /// What the kernel limits, for each bot.
    pub limits: Limits,
    /// How long a bot's build step may take.
    pub build_time: Duration,
    /// When an author has passed, where the file says it.
    pub grades: Option<Grades>,
    /// The entrants, at least two, in the order of the file; their names are unique whatever the case.
    pub bots: Vec<CupBot>,
    /// Why bots were left out, where [`Broken::Skip`] was asked for.
    pub skipped: Vec<ConfigError>,
    /// What the organiser should be told of how the file was read, in sentences.
    pub notes: Vec<String>,
    /// The file as it was read, completed with what was asked for beside it.
    pub text: String,
}

impl Cup {
    /// What a format needs to know of it.
    pub fn field(&self) -> Field {
        let names = self.bots.iter().map(|bot| bot.spec.name.clone()).collect();
        Field { names, sets: self.sets.clone(), pairs: self.pairs, seed: self.seed }
    }
}

/// Reads a cup file. Relative paths in it are taken from its folder; `bundled_dir` is the folder of the arena's own
/// program. The first thing that is wrong is told with file and line.
pub fn read_cup(path: &Path, bundled_dir: &Path) -> Result<Cup, ConfigError> {
    read_cup_with(path, bundled_dir, Broken::Refuse, None)
}

/// The same, bots that cannot be read dealt with as asked, and bots confined as asked where the file does not say how.
pub fn read_cup_with(
    path: &Path,
    bundled_dir: &Path,
    broken: Broken,
    isolation: Option<Mode>,
) -> Result<Cup, ConfigError> {
    let label = escaped(&path.to_string_lossy());
    let file = TomlFile::read(path, &label)?;
    let whole = absolute(path).map_err(|error| ConfigError(format!("{label} cannot be used: {error}")))?;
    let place = Place { folder: whole.parent().unwrap_or(Path::new("/")), bundled_dir, broken, isolation };
    read(&file, &place)
}

/// The same for a text that was read already, as of a folder that the file is not in (the copy beside a cup's results);
/// `label` is what errors call it.
pub fn cup_from_text(
    text: &str,
    label: &str,
    folder: &Path,
    bundled_dir: &Path,
    broken: Broken,
    isolation: Option<Mode>,
) -> Result<Cup, ConfigError> {
    let place = Place { folder, bundled_dir, broken, isolation };
    read(&TomlFile::from_bytes(label, text.as_bytes().to_vec())?, &place)
}

/// Where a cup's bots are looked for, and how.
struct Place<'a> {
    folder: &'a Path,
    bundled_dir: &'a Path,
    broken: Broken,
    /// How bots are confined where the file does not say.
    isolation: Option<Mode>,
}

fn read(file: &TomlFile, place: &Place<'_>) -> Result<Cup, ConfigError> {
    let cup = read_for(file, place.folder, place.isolation, |root, game| entrants::read_entrants(root, game, place))?;
    settings::check_read(&file.root()?, &cup.isolation)?;
    Ok(cup)
}

/// A cup that was begun, from the copy of its file beside its results; its bots are those that played it, whatever has
/// become of them since.
fn begun_cup(text: &str, label: &str, home: &Path, bots: Vec<CupBot>) -> Result<Cup, ConfigError> {
    let file = TomlFile::from_bytes(label, text.as_bytes().to_vec())?;
    read_for(&file, home, None, |_, _| Ok(Entrants { bots, skipped: Vec::new(), notes: Vec::new() }))
}

fn read_for(
    file: &TomlFile,
    home: &Path,
    asked: Option<Mode>,
    entrants: impl FnOnce(&TomlSection<'_>, &dyn AnyGame) -> Result<Entrants, ConfigError>,
) -> Result<Cup, ConfigError> {
    let root = file.root()?;
    keys::refuse_unknown(&root)?;
    let name = read_name(&root)?;
    let game = read_game(&root)?;
    let format = plan::read_format(&root)?;
    let seed = read_seed(&root)?;
    let pairs = read_pairs(&root)?;
    let jobs = keys::whole(&root, "jobs", 1, MOST_JOBS, "jobs = 2")?.map(|jobs| jobs.value as usize);
    let mut notes = Vec::new();
    let cores = settings::read_cores(&root, jobs, &mut notes)?;
    let clock = settings::read_clock(&root)?;
    let limits = settings::read_limits(&root)?;
    let isolation = settings::read_isolation(&root, home, asked)?;
    settings::check_limits(&root, &limits, isolation.mode)?;
    let sets = sets::read_sets(&root, game, seed)?;
    let Entrants { bots, skipped, notes: more } = entrants(&root, game)?;
    notes.extend(more);
    notes.extend(bots.iter().flat_map(|bot| bot.spec.notes.iter().map(|note| format!("{}: {note}", bot.spec.name))));
    let names: Vec<&str> = bots.iter().map(|bot| bot.spec.name.as_str()).collect();
    let cup = Cup {
        plan: plan::read_plan(&root, format, &names)?,
        max_time: plan::read_max_time(&root)?,
        grades: settings::read_grades(&root, &names)?,
        name,
        game,
        pairs,
        seed,
        sets,
        clock,
        hints: read_hints(&root)?,
        jobs,
        cores,
        thinking: settings::read_thinking(&root)?,
        reuse: root.truth("reuse")?.map(|reuse| reuse.value),
        isolation,
        home: home.to_path_buf(),
        build_network: settings::read_build_network(&root)?,
        limits,
        build_time: settings::read_build_time(&root)?,
        bots,
        skipped,
        notes,
        text: match asked {
            Some(mode) => settings::with_mode(&root, file.text(), mode)?,
            None => file.text().to_string(),
        },
    };
    plan::check(&root, &cup)?;
    Ok(cup)
}

fn read_name(root: &TomlSection<'_>) -> Result<String, ConfigError> {
    const EXAMPLE: &str = "name = \"spring\"";
    let name = root.text("name", EXAMPLE)?.ok_or_else(|| root.missing("name", EXAMPLE))?;
    if is_valid(&name.value) {
        return Ok(name.value);
    }
    let why = format!("{} cannot be a cup's name, which becomes a folder: a name is {NAME_RULE}", shown(&name.value));
    Err(root.error_at(name.offset, &why))
}

fn read_game(root: &TomlSection<'_>) -> Result<&'static dyn AnyGame, ConfigError> {
    let ids: Vec<&str> = GAMES.iter().map(|game| game.info().id).collect();
    let example = format!("game = \"{}\"", ids[0]);
    let game = root.text("game", &example)?.ok_or_else(|| root.missing("game", &example))?;
    find(&game.value).ok_or_else(|| {
        let way_out = match suggest(&game.value, &ids) {
            Some(meant) => format!(", did you mean `{meant}`?"),
            None => format!(": the games are {}", ids.join(", ")),
        };
        root.error_at(game.offset, &format!("there is no game {}{way_out}", shown(&game.value)))
    })
}

fn read_seed(root: &TomlSection<'_>) -> Result<u64, ConfigError> {
    let seed = keys::whole(root, "seed", 0, SEED_LIMIT as i64 - 1, "seed = 1")?;
    Ok(seed.map_or(1, |seed| seed.value as u64))
}

fn read_pairs(root: &TomlSection<'_>) -> Result<u32, ConfigError> {
    Ok(keys::whole(root, "pairs", 1, MOST_PAIRS, "pairs = 10")?.map_or(1, |pairs| pairs.value as u32))
}

fn read_hints(root: &TomlSection<'_>) -> Result<bool, ConfigError> {
    Ok(root.truth("hints")?.is_some_and(|hints| hints.value))
}
