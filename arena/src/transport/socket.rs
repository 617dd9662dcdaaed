//! A player at the other end of a TCP connection. One arrival is one message, up to 1024 bytes: such clients end no lines.
//! It has no process here, cannot be stopped, and has to stay on the line.

use super::{Channel, Inbox, Interests, Interrupt, NOTHING, Readiness, wait};
use nix::poll::{PollFd, PollFlags};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::fd::AsFd;

/// The longest message, in bytes; what is longer counts as several.
const MESSAGE_LIMIT: usize = 1024;

/// So many messages are taken at once: whoever sends faster must not keep the arena from looking at anybody else.
const MESSAGES_AT_ONCE: usize = 64;

/// A connection. Each message comes out of the inbox as a line, line breaks within it as spaces.
pub struct Socket {
    stream: TcpStream,
    inbox: Inbox,
    unsent: Vec<u8>,
    closing: bool,
    killed: bool,
}

impl Socket {
    /// Takes a connection over.
    pub fn new(stream: TcpStream) -> io::Result<Socket> {
        stream.set_nonblocking(true)?;
        // A state and its answer are small, and neither may wait for more.
        stream.set_nodelay(true)?;
        Ok(Socket { stream, inbox: Inbox::default(), unsent: Vec::new(), closing: false, killed: false })
    }

    /// The next message, waited for until the wish to stop is raised; `None` then, and when the other end has gone.
    pub fn wait_for_message(&mut self, interrupt: &Interrupt) -> io::Result<Option<Vec<u8>>> {
        loop {
            if let Some((line, _)) = self.inbox.next_line() {
                return Ok(Some(line.to_vec()));
            }
            if self.inbox.closed() || interrupt.raised() {
                return Ok(None);
            }
            let mut waiting: Vec<PollFd> = self
                .interests()
                .into_iter()
                .flatten()
                .map(|(descriptor, events)| PollFd::new(descriptor, events))
                .collect();
            waiting.push(PollFd::new(interrupt.descriptor(), PollFlags::POLLIN));
            wait(&mut waiting, None)?;
            self.pump(&NOTHING)?;
        }
    }

    /// Sends as much as goes. Whoever does not take it is found out when an answer is missing.
    fn write_unsent(&mut self) {
        while !self.unsent.is_empty() {
            match (&self.stream).write(&self.unsent) {
                Ok(count) => drop(self.unsent.drain(..count)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => self.unsent.clear(),
            }
        }
        if self.closing {
            let _ = self.stream.shutdown(Shutdown::Write);
        }
    }

    /// Reads one message. False when nothing more is there.
    fn read_message(&mut self) -> io::Result<bool> {
        let mut buffer = [0; MESSAGE_LIMIT];
        match (&self.stream).read(&mut buffer) {
            Ok(0) => self.inbox.fill(io::empty()),
            Ok(count) => self.inbox.fill(&as_line(&buffer[..count])[..]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(false),
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(true),
            // The other end went away without a word.
            Err(_) => self.inbox.fill(io::empty()),
        }
    }
}

fn as_line(message: &[u8]) -> Vec<u8> {
    let mut end = message.len();
    while end > 0 && matches!(message[end - 1], b'\n' | b'\r') {
        end -= 1;
    }
    let spaced = message[..end].iter().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte });
    spaced.chain([b'\n']).collect()
}

impl Channel for Socket {
    /// The second place is where answers come, as for every channel.
    fn interests(&self) -> Interests<'_> {
        let open = !self.killed && !self.inbox.closed();
        let writes = !self.killed && !self.unsent.is_empty();
        [
            writes.then(|| (self.stream.as_fd(), PollFlags::POLLOUT)),
            open.then(|| (self.stream.as_fd(), PollFlags::POLLIN)),
            None,
            None,
        ]
    }

    fn pump(&mut self, _ready: &Readiness) -> io::Result<()> {
        self.write_unsent();
        for _ in 0..MESSAGES_AT_ONCE {
            if self.killed || self.inbox.closed() || !self.read_message()? {
                break;
            }
        }
        Ok(())
    }

    fn send(&mut self, line: &[u8]) -> io::Result<()> {
        self.unsent.extend_from_slice(line);
        self.write_unsent();
        Ok(())
    }

    fn inbox(&mut self) -> &mut Inbox {
        &mut self.inbox
    }

    fn hung_up(&self) -> &'static str {
        "closed its connection"
    }

    fn must_stay(&self) -> bool {
        true
    }

    /// Nothing more is said, but the other end may still read: a connection that is torn down at once loses its last words.
    fn close_input(&mut self) {
        self.closing = true;
        self.write_unsent();
    }

    fn kill(&mut self) {
        self.killed = true;
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    fn gone(&self) -> bool {
        self.killed || (self.inbox.closed() && self.unsent.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn pair() -> (Socket, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (Socket::new(listener.accept().unwrap().0).unwrap(), client)
    }

    fn next(socket: &mut Socket) -> Option<String> {
        let message = socket.wait_for_message(&Interrupt::new().unwrap()).unwrap();
        message.map(|message| String::from_utf8_lossy(&message).into_owned())
    }

    #[test]
    fn an_arrival_is_a_message_with_or_without_a_line_end() {
        let (mut socket, mut client) = pair();
        for (sent, heard) in
            [("7 -3", "7 -3"), ("7 -3\n", "7 -3"), ("7 -3\r\n", "7 -3"), ("7\n-3\n", "7 -3"), ("\n", "")]
        {
            client.write_all(sent.as_bytes()).unwrap();
            assert_eq!(next(&mut socket).as_deref(), Some(heard), "{sent:?}");
        }
        drop(client);
        assert_eq!(next(&mut socket), None);
        assert!(socket.gone());
    }

    #[test]
    fn what_was_said_before_leaving_is_heard_first() {
        let (mut socket, mut client) = pair();
        client.write_all(b"7 -3").unwrap();
        drop(client);
        assert_eq!(next(&mut socket).as_deref(), Some("7 -3"));
        assert_eq!(next(&mut socket), None);
    }

    #[test]
    fn last_words_arrive_though_the_other_end_talks_on() {
        let (mut socket, mut client) = pair();
        client.write_all(b"unread").unwrap();
        socket.send(b"the end\n").unwrap();
        socket.close_input();
        let mut heard = String::new();
        client.read_to_string(&mut heard).unwrap();
        assert_eq!(heard, "the end\n");
        assert!(!socket.gone());
        drop(client);
        while next(&mut socket).is_some() {}
        assert!(socket.gone());
    }

    #[test]
    fn a_flood_is_taken_in_pieces_and_told() {
        let (mut socket, mut client) = pair();
        let flooder = std::thread::spawn(move || while client.write_all(&[b'1'; 4096]).is_ok() {});
        while socket.inbox().flood().is_none() {
            assert!(next(&mut socket).is_some_and(|message| message.len() <= MESSAGE_LIMIT));
        }
        socket.kill();
        assert!(socket.gone());
        drop(socket);
        flooder.join().unwrap();
    }
}
