//! What is looked at, and how actions change it. It knows neither keys nor a terminal.

use super::layout::{Layout, lay_out};
use crate::cli::crop::{fold, width};
use crate::cli::story::Story;
use ratatui::layout::Rect;
use std::time::Duration;

/// How long a turn stands while the match is played, from slow to fast.
const PACES: [Duration; 6] = [
    Duration::from_secs(2),
    Duration::from_secs(1),
    Duration::from_millis(500),
    Duration::from_millis(200),
    Duration::from_millis(100),
    Duration::from_millis(40),
];

/// The longest text that can be typed.
const LONGEST: usize = 200;

/// What a person wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// So many scenes on, or back.
    Step(isize),
    First,
    Last,
    /// Where something went wrong.
    Wrong {
        forward: bool,
    },
    /// Types what to search for.
    Search,
    /// Where it stands.
    Find {
        forward: bool,
    },
    Type(char),
    Erase,
    Enter,
    Cancel,
    /// Plays, or pauses.
    Play,
    /// Faster, or slower.
    Pace(isize),
    /// What was said, by so many lines.
    Scroll(isize),
    /// The board, by so many columns and rows.
    Board([isize; 2]),
    Help,
    Leave,
    Interrupt,
}

/// What keys are for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Look,
    Help,
    /// The number of a turn is typed.
    Turn(String),
    /// A text to search for is typed.
    Search(String),
}

/// How the viewer was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    Done,
    Interrupted,
}

/// A story, where in it one is, and what of it is on the screen.
pub(super) struct View<'a> {
    pub story: &'a Story<'a>,
    pub scene: usize,
    pub message: Option<String>,
    pub layout: Layout,
    /// The board's lines, with colours.
    pub board: Vec<String>,
    /// What is to be done in its position.
    pub caption: String,
    /// What was said, in lines that fit.
    pub said: Vec<String>,
    /// The first line that is shown of what was said.
    pub top: usize,
    /// The first column and row that are shown of the board.
    pub corner: [usize; 2],
    mode: Mode,
    query: String,
    playing: bool,
    pace: usize,
    /// The scene whose board is there, and the scene and columns whose words are.
    board_of: Option<usize>,
    said_of: Option<(usize, u16)>,
    /// Whether the line that was searched is still to be scrolled to.
    found: bool,
}

impl<'a> View<'a> {
    /// Looks at the position before a turn.
    pub fn new(story: &'a Story<'a>, turn: usize) -> View<'a> {
        // After the last turn the end is what is next.
        let scene = if turn > 0 && turn == story.turns() { story.scenes.len() - 1 } else { turn };
        View {
            story,
            scene,
            message: None,
            layout: Layout::default(),
            board: Vec::new(),
            caption: String::new(),
            said: Vec::new(),
            top: 0,
            corner: [0, 0],
            mode: Mode::Look,
            query: String::new(),
            playing: false,
            pace: 2,
            board_of: None,
            said_of: None,
            found: false,
        }
    }

    pub fn mode(&self) -> &Mode {
        &self.mode
    }

    /// How long a turn stands, while the match is played.
    pub fn pace(&self) -> Option<Duration> {
        self.playing.then_some(PACES[self.pace])
    }

    /// Turns a second.
    pub fn speed(&self) -> f64 {
        1.0 / PACES[self.pace].as_secs_f64()
    }

    /// The next scene's turn has come.
    pub fn tick(&mut self) {
        self.go(self.scene + 1);
        self.playing = self.scene < self.last();
    }

    /// Does what is wanted; how it was left, when that was it.
    pub fn act(&mut self, action: Action) -> Option<Left> {
        self.message = None;
        if !matches!(action, Action::Play | Action::Pace(_) | Action::Scroll(_) | Action::Board(_)) {
            self.playing = false;
        }
        match action {
            Action::Step(by) => self.go(self.scene.saturating_add_signed(by)),
            Action::First => self.go(0),
            Action::Last => self.go(self.last()),
            Action::Wrong { forward } => self.go_to_wrong(forward),
            Action::Search => self.mode = Mode::Search(String::new()),
            Action::Find { forward } => self.find(forward),
            Action::Type(character) => self.put(character),
            Action::Erase => {
                if let Mode::Turn(text) | Mode::Search(text) = &mut self.mode
                    && text.pop().is_none()
                {
                    self.mode = Mode::Look;
                }
            }
            Action::Enter => self.enter(),
            Action::Cancel => self.mode = Mode::Look,
            Action::Play if self.playing => self.playing = false,
            Action::Play => {
                if self.scene == self.last() {
                    self.go(0);
                }
                self.playing = true;
            }
            Action::Pace(by) => {
                self.pace = self.pace.saturating_add_signed(by).min(PACES.len() - 1);
                self.message = Some(format!("{} turns a second", self.speed()));
            }
            Action::Scroll(by) => self.top = self.top.saturating_add_signed(by),
            Action::Board([across, down]) => {
                self.corner = [self.corner[0].saturating_add_signed(across), self.corner[1].saturating_add_signed(down)]
            }
            Action::Help => self.mode = Mode::Help,
            Action::Leave => return Some(Left::Done),
            Action::Interrupt => return Some(Left::Interrupted),
        }
        None
    }

    /// Makes what is shown for a screen of this size; nothing is scrolled farther than its end.
    pub fn fit(&mut self, area: Rect) {
        let is_first = self.board_of.is_none();
        let is_new = self.board_of != Some(self.scene);
        if is_new {
            self.board = self.story.board(self.scene);
            self.caption = self.board.pop().unwrap_or_default();
            self.board_of = Some(self.scene);
        }
        let size = self.board_size();
        self.layout = lay_out(area, size);
        let Layout { board, said, .. } = self.layout;
        if is_first {
            // Of a board that does not fit, the middle tells more than a corner.
            self.corner = [0, 1].map(|axis| size[axis].saturating_sub([board.width, board.height][axis].into()) / 2);
        }
        if is_new {
            self.follow();
        }
        self.corner[0] = self.corner[0].min(size[0].saturating_sub(board.width.into()));
        self.corner[1] = self.corner[1].min(size[1].saturating_sub(board.height.into()));
        if self.said_of != Some((self.scene, said.width)) {
            self.said = self.words(said.width.into());
            self.said_of = Some((self.scene, said.width));
        }
        if std::mem::take(&mut self.found) {
            self.top = self.said.iter().position(|line| self.is_match(line)).unwrap_or(0);
        }
        // A row of it is its border.
        self.top = self.top.min(self.said.len().saturating_sub(usize::from(said.height.saturating_sub(1))));
    }

    /// Columns and rows of the whole board.
    pub fn board_size(&self) -> [usize; 2] {
        [self.board.iter().map(|line| width(line)).max().unwrap_or(0), self.board.len()]
    }

    /// Brings the last move, which stands in brackets, into the window on the board, where it is not.
    fn follow(&mut self) {
        let marked = self.board.iter().enumerate().find_map(|(row, line)| {
            // A bracket that begins no colour.
            let (at, _) = line.match_indices('[').find(|(at, _)| !line[..*at].ends_with('\u{1b}'))?;
            Some([width(&line[..at]), row])
        });
        let Some(at) = marked else { return };
        let window = [self.layout.board.width, self.layout.board.height].map(usize::from);
        for axis in [0, 1] {
            let first = self.corner[axis];
            if !(first..(first + window[axis]).saturating_sub(3)).contains(&at[axis]) {
                self.corner[axis] = at[axis].saturating_sub(window[axis] / 2);
            }
        }
    }

    /// Whether a line holds what was searched for.
    pub fn is_match(&self, line: &str) -> bool {
        !self.query.is_empty() && line.to_lowercase().contains(&self.query.to_lowercase())
    }

    fn last(&self) -> usize {
        self.story.scenes.len() - 1
    }

    fn go(&mut self, scene: usize) {
        self.scene = scene.min(self.last());
        self.top = 0;
    }

    fn words(&self, columns: usize) -> Vec<String> {
        let story = self.story;
        let mut lines = fold(&story.scenes[self.scene].title, columns);
        let mut add = |more: &[String]| lines.extend(more.iter().flat_map(|line| fold(line, columns)));
        add(&story.said(self.scene));
        if self.scene == 0 {
            // The first line stands above already.
            add(&story.heading[1..]);
        }
        if let Some(next) = story.scenes.get(self.scene + 1) {
            add(&[format!("next: {}", next.title)]);
        }
        lines
    }

    fn go_to_wrong(&mut self, forward: bool) {
        let wrong = &self.story.wrong;
        let next = if forward {
            wrong.iter().find(|&&scene| scene > self.scene).or(wrong.first())
        } else {
            wrong.iter().rfind(|&&scene| scene < self.scene).or(wrong.last())
        };
        match next {
            Some(&scene) => self.go(scene),
            None => self.message = Some("nothing went wrong in this match".to_string()),
        }
    }

    fn find(&mut self, forward: bool) {
        if self.query.is_empty() {
            self.message = Some("nothing to search for yet: / and a text".to_string());
            return;
        }
        // All the way round, back to where it began.
        let count = self.story.scenes.len();
        let at = |by: usize| (self.scene + if forward { by } else { count - by }) % count;
        match (1..=count).map(at).find(|&scene| self.story.mentions(scene, &self.query)) {
            Some(scene) => {
                self.go(scene);
                self.found = true;
            }
            None => self.message = Some(format!("nobody said {}", self.query)),
        }
    }

    fn put(&mut self, character: char) {
        match &mut self.mode {
            Mode::Turn(text) | Mode::Search(text) => {
                if text.chars().count() < LONGEST && !character.is_control() {
                    text.push(character);
                }
            }
            _ => self.mode = Mode::Turn(character.to_string()),
        }
    }

    fn enter(&mut self) {
        match std::mem::replace(&mut self.mode, Mode::Look) {
            Mode::Turn(number) => match number.parse() {
                Ok(turn) if turn <= self.story.turns() => self.go(View::new(self.story, turn).scene),
                _ => {
                    let turns = self.story.turns();
                    self.message = Some(format!("there is no turn {number}: 0 to {turns}, the last is the end"));
                }
            },
            Mode::Search(text) if !text.is_empty() => {
                self.query = text;
                // What is there already is found too.
                let before = self.scene;
                if self.story.mentions(before, &self.query) {
                    self.go(before);
                    self.found = true;
                } else {
                    self.find(true);
                }
            }
            _ => {}
        }
    }
}
