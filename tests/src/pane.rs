//! A real terminal (tmux) in which a test runs a program, presses keys, and waits for what is on the screen.

use crate::processes;
use std::process::{Command, Output};
use std::time::Duration;

/// What tells of the terminal after a command, as a shell sees it.
pub const AFTERWARDS: &str = "echo status $?; stty -a | grep -o -e '-*icanon' -e '-*echo ' ; read line";

/// A real terminal with a program in it. It is ended with its server.
pub struct Pane {
    socket: String,
}

impl Pane {
    /// 80 columns and 24 rows, in which the shell runs this.
    pub fn new(script: &str) -> Pane {
        Pane::of_size(80, 24, script)
    }

    /// The same in a terminal of so many columns and rows.
    pub fn of_size(columns: u16, rows: u16, script: &str) -> Pane {
        let pane = Pane { socket: processes::new_marker() };
        // The shell is to outlive a Ctrl-C.
        let script = format!("trap : INT; unset NO_COLOR; {script}");
        let started = pane.tmux(&[
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            &columns.to_string(),
            "-y",
            &rows.to_string(),
            "sh",
            "-c",
            &script,
        ]);
        assert!(started.status.success(), "{started:?}");
        pane
    }

    /// Asks tmux for something else.
    pub fn tmux(&self, arguments: &[&str]) -> Output {
        Command::new("tmux").args(["-L", &self.socket]).args(arguments).output().expect("tmux runs")
    }

    /// Presses keys, by the names that tmux has for them.
    pub fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// What is on the screen.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.tmux(&["capture-pane", "-p"]).stdout).into_owned()
    }

    /// The same with the escapes that colour it.
    pub fn text_with_colours(&self) -> String {
        String::from_utf8_lossy(&self.tmux(&["capture-pane", "-p", "-e"]).stdout).into_owned()
    }

    /// What tmux knows of the terminal, in its own language of formats.
    pub fn asked(&self, format: &str) -> String {
        String::from_utf8_lossy(&self.tmux(&["display-message", "-p", format]).stdout).trim().to_string()
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
