//! After a cup: its folder holds and whatever is changed in it is named; a forfeit can be played again from what is kept
//! of it; and what is handed back to a bot's author tells nothing of the rivals.

use arena::record::{Transcript, read_transcript};
use arena::tournament::failures::{again_command, write_failure};
use arena::tournament::feedback::write_feedback;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tests::arena::Arena;
use tests::binaries;
use tests::transcript::{heard, transcript};

/// The settings of a small cup, without its bots.
const CUP: &str = "name = \"cup\"\ngame = \"othello\"\nseed = 3\n[params]\nsize = 4\nopening = 2\n[clock]\nmove = \"2s\"\nstop = \"300ms\"\n[isolation]\nmode = \"none\"\n";

/// Plays a cup of these `[[bots]]` into `results/`.
fn play(arena: &Arena, settings: &str, bots: &str) {
    arena.write("cup.toml", format!("{settings}{bots}"));
    let run = arena.also("tournament run cup.toml --out results --jobs 1");
    assert_eq!(run.code, Some(0), "{run:#?}");
}

fn bot(name: &str, command: &str) -> String {
    format!("[[bots]]\nname = \"{name}\"\nbot = '''{command}'''\n")
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let below = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    entries.flat_map(|entry| below(entry.expect("the folder can be read").path())).collect()
}

/// A change to a results folder, and what is to be said of it.
type Tampering = (&'static str, fn(&Path), &'static [&'static str]);

const A: &str = "transcripts/paper+random+s1+1a.jsonl";

const TAMPERINGS: &[Tampering] = &[
    ("score", |folder| change(folder, "matches.csv", 2, ",finished,", ",turn_limit,"), &["matches.csv:2", "`reason`"]),
    ("seed", |folder| change(folder, "matches.csv", 3, ",1,othello", ",2,othello"), &["matches.csv:3", "`round`"]),
    ("line gone", |folder| lines(folder, |lines| drop(lines.remove(3))), &["has no row", "not complete"]),
    (
        "line twice",
        |folder| lines(folder, |lines| lines.insert(3, lines[2].clone())),
        &["matches.csv:4", "second time"],
    ),
    ("order", |folder| lines(folder, |lines| lines.swap(1, 2)), &["matches.csv:", "stands before"]),
    ("torn", |folder| torn(&folder.join("matches.csv")), &["cut off"]),
    ("transcript gone", |folder| fs::remove_file(folder.join(A)).expect("it is there"), &[A, "not there"]),
    ("transcript cut", |folder| torn(&folder.join(A)), &[A, "unfinished"]),
    ("transcript changed", |folder| change(folder, A, 1, "\"seed\":", "\"seed\":1"), &[A, "line 1"]),
    ("transcript added", |folder| copy(folder, A, "transcripts/more+1a.jsonl"), &["more+1a.jsonl", "has no row"]),
    ("void that is none", |folder| copy(folder, A, "transcripts/x+1a.void1.jsonl"), &["x+1a.void1.jsonl", "void"]),
    ("table", |folder| change(folder, "standings.csv", 2, "1,", "2,"), &["standings.csv:2", "`rank`"]),
    ("table gone", |folder| fs::remove_file(folder.join("standings.csv")).expect("it is there"), &["standings.csv"]),
    (
        "cross table",
        |folder| change(folder, "crosstable.csv", 2, ",4,", ",5,"),
        &["crosstable.csv:2", "against", "`played`"],
    ),
    (
        "cross table gone",
        |folder| fs::remove_file(folder.join("crosstable.csv")).expect("it is there"),
        &["crosstable.csv"],
    ),
    ("page gone", |folder| fs::remove_file(folder.join("report.html")).expect("it is there"), &["report.html", "run"]),
    ("cup", |folder| change(folder, "cup.toml", 3, "seed = 3", "seed = 4"), &["`seed`", "schedule"]),
    ("clock", |folder| change(folder, "cup.toml", 8, "2s", "3s"), &["limits on time"]),
    ("entrants", |folder| fs::remove_file(folder.join("entrants.json")).expect("it is there"), &["entrants.json"]),
];

fn change(folder: &Path, file: &str, line: usize, old: &str, new: &str) {
    let path = folder.join(file);
    let text = text(&path);
    let mut lines: Vec<String> = text.split_inclusive('\n').map(String::from).collect();
    assert!(lines[line - 1].contains(old), "{file}:{line} has no {old:?}: {}", lines[line - 1]);
    lines[line - 1] = lines[line - 1].replacen(old, new, 1);
    fs::write(path, lines.concat()).expect("the folder is writable");
}

fn lines(folder: &Path, change: fn(&mut Vec<String>)) {
    let path = folder.join("matches.csv");
    let mut lines: Vec<String> = text(&path).split_inclusive('\n').map(String::from).collect();
    change(&mut lines);
    fs::write(path, lines.concat()).expect("the folder is writable");
}

fn torn(path: &Path) {
    let text = text(path);
    fs::write(path, &text[..text.len() - 5]).expect("the folder is writable");
}

fn copy(folder: &Path, from: &str, to: &str) {
    fs::copy(folder.join(from), folder.join(to)).expect("the folder is writable");
}

fn copy_all(from: &Path, to: &Path) {
    for file in files(from) {
        let place = to.join(file.strip_prefix(from).expect("it is below"));
        fs::create_dir_all(place.parent().expect("it is below"))
            .and_then(|()| fs::copy(&file, &place).map(drop))
            .expect("there is room");
    }
}

#[test]
fn a_cup_that_was_played_holds_and_whatever_is_changed_in_its_folder_is_named() {
    let arena = Arena::new([""; 0]);
    let settings = CUP.replace("size = 4", "size = [4, 6]");
    play(&arena, &settings, &[bot("paper", "paper"), bot("random", "random")].concat());
    let run = arena.also("verify results");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:#?}");
    assert!(run.stdout.starts_with("results: holds: 4 matches"), "{run:#?}");
    for (what, tamper, says) in TAMPERINGS {
        let folder = arena.path("changed");
        copy_all(&arena.path("results"), &folder);
        tamper(&folder);
        let run = arena.also("verify changed");
        assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""), "{what}: {run:#?}");
        for part in *says {
            assert!(run.stdout.contains(part), "{what}: {part:?} is not said\n{}", run.stdout);
        }
        assert!(run.stdout.lines().all(|line| line.starts_with("changed: ")), "{what}: {run:#?}");
        fs::remove_dir_all(folder).expect("it is ours");
    }
}

#[test]
fn a_transcript_that_is_no_match_of_the_cup_goes_with_the_command_that_is_told() {
    let arena = Arena::new([""; 0]);
    play(&arena, CUP, &[bot("paper", "paper"), bot("random", "random")].concat());
    let transcripts = arena.path("results/transcripts");
    for stray in ["paper+random+9a", "more+1a", "it's here"] {
        fs::copy(transcripts.join("paper+random+1a.jsonl"), transcripts.join(format!("{stray}.jsonl")))
            .expect("there is room");
        let run = arena.also("verify results");
        assert_eq!(run.code, Some(1), "{run:#?}");
        let told =
            format!("transcripts/{stray}.jsonl: has no row in matches.csv: it is no match of this cup's schedule");
        let line = run.stdout.lines().find(|line| line.contains(&told)).unwrap_or_else(|| panic!("{told}: {run:#?}"));
        let (_, command) = line.split_once("take it out of transcripts/: ").expect("it says how");
        let moved = Command::new("sh").args(["-c", command]).current_dir(arena.folder()).status();
        assert!(moved.is_ok_and(|status| status.success()), "{command}");
        assert_eq!(arena.also("verify results").code, Some(0), "{stray}");
    }
}

#[test]
fn every_format_that_was_played_to_its_end_holds() {
    for format in ["round-robin", "gauntlet", "knockout", "double-elimination", "swiss", "sprt", "until-ranked"] {
        let arena = Arena::new([""; 0]);
        let table = match format {
            "sprt" => "[sprt]\nmax_pairs = 8\nbatch = 2\n",
            "until-ranked" => "[until_ranked]\nmax_matches = 24\nbatch = 2\n",
            _ => "",
        };
        let third = if format == "sprt" { String::new() } else { bot("third", "greedy") };
        let settings = format!("format = \"{format}\"\n{CUP}{table}");
        play(&arena, &settings, &[bot("one", "random"), bot("two", "random"), third].concat());
        let run = arena.also("verify results --json");
        assert_eq!(run.code, Some(0), "{format}: {run:#?}");
        assert_eq!(run.json()["holds"], true, "{format}: {run:#?}");
        assert!(run.json()["matches"].as_u64() > Some(1), "{format}: {run:#?}");
    }
}

/// A cup of bots that all fail, each started in another way: by a manifest with a variable, as a lone script, and as
/// command lines with a file in the cup's folder.
fn faulty(arena: &Arena) -> Vec<Transcript> {
    let word = |word: &str| format!("{} --echo", arena.fixture_command(word));
    arena.write(
        "bots/made/bot.toml",
        "run = [\"sh\", \"-c\", \"exec sh ./$SCRIPT\"]\nenv = { SCRIPT = \"start.sh\" }\n",
    );
    arena.write("bots/made/start.sh", format!("exec {}\n", word("no-turn --at 2")));
    let script = arena.write("bots/lone/script.sh", format!("#!/bin/sh\n. ./more.sh\nexec {}\n", word("illegal-move")));
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("the file is ours");
    arena.write("bots/lone/more.sh", "");
    arena.write("here.sh", format!("exec {}\n", word("broken-json --at 1")));
    let bots = [
        "[[bots]]\npath = \"bots/made\"\n[[bots]]\npath = \"bots/lone/script.sh\"\n".to_string(),
        bot("here", "sh here.sh"),
        bot("paper", "paper"),
    ];
    play(arena, CUP, &bots.concat());
    let transcripts = files(&arena.path("results/transcripts"));
    let read = |path: &PathBuf| read_transcript(path).expect("it was just written");
    let all: Vec<Transcript> = transcripts.iter().map(read).collect();
    all.into_iter().filter(|one| one.result.as_ref().is_some_and(|result| result.verdict.at_fault.is_some())).collect()
}

#[test]
fn what_is_kept_of_a_forfeit_is_what_the_bot_heard_and_said_and_its_command_plays_it_again() {
    let arena = Arena::new([""; 0]);
    let faulty = faulty(&arena);
    let names: Vec<&str> = faulty.iter().filter_map(|one| Some(name_at_fault(one)?.as_str())).collect();
    for name in ["made", "script", "here"] {
        assert!(names.contains(&name), "{name} was to fail: {names:?}");
    }
    let elsewhere = tempfile::tempdir().expect("a folder for temporary files");
    let program = binaries::arena();
    for transcript in &faulty {
        // The command knows the arena's own programs by where the running one is, which here is the test.
        let word = program.to_str().expect("the path is UTF-8");
        let command = again_command(transcript, word);
        let folder = write_failure(&arena.path("results"), transcript, word).expect("it can be written");
        assert_eq!(folder, arena.path("results/failures").join(&transcript.header.id));
        check_kept(transcript, &folder, &command);

        let shell =
            Command::new("sh").arg("-c").arg(format!("{command} --json --quiet")).current_dir(&elsewhere).output();
        let output = shell.expect("there is a shell");
        let said = String::from_utf8_lossy(&output.stdout);
        let again: Value = serde_json::from_str(said.trim()).unwrap_or_else(|_| panic!("{command}: {output:#?}"));
        let first = &transcript.result.as_ref().expect("it is finished").value;
        for key in ["reason", "at_fault", "winner", "scores", "turns"] {
            assert_eq!(again[key], first[key], "{key}: {command}");
        }
    }
    // Made once more, it is the same.
    let again = write_failure(&arena.path("results"), &faulty[0], "nowhere/arena").expect("it can be written again");
    assert!(text(&again.join("README.txt")).contains("nowhere/arena match othello "));
    let hidden = |path: &PathBuf| path.to_string_lossy().contains("/.new-");
    assert_eq!(files(&arena.path("results")).iter().find(|path| hidden(path)), None);
}

fn name_at_fault(transcript: &Transcript) -> Option<&String> {
    let seat = transcript.result.as_ref()?.verdict.at_fault?;
    Some(&transcript.header.players[seat.index()].name)
}

/// The four files of a failure against the transcript and what the fixture repeated on stderr.
fn check_kept(played: &Transcript, folder: &Path, command: &str) {
    let result = played.result.as_ref().expect("it is finished");
    let seat = result.verdict.at_fault.expect("a bot was at fault");
    let sent: Vec<Value> = transcript(&folder.join("sent.jsonl"));
    let heard: Vec<Value> =
        heard(&transcript(&played.path), seat.index() as u64).into_iter().map(|(_, line)| line).collect();
    assert!(heard.len() > 1, "the fixture repeats what it hears");
    assert_eq!(sent[..heard.len()], heard, "{}", folder.display());
    assert_eq!(sent.last().map(|end| &end["type"]), Some(&"end".into()));
    let said = text(&folder.join("said.jsonl"));
    assert!(said.lines().next().is_some_and(|line| line.contains("\"ready\"")), "{said}");
    assert!(said.lines().last().is_some_and(|line| line.contains("\"fault\"") && line.contains("\"line\"")), "{said}");
    assert!(text(&folder.join("stderr.txt")).contains("heard "));
    let readme = text(&folder.join("README.txt"));
    let reason = result.verdict.reason.as_str();
    let name = name_at_fault(played).expect("a bot was at fault");
    for part in [name, reason, command, "/arena replay ", &format!("in turn {}", result.value["turns"])] {
        assert!(readme.contains(part), "{part:?} is not told:\n{readme}");
    }
    let first_line =
        result.verdict.detail.as_deref().and_then(|detail| detail.lines().next()).expect("a fault has a detail");
    assert!(readme.contains(first_line), "{readme}");
    assert!(readme.lines().count() <= 40, "more than a screen:\n{readme}");
}

#[test]
fn feedback_tells_an_entrant_everything_of_its_own_and_nothing_that_its_rivals_kept_to_themselves() {
    let arena = Arena::new([""; 0]);
    let chatty = format!("{} --echo", arena.fixture_command("debug-lines"));
    let failing = format!("{} --echo", arena.fixture_command("broken-json --at 2"));
    play(&arena, CUP, &[bot("paper", "paper"), bot("chatty", &chatty), bot("failing", &failing)].concat());
    let out = arena.path("back");
    let feedback = write_feedback(&arena.path("results"), &out, Some(6)).expect("it can be written");
    assert_eq!((feedback.entrants, feedback.matches), (3, 6));

    let own = files(&out.join("paper"));
    for file in &own {
        let text = text(file);
        for secret in [arena.marker(), "fixture", "heard ", "\"stray\""] {
            assert!(!text.contains(secret), "{} tells {secret:?}", file.display());
        }
    }
    assert!(own.iter().any(|file| text(file).contains("[\"paper\"]")), "its own command is told, without its folder");
    let place = arena.folder().display().to_string();
    for file in files(&out).iter().filter(|file| !file.ends_with("stderr.txt")) {
        assert!(!text(file).contains(&format!("\"folder\":\"{place}")), "{} tells a folder", file.display());
    }
    for name in ["paper", "chatty", "failing"] {
        let run = arena.also(&format!("verify back/{name}/transcripts"));
        assert_eq!(run.code, Some(0), "{name}: {run:#?}");
        assert!(run.stdout.ends_with("4 of 4 transcripts hold\n"), "{name}: {run:#?}");
        let whole = arena.also(&format!("verify back/{name}"));
        assert!(whole.stdout.contains(&format!("one by one: arena verify back/{name}/transcripts")), "{whole:#?}");
        assert_eq!(text(&out.join(name).join("matches.csv")).lines().count(), 5, "{name}");
        let standing = text(&out.join(name).join("standings.csv"));
        assert!(standing.lines().count() == 2 && standing.contains(name), "{standing}");
        let readme = text(&out.join(name).join("README.txt"));
        assert!(readme.contains(name) && !readme.contains("not complete"), "{readme}");
    }
    let failures = files(&out.join("failing/failures"));
    assert_eq!(failures.len(), 4 * 4, "four files for each of four matches: {failures:#?}");
    assert!(!out.join("paper/failures").exists());
    let failed = failures.iter().find(|file| file.ends_with("README.txt")).expect("there is one a forfeit");
    let readme = text(failed);
    let command = readme.lines().find_map(|line| line.strip_prefix("  arena debug ")).expect("it has this command");
    assert!(
        command.starts_with("../../transcripts/") && readme.contains("  arena replay ../../transcripts/"),
        "{readme}"
    );
    let command = command.replace('\'', "").replace("failing=MYBOT", &format!("'failing={failing}'"));
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("'{}' debug {command}", binaries::arena().display()));
    let again = shell.current_dir(failed.parent().expect("it is in a folder")).output().expect("a shell runs");
    let told = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.code() == Some(0) && told.contains("malformed"), "{command}\n{again:#?}");
    let log: String = files(&out.join("chatty/transcripts")).iter().map(|file| text(file)).collect();
    assert!(log.contains("\"stray\"") && log.contains("heard "), "its own log is there");

    let refused = write_feedback(&arena.path("results"), &out, None).expect_err("it is there already");
    assert!(refused.contains("back") && refused.contains("there already"), "{refused}");
}

#[test]
fn feedback_on_a_cup_that_is_not_complete_says_what_is_missing() {
    let arena = Arena::new([""; 0]);
    play(&arena, CUP, &[bot("paper", "paper"), bot("random", "random")].concat());
    lines(&arena.path("results"), |lines| drop(lines.pop()));
    let run = arena.also("tournament feedback results --to back");
    let missing = "the cup is not complete: 1 of 2 matches are on record";
    assert!(run.code == Some(0) && run.stderr.contains(missing), "{run:#?}");
    assert!(text(&arena.path("back/paper/README.txt")).contains(missing));
}
