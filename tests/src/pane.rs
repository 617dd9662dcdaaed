//! A real terminal, in which programs run that a person would look at.

use crate::processes;
use std::process::{Command, Output};
use std::time::Duration;

/// A real terminal with a program in it. It is ended with its server.
pub struct Pane {
    socket: String,
}

impl Pane {
    /// 80 columns and 24 rows, in which the shell runs this.
    pub fn new(script: &str) -> Pane {
        let pane = Pane { socket: processes::new_marker() };
        // The shell is to outlive a Ctrl-C.
        let script = format!("trap : INT; unset NO_COLOR; {script}");
        let started = pane.tmux(&["-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "sh", "-c", &script]);
        assert!(started.status.success(), "{started:?}");
        pane
    }

    /// Runs tmux for this terminal.
    pub fn tmux(&self, arguments: &[&str]) -> Output {
        Command::new("tmux").args(["-L", &self.socket]).args(arguments).output().expect("tmux runs")
    }

    /// Presses keys, as tmux names them.
    pub fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// What is on the screen.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.tmux(&["capture-pane", "-p"]).stdout).into_owned()
    }

    /// Waits until all of this is on the screen, and what is there then.
    pub fn shows(&self, parts: &[&str]) -> String {
        let mut text = String::new();
        let seen = processes::wait_until(Duration::from_secs(20), || {
            text = self.text();
            parts.iter().all(|part| text.contains(part))
        });
        assert!(seen, "{parts:?} did not come\n{text}");
        text
    }
}

impl Drop for Pane {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}
