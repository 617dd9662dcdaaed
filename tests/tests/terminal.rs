//! What people see and type: matches as they are watched, played by hand and written out again. Through pipes where that is
//! enough, in a real terminal (tmux) where it is about keys and the screen.

use serde_json::{Value, json};
use tests::arena::{Arena, Run};
use tests::pane::{AFTERWARDS, Pane};
use tests::recorded::{FILE, recorded, rewrite};
use tests::{binaries, skip};

/// The output with everything masked that a clock decides.
fn timeless(text: &str) -> String {
    let mask = |line: &str| match line.split_once("  (") {
        Some((head, tail)) if line.starts_with("turn ") && tail.contains(" ms") => format!("{head}  (TIME)"),
        _ if line.starts_with("started ") => "started TIME".to_string(),
        _ => match line.split_once("  thought ") {
            Some((head, _)) => format!("{head}  thought TIME"),
            None => line.to_string(),
        },
    };
    text.lines().map(|line| mask(line) + "\n").collect()
}

fn has_no_control(text: &str) -> bool {
    !text.chars().any(|character| character.is_control() && character != '\n')
}

#[test]
fn a_replay_tells_who_played_what_and_shows_each_board() {
    let run = recorded("").run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    let text = timeless(&run.stdout);
    let start = "\
othello (size 6, opening 0): X paper (moves first) against O paper-2, seed 1
clock: start 10 s, move 1 s, game none
started TIME

the start
   a b c d e f
 1 . . . . . . 1
 2 . . * . . . 2  X Black  2
 3 . * O X . . 3  O White  2
 4 . . X O * . 4    empty  32
 5 . . . * . . 5
 6 . . . . . . 6
   a b c d e f
Black to move

turn 0  X paper: c2  (TIME)
  paper notes:
    {\"rule\":\"most\",\"left\":[\"c2\",\"b3\",\"e4\",\"d5\"]}
   a b c d e f
 1 . . . . . . 1
 2 . *[X]* . . 2  X Black      4
";
    assert!(text.starts_with(start), "{text}");
    assert!(text.contains("wins: paper ") || text.contains("draw: paper "), "both scores are named\n{text}");
    assert!(has_no_control(&run.stdout));
    assert_eq!(run.stderr, "");
}

#[test]
fn a_replay_of_one_turn_shows_the_position_before_it_and_what_was_played() {
    let arena = recorded("--turn 1");
    let run = arena.run();
    let text = timeless(&run.stdout);
    let board = "\
before turn 1:
   a b c d e f
 1 . . . . . . 1
 2 . *[X]* . . 2  X Black      4
 3 . . X X . . 3  O White      1
 4 . * X O . . 4    empty      31
 5 . . . . . . 5    last move  c2
 6 . . . . . . 6
   a b c d e f
White to move
turn 1  O paper-2: ";
    assert!(text.contains(board), "{text}");
    assert!(text.contains("  paper-2 notes:\n"), "{text}");
    assert!(!text.contains("turn 2"), "{text}");

    let last = arena.transcript(FILE).iter().filter(|line| line["turn"].is_u64()).count();
    let replay = recorded(&format!("--turn {last}")).run();
    assert!(replay.stdout.contains("paper-2"), "the end comes after the last turn\n{}", replay.stdout);
    let run = recorded("--turn 999").run();
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("--turn 999") && run.stderr.contains("turns 0 to "), "{}", run.stderr);
}

#[test]
fn a_replay_as_json_has_a_state_a_line_and_the_result() {
    let arena = recorded("--json");
    let run = arena.run();
    let lines: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let recorded_lines = arena.transcript(FILE);
    let turns = recorded_lines.iter().filter(|line| line["type"] == "move" || line["type"] == "pass").count();
    assert_eq!(lines.len(), turns + 2);
    assert_eq!(lines[0]["type"], "start");
    assert_eq!(lines[1]["move"], "c2");
    assert_eq!(lines[1]["state"]["board"][1], "..B...");
    assert_eq!(lines.last(), recorded_lines.last());

    let before = recorded("--json --turn 1").run().json();
    assert_eq!((&before["state"], &before["seat"]), (&lines[1]["state"], &json!(1)));
}

#[test]
fn an_unfinished_match_is_shown_as_one() {
    let arena = recorded("");
    rewrite(&arena, |lines| lines.truncate(6));
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.contains("unfinished: the transcript ends without a result, after 3 turns"), "{}", run.stdout);

    let mut text = std::fs::read_to_string(arena.path(FILE)).expect("it is there");
    text.truncate(text.len() - 10);
    arena.write(FILE, text);
    let run = arena.run();
    assert!(
        run.stdout.contains("unfinished: the transcript ends in the middle of a line, after 2 turns"),
        "{}",
        run.stdout
    );

    rewrite_last_move(&arena);
    let run = arena.run();
    assert!(run.stderr.contains("shown up to there"), "{}", run.stderr);
    assert!(run.stdout.contains("line 5 does not hold: turn 1: the move \"a1\" does not hold"), "{}", run.stdout);
}

/// Puts a move into the file that the rules do not allow, in place of its last, torn line.
fn rewrite_last_move(arena: &Arena) {
    let text = std::fs::read_to_string(arena.path(FILE)).expect("it is there");
    let mut lines: Vec<&str> = text.lines().take(4).collect();
    lines.push(r#"{"type":"move","ms":1,"turn":1,"seat":1,"move":"a1","took_us":5}"#);
    arena.write(FILE, lines.join("\n") + "\n");
}

#[test]
fn what_bots_say_stays_text_in_a_replay() {
    let evil = "\u{1b}[2J\u{1b}]0;title\u{7}\r\u{9b}31m\u{202e}words";
    let arena = recorded("");
    rewrite(&arena, |lines| {
        lines[0]["players"][1]["name"] = json!(evil);
        let turn = lines.iter().position(|line| line["type"] == "move").expect("there are moves");
        lines[turn]["note"] = json!(evil);
        for kind in ["stray", "stale", "stderr"] {
            lines.insert(turn, json!({"type": kind, "ms": 1, "seat": 0, "turn": 0, "text": format!("{kind} {evil}")}));
        }
        let fault = json!({"type": "fault", "ms": 9, "seat": 1, "reason": "malformed", "detail": evil, "line": evil});
        lines.insert(lines.len() - 1, fault);
    });
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(has_no_control(&run.stdout) && !run.stdout.contains('\u{202e}'), "{:?}", run.stdout);
    for shown in ["stray \\u{1b}[2J", "stale \\u{1b}", "stderr \\u{1b}", "paper notes:", "forfeits: malformed"] {
        assert!(run.stdout.contains(shown), "{shown}\n{}", run.stdout);
    }
}

#[test]
fn what_bots_say_stays_text_while_a_match_is_watched() {
    let arena = Arena::new(["match", "othello", "--bot", "paper", "--bot", "evil=sh evil.sh", "--seed", "1"])
        .env("NO_COLOR", "")
        .env("TERM", "xterm-256color");
    arena.write("evil.sh", "printf '\\033[2Jgot you\\r\\n'\nprintf '\\033[31mred\\n' >&2\nread line\nexit 3\n");
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(has_no_control(&run.stdout) && has_no_control(&run.stderr), "{run:#?}");
    assert!(run.stdout.contains("FAULT: O evil forfeits: no_start"), "{}", run.stdout);
    assert!(run.stdout.contains("paper wins, because evil forfeits"), "{}", run.stdout);
    assert!(run.stdout.lines().last().is_some_and(|line| line.starts_with("to play it again: ")), "{}", run.stdout);
}

#[test]
fn no_escapes_and_no_carriage_returns_where_no_terminal_is() {
    let run = Arena::new(["match", "othello", "--bot", "paper", "--bot", "greedy", "--seed", "1", "--pause", "1ms"])
        .env("NO_COLOR", "")
        .env("TERM", "xterm-256color")
        .run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(has_no_control(&run.stdout) && has_no_control(&run.stderr), "{run:#?}");
    assert_eq!(run.stdout.matches("\nturn ").count(), 33, "each board stays\n{}", run.stdout);
    assert!(run.stdout.contains("\npaper wins: paper 33, greedy 3 (finished, after 33 turns)\n"), "{}", run.stdout);
}

#[test]
fn what_a_bot_leaves_and_prints_besides_is_said_once() {
    let arena = Arena::new(["match", "othello", "--bot", "paper", "--seed", "1", "--transcript", FILE]);
    let arena = arena.args("--stop-time 200ms").fixture("loud", "helper-child");
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert_eq!(run.stdout.matches("note: loud left 1 process behind").count(), 1, "{}", run.stdout);
    let replay = Arena::new(["replay", FILE]);
    replay.write(FILE, std::fs::read(arena.path(FILE)).expect("it was recorded"));
    let shown = replay.run().stdout;
    assert_eq!(shown.matches("loud left 1 of its processes behind").count(), 1, "{shown}");

    let run = Arena::new(["match", "othello", "--bot", "paper", "--seed", "1"]).fixture("loud", "stray-many 5").run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert_eq!(run.stdout.matches("note: loud prints text that is no answer").count(), 1, "{}", run.stdout);
}

/// A match of a person, whose keys are piped in, against a bot that always plays the same.
fn by_hand(input: &str, more: &str) -> Run {
    Arena::new(["match", "othello", "--bot", "human", "--bot", "paper", "--seed", "1"]).args(more).input(input).run()
}

#[test]
fn a_person_plays_a_whole_match_with_mistakes_on_the_way() {
    let arena = recorded("");
    let lines = arena.transcript(FILE);
    let moves = lines.iter().filter(|line| line["type"] == "move" && line["seat"] == 0);
    let moves: Vec<&str> = moves.map(|line| line["move"].as_str().expect("a square")).collect();
    let typed = moves.iter().map(|square| format!(" {} \n", square.to_uppercase()));
    let input = format!(
        "zz\n{}a1\nhelp\nmoves\n\nquit\nn\n{}",
        typed.clone().next().unwrap(),
        typed.skip(1).collect::<String>()
    );
    let run = by_hand(&input, "--json --quiet");
    assert_eq!(run.code, Some(0), "{run:#?}");
    let result = run.json();
    let expected = lines.last().expect("a result");
    assert_eq!((&result["scores"], &result["winner"]), (&expected["scores"], &expected["winner"]), "{run:#?}");
    assert_eq!(run.stdout.lines().count(), 1, "what is for people goes to stderr\n{}", run.stdout);
    for said in [
        "human, your move (like c2; help, moves, quit): zz\nNot played: \"zz\" is no square",
        "Not played: Black on a1 traps no disc of White; legal here: ",
        "The rules: arena rules othello",
        "You can play: ",
        "(y/N) n\nThe match goes on.",
        "White to move",
    ] {
        assert!(run.stderr.contains(said), "{said}\n{}", run.stderr);
    }
    assert!(has_no_control(&run.stderr), "{:?}", run.stderr);
}

#[test]
fn a_person_who_gives_up_makes_the_match_void() {
    for input in ["quit\ny\n", "c2\nquit\nyes\n", "c2\n", "", "\u{1b}[A\n"] {
        let run = by_hand(input, "");
        assert_eq!(run.code, Some(1), "{input:?}\n{run:#?}");
        assert!(run.stdout.contains("void: the match counts for nothing (interrupted, after "), "{}", run.stdout);
        assert!(run.stdout.contains("human gave the match up"), "{}", run.stdout);
        assert!(has_no_control(&run.stderr), "{:?}", run.stderr);
    }
}

#[test]
fn a_person_plays_a_few_moves_of_each_game() {
    for (game, input, said) in [
        ("offset", "moves\n1 1 6 3\n", "some are: "),
        ("offset", "help\n1 1 6 3\n", "column and row of the pile that you move"),
        ("notipping", "1@0\n7 99\n", "Not played: "),
        ("notipping", "help\n1@0\n", "a block its weight, then the position"),
        ("flip", "moves\n0 @0.5\n", "does not list its moves"),
        ("flip", "help\n0 @0.5\n", "the direction in radians"),
    ] {
        let run = Arena::new(["match", game, "--bot", "human", "--bot", "random", "--seed", "1"]).input(input).run();
        assert_eq!(run.code, Some(1), "{run:#?}");
        assert!(run.stderr.contains(said), "{run:#?}");
        assert!(run.stdout.contains("turn 1  O random: "), "{run:#?}");
    }
}

#[test]
fn boards_drawn_over_each_other_leave_everything_else_alone() {
    if !skip::needs("tmux") {
        return;
    }
    let arena = binaries::arena().display().to_string();
    let pane = Pane::new(&format!(
        "echo BEFORE; '{arena}' match othello --bot paper --bot greedy --seed 1 --pause 5ms; {AFTERWARDS}"
    ));
    let text = pane.shows(&["status 0"]);
    // A note on a busy machine may come between the two.
    assert!(text.starts_with("BEFORE\n") && text.contains("\nothello (size 6, opening 0)"), "{text}");
    assert_eq!(text.matches("\nturn ").count(), 1, "one board stands\n{text}");
    assert!(text.contains("turn 32  ● paper: e5") && text.contains("paper wins: paper 33, greedy 3"), "{text}");
}

#[test]
fn a_board_that_does_not_fit_is_not_drawn_over() {
    if !skip::needs("tmux") {
        return;
    }
    let arena = binaries::arena().display().to_string();
    let command = format!("'{arena}' match offset --bot greedy --bot greedy --seed 1 --pause 5ms --param opening=20");
    let pane = Pane::new(&format!("echo BEFORE; {command}; {AFTERWARDS}"));
    pane.tmux(&["set-option", "-g", "history-limit", "100000"]);
    let text = pane.shows(&["status 0"]);
    let all = String::from_utf8_lossy(&pane.tmux(&["capture-pane", "-p", "-S", "-"]).stdout).into_owned();
    let boards = all.matches("\nturn ").count();
    assert!(boards > 1, "boards stay above each other\n{text}");
    assert!(all.contains("(cut off: the board needs "), "{text}");
}

#[test]
fn where_boards_do_not_fit_the_ways_out_are_told_once() {
    if !skip::needs("tmux") {
        return;
    }
    let arena = binaries::arena().display().to_string();
    // Few turns, so that nothing has scrolled away; and nearly none in a game that has no smaller board.
    for (words, way_out) in [
        ("offset --bot /bin/false --bot greedy", "widen the terminal, play with --param size="),
        ("flip --param rounds=1 --bot random --bot random", "widen the terminal, or keep a --transcript"),
    ] {
        let pane = Pane::new(&format!("'{arena}' match {words} --seed 1; {AFTERWARDS}"));
        pane.shows(&["status 0"]);
        let all = String::from_utf8_lossy(&pane.tmux(&["capture-pane", "-p", "-S", "-"]).stdout).into_owned();
        let told = all.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(told.matches(way_out).count(), 1, "{all}");
    }
}

/// Names as long as they may be: each line is cut at the edge, and none takes the place of the next.
#[test]
fn a_cup_on_a_terminal_shows_what_is_played_and_tables_that_fit() {
    if !skip::needs("tmux") {
        return;
    }
    let folder = Arena::new([""; 0]);
    let head = "name = \"cup\"\ngame = \"othello\"\n[clock]\nmove = \"1h\"\n[params]\nsize = 4\n";
    let bot = |name: &str, command: &str| format!("[[bots]]\nname = \"{name:-<40}\"\nbot = {command:?}\n");
    let cup = [
        head.to_string(),
        bot("one", "random"),
        bot("two", "random"),
        bot("mute", &folder.fixture_command("silent")),
        bot("faulty", &folder.fixture_command("no-turn")),
    ];
    folder.write("cup.toml", cup.concat());
    let arena = binaries::arena().display().to_string();
    let pane = Pane::new(&format!(
        "cd '{}'; '{arena}' tournament run cup.toml --jobs 1; {AFTERWARDS}",
        folder.folder().display()
    ));
    let text = pane.shows(&[" a second  about ", "\npoints so far: one---", "\nplaying: mute---", "\nfaulty---"]);
    let display: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("points so far")).take(4).collect();
    assert!(display.iter().all(|line| line.chars().count() <= 79), "{text}");
    assert!(display[0].ends_with(", … 3 more") && display[2].contains("…: malformed: "), "{text}");
    pane.tmux(&["resize-window", "-x", "80", "-y", "50"]);
    pane.keys(&["C-c"]);
    let text = pane.shows(&["rank  bot ", "stopped: 2 of 12 matches are on record", "status 130"]);
    let table: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("rank  bot ")).take(5).collect();
    assert!(table[1..].iter().all(|row| row.contains("--- ")), "a row is a line\n{text}");
    assert_eq!(folder.no_process_left(), Ok(()));
}

#[test]
fn a_person_at_a_terminal_can_type_ahead_and_stop_with_ctrl_c() {
    if !skip::needs("tmux") {
        return;
    }
    let arena = binaries::arena().display().to_string();
    let pane = Pane::new(&format!("'{arena}' match othello --bot human --bot paper --seed 1; {AFTERWARDS}"));
    pane.shows(&["your move (like c2"]);
    pane.keys(&["c2", "Enter", "moves", "Enter"]);
    pane.shows(&["turn 1  ○ paper", "You can play: e1, e2, e3, e4, e5"]);
    pane.keys(&["C-c"]);
    let text = pane.shows(&["status 130", "icanon"]);
    assert!(text.contains("\nvoid: the match counts for nothing"), "on a line of its own\n{text}");
}

#[test]
fn ctrl_d_at_the_prompt_gives_up_at_once() {
    if !skip::needs("tmux") {
        return;
    }
    let arena = binaries::arena().display().to_string();
    let pane = Pane::new(&format!("'{arena}' match othello --bot human --bot paper --quiet >/dev/null; {AFTERWARDS}"));
    pane.shows(&["Black to move", "your move (like c2"]);
    pane.keys(&["C-d"]);
    let text = pane.shows(&["status 1", "human gave the match up"]);
    assert!(text.contains("\nvoid: "), "on a line of its own\n{text}");
}

#[test]
fn a_bot_that_crashes_in_every_match_of_a_cup_does_not_flood_the_screen() {
    if !skip::needs("tmux") {
        return;
    }
    let arena = Arena::new(["tournament"]);
    let command = |words: &str| arena.fixture_command(words);
    let bot = |name: &str, words: &str| format!("[[bots]]\nname = {name:?}\nbot = {:?}\n", command(words));
    let head = "name = \"cup\"\ngame = \"othello\"\npairs = 100\n[isolation]\nmode = \"none\"\n[params]\nsize = 4\nopening = 2\n";
    arena.write("cup.toml", format!("{head}{}{}", bot("crash", "panic-with-trace"), bot("good", "good")));
    let folder = arena.folder().display();
    let pane =
        Pane::new(&format!("cd '{folder}'; '{}' tournament run cup.toml; {AFTERWARDS}", binaries::arena().display()));
    let drawn =
        pane.shows(&["/200 matches", "points so far: good ", "playing: ", "\ncrash: crashed: exited with code "]);
    assert!(drawn.lines().filter(|line| line.contains(": crashed: ")).count() <= 4, "{drawn}");
    assert!(
        drawn.lines().filter(|line| line.contains("/200 matches")).count() == 1,
        "it is drawn over itself\n{drawn}"
    );
    pane.shows(&["200 matches are on record in results/cup", "status 0"]);
    let all = pane.tmux(&["capture-pane", "-p", "-J", "-S", "-1000"]).stdout;
    let all = String::from_utf8_lossy(&all);
    assert!(all.contains("crash: crashed 200 times in all, each told in results/cup/failures"), "{all}");
    assert_eq!(all.lines().filter(|line| line.contains("forfeits")).count(), 1, "{all}");
    assert!(!all.contains("bot.py") && !all.contains("playing: ") && all.trim_end().lines().count() < 30, "{all}");
    let kept = std::fs::read_dir(arena.path("results/cup/failures")).expect("forfeits are kept");
    assert_eq!(kept.count(), 200);
}

#[test]
fn a_match_without_limits_is_marked_as_untimed() {
    let shown =
        |more: &str| Arena::new(["match", "othello", "--bot", "paper", "--bot", "greedy", "--quiet"]).args(more).run();
    assert!(shown("--no-limits").stdout.contains("\nuntimed: nobody is held to a limit"));
    assert!(!shown("").stdout.contains("untimed"));
}
