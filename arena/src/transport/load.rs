//! Whose fault is a late answer: how long a bot was ready to run and got no processor, and how long the arena's own
//! thread was. Read from the kernel, rarely, and only for answers that are slow already.

use super::group::Group;
use super::tree::{self, RunTimes};
use nix::unistd::Pid;
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

/// Pressure that is read more often than the kernel's clock ticks reports nothing at all, and what was not reported
/// then is lost for good (measured: a bot starved of 80 % of a second reads 800 ms when read every 10 ms or less often,
/// and 0 when read every 3 ms).
const PRESSURE_INTERVAL: Duration = Duration::from_millis(10);

/// Where a bot's waiting time is read from.
#[derive(Debug)]
pub enum Source {
    /// The pressure of its control group: true of a bot that is held to one core.
    Group(GroupFiles),
    /// The run delay of its one busy thread.
    Threads {
        /// Whether the bot is held to the core on which the arena reads: a thread that is ready does not run then.
        held: bool,
    },
    /// Nowhere: wall time is charged.
    None,
}

/// The open files of a control group.
#[derive(Debug)]
pub struct GroupFiles {
    pressure: File,
    stat: File,
}

impl Source {
    /// The files of a group.
    pub fn of_group(group: &Group) -> io::Result<Source> {
        let pressure = File::open(group.path().join("cpu.pressure"))?;
        let stat = File::open(group.path().join("cpu.stat"))?;
        Ok(Source::Group(GroupFiles { pressure, stat }))
    }

    /// The word for it in transcripts and tables.
    pub fn as_str(&self) -> &'static str {
        match self {
            Source::Group(_) => "cgroup",
            Source::Threads { .. } => "schedstat",
            Source::None => "none",
        }
    }
}

/// A bot's counters at the beginning of a slow answer, and what they have grown by.
#[derive(Debug)]
pub struct Gauge {
    base: Counters,
    read_at: Instant,
    latest: Reading,
}

/// What was read of an answer's time, in microseconds. `None` where the system did not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Time in which the bot was ready to run and got no processor.
    pub stalled_us: Option<u64>,
    /// Processor time that the bot used.
    pub cpu_us: Option<u64>,
}

#[derive(Debug)]
enum Counters {
    Group { stalled_us: u64, cpu_us: u64 },
    Threads { tasks: BTreeMap<String, RunTimes>, at: Instant, held: bool },
    None,
}

impl Gauge {
    /// Takes the counters as they stand. `keeper` is the process whose descendants are the bot.
    pub fn new(source: &Source, keeper: Option<Pid>, now: Instant) -> Gauge {
        Gauge { base: Counters::take(source, keeper), read_at: now, latest: Reading::default() }
    }

    /// When the counters may be read again.
    pub fn readable_from(&self) -> Instant {
        match self.base {
            Counters::Group { .. } => self.read_at + PRESSURE_INTERVAL,
            Counters::Threads { .. } | Counters::None => self.read_at,
        }
    }

    /// What the counters have grown by; the reading before, when it is too early for another.
    pub fn read(&mut self, source: &Source, keeper: Option<Pid>, now: Instant) -> Reading {
        if now >= self.readable_from() {
            self.latest = self.base.growth(&Counters::take(source, keeper));
            self.read_at = now;
        }
        self.latest
    }
}

impl Counters {
    fn take(source: &Source, keeper: Option<Pid>) -> Counters {
        match (source, keeper) {
            (Source::Group(files), _) => match (read_small(&files.pressure), read_small(&files.stat)) {
                (Ok(pressure), Ok(stat)) => match (full_total(&pressure), usage(&stat)) {
                    (Some(stalled_us), Some(cpu_us)) => Counters::Group { stalled_us, cpu_us },
                    _ => Counters::None,
                },
                _ => Counters::None,
            },
            (Source::Threads { held }, Some(keeper)) => {
                Counters::Threads { tasks: tree::run_times(keeper), at: Instant::now(), held: *held }
            }
            _ => Counters::None,
        }
    }

    fn growth(&self, now: &Counters) -> Reading {
        match (self, now) {
            (Counters::Group { stalled_us, cpu_us }, Counters::Group { stalled_us: stalled_now, cpu_us: cpu_now }) => {
                Reading {
                    stalled_us: Some(stalled_now.saturating_sub(*stalled_us)),
                    cpu_us: Some(cpu_now.saturating_sub(*cpu_us)),
                }
            }
            (Counters::Threads { tasks: base, at: base_at, .. }, Counters::Threads { tasks: now, at, held }) => {
                of_threads(base, now, held.then(|| at.saturating_duration_since(*base_at)))
            }
            _ => Reading::default(),
        }
    }
}

/// Run delays add up over threads, so that a bot could buy time with many of them: they are trusted only where one
/// thread alone did anything since, or wants to. `window` is the time between the readings, where a thread that is ready
/// now is known not to run: its wait goes on and is not counted yet, but if it has not slept either, all the time in which
/// it did not run was waiting.
fn of_threads(
    base: &BTreeMap<String, RunTimes>,
    now: &BTreeMap<String, RunTimes>,
    window: Option<Duration>,
) -> Reading {
    let before = |task: &String| base.get(task).copied().unwrap_or_default();
    let active: Vec<(RunTimes, RunTimes)> = now
        .iter()
        .map(|(task, times)| (before(task), *times))
        .filter(|(before, now)| now.ready || (before.ran, before.waited) != (now.ran, now.waited))
        .collect();
    let ran = |(before, now): &(RunTimes, RunTimes)| now.ran.saturating_sub(before.ran);
    let cpu_us = active.iter().map(ran).sum::<u64>() / 1000;
    let stalled = match &active[..] {
        [] => Some(0),
        [only @ (before, now)] => Some(match window {
            Some(window) if now.ready && now.slept == before.slept => {
                u64::try_from(window.as_nanos()).unwrap_or(u64::MAX).saturating_sub(ran(only))
            }
            _ => now.waited.saturating_sub(before.waited),
        }),
        _ => None,
    };
    let same_tasks = base.keys().eq(now.keys());
    Reading { stalled_us: stalled.filter(|_| same_tasks).map(|stalled| stalled / 1000), cpu_us: Some(cpu_us) }
}

/// The run delay of the calling thread, for the time in which the arena itself was late.
#[derive(Debug)]
pub struct OwnDelay {
    file: Option<File>,
}

impl OwnDelay {
    /// Of the calling thread, which is the one that must read it.
    pub fn of_this_thread() -> OwnDelay {
        OwnDelay { file: File::open("/proc/thread-self/schedstat").ok() }
    }

    /// Time in which this thread was ready and got no processor, in all, in microseconds.
    pub fn total_us(&self) -> Option<u64> {
        let text = read_small(self.file.as_ref()?).ok()?;
        Some(tree::read_run_times(&text)?.waited / 1000)
    }
}

fn read_small(file: &File) -> io::Result<String> {
    let mut buffer = [0; 1024];
    let count = file.read_at(&mut buffer, 0)?;
    Ok(String::from_utf8_lossy(&buffer[..count]).into_owned())
}

fn full_total(pressure: &str) -> Option<u64> {
    pressure.lines().find(|line| line.starts_with("full "))?.rsplit_once("total=")?.1.trim().parse().ok()
}

fn usage(stat: &str) -> Option<u64> {
    stat.lines().find_map(|line| line.strip_prefix("usage_usec "))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tasks with what they ran, waited (both in µs) and how often they slept.
    fn times(list: &[(&str, u64, u64, u64)]) -> BTreeMap<String, RunTimes> {
        let times = |ran, waited, slept| RunTimes { ran: ran * 1000, waited: waited * 1000, slept, ready: false };
        list.iter().map(|&(task, ran, waited, slept)| (task.to_string(), times(ran, waited, slept))).collect()
    }

    fn ready(task: &str, mut tasks: BTreeMap<String, RunTimes>) -> BTreeMap<String, RunTimes> {
        tasks.get_mut(task).expect("it is there").ready = true;
        tasks
    }

    #[test]
    fn one_busy_thread_is_trusted_and_its_idle_parent_does_not_disturb_that() {
        let base = times(&[("shell", 5, 5, 1), ("bot", 10, 10, 1)]);
        let now = times(&[("shell", 5, 5, 1), ("bot", 30, 500, 2)]);
        assert_eq!(of_threads(&base, &now, None), Reading { stalled_us: Some(490), cpu_us: Some(20) });
    }

    #[test]
    fn several_busy_threads_gain_nothing() {
        let base = times(&[("a", 10, 10, 1), ("b", 10, 10, 1)]);
        let now = times(&[("a", 20, 400, 1), ("b", 20, 400, 1)]);
        assert_eq!(of_threads(&base, &now, None), Reading { stalled_us: None, cpu_us: Some(20) });
        let more = times(&[("a", 20, 400, 1), ("b", 10, 10, 1), ("c", 1, 400, 1)]);
        assert_eq!(of_threads(&base, &more, None).stalled_us, None);
        // One that waits for its first turn is as busy as the other.
        let one_ran = ready("b", times(&[("a", 20, 400, 1), ("b", 10, 10, 1)]));
        assert_eq!(of_threads(&base, &one_ran, Some(Duration::from_millis(1))).stalled_us, None);
    }

    #[test]
    fn a_wait_that_goes_on_counts_where_it_is_known_to_be_one() {
        let base = times(&[("bot", 10, 10, 1)]);
        let window = Duration::from_micros(1000);
        let waiting = ready("bot", times(&[("bot", 110, 10, 1)]));
        assert_eq!(of_threads(&base, &waiting, Some(window)).stalled_us, Some(900));
        // It has not run at all.
        let starved = ready("bot", times(&[("bot", 10, 10, 1)]));
        assert_eq!(of_threads(&base, &starved, Some(window)).stalled_us, Some(1000));
        // It has slept in between, or may be running on another core: only what was counted is sure.
        let slept = ready("bot", times(&[("bot", 110, 10, 2)]));
        assert_eq!(of_threads(&base, &slept, Some(window)).stalled_us, Some(0));
        assert_eq!(of_threads(&base, &waiting, None).stalled_us, Some(0));
    }

    #[test]
    fn the_kernels_files_are_read() {
        let pressure =
            "some avg10=0.00 avg60=0.00 avg300=0.14 total=2081456\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=77\n";
        assert_eq!(full_total(pressure), Some(77));
        assert_eq!(usage("usage_usec 4711\nuser_usec 1\n"), Some(4711));
    }
}
