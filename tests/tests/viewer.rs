//! A recorded match in the viewer: in a real terminal (tmux), by keys and by what is on the screen.

use serde_json::json;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tests::arena::Arena;
use tests::pane::{AFTERWARDS, Pane};
use tests::processes::wait_until;
use tests::recorded::{FILE, recorded, rewrite};
use tests::{binaries, skip, transcript};

/// The command that opens the viewer, and one that tells of the terminal once it is left.
fn script(arena: &Arena, environment: &str, more: &str) -> String {
    let (program, file) = (binaries::arena(), arena.path(FILE));
    format!("echo BEFORE; {environment} '{}' replay '{}' {more}; {AFTERWARDS}", program.display(), file.display())
}

fn viewer(arena: &Arena) -> Pane {
    Pane::new(&script(arena, "", ""))
}

/// The terminal is as it was, and the program ended with this status.
fn assert_is_back(pane: &Pane, status: u8) {
    let text = pane.shows(&["BEFORE", &format!("status {status}\n"), "icanon", "echo"]);
    assert!(!text.contains("-icanon") && !text.contains("-echo"), "{text}");
    assert!(!text.contains("[before turn "), "{text}");
    assert_eq!(pane.asked("#{cursor_flag}"), "1", "the cursor is seen again");
}

#[test]
fn keys_step_through_a_replay_and_the_terminal_comes_back() {
    if !skip::needs("tmux") {
        return;
    }
    let arena = recorded("");
    let pane = viewer(&arena);
    let start = pane.shows(&["[before turn 0 of ", "the start", "Black to move", "no move yet", "moves"]);
    assert!(!start.contains("BEFORE"), "the replay has a screen of its own\n{start}");
    pane.keys(&["Right", "Right", "Right"]);
    pane.shows(&["[before turn 3 of ", "turn 2  ● paper", " of 1 s", "paper notes:", "next: turn 3 "]);
    pane.keys(&["Left"]);
    pane.shows(&["[before turn 2 of ", "turn 1  ○ paper-2"]);
    pane.keys(&["NPage"]);
    pane.shows(&["[before turn 12 of ", "turn 11  "]);
    pane.keys(&["End"]);
    pane.shows(&["[the end of ", "thought"]);
    pane.keys(&["f"]);
    pane.shows(&["nothing went wrong in this match"]);
    pane.keys(&["?"]);
    pane.shows(&["ten turns on, back"]);
    pane.keys(&["x", "Home"]);
    pane.shows(&["[before turn 0 of ", "the start"]);
    pane.keys(&["1", "7"]);
    pane.shows(&["turn: 17_"]);
    pane.keys(&["Enter"]);
    pane.shows(&["[before turn 17 of ", "next: turn 17 "]);
    pane.keys(&["q"]);
    assert_is_back(&pane, 0);
}

#[test]
fn small_terminals_show_what_fits_and_sizes_change_while_it_is_open() {
    if !skip::needs("tmux") {
        return;
    }
    for game in arena::games::GAMES.iter().map(|game| game.info().id) {
        let arena = Arena::new(["match", game, "--seed", "3", "--quiet", "--transcript", FILE])
            .args("--bot random --bot greedy");
        assert_eq!(arena.run().code, Some(0), "{game}");
        let pane = Pane::of_size(40, 15, &script(&arena, "", "--turn 6"));
        pane.shows(&["[before turn 6 of ", "turn 5  ", "what happened", game]);
        for (columns, rows) in [(80, 24), (10, 4), (160, 50), (40, 15)] {
            pane.tmux(&["resize-window", "-x", &columns.to_string(), "-y", &rows.to_string()]);
            let parts: &[&str] = match columns {
                80.. => &["[before turn 6 of ", "turn 5  ", " moves ──"],
                40.. => &["[before turn 6 of ", "turn 5  "],
                _ => &["[before t"],
            };
            pane.shows(parts);
        }
        pane.keys(&["q"]);
        pane.shows(&["status 0"]);
    }
}

#[test]
fn what_was_said_is_found() {
    if !skip::needs("tmux") {
        return;
    }
    let arena = recorded("");
    rewrite(&arena, |lines| {
        let moves = lines.iter_mut().filter(|line| line["type"] == "move");
        for (turn, line) in moves.enumerate() {
            if turn == 8 || turn == 20 {
                line["note"] = json!(format!("{}the Lighthouse, at last", "hm\n".repeat(100)));
            }
        }
    });
    let pane = viewer(&arena);
    pane.shows(&["the start"]);
    pane.keys(&["/", "lighthouse"]);
    pane.shows(&["/lighthouse_"]);
    pane.keys(&["Enter"]);
    pane.shows(&["[before turn 9 of ", "the Lighthouse, at last"]);
    pane.keys(&["n"]);
    pane.shows(&["[before turn 21 of ", "the Lighthouse, at last"]);
    pane.keys(&["n"]);
    pane.shows(&["[before turn 9 of "]);
    pane.keys(&["/", "nonsense", "Enter"]);
    pane.shows(&["nobody said nonsense"]);
    pane.keys(&["q"]);
    assert_is_back(&pane, 0);
}

#[test]
fn it_plays_by_itself_to_the_end() {
    if !skip::needs("tmux") {
        return;
    }
    let arena = recorded("");
    let pane = viewer(&arena);
    pane.shows(&["[before turn 0 of "]);
    pane.keys(&["+", "+", "+", "Space"]);
    pane.shows(&["Space pause"]);
    pane.shows(&["[the end of "]);
    pane.keys(&["q"]);
    assert_is_back(&pane, 0);
}

#[test]
fn ctrl_c_and_signals_leave_the_terminal_as_it_was() {
    if !skip::needs("tmux") {
        return;
    }
    let arena = recorded("");
    let pane = viewer(&arena);
    pane.shows(&["the start"]);
    pane.keys(&["C-c"]);
    assert_is_back(&pane, 130);

    let (program, file, number) = (binaries::arena(), arena.path(FILE), arena.path("pid"));
    let numbered = || {
        let pane = Pane::new(&format!(
            "echo BEFORE; sh -c 'echo $$ > {}; exec {} replay {}'; {AFTERWARDS}",
            number.display(),
            program.display(),
            file.display()
        ));
        pane.shows(&["the start"]);
        let pid = std::fs::read_to_string(&number).expect("the shell wrote it");
        (pane, pid.trim().to_string())
    };
    for (signal, status) in [("-TERM", 143), ("-QUIT", 131), ("-HUP", 129)] {
        let (pane, pid) = numbered();
        assert!(Command::new("kill").args([signal, &pid]).status().expect("kill runs").success());
        assert_is_back(&pane, status);
    }

    let (pane, pid) = numbered();
    drop(pane);
    let gone = || !Path::new("/proc").join(&pid).exists();
    assert!(wait_until(Duration::from_secs(30), gone), "it goes with its terminal");
}

#[test]
fn colours_are_left_out_where_they_are_not_wanted() {
    if !skip::needs("tmux") {
        return;
    }
    let arena = recorded("");
    let colours = |text: &str| text.contains("48;5;") || text.contains("38;5;");
    let pane = viewer(&arena);
    pane.shows(&["Black to move"]);
    assert!(colours(&pane.text_with_colours()));
    let pane = Pane::new(&script(&arena, "NO_COLOR=1", "--turn 1"));
    let text = pane.shows(&["[before turn 1 of ", "X paper", "[X]"]);
    assert!(!text.contains('●') && !colours(&pane.text_with_colours()), "{text}");
    let pane = Pane::new(&script(&arena, "TERM=dumb", "--turn 1"));
    let text = pane.shows(&["BEFORE", "before turn 1:", "turn 1  O paper-2", "status 0"]);
    assert!(!text.contains("what happened"), "it is written out\n{text}");
}

#[test]
fn what_bots_say_cannot_reach_the_terminal() {
    if !skip::needs("tmux") {
        return;
    }
    let evil = "\u{1b}[2J\u{1b}]2;taken\u{7}\u{1b}[?25h\0\r\u{9b}31m\u{202e}\u{2067}words";
    let arena = recorded("");
    rewrite(&arena, |lines| {
        lines[0]["players"][1]["name"] = json!(evil);
        let turn = lines.iter().position(|line| line["type"] == "move").expect("there are moves");
        lines[turn]["note"] = json!(format!("{evil}\n{}", "\u{754c}".repeat(50_000)));
        for kind in ["stray", "stale", "stderr"] {
            lines.insert(turn, json!({"type": kind, "ms": 1, "seat": 0, "turn": 0, "text": format!("{kind} {evil}")}));
        }
        let fault = json!({"type": "fault", "ms": 9, "seat": 1, "reason": "malformed", "detail": evil, "line": evil});
        lines.insert(lines.len() - 1, fault);
    });
    let pane = viewer(&arena);
    let title = pane.asked("#{pane_title}");
    pane.shows(&["the start"]);
    pane.keys(&["Right"]);
    pane.shows(&["[before turn 1 of ", "turn 0  ", "\\u{1b}[2J\\u{1b}]2;taken", "lines 1 to "]);
    pane.keys(&["f"]);
    let text = pane.shows(&["[the end of ", "FAULT: "]);
    assert!(!text.contains(['\u{202e}', '\u{2067}', '\u{9b}']), "{text:?}");
    assert_eq!((pane.asked("#{pane_title}"), pane.asked("#{cursor_flag}").as_str()), (title, "0"));
    pane.keys(&["q"]);
    assert_is_back(&pane, 0);
}

#[test]
fn a_fault_is_where_f_leads_and_an_unfinished_match_is_called_so() {
    if !skip::needs("tmux") {
        return;
    }
    let arena = recorded("");
    rewrite(&arena, |lines| {
        lines.truncate(8);
        lines.push(json!({"type": "fault", "ms": 9, "seat": 1, "reason": "illegal", "detail": "turn 5: not so"}));
    });
    assert_eq!(transcript::events(&arena.transcript(FILE), "fault").count(), 1);
    let pane = viewer(&arena);
    pane.shows(&["the start", "unfinished]", "f fault"]);
    pane.keys(&["f"]);
    pane.shows(&["[the end of ", "unfinished: ", "FAULT: ○ paper-2 forfeits: illegal", "turn 5: not so"]);
    pane.keys(&["Escape"]);
    assert_is_back(&pane, 0);
}

#[test]
fn f_leads_from_an_ignored_flip_to_the_fault_after_it() {
    if !skip::needs("tmux") {
        return;
    }
    let arena = Arena::new(["match", "flip", "--quiet", "--seed", "1", "--transcript", FILE])
        .fixture("bad", "illegal-move")
        .args("--bot random");
    assert_eq!(arena.run().code, Some(0));
    let pane = viewer(&arena);
    pane.shows(&["the start", "f fault"]);
    for place in ["[before turn 1 of ", "[the end of ", "[before turn 1 of "] {
        pane.keys(&["f"]);
        pane.shows(&[place]);
    }
}

#[test]
fn a_match_of_ten_thousand_turns_opens_at_any_of_them() {
    if !skip::needs("tmux") {
        return;
    }
    let arena = Arena::new(["match", "flip", "--quiet", "--transcript", FILE])
        .args("--param rounds=5000 --seed 1 --bot random --bot random");
    assert_eq!(arena.run().code, Some(0));
    rewrite(&arena, |lines| {
        lines.truncate(1);
        // Whoever flips nothing gets nowhere.
        let turn =
            |turn: u32| json!({"type": "move", "ms": turn, "turn": turn, "seat": turn % 2, "move": [], "took_us": 90});
        lines.extend((0..10_000).map(turn));
        lines[5001]["note"] = json!("a thought\n".repeat(100_000));
    });
    let pane = Pane::new(&script(&arena, "", "--turn 5000"));
    pane.shows(&["[before turn 5000 of 10000, unfinished]", "next: turn 5000 "]);
    pane.keys(&["Right"]);
    pane.shows(&["a thought", "lines 1 to "]);
    pane.keys(&["End"]);
    pane.shows(&["[the end of 10000, unfinished]", "the end"]);
    pane.keys(&["q"]);
    assert_is_back(&pane, 0);
}
