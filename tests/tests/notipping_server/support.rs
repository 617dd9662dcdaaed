//! A server that runs, and a client written from the rules alone.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tempfile::TempDir;
use tests::{binaries, transcript};
use wait_timeout::ChildExt;

/// Far more than anything here takes; whoever waits so long waits for ever.
pub const BOUND: Duration = Duration::from_secs(30);

pub const TRANSCRIPT: &str = "match.jsonl";

/// A running server. Dropped, it is killed.
pub struct Server {
    pub address: String,
    child: Child,
    folder: TempDir,
    rest: Option<JoinHandle<String>>,
}

/// How a server ended, and what it left.
pub struct Ended {
    pub code: Option<i32>,
    pub shown: String,
    pub folder: TempDir,
}

impl Server {
    /// `arena notipping-server` with these arguments, on a port of the system's choice, with a transcript.
    pub fn start(arguments: &str) -> Server {
        let folder = TempDir::with_prefix("arena-test-").expect("a folder for temporary files");
        let mut child = Command::new(binaries::arena())
            .args(["notipping-server", "127.0.0.1:0", "--transcript", TRANSCRIPT])
            .args(arguments.split_whitespace())
            .env("NO_COLOR", "1")
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the arena starts");
        let mut shown = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let mut first = String::new();
        shown.read_line(&mut first).expect("the server says where it listens");
        let address = first.trim_end().strip_prefix("listening on ").unwrap_or_else(|| panic!("{first:?}")).to_owned();
        let rest = thread::spawn(move || {
            let mut bytes = Vec::new();
            shown.read_to_end(&mut bytes).expect("a pipe can be read");
            String::from_utf8_lossy(&bytes).into_owned()
        });
        Server { address, child, folder, rest: Some(rest) }
    }

    pub fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.child.id() as i32), signal).expect("the server is still there");
    }

    /// Waits for its end, and judges its transcripts, which must hold.
    pub fn finish(mut self) -> Ended {
        let status = self.child.wait_timeout(BOUND).expect("a child can be waited for");
        let status = status.unwrap_or_else(|| panic!("the server does not end"));
        let shown = self.rest.take().expect("it is taken once").join().expect("a reader does not panic");
        let folder = std::mem::replace(&mut self.folder, TempDir::new().expect("another folder"));
        Ended { code: status.code(), shown, folder }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Ended {
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The lines of the transcript, which `arena verify` has found to hold.
    pub fn transcript(&self, name: &str) -> Vec<Value> {
        let path = self.path(name);
        let verified = Command::new(binaries::arena()).arg("verify").arg(&path).output().expect("the arena starts");
        assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
        transcript::transcript(&path)
    }

    /// The result of the one match, and that all went well.
    pub fn result(&self) -> Value {
        assert_eq!(self.code, Some(0), "{}", self.shown);
        self.transcript(TRANSCRIPT).pop().expect("a transcript has lines")
    }
}

/// One end of a connection, as the rules describe it: one arrival is one message.
pub struct Client {
    pub stream: TcpStream,
}

impl Client {
    pub fn connect(server: &Server) -> Client {
        let stream = TcpStream::connect(&server.address).expect("the server listens");
        stream.set_read_timeout(Some(BOUND)).expect("a bound on reading");
        stream.set_nodelay(true).expect("nothing waits for more");
        Client { stream }
    }

    /// One that has said its hello and was told the number of blocks.
    pub fn greeted(server: &Server, hello: &str) -> Client {
        let mut client = Client::connect(server);
        client.say(hello);
        let welcome = client.hear();
        assert!(welcome.starts_with(|c: char| c == '{' || c.is_ascii_digit()), "{hello} is answered by {welcome:?}");
        client
    }

    pub fn say(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).expect("the server takes it");
    }

    /// What one `recv` brings; empty at the end.
    pub fn hear(&mut self) -> String {
        let mut buffer = [0; 4096];
        let count = self.stream.read(&mut buffer).expect("the server says something, or closes");
        String::from_utf8(buffer[..count].to_vec()).expect("the server speaks UTF-8")
    }

    /// Everything up to the end of the connection.
    pub fn hear_all(&mut self) -> String {
        let mut text = String::new();
        self.stream.read_to_string(&mut text).expect("the server closes");
        text
    }
}

/// Two clients in the order of their seats.
pub fn two_clients(server: &Server) -> [Client; 2] {
    let first = Client::greeted(server, "one 1");
    let second = Client::greeted(server, "two 0");
    [first, second]
}

/// 61 weights, each after a space.
pub fn board(blocks: &[(i64, u32)]) -> String {
    let weight = |x| blocks.iter().find(|(at, _)| *at == x).map_or(0, |(_, weight)| *weight);
    (-30..=30).map(|x| format!(" {}", weight(x))).collect()
}

/// A state as text clients are sent it.
pub fn state(phase: u8, blocks: &[(i64, u32)], over: u8) -> String {
    format!("{phase}{} {over}\n", board(blocks))
}
