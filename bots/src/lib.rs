//! The loop for writing a bot in Rust: a bot is one function from a request to a move.
//!
//! ```no_run
//! use arena::games::othello::Othello;
//! use arena::game::Game;
//!
//! fn main() -> std::process::ExitCode {
//!     bots::run_game(|position: &Othello, _request| {
//!         position.legal_moves().expect("Othello lists its moves").remove(0)
//!     })
//! }
//! ```
//!
//! [`run_game`] is for one game, with its position and moves typed; [`run`] is for whoever prefers JSON; [`run_table`]
//! is for one idea that plays several games. The loop speaks with the arena and keeps nothing from one request to the
//! next, so the arena may use the process for further matches. The bundled bots live here too, one idea a module.

pub mod greedy;
pub mod notipping_bridge;
pub mod notipping_random;
pub mod paper;
pub mod plain;
pub mod random;

mod conversation;
mod player;

pub use arena::protocol::bot::{Start, Turn};
pub use player::{Answer, Player, Request};

use arena::game::Game;
use serde_json::Value;
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::process::ExitCode;

/// Plays any game, with states and moves as JSON, until the arena closes the input.
///
/// `choose` is given each request and returns the move, or an [`Answer`] with a note.
pub fn run<A: Into<Answer<Value>>>(choose: impl FnMut(&Request) -> A) -> ExitCode {
    run_table(vec![Player::of_any(choose)])
}

/// Plays one game, with its position and moves typed, until the arena closes the input.
///
/// `choose` is given the position in which its seat has to move, and the request that it came with; it returns the
/// move, or an [`Answer`] with a note. A match of another game is refused before it begins, with exit status 2.
pub fn run_game<G: Game, A: Into<Answer<G::Move>>>(choose: impl FnMut(&G, &Request) -> A) -> ExitCode {
    run_table(vec![Player::of(choose)])
}

/// Plays the games of a table, each with its own player, until the arena closes the input.
///
/// Exit status: 0 when the input ended, or nobody listens any more; 1 for a request that could not be read; 2 for a
/// game that is not in the table. What was wrong stands on the error output.
pub fn run_table(mut players: Vec<Player<'_>>) -> ExitCode {
    // States may have tens of thousands of bytes: they should take one read, not many.
    let input = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let ended = conversation::hold(&mut players, input, io::stdout().lock(), &mut |why| complain(why));
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(stop) => {
            complain(&stop.why);
            ExitCode::from(stop.status)
        }
    }
}

/// Plays with the players of a bot that has no options. `--help` shows `about`; any other argument is refused.
fn run_without_options(about: &str, players: Vec<Player<'_>>) -> ExitCode {
    match arguments().first().map(String::as_str) {
        None => run_table(players),
        Some("--help" | "-h") => show(&format!("{about}\nIt has no options.\n")),
        Some(other) => refuse(&format!("`{other}` is refused: this bot has no options")),
    }
}

/// The program's arguments without its name, made valid UTF-8.
fn arguments() -> Vec<String> {
    std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect()
}

/// Shows a text that was asked for. Whoever closed the output did not want to read it.
fn show(text: &str) -> ExitCode {
    let _ = io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

/// Ends with a sentence about arguments that cannot be used.
fn refuse(why: &str) -> ExitCode {
    complain(why);
    ExitCode::from(2)
}

/// Writes a sentence on the error output, after the program's name. Nobody reading it is no reason to fail.
fn complain(why: &str) {
    let program = std::env::args_os().next().unwrap_or_default();
    let name = Path::new(&program).file_stem().unwrap_or_default().to_string_lossy();
    let _ = writeln!(io::stderr(), "{name}: {why}");
}
