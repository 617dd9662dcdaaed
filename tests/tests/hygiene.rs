//! What a match uses and what it leaves: limits of a bot, bounds of the transcript, descriptors, processes, control groups.

use nix::sys::signal::Signal;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tests::arena::Arena;
use tests::processes::{wait_until, with_marker};
use tests::transcript::{events, log};
use tests::{binaries, skip};

fn recorded(words: &str) -> Arena {
    Arena::new(["match", "othello", "--json", "--quiet", "--seed", "1", "--transcript", "m.jsonl"]).args(words)
}

/// The fixture with this word in either seat against a good one, under these flags.
fn in_both_seats(flags: &str, word: &str, judge: impl Fn(&Arena, &Value, u64)) {
    for seat in [0, 1] {
        let arena = recorded(flags);
        let arena = match seat {
            0 => arena.fixture("bad", word).fixture("rival", "good"),
            _ => arena.fixture("rival", "good").fixture("bad", word),
        };
        let run = arena.run();
        assert_eq!(run.code, Some(0), "{run:#?}");
        judge(&arena, &run.json(), seat);
        assert_eq!(arena.no_process_left(), Ok(()));
        assert_eq!(arena.also("verify m.jsonl").code, Some(0));
    }
}

fn resource(result: &Value, seat: u64, says: &[&str]) {
    assert_eq!((&result["reason"], &result["at_fault"]), (&json!("resource"), &json!(seat)), "{result}");
    assert_eq!(result["winner"], 1 - seat, "{result}");
    let detail = result["detail"].as_str().unwrap_or_default();
    assert!(says.iter().all(|part| detail.contains(part)), "{detail}");
}

#[test]
fn processor_time_beyond_its_limit_forfeits_as_resource() {
    in_both_seats("--limit cpu=1s --move-time 30s", "cpu-limit", |_, result, seat| {
        resource(result, seat, &["processor time", "1 s"]);
        assert!(result["cpu_us"][seat as usize].as_u64().is_some_and(|us| us > 500_000), "{result}");
    });
}

#[test]
fn a_file_beyond_its_limit_forfeits_as_resource() {
    in_both_seats("--limit files=1MiB --move-time 30s", "file-size --file big", |arena, result, seat| {
        resource(result, seat, &["file size", "1 MiB"]);
        assert!(fs::metadata(arena.path("big")).is_ok_and(|about| about.len() <= 1 << 20));
    });
}

#[test]
fn below_its_limits_a_bot_plays_on() {
    in_both_seats("--limit cpu=5s --limit files=100MiB", "file-size --file big", |_, result, _| {
        assert_eq!(result["reason"], "finished", "{result}");
    });
}

#[test]
fn a_bot_that_fills_its_log_plays_on_and_the_transcript_stays_small() {
    let arena = recorded("--param size=10").fixture("one", "stderr-flood").fixture("two", "stderr-flood");
    let run = arena.run();
    assert_eq!(run.json()["reason"], "finished", "{run:#?}");
    assert!(run.peak_kib < 40 << 10, "the arena held {} KiB", run.peak_kib);
    let transcript = arena.transcript("m.jsonl");
    let asked = |seat: u64| events(&transcript, "move").filter(|line| line["seat"] == seat).count() as u64;
    assert!(asked(0) >= 45 && asked(1) >= 45, "{} and {} moves", asked(0), asked(1));
    let size = fs::metadata(arena.path("m.jsonl")).expect("it was written").len();
    assert!(size < 2 << 20, "{size} bytes");
    for seat in [0, 1] {
        let logs: Vec<&Value> = events(&transcript, "stderr").filter(|event| event["seat"] == seat).collect();
        let kept: usize = logs.iter().filter_map(|log| log["text"].as_str()).map(str::len).sum();
        let cut: Vec<u64> = logs.iter().filter_map(|log| log["cut"].as_u64()).collect();
        assert!((256 << 10..=320 << 10).contains(&kept), "{kept} bytes are kept");
        let written = asked(seat) << 20;
        assert!(cut.len() == 1 && cut[0] + kept as u64 > written - written / 50, "{cut:?} beside {kept} bytes");
        // What it said last is what an author looks for; both ends are whole lines.
        let last = logs.last().and_then(|log| log["text"].as_str()).unwrap_or_default();
        assert!(last.starts_with("turn ") && last.ends_with("x\n"), "{:?}", &last[..20.min(last.len())]);
        let last_turn = events(&transcript, "move").filter(|line| line["seat"] == seat).last().expect("it moved");
        assert!(last.contains(&format!("turn {} ", last_turn["turn"])), "seat {seat}");
    }
}

#[test]
fn a_crash_with_a_long_trace_is_a_few_lines_on_screen_and_whole_in_the_transcript() {
    let arena = recorded("").fixture("falls", "panic-with-trace --at 2").args("--bot paper");
    let run = arena.run();
    assert_eq!(run.json()["reason"], "crashed", "{run:#?}");
    assert!(run.stderr.lines().count() < 25, "{}", run.stderr);
    assert!(run.stderr.contains("the fixture fell over"), "{}", run.stderr);
    let again = run.stderr.lines().find(|line| line.starts_with("to play it again: ")).expect("it is shown");
    assert!(again.contains("arena") && again.contains(" match othello "), "{again}");
    let log = log(&arena.transcript("m.jsonl"), 0);
    assert!(log.contains("frame_1\n") && log.contains("frame_300\n"), "{} bytes", log.len());
}

/// Who leaves something behind, or does not go, is named: it costs others their time.
#[test]
fn what_had_to_be_ended_is_told() {
    let rows = [
        ("helper-child", "left 1 process behind", Some(1)),
        ("fork-many 3", "left 3 processes behind", Some(3)),
        ("ignore-eof", "did not end within 200 ms", None),
        ("spin-after-eof", "did not end within 200 ms", None),
    ];
    for (word, says, left) in rows {
        let arena = recorded("--stop-time 200ms").fixture("messy", word).args("--bot paper");
        let run = arena.run();
        let result = run.json();
        assert_eq!((&result["reason"], &result["at_fault"]), (&json!("finished"), &Value::Null), "{word}: {result}");
        assert!(run.stderr.contains(&format!("messy {says}")), "{word}: {}", run.stderr);
        assert!(left.is_none_or(|left| result["left_behind"][0] == left), "{word}: {result}");
        assert_eq!(arena.no_process_left(), Ok(()));
    }
}

#[test]
fn the_command_that_is_shown_plays_the_match_again() {
    let arena = Arena::new(["match", "othello", "--quiet", "--swap-too"]).fixture("it's mine", "good");
    // A name with a space is none, so the whole is a command line that is not there.
    assert_eq!(arena.run().code, Some(2));
    let arena = Arena::new(["match", "othello", "--quiet", "--swap-too"])
        .args("--bot random")
        .fixture("mine", "exit 3 --seat 0");
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    let shown = run.stdout.lines().find_map(|line| line.strip_prefix("to play it again: ")).expect("it is shown");
    let again = Command::new("sh").args(["-c", &format!("{shown} --json")]).output().expect("there is a shell");
    let result: Value = serde_json::from_slice(&again.stdout).unwrap_or_else(|_| panic!("{shown}: {again:?}"));
    assert_eq!((&result["reason"], &result["players"]), (&json!("crashed"), &json!(["mine", "random"])), "{shown}");
}

#[test]
fn a_bot_has_its_three_streams_and_nothing_of_its_rival() {
    let arena = recorded("--swap-too").fixture("one", "describe").fixture("two", "describe");
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    let mut pipes = BTreeSet::new();
    for (name, seat) in [("m.jsonl", 0), ("m.jsonl", 1), ("m-swapped.jsonl", 0), ("m-swapped.jsonl", 1)] {
        let log = log(&arena.transcript(name), seat);
        let list = log.lines().find_map(|line| line.strip_prefix("descriptors ")).expect("it describes itself");
        let list: Vec<String> = serde_json::from_str(list).expect("a list");
        let streams: Vec<&String> =
            list.iter().filter(|one| ["0 ", "1 ", "2 "].iter().any(|number| one.starts_with(number))).collect();
        assert_eq!(streams.len(), 3, "{list:?}");
        // What the test's own caller had left open is not the arena's; sockets and other bots' pipes would be.
        assert!(list.iter().all(|one| !one.contains("socket:") && !one.contains("m.jsonl")), "{list:?}");
        pipes.extend(streams.into_iter().filter_map(|one| one.split_once(' ')).map(|(_, pipe)| pipe.to_owned()));
    }
    assert_eq!(pipes.len(), 12, "each stream of each process is its own: {pipes:?}");
}

/// Neither what the arena's caller had open nor the signals that a keeper blocks for itself are a bot's.
#[test]
fn a_bot_starts_with_no_signal_blocked_and_nothing_of_the_arenas_caller() {
    let arena = Arena::new([""; 0]);
    let script = "#!/bin/sh\ngrep SigBlk /proc/self/status >&2\necho open: $(ls /proc/$$/fd | sort -n) >&2\n";
    let script = executable(&arena, "tells", script);
    let output = Command::new("sh")
        .args(["-c", "exec 8</dev/null 9</dev/null; exec \"$@\"", "sh"])
        .arg(binaries::arena())
        .args("match othello --quiet --json --bot random --bot".split(' '))
        .arg(format!("tells={}", script.display()))
        .output()
        .expect("there is a shell");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    let detail = result["detail"].as_str().unwrap_or_default();
    assert!(detail.contains("SigBlk:\t0000000000000000"), "{detail}");
    let open: Vec<&str> = detail.lines().filter_map(|line| line.strip_prefix("open: ")).collect();
    // A shell keeps its script open itself, above 9; the two that were passed on would be there besides.
    let numbers: Vec<&str> = open.iter().flat_map(|line| line.split(' ')).collect();
    assert!(numbers.starts_with(&["0", "1", "2"]), "{detail}");
    assert!(!numbers.contains(&"8") && !numbers.contains(&"9"), "{detail}");
}

/// The system's way to say that a file may not grow is a signal that ends whoever does not expect it.
#[test]
fn a_limit_on_the_size_of_files_is_told_like_a_full_disk() {
    let arena = Arena::new([""; 0]);
    let script = executable(&arena, "run", "#!/bin/sh\nulimit -f 8\nexec \"$@\"\n");
    let output = Command::new(script)
        .arg(binaries::arena())
        .args("match othello --quiet --transcript m.jsonl --bot random --bot".split(' '))
        .arg(arena.fixture_command("stderr-flood"))
        .current_dir(arena.folder())
        .output()
        .expect("there is a shell");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("m.jsonl") && said.contains("File too large"), "{said}");
    assert_eq!(arena.no_process_left(), Ok(()));
}

fn executable(arena: &Arena, name: &str, text: &str) -> PathBuf {
    let path = arena.write(name, text);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("the file is ours");
    path
}

#[test]
fn few_descriptors_are_enough() {
    let arena = Arena::new([""; 0]);
    let output = Command::new("sh")
        .args(["-c", "ulimit -n 32; exec \"$@\"", "sh"])
        .arg(binaries::arena())
        .args("match othello --quiet --json --swap-too --bot random --bot paper --transcript m.jsonl".split(' '))
        .current_dir(arena.folder())
        .output()
        .expect("there is a shell");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Where the arena of this process id makes its control groups; nothing where it cannot.
fn groups_of(pid: u32) -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let line = mounts.lines().find(|line| line.contains(" - cgroup2 "))?;
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let inside = own.lines().find_map(|line| line.strip_prefix("0::/").map(str::to_owned))?;
    let folder = Path::new(line.split(' ').nth(4)?).join(inside);
    fs::OpenOptions::new().write(true).open(folder.join("cgroup.procs")).ok()?;
    Some(folder.join(format!("arena-{pid}")))
}

/// However an arena ends, its control groups go.
#[test]
fn control_groups_go_with_their_match() {
    if !skip::needs_that("control groups of its own", groups_of(0).is_some()) {
        return;
    }
    for end in [None, Some(Signal::SIGINT), Some(Signal::SIGTERM), Some(Signal::SIGKILL), Some(Signal::SIGKILL)] {
        let word = if end.is_some() { "silent" } else { "good" };
        let arena = recorded("--move-time 60s").fixture("one", word).fixture("two", "daemon --at ready");
        let mut running = arena.start();
        let groups = groups_of(running.pid()).expect("there are some");
        if let Some(signal) = end {
            let both_run = || with_marker(arena.marker()).len() >= 3 && groups.exists();
            assert!(wait_until(Duration::from_secs(20), both_run), "{}", groups.display());
            running.signal(signal);
        }
        assert!(running.finish(Duration::from_secs(30)).is_some());
        assert_eq!(arena.no_process_left(), Ok(()), "{end:?}");
        assert!(wait_until(Duration::from_secs(5), || !groups.exists()), "{} is left after {end:?}", groups.display());
    }
}
