//! What a cup tells and leaves: events, plain lines, tables that other programs read, transcripts that hold.

use crate::support::{Cup, Row, ids, json_events, names, rows, transcripts};
use serde_json::Value;
use std::process::Command;
use tests::arena::Arena;
use tests::skip::needs;

fn cup() -> Cup {
    Cup::othello(4).fixture("good", "good").bot("random", "random").fixture("crash", "exit 3 --at 2")
}

#[test]
fn events_are_one_a_line_and_agree_with_the_rows() {
    let cup = cup();
    let run = cup.played("--json --jobs 2");
    let events = json_events(&run.stdout);
    assert_eq!(events[0]["type"], "began");
    assert_eq!((&events[0]["planned"], &events[0]["on_record"]), (&24.into(), &0.into()));
    let of = |kind: &str| events.iter().filter(|event| event["type"] == kind).cloned().collect::<Vec<Value>>();
    let (started, ended, rows) = (of("started"), of("ended"), cup.rows());
    assert_eq!((started.len(), ended.len(), rows.len()), (24, 24, 24));
    for row in &rows {
        let event = ended.iter().find(|event| event["id"] == *row["id"]).expect("every row was told");
        for column in ["first", "second", "winner", "reason", "transcript"] {
            assert_eq!(event[column], *row[column], "{column} of {}", row["id"]);
        }
        assert_eq!(event["at_fault"].as_str().unwrap_or_default(), row["at_fault"]);
        assert_eq!(event["scores"], serde_json::json!([number(row, "score_first"), number(row, "score_second")]));
        assert_eq!(event["turns"], number(row, "turns"));
    }
    assert!(run.stderr.contains("24 matches are on record in results/cup"), "people are told on stderr: {run:#?}");
}

fn number(row: &Row, column: &str) -> i64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} is no number: {row:?}"))
}

#[test]
fn plain_output_has_no_returns_and_no_escapes() {
    let mut cup = cup();
    cup.arena = cup.arena.env("NO_COLOR", "").env("TERM", "xterm-256color");
    let run = cup.played("");
    for text in [&run.stdout, &run.stderr] {
        assert!(!text.contains('\r') && !text.contains('\u{1b}'), "{text:?}");
    }
    assert!(run.stdout.contains("24 matches are on record in results/cup"), "{run:#?}");
    assert_eq!(run.stderr.lines().filter(|line| line.contains("forfeits")).count(), 1, "{run:#?}");
}

#[test]
fn two_readers_of_csv_agree() {
    if !needs("python3") {
        return;
    }
    let cup = cup();
    cup.played("");
    for name in ["matches.csv", "standings.csv", "crosstable.csv", "grades.csv"] {
        let file = cup.results().join(name);
        let program = "import csv,json,sys\nprint(json.dumps(list(csv.reader(open(sys.argv[1],newline='',encoding='utf-8'),strict=True))))";
        let output = Command::new("python3").args(["-c", program]).arg(&file).output().expect("it is on the PATH");
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let theirs: Vec<Vec<String>> = serde_json::from_slice(&output.stdout).expect("Python writes JSON");
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(&file).expect("it is there");
        let ours: Result<Vec<Vec<String>>, csv::Error> = reader.deserialize().collect();
        assert_eq!(ours.expect("it is CSV"), theirs, "{name}");
        assert!(theirs.iter().all(|row| row.len() == theirs[0].len()), "{name}: {theirs:?}");
        assert!(theirs.iter().flatten().all(|cell| !cell.to_lowercase().contains("nan") && cell != "inf"), "{name}");
    }
}

#[test]
fn names_that_would_break_tables_or_paths_are_refused_with_their_place() {
    for name in [
        "a,b",
        "say \"hi\"",
        "=1+1",
        "two\nlines",
        "../up",
        "-dash",
        "trailing ",
        "x/y",
        "draw",
        "human",
        "",
        "\u{1f600}",
    ] {
        let text = serde_json::to_string(name).expect("a text is JSON");
        let arena = Arena::new(["tournament", "run", "cup.toml"]);
        arena.write("cup.toml", format!("game = \"othello\"\nname = \"cup\"\n[[bots]]\nname = {text}\nbot = \"random\"\n[[bots]]\nbot = \"greedy\"\n"));
        let run = arena.run();
        assert_eq!(run.code, Some(2), "{name:?}: {run:#?}");
        assert!(run.stderr.contains("cup.toml:4"), "{name:?}: {run:#?}");
        assert_eq!(names(arena.folder()), ["cup.toml"], "{name:?}");
    }
    let twice = Cup::othello(1).bot("same", "random").bot("Same", "greedy").run("");
    assert_eq!(twice.code, Some(2), "{twice:#?}");
    assert!(twice.stderr.contains("Same"), "{twice:#?}");
}

#[test]
fn points_scores_and_reasons_agree() {
    let cup = Cup::othello(12).bot("greedy", "greedy").bot("random", "random").fixture("good", "good");
    cup.played("");
    let rows = cup.rows();
    assert!(rows.iter().any(|row| row["winner"] == "draw"), "this seed gives a draw");
    for row in &rows {
        let (one, other) = (number(row, "score_first"), number(row, "score_second"));
        let by_score = match one.cmp(&other) {
            std::cmp::Ordering::Greater => &row["first"],
            std::cmp::Ordering::Less => &row["second"],
            std::cmp::Ordering::Equal => "draw",
        };
        assert_eq!((row["winner"].as_str(), row["reason"].as_str()), (by_score, "finished"), "{row:?}");
    }
    for line in crate::support::rows(&cup.results().join("standings.csv")) {
        let bot = &line["bot"];
        let mine = || rows.iter().filter(|row| row["first"] == *bot || row["second"] == *bot);
        let won = mine().filter(|row| row["winner"] == *bot).count();
        let drawn = mine().filter(|row| row["winner"] == "draw").count();
        assert_eq!(
            (line["won"].as_str(), line["drawn"].as_str()),
            (won.to_string().as_str(), drawn.to_string().as_str())
        );
        assert_eq!(line["played"], mine().count().to_string());
        assert_eq!(line["points"].parse::<f64>().expect("points are a number"), won as f64 + drawn as f64 / 2.0);
    }
}

#[test]
fn bots_that_are_level_share_a_rank() {
    let cup = Cup::new("game = \"othello\"\n[params]\nsize = 4\n").bot("one", "greedy").bot("two", "greedy");
    cup.played("");
    let table = rows(&cup.results().join("standings.csv"));
    assert_eq!((table[0]["rank"].as_str(), table[1]["rank"].as_str()), ("1", "1"), "{table:?}");
    assert_eq!((table[0]["points"].as_str(), table[1]["points"].as_str()), ("1", "1"), "{table:?}");
}

#[test]
fn all_transcripts_of_a_cup_hold() {
    let cup = cup();
    cup.played("");
    let run = cup.arena.also("verify results/cup/transcripts");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.contains("24 of 24") || run.stderr.contains("24 of 24"), "{run:#?}");
    for row in cup.rows() {
        assert!(cup.results().join(&row["transcript"]).is_file(), "{row:?}");
    }
}

#[test]
fn a_cup_without_a_file_is_written_down_and_can_be_gone_on_with() {
    let words = "tournament run --game othello --bot one=random --bot two=greedy --pairs 2 --param size=4 --param opening=2 --seed 9 --out mine";
    let arena = Arena::new(words.split(' '));
    assert_eq!(arena.run().code, Some(0));
    let results = arena.path("mine");
    let played = rows(&results.join("matches.csv"));
    assert_eq!(ids(&played), transcripts(&results));
    assert_eq!(played.len(), 4);
    let again = arena.run();
    assert_eq!(again.code, Some(0), "{again:#?}");
    assert_eq!(rows(&results.join("matches.csv")), played);
    let other = arena.also(&words.replace("--seed 9", "--seed 8"));
    assert_eq!(other.code, Some(2), "{other:#?}");
    assert!(other.stderr.contains("`seed` was 9 and is 8"), "{other:#?}");
    // What was written down is a cup file like any other.
    let copy = arena.also("tournament run mine/cup.toml --out copy");
    assert_eq!(copy.code, Some(0), "{copy:#?}");
    assert_eq!(ids(&rows(&arena.path("copy/matches.csv"))), ids(&played));
}

#[test]
fn usage_errors_are_exit_two_and_leave_nothing() {
    for words in [
        "tournament run",
        "tournament run absent.toml",
        "tournament run --game chess --bot random --bot greedy",
        "tournament run --game othello --bot random",
        "tournament run cup.toml --game othello",
        "tournament standings absent",
        "tournament run --game othello --bot a=random --bot b=greedy --jobs 0",
    ] {
        let arena = Arena::new(words.split(' '));
        let run = arena.run();
        assert_eq!(run.code, Some(2), "{words}: {run:#?}");
        assert!(!run.stderr.is_empty() && run.stdout.is_empty(), "{words}: {run:#?}");
        assert_eq!(names(arena.folder()), Vec::<String>::new(), "{words}");
    }
}
