//! The arena's page as it is served: an `arena` that runs until the test is done with it.

use crate::binaries;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;
use wait_timeout::ChildExt;

/// No answer takes longer.
const BOUND: Duration = Duration::from_secs(60);

/// A running `arena` that serves the page. Dropped, it is asked to end, and ended.
pub struct Serving {
    child: Child,
    stdout: BufReader<ChildStdout>,
    /// `http://127.0.0.1:PORT/`.
    pub url: String,
}

impl Serving {
    /// Starts `arena` with these words in a folder, and waits until it tells where the page is. `serve --listen 127.0.0.1:0` lets the
    /// system choose a port.
    pub fn start(arguments: &str, folder: &Path) -> Serving {
        let words = shlex::split(arguments).expect("the test's words are quoted well");
        let mut child = Command::new(binaries::arena())
            .args(words)
            .current_dir(folder)
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the arena starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let mut heard = String::new();
        let url = loop {
            let from = heard.len();
            let read = stdout.read_line(&mut heard).expect("it is text");
            assert!(read > 0, "the arena ended without telling where the page is: {heard}");
            if let Some((_, rest)) = heard[from..].split_once("the page is at ") {
                break rest.split_whitespace().next().expect("an address").to_string();
            }
        };
        Serving { child, stdout, url }
    }

    /// The next line on its stdout; empty when it has ended.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("it is text");
        line
    }

    /// `127.0.0.1:PORT`.
    pub fn address(&self) -> &str {
        self.url.trim_start_matches("http://").trim_end_matches('/')
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Asks for a path, and gives the whole answer: status, head and body as text.
    pub fn get(&self, path: &str) -> Answer {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address()))
    }

    /// Sends JSON to a path, as a page of this server would.
    pub fn post(&self, path: &str, json: &str) -> Answer {
        self.send(&self.posted(path, json))
    }

    fn posted(&self, path: &str, json: &str) -> String {
        let (address, length) = (self.address(), json.len());
        format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{json}"
        )
    }

    /// The same, without waiting for the answer: whoever drops what this gives hangs up.
    pub fn call(&self, path: &str, json: &str) -> TcpStream {
        self.stream(&self.posted(path, json))
    }

    /// Asks for a path, with these lines in the head, and hears the answer's lines for as long as `hear` wants more of them.
    pub fn listen(&self, path: &str, head: &str, mut hear: impl FnMut(&str) -> bool) {
        // In HTTP/1.0 a body of unknown length is sent as it is.
        let stream = self.stream(&format!("GET {path} HTTP/1.0\r\nHost: {}\r\n{head}\r\n", self.address()));
        for line in BufReader::new(stream).lines() {
            if !hear(&line.expect("it is text, and comes in time")) {
                return;
            }
        }
    }

    /// Waits until it has ended by itself; its exit status.
    pub fn ends(&mut self) -> Option<i32> {
        let status = self.child.wait_timeout(BOUND).expect("a child can be waited for");
        status.unwrap_or_else(|| panic!("it does not end")).code()
    }

    /// Sends these bytes, and reads until the other side hangs up.
    pub fn send(&self, request: &str) -> Answer {
        let mut stream = self.stream(request);
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("the page answers");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split_whitespace().nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        Answer { status, head: head.to_string(), body: body.to_string() }
    }

    /// A connection over which these bytes were sent.
    fn stream(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address()).expect("the page listens");
        stream.set_read_timeout(Some(BOUND)).expect("a bound can be set");
        stream.write_all(request.as_bytes()).expect("the page takes requests");
        stream
    }
}

/// What came of a request. A body that is sent in chunks is given with their lengths between.
#[derive(Debug)]
pub struct Answer {
    /// The status code; 0 when there was no answer.
    pub status: u16,
    /// The head.
    pub head: String,
    /// The body.
    pub body: String,
}

impl Drop for Serving {
    fn drop(&mut self) {
        let pid = nix::unistd::Pid::from_raw(self.child.id() as i32);
        let _ = nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGTERM);
        if !matches!(self.child.wait_timeout(Duration::from_secs(10)), Ok(Some(_))) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
