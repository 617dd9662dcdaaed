//! Steps through a recorded match at a terminal, on a screen of its own: keys become actions, actions change the view,
//! and the view is drawn. Only this file touches the terminal and the clock.

mod draw;
mod keys;
mod layout;
mod state;

#[cfg(test)]
mod tests;

use super::DONE;
use super::failure::Failure;
use super::signals::{Signals, exit_status};
use super::story::Story;
use crossterm::event::{Event, KeyEventKind, poll, read};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};
use crossterm::{cursor, execute};
use keys::action;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use signal_hook::consts::SIGINT;
use state::{Left, View};
use std::io;
use std::time::{Duration, Instant};

/// How often it is looked whether a signal has come.
const GLANCE: Duration = Duration::from_millis(50);

/// Shows a story, first the position before this turn, until the person leaves it; the exit status.
pub(super) fn step_through(story: &Story<'_>, turn: usize) -> Result<u8, Failure> {
    let signals = Signals::take_with_screen(give_back)?;
    let _held = Held::take()?;
    let mut terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
    let mut view = View::new(story, turn);
    let mut redraw = true;
    let mut due = Instant::now();
    loop {
        if let Some(status) = signals.status() {
            return Ok(status);
        }
        if std::mem::take(&mut redraw) {
            execute!(io::stdout(), BeginSynchronizedUpdate)?;
            terminal.draw(|frame| {
                view.fit(frame.area());
                draw::draw(&view, frame);
            })?;
            execute!(io::stdout(), EndSynchronizedUpdate)?;
        }
        let now = Instant::now();
        let wait = match view.pace() {
            Some(_) => due.saturating_duration_since(now).min(GLANCE),
            None => GLANCE,
        };
        if poll(wait)? {
            redraw = true;
            match read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => {
                    let paced = view.pace();
                    let left = action(key, view.mode()).and_then(|action| view.act(action));
                    match left {
                        Some(Left::Done) => return Ok(DONE),
                        Some(Left::Interrupted) => return Ok(exit_status(SIGINT)),
                        None => {}
                    }
                    if view.pace() != paced {
                        due = Instant::now() + view.pace().unwrap_or_default();
                    }
                }
                Event::Resize(..) => {}
                _ => redraw = false,
            }
        }
        if let Some(pace) = view.pace()
            && Instant::now() >= due
        {
            view.tick();
            due = Instant::now() + pace;
            redraw = true;
        }
    }
}

/// The terminal while it is ours. It is given back as it was, whatever happens.
struct Held;

impl Held {
    fn take() -> io::Result<Held> {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            // Else the message would go down with the screen that it is written on.
            give_back();
            before(panic);
        }));
        enable_raw_mode()?;
        let held = Held;
        execute!(io::stdout(), EnterAlternateScreen, cursor::Hide)?;
        Ok(held)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        give_back();
    }
}

fn give_back() {
    // A terminal that is gone needs nothing back.
    let _ = execute!(io::stdout(), EndSynchronizedUpdate, cursor::Show, LeaveAlternateScreen);
    let _ = disable_raw_mode();
}
