use super::*;
use crate::record::RowWriter;
use crate::verdict::Reason;

fn row(number: u32, bots: [&str; 2], at_fault: Option<Seat>) -> Row {
    Row {
        id: format!("{}+{}+{number}a", bots[0], bots[1]),
        round: 1,
        game: "nim".to_string(),
        params: "{}".to_string(),
        seed: 1,
        bots: bots.map(str::to_string),
        outcome: at_fault.map_or(RowOutcome::Drawn, |seat| RowOutcome::Won(seat.other())),
        scores: [0, 0],
        reason: at_fault.map_or(Reason::Finished, |_| Reason::Crashed),
        at_fault,
        turns: 4,
        duration_ms: 10,
        thinking_ms: [1, 1],
        longest_ms: [1, 1],
        transcript: String::new(),
    }
}

/// A cup of these bots of which these rows are on record, and so many matches are planned.
fn gone_on(style: Style, names: &[&str], rows: &[Row], planned: u64) -> (tempfile::TempDir, Progress) {
    let place = tempfile::tempdir().expect("a folder for temporary files");
    let (mut writer, _) = RowWriter::open(&place.path().join(MATCHES)).expect("it can be written");
    rows.iter().for_each(|row| writer.append(row).expect("it can be written"));
    let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
    let mut progress = Progress::new(style, &names, Some(place.path()));
    progress.bar.set_draw_target(ProgressDrawTarget::hidden());
    progress.recall().expect("the rows are whole");
    let began = CupEvent::Began { planned: Some(planned), on_record: rows.len() as u64, slots: 1 };
    progress.hear(&began).expect("nothing is written to stdout");
    (place, progress)
}

#[test]
fn a_cup_that_goes_on_tells_the_points_and_faults_of_all_of_it() {
    let (crash, draw) = (row(1, ["bad", "good"], Some(Seat::First)), row(2, ["bad", "good"], None));
    let once = row(3, ["once", "good"], Some(Seat::First));
    let (place, mut progress) = gone_on(Style::Display, &["bad", "good", "once"], &[crash, draw, once], 8);
    progress.ended(&row(4, ["bad", "good"], Some(Seat::First)), Some("the bot exited with code 3, when"));
    assert_eq!(progress.leaders(80), "good 3.5, bad 0.5, once 0");
    let failures = place.path().join("failures");
    assert_eq!(
        progress.faults(),
        [
            "bad+good+4a: bad forfeits: crashed: the bot exited with code 3, when".to_string(),
            format!("bad: crashed 2 times in all, each told in {}", failures.display()),
            format!("once: crashed once in all, told in {}", failures.display()),
        ]
    );
}

#[test]
fn the_pace_is_that_of_the_matches_of_this_run() {
    let rows: Vec<Row> = (1..=90).map(|number| row(number, ["a", "b"], None)).collect();
    let (_place, mut progress) = gone_on(Style::Plain, &["a", "b"], &rows, 110);
    let ten = Duration::from_secs(10);
    assert_eq!(progress.pace(ten), "0.0 a second", "nothing is known before the first match");
    (91..=95).for_each(|number| progress.ended(&row(number, ["a", "b"], None), None));
    // 5 in 10 s, and 15 to come.
    assert_eq!(progress.pace(ten), "0.5 a second  about 30s left");
    assert_eq!(progress.plain_line(ten), "95 of 110 matches, 0.5 a second; a 47.5, b 47.5");
}

#[test]
fn what_bots_did_fits_on_a_screen() {
    let long = "x".repeat(40);
    let names = [long.as_str(), "b", "c", "d", "e", "f"];
    let (_place, mut progress) = gone_on(Style::Display, &names, &[], 8);
    let detail = "the bot exited with code 3, when its answer to turn 4 was awaited, 2 ms after it was asked";
    progress.ended(&row(1, [&long, "b"], Some(Seat::First)), Some(detail));
    let message = progress.message(80);
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(lines[0], "points so far: b 1, c 0, d 0, e 0, … 2 more");
    let cause = format!("{}…: crashed: exited with code 3, when", "x".repeat(23));
    assert!(lines[2].starts_with(&cause) && lines[2].chars().count() == 79, "{message}");
    // The one with the long name leads: there is room for it and no other.
    progress.ended(&row(2, [&long, "b"], Some(Seat::Second)), None);
    progress.ended(&row(3, [&long, "b"], Some(Seat::Second)), None);
    assert_eq!(progress.message(70).lines().next(), Some(&*format!("points so far: {long} 2, … 5 more")));
    assert!(progress.plain_line(Duration::from_secs(1)).ends_with(", … 2 more"));
}
