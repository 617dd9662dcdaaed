//! The command that plays a recorded match again, as a shell takes it from any folder. What it knows of bots is what a
//! transcript and the bots' own folders tell; what confined bots were shown besides their own files is in neither.

use crate::files::read_regular_text;
use crate::isolation::Mode;
use crate::record::{Header, PlayerRecord, Transcript};
use crate::seat::Seat;
use std::path::Path;

/// Starts a program in a folder of its own where a command line would start in the caller's: folder, program, arguments.
const IN_FOLDER: [&str; 4] = ["sh", "-c", r#"cd "$1" && shift && exec "$@""#, "sh"];

/// The command that plays this match again: same game, parameters, seed, limits and isolation, the bots started where they
/// were. A bot whose folder has a bot.toml that starts it is named by that folder, so that its variables are set too.
/// `arena` is the word that starts this program.
pub fn again_command(transcript: &Transcript, arena: &str) -> String {
    let program = std::env::current_exe().ok();
    command(&transcript.header, arena, program.as_deref().and_then(Path::parent))
}

/// The command that asks the bot of a seat the requests of this match again, from any folder; `None` for a person. A
/// bot's variables are set where [`again_command`] would set them. `arena` is the word that starts this program.
pub fn debug_command(transcript: &Transcript, seat: Seat, arena: &str) -> Option<String> {
    let program = std::env::current_exe().ok();
    let file = std::path::absolute(&transcript.path).unwrap_or_else(|_| transcript.path.clone());
    debug(&transcript.header, &file, seat, arena, program.as_deref().and_then(Path::parent))
}

/// [`debug_command`], the arena's own programs being in this folder.
pub(super) fn debug(
    header: &Header,
    file: &Path,
    seat: Seat,
    arena: &str,
    own_programs: Option<&Path>,
) -> Option<String> {
    let player = &header.players[seat.index()];
    let (text, folder) = match Bot::of(player, own_programs) {
        _ if player.command.is_empty() => return None,
        Bot::Anywhere(text) => (text, None),
        Bot::In { folder, words } => (joined(words), Some(folder)),
    };
    let bot = format!("{}={text}", player.name);
    let words =
        [arena, "debug", &*file.to_string_lossy(), "--bot", &bot, "--seat", &seat.to_string()].map(String::from);
    let command = joined(&words);
    Some(folder.map(|folder| format!("cd {} && {command}", joined(&[folder]))).unwrap_or(command))
}

/// [`again_command`], the arena's own programs being in this folder.
pub(super) fn command(header: &Header, arena: &str, own_programs: Option<&Path>) -> String {
    let bots = header.players.each_ref().map(|player| Bot::of(player, own_programs));
    let folder = bots.iter().find_map(|bot| match bot {
        Bot::In { folder, .. } => Some(*folder),
        Bot::Anywhere(_) => None,
    });
    let mut words: Vec<String> = [arena, "match", &header.game].map(String::from).into();
    for (player, bot) in header.players.iter().zip(&bots) {
        let text = match bot {
            Bot::Anywhere(text) => text.clone(),
            Bot::In { folder: own, words } if Some(*own) == folder => joined(words),
            Bot::In { folder: own, words } => in_folder(own, words),
        };
        words.extend(["--bot".to_string(), format!("{}={text}", player.name)]);
    }
    for (name, value) in &header.params {
        words.extend(["--param".to_string(), format!("{name}={value}")]);
    }
    words.extend(["--seed".to_string(), header.seed.to_string()]);
    words.extend(conditions(header));
    let command = joined(&words);
    folder.map(|folder| format!("cd {} && {command}", joined(&[folder]))).unwrap_or(command)
}

/// How a bot is named.
enum Bot<'a> {
    /// So, wherever the command is given.
    Anywhere(String),
    /// As a command line in this folder.
    In { folder: &'a str, words: &'a [String] },
}

impl Bot<'_> {
    fn of<'a>(player: &'a PlayerRecord, own_programs: Option<&Path>) -> Bot<'a> {
        let words = &player.command[..];
        let (Some(program), Some(folder)) = (words.first(), player.folder.as_deref()) else {
            return Bot::Anywhere(if words.is_empty() { "human".to_string() } else { joined(words) });
        };
        let beside = Path::new(program).parent();
        if is_its_manifest(Path::new(folder), words) {
            Bot::Anywhere(folder.to_string())
        } else if beside.is_some_and(|beside| own_programs == Some(beside) || beside == Path::new(folder)) {
            // The arena's own bots do not mind where they are started; a lone program is started where it is.
            match words {
                [program] => Bot::Anywhere(program.clone()),
                _ if own_programs == beside => Bot::Anywhere(joined(words)),
                _ => Bot::In { folder, words },
            }
        } else if words.len() == 1 {
            // As a word it would be a path, and be started beside its program.
            Bot::Anywhere(in_folder(folder, words))
        } else {
            Bot::In { folder, words }
        }
    }
}

/// Whether the folder's bot.toml starts this command.
fn is_its_manifest(folder: &Path, words: &[String]) -> bool {
    let Ok(text) = read_regular_text(&folder.join("bot.toml")) else { return false };
    let Ok(manifest) = text.trim_start_matches('\u{feff}').parse::<toml::Table>() else { return false };
    let Some(run) = manifest.get("run").and_then(toml::Value::as_array) else { return false };
    let run: Vec<&str> = run.iter().filter_map(toml::Value::as_str).collect();
    let file = |word: &str| Path::new(word).file_name().map(|name| name.to_owned());
    match (&run[..], words) {
        ([program, arguments @ ..], [started, given @ ..]) => {
            file(program) == file(started) && arguments.iter().eq(given.iter())
        }
        _ => false,
    }
}

fn in_folder(folder: &str, words: &[String]) -> String {
    let words: Vec<&str> = IN_FOLDER.into_iter().chain([folder]).chain(words.iter().map(String::as_str)).collect();
    joined(&words)
}

/// The limits, the isolation, and what else a match is played under.
fn conditions(header: &Header) -> Vec<String> {
    let clock = &header.clock;
    let mut words = Vec::new();
    if (clock.start_ms, clock.move_ms, clock.game_ms) == (None, None, None) {
        words.push("--no-limits".to_string());
    }
    let increment = (clock.increment_ms > 0).then_some(clock.increment_ms);
    for (flag, ms) in [
        ("--start-time", clock.start_ms),
        ("--move-time", clock.move_ms),
        ("--game-time", clock.game_ms),
        ("--increment", increment),
        ("--stop-time", Some(clock.stop_ms)),
    ] {
        words.extend(ms.into_iter().flat_map(|ms| [flag.to_string(), duration(ms)]));
    }
    if let Some(thinking) = &header.thinking {
        words.extend(["--thinking".to_string(), thinking.clone()]);
    }
    words.extend(header.hints.then(|| "--hints".to_string()));
    let confined = header.isolation.iter().filter(|mode| Mode::parse(mode).is_some_and(|mode| mode != Mode::None));
    words.extend(confined.flat_map(|mode| ["--isolation".to_string(), mode.clone()]));
    words.extend(header.limits.iter().flat_map(|limit| ["--limit".to_string(), limit.clone()]));
    words
}

fn duration(ms: u64) -> String {
    if ms.is_multiple_of(1000) { format!("{}s", ms / 1000) } else { format!("{ms}ms") }
}

fn joined<W: AsRef<str>>(words: &[W]) -> String {
    let words = words.iter().map(AsRef::as_ref);
    shlex::try_join(words.clone()).unwrap_or_else(|_| words.collect::<Vec<_>>().join(" "))
}
