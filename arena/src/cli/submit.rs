//! `arena submit`: checks bots as a cup would play them, and files clean, versioned copies. `arena submissions` lists them.

mod source;

use super::confine;
use super::failure::Failure;
use super::fitness::fitness;
use super::output::{self, Paper, harmless};
use super::own;
use super::signals::Signals;
use super::{DONE, FOUND_WRONG, games};
use crate::config::{BotKind, check_name, fingerprint, own_files, read_bot};
use crate::files::temporary_folder;
use crate::games::bundled_bots;
use crate::isolation::{Mode, copy_folder};
use crate::submissions::copy::copy_files;
use crate::submissions::filing::{Incoming, check_owner};
use crate::submissions::{BOT, RECORD, SCHEMA, Submission, user_name};
use nix::unistd::Uid;
use serde_json::json;
use source::{Refused, Source};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf, absolute};
use std::time::SystemTime;

#[derive(clap::Args)]
pub(super) struct SubmitArguments {
    /// A bot: a folder with a bot.toml, a program or script, a .zip or a .tar.gz with such a folder; `NAME=` before it names it; may be
    /// repeated
    #[arg(long = "bot", value_name = "BOT", num_args = 1, required = true)]
    bots: Vec<String>,
    /// The folder of submissions
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// What the bot is called, when there is one [default: its bot.toml's name, or its folder's or file's]
    #[arg(long)]
    name: Option<String>,
    /// Who it belongs to, an id; may be repeated [default: its bot.toml's authors]
    #[arg(long = "author", value_name = "ID")]
    authors: Vec<String>,
    /// A game that a lone program or script plays; may be repeated [default: all]. Others say it in their bot.toml
    #[arg(long = "game", value_name = "GAME")]
    games: Vec<String>,
    /// How it is confined while it is checked: `strict` (as in a cup), `best-effort`, `none`
    #[arg(long, value_name = "MODE", default_value = "strict", value_parser = confine::mode)]
    isolation: Mode,
    /// An object a bot on stdout
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &SubmitArguments) -> Result<u8, Failure> {
    if arguments.name.is_some() && arguments.bots.len() > 1 {
        return Err(Failure::new("--name is for one bot: write --bot NAME=BOT for each of several"));
    }
    if let Some(author) =
        arguments.authors.iter().find(|author| author.trim().is_empty() || author.contains(char::is_control))
    {
        return Err(Failure::new(format!("--author {author:?} cannot be an author: write an id on one line")));
    }
    arguments.games.iter().try_for_each(|game| games::game(game).map(drop))?;
    let signals = Signals::take()?;
    let mut paper = Paper::new(arguments.json);
    // What is not there is told before anything is filed.
    let sources = arguments.bots.iter().map(|text| Source::find(text)).collect::<Result<Vec<_>, _>>()?;
    let mut status = DONE;
    for source in sources {
        let done = submit(arguments, &source, &signals);
        if let Some(status) = signals.status() {
            paper.line(&format!("stopped: {} is not filed", source.shown()))?;
            return Ok(status);
        }
        match done {
            Ok(Some(filed)) => {
                tell(&mut paper, &filed, &arguments.to)?;
                if arguments.json {
                    let mut told = serde_json::to_value(&filed.record).expect("a record is JSON");
                    told["version"] = filed.version.into();
                    output::line(&told.to_string())?;
                }
                if !filed.record.fit {
                    status = FOUND_WRONG;
                }
            }
            Ok(None) => {}
            Err(Refused::Bot(why)) => {
                status = FOUND_WRONG;
                paper.line(&format!("NOT FILED: {}: {}", source.shown(), harmless(&why)))?;
                if arguments.json {
                    output::line(
                        &json!({"source": source.shown(), "filed": false, "fit": false, "problems": [why]}).to_string(),
                    )?;
                }
            }
            Err(Refused::Failure(failure)) => return Err(failure),
        }
    }
    Ok(status)
}

/// A version that was filed.
struct Filed {
    version: u32,
    record: Submission,
}

fn submit(arguments: &SubmitArguments, source: &Source, signals: &Signals) -> Result<Option<Filed>, Refused> {
    let to = absolute(&arguments.to).map_err(Failure::from)?;
    let incoming = Incoming::begin(&to).map_err(Failure::new)?;
    let work = temporary_folder("arena-submit-").map_err(Failure::new)?;
    // The copy comes first: what is checked is what is filed, whatever becomes of the original meanwhile.
    let (folder, own_name) = source.open(work.path(), &arguments.games)?;
    let spec = read(&folder)?;
    let name = arguments.name.clone().or_else(|| source.name.clone()).unwrap_or(if spec.name_given {
        spec.name
    } else {
        own_name
    });
    check_name(&name).map_err(Refused::bot)?;
    if bundled_bots().iter().any(|bundled| bundled.eq_ignore_ascii_case(&name)) {
        return Err(Refused::Bot(format!("{name} is the name of a bundled bot: take another name (--name)")));
    }
    check_owner(&to, &name).map_err(Refused::Bot)?;
    let BotKind::Program(launch) = &spec.kind else { return Err(Refused::Bot("it is no program".to_string())) };
    let own = own_files(launch);
    let bot = incoming.entry().join(BOT);
    fs::create_dir(&bot)
        .and_then(|()| fs::set_permissions(&bot, Permissions::from_mode(0o755)))
        .map_err(Failure::from)?;
    copy_files(&own.written().map_err(Refused::bot)?, &folder, &bot).map_err(Refused::Bot)?;
    let inside = |path: PathBuf| path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy().into_owned();
    let left_out: Vec<String> = own.passed_over().map_err(Refused::bot)?.into_iter().map(inside).collect();

    let copy = read(&bot)?;
    let BotKind::Program(launch) = &copy.kind else { return Err(Refused::Bot("it is no program".to_string())) };
    let sha256 = fingerprint(launch).map_err(Refused::Bot)?;
    // A build step may write into the folder that it runs in, and so may a bot that is not confined.
    let tried = work.path().join("tried");
    fs::create_dir(&tried).map_err(Failure::from)?;
    copy_folder(&bot, &tried, None).map_err(Failure::new)?;
    let Some(found) = fitness(&tried, &name, arguments.isolation, signals)? else { return Ok(None) };
    let uid = Uid::effective().as_raw();
    let record = Submission {
        schema: SCHEMA,
        arena: env!("CARGO_PKG_VERSION").to_string(),
        name: name.clone(),
        authors: if arguments.authors.is_empty() { copy.authors } else { arguments.authors.clone() },
        games: copy.games,
        user: user_name(uid),
        uid,
        when: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        source: source.shown(),
        sha256,
        left_out,
        fit: found.fit,
        // Where the copy was is nobody's business.
        problems: found.failed.iter().map(|why| why.replace(&*tried.to_string_lossy(), ".")).collect(),
        fit_for: found.games.iter().map(|game| game.to_string()).collect(),
        warnings: found.warned,
        checks: found.checks,
        matches: found.matches,
        isolation: arguments.isolation.as_str().to_string(),
    };
    let path = incoming.entry().join(RECORD);
    let text = serde_json::to_string_pretty(&record).expect("a record is JSON") + "\n";
    fs::write(&path, text)
        .and_then(|()| fs::set_permissions(&path, Permissions::from_mode(0o644)))
        .map_err(Failure::from)?;
    let version = incoming.file(&name).map_err(Refused::Bot)?;
    Ok(Some(Filed { version, record }))
}

/// The bot of a folder with a bot.toml.
fn read(folder: &Path) -> Result<crate::config::BotSpec, Refused> {
    let text = folder.to_str().ok_or_else(|| Refused::Bot(format!("{} is not valid UTF-8", folder.display())))?;
    read_bot(text, Path::new("/"), Path::new("/")).map_err(Refused::bot)
}

fn tell(paper: &mut Paper, filed: &Filed, dir: &Path) -> Result<(), Failure> {
    let Filed { version, record } = filed;
    let place = dir.join(&record.name).join(version.to_string());
    let fit = if record.fit { "fit" } else { "NOT FIT" };
    paper.line(&format!("{}: {fit}; filed as version {version} in {}", record.name, place.display()))?;
    if record.checks > 0 {
        let games = if record.fit_for.is_empty() { "no game".to_string() } else { record.fit_for.join(", ") };
        let warned = if record.warnings.is_empty() {
            String::new()
        } else {
            format!("; warnings: {}", record.warnings.join(", "))
        };
        paper.line(&format!(
            "  plays {games}, as {} checks in {} matches have shown{warned}",
            record.checks, record.matches
        ))?;
    }
    for problem in &record.problems {
        paper.line(&format!("  {}", harmless(problem).replace('\n', "\n  ")))?;
    }
    if !record.left_out.is_empty() {
        paper.line(&format!("  note: left out: {}", harmless(&record.left_out.join(", "))))?;
    }
    if !record.fit {
        let bot = absolute(place.join(BOT))?;
        let bot = shlex::try_quote(&bot.to_string_lossy()).map(String::from).unwrap_or_default();
        paper.line(&format!("  all of it: {} check --bot {bot}", own::arena()))?;
    }
    Ok(())
}
