//! Busy strangers: processes that have nothing to do with the arena and take the processor from it.

use crate::binaries;
use crate::fixture::STRANGER;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// Strangers at work, each in a session of its own; they end when this is dropped.
pub struct Strangers(Vec<Child>);

impl Strangers {
    /// Sets `count` of them to work on a core, and waits until all are at it.
    pub fn on_core(core: usize, count: usize) -> Strangers {
        let mut strangers = Strangers(Vec::new());
        for _ in 0..count {
            let mut command = Command::new(binaries::fixture());
            command.args([STRANGER, &core.to_string()]).stdin(Stdio::null()).stdout(Stdio::piped());
            strangers.0.push(command.spawn().expect("the fixture starts"));
        }
        for stranger in &mut strangers.0 {
            let mut line = String::new();
            let stdout = stranger.stdout.take().expect("stdout is piped");
            BufReader::new(stdout).read_line(&mut line).expect("a stranger says that it is busy");
            assert_eq!(line, "busy\n", "a stranger does not get to work");
        }
        strangers
    }
}

impl Drop for Strangers {
    fn drop(&mut self) {
        for stranger in &mut self.0 {
            let _ = stranger.kill();
            let _ = stranger.wait();
        }
    }
}
