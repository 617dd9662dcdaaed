//! Steps through a recorded match at a terminal. It shows scenes and knows keys; what a scene says is made elsewhere.

use super::DONE;
use super::crop::{crop, fold, width};
use super::failure::Failure;
use super::replay::Story;
use super::signals::{Signals, exit_status};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, poll, read};
use crossterm::terminal::{
    BeginSynchronizedUpdate, DisableLineWrap, EnableLineWrap, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
};
use crossterm::{cursor, queue};
use signal_hook::consts::SIGINT;
use std::io::{self, Write};
use std::time::Duration;

/// How often it is looked whether a signal has come.
const GLANCE: Duration = Duration::from_millis(100);

/// So many characters at once to the side.
const SIDEWAYS: usize = 8;

const HELP: [&str; 11] = [
    "Right, Space, n    one turn on",
    "Left, Backspace, p one turn back",
    "PgDn, PgUp         ten turns on, back",
    "Home, End          the start, the end",
    "f                  where something went wrong (next)",
    "Down, Up           scroll, where there is more than fits",
    "> and <            move sideways, where lines are too long",
    "?                  this help",
    "q, Esc             leave",
    "",
    "Any key goes back.",
];

/// Shows a story until the person leaves it; the exit status.
pub(super) fn step_through(story: &Story<'_>) -> Result<u8, Failure> {
    let signals = Signals::take()?;
    let terminal = Held::take()?;
    let mut view = View { story, scene: 0, top: 0, left: 0, help: false, message: None };
    let mut redraw = true;
    let status = loop {
        if let Some(status) = signals.status() {
            break status;
        }
        if std::mem::take(&mut redraw) {
            draw(&view.page(size()?.into()))?;
        }
        if !poll(GLANCE)? {
            continue;
        }
        match read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => match view.press(key, size()?.into()) {
                Some(status) => break status,
                None => redraw = true,
            },
            Event::Resize(..) => redraw = true,
            _ => {}
        }
    };
    drop(terminal);
    Ok(status)
}

/// Columns and rows.
#[derive(Clone, Copy)]
struct Size {
    columns: usize,
    rows: usize,
}

impl From<(u16, u16)> for Size {
    fn from((columns, rows): (u16, u16)) -> Size {
        Size { columns: columns.into(), rows: rows.into() }
    }
}

impl Size {
    /// What is left between the first line and the last one.
    fn body(self) -> usize {
        self.rows.saturating_sub(2).max(1)
    }
}

struct View<'a> {
    story: &'a Story<'a>,
    scene: usize,
    /// The first line and the first column that are shown.
    top: usize,
    left: usize,
    help: bool,
    message: Option<&'static str>,
}

impl View<'_> {
    /// Does what a key asks for; the exit status when it asks to leave.
    fn press(&mut self, key: KeyEvent, size: Size) -> Option<u8> {
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            return Some(exit_status(SIGINT));
        }
        self.message = None;
        if std::mem::take(&mut self.help) {
            return None;
        }
        let last = self.story.scenes.len() - 1;
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc => return Some(DONE),
            KeyCode::Char('d') if key.modifiers.contains(KeyModifiers::CONTROL) => return Some(DONE),
            KeyCode::Right | KeyCode::Char(' ' | 'n') => self.go(self.scene + 1),
            KeyCode::Left | KeyCode::Backspace | KeyCode::Char('p') => self.go(self.scene.saturating_sub(1)),
            KeyCode::PageDown => self.go(self.scene + 10),
            KeyCode::PageUp => self.go(self.scene.saturating_sub(10)),
            KeyCode::Home => self.go(0),
            KeyCode::End => self.go(last),
            KeyCode::Down => self.top += 1,
            KeyCode::Up => self.top = self.top.saturating_sub(1),
            KeyCode::Char('>') => self.left += SIDEWAYS,
            KeyCode::Char('<') => self.left = self.left.saturating_sub(SIDEWAYS),
            KeyCode::Char('f') => match self.next_wrong() {
                Some(scene) => self.go(scene),
                None => self.message = Some("nothing went wrong in this match"),
            },
            KeyCode::Char('?' | 'h') => self.help = true,
            _ => {}
        }
        (self.top, self.left) = self.within(&self.body(size), size);
        None
    }

    /// Where something went wrong next; after the last such scene the first one again.
    fn next_wrong(&self) -> Option<usize> {
        let wrong = &self.story.wrong;
        wrong.iter().find(|&&scene| scene > self.scene).or(wrong.first()).copied()
    }

    /// The first line and column, no farther than the last ones allow.
    fn within(&self, body: &[String], size: Size) -> (usize, usize) {
        let widest = body.iter().map(|line| width(line)).max().unwrap_or(0);
        (self.top.min(body.len().saturating_sub(size.body())), self.left.min(widest.saturating_sub(size.columns)))
    }

    fn go(&mut self, scene: usize) {
        self.scene = scene.min(self.story.scenes.len() - 1);
        self.top = 0;
    }

    /// The lines of a scene: the board stands at the same place in each.
    fn body(&self, size: Size) -> Vec<String> {
        if self.help {
            return HELP.map(str::to_string).into();
        }
        let scene = &self.story.scenes[self.scene];
        let mut lines = fold(&scene.title, size.columns);
        lines.extend(self.story.board(scene));
        // What the start is about, besides what the first line says.
        let about = if self.scene == 0 { &self.story.heading[1..] } else { &[] };
        for said in [scene.said.as_slice(), about].into_iter().filter(|said| !said.is_empty()) {
            lines.push(String::new());
            lines.extend(said.iter().flat_map(|line| fold(line, size.columns)));
        }
        lines
    }

    /// The whole screen, a line a row.
    fn page(&self, size: Size) -> Vec<String> {
        let body = self.body(size);
        // The terminal may have grown since the last key.
        let (top, left) = self.within(&body, size);
        let shown = body.iter().skip(top).take(size.body()).map(|line| crop(line, left, size.columns));
        let mut page = vec![crop(&self.story.heading[0], 0, size.columns)];
        page.extend(shown);
        page.resize(size.body() + 1, String::new());
        let below = body.len() > top + size.body();
        let beyond = body.iter().any(|line| width(line) > left + size.columns);
        page.push(crop(&self.status(below || top > 0, beyond || left > 0), 0, size.columns));
        page.truncate(size.rows);
        page
    }

    fn status(&self, scrolls: bool, sideways: bool) -> String {
        let last = self.story.scenes.len() - 1;
        let place =
            if self.scene == last { "[end]".to_string() } else { format!("[{} of {} turns]", self.scene, last - 1) };
        if let Some(message) = self.message {
            return format!("{place}  {message}");
        }
        let mut text = format!("{place}  Left/Right step  q leave  ? help");
        for (holds, keys) in
            [(!self.story.wrong.is_empty(), "f fault"), (scrolls, "Up/Down scroll"), (sideways, "< > sideways")]
        {
            if holds {
                text.push_str(&format!("  {keys}"));
            }
        }
        text
    }
}

/// Draws a page over the one before, in one go.
fn draw(page: &[String]) -> io::Result<()> {
    let mut bytes = Vec::new();
    queue!(bytes, BeginSynchronizedUpdate, cursor::MoveTo(0, 0))?;
    bytes.extend_from_slice(page.join("\x1b[K\r\n").as_bytes());
    bytes.extend_from_slice(b"\x1b[K");
    queue!(bytes, EndSynchronizedUpdate)?;
    let mut stdout = io::stdout().lock();
    stdout.write_all(&bytes)?;
    stdout.flush()
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
        let mut bytes = Vec::new();
        queue!(bytes, EnterAlternateScreen, DisableLineWrap, cursor::Hide)?;
        io::stdout().lock().write_all(&bytes)?;
        Ok(held)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        give_back();
    }
}

fn give_back() {
    let mut bytes = Vec::new();
    // A terminal that is gone needs nothing back.
    let _ = queue!(bytes, EnableLineWrap, cursor::Show, LeaveAlternateScreen);
    let mut stdout = io::stdout().lock();
    let _ = stdout.write_all(&bytes).and_then(|()| stdout.flush());
    let _ = disable_raw_mode();
}
