//! Cup files that the arena writes: the one behind `--game G --bot A --bot B`, and the commented one to start from.

use super::{Broken, Cup, cup_from_text};
use crate::clock::Clock;
use crate::config::ConfigError;
use crate::config::names::name_from;
use crate::game::{OPENING, Params};
use crate::games::find;
use crate::isolation::Mode;
use crate::table::Thinking;
use crate::tournament::formats::FORMATS;
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

/// A cup as the command line has it. What is `None` or empty is left to the cup file's defaults.
#[derive(Clone, Debug, Default)]
pub struct CupParts<'a> {
    /// The cup's name; the game's when there is none.
    pub name: Option<&'a str>,
    /// The game.
    pub game: &'a str,
    /// The bots, in any BOT form.
    pub bots: &'a [String],
    /// What each is called; empty where that is left to them.
    pub names: &'a [String],
    /// The format. In a gauntlet the first bot is the challenger.
    pub format: Option<&'a str>,
    /// Paired matches per pairing and parameter set.
    pub pairs: Option<u64>,
    /// The cup's seed.
    pub seed: Option<u64>,
    /// Parameters; a list makes a grid, as in a file.
    pub params: Params,
    /// The limits of every match; a limit of `None` in it is the cup file's default.
    pub clock: Option<Clock>,
    /// Whether legal moves are sent in every game.
    pub hints: bool,
    /// What a bot may do in its rival's turn.
    pub thinking: Thinking,
    /// How bots are confined that do not come with the arena.
    pub isolation: Option<Mode>,
    /// Further tables, as a cup file has them.
    pub tables: &'a str,
}

/// The cup of these parts: its text is written, and read through the checks that a file goes through. `folder` is the
/// folder that relative paths are taken from.
pub fn cup_from_parts(parts: &CupParts<'_>, folder: &Path, bundled_dir: &Path) -> Result<Cup, ConfigError> {
    const LABEL: &str = "the cup";
    cup_from_text(&written(parts), LABEL, folder, bundled_dir, Broken::Refuse, None).map_err(|error| {
        // Lines of a text that nobody wrote would only puzzle.
        let numbered = error.0.strip_prefix(LABEL).and_then(|rest| rest.strip_prefix(':'));
        let message =
            numbered.map(|rest| rest.trim_start_matches(|c: char| c == ':' || c.is_ascii_digit()).trim_start());
        ConfigError(message.unwrap_or(&error.0).to_string())
    })
}

/// A commented cup file of this game, to be edited: against bundled bots, and those of a pattern where one is given. It
/// is called what comes nearest to `title`.
pub fn template(title: &str, game: &str, bots_glob: Option<&str>) -> String {
    let name = format!("name = {}", quoted(&name_from(title)));
    let format = format!("format = {}", quoted(FORMATS[0].id));
    let others: Vec<&str> = FORMATS[1..].iter().map(|format| format.id).collect();
    let mut text = format!(
        "# A cup: run it with `arena tournament run`, and again to go on where it stopped.\n\
         {name:<27}# results go to results/NAME/\n\
         game = {}\n\
         {format:<27}# or {}\n\
         pairs = 10                 # paired matches of each two bots: the same start, seats swapped\n\
         seed = 1                   # the same seed and deterministic bots give the same results\n\
         # hints = true             # send the legal moves in every game\n\
         # jobs = 2                 # matches at a time\n\
         # thinking = \"any\"         # let bots think in their rival's turn too\n\n\
         [clock]\n\
         start = \"10s\"              # from the start of a bot until it is ready\n\
         move = \"1s\"                # for one move\n\
         # game = \"2m\"              # a bank for all moves of a match\n\
         # increment = \"1s\"         # added to the bank after each move\n",
        quoted(game),
        others.join(", "),
    );
    text.push_str(&template_params(game));
    if let Some(pattern) = bots_glob {
        let _ = write!(text, "\n[[bots]]\npath = {}   # a folder, a file, or a pattern of them\n", quoted(pattern));
    }
    text.push_str(
        "\n[[bots]]\nbot = \"random\"             # a bundled bot, or a command line\n\
         # name = \"other\"           # what it is called in this cup\n\
         # authors = [\"id1\"]        # who it belongs to\n\
         \n[[bots]]\nbot = \"greedy\"\n\n\
         # [isolation]              # of bots that do not come with the arena, from the system and from one another\n\
         # mode = \"strict\"          # or best-effort; none is for bots that you would run yourself\n\
         # read = [\"/opt/python\"]   # what they may read besides /usr and their own files: interpreters, data\n\
         # users = \"61000-61999\"    # whose processes they are, when the arena is root's\n\n\
         # [limits]                 # for each bot\n\
         # memory = \"512MiB\"        # of all its processes together\n\
         # processes = 64           # and threads\n\
         # files = \"16MiB\"          # the largest file that it may write\n\
         # temp = \"32MiB\"           # what its temporary folder holds\n\
         # cpu = \"60s\"              # processor time in a match; none when left out\n\n\
         # [build]                  # of the build steps in bot.toml\n\
         # time = \"10m\"\n\
         # network = true           # whether they have the machine's network, when bots are confined\n\n\
         # [grades]                 # who has passed, in grades.csv\n\
         # pass_against = \"random\"\n\
         # pass_pct = 60            # of the points against it\n",
    );
    text
}

fn template_params(game: &str) -> String {
    let mut text =
        "\n[params]                   # a list makes a grid; several [[params]] are so many sets\n".to_string();
    for spec in find(game).map(|game| game.params()).unwrap_or_default() {
        let is_opening = spec.name == OPENING.name;
        if is_opening {
            text += "# With opening = 0, two bots that draw no lots play one match again and again.\n";
        }
        let line = match is_opening {
            true => format!("{} = 4", spec.name),
            false => format!("# {} = {}", spec.name, spec.default.unwrap_or("…")),
        };
        let _ = writeln!(text, "{line:<27}# {}; {}", spec.help, spec.kind.allowed());
    }
    text
}

fn written(parts: &CupParts<'_>) -> String {
    let name = parts.name.map_or_else(|| name_from(parts.game), String::from);
    let mut lines = vec![format!("name = {}", quoted(&name)), format!("game = {}", quoted(parts.game))];
    lines.extend(parts.format.map(|format| format!("format = {}", quoted(format))));
    lines.extend(parts.pairs.map(|pairs| format!("pairs = {pairs}")));
    lines.extend(parts.seed.map(|seed| format!("seed = {seed}")));
    lines.extend(parts.hints.then(|| "hints = true".to_string()));
    lines.push(format!("thinking = {}", quoted(parts.thinking.as_str())));
    lines.extend(parts.clock.iter().flat_map(clock_lines));
    lines.extend(parts.isolation.map(|mode| format!("[isolation]\nmode = {}", quoted(mode.as_str()))));
    if !parts.params.is_empty() {
        lines.push("[params]".to_string());
    }
    // JSON's texts, numbers and lists are TOML's.
    lines.extend(parts.params.iter().map(|(key, value)| format!("{} = {value}", quoted(key))));
    for (place, bot) in parts.bots.iter().enumerate() {
        lines.push(format!("[[bots]]\nbot = {}", quoted(bot)));
        lines.extend(parts.names.get(place).map(|name| format!("name = {}", quoted(name))));
    }
    lines.extend((!parts.tables.is_empty()).then(|| parts.tables.to_string()));
    lines.join("\n") + "\n"
}

fn clock_lines(clock: &Clock) -> Vec<String> {
    let increment = Some(clock.increment).filter(|increment| !increment.is_zero());
    let times = [
        ("start", clock.start),
        ("move", clock.per_move),
        ("game", clock.game),
        ("increment", increment),
        ("stop", Some(clock.stop)),
    ];
    let written = times.into_iter().filter_map(|(key, time)| Some(format!("{key} = {}", duration(time?))));
    std::iter::once("[clock]".to_string()).chain(written).collect()
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// In the largest of the small units that keeps it exact, to the microsecond.
fn duration(time: Duration) -> String {
    let micros = time.as_micros();
    quoted(&if micros.is_multiple_of(1000) { format!("{}ms", micros / 1000) } else { format!("{micros}us") })
}
