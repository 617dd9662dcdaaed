//! What spectators cost a match: microseconds a move with 500 of them on the page, and with none, in turn, in one run.
//!
//! `cargo bench -p arena --bench spectators`. The bots take 1.2 ms a move, so that the transcript is written out after each and the
//! page has something to tell ten times a second; what the arena adds to that is told by itself. The match has the last core that
//! may be used, page and spectators share the others, as with `--serve`. Aim: less than 10 % more a move.

mod script;

use arena::play::Program;
use arena::serve::{NOW, Served, Site};
use arena::table::Thinking;
use arena::transport::{Host, cores};
use script::{Arena, answer_after, draw, median, this_program};
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

/// So many look at once.
const SPECTATORS: usize = 500;

/// Matches of each kind, in turn.
const MATCHES: usize = 9;

/// What a move takes the bots.
const THINK: Duration = Duration::from_micros(1200);

/// The game, with a match of some five hundred turns.
const GAME: (&str, &str) = ("offset", r#"{"size":24,"d":7}"#);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, script] = &arguments[..]
        && word == "answer-from"
    {
        return answer_after(Path::new(script), THINK).expect("the arena listens");
    }
    // `cargo test --all-targets` runs this without `--bench`: a short look is enough then.
    let long = arguments.iter().any(|word| word == "--bench");
    let (matches, spectators) = if long { (MATCHES, SPECTATORS) } else { (1, 20) };
    let core = *cores::allowed().last().expect("there is a core");
    let others = cores::all_but(&[core]);
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let site = Site::new(folder.path().to_path_buf(), false).that_plays(1);
    let served = Served::start(listener, site, &others).expect("the page can be served");
    cores::bind_this_thread(&[core]).expect("its own core may be used");

    let script = draw(GAME.0, serde_json::from_str(GAME.1).expect("the parameters are JSON"));
    let answers = folder.path().join("answers");
    fs::write(&answers, script.answers.join("\n")).expect("the answers can be written");
    let host = Host::with_keeper(PathBuf::from(env!("CARGO_BIN_EXE_arena")), true);
    let argv = [this_program().display().to_string(), "answer-from".to_string(), answers.display().to_string()];
    let program =
        Program { argv: argv.to_vec(), folder: folder.path().to_path_buf(), env: Vec::new(), view: None, user: None };
    let mut arena = Arena::start(GAME.0, &script.params, &host, &program, Thinking::OwnTurn, folder.path());

    let (mut alone, mut watched, mut heard) = (Vec::new(), Vec::new(), 0);
    for number in 0..=2 * matches {
        let id = format!("match-{number}");
        let transcript = folder.path().join(format!("{id}.jsonl"));
        arena.write_to(transcript.clone());
        let is_watched = number % 2 == 1;
        let crowd = is_watched.then(|| {
            served.site().show(&id, transcript);
            Crowd::gather(served.address(), &id, spectators, others.clone())
        });
        let us = arena.batch(1);
        heard += crowd.map_or(0, Crowd::leave);
        // The first match warms everything up.
        if number > 0 {
            if is_watched { &mut watched } else { &mut alone }.push(us);
        }
    }
    let (alone, watched) = (median(alone), median(watched));
    let think = THINK.as_secs_f64() * 1e6;
    println!(
        "core {core} plays, {others:?} serve and watch; {} turns a match, median of {matches} matches\n\
         µs a move: {alone:.1} with nobody, {watched:.1} with {spectators} spectators ({:+.1} %)\n\
         of it the arena's own: {:.1} and {:.1} ({:+.1} %, aim below 10)\n\
         {} KiB were heard by each",
        script.requests.len(),
        100.0 * (watched / alone - 1.0),
        alone - think,
        watched - think,
        100.0 * ((watched - think) / (alone - think) - 1.0),
        heard / spectators / matches / 1024,
    );
}

/// Spectators, all read by one thread.
struct Crowd(JoinHandle<usize>);

impl Crowd {
    /// Connects them; they are there when this returns.
    fn gather(address: SocketAddr, id: &str, count: usize, on: Vec<usize>) -> Crowd {
        let request = format!("GET /cup/{NOW}/match/{id}/live HTTP/1.1\r\nHost: {address}\r\n\r\n");
        let mut streams: Vec<TcpStream> = (0..count)
            .map(|_| {
                let mut stream = TcpStream::connect(address).expect("the page listens");
                stream.write_all(request.as_bytes()).expect("the page takes requests");
                let mut first = [0; 12];
                stream.read_exact(&mut first).expect("the page answers");
                assert_eq!(&first, b"HTTP/1.1 200", "a spectator is let in");
                stream.set_nonblocking(true).expect("a socket can be set so");
                stream
            })
            .collect();
        let read = move || {
            cores::move_this_thread(&on).expect("the others' core may be used");
            let (mut heard, mut buffer) = (0, vec![0; 256 * 1024]);
            while !streams.is_empty() {
                streams.retain_mut(|stream| {
                    loop {
                        match stream.read(&mut buffer) {
                            Ok(0) => return false,
                            Ok(count) => {
                                heard += count;
                                // The last of a stream: what follows is only its end.
                                if buffer[..count].windows(11).any(|part| part == b"event: over") {
                                    return false;
                                }
                            }
                            Err(error) if error.kind() == ErrorKind::WouldBlock => return true,
                            Err(_) => return false,
                        }
                    }
                });
                std::thread::sleep(Duration::from_millis(5));
            }
            heard
        };
        Crowd(std::thread::spawn(read))
    }

    /// Waits until all have heard the end; how many bytes they heard.
    fn leave(self) -> usize {
        self.0.join().expect("the spectators read to the end")
    }
}
