//! Who may ask the page for what: spoken to in plain requests, as an attacker would.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::symlink;
use std::time::Duration;
use tests::arena::Arena;
use tests::page::{Answer, Serving};
use tests::processes::wait_until;
use tests::transcript;

const MATCH: &str = "/cup/cup/match/m";

/// A page of one cup with one match, whose bots wrote notes and stderr; the folder around it has what nobody may read.
fn page(more: &str) -> (Arena, Serving) {
    let folder =
        Arena::new(["match", "othello"]).args("--bot random --bot greedy --seed 5 --transcript m.jsonl --quiet");
    let run = folder.run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    let mut lines = transcript::transcript(&folder.path("m.jsonl"));
    let at = lines.iter().position(|line| line["turn"] == 3).expect("turn 3 is played");
    lines[at]["note"] = "my note".into();
    lines.insert(at, serde_json::json!({"type": "stderr", "ms": 1, "turn": 3, "seat": 1, "text": "my log"}));
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::create_dir_all(folder.path("results/cup/transcripts")).expect("the folder is writable");
    fs::create_dir_all(folder.path("results/.hidden/transcripts")).expect("the folder is writable");
    for place in
        ["results/cup/transcripts/m.jsonl", "results/.hidden/transcripts/m.jsonl", "secret/transcripts/m.jsonl"]
    {
        fs::create_dir_all(folder.path(place).parent().expect("it has a folder")).expect("the folder is writable");
        folder.write(place, &text);
    }
    symlink(folder.path("secret"), folder.path("results/way-out")).expect("links can be made");
    symlink(folder.path("secret/transcripts/m.jsonl"), folder.path("results/cup/transcripts/out.jsonl"))
        .expect("links can be made");
    let serving = Serving::start(&format!("serve --listen 127.0.0.1:0 --results results {more}"), folder.folder());
    (folder, serving)
}

fn ask(serving: &Serving, method: &str, path: &str, head: &str) -> Answer {
    serving.send(&format!("{method} {path} HTTP/1.1\r\n{head}Connection: close\r\n\r\n"))
}

#[test]
fn a_foreign_name_for_this_machine_is_refused() {
    let (_folder, serving) = page("");
    let port = serving.address().rsplit_once(':').expect("a port").1;
    for host in ["localhost", "127.0.0.1", "127.9.9.9", "[::1]", "LOCALHOST"] {
        for host in [host.to_string(), format!("{host}:{port}")] {
            assert_eq!(ask(&serving, "GET", MATCH, &format!("Host: {host}\r\n")).status, 200, "{host}");
        }
    }
    for host in [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "192.168.0.1",
        "",
        "127.0.0.1@evil.example",
    ] {
        for path in ["/", MATCH, "/cup/cup/match/m/live", "/cup/cup/match/m/transcript", "/assets/look.css"] {
            let answer = ask(&serving, "GET", path, &format!("Host: {host}\r\n"));
            assert_eq!(answer.status, 403, "{host} {path}");
            assert!(!answer.body.contains("othello") && answer.body.lines().count() < 3, "{}", answer.body);
        }
    }
    assert!(matches!(ask(&serving, "GET", MATCH, "").status, 400 | 403), "without any name");
}

#[test]
fn what_changes_something_comes_from_our_pages_only() {
    let (_folder, serving) = page("");
    let host = format!("Host: {}\r\n", serving.address());
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HACK"] {
        for origin in ["", "Origin: http://evil.example\r\n", "Origin: null\r\n", "Origin: https://127.0.0.1\r\n"] {
            let answer = ask(&serving, method, MATCH, &format!("{host}{origin}"));
            assert_eq!(answer.status, 403, "{method} {origin}");
            assert!(!answer.head.to_lowercase().contains("access-control"), "{}", answer.head);
        }
        let own = format!("{host}Origin: http://{}\r\n", serving.address());
        assert_eq!(ask(&serving, method, MATCH, &own).status, 405, "{method} is not for this page");
    }
    let answer = ask(&serving, "HEAD", MATCH, &host);
    assert_eq!((answer.status, answer.body.as_str()), (200, ""));
}

#[test]
fn every_answer_forbids_what_comes_from_elsewhere() {
    let (_folder, serving) = page("");
    for path in
        ["/", MATCH, "/assets/match.js", "/no/such/page", "/cup/cup/match/m/live", "/cup/cup/match/m/transcript"]
    {
        let head = serving.get(path).head;
        for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "nosniff", "same-origin"] {
            assert!(head.contains(part), "{path} lacks {part}: {head}");
        }
    }
}

#[test]
fn nothing_outside_of_the_results_is_read() {
    let (_folder, serving) = page("");
    assert_eq!(serving.get(&format!("{MATCH}/transcript")).status, 200);
    let cups = [
        "..",
        "%2e%2e",
        ".",
        "%2e",
        ".hidden",
        "%2ehidden",
        "way-out",
        "..%2fsecret",
        "%2e%2e%2fsecret",
        "cup%2f..%2f..%2fsecret",
        "cup%00",
        "%2f",
        "-now",
        "nothing",
        "cup%5c..",
    ];
    let ids = [
        "out",
        "..",
        "%2e%2e%2f%2e%2e%2f.hidden%2ftranscripts%2fm",
        "..%2ftranscripts%2fm",
        ".m",
        "m.jsonl",
        "m%00",
        "%ff%fe",
        "..%2f..%2f..%2fsecret%2ftranscripts%2fm",
        "nothing",
    ];
    let all = cups.iter().map(|cup| (*cup, "m")).chain(ids.iter().map(|id| ("cup", *id)));
    for (cup, id) in all {
        for what in ["", "/live", "/transcript", "/next"] {
            let answer = serving.get(&format!("/cup/{cup}/match/{id}{what}"));
            assert!(matches!(answer.status, 400 | 404), "{cup} {id}{what}: {answer:?}");
            assert!(!answer.body.contains("greedy"), "{cup} {id}{what}: {}", answer.body);
        }
    }
    for path in
        ["/../../etc/passwd", "/assets/../secret", "/assets/%2e%2e%2fCargo.toml", "//etc/passwd", "/cup/../../secret"]
    {
        assert!(matches!(serving.get(path).status, 400 | 404), "{path}");
    }
}

#[test]
fn a_download_without_logs_still_holds() {
    for (flag, shows) in [("", false), ("--show-logs", true)] {
        let (folder, serving) = page(flag);
        let port = serving.address().to_string();
        // In HTTP/1.0 a body is sent as it is.
        let taken = serving.send(&format!("GET {MATCH}/transcript HTTP/1.0\r\nHost: {port}\r\n\r\n"));
        assert!(taken.head.contains("attachment; filename=\"m.jsonl\""), "{}", taken.head);
        for said in ["my note", "my log"] {
            assert_eq!(taken.body.contains(said), shows, "{said}");
        }
        folder.write("taken.jsonl", &taken.body);
        let run = folder.also("verify taken.jsonl");
        assert_eq!(run.code, Some(0), "{run:#?}");
    }
}

#[test]
fn what_is_too_long_is_refused() {
    let (_folder, serving) = page("");
    let host = format!("Host: {}\r\n", serving.address());
    let long = "x".repeat(200_000);
    for request in [format!("GET /{long} HTTP/1.1\r\n{host}\r\n"), format!("GET / HTTP/1.1\r\n{host}X: {long}\r\n\r\n")]
    {
        let mut stream = TcpStream::connect(serving.address()).expect("the page listens");
        // It may hang up in the middle.
        let _ = stream.write_all(request.as_bytes());
        let heard = until_it_hangs_up(stream);
        assert!(heard.starts_with("HTTP/1.1 4"), "{heard}");
    }
    assert_eq!(serving.get(MATCH).status, 200, "others are answered");
}

#[test]
fn a_connection_is_kept_for_more_than_one_request() {
    let (_folder, serving) = page("");
    let host = format!("Host: {}\r\n", serving.address());
    let answer = serving.send(&format!(
        "GET /assets/look.css HTTP/1.1\r\n{host}\r\nGET {MATCH} HTTP/1.1\r\n{host}Connection: close\r\n\r\n"
    ));
    assert_eq!((answer.status, answer.body.matches("HTTP/1.1 200 OK").count()), (200, 1), "{answer:?}");
}

#[test]
fn those_who_send_nothing_keep_nobody_out() {
    let (_folder, serving) = page("");
    // More than the page holds, in bounds that hold for a test, too.
    let silent: Vec<TcpStream> = (0..2200).map_while(|_| TcpStream::connect(serving.address()).ok()).collect();
    assert!(silent.len() > 400, "{} could be opened", silent.len());
    assert_eq!(serving.get(MATCH).status, 200);
    // Nobody else's coming is why this one has to go.
    drop(silent);
    let mut slow = TcpStream::connect(serving.address()).expect("the page listens");
    slow.write_all(b"GET / HTTP/1.1\r\nHost: ").expect("it takes the beginning");
    // A head that does not come ends the connection, with words or without.
    let heard = until_it_hangs_up(slow);
    assert!(heard.is_empty() || heard.starts_with("HTTP/1.1 408"), "{heard}");
}

/// What comes until the other side hangs up, as it has to. Where it does so before all was read, the system may say that in its way.
fn until_it_hangs_up(mut stream: TcpStream) -> String {
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a bound can be set");
    let mut heard = Vec::new();
    if let Err(why) = stream.read_to_end(&mut heard) {
        assert_eq!(why.kind(), ErrorKind::ConnectionReset, "it does not hang up");
    }
    String::from_utf8_lossy(&heard).into_owned()
}

#[test]
fn those_who_never_read_cost_no_memory_and_no_time() {
    let folder = Arena::new([""; 0]);
    let words = "match othello --param size=10 --bot random --bot greedy --seed 5 --quiet --pause 30ms --transcript m.jsonl --serve 127.0.0.1:0";
    let mut serving = Serving::start(words, folder.folder());
    let live = "/cup/-now/match/othello-random-greedy-5/live";
    let request = format!("GET {live} HTTP/1.1\r\nHost: {}\r\n\r\n", serving.address());
    let deaf: Vec<TcpStream> = (0..200)
        .map(|_| {
            let mut stream = TcpStream::connect(serving.address()).expect("the page listens");
            stream.write_all(request.as_bytes()).expect("the page takes requests");
            stream
        })
        .collect();
    let pid = serving.pid();
    let mut peak = 0;
    let ended = wait_until(Duration::from_secs(60), || {
        peak = peak.max(tests::processes::peak_memory_kib(pid).unwrap_or(0));
        fs::read_to_string(folder.path("m.jsonl")).is_ok_and(|text| text.contains("\"type\":\"result\""))
    });
    assert!(ended, "the match is played to its end");
    assert!(peak > 0 && peak < 120 << 10, "{peak} KiB");
    assert_eq!(serving.ends(), Some(0), "nobody is waited for who does not listen");
    drop(deaf);
}

#[test]
fn on_a_network_the_addresses_are_told_with_a_warning() {
    let (folder, _serving) = page("");
    let mut running = folder.start_also("serve --listen 0.0.0.0:0 --results results");
    // Whoever is asked to end does so after it has told all this.
    assert!(wait_until(Duration::from_secs(30), || listening_port(running.pid()).is_some()), "it listens");
    let port = listening_port(running.pid()).expect("it listens still");
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens on every address");
    write!(stream, "GET {MATCH} HTTP/1.1\r\nHost: class.example:{port}\r\nConnection: close\r\n\r\n")
        .expect("it reads");
    let mut heard = String::new();
    stream.read_to_string(&mut heard).expect("it answers");
    assert!(heard.starts_with("HTTP/1.1 200"), "any name leads there: {heard}");
    running.signal(nix::sys::signal::Signal::SIGTERM);
    let run = running.finish(Duration::from_secs(30)).expect("it ends");
    assert!(run.stderr.contains("warning:") && run.stderr.contains("password"), "{run:#?}");
    assert!(run.stdout.contains("(Ctrl-C ends it)"), "{run:#?}");
    if run.stdout.contains("the page is at") {
        assert!(run.stdout.contains('█'), "a picture for telephones: {run:#?}");
    }
}

/// The port on which a process listens, by what the system tells of its descriptors.
fn listening_port(pid: u32) -> Option<u16> {
    let fds = fs::read_dir(format!("/proc/{pid}/fd")).ok()?.flatten();
    let sockets: Vec<String> =
        fds.filter_map(|fd| fs::read_link(fd.path()).ok()).map(|link| link.display().to_string()).collect();
    let table = fs::read_to_string(format!("/proc/{pid}/net/tcp")).ok()?;
    table.lines().skip(1).find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let listens = words[3] == "0A" && sockets.contains(&format!("socket:[{}]", words[9]));
        let port = words[1].rsplit_once(':')?.1;
        listens.then(|| u16::from_str_radix(port, 16).ok()).flatten()
    })
}
