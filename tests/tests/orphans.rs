//! Many matches one after the other leave nothing behind, not even a process that nobody has waited for. This test is
//! alone in its program, because it makes that program the parent of all that is left.

use nix::sys::prctl;
use std::fs;
use std::time::Duration;
use tests::arena::Arena;
use tests::processes::wait_until;

/// All children of this process, those included that have ended and wait to be noticed.
fn children() -> Vec<String> {
    let tasks = fs::read_dir("/proc/self/task").expect("this process has threads").flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[test]
fn thirty_matches_leave_no_process_living_or_dead() {
    prctl::set_child_subreaper(true).expect("a process may become one");
    for (round, word) in
        ["good", "exit-at-once 0", "exit 3", "daemon", "fork-many 5", "signal 9"].iter().cycle().take(30).enumerate()
    {
        let arena = Arena::new(["match", "othello", "--json", "--quiet", "--seed", "1"]);
        let arena = arena.fixture("one", word).fixture("two", "good");
        let run = arena.run();
        assert_eq!(run.code, Some(0), "{run:#?}");
        assert_eq!(arena.no_process_left(), Ok(()), "{word}");
        let gone = wait_until(Duration::from_secs(3), || children().is_empty());
        assert!(gone, "round {round}, {word}: left {:?}", children());
    }
}
