//! Build steps of bots: confined like the bots themselves, on a copy, and gone with the arena however that ends.

use super::support::{
    C_BOT, as_ordinary_user, can_confine, everybody, executable, staged_by, strict_match, was_played,
};
use nix::sys::signal::Signal;
use std::fs;
use std::time::Duration;
use tests::arena::Arena;
use tests::binaries;
use tests::processes::{wait_until, with_marker};
use tests::skip::needs;
use tests::transcript::transcript;

const BOUND: Duration = Duration::from_secs(60);

const CUP: &str = "name = \"cup\"\ngame = \"othello\"\n[params]\nsize = 4\n";

/// A cup of one folder that enters twice.
fn write_cup(arena: &Arena, more: &str) {
    arena.write(
        "cup.toml",
        format!("{CUP}{more}[[bots]]\npath = \"made\"\nname = \"one\"\n[[bots]]\npath = \"made\"\nname = \"two\"\n"),
    );
}

#[test]
fn what_is_built_on_a_copy_is_what_is_played() {
    if !can_confine() || !needs("gcc") || !needs("make") {
        return;
    }
    for arena in everybody() {
        arena.write("made/bot.c", C_BOT);
        arena.write("made/Makefile", "bot: bot.c\n\tgcc -O1 -o bot bot.c\n");
        arena.write("made/bot.toml", "run = [\"./bot\"]\nbuild = [\"make\"]\n");
        let before = names(&arena);
        write_cup(&arena, "");
        let mut running = arena.start_also("tournament run cup.toml");
        let pid = running.pid();
        let run = running.finish(Duration::from_secs(180)).expect("a small cup ends");
        assert_eq!(run.code, Some(0), "{run:#?}");
        let rows = fs::read_to_string(arena.path("results/cup/matches.csv")).expect("it was played");
        assert_eq!(rows.matches(",finished,").count(), 2, "{rows}");
        assert_eq!(names(&arena), before, "the author's folder is as it was");
        for name in ["one", "two"] {
            let log = fs::read_to_string(arena.path(&format!("results/cup/builds/{name}.log"))).expect("it is kept");
            assert!(log.contains("gcc -O1"), "{log}");
        }
        assert_eq!(staged_by(pid, &arena), Vec::<std::path::PathBuf>::new());
        let report = fs::read_to_string(arena.path("results/cup/report.html")).expect("the cup has a page");
        assert!(report.contains("strict, ") && report.contains("bubblewrap "), "the page tells the layers");
        for file in fs::read_dir(arena.path("results/cup/transcripts")).expect("it was played").flatten() {
            let header = &transcript(&file.path())[0];
            assert_eq!(header["isolation"], "strict");
            assert!(header["layers"].as_array().is_some_and(|layers| layers.len() > 2), "{header}");
        }
        let run = strict_match(&arena, ["one=made", "two=made"]);
        was_played(&arena, &run);
        assert_eq!(names(&arena), before, "the author's folder is as it was");
    }
}

fn names(arena: &Arena) -> Vec<String> {
    let entries = fs::read_dir(arena.path("made")).expect("it is there").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_build_step_that_fails_is_told_with_its_log() {
    if !can_confine() {
        return;
    }
    for arena in everybody() {
        let build = "build = [\"sh\", \"-c\", \"echo no such luck; touch /usr/mine || exit 7\"]\n";
        arena.write("made/bot.toml", format!("run = [\"./bot\"]\n{build}"));
        write_cup(&arena, "");
        let run = arena.also("tournament run cup.toml");
        assert_eq!(run.code, Some(2), "{run:#?}");
        assert!(run.stderr.contains("exit status 7") && run.stderr.contains("builds/one.log"), "{}", run.stderr);
        let log = fs::read_to_string(arena.path("results/cup/builds/one.log")).expect("it is kept");
        assert!(log.contains("no such luck\n") && log.contains("/usr/mine"), "{log}");
    }
}

#[test]
fn a_build_step_has_the_network_only_when_the_cup_says_so() {
    if !can_confine() {
        return;
    }
    let cards = |text: &str| text.lines().filter(|line| line.contains(':')).count();
    let here = cards(&fs::read_to_string("/proc/net/dev").expect("the system tells"));
    for arena in everybody() {
        executable(&arena, "made/bot", super::support::SHELL_BOT);
        let build = "build = [\"sh\", \"-c\", \"while read -r line; do echo \\\"$line\\\"; done < /proc/net/dev\"]\n";
        arena.write("made/bot.toml", format!("run = [\"./bot\"]\n{build}"));
        for (network, expected) in [("", 1), ("[build]\nnetwork = true\n", here)] {
            write_cup(&arena, network);
            let out = format!("out{}", network.len());
            let run = arena.also(&format!("tournament run cup.toml --out {out}"));
            assert_eq!(run.code, Some(0), "{run:#?}");
            let log = fs::read_to_string(arena.path(&format!("{out}/builds/one.log"))).expect("it is kept");
            assert_eq!(cards(&log), expected, "{network:?}: {log}");
        }
    }
}

/// A cup whose build step waits, marked.
fn with_a_long_build(arena: Arena) -> Arena {
    executable(&arena, "made/fixture", "");
    fs::copy(binaries::fixture(), arena.path("made/fixture")).expect("there is room for a program");
    let build = format!("read line | ./fixture ignore-eof --life 300 --marker {}; true", arena.marker());
    arena.write("made/bot.toml", format!("run = [\"./fixture\", \"good\"]\nbuild = [\"sh\", \"-c\", {build:?}]\n"));
    write_cup(&arena, "");
    arena
}

#[test]
fn nothing_of_a_build_outlives_the_arena_and_the_next_one_tidies_up() {
    let modes = if can_confine() { vec!["strict", "none"] } else { vec!["none"] };
    for mode in modes {
        for arena in everybody() {
            let arena = with_a_long_build(arena);
            for signal in [Signal::SIGINT, Signal::SIGKILL] {
                let mut running = arena.start_also(&format!("tournament run cup.toml --isolation {mode} --out {mode}"));
                let is_building = || !with_marker(arena.marker()).is_empty();
                assert!(wait_until(BOUND, is_building), "{mode}: nothing is built: {:?}", running.end());
                running.signal(signal);
                let pid = running.pid();
                let run = running.finish(BOUND).unwrap_or_else(|| panic!("{mode}: {signal} does not end it"));
                assert_eq!(run.code, (signal == Signal::SIGINT).then_some(130), "{mode}: {run:#?}");
                assert_eq!(arena.no_process_left(), Ok(()), "{mode} {signal}");
                if mode == "none" {
                    continue;
                }
                let left = staged_by(pid, &arena);
                assert_eq!(left.is_empty(), signal == Signal::SIGINT, "{left:?}");
                // Another arena that confines tidies up after a dead one, whatever becomes of its own match.
                let fixture = "made/fixture good";
                was_played(&arena, &strict_match(&arena, [&format!("one={fixture}"), &format!("two={fixture}")]));
                assert_eq!(staged_by(pid, &arena), Vec::<std::path::PathBuf>::new());
            }
        }
    }
}

#[test]
fn a_build_step_is_held_to_its_time() {
    if !can_confine() {
        return;
    }
    let arena = with_a_long_build(as_ordinary_user());
    write_cup(&arena, "[build]\ntime = \"1s\"\n");
    let run = arena.also("tournament run cup.toml");
    assert_eq!(run.code, Some(2), "{run:#?}");
    assert!(run.stderr.contains("did not end within 1 s"), "{}", run.stderr);
    assert_eq!(arena.no_process_left(), Ok(()));
}
