//! A cup that was begun in a folder: what is remembered of it there, whether another run may go on with it, and which of its
//! matches are to be played again.

use super::entrants::EntrantRecord;
use super::entrants::leave_out;
use crate::cli::failure::Failure;
use crate::cli::output;
use crate::config::{
    BotKind, BotSpec, Change, Cup, CupBot, Launch, Remedy, bot_changes, other_version, setting_changes,
};
use crate::files::read_regular_text;
use crate::tournament::folder::{Folder, Out};
use crate::tournament::ledger::MATCHES;
use crate::tournament::roster::ENTRANTS;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The cup file, beside its results.
pub(super) const CUP: &str = "cup.toml";

/// The folder that the cup file's relative paths are taken from.
pub(super) const HOME: &str = ".home";

/// The cup file once more: the other one is for people, who may edit it.
const AS_BEGUN: &str = ".begun";

/// What a results folder remembers of the cup that is played in it.
pub(super) struct Begun {
    folder: PathBuf,
    /// Which file the text is from.
    file: &'static str,
    text: String,
    entrants: Vec<EntrantRecord>,
}

/// What a change is called, what can be done about it, and the flag that may have been forgotten.
struct Told(String, Remedy, Option<String>);

impl From<Change> for Told {
    fn from(change: Change) -> Told {
        // A cup's file need not say it.
        let flag = (change.key == "[isolation] mode").then(|| format!("--isolation {}", change.old));
        Told(format!("`{}` was {} and is {}", change.key, change.old, change.new), change.remedy, flag)
    }
}

impl Begun {
    /// Nothing where no cup was begun.
    pub fn read(folder: &Path) -> Result<Option<Begun>, Failure> {
        for file in [AS_BEGUN, CUP] {
            let Some(text) = read_if_there(&folder.join(file)).map_err(|why| unread(why, file))? else { continue };
            let path = folder.join(ENTRANTS);
            let at = |why: String| Failure::new(format!("{}: {why}", path.display()));
            let entrants = read_regular_text(&path).map_err(|error| at(error.to_string()))?;
            let entrants = serde_json::from_str(&entrants).map_err(|error| at(error.to_string()))?;
            return Ok(Some(Begun { folder: folder.to_path_buf(), file, text, entrants }));
        }
        Ok(None)
    }

    /// Keeps the versions of submissions that the cup began with, but for those bots that are to play again: what was filed since is
    /// told, and not taken.
    pub fn keep_versions(&self, cup: &mut Cup, again: &[String], bundled_dir: &Path) -> Result<(), Failure> {
        if self.entrants.iter().all(|record| record.version.is_none()) {
            return Ok(());
        }
        let mut late = BTreeMap::new();
        for (place, bot) in cup.bots.iter_mut().enumerate() {
            let Some(newest) = bot.filed.as_ref().map(|filed| filed.version) else { continue };
            let name = bot.spec.name.clone();
            match find(&self.entrants, &name) {
                None => {
                    output::complain(&format!(
                        "note: {name} was filed since this cup began, and is not in it: a cup of its own (--out NEW) takes it"
                    ));
                    late.insert(place, String::new());
                }
                Some(record) => {
                    let Some(begun) = record.version.filter(|begun| *begun != newest && !again.contains(&name)) else {
                        continue;
                    };
                    *bot = other_version(bot, begun, cup.game, bundled_dir)?;
                    output::complain(&format!(
                        "note: {name} plays on as version {begun}, with which this cup began; version {newest} was filed since \
                         (--again {name} plays its matches again with that)"
                    ));
                }
            }
        }
        if late.is_empty() { Ok(()) } else { leave_out(cup, &late) }
    }

    /// Refuses another cup, as far as its file tells, before anything is built or started. Bots that came are no matter
    /// yet: they may be left out.
    pub fn refuse_another(&self, cup: &Cup, file: Option<&Path>, again: &[String]) -> Result<(), Failure> {
        let label = self.folder.join(self.file).display().to_string();
        let bots = self.bots();
        let gone_or_other = |change: &Change| matches!(change.remedy, Remedy::Again(_) | Remedy::Nothing);
        let mut changes =
            setting_changes(&self.text, &label, &bots, cup).map_err(|error| unread(error.to_string(), self.file))?;
        changes.extend(bot_changes(&bots, cup).into_iter().filter(gone_or_other));
        self.refuse(changes.into_iter().map(Told::from).collect(), cup, file, again)
    }

    /// Refuses other bots, now that it is known who plays and what is in their files.
    pub fn refuse_other_bots(
        &self,
        cup: &Cup,
        now: &[EntrantRecord],
        file: Option<&Path>,
        again: &[String],
    ) -> Result<(), Failure> {
        let mut told: Vec<Told> = bot_changes(&self.bots(), cup).into_iter().map(Told::from).collect();
        for (old, new) in self.entrants.iter().filter_map(|old| Some((old, find(now, &old.name)?))) {
            if old.sha256 != new.sha256 {
                let hashes = [old, new].map(|record| record.sha256.chars().take(12).collect::<String>());
                let change = format!(
                    "the files of {} have changed: their SHA-256 was {}… and is {}…",
                    old.name, hashes[0], hashes[1]
                );
                told.push(Told(change, Remedy::Again(old.name.clone()), None));
            }
        }
        self.refuse(told, cup, file, again)
    }

    fn refuse(&self, mut told: Vec<Told>, cup: &Cup, file: Option<&Path>, again: &[String]) -> Result<(), Failure> {
        told.retain(|Told(_, remedy, _)| match remedy {
            Remedy::TakenUp => false,
            Remedy::Again(name) => !again.contains(name),
            Remedy::CannotGrow | Remedy::Nothing => true,
        });
        if told.is_empty() {
            return Ok(());
        }
        let file = file.map_or_else(|| "the cup".to_string(), |path| path.display().to_string());
        let changes: Vec<&str> = told.iter().map(|Told(change, ..)| change.as_str()).collect();
        Err(Failure::new(format!(
            "{file} is not the cup that was begun in {}: {}. {}",
            self.folder.display(),
            changes.join("; "),
            ways_out(&told, cup)
        )))
    }

    /// The bots that play it, as far as it matters what they were.
    fn bots(&self) -> Vec<CupBot> {
        let bot = |record: &EntrantRecord| {
            let (argv, folder) = (record.command.clone(), PathBuf::from(&record.folder));
            let kind = BotKind::Program(Launch {
                argv,
                folder,
                env: Vec::new(),
                build: None,
                bundled: false,
                described: false,
            });
            let (name, authors) = (record.name.clone(), record.authors.clone());
            let spec = BotSpec { name, name_given: true, kind, authors, games: None, notes: Vec::new() };
            CupBot { spec, line: 0, entered: record.bot.clone(), filed: None }
        };
        self.entrants.iter().map(bot).collect()
    }

    /// Takes the matches of the bots that are to play again out of the record.
    pub fn set_aside(&self, folder: &Folder, again: &[String]) -> Result<(), Failure> {
        let again: Vec<String> = again.iter().filter(|name| find(&self.entrants, name).is_some()).cloned().collect();
        if again.is_empty() {
            return Ok(());
        }
        let moved = folder.supersede(MATCHES, Out::Bots(&again)).map_err(Failure::new)?;
        output::complain(&format!(
            "{moved} matches of {} are in superseded/ now, and are played again",
            again.join(", ")
        ));
        Ok(())
    }
}

/// The folder that the relative paths of the cup file in this folder are taken from, where that is another one.
pub(super) fn home(folder: &Path) -> Result<Option<PathBuf>, Failure> {
    let home = read_if_there(&folder.join(HOME)).map_err(|why| {
        Failure::new(format!(
            "{why}. It names the folder that relative paths in {CUP} are taken from: go on with the cup's file there, which writes it again"
        ))
    })?;
    Ok(home.map(PathBuf::from))
}

fn read_if_there(path: &Path) -> Result<Option<String>, String> {
    match read_regular_text(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}

/// The cup as it was begun cannot be read: what that file is, and the way out.
fn unread(why: String, file: &str) -> Failure {
    let way_out = match file {
        AS_BEGUN => format!("Take it away, and {CUP} beside it is compared with instead"),
        _ => "Put back what was there when the cup began".to_string(),
    };
    Failure::new(format!("{why}. {file} holds the cup as it was begun there. {way_out}"))
}

/// Refuses `--again` for bots that are not in the cup.
pub(super) fn refuse_strangers(now: &[EntrantRecord], again: &[String]) -> Result<(), Failure> {
    match again.iter().find(|name| find(now, name).is_none()) {
        Some(name) => Err(Failure::new(format!("--again {name}: there is no bot of that name in this cup"))),
        None => Ok(()),
    }
}

/// Writes down what is to be compared with when the cup is gone on with.
pub(super) fn remember(folder: &Folder, cup: &Cup, home: &Path, records: &[EntrantRecord]) -> Result<(), Failure> {
    let entrants = serde_json::to_string_pretty(records).expect("a list of texts is JSON") + "\n";
    let home = home.to_string_lossy();
    let text = cup.text.as_str();
    // The cup comes last: where it is, the others are.
    for (name, text) in [(HOME, &*home), (ENTRANTS, entrants.as_str()), (CUP, text), (AS_BEGUN, text)] {
        folder
            .write(name, text.as_bytes())
            .map_err(|error| Failure::new(format!("{}: {error}", folder.file(name).display())))?;
    }
    Ok(())
}

/// What can be done about changes that are not taken up.
fn ways_out(told: &[Told], cup: &Cup) -> String {
    const APART: &str = "play it in a folder of its own with --out NEW";
    let mut names: Vec<&str> = Vec::new();
    for Told(_, remedy, _) in told {
        if let Remedy::Again(name) = remedy
            && !names.contains(&name.as_str())
        {
            names.push(name);
        }
    }
    let flags: Vec<String> = names.iter().map(|name| format!("--again {name}")).collect();
    let (flags, names) = (flags.join(" "), names.join(", "));
    let grows = told.iter().any(|Told(_, remedy, _)| *remedy == Remedy::CannotGrow);
    let other = told.iter().any(|Told(_, remedy, _)| *remedy == Remedy::Nothing);
    let mut text = String::new();
    if grows {
        let format = cup.plan.id();
        text += &format!(
            "In the format {format} later pairings follow from results, so no bots and no pairs can be added to a cup that has \
             begun. "
        );
    }
    if other || !names.is_empty() {
        text += "Finished matches would not be matches of this cup. ";
    }
    text += "The ways out: ";
    text += &match (names.is_empty(), grows || other) {
        (true, _) => format!("{APART}, or put back what was"),
        (false, false) => format!("{APART}, or play the matches of {names} again with {flags}"),
        (false, true) => format!(
            "{APART}, or put back what was, but for what has changed of {names}, whose matches are played again with {flags}"
        ),
    };
    if let Some(flag) = told.iter().find_map(|Told(.., flag)| flag.as_ref()) {
        text += &format!(", or add {flag}");
    }
    text
}

fn find<'a>(records: &'a [EntrantRecord], name: &str) -> Option<&'a EntrantRecord> {
    records.iter().find(|record| record.name == name)
}
