//! From keys to what they ask for. What a key means depends on whether something is being typed.

use super::state::{Action, Mode};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The keys, for people.
pub(super) const HELP: &[&str] = &[
    "Right, Left        one turn on, back",
    "PgDn, PgUp         ten turns on, back",
    "Home, End          the start, the end",
    "12 Enter           the position before turn 12",
    "f, F               where something went wrong: next, previous",
    "/text Enter        search in what the bots said",
    "n, N               what was searched: next, previous",
    "Space              play, pause",
    "+, -               play faster, slower",
    "Down, Up           scroll what was said",
    "h j k l            move the board, where it does not fit",
    "?                  this help",
    "q, Esc             leave",
    "",
    "In the list of moves: ! something went wrong,",
    "* something was said",
    "",
    "Any key goes back.",
];

/// What a key asks for.
pub(super) fn action(key: KeyEvent, mode: &Mode) -> Option<Action> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(Action::Interrupt),
            KeyCode::Char('d') => Some(Action::Leave),
            _ => None,
        };
    }
    match mode {
        Mode::Look => look(key.code),
        Mode::Help => Some(Action::Cancel),
        Mode::Turn(_) => match key.code {
            KeyCode::Char(digit) if !digit.is_ascii_digit() => None,
            code => typed(code),
        },
        Mode::Search(_) => typed(key.code),
    }
}

fn typed(code: KeyCode) -> Option<Action> {
    match code {
        KeyCode::Char(character) => Some(Action::Type(character)),
        KeyCode::Backspace => Some(Action::Erase),
        KeyCode::Enter => Some(Action::Enter),
        KeyCode::Esc => Some(Action::Cancel),
        _ => None,
    }
}

fn look(code: KeyCode) -> Option<Action> {
    Some(match code {
        KeyCode::Char('q') | KeyCode::Esc => Action::Leave,
        KeyCode::Right => Action::Step(1),
        KeyCode::Left | KeyCode::Backspace => Action::Step(-1),
        KeyCode::PageDown => Action::Step(10),
        KeyCode::PageUp => Action::Step(-10),
        KeyCode::Home | KeyCode::Char('g') => Action::First,
        KeyCode::End | KeyCode::Char('G') => Action::Last,
        KeyCode::Char('f') => Action::Wrong { forward: true },
        KeyCode::Char('F') => Action::Wrong { forward: false },
        KeyCode::Char('/') => Action::Search,
        KeyCode::Char('n') => Action::Find { forward: true },
        KeyCode::Char('N') => Action::Find { forward: false },
        KeyCode::Char(' ') => Action::Play,
        KeyCode::Char('+' | '=') => Action::Pace(1),
        KeyCode::Char('-') => Action::Pace(-1),
        KeyCode::Down => Action::Scroll(1),
        KeyCode::Up => Action::Scroll(-1),
        KeyCode::Char('h') => Action::Board([-8, 0]),
        KeyCode::Char('l') => Action::Board([8, 0]),
        KeyCode::Char('j') => Action::Board([0, 1]),
        KeyCode::Char('k') => Action::Board([0, -1]),
        KeyCode::Char('?') => Action::Help,
        KeyCode::Char(digit) if digit.is_ascii_digit() => Action::Type(digit),
        _ => return None,
    })
}
