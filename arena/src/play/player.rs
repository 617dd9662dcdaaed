//! A player before it is seated: a program and how to start it, or a person.

use crate::seat::BySeat;
use crate::table::{Chair, JsonLines, Person};
use crate::transport::{Host, Limits, Process, Program, SpawnError, Terminal};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::time::Duration;

/// Starts a bot and seats it.
pub fn seat_program(host: &Host, program: &Program, limits: &Limits) -> Result<Chair, SpawnError> {
    let process = Process::spawn(host, program, limits)?;
    Ok(Chair::new(Box::new(process), Box::<JsonLines>::default()))
}

/// Seats a person.
pub fn seat_person(keyboard: OwnedFd, screen: Box<dyn Write + Send>) -> Chair {
    Chair::new(Box::new(Terminal::new(keyboard, screen)), Box::<Person>::default())
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
