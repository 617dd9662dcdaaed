//! From BOT on the command line to a player that can be seated.

use super::failure::Failure;
use super::output;
use crate::config::{BUILD_TIME, BotKind, BotSpec, Launch, check_startable, distinct_names, read_bot};
use crate::game::GameInfo;
use crate::play::{Program, seat_program};
use crate::record::PlayerRecord;
use crate::table::Chair;
use crate::transport::{Host, Limits};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use wait_timeout::ChildExt;

/// How BOT is written, for `--help`.
pub(super) const BOT_HELP: &str = "A bot: a folder with a bot.toml, a program or script, `human`, a bundled bot (paper, random, greedy, …), or a command line in quotes; `NAME=` before it names it";

/// Reads the bots of a match of this game, gives them distinct names, builds what is not built, and checks that each can
/// be started.
pub(super) fn read_bots(texts: &[String], game: &GameInfo) -> Result<Vec<BotSpec>, Failure> {
    let caller =
        std::env::current_dir().map_err(|error| Failure::new(format!("the current folder cannot be read: {error}")))?;
    let beside = bundled_folder()?;
    let mut bots = texts.iter().map(|text| read_bot(text, &caller, &beside)).collect::<Result<Vec<_>, _>>()?;
    distinct_names(&mut bots);
    for bot in &bots {
        for note in &bot.notes {
            output::complain(&format!("note: {note}"));
        }
        if let Some(why) = bot.refusal(game) {
            return Err(Failure::new(why));
        }
        if let BotKind::Program(launch) = &bot.kind {
            make_startable(&bot.name, launch)?;
        }
    }
    Ok(bots)
}

/// The program of a bot that is one.
pub(super) fn program(bot: &BotSpec) -> Option<Program> {
    match &bot.kind {
        BotKind::Program(launch) => {
            Some(Program { argv: launch.argv.clone(), folder: launch.folder.clone(), env: launch.env.clone() })
        }
        BotKind::Human => None,
    }
}

/// Starts a bot's program and seats it.
pub(super) fn seat(host: &Host, name: &str, program: &Program, limits: &Limits) -> Result<Chair, Failure> {
    seat_program(host, program, limits).map_err(|error| Failure::new(format!("{name}: {error}")))
}

/// The bot as a transcript names it.
pub(super) fn player_record(bot: &BotSpec) -> PlayerRecord {
    let program = program(bot);
    PlayerRecord {
        name: bot.name.clone(),
        command: program.as_ref().map(|program| program.argv.clone()).unwrap_or_default(),
        folder: program.map(|program| program.folder.to_string_lossy().into_owned()),
        ..PlayerRecord::default()
    }
}

/// Where the bundled bots are: beside this program.
pub(super) fn bundled_folder() -> Result<PathBuf, Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::new(format!("the arena's own program is not found: {error}")))?;
    Ok(program.parent().map(PathBuf::from).unwrap_or_default())
}

fn make_startable(name: &str, launch: &Launch) -> Result<(), Failure> {
    match (check_startable(launch), &launch.build) {
        (Ok(()), _) => Ok(()),
        (Err(error), None) => Err(error.into()),
        (Err(_), Some(build)) => {
            run_build(name, build, launch)?;
            Ok(check_startable(launch)?)
        }
    }
}

/// Runs the build step of a bot that is not built yet.
fn run_build(name: &str, build: &[String], launch: &Launch) -> Result<(), Failure> {
    let command = shlex::try_join(build.iter().map(String::as_str)).unwrap_or_else(|_| build.join(" "));
    output::complain(&format!("building {name}: {command}"));
    let failed =
        |why: String| Failure::new(format!("{name} cannot be built: `{command}` in {} {why}", launch.folder.display()));
    let mut child = Command::new(&build[0])
        .args(&build[1..])
        .current_dir(&launch.folder)
        .envs(launch.env.iter().map(|(key, value)| (key, value)))
        .stdin(Stdio::null())
        .stdout(std::io::stderr())
        .spawn()
        .map_err(|error| failed(format!("cannot be started: {error}")))?;
    match child.wait_timeout(BUILD_TIME)? {
        Some(status) if status.success() => Ok(()),
        Some(status) => Err(failed(format!("failed: {status}"))),
        None => {
            child.kill()?;
            child.wait()?;
            Err(failed(format!("did not end within {} s", BUILD_TIME.as_secs())))
        }
    }
}
