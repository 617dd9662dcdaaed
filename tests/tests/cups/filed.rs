//! Cups without a file, bots that do not play the cup's game, and commands that are shown to be pasted.

use crate::support::{json_events, rows, transcripts};
use arena::games::{GAMES, bundled_bots};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use tests::arena::Arena;
use tests::binaries;
use tests::processes::{wait_until, with_marker};
use tests::transcript::transcript;

/// A shell at the root of the file system, in whose PATH no arena is.
fn shell(command: &str) -> Output {
    Command::new("sh").args(["-c", command]).current_dir("/").env("PATH", "/usr/bin:/bin").output().expect("a shell")
}

#[test]
fn a_cup_without_a_file_is_written_whole_and_goes_on_with_the_file_from_anywhere() {
    let clock = "--start-time 5s --move-time 1900ms --game-time 1m --increment 10ms --stop-time 300ms";
    let words = format!(
        "tournament run --game offset --param size=8 --isolation none --out kept/small {clock} --hints --thinking any --json"
    );
    let arena =
        Arena::new(words.split(' ')).arg("--bot").arg("./mine").arg("--bot").arg("sh here.sh").args("--bot random");
    let program = binaries::program("greedy");
    arena.write("mine/bot.toml", format!("run = [{:?}]\n", program.display().to_string()));
    arena.write("here.sh", format!("exec '{}'\n", program.display()));
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    let folder = arena.path("kept/small");
    let ids = transcripts(&folder);
    assert_eq!(ids.len(), 6);
    let header = transcript(&folder.join(format!("transcripts/{}.jsonl", ids[0]))).remove(0);
    let clock =
        serde_json::json!({"start_ms": 5000, "move_ms": 1900, "game_ms": 60000, "increment_ms": 10, "stop_ms": 300});
    for (key, value) in clock.as_object().expect("it is one") {
        assert_eq!(&header["clock"][key], value, "{key}: {header}");
    }
    assert_eq!((&header["hints"], &header["thinking"]), (&true.into(), &"any".into()), "{header}");

    // The same command, and the file that it left, wherever one is.
    let again = arena.run();
    assert!(again.code == Some(0) && !again.stdout.contains("\"started\""), "{again:#?}");
    let file = folder.join("cup.toml");
    let command = format!("{} tournament run {} --json", binaries::arena().display(), file.display());
    let played = |more: usize| {
        let run = shell(&command);
        assert_eq!(run.status.code(), Some(0), "{run:?}");
        let events = json_events(&String::from_utf8_lossy(&run.stdout));
        assert_eq!(events.iter().filter(|event| event["type"] == "started").count(), more, "{events:#?}");
    };
    played(0);
    let text = fs::read_to_string(&file).expect("the cup is there");
    fs::write(&file, text.replacen("game = ", "pairs = 2\ngame = ", 1)).expect("the folder is writable");
    played(6);
    assert_eq!(rows(&folder.join("matches.csv")).len(), 12);
    // It is held against what was begun, and not against itself.
    fs::write(&file, text.replacen("1900ms", "2s", 1)).expect("the folder is writable");
    let refused = shell(&command);
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(stderr.contains("`[clock] move` was 1.9s and is 2s"), "{stderr}");
}

#[test]
fn what_a_cup_file_says_is_no_flag_beside_it() {
    let arena = Arena::new([""; 0]);
    arena.write(
        "cup.toml",
        "name = \"cup\"\ngame = \"othello\"\n[[bots]]\nbot = \"paper\"\n[[bots]]\nbot = \"random\"\n",
    );
    for (flag, told) in [
        ("--game othello", "`game = \"…\"`\n"),
        ("--bot paper", "`bot = \"…\"` under [[bots]]\n"),
        ("--pairs 2", "`pairs = 10`\n"),
        ("--param size=4", "`NAME = VALUE` under [params]\n"),
        ("--format swiss", "`format = \"…\"`\n"),
        ("--seed 2", "`seed = 1`\n"),
        ("--start-time 1s", "`start = \"10s\"` under [clock]\n"),
        ("--move-time 1s", "`move = \"500ms\"` under [clock]\n"),
        ("--game-time 1m", "`game = \"2m\"` under [clock]\n"),
        ("--increment 1s", "`increment = \"1s\"` under [clock]\n"),
        ("--stop-time 1s", "`stop = \"1s\"` under [clock]\n"),
        ("--hints", "`hints = true`\n"),
        ("--thinking any", "`thinking = \"any\"`\n"),
    ] {
        let run = arena.also(&format!("tournament run cup.toml {flag}"));
        assert_eq!(run.code, Some(2), "{flag}: {run:#?}");
        let name = flag.split(' ').next().expect("a flag has a name");
        let says = format!("{name} is for a cup without a file: write it in cup.toml, as {told}");
        assert!(run.stderr.ends_with(&says), "{says}: {run:#?}");
    }
    let run = arena.also("tournament run --game othello --bot paper --bot random --increment 1s");
    assert!(run.code == Some(2) && run.stderr.contains("give --game-time too"), "{run:#?}");
    let run = arena.also("tournament run --bot paper --bot random --pairs 2");
    assert!(run.code == Some(2) && run.stderr.contains("which cup?"), "{run:#?}");
    assert!(!arena.path("results").exists());
}

#[test]
fn a_bundled_bot_plays_the_games_that_list_it_and_is_refused_in_the_others() {
    for game in GAMES.iter().map(|game| game.info()) {
        for bot in bundled_bots() {
            let arena = Arena::new(["match", game.id, "--quiet", "--json", "--bot", bot, "--bot", "random"]);
            let cup =
                format!("tournament run --game {} --bot random --bot {bot} --bot other=random --out cup", game.id);
            if game.bots.contains(&bot) {
                // The bridge and the wrapper have no program to speak for here, and say so themselves.
                let run = (!["notipping-bridge", "plain"].contains(&bot)).then(|| arena.run());
                assert!(run.as_ref().is_none_or(|run| run.json()["reason"] != "no_start"), "{bot}: {run:#?}");
                continue;
            }
            let plays: Vec<&str> =
                GAMES.iter().map(|game| game.info()).filter(|it| it.bots.contains(&bot)).map(|it| it.id).collect();
            let told = format!("{bot} does not play {}: it plays {}. The bundled bots", game.id, plays.join(", "));
            for run in [arena.run(), arena.also(&cup)] {
                assert_eq!(run.code, Some(2), "{run:#?}");
                assert!(run.stderr.contains(&told), "{told}: {run:#?}");
            }
            assert!(!arena.path("cup").exists());
        }
    }
}

/// In a folder with spaces, by a program that is not in PATH: what is shown is pasted at the root of the file system.
#[test]
fn the_commands_that_are_shown_work_in_any_folder() {
    const BOUND: Duration = Duration::from_secs(60);
    let arena = Arena::new([""; 0]);
    let fixture = |words: &str| arena.fixture_command(words);
    let script = format!("test -f go || exec {}\nexec {}\n", fixture("never-ready"), fixture("no-turn"));
    arena.write("my \"cups\"/slow bot.sh", script);
    let bots = "[[bots]]\nname = \"slow\"\nbot = \"sh 'slow bot.sh'\"\n[[bots]]\nbot = \"random\"\n";
    let head = "name = \"cup\"\ngame = \"othello\"\n[isolation]\nmode = \"none\"\n[params]\nsize = 4\n[clock]\nstart = \"1h\"\nstop = \"300ms\"\n";
    arena.write("my \"cups\"/it's a cup.toml", format!("{head}{bots}"));
    let folder = arena.path("my \"cups\"");
    let running = Command::new(binaries::arena())
        .args(["tournament", "run", "it's a cup.toml", "--out", "the $results", "--jobs", "1"])
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the arena starts");
    assert!(wait_until(BOUND, || !with_marker(arena.marker()).is_empty()), "no hands are shaken");
    kill(Pid::from_raw(running.id() as i32), Signal::SIGTERM).expect("it is there");
    let stopped = running.wait_with_output().expect("a child can be waited for");
    let stdout = String::from_utf8_lossy(&stopped.stdout);
    assert_eq!(stopped.status.code(), Some(143), "{stopped:?}");
    let on = stdout.lines().find_map(|line| line.split_once("the same command goes on: ")).expect("it is shown").1;

    fs::write(folder.join("go"), "").expect("the private folder is writable");
    let run = shell(on);
    assert_eq!(run.status.code(), Some(0), "{on}: {run:?}");
    let failures = folder.join("the $results/failures");
    let pasted = |id: &str, after: &str, more: &str| {
        let readme = fs::read_to_string(failures.join(id).join("README.txt")).expect("it was written");
        let command = readme.split_once(&format!("{after}\n  ")).expect("it is told").1;
        let command = command.lines().next().expect("it is a line").to_string();
        let run = shell(&format!("{command} {more}"));
        assert_eq!(run.status.code(), Some(0), "{command}: {run:?}");
        String::from_utf8_lossy(&run.stdout).into_owned()
    };
    for id in ["random+slow+1a", "random+slow+1b"] {
        assert!(Path::new(&failures).join(id).is_dir(), "{run:?}");
        let again = pasted(id, "To play the match again:", "--json --quiet");
        assert!(again.contains("\"malformed\""), "{again}");
        assert!(pasted(id, "To step through it:", "--turn 0").contains("slow"));
    }
    assert_eq!(arena.no_process_left(), Ok(()));
}
