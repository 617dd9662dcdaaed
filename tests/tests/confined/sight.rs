//! What a confined bot sees and has, and what its author and the organiser are told where that is not enough.

use super::support::{SHELL_BOT, as_ordinary_user, can_confine, everybody, executable, strict_match, was_played};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use tempfile::TempDir;
use tests::skip::needs;
use tests::transcript::log;

#[test]
fn both_seats_have_the_same_environment_and_nothing_of_the_arenas() {
    if !can_confine() {
        return;
    }
    for arena in everybody() {
        let arena = arena.env("SECRET", "not a bot's").env("HOME", "/home/organiser").env("LD_PRELOAD_NOT", "x");
        executable(&arena, "bot.sh", SHELL_BOT.replacen('\n', "\nenv >&2\n", 1));
        was_played(&arena, &strict_match(&arena, ["one=./bot.sh", "two=./bot.sh"]));
        let transcript = arena.transcript("m.jsonl");
        let [one, two] = [0, 1].map(|seat| -> BTreeMap<String, String> {
            let log = log(&transcript, seat);
            let variable = |line: &str| line.split_once('=').map(|(key, value)| (key.to_string(), value.to_string()));
            // The shell's own.
            log.lines().filter_map(variable).filter(|(key, _)| key != "PWD" && key != "OLDPWD" && key != "_").collect()
        });
        let expected =
            [("HOME", "/tmp"), ("LANG", "C.UTF-8"), ("PATH", "/usr/local/bin:/usr/bin:/bin"), ("TMPDIR", "/tmp")];
        let expected = expected.map(|(key, value)| (key.to_string(), value.to_string()));
        assert_eq!(one, BTreeMap::from(expected));
        assert_eq!(one, two);
    }
}

#[test]
fn of_two_interpreters_the_one_that_is_seen_is_taken_and_told() {
    if !can_confine() {
        return;
    }
    for arena in everybody() {
        let hidden = executable(&arena, "own/bin/sh", "#!/bin/sh\nexec /bin/sh \"$@\"\n");
        let path = format!("{}:/usr/bin:/bin", hidden.parent().expect("it is in a folder").display());
        let arena = arena.env("PATH", path);
        arena.write("bot.sh", SHELL_BOT);
        let run = strict_match(&arena, ["one=sh bot.sh", "two=sh bot.sh"]);
        was_played(&arena, &run);
        let notes: Vec<&str> = run.stderr.lines().filter(|line| line.starts_with("note: ")).collect();
        let told = |name: &str| {
            let says = [name, &hidden.display().to_string(), "/bin/sh", "`read` in [isolation]"];
            notes.iter().any(|note| says.iter().all(|part| note.contains(part)))
        };
        assert!(told("one") && told("two"), "{notes:#?}");
        assert_eq!(notes.iter().filter(|note| note.contains("run with")).count(), 1, "one line for both: {notes:#?}");
    }
}

#[test]
fn an_interpreter_out_of_sight_is_named_with_the_key_that_shows_it() {
    if !can_confine() {
        return;
    }
    for arena in everybody() {
        let hidden = executable(&arena, "own/bin/mysh", "#!/bin/sh\nexec /bin/sh \"$@\"\n");
        let own_bin = hidden.parent().expect("it is in a folder").display().to_string();
        let arena = arena.env("PATH", format!("{own_bin}:/usr/bin:/bin"));
        arena.write("bot.sh", SHELL_BOT);
        executable(&arena, "by-path", SHELL_BOT.replace("/bin/sh", &hidden.display().to_string()));
        executable(&arena, "by-env", SHELL_BOT.replace("/bin/sh", "/usr/bin/env mysh"));
        for bot in ["mysh bot.sh", "./by-path", "./by-env"] {
            let run = strict_match(&arena, [&format!("one={bot}"), "two=./by-path"]);
            assert_eq!(run.code, Some(2), "{bot}: {run:#?}");
            let own = arena.path("own");
            let says =
                ["one", &hidden.display().to_string(), &format!("read = [\"{}\"]", own.display()), "[isolation]"];
            assert!(says.iter().all(|part| run.stderr.contains(part)), "{bot}: {says:?} in {}", run.stderr);
            assert!(!arena.path("m.jsonl").exists(), "nothing was played");
        }
    }
}

#[test]
fn what_a_cup_says_is_read_is_seen_and_its_programs_are_found() {
    if !can_confine() {
        return;
    }
    // Where users of all kinds may look.
    let opt = TempDir::with_prefix_in("arena-opt-", "/tmp").expect("there is a folder for temporary files");
    fs::set_permissions(opt.path(), fs::Permissions::from_mode(0o755)).expect("it is ours");
    fs::create_dir(opt.path().join("bin")).expect("it is ours");
    let shell = opt.path().join("bin/mysh");
    fs::write(&shell, "#!/bin/sh\nexec /bin/sh \"$@\"\n").expect("it is ours");
    fs::set_permissions(&shell, fs::Permissions::from_mode(0o755)).expect("it is ours");
    for arena in everybody() {
        executable(&arena, "by-path", SHELL_BOT.replace("/bin/sh", &shell.display().to_string()));
        executable(&arena, "by-env", SHELL_BOT.replace("/bin/sh", "/usr/bin/env mysh"));
        arena.write("by-name/bot.toml", "name = \"by-name\"\nrun = [\"mysh\", \"bot.sh\"]\n");
        arena.write("by-name/bot.sh", SHELL_BOT);
        let bots = ["./by-path", "./by-env", "./by-name"].map(|bot| format!("[[bots]]\nbot = \"{bot}\"\n")).concat();
        let read = format!("[isolation]\nread = [\"{}\"]\n", opt.path().display());
        let cup = "name = \"cup\"\ngame = \"othello\"\n[params]\nsize = 4\n";
        arena.write("cup.toml", format!("{cup}{bots}{read}"));
        let run = arena.also("tournament run cup.toml");
        assert_eq!(run.code, Some(0), "{run:#?}");
        let rows = fs::read_to_string(arena.path("results/cup/matches.csv")).expect("it was played");
        assert_eq!(rows.matches(",finished,").count(), 6, "{rows}");
        let note = format!("note: by-name is run with {}: there is no ", shell.display());
        assert!(run.stderr.contains(&note), "{note}: {run:#?}");

        arena.write("cup.toml", format!("{cup}{bots}"));
        let run = arena.also("tournament run cup.toml --out other");
        assert_eq!(run.code, Some(2), "{run:#?}");
        assert!(run.stderr.contains("3 of 3 bots cannot play"), "{}", run.stderr);
    }
}

#[test]
fn a_bot_of_one_file_does_not_see_its_neighbours_and_its_author_is_told() {
    if !can_confine() || !needs("python3") {
        return;
    }
    for arena in everybody() {
        for folder in ["", "folder/"] {
            arena.write(&format!("{folder}helper.py"), "def choose(legal):\n    return legal[0]\n");
            let bot = "import json, sys\nimport helper\nfor line in sys.stdin:\n    m = json.loads(line)\n    if m['type'] == 'start':\n        print('{\"type\":\"ready\"}', flush=True)\n    elif m['type'] == 'turn':\n        print(json.dumps({'turn': m['turn'], 'move': helper.choose(m['legal'])}), flush=True)\n";
            arena.write(&format!("{folder}bot.py"), bot);
        }
        arena.write("folder/bot.toml", "run = [\"python3\", \"bot.py\"]\n");
        let run = strict_match(&arena, ["alone=python3 bot.py", "folder"]);
        let result = run.json();
        assert_eq!((&result["reason"], &result["at_fault"]), (&"no_start".into(), &0.into()), "{run:#?}");
        let detail = result["detail"].as_str().unwrap_or_default();
        for part in ["No module named 'helper'", "bot.toml", "`read`", "[isolation]"] {
            assert!(detail.contains(part), "{part}: {detail}");
        }
        was_played(&arena, &strict_match(&arena, ["folder", "other=folder"]));
    }
}

#[test]
fn where_strict_does_not_hold_the_layer_the_package_and_the_ways_out_are_named() {
    let arena = as_ordinary_user();
    executable(&arena, "bot.sh", SHELL_BOT);
    fs::create_dir(arena.path("no-programs")).expect("the folder is ours");
    let arena = {
        let path = arena.path("no-programs");
        arena.env("PATH", path)
    };
    let cup = "name = \"cup\"\ngame = \"othello\"\n[params]\nsize = 4\n[[bots]]\nbot = \"./bot.sh\"\n[[bots]]\nbot = \"./bot.sh\"\nname = \"two\"\n";
    arena.write("cup.toml", cup);
    for words in [
        "tournament run cup.toml",
        "tournament check cup.toml",
        "match othello --isolation strict --bot ./bot.sh --bot two=./bot.sh",
    ] {
        let run = arena.also(words);
        assert_eq!(run.code, Some(2), "{words}: {run:#?}");
        for part in ["bubblewrap is not installed", "apt install bubblewrap", "best-effort", "`none`"] {
            assert!(run.stderr.contains(part), "{words}: {part}: {}", run.stderr);
        }
    }
    assert!(!arena.path("results/cup/matches.csv").exists(), "nothing was played");
    for mode in ["best-effort", "none"] {
        let run = arena.also(&format!("tournament run cup.toml --isolation {mode} --out {mode}"));
        assert_eq!(run.code, Some(0), "{mode}: {run:#?}");
        let report = fs::read_to_string(arena.path(mode).join("report.html")).expect("the cup has a page");
        assert!(report.contains(mode) && !report.contains("bubblewrap"), "{mode}");
    }
}
