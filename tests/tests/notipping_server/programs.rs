//! Clients that are programs: the examples, the arena's own client, and any of them as a bot over the bridge.

use crate::support::{Client, Ended, Server, TRANSCRIPT};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use tests::arena::Arena;
use tests::{binaries, skip};

#[test]
fn the_examples_play_whole_matches_in_every_mixture() {
    if !skip::needs("python3") {
        return;
    }
    for files in [["", ""], ["_json", "_json"], ["", "_json"], ["_json", ""]] {
        let server = Server::start("6");
        let players: Vec<Child> =
            files.iter().zip(["1", "0"]).map(|(file, first)| example(&server, file, first)).collect();
        let ended = server.finish();
        played_out(&ended, &format!("{files:?}"));
        for player in players {
            let output = player.wait_with_output().expect("the client ends");
            assert!(output.status.success(), "{files:?}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

#[test]
fn any_bot_is_a_client_in_either_dialect() {
    for (one, two) in [("", "--json-dialect --bot greedy"), ("--bot greedy --json-dialect", "-n other")] {
        let server = Server::start("6");
        let players = [client(&server, one), client(&server, two)];
        let ended = server.finish();
        played_out(&ended, one);
        for player in players {
            let output = player.wait_with_output().expect("the client ends");
            let shown = String::from_utf8_lossy(&output.stdout);
            assert_eq!(output.status.code(), Some(0), "{shown}{}", String::from_utf8_lossy(&output.stderr));
            assert!(shown.contains(" wins"), "{shown}");
        }
    }
}

#[test]
fn a_client_says_when_its_rival_forfeits_or_the_server_goes() {
    for (rivals_move, code, words) in [
        (Some("99 0"), 0, "the server ended the match without a move of the rival"),
        (None, 1, "the server, not the bot, ended it"),
    ] {
        let server = Server::start("6");
        let mut rival = Client::greeted(&server, "rival 0");
        let player = client(&server, "-f");
        rival.hear();
        match rivals_move {
            Some(mv) => {
                rival.say(mv);
                rival.hear_all();
                drop(rival);
                assert_eq!(server.finish().result()["reason"], "illegal");
            }
            None => drop(server),
        }
        let output = player.wait_with_output().expect("the client ends");
        let shown = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(code), "{shown}{}", String::from_utf8_lossy(&output.stderr));
        assert!(shown.contains(words), "{shown}");
    }
}

#[test]
fn a_client_without_a_server_says_what_to_do() {
    let run = Arena::new(["notipping-client", "127.0.0.1:1"]).run();
    assert_eq!(run.code, Some(2), "{run:#?}");
    assert!(run.stderr.contains("no server answers at 127.0.0.1:1"), "{run:#?}");
}

#[test]
fn a_socket_client_enters_a_match_like_any_bot() {
    if !skip::needs("python3") {
        return;
    }
    for (file, places) in [("", "{host} {port} {first}"), ("_json", "{host} {port} {first} json")] {
        for seat in [0, 1] {
            let bridge = format!("bridge=notipping-bridge -- python3 {} {places}", script(file).display());
            let mut bots = [bridge.as_str(), "random"];
            bots.swap(0, seat);
            let arena =
                Arena::new(["match", "notipping", "--json", "--quiet", "--seed", "1", "--transcript", TRANSCRIPT])
                    .args("--param k=5 --move-time 20s --bot")
                    .arg(bots[0])
                    .arg("--bot")
                    .arg(bots[1]);
            let run = arena.run();
            assert_eq!(run.code, Some(0), "{run:#?}");
            assert_eq!(run.json()["reason"], "finished", "{run:#?}");
            assert_eq!(run.json()["left_behind"][seat].as_u64().unwrap_or(0), 0, "{run:#?}");
        }
    }
}

#[test]
fn the_bridge_passes_on_what_goes_wrong() {
    if !skip::needs("python3") {
        return;
    }
    let ending = "import socket,sys;s=socket.create_connection((sys.argv[1],int(sys.argv[2])));s.sendall(b'x 1');s.recv(99);s.recv(999)";
    for (more, reason, words) in [
        (";s.sendall(b'one two');s.recv(999)", "malformed", "one two"),
        (";s.sendall(b'99 0');s.recv(999)", "illegal", "99"),
        ("", "crashed", "the client closed its connection"),
        (";raise SystemExit(3)", "crashed", "the client closed its connection"),
    ] {
        let arena = Arena::new(["match", "notipping", "--json", "--quiet", "--seed", "1", "--move-time", "20s"]);
        let script = arena.write("client.py", format!("{ending}{more}\n"));
        let bot = format!("bridge=notipping-bridge -- python3 {} {{host}} {{port}}", script.display());
        let run = arena.arg("--bot").arg(bot).args("--bot random").run();
        let result = run.json();
        assert_eq!((&result["reason"], &result["at_fault"]), (&reason.into(), &0.into()), "{run:#?}");
        assert!(result["detail"].as_str().is_some_and(|detail| detail.contains(words)), "{result}");
    }
}

#[test]
fn a_bridge_whose_client_does_not_come_is_no_start() {
    for (command, words) in [("true", "the client ended before it connected"), ("no-such-client", "cannot be started")]
    {
        let bot = format!("bridge=notipping-bridge -- {command}");
        let run = Arena::new(["match", "notipping", "--json", "--quiet", "--bot", &bot, "--bot", "random"]).run();
        let result = run.json();
        assert_eq!((&result["reason"], &result["at_fault"]), (&"no_start".into(), &0.into()), "{run:#?}");
        assert!(result["detail"].as_str().is_some_and(|detail| detail.contains(words)), "{result}");
    }
}

/// `arena notipping-client` with these arguments.
fn client(server: &Server, arguments: &str) -> Child {
    let mut command = Command::new(binaries::arena());
    command.args(["notipping-client", &server.address]).args(arguments.split_whitespace());
    command.env("NO_COLOR", "1").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the arena starts")
}

fn played_out(ended: &Ended, what: &str) {
    let result = ended.result();
    assert_eq!(result["reason"], "finished", "{what}: {result}");
    assert!(result["turns"].as_u64() > Some(2), "{what}: {result}");
}

fn example(server: &Server, file: &str, first: &str) -> Child {
    let (host, port) = server.address.split_once(':').expect("an address has a port");
    let mut command = Command::new("python3");
    command.arg(script(file)).args([host, port, first]).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().expect("python3 starts")
}

fn script(file: &str) -> PathBuf {
    binaries::repository().join(format!("examples/notipping_client{file}.py"))
}
