use super::*;
use crate::record::read_transcript;
use std::fs;

fn row(id: &str) -> Row {
    Row {
        id: id.to_string(),
        round: 1,
        game: "nim".to_string(),
        params: r#"{"size":6,"piles":[[1,2],[3,4]]}"#.to_string(),
        seed: 9_007_199_254_740_991,
        bots: ["paper".to_string(), "mine".to_string()],
        outcome: RowOutcome::Won(Seat::Second),
        scores: [-3, 20],
        reason: Reason::Timeout,
        at_fault: Some(Seat::First),
        turns: 31,
        duration_ms: 1200,
        thinking_ms: [700, 3],
        longest_ms: [500, 1],
        transcript: format!("transcripts/{id}.jsonl"),
    }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("the file is there")
}

#[test]
fn rows_come_back_as_they_were() {
    let folder = folder();
    let path = folder.path().join("matches.csv");
    let drawn = Row { outcome: RowOutcome::Drawn, reason: Reason::Finished, at_fault: None, ..row("b") };
    let void = Row { outcome: RowOutcome::Void, reason: Reason::Disturbed, at_fault: None, ..row("c") };
    let rows = [row("a"), drawn, void];
    let (mut writer, torn) = RowWriter::open(&path).expect("it can be begun");
    assert_eq!(torn, None);
    rows.iter().for_each(|row| writer.append(row).expect("it can be written"));
    assert_eq!(read_rows(&path).expect("it can be read"), ReadRows { rows: rows.to_vec(), torn: None });
    let written = text(&path);
    let lines: Vec<&str> = written.split_terminator("\r\n").collect();
    assert_eq!(lines[0], COLUMNS.join(","));
    let params = r#""{""size"":6,""piles"":[[1,2],[3,4]]}""#;
    assert_eq!(
        lines[1],
        format!(
            "a,1,nim,{params},9007199254740991,paper,mine,mine,-3,20,timeout,paper,31,1200,700,3,500,1,transcripts/a.jsonl"
        )
    );
    assert!(lines[2].contains(",paper,mine,draw,") && lines[3].contains(",paper,mine,,"));
}

#[test]
fn a_torn_last_row_is_told_and_mended() {
    let folder = folder();
    let path = folder.path().join("matches.csv");
    let (mut writer, _) = RowWriter::open(&path).expect("it can be begun");
    writer.append(&row("a")).expect("it can be written");
    let whole = text(&path);
    writer.append(&row("b")).expect("it can be written");
    let longer = text(&path);
    for cut in whole.len() + 1..longer.len() {
        fs::write(&path, &longer[..cut]).expect("it can be written");
        let read = read_rows(&path).expect("a torn row is no error");
        assert_eq!((read.rows.len(), read.torn.as_deref()), (1, Some(&longer[whole.len()..cut])));
        let (mut writer, torn) = RowWriter::open(&path).expect("it can be opened");
        assert_eq!(torn, read.torn);
        assert_eq!(text(&path), whole);
        writer.append(&row("b")).expect("it can be written");
        assert_eq!(text(&path), longer);
    }
    // A header that was torn is begun anew.
    fs::write(&path, "id,rou").expect("it can be written");
    assert_eq!(read_rows(&path).expect("it has no rows"), ReadRows { rows: vec![], torn: Some("id,rou".to_string()) });
    RowWriter::open(&path).expect("it can be opened");
    assert_eq!(text(&path), COLUMNS.join(",") + "\r\n");
}

#[test]
fn a_line_that_is_no_row_is_named() {
    let folder = folder();
    let path = folder.path().join("matches.csv");
    let header = COLUMNS.join(",");
    let good = "a,1,nim,{},5,paper,mine,paper,1,0,finished,,31,1200,7,3,5,1,transcripts/a.jsonl";
    for (line, says) in [
        ("a,1,nim", ":3: a row has 19 cells, this one has 3"),
        (&good.replace(",paper,1,0", ",other,1,0"), "`winner` is \"other\", who is neither paper nor mine"),
        (&good.replace(",31,", ",x,"), "`turns` is \"x\", but must be a whole number in its range"),
        (&good.replace("finished", "bored"), "there is no reason \"bored\""),
    ] {
        fs::write(&path, format!("{header}\n{good}\n{line}\n{good}\n")).expect("it can be written");
        let error = read_rows(&path).expect_err("it is no row").to_string();
        assert!(error.contains(says) && error.contains("matches.csv:3: "), "{error}");
    }
    fs::write(&path, "name,points\nx,1\n").expect("it can be written");
    let error = read_rows(&path).expect_err("it is another table").to_string();
    assert!(error.contains("the header is not that of a cup's matches"), "{error}");
}

#[test]
fn rows_are_put_in_the_order_of_the_schedule() {
    let folder = folder();
    let path = folder.path().join("matches.csv");
    let (mut writer, _) = RowWriter::open(&path).expect("it can be begun");
    for id in ["c", "stray", "a", "b"] {
        writer.append(&row(id)).expect("it can be written");
    }
    fs::write(&path, text(&path).replacen("\r\n", "\n", 2) + "torn,1").expect("it can be written");
    assert_eq!(count_rows(&path).expect("it can be read"), 4);
    write_in_order(&path, &[2, 3, 0, 1]).expect("it can be ordered");
    let read = read_rows(&path).expect("it can be read");
    assert_eq!(read, ReadRows { rows: ["a", "b", "c", "stray"].map(row).to_vec(), torn: None });
    let ordered = text(&path);
    write_in_order(&path, &[0, 1, 2, 3]).expect("it can be ordered");
    assert_eq!(text(&path), ordered, "what is in order stays as it is");
    let error = write_in_order(&path, &[1, 0]).expect_err("there are more rows").to_string();
    assert!(error.contains("there are 4 rows, but 2 are to be put in order"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).expect("the folder is there").count(), 1, "nothing is left beside it");
}

/// Names cannot begin with what a spreadsheet takes for a formula, by their own rule; other people's words are guarded.
#[test]
fn no_cell_is_a_formula() {
    for name in ["=1+1", "+1", "-x", "@x"] {
        assert!(crate::config::check_name(name).is_err(), "{name} is a name");
    }
    let suspicious = |cell: &str| cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err();
    assert!(!row("a").cells().iter().any(|cell| suspicious(cell)));
    let cells = ["=1+1", "@sum", "-2.5", "a,b", "say \"hi\""].map(str::to_string).to_vec();
    let table = Table { header: vec!["a", "b", "c", "d", "e"], rows: vec![cells] };
    assert_eq!(
        String::from_utf8(table.to_csv()).expect("it is UTF-8"),
        "a,b,c,d,e\r\n'=1+1,'@sum,-2.5,\"a,b\",\"say \"\"hi\"\"\"\r\n"
    );
}

#[test]
fn a_transcript_gives_its_row() {
    let folder = folder();
    let write = |name: &str, moves: &str, result: &str| {
        let path = folder.path().join(name);
        let header = r#"{"type":"match","schema":1,"arena":"0","id":"x+y+1a","game":"nim","params":{"size":6},"seed":5,"clock":{"start_ms":1,"move_ms":1,"game_ms":null,"increment_ms":0,"stop_ms":1},"players":[{"name":"x","command":[]},{"name":"y","command":[]}],"started":"2026-01-01T00:00:00Z"}"#;
        fs::write(&path, format!("{header}\n{moves}{result}")).expect("it can be written");
        read_transcript(&path).expect("it is a transcript")
    };
    let one = "{\"type\":\"move\",\"ms\":1,\"turn\":0,\"seat\":0,\"move\":\"a\",\"took_us\":7}\n";
    let result = r#"{"type":"result","ms":9,"winner":null,"scores":[2,2],"reason":"finished","detail":null,"at_fault":null,"turns":1,"duration_ms":9,"total_us":[1499,1500],"max_us":[499,500]}"#;
    let transcript = write("x+y+1a.jsonl", one, result);
    let row = Row::of_transcript(&transcript, 3).expect("it is finished");
    assert_eq!((row.round, row.outcome, row.turns, row.duration_ms), (3, RowOutcome::Drawn, 1, 9));
    assert_eq!((row.thinking_ms, row.longest_ms), ([1, 2], [0, 1]), "rounded to the nearest");
    assert_eq!((row.params.as_str(), row.transcript.as_str()), (r#"{"size":6}"#, "transcripts/x+y+1a.jsonl"));
    let unfinished = Row::of_transcript(&write("d.jsonl", one, ""), 1).expect_err("it has no result").to_string();
    assert!(unfinished.contains("d.jsonl has no result"), "{unfinished}");
}
