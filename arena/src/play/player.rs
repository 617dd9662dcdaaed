//! A player before it is seated: a program and how to start it, or a person.

use crate::protocol::words::WRAPPER;
use crate::record::PlayerRecord;
use crate::seat::BySeat;
use crate::table::{Asked, Chair, Dialect, JsonLines, Person, ThroughWrapper, Visiting};
use crate::transport::{Host, Limits, Process, Program, Sent, SpawnError, Terminal, Visitor};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// A player as a transcript names it; a person has no program.
pub fn player_record(name: &str, program: Option<&Program>) -> PlayerRecord {
    PlayerRecord {
        name: name.to_string(),
        command: program.map(|program| program.argv.clone()).unwrap_or_default(),
        folder: program.map(|program| program.folder.to_string_lossy().into_owned()),
        ..PlayerRecord::default()
    }
}

/// Starts a bot and seats it.
pub fn seat_program(host: &Host, program: &Program, limits: &Limits) -> Result<Chair, SpawnError> {
    let process = Process::spawn(host, program, limits)?;
    Ok(Chair::new(Box::new(process), dialect_of(program)))
}

/// How a bot is spoken to.
pub(super) fn dialect_of(program: &Program) -> Box<dyn Dialect> {
    match words_bot(program) {
        Some(_) => Box::<ThroughWrapper>::default(),
        None => Box::<JsonLines>::default(),
    }
}

/// The program that speaks words, where this one is the bundled wrapper around it.
pub fn words_bot(program: &Program) -> Option<Program> {
    let [wrapper, dashes, command, arguments @ ..] = &program.argv[..] else { return None };
    let bundled = std::env::current_exe().ok()?.with_file_name(WRAPPER);
    if dashes != "--" || *wrapper != *bundled.to_str()? {
        return None;
    }
    // As the wrapper looks it up: a file there goes before PATH.
    let here = !command.contains('/') && program.folder.join(command).is_file();
    let command = if here { format!("./{command}") } else { command.clone() };
    Some(Program { argv: [&[command], arguments].concat(), ..program.clone() })
}

/// Seats a person.
pub fn seat_person(keyboard: OwnedFd, screen: Box<dyn Write + Send>) -> Chair {
    Chair::new(Box::new(Terminal::new(keyboard, screen)), Box::<Person>::default())
}

/// Seats a person who plays from elsewhere. `asked` is told of each request, `sent` of each line once an answer to it may come; answers
/// are written on the stream, and closing it gives the match up.
pub fn seat_visitor(asked: Asked, sent: Sent) -> io::Result<(Chair, UnixStream)> {
    let (visitor, answers) = Visitor::new(sent)?;
    Ok((Chair::new(Box::new(visitor), Box::new(Visiting::new(asked))), answers))
}

/// Which of the players that stayed after a match can be seated again; the others are sent away, with `stop` to go.
pub fn those_who_can_play_again(chairs: BySeat<Chair>, stop: Duration) -> io::Result<BySeat<Option<Chair>>> {
    let [first, second] = chairs.0.map(|mut chair| {
        if chair.can_play_again() {
            return Ok(Some(chair));
        }
        chair.send_away(stop).map(|()| None)
    });
    Ok(BySeat([first?, second?]))
}
