//! Process trees, as `/proc` tells them: who descends from whom, at what priority, with how much processor time.
//! Linux only. Everything read here may be gone a moment later; what is gone is left out.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::collections::BTreeMap;
use std::fs;

/// All processes below `root`, without itself, parents before children.
pub fn descendants(root: Pid) -> Vec<Pid> {
    let mut found = vec![root];
    let mut next = 0;
    let mut by_parent = None;
    while next < found.len() {
        let parent = found[next];
        next += 1;
        let children = match listed_children(parent) {
            Some(children) => children,
            // Kernels without that list: one walk over all processes serves the whole tree.
            None => by_parent.get_or_insert_with(children_by_parent).remove(&parent).unwrap_or_default(),
        };
        for child in children {
            if !found.contains(&child) {
                found.push(child);
            }
        }
    }
    found.remove(0);
    found
}

/// The processes whose parent this one is.
pub fn children(parent: Pid) -> Vec<Pid> {
    listed_children(parent).unwrap_or_else(|| children_by_parent().remove(&parent).unwrap_or_default())
}

/// Sends a signal to every process below `root`. A process may fork while the list is made, so the list is made again
/// until it holds nobody new, a few times at most.
pub fn signal_descendants(root: Pid, signal: Signal) {
    let mut reached = Vec::new();
    for _ in 0..10 {
        let new: Vec<Pid> = descendants(root).into_iter().filter(|pid| !reached.contains(pid)).collect();
        if new.is_empty() {
            return;
        }
        for pid in new {
            // It may have ended since.
            let _ = kill(pid, signal);
            reached.push(pid);
        }
    }
}

/// A task's scheduling: what decides how much of a busy core it gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheduling {
    nice: i64,
    policy: u64,
}

/// Whether every process below `root` is a member of this control group, as `/proc/PID/cgroup` names it. What has been
/// moved out of a group could keep the rest of it waiting, and is not measured with it.
pub fn stays_in(root: Pid, group: &str) -> bool {
    descendants(root).into_iter().all(|pid| {
        fs::read_to_string(format!("/proc/{pid}/cgroup"))
            // It is gone.
            .map_or(true, |groups| {
                groups.is_empty() || groups.lines().any(|line| line.strip_prefix("0::") == Some(group))
            })
    })
}

/// The scheduling of the calling thread, which the processes that it starts inherit.
pub fn own_scheduling() -> Option<Scheduling> {
    scheduling_in(&fs::read_to_string("/proc/thread-self/stat").ok()?)
}

/// Whether every thread below `root` still runs with `start`'s priority and policy, in a session group that has not
/// been made nicer.
pub fn scheduled_as_started(root: Pid, start: Scheduling) -> bool {
    descendants(root).into_iter().all(|pid| {
        let autogroup = fs::read_to_string(format!("/proc/{pid}/autogroup")).unwrap_or_default();
        let nicer_group = autogroup.split_whitespace().last().is_some_and(|nice| nice != "0") && !autogroup.is_empty();
        let as_started = tasks(pid).into_iter().all(|task| {
            fs::read_to_string(format!("{task}/stat"))
                .ok()
                .and_then(|stat| scheduling_in(&stat))
                .is_none_or(|now| now == start)
        });
        as_started && !nicer_group
    })
}

/// Processor time used and waited for by one task, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RunTimes {
    /// Time on a processor.
    pub ran: u64,
    /// Time ready to run, but without a processor. A wait that goes on is not counted yet.
    pub waited: u64,
    /// How often it has given up its processor by itself, to sleep or to wait for something.
    pub slept: u64,
    /// Whether it is ready to run now.
    pub ready: bool,
}

/// The run times of every task below `root`, by task.
pub fn run_times(root: Pid) -> BTreeMap<String, RunTimes> {
    let tasks = descendants(root).into_iter().flat_map(tasks);
    tasks.filter_map(|task| Some((run_times_of(&task)?, task))).map(|(times, task)| (task, times)).collect()
}

/// Whether any thread of `root` or below it runs, or is ready to.
pub fn is_busy(root: Pid) -> bool {
    let state = |task: String| field(&fs::read_to_string(format!("{task}/stat")).ok()?, 3).map(|state| state == "R");
    descendants(root).into_iter().flat_map(tasks).any(|task| state(task) == Some(true))
}

/// Processor time in microseconds of all processes below `root`, and of those that these or `root` have waited for; in steps of the
/// kernel's clock ticks.
pub fn processor_us(root: Pid) -> u64 {
    let ticks = |pid: Pid, fields: &[usize]| -> u64 {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        fields.iter().filter_map(|number| field(&stat, *number)?.parse::<u64>().ok()).sum()
    };
    // Own user and system time are fields 14 and 15; of children that were waited for, 16 and 17.
    let all =
        descendants(root).into_iter().map(|pid| ticks(pid, &[14, 15, 16, 17])).sum::<u64>() + ticks(root, &[16, 17]);
    let a_second = nix::unistd::sysconf(nix::unistd::SysconfVar::CLK_TCK).ok().flatten().unwrap_or(100);
    all * 1_000_000 / a_second as u64
}

/// The numbers of a `schedstat` file.
pub fn read_run_times(text: &str) -> Option<RunTimes> {
    let mut numbers = text.split_whitespace().map(str::parse);
    Some(RunTimes { ran: numbers.next()?.ok()?, waited: numbers.next()?.ok()?, ..RunTimes::default() })
}

fn run_times_of(task: &str) -> Option<RunTimes> {
    let times = read_run_times(&fs::read_to_string(format!("{task}/schedstat")).ok()?)?;
    let status = fs::read_to_string(format!("{task}/status")).ok()?;
    let entry = |key: &str| status.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
    let slept = entry("voluntary_ctxt_switches:")?.parse().ok()?;
    let ready = entry("State:")?.starts_with('R');
    Some(RunTimes { slept, ready, ..times })
}

fn tasks(pid: Pid) -> Vec<String> {
    let folder = format!("/proc/{pid}/task");
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| Some(format!("{folder}/{}", entry.file_name().to_str()?))).collect()
}

fn listed_children(parent: Pid) -> Option<Vec<Pid>> {
    let mut children = Vec::new();
    let mut any_list = false;
    for task in tasks(parent) {
        let Ok(list) = fs::read_to_string(format!("{task}/children")) else { continue };
        any_list = true;
        children.extend(list.split_whitespace().filter_map(|pid| pid.parse().ok()).map(Pid::from_raw));
    }
    // A process that has gone has no tasks: it has no children either.
    (any_list || !fs::exists(format!("/proc/{parent}")).unwrap_or(false)).then_some(children)
}

fn children_by_parent() -> BTreeMap<Pid, Vec<Pid>> {
    let mut all: BTreeMap<Pid, Vec<Pid>> = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { continue };
        let Some(parent) = field(&stat, 4).and_then(|text| text.parse().ok()) else { continue };
        all.entry(Pid::from_raw(parent)).or_default().push(Pid::from_raw(pid));
    }
    all
}

fn scheduling_in(stat: &str) -> Option<Scheduling> {
    Some(Scheduling { nice: field(stat, 19)?.parse().ok()?, policy: field(stat, 41)?.parse().ok()? })
}

/// A field of `/proc/PID/stat`, counted from 1 as proc(5) does. The second may hold spaces and parentheses itself.
fn field(stat: &str, number: usize) -> Option<&str> {
    let after_name = &stat[stat.rfind(')')? + 1..];
    after_name.split_whitespace().nth(number.checked_sub(3)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_name_with_spaces_and_parentheses_does_not_shift_the_fields() {
        let stat = "12 (a) b (c) S 7 12 12 0 -1 4194304 1 0 0 0 1 2 3 4 20 5 1 0 99";
        assert_eq!(field(stat, 4), Some("7"));
        assert_eq!(field(stat, 19), Some("5"));
    }

    #[test]
    fn children_are_found_with_and_without_the_kernels_list() {
        let mut child = std::process::Command::new("cat").stdin(std::process::Stdio::piped()).spawn().unwrap();
        let (own, pid) = (Pid::this(), Pid::from_raw(child.id() as i32));
        assert!(descendants(own).contains(&pid));
        assert!(children_by_parent()[&own].contains(&pid));
        assert!(scheduled_as_started(own, own_scheduling().unwrap()));
        drop(child.stdin.take());
        child.wait().unwrap();
        assert!(!descendants(own).contains(&pid));
    }
}
