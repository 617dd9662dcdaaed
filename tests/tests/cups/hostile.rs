//! Bots that misbehave, among good ones: every match gets its row, the good ones meet as if nobody else were there.

use crate::support::{Cup, Row, ids, transcripts};
use std::time::Duration;
use tests::arena::Arena;

const FAST: &str = "[clock]\nstart = \"5s\"\nmove = \"300ms\"\nstop = \"100ms\"\n";

fn cup(game: &str, params: &str, pairs: u32) -> Cup {
    Cup::new(&format!("game = \"{game}\"\npairs = {pairs}\nseed = 3\n{FAST}[params]\n{params}\n"))
}

/// How often a bot was at fault, for each reason.
fn faults(rows: &[Row], bot: &str, reason: &str) -> usize {
    rows.iter().filter(|row| row["at_fault"] == bot && row["reason"] == reason).count()
}

#[test]
fn eight_bots_of_which_three_are_hostile_play_a_whole_cup() {
    for (game, params, good) in [
        ("othello", "size = 4\nopening = 2", ["paper", "greedy"]),
        ("notipping", "k = 5\nopening = 2", ["greedy", "notipping-random"]),
    ] {
        let cup = cup(game, params, 1);
        let cup = cup
            .bot("one", good[0])
            .bot("two", good[1])
            .bot("three", "random")
            .bot("four", "random")
            .bot("five", good[0]);
        let cup = cup.fixture("crash", "panic-with-trace").fixture("flood", "stray-flood").fixture("mute", "silent");
        let run = cup.played("--jobs 2");
        let rows = cup.rows();
        assert_eq!(rows.len(), 56, "{game}");
        assert_eq!(ids(&rows), transcripts(&cup.results()), "{game}");
        for row in &rows {
            let hostile = |name: &str| ["crash", "flood", "mute"].contains(&name);
            let sound = !hostile(&row["first"]) && !hostile(&row["second"]);
            assert_eq!(sound, row["at_fault"].is_empty(), "{game}: {row:?}");
            assert!(row["at_fault"].is_empty() || hostile(&row["at_fault"]), "{game}: {row:?}");
            assert!(row["winner"] != row["at_fault"] || sound, "{game}: {row:?}");
        }
        assert_eq!(
            faults(&rows, "mute", "timeout") + faults(&rows, "mute", "crashed"),
            faults(&rows, "mute", "timeout")
        );
        assert!(faults(&rows, "crash", "crashed") >= 10 && faults(&rows, "flood", "flood") >= 10, "{game}: {rows:#?}");
        assert_eq!(cup.arena.no_process_left(), Ok(()), "{game}");
        assert_eq!(run.stderr.matches("thread 'main' panicked").count(), 0, "{run:#?}");
    }
}

#[test]
fn a_bot_that_crashes_in_every_match_takes_no_slot_and_one_line() {
    let cup = cup("othello", "size = 4\nopening = 2", 12).fixture("crash", "panic-with-trace --at 2");
    let cup = cup.bot("greedy", "greedy").bot("random", "random");
    let run = cup.played("--jobs 4");
    let rows = cup.rows();
    assert_eq!(rows.len(), 72);
    assert!(faults(&rows, "crash", "crashed") >= 40, "{rows:#?}");
    assert_eq!(run.stderr.lines().filter(|line| line.contains("crash forfeits")).count(), 1, "{run:#?}");
    assert!(run.stderr.contains("crash: crashed") && run.stderr.contains("times in all, each told in"), "{run:#?}");
    assert!(run.stderr.lines().count() < 10 && !run.stderr.contains("bot.py"), "{run:#?}");
    let trace = cup.results().join("failures/crash+greedy+1a/stderr.txt");
    let trace = std::fs::read_to_string(&trace).expect("the trace is in a file");
    assert!(trace.contains("in frame_1\n") && trace.contains("in frame_300\n"), "{trace}");
}

#[test]
fn what_cannot_play_is_named_before_anything_is_played_and_can_be_left_out() {
    let mut cup = cup("othello", "size = 4\nopening = 2", 2).bot("greedy", "greedy").bot("random", "random");
    cup.edit("start = \"5s\"", "start = \"1s\"");
    let cup = cup.fixture("late", "never-ready").fixture("gone", "exit-at-once 3");
    let refused = cup.run("");
    assert_eq!(refused.code, Some(2), "{refused:#?}");
    assert!(refused.stderr.contains("2 of 4 bots cannot play, so nothing is played"), "{refused:#?}");
    for part in ["late: ", "gone: ", "--skip-broken", "code 3"] {
        assert!(refused.stderr.contains(part), "{part}: {refused:#?}");
    }

    let rest = cup.played("--skip-broken");
    assert!(rest.stderr.contains("left out: late") && rest.stderr.contains("left out: gone"), "{rest:#?}");
    assert_eq!(ids(&cup.rows()), ["greedy+random+1a", "greedy+random+1b", "greedy+random+2a", "greedy+random+2b"]);
    // Gone on with in the same way, it is the same cup.
    assert_eq!(cup.played("--skip-broken").code, Some(0));
    assert_eq!(cup.rows().len(), 4);
}

#[test]
fn a_bot_that_is_not_there_is_named_with_its_place() {
    let cup = cup("othello", "size = 4", 1).bot("greedy", "greedy").bot("absent", "./no/such/bot");
    let run = cup.run("");
    assert_eq!(run.code, Some(2), "{run:#?}");
    assert!(run.stderr.contains("cup.toml:") && run.stderr.contains("no/such/bot"), "{run:#?}");
}

#[test]
fn a_bot_that_dies_after_some_matches_gets_a_new_process_for_the_next() {
    let mut cup = cup("othello", "size = 4\nopening = 2", 12)
        .fixture("mortal", "exit 3 --at 20 --reuse")
        .fixture("good", "good --reuse");
    cup.edit("seed = 3", "seed = 3\nreuse = true");
    cup.played("--jobs 1");
    let rows = cup.rows();
    assert_eq!(rows.len(), 24);
    let died = faults(&rows, "mortal", "crashed");
    // Its 20th request comes in the third or fourth match of each process.
    assert!((4..=9).contains(&died), "{died}: {rows:#?}");
    assert_eq!(rows.iter().filter(|row| row["reason"] == "finished").count(), 24 - died);
}

#[test]
fn a_sample_match_shows_what_a_handshake_cannot() {
    let cup = cup("othello", "size = 4\nopening = 2", 5).fixture("crash", "exit 3").bot("random", "random");
    let run = cup.arena.also("tournament check cup.toml");
    assert_eq!(run.code, Some(1), "{run:#?}");
    assert!(run.stdout.contains(": crashed, crash at fault, after ") && run.stdout.contains("10 matches"), "{run:#?}");
    assert!(run.stdout.contains("\n  the bot exited with code 3"), "what led to it is told: {run:#?}");
    assert_eq!(run.stdout.lines().last(), Some("1 bot was at fault in its sample match: crash"), "{run:#?}");
    assert!(!run.stdout.contains("move for move"), "matches begin from positions of their own: {run:#?}");
    assert!(!cup.arena.path("results").exists(), "a check keeps nothing");

    let cup = cup.fixture("broken", "exit-at-once 3");
    let run = cup.arena.also("tournament check cup.toml");
    assert_eq!(run.code, Some(1), "{run:#?}");
    for says in ["broken: CANNOT PLAY: ", "crash at fault", "10 matches", "1 of 3 bots cannot play", "--skip-broken"] {
        assert!(run.stdout.contains(says), "{says}: {run:#?}");
    }

    let alike =
        Cup::new("game = \"othello\"\npairs = 3\n[params]\nsize = 4\n").bot("paper", "paper").bot("greedy", "greedy");
    let run = alike.arena.also("tournament check cup.toml");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.contains("move for move: begin from different positions with `opening = 4`"), "{run:#?}");

    let fresh = Arena::new(["tournament", "new", "mine.toml"]).within(Duration::from_secs(30));
    assert_eq!(fresh.run().code, Some(0));
    let checked = fresh.also("tournament check mine.toml");
    assert_eq!(checked.code, Some(0), "{checked:#?}");
    assert_eq!(fresh.run().code, Some(2), "what is there is not written over");
    let run = fresh.also("tournament run mine.toml --jobs 2");
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.trim_end().ends_with(": results/mine/report.html"), "named after its file: {run:#?}");
    let folder = fresh.also("tournament run results/mine");
    assert_eq!(folder.code, Some(2), "{folder:#?}");
    assert!(folder.stderr.contains("results/mine/cup.toml"), "{folder:#?}");
}

#[test]
fn a_pattern_that_matches_other_things_than_bots_is_told() {
    let arena = Arena::new(["tournament", "new", "none.toml", "--bots", "entrants/*"]);
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stderr.contains("none.toml:") && run.stderr.contains("matches nothing"), "{run:#?}");
    arena.write("entrants/notes.txt", "no bot");
    let run = arena.also("tournament new notes.toml --bots entrants/*");
    assert!(run.stderr.contains("nothing that `entrants/*` matches is a bot"), "{run:#?}");
    assert!(run.stderr.contains("notes.txt"), "{run:#?}");
    arena.write("entrants/mine/bot.toml", "run = [\"sh\", \"-c\", \"exit 1\"]\n");
    let run = arena.also("tournament new both.toml --bots entrants/*");
    assert!(!run.stderr.contains("nothing that") && run.stderr.contains("notes.txt"), "{run:#?}");
}
