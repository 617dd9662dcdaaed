//! Attacks on what all share: memory, processes, disks, processor time; and on what holds a bot.

use super::support::{Field, Layers, Outcome, Setting, Whose, settings};
use serde_json::Value;
use std::path::Path;

/// Plays one attack under every setting, and has what came of it judged.
fn everywhere(attack: &str, flags: &str, right: impl Fn(&Outcome, Setting) -> bool) {
    for setting in settings(&[Layers::Strict, Layers::LauncherAlone]) {
        let outcome = Field::new(setting).attack(attack, flags);
        assert!(right(&outcome, setting), "{setting:?} {attack}: {outcome:#?}");
    }
}

fn number(outcome: &Outcome, name: &str) -> Option<u64> {
    outcome.finding(name)?.strip_prefix("DONE ")?.parse().ok()
}

#[test]
fn a_fork_bomb_stops_at_the_limit() {
    everywhere("fork-bomb", "--limit processes=40 --limit memory=2GiB", |outcome, setting| {
        // Where the kernel counts it together with all that its user runs, its keeper ends it.
        let watched = setting == (Whose::Ordinary, Layers::LauncherAlone);
        number(outcome, "fork-bomb").is_some_and(|made| made < 40) || (watched && outcome.passed("processes: 40"))
    });
}

#[test]
fn a_memory_bomb_is_ended() {
    everywhere("memory-bomb", "--limit memory=128MiB", |outcome, _| outcome.passed("memory: 128 MiB"));
}

#[test]
fn memory_of_many_small_processes_counts_together() {
    everywhere("memory-by-many", "--limit memory=128MiB", |outcome, _| {
        // The kernel ends whom it chooses, which need not be the bot itself; what is left fits.
        outcome.passed("memory: 128 MiB") || number(outcome, "memory-by-many").is_some_and(|alive| alive <= 3)
    });
}

#[test]
fn memory_for_page_tables_counts() {
    everywhere("memory-by-page-tables", "--limit memory=128MiB", |outcome, _| outcome.passed("memory: 128 MiB"));
}

/// What a process has in common with its parent is there once.
#[test]
fn shared_memory_counts_once() {
    everywhere("fork-bomb", "--limit processes=40 --limit memory=200MiB", |outcome, _| !outcome.passed("memory"));
}

#[test]
fn empty_files_cost_memory_too() {
    for attack in ["empty-files", "empty-files-shm"] {
        everywhere(attack, "--limit memory=64MiB", |outcome, setting| match setting {
            (Whose::Root, Layers::Strict) => outcome.passed("memory: 64 MiB") || outcome.passed("temporary files"),
            (Whose::Ordinary, Layers::Strict) => outcome.passed("temporary files: 10000"),
            (_, Layers::LauncherAlone) => number(outcome, attack) == Some(0),
        });
    }
}

#[test]
fn no_folder_can_be_filled() {
    everywhere("fill-disk", "--limit temp=8MiB --limit memory=256MiB", |outcome, setting| {
        let text = outcome.finding("fill-disk").and_then(|text| text.strip_prefix("DONE "));
        let Some(Ok(Value::Object(filled))) = text.map(serde_json::from_str) else { return false };
        let most = |folder: &str| match (setting.1, folder) {
            (Layers::Strict, "/tmp") => 8,
            (Layers::Strict, "/dev/shm") => 16,
            _ => 0,
        };
        let outside = ["/tmp", "/dev/shm", "/var/tmp"].iter().any(|folder| Path::new(folder).join("fill0").exists());
        !outside && filled.iter().all(|(folder, mib)| mib.as_u64().is_some_and(|mib| mib <= most(folder)))
    });
}

#[test]
fn a_large_file_is_ended_or_refused() {
    everywhere("big-file", "--limit files=1MiB", |outcome, setting| match setting.1 {
        Layers::Strict => outcome.passed("file size: 1 MiB a file"),
        Layers::LauncherAlone => outcome.finding("big-file").is_some_and(|end| end.starts_with("refused EACCES")),
    });
}

#[test]
fn processor_time_is_limited_also_when_it_is_spread_over_many() {
    for attack in ["burn", "burn-by-many"] {
        everywhere(attack, "--limit cpu=1s", |outcome, _| outcome.passed("processor time: 1 s"));
    }
}

/// That nothing of it is left is looked at after every match.
#[test]
fn a_daemon_does_not_outlive_its_match() {
    everywhere("daemon", "", |outcome, _| {
        outcome.finding("daemon") == Some("DONE 1") && outcome.result["left_behind"][0].as_u64() > Some(0)
    });
}

#[test]
fn whoever_holds_a_bot_is_out_of_its_reach() {
    for attack in ["end-what-holds-it", "end-everybody"] {
        everywhere(attack, "", |outcome, _| outcome.result["at_fault"] == 0 || outcome.finding("all-tried").is_some());
    }
}
