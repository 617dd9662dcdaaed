use super::again::{command, debug};
use crate::clock::Clock;
use crate::record::{Header, PlayerRecord, SCHEMA};
use crate::seat::Seat;
use crate::transport::Limits;
use serde_json::json;
use std::fs;
use std::path::Path;

const OWN: &str = "/arena/bin";

fn player(name: &str, words: &[&str], folder: &str) -> PlayerRecord {
    PlayerRecord {
        name: name.to_string(),
        command: words.iter().map(|word| word.to_string()).collect(),
        folder: Some(folder.to_string()),
        ..PlayerRecord::default()
    }
}

fn header(players: [PlayerRecord; 2]) -> Header {
    Header {
        layers: Vec::new(),
        limits: Vec::new(),
        schema: SCHEMA,
        arena: "1".to_string(),
        id: "a+b+1a".to_string(),
        game: "nim".to_string(),
        params: serde_json::Map::from_iter([("piles".to_string(), json!([[1, 2], [3, 4]]))]),
        seed: 7,
        from: None,
        opening: Vec::new(),
        clock: (&Clock::default()).into(),
        hints: false,
        thinking: None,
        cores: None,
        isolation: None,
        players,
        started: "2001-01-01T00:00:00Z".to_string(),
    }
}

/// The words of the command as a shell splits them.
fn words(players: [PlayerRecord; 2]) -> Vec<String> {
    shlex::split(&command(&header(players), "arena", Some(Path::new(OWN)))).expect("every quote is closed")
}

#[test]
fn a_match_is_played_again_under_the_same_conditions() {
    let mut header = header([player("a", &["/arena/bin/a"], "/cup"), player("b", &["/b/b.sh"], "/b")]);
    header.clock.move_ms = Some(1500);
    header.clock.game_ms = Some(120_000);
    header.clock.increment_ms = 10;
    header.hints = true;
    header.thinking = Some("any".to_string());
    let command = command(&header, "arena", Some(Path::new(OWN)));
    assert_eq!(
        command,
        "arena match nim --bot 'a=/arena/bin/a' --bot 'b=/b/b.sh' --param 'piles=[[1,2],[3,4]]' --seed 7 --start-time 10s \
         --move-time 1500ms --game-time 120s --increment 10ms --stop-time 1s --thinking any --hints"
            .replace("'a=/arena/bin/a'", &shlex::try_quote("a=/arena/bin/a").unwrap())
            .replace("'b=/b/b.sh'", &shlex::try_quote("b=/b/b.sh").unwrap())
    );
}

/// A fault that depends on confinement comes again only under it.
#[test]
fn a_match_is_played_again_as_confined_and_limited_as_it_was() {
    let mut header = header([player("a", &["/a/a"], "/a"), player("b", &["/b/b"], "/b")]);
    let limits =
        Limits { cpu_seconds: Some(5), memory_bytes: Some(64 << 20), file_bytes: Some(1000), ..Limits::default() };
    header.limits = limits.words();
    let mut ending = |mode: Option<&str>| {
        header.isolation = mode.map(str::to_string);
        let command = command(&header, "arena", None);
        command.split_once(" --stop-time 1s").expect("it is there").1.replace('\'', "")
    };
    let limits = " --limit cpu=5s --limit memory=64MiB --limit files=1000B";
    assert_eq!(ending(Some("strict")), format!(" --isolation strict{limits}"));
    assert_eq!(ending(Some("best-effort")), format!(" --isolation best-effort{limits}"));
    assert_eq!((ending(Some("none")), ending(None)), (limits.to_string(), limits.to_string()));
}

#[test]
fn each_bot_is_started_where_it_was() {
    let python = ["/bin/python3", "it's.py", "$x"];
    let own = || player("a", &["/arena/bin/a", "--rules", "x y"], "/elsewhere");
    // One command line, or two in one folder: the whole command is given there.
    let one = words([own(), player("b", &python, "/my bots")]);
    assert_eq!(one[..3], ["cd", "/my bots", "&&"]);
    assert_eq!(shlex::split(&one[7]).unwrap(), ["a=/arena/bin/a", "--rules", "x y"]);
    assert_eq!(shlex::split(&one[9]).unwrap(), ["b=/bin/python3", "it's.py", "$x"]);
    let two = words([player("a", &python, "/f"), player("b", &python, "/f")]);
    assert_eq!((&two[1], two[7].contains("cd"), two[9].contains("cd")), (&"/f".to_string(), false, false));
    // Two folders: the second goes into its own.
    let apart = words([player("a", &python, "/f"), player("b", &python, "/g h")]);
    assert_eq!(apart[..3], ["cd", "/f", "&&"]);
    let inner = shlex::split(&apart[9]).unwrap();
    assert_eq!(inner[..2], ["b=sh", "-c"]);
    assert_eq!(inner[3..], ["sh", "/g h", "/bin/python3", "it's.py", "$x"]);
    // A lone program in a folder that is not its own would be started beside itself.
    let lone = words([player("a", &["/bin/a"], "/f"), player("b", &["/b/b"], "/b")]);
    assert_eq!(lone[0], "arena");
    assert_eq!(shlex::split(&lone[4]).unwrap()[3..], ["sh", "/f", "/bin/a"]);
    assert_eq!(lone[6], "b=/b/b");
}

#[test]
fn a_bot_with_a_manifest_is_named_by_its_folder_when_it_is_the_one_that_played() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().to_str().unwrap();
    let text = "name = \"a\"\nrun = [\"python3\", \"a.py\"]\nenv = { X = \"1\" }\n";
    fs::write(place.path().join("bot.toml"), text).unwrap();
    let other = || player("b", &["/b/b"], "/b");
    let same = words([player("a", &["/usr/bin/python3", "a.py"], folder), other()]);
    assert_eq!(same[4], format!("a={folder}"));
    let changed = words([player("a", &["/usr/bin/python3", "old.py"], folder), other()]);
    assert_eq!((changed[0].as_str(), changed[7].as_str()), ("cd", "a=/usr/bin/python3 old.py"));
}

#[test]
fn the_bot_at_fault_is_asked_the_same_again_from_any_folder() {
    let header =
        header([player("a", &["/arena/bin/a", "--x y"], "/cup"), player("b", &["/usr/bin/py", "b.py"], "/b c")]);
    let words = |seat| {
        shlex::split(&debug(&header, Path::new("/t/m 1.jsonl"), seat, "arena", Some(Path::new(OWN))).unwrap()).unwrap()
    };
    let first = words(Seat::First);
    assert_eq!(first[..4], ["arena", "debug", "/t/m 1.jsonl", "--bot"]);
    assert_eq!(first[5..], ["--seat", "0"]);
    let second = words(Seat::Second);
    assert_eq!(second[..3], ["cd", "/b c", "&&"]);
    assert_eq!(second[7..], ["b=/usr/bin/py b.py", "--seat", "1"]);
    let nobody = PlayerRecord { name: "human".to_string(), ..PlayerRecord::default() };
    let header = self::header([nobody.clone(), nobody]);
    assert_eq!(debug(&header, Path::new("/t"), Seat::First, "arena", None), None);
}
