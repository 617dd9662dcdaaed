//! A socket client of No Tipping's course as a bot: the bridge starts it, is the server that it expects, and speaks with
//! the arena in its place. It has no idea of its own, and passes on what the client says, right or wrong.

use crate::conversation::{Stop, read_line, read_message};
use arena::game::{AnyPosition, Game};
use arena::games;
use arena::games::notipping::NoTipping;
use arena::games::notipping::wire::{Kind, View, move_value, read_hello};
use arena::protocol::bot::{End, Message, Start, Turn, write_move, write_ready};
use arena::seat::Seat;
use serde_json::Value;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

const ABOUT: &str = "\
Plays No Tipping with a socket client of the course, text or JSON:
    notipping-bridge -- python3 client.py {host} {port} {first}
The client is started for each match and connects to the bridge. In its words, {addr} stands for HOST:PORT, {host} and {port}
for the two apart, {first} for 1 when it moves first and 0 when it does not. What it prints goes to the bot's log.
";

/// The longest message of a client; what is longer is cut off.
const MESSAGE_LIMIT: usize = 1024;

/// Clients read one message a `recv`: the answer to the hello and the first state must not arrive together.
const BEFORE_FIRST_STATE: Duration = Duration::from_millis(250);

/// Between two looks at a client that has not connected yet, or not ended yet.
const LOOK: Duration = Duration::from_millis(5);

/// So many looks a client may take to end after the match: a bit less than what the arena gives to bots.
const LOOKS_AT_THE_END: u32 = 150;

/// Plays one match.
pub fn main() -> ExitCode {
    let arguments = crate::arguments();
    let command = match &arguments[..] {
        [option] if option == "--help" || option == "-h" => return crate::show(ABOUT),
        [dashes, command @ ..] if dashes == "--" && !command.is_empty() => command,
        _ => {
            return crate::refuse(
                "the client's command is missing: notipping-bridge -- python3 client.py {host} {port} {first}",
            );
        }
    };
    match hold(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(stop) => {
            crate::complain(&stop.why);
            ExitCode::from(stop.status)
        }
    }
}

/// Answers what the arena says, with a client that is there from `start` to `end`.
fn hold(command: &[String]) -> Result<(), Stop> {
    let (mut input, mut line, mut out) = (io::stdin().lock(), Vec::new(), Vec::new());
    let mut client: Option<Client> = None;
    while read_line(&mut input, &mut line)? {
        let message = match read_message(&line) {
            Ok(Some(message)) => message,
            Ok(None) => continue,
            Err(why) => {
                crate::complain(&why);
                continue;
            }
        };
        out.clear();
        match (message, &mut client) {
            (Message::Start(start), _) => {
                client = Some(Client::start(command, start)?);
                write_ready(&mut out, false);
            }
            (Message::Turn(turn), Some(client)) => {
                let mv = client.ask(&turn)?;
                write_move(&mut out, turn.turn, &mv.to_string(), None);
            }
            (Message::End(end), Some(client)) => return client.dismiss(&end),
            _ => crate::complain("a message came before any `start`: it is not answered"),
        }
        let mut stdout = io::stdout().lock();
        if stdout.write_all(&out).and_then(|()| stdout.flush()).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// A client that runs and has said its hello. Dropped, it is ended.
struct Client {
    child: Child,
    stream: TcpStream,
    kind: Kind,
    start: Start,
    /// The position that it was shown last, or the start of the match.
    position: Box<dyn AnyPosition>,
}

impl Client {
    fn start(command: &[String], start: Start) -> Result<Client, Stop> {
        let id = NoTipping::INFO.id;
        if start.game != id {
            let why = format!("this bot does not play `{}`: it plays {id}", start.game);
            return Err(Stop { status: 2, why });
        }
        let game = games::find(id).expect("the game is in the table");
        let begun = game.start(&start.params, 0).map_err(|error| failed(error.to_string()))?;
        let listener =
            TcpListener::bind("127.0.0.1:0").map_err(|error| failed(format!("no port can be had: {error}")))?;
        let address = listener.local_addr().map_err(|error| failed(error.to_string()))?;
        let mut child = spawn(command, address, start.seat)?;
        let (stream, kind) = match welcome(&listener, &mut child, begun.position.as_ref()) {
            Ok(welcomed) => welcomed,
            Err(stop) => {
                end(&mut child);
                return Err(stop);
            }
        };
        Ok(Client { child, stream, kind, start, position: begun.position })
    }

    /// Shows it the state and passes its move on; what is no move is passed on as the text that it is.
    fn ask(&mut self, turn: &Turn) -> Result<Value, Stop> {
        let game = games::find(&self.start.game).expect("it was found at the start");
        self.position = game
            .read_state(&self.start.params, &turn.state, turn.seat)
            .map_err(|error| failed(format!("the state of turn {} cannot be read: {error:?}", turn.turn)))?;
        let view = View::of_state(&turn.state, false).expect("it was read a moment ago");
        self.pass_over_what_came_early();
        let mut out = Vec::new();
        self.kind.write_state(&view, None, &mut out);
        let message = self.stream.write_all(&out).and_then(|()| receive(&mut self.stream));
        let message = message.map_err(|error| failed(format!("the client cannot be spoken to any more: {error}")))?;
        let Some(message) = message else {
            return Err(failed(format!(
                "the client closed its connection when its answer to turn {} was awaited",
                turn.turn
            )));
        };
        Ok(match self.kind.read_move(&message, view.phase) {
            Ok(mv) => move_value(&mv),
            Err(why) => {
                crate::complain(&why);
                Value::from(String::from_utf8_lossy(&message).into_owned())
            }
        })
    }

    /// Shows it the last state, and waits until it has ended.
    fn dismiss(&mut self, end_of_match: &End) -> Result<(), Stop> {
        for played in &end_of_match.since {
            // Where it was never asked and the match had an opening, the start is not known, and stays as it is.
            let _ = self.position.play(&played.mv);
        }
        let view = View::of_state(&self.position.state(), true).expect("a state is written as one");
        let winner = end_of_match.result.winner.map(|seat| self.start.players[seat.index()].as_str());
        let mut out = Vec::new();
        self.kind.write_state(&view, winner, &mut out);
        // A client that is gone needs no last state.
        let _ = self.stream.write_all(&out);
        let _ = self.stream.shutdown(Shutdown::Write);
        for _ in 0..LOOKS_AT_THE_END {
            if !matches!(self.child.try_wait(), Ok(None)) {
                break;
            }
            thread::sleep(LOOK);
        }
        Ok(())
    }

    /// What it said before it was asked answers nothing.
    fn pass_over_what_came_early(&mut self) {
        if self.stream.set_nonblocking(true).is_ok() {
            while let Ok(Some(early)) = receive(&mut self.stream) {
                crate::complain(&format!("the client spoke before it was asked: {}", String::from_utf8_lossy(&early)));
            }
        }
        let _ = self.stream.set_nonblocking(false);
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

fn spawn(command: &[String], address: SocketAddr, seat: Seat) -> Result<Child, Stop> {
    let (host, port) = (address.ip().to_string(), address.port().to_string());
    let first = if seat == Seat::First { "1" } else { "0" };
    let filled = |word: &String| {
        word.replace("{addr}", &address.to_string())
            .replace("{host}", &host)
            .replace("{port}", &port)
            .replace("{first}", first)
    };
    // What the client prints must not be taken for this bot's answers.
    let log =
        io::stderr().as_fd().try_clone_to_owned().map_err(|error| failed(format!("no log can be had: {error}")))?;
    Command::new(&command[0])
        .args(command[1..].iter().map(filled))
        .stdin(Stdio::null())
        .stdout(log)
        .spawn()
        .map_err(|error| failed(format!("the client `{}` cannot be started: {error}", command[0])))
}

/// Takes the client's connection, hears its hello, and tells it the number of blocks.
fn welcome(listener: &TcpListener, child: &mut Child, position: &dyn AnyPosition) -> Result<(TcpStream, Kind), Stop> {
    let broken = |error: io::Error| failed(format!("the client cannot be spoken to: {error}"));
    listener.set_nonblocking(true).map_err(broken)?;
    let mut stream = loop {
        match listener.accept() {
            Ok((stream, _)) => break stream,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(broken(error)),
        }
        if let Ok(Some(status)) = child.try_wait() {
            return Err(failed(format!("the client ended before it connected: {status}")));
        }
        thread::sleep(LOOK);
    };
    stream.set_nonblocking(false).map_err(broken)?;
    stream.set_nodelay(true).map_err(broken)?;
    let hello = receive(&mut stream).map_err(broken)?;
    let hello = hello.ok_or_else(|| failed("the client closed its connection before its hello".to_string()))?;
    let hello = read_hello(&hello).map_err(failed)?;
    let k = position.state()["k"].as_u64().expect("a state tells its `k`");
    let mut out = Vec::new();
    hello.kind.write_welcome(k, &mut out);
    stream.write_all(&out).map_err(broken)?;
    thread::sleep(BEFORE_FIRST_STATE);
    Ok((stream, hello.kind))
}

/// One message; `None` when the client has gone. Blank ones, line ends that came late for instance, are none.
fn receive(stream: &mut TcpStream) -> io::Result<Option<Vec<u8>>> {
    let mut buffer = [0; MESSAGE_LIMIT];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(None),
            Ok(count) if buffer[..count].trim_ascii().is_empty() => {}
            Ok(count) => return Ok(Some(buffer[..count].trim_ascii_end().to_vec())),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::ConnectionReset => return Ok(None),
            Err(error) => return Err(error),
        }
    }
}

fn failed(why: String) -> Stop {
    Stop { status: 1, why }
}
