//! A cup in a private folder, and its results as another program reads them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tests::arena::{Arena, Run};
use tests::transcript::{essence, transcript};

/// The columns of `matches.csv` that two runs of the same cup need not share.
const TIMES: &[&str] = &["duration_ms", "first_ms", "second_ms", "first_max_ms", "second_max_ms"];

/// A cup's file in a private folder; each run of it is played into `results/cup` unless it says otherwise.
pub struct Cup {
    pub arena: Arena,
    head: String,
    bots: Vec<(String, String)>,
}

/// Most cups are about something else, and their fixtures write files and are found by their marks.
const UNCONFINED: &str = "[isolation]\nmode = \"none\"\n";

/// A row of a CSV file, by column.
pub type Row = BTreeMap<String, String>;

impl Cup {
    /// A cup with these lines at its head. `name` is given already, and nobody is confined.
    pub fn new(head: &str) -> Cup {
        Cup { arena: Arena::new(["tournament"]), head: head.to_string(), bots: Vec::new() }
    }

    /// Small Othello from openings drawn from the seed: quick, and every pair another match.
    pub fn othello(pairs: u32) -> Cup {
        Cup::new(&format!("game = \"othello\"\npairs = {pairs}\nseed = 7\n[params]\nsize = 4\nopening = 2\n"))
    }

    /// Enters a bot by its command.
    pub fn bot(mut self, name: &str, command: &str) -> Cup {
        self.bots.push((name.to_string(), command.to_string()));
        self.write()
    }

    /// Enters a marked fixture bot.
    pub fn fixture(self, name: &str, words: &str) -> Cup {
        let command = self.arena.fixture_command(words);
        self.bot(name, &command)
    }

    /// Puts another text where `old` stands in the head.
    pub fn edit(&mut self, old: &str, new: &str) {
        assert!(self.head.contains(old), "{old:?} is not in {}", self.head);
        self.head = self.head.replace(old, new);
        self.write_file();
    }

    /// Enters one more bot into a cup that has been played already.
    pub fn enter(&mut self, name: &str, command: &str) {
        self.bots.push((name.to_string(), command.to_string()));
        self.write_file();
    }

    fn write(self) -> Cup {
        self.write_file();
        self
    }

    fn write_file(&self) {
        let mut text = format!("name = \"cup\"\n{}", self.head);
        for (name, command) in &self.bots {
            // What Rust escapes in a text without control characters, TOML reads.
            text += &format!("[[bots]]\nname = {name:?}\nbot = {command:?}\n");
        }
        self.arena.write("cup.toml", text + UNCONFINED);
    }

    /// Plays it, or goes on with it.
    pub fn run(&self, flags: &str) -> Run {
        self.arena.also(&format!("tournament run cup.toml {flags}"))
    }

    /// Plays it, and expects that it is played to its end.
    pub fn played(&self, flags: &str) -> Run {
        let run = self.run(flags);
        assert_eq!(run.code, Some(0), "{run:#?}");
        run
    }

    /// The folder of the results.
    pub fn results(&self) -> PathBuf {
        self.arena.path("results/cup")
    }

    /// The rows that are on record.
    pub fn rows(&self) -> Vec<Row> {
        rows(&self.results().join("matches.csv"))
    }

    /// What has to be the same whenever and however often it is played.
    pub fn lasting(&self) -> Lasting {
        lasting(&self.results())
    }
}

/// What is the same for two runs of the same cup with deterministic bots.
#[derive(Debug, PartialEq)]
pub struct Lasting {
    rows: Vec<Row>,
    transcripts: BTreeMap<String, Vec<serde_json::Value>>,
    crosstable: String,
}

/// What lasts of the results in a folder. Checks on the way that nothing unfinished is there.
pub fn lasting(results: &Path) -> Lasting {
    let mut rows = rows(&results.join("matches.csv"));
    for row in &mut rows {
        row.retain(|column, _| !TIMES.contains(&column.as_str()));
    }
    let transcripts = names(&results.join("transcripts"))
        .into_iter()
        .map(|name| {
            let events = transcript(&results.join("transcripts").join(&name));
            assert_eq!(events.last().map(|event| event["type"].clone()), Some("result".into()), "{name} is unfinished");
            (name, essence(&events))
        })
        .collect();
    let crosstable = fs::read_to_string(results.join("crosstable.csv")).expect("a finished cup has a cross table");
    Lasting { rows, transcripts, crosstable }
}

/// The rows of a CSV file as the csv crate reads it.
pub fn rows(file: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let rows: Result<Vec<Row>, csv::Error> = reader.deserialize().collect();
    rows.unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The ids of rows, sorted; panics where one is there twice.
pub fn ids(rows: &[Row]) -> Vec<String> {
    let mut ids: Vec<String> = rows.iter().map(|row| row["id"].clone()).collect();
    ids.sort();
    let all = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), all, "a match is on record twice");
    ids
}

/// The names in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The ids of all transcripts in a results folder, sorted, those that are being written left out.
pub fn transcripts(results: &Path) -> Vec<String> {
    let is_whole = |name: &String| !name.starts_with('.');
    let names = names(&results.join("transcripts")).into_iter().filter(is_whole);
    names.map(|name| name.trim_end_matches(".jsonl").to_string()).collect()
}

/// The events of a run with `--json`; panics where a line is none.
pub fn json_events(stdout: &str) -> Vec<serde_json::Value> {
    let event = |line: &str| {
        let event: serde_json::Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("no event: {error}: {line:?}"));
        assert!(event["type"].is_string(), "an event without a type: {line}");
        event
    };
    stdout.lines().map(event).collect()
}

/// The folders of bots' control groups that an arena with this process id would have made.
pub fn groups_of(pid: u32) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from("/sys/fs/cgroup")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                let name = entry.file_name().to_string_lossy().into_owned();
                if name.contains("arena") && name.contains(&pid.to_string()) {
                    found.push(entry.path());
                }
                folders.push(entry.path());
            }
        }
    }
    found
}
