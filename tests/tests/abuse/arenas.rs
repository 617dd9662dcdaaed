//! Two arenas at once: no user and no core is given to bots of both.

use super::support::{Field, Layers, settings};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;
use tests::processes::{wait_until, with_marker};

/// A line of the status of each bot that runs for this field.
fn of_bots(field: &Field, key: &str) -> Vec<String> {
    let line = |pid: i32| {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let is_bot = status.lines().next() == Some("Name:\tfixture");
        let value = status.lines().find_map(|line| line.strip_prefix(key));
        value.filter(|_| is_bot).map(|value| value.trim().to_owned())
    };
    with_marker(field.marker()).into_iter().filter_map(line).collect()
}

#[test]
fn two_arenas_share_no_user_and_no_core() {
    for setting in settings(&[Layers::Strict]).into_iter().filter(|(whose, _)| *whose == super::support::Whose::Root) {
        let fields = [Field::new(setting), Field::new(setting)];
        let running: Vec<_> = fields
            .iter()
            .map(|field| {
                let silent = field.innocent("silent");
                field.start(&silent, &silent, "")
            })
            .collect();
        let both = |field: &Field| wait_until(Duration::from_secs(30), || of_bots(field, "Uid:").len() == 2);
        let started = fields.iter().all(both);
        let users: BTreeSet<String> = fields.iter().flat_map(|field| of_bots(field, "Uid:")).collect();
        let cores: Vec<BTreeSet<String>> =
            fields.iter().map(|field| of_bots(field, "Cpus_allowed_list:").into_iter().collect()).collect();
        for arena in &running {
            let _ = kill(Pid::from_raw(arena.id() as i32), Signal::SIGTERM);
        }
        let outcomes: Vec<_> = fields.iter().zip(running).map(|(field, arena)| field.finish(arena)).collect();
        assert!(started, "{outcomes:#?}");
        assert_eq!(users.len(), 4, "{users:?}");
        // Other arenas of this machine may hold the cores; then it is said.
        if outcomes.iter().all(|outcome| !outcome.stderr.contains("every core is in use")) {
            assert_ne!(cores[0], cores[1]);
        }
    }
}
