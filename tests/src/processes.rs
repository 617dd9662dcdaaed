//! Looking for processes that were left behind, and at the memory of one that runs.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A text that no other process on this machine has among its arguments: give it to bots as `--marker`.
pub fn new_marker() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    // The point at the end keeps the first from being found in the tenth.
    format!("marker-{}-{}.", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The living processes that have this text as an argument or in their environment. Defunct ones are not alive.
pub fn with_marker(marker: &str) -> Vec<i32> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_string_lossy().parse().ok())
        .filter(|pid| *pid != std::process::id() as i32 && has_marker(*pid, marker.as_bytes()))
        .collect()
}

/// Panics if a process with the marker is still there after `within`; ends what it found, so that tests stay apart.
pub fn assert_no_process_left(marker: &str, within: Duration) {
    if let Err(left) = no_process_left(marker, within) {
        panic!("{} processes were left behind:\n{}", left.len(), left.join("\n"));
    }
}

/// Waits until no process with the marker is left, `within` at most; else what was left, one description each.
pub fn no_process_left(marker: &str, within: Duration) -> Result<(), Vec<String>> {
    if wait_until(within, || with_marker(marker).is_empty()) {
        return Ok(());
    }
    let left = with_marker(marker);
    let descriptions: Vec<String> = left.iter().map(|pid| describe(*pid)).collect();
    end_marked(marker);
    if descriptions.is_empty() { Ok(()) } else { Err(descriptions) }
}

/// Kills the processes with the marker: those that the test itself caused, and no others.
pub fn end_marked(marker: &str) {
    for pid in with_marker(marker) {
        let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
    }
}

/// Asks again and again until `holds`, or `within` is over; whether it held in the end.
pub fn wait_until(within: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let since = Instant::now();
    loop {
        if holds() {
            return true;
        }
        if since.elapsed() >= within {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// The most memory that a running process has held so far, in KiB; nothing once it has ended.
pub fn peak_memory_kib(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn has_marker(pid: i32, marker: &[u8]) -> bool {
    let holds = |file: &str| {
        fs::read(format!("/proc/{pid}/{file}"))
            .is_ok_and(|bytes| bytes.windows(marker.len()).any(|part| part == marker))
    };
    holds("cmdline") || holds("environ")
}

fn describe(pid: i32) -> String {
    let arguments = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    format!("{pid}: {}", String::from_utf8_lossy(&arguments).replace('\0', " "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn a_process_that_was_left_is_found_named_and_ended() {
        let marker = new_marker();
        let mut child = Command::new("sh")
            .args(["-c", "read line", &marker])
            .stdin(Stdio::piped())
            .spawn()
            .expect("there is a shell");
        assert!(wait_until(Duration::from_secs(10), || with_marker(&marker) == [child.id() as i32]));
        assert!(peak_memory_kib(child.id()).is_some_and(|peak| peak > 0));
        let left = no_process_left(&marker, Duration::ZERO).expect_err("it still runs");
        assert!(left.len() == 1 && left[0].contains(&marker), "{left:?}");
        child.wait().expect("it was ended");
        assert_no_process_left(&marker, Duration::ZERO);
    }
}
