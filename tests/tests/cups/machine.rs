//! What the machine has too little of: room on the disk, open files, memory for long cups.

use crate::support::{Cup, ids, json_events, lasting, transcripts};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tests::binaries;
use tests::processes::wait_until;
use tests::skip::needs_that;

/// A file system in memory, unmounted when it is dropped.
pub struct SmallDisk(PathBuf);

impl SmallDisk {
    /// None where this user may not mount.
    pub fn mount(folder: &Path, size: &str) -> Option<SmallDisk> {
        fs::create_dir_all(folder).expect("the private folder is writable");
        mount(&["-t", "tmpfs", "-o", &format!("size={size}"), "none"], folder).then(|| SmallDisk(folder.to_path_buf()))
    }

    fn grow(&self, size: &str) {
        assert!(mount(&["-o", &format!("remount,size={size}")], &self.0), "{} cannot grow", self.0.display());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

fn mount(arguments: &[&str], folder: &Path) -> bool {
    let mut command = Command::new("mount");
    command.args(arguments).arg(folder).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[test]
fn a_full_disk_stops_a_cup_that_goes_on_when_there_is_room() {
    let cup = || Cup::othello(20).fixture("good", "good").bot("paper", "paper").bot("random", "random");
    let (calm, small) = (cup(), cup());
    let disk = SmallDisk::mount(&small.arena.path("disk"), "200k");
    if !needs_that("the right to mount", disk.is_some()) {
        return;
    }
    calm.played("");
    let results = small.arena.path("disk/cup");
    let full = small.run("--out disk/cup --json");
    assert_eq!(full.code, Some(2), "{full:#?}");
    assert!(full.stderr.contains("disk/cup/") && full.stderr.contains("No space left"), "{full:#?}");
    let how = format!("the same command goes on: {} --out disk/cup --json\n", small.command());
    assert!(full.stderr.contains(&how), "{how}{full:#?}");
    let there = transcripts(&results);
    for event in json_events(&full.stdout).iter().filter(|event| event["type"] == "ended") {
        assert!(there.iter().any(|id| event["id"] == **id), "announced and not there: {event}");
    }
    assert_eq!(small.arena.no_process_left(), Ok(()));

    disk.as_ref().expect("it is mounted").grow("20m");
    small.played("--out disk/cup");
    assert_eq!(lasting(&results), calm.lasting());
}

#[test]
fn few_open_files_are_enough_for_many_matches() {
    let cup = Cup::othello(250).fixture("good", "good").fixture("well", "good");
    let line = "ulimit -n 64; exec \"$1\" tournament run cup.toml --jobs 1";
    let mut command = Command::new("sh");
    command.args(["-c", line, "sh"]).arg(binaries::arena()).current_dir(cup.arena.folder());
    let output = command.output().expect("there is a shell");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(cup.rows().iter().all(|row| row["reason"] == "finished"), "{:?}", cup.rows());
    assert_eq!(cup.rows().len(), 500);
}

#[test]
fn memory_and_open_files_stay_flat_over_thousands_of_matches() {
    let play = |pairs: u32| {
        let mut cup = Cup::othello(pairs).fixture("good", "good --reuse").fixture("well", "good --reuse");
        cup.edit("seed = 7", "seed = 7\nreuse = true");
        let mut running = cup.arena.start_also("tournament run cup.toml --jobs 2");
        let (pid, file) = (running.pid(), cup.results().join("matches.csv"));
        let open = || fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, |files| files.count());
        let on_record = || fs::metadata(&file).map_or(0, |data| data.len());
        let mut most_open = 0;
        wait_until(Duration::from_secs(60), || {
            most_open = most_open.max(open());
            on_record() > u64::from(pairs) * 2 * 120
        });
        let run = running.finish(Duration::from_secs(90)).expect("instant matches are soon over");
        assert_eq!(run.code, Some(0), "{run:#?}");
        assert_eq!(cup.rows().len() as u32, pairs * 2);
        assert_eq!(ids(&cup.rows()), transcripts(&cup.results()));
        (run.peak_kib, most_open)
    };
    let (short, few_open) = play(100);
    let (long, most_open) = play(1500);
    assert!(long < short + 6 * 1024, "{short} KiB for 200 matches, {long} KiB for 3000");
    assert!(most_open <= few_open.max(64), "{few_open} open files, then {most_open}");
}
