//! Where the course's socket clients wait for each other: connections are taken, each says its hello and is answered at
//! once, and two that have said it are handed out. Nobody who stalls, floods or leaves holds the others up.
//!
//! What there is to tell is handed to the caller in sentences; nothing is printed here, and no match is played.

use crate::games::notipping::wire::{Flag, Hello, read_hello};
use crate::transport::{self, Channel, Interrupt, NOTHING, Socket};
use nix::poll::{PollFd, PollFlags};
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

/// Between the answer to a hello and the first state: clients read one message a `recv`, and at least 200 ms keep the
/// two apart.
const BEFORE_FIRST_STATE: Duration = Duration::from_millis(250);

/// So many connections may be there without having said their hello.
const MOST_SILENT: usize = 32;

/// So long somebody who is turned away may take to hang up.
const LEAVING_TIME: Duration = Duration::from_secs(1);

/// A client that has said its hello and knows the number of blocks.
pub struct Guest {
    /// Its connection.
    pub socket: Socket,
    /// What it said.
    pub hello: Hello,
    /// Where it connects from.
    pub peer: SocketAddr,
}

/// Takes connections at an address.
pub struct Lobby {
    listener: TcpListener,
    k: u64,
    hello_time: Duration,
    interrupt: Interrupt,
    /// In the order in which they connected.
    visitors: Vec<Visitor>,
    /// Who was turned away, and until when each may take to hang up.
    leaving: Vec<(Socket, Instant)>,
}

struct Visitor {
    socket: Socket,
    peer: SocketAddr,
    /// Until when its hello is awaited.
    until: Instant,
    /// Its hello, and when it was answered.
    greeted: Option<(Hello, Instant)>,
}

impl Lobby {
    /// Takes connections of this listener for matches with `k` blocks a hand. Whoever says no hello within `hello_time`
    /// is turned away.
    pub fn new(listener: TcpListener, k: u64, hello_time: Duration, interrupt: Interrupt) -> io::Result<Lobby> {
        listener.set_nonblocking(true)?;
        Ok(Lobby { listener, k, hello_time, interrupt, visitors: Vec::new(), leaving: Vec::new() })
    }

    /// Waits until two clients are there, and hands them out in the order in which they connected; `None` when the arena
    /// is to stop. `tell` is given what people should know meanwhile.
    pub fn two_guests(&mut self, tell: &mut dyn FnMut(&str)) -> io::Result<Option<[Guest; 2]>> {
        while !self.interrupt.raised() {
            self.accept(tell)?;
            self.hear_all(tell)?;
            let ready_at = self.both_ready_at();
            if ready_at.is_some_and(|at| at <= Instant::now()) {
                return Ok(Some(self.take_two()));
            }
            let hellos = self.visitors.iter().filter(|visitor| visitor.greeted.is_none()).map(|visitor| visitor.until);
            self.wait(&self.interrupt, hellos.chain(ready_at).min())?;
            self.see_off()?;
        }
        self.visitors.clear();
        Ok(None)
    }

    /// Tells whoever comes that a match is going on, until `stop` is raised. Whoever comes after that waits for the next.
    pub fn turn_away(&mut self, stop: &Interrupt) -> io::Result<()> {
        while !stop.raised() {
            for visitor in std::mem::take(&mut self.visitors) {
                self.refuse(visitor.socket, FULL)?;
            }
            while let Some((stream, peer)) = self.next_connection()? {
                let Ok(socket) = Socket::new(stream) else { continue };
                // Looked at after the connection was taken: it may be of a client that was told the end a moment ago.
                if stop.raised() {
                    self.let_in(socket, peer);
                    break;
                }
                self.refuse(socket, FULL)?;
            }
            self.wait(stop, None)?;
            self.see_off()?;
        }
        Ok(())
    }

    fn accept(&mut self, tell: &mut dyn FnMut(&str)) -> io::Result<()> {
        while let Some((stream, peer)) = self.next_connection()? {
            let Ok(socket) = Socket::new(stream) else { continue };
            let silent = self.visitors.iter().filter(|visitor| visitor.greeted.is_none()).count();
            if self.both_ready_at().is_some() || silent >= MOST_SILENT {
                tell(&format!("{peer} is turned away: {FULL}"));
                self.refuse(socket, FULL)?;
                continue;
            }
            self.let_in(socket, peer);
        }
        Ok(())
    }

    fn let_in(&mut self, socket: Socket, peer: SocketAddr) {
        self.visitors.push(Visitor { socket, peer, until: Instant::now() + self.hello_time, greeted: None });
    }

    /// The next connection that waits to be taken. One that has gone again is passed over.
    fn next_connection(&self) -> io::Result<Option<(TcpStream, SocketAddr)>> {
        loop {
            match self.listener.accept() {
                Ok(connection) => return Ok(Some(connection)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
                Err(error) if matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::Interrupted) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Hears every visitor; whoever has left or has nothing proper to say is let go.
    fn hear_all(&mut self, tell: &mut dyn FnMut(&str)) -> io::Result<()> {
        let mut greeted = self.visitors.iter().filter(|visitor| visitor.greeted.is_some()).count();
        let mut staying = Vec::new();
        for mut visitor in std::mem::take(&mut self.visitors) {
            match visitor.hear(self.k, self.hello_time, greeted >= 2)? {
                Heard::Stays => {}
                Heard::Greeted => {
                    greeted += 1;
                    tell(&visitor.introduction());
                }
                Heard::Left => {
                    tell(&format!("{} went away before the match", visitor.who()));
                    continue;
                }
                Heard::Refused(why) => {
                    tell(&format!("{} is turned away: {why}", visitor.who()));
                    self.refuse(visitor.socket, &why)?;
                    continue;
                }
            }
            staying.push(visitor);
        }
        self.visitors = staying;
        Ok(())
    }

    /// When the match may begin, once two are there.
    fn both_ready_at(&self) -> Option<Instant> {
        let mut answered = self.visitors.iter().filter_map(|visitor| Some(visitor.greeted.as_ref()?.1));
        let (first, second) = (answered.next()?, answered.next()?);
        Some(first.max(second) + BEFORE_FIRST_STATE)
    }

    fn take_two(&mut self) -> [Guest; 2] {
        let mut guest = || {
            let place = self.visitors.iter().position(|visitor| visitor.greeted.is_some());
            let visitor = self.visitors.remove(place.expect("two have said their hello"));
            let (hello, _) = visitor.greeted.expect("it was looked for");
            Guest { socket: visitor.socket, hello, peer: visitor.peer }
        };
        [guest(), guest()]
    }

    /// Says why, and lets the other end read it before the connection goes.
    fn refuse(&mut self, mut socket: Socket, why: &str) -> io::Result<()> {
        socket.send(format!("{why}\n").as_bytes())?;
        socket.close_input();
        self.leaving.push((socket, Instant::now() + LEAVING_TIME));
        if self.leaving.len() > MOST_SILENT {
            self.leaving.remove(0);
        }
        Ok(())
    }

    /// Drops those who have hung up, and those who take too long over it.
    fn see_off(&mut self) -> io::Result<()> {
        for (socket, _) in &mut self.leaving {
            socket.pump(&NOTHING)?;
            socket.inbox().discard();
        }
        let now = Instant::now();
        self.leaving.retain(|(socket, until)| !socket.gone() && now < *until);
        Ok(())
    }

    /// Waits for a connection, a word of anybody here, the wish to stop, or the time.
    fn wait(&self, stop: &Interrupt, until: Option<Instant>) -> io::Result<()> {
        let sockets =
            self.visitors.iter().map(|visitor| &visitor.socket).chain(self.leaving.iter().map(|(socket, _)| socket));
        let mut waiting: Vec<PollFd> = sockets
            .flat_map(|socket| socket.interests().into_iter().flatten())
            .map(|(descriptor, events): (BorrowedFd, PollFlags)| PollFd::new(descriptor, events))
            .collect();
        waiting.push(PollFd::new(self.listener.as_fd(), PollFlags::POLLIN));
        waiting.push(PollFd::new(stop.descriptor(), PollFlags::POLLIN));
        let until = self.leaving.iter().map(|(_, until)| *until).chain(until).min();
        transport::wait(&mut waiting, until.map(|until| until.saturating_duration_since(Instant::now())))
    }
}

const FULL: &str = "two clients are here already, come back after their match";

/// What became of a visitor.
enum Heard {
    Stays,
    Greeted,
    Left,
    Refused(String),
}

impl Visitor {
    /// Takes what it says. What follows its hello answers nothing, and is passed over.
    fn hear(&mut self, k: u64, hello_time: Duration, full: bool) -> io::Result<Heard> {
        self.socket.pump(&NOTHING)?;
        let mut heard = Heard::Stays;
        while let Some((line, _)) = self.socket.inbox().next_line() {
            if self.greeted.is_some() || line.trim_ascii().is_empty() {
                continue;
            }
            if full {
                return Ok(Heard::Refused(FULL.to_string()));
            }
            let hello = match read_hello(line) {
                Ok(hello) => hello,
                Err(why) => return Ok(Heard::Refused(why)),
            };
            let mut welcome = Vec::new();
            hello.kind.write_welcome(k, &mut welcome);
            self.socket.send(&welcome)?;
            self.greeted = Some((hello, Instant::now()));
            heard = Heard::Greeted;
        }
        if self.socket.inbox().flood().is_some() {
            return Ok(Heard::Refused("too much was sent before the match began".to_string()));
        }
        if self.socket.inbox().closed() {
            return Ok(Heard::Left);
        }
        if self.greeted.is_none() && Instant::now() >= self.until {
            return Ok(Heard::Refused(format!("no hello came within {} ms", hello_time.as_millis())));
        }
        Ok(heard)
    }

    fn who(&self) -> String {
        match &self.greeted {
            Some((hello, _)) if !hello.name.is_empty() => format!("{} ({})", hello.name, self.peer),
            _ => self.peer.to_string(),
        }
    }

    fn introduction(&self) -> String {
        let wish = match self.greeted.as_ref().map(|(hello, _)| &hello.flag) {
            Some(Flag::First) => "wants to move first".to_string(),
            Some(Flag::Second) => "lets the other move first".to_string(),
            Some(Flag::Odd(word)) => {
                format!("has the flag `{word}`, which is neither 1, 0, true nor false, and counts as 0")
            }
            None => String::new(),
        };
        format!("{} is here and {wish}", self.who())
    }
}
