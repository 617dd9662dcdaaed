//! `arena debug --wrap`: each debugger that the documentation names, used as a person would use it, in a real terminal.

use nix::sys::signal::Signal;
use std::process::{Command, Stdio};
use std::time::Duration;
use tests::arena::Arena;
use tests::pane::Pane;
use tests::{binaries, processes, skip};

const C: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int answers = 0;
void answer(const char *line) {
  int turn = atoi(strstr(line + 8, "\"turn\":") + 7);
  answers++;
  printf("{\"turn\":%d,\"move\":\"%.2s\"}\n", turn, strstr(line, "\"legal\":[\"") + 10);
  fflush(stdout);
}
int main(int argc, char **argv) {
  static char line[1 << 16];
  fprintf(stderr, "arguments: %d\n", argc);
  while (fgets(line, sizeof line, stdin)) {
    if (strstr(line, "\"type\":\"end\"")) break;
    if (strstr(line, "\"type\":\"turn\"")) answer(line);
    else { puts("{\"type\":\"ready\"}"); fflush(stdout); }
  }
  return 0;
}
"#;

const PYTHON: &str = r#"import json, sys

def answer(message):
    return {"turn": message["turn"], "move": message["legal"][0]}

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "turn":
        print(json.dumps(answer(message)), flush=True)
"#;

const JAVASCRIPT: &str = r#"const lines = require('readline').createInterface({ input: process.stdin });
function answer(message) {
  return { turn: message.turn, move: message.legal[0] };
}
lines.on('line', line => {
  const message = JSON.parse(line);
  if (message.type === 'start') console.log(JSON.stringify({ type: 'ready' }));
  else if (message.type === 'turn') console.log(JSON.stringify(answer(message)));
});
"#;

const JAVA: &str = r#"import java.util.Scanner;
public class Bot {
  static void answer(String line) {
    String turn = line.replaceAll("^.*?\"turn\":(\\d+).*$", "$1");
    String move = line.replaceAll("^.*\"legal\":\\[\"(..)\".*$", "$1");
    System.out.println("{\"turn\":" + turn + ",\"move\":\"" + move + "\"}");
  }
  public static void main(String[] arguments) {
    Scanner in = new Scanner(System.in);
    while (in.hasNextLine()) {
      String line = in.nextLine();
      if (line.contains("\"type\":\"turn\"")) answer(line);
      else if (line.contains("\"type\":\"start\"")) System.out.println("{\"type\":\"ready\"}");
    }
  }
}
"#;

/// A match of a bot that plays the first legal move, in seat 0, against another one, recorded in `m.jsonl`.
fn recorded() -> Arena {
    let arena =
        Arena::new(["match", "othello", "--param", "size=4", "--seed", "1", "--quiet", "--transcript", "m.jsonl"]);
    let arena = arena.fixture("mine", "good").args("--bot greedy");
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    arena
}

/// The command that debugs this bot on that match, for a shell in a terminal that stays when it is done.
fn command(arena: &Arena, bot: &str, more: &str) -> String {
    let program = binaries::arena();
    let folder = arena.folder().display();
    format!(
        "cd '{folder}'; '{}' debug m.jsonl --bot \"mine={bot}\" {more}; echo status $?; read line",
        program.display()
    )
}

fn compiled(arena: &Arena) {
    let source = arena.write("bot.c", C);
    let built = Command::new("gcc").args(["-g", "-O0", "-o"]).arg(arena.path("bot")).arg(source).status();
    assert!(built.expect("gcc runs").success());
}

/// Waits until a file holds this text, and what it holds then.
fn holds(arena: &Arena, file: &str, part: &str) -> String {
    let mut text = String::new();
    let seen = processes::wait_until(Duration::from_secs(30), || {
        text = std::fs::read_to_string(arena.path(file)).unwrap_or_default();
        text.contains(part)
    });
    assert!(seen, "{part} did not come\n{text}");
    text
}

#[test]
fn gdb_has_the_terminal_and_stops_in_the_bot() {
    if !skip::needs("gdb") || !skip::needs("gcc") || !skip::needs("tmux") {
        return;
    }
    let arena = recorded();
    compiled(&arena);
    let pane = Pane::new(&command(&arena, "./bot 'two words'", "--wrap 'gdb -q --args'"));
    pane.shows(&["then type: run", "(gdb)"]);
    pane.keys(&["break answer if answers == 2", "Enter", "run", "Enter"]);
    pane.shows(&["arguments: 2", "turn 2  ● mine: ", "Breakpoint 1, answer"]);
    pane.keys(&["C-l", "print answers + 40", "Enter"]);
    pane.shows(&["$1 = 42"]);
    // Ctrl-C is the debugger's, and nothing ends.
    pane.keys(&["C-c", "delete 1", "Enter", "continue", "Enter"]);
    pane.shows(&["nothing more is asked", "exited normally"]);
    pane.keys(&["quit", "Enter"]);
    pane.shows(&["no difference in 7 answers", "status 0"]);
}

#[test]
fn gdb_stops_the_bot_at_the_turn_that_was_asked_for() {
    if !skip::needs("gdb") || !skip::needs("gcc") || !skip::needs("tmux") {
        return;
    }
    let arena = recorded();
    compiled(&arena);
    let pane = Pane::new(&command(&arena, "./bot", "--wrap 'gdb -q' --turn 4"));
    pane.shows(&["(gdb)"]);
    pane.keys(&["run", "Enter"]);
    pane.shows(&["before turn 4:", "SIGINT"]);
    pane.keys(&["C-l", "print answers", "Enter"]);
    pane.shows(&["$1 = 2"]);
    pane.keys(&["C-l", "continue", "Enter"]);
    pane.shows(&["turn 4  ● mine: ", "exited normally"]);
    pane.keys(&["quit", "Enter"]);
    pane.shows(&["no difference in 1 answer", "status 0"]);
}

/// A match of the starter in C, which plays through the wrapper, recorded in `m.jsonl`; its folder is `mine`.
fn recorded_in_words() -> Arena {
    let arena = Arena::new(["new", "c", "mine", "--game", "othello"]);
    assert_eq!(arena.run().code, Some(0));
    let words = "match othello --param size=4 --seed 1 --quiet --transcript m.jsonl --bot ./mine --bot greedy";
    let run = arena.also(words);
    assert_eq!(run.code, Some(0), "{run:#?}");
    arena
}

#[test]
fn gdb_goes_around_the_bot_that_plays_through_the_wrapper() {
    if !skip::needs("gdb") || !skip::needs("gcc") || !skip::needs("tmux") {
        return;
    }
    let arena = recorded_in_words();
    let pane = Pane::new(&command(&arena, "./mine", "--wrap 'gdb -q --args'"));
    pane.shows(&["then type: run", "(gdb)"]);
    pane.keys(&["break choose_othello", "Enter", "run", "Enter"]);
    pane.shows(&["Breakpoint 1, choose_othello (words="]);
    pane.keys(&["C-l", "print words[0]", "Enter"]);
    pane.shows(&["\"4\""]);
    pane.keys(&["delete 1", "Enter", "continue", "Enter"]);
    pane.shows(&["nothing more is asked", "exited normally"]);
    pane.keys(&["quit", "Enter"]);
    pane.shows(&["no difference in ", "status 0"]);
}

#[test]
fn other_words_go_around_the_bot_that_plays_through_the_wrapper() {
    if !skip::needs("gcc") {
        return;
    }
    let arena = recorded_in_words();
    let run = arena.also_words(&["debug", "m.jsonl", "--bot", "./mine", "--wrap", "env", "--messages"]);
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.contains("no difference in "), "{run:#?}");
    assert!(run.stdout.contains("  4 B ....") && !run.stdout.contains("\"type\""), "words pass: {run:#?}");
}

#[test]
fn the_process_to_attach_to_is_the_bot_that_plays_through_the_wrapper() {
    if !skip::needs("gcc") || !skip::needs("tmux") {
        return;
    }
    let arena = recorded_in_words();
    let pane = Pane::new(&command(&arena, "./mine", "--turn 2"));
    let shown = pane.shows(&["it waits before turn 2 (process ", "press Enter"]);
    let pid = shown.split("(process ").nth(1).and_then(|rest| rest.split(')').next()).expect("an id");
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).expect("it is there");
    assert_eq!(name, "bot\n");
    pane.keys(&["Enter"]);
    pane.shows(&["no difference in 1 answer", "status 0"]);
}

#[test]
fn a_bot_that_its_debugger_kills_has_ended() {
    if !skip::needs("gdb") || !skip::needs("gcc") {
        return;
    }
    let arena = recorded();
    compiled(&arena);
    let wrap = "gdb -q -batch -ex 'break answer' -ex run -ex kill --args";
    let run = arena.also_words(&["debug", "m.jsonl", "--bot", "mine=./bot", "--wrap", wrap]);
    assert_eq!(run.code, Some(1), "{run:#?}");
    assert!(run.stdout.contains("  now: crashed\n") && run.stdout.contains("its debugger tells how"), "{run:#?}");
}

#[test]
fn pdb_has_the_terminal_and_stops_in_the_script() {
    if !skip::needs("python3") || !skip::needs("tmux") {
        return;
    }
    let arena = recorded();
    arena.write("bot.py", PYTHON);
    let pane = Pane::new(&command(&arena, "python3 bot.py", "--wrap 'python3 -m pdb'"));
    pane.shows(&["then type: c", "(Pdb)"]);
    pane.keys(&["b answer, message['turn'] == 4", "Enter", "c", "Enter"]);
    pane.shows(&["turn 2  ● mine: ", "-> return {"]);
    pane.keys(&["p message['turn'] + 38", "Enter"]);
    pane.shows(&["\n42\n"]);
    pane.keys(&["clear 1", "Enter", "c", "Enter"]);
    pane.shows(&["no difference in 7 answers", "status 0"]);
}

#[test]
fn pdb_stops_the_script_at_the_turn_that_was_asked_for() {
    if !skip::needs("python3") || !skip::needs("tmux") {
        return;
    }
    let arena = recorded();
    arena.write("bot.py", PYTHON);
    let pane = Pane::new(&command(&arena, "python3 bot.py", "--wrap 'python3 -m pdb -c c' --turn 4"));
    pane.shows(&["before turn 4:", "Program interrupted", "(Pdb)"]);
    pane.keys(&["c", "Enter"]);
    pane.shows(&["no difference in 1 answer", "status 0"]);
}

#[test]
fn a_breakpoint_in_a_script_and_its_exception_come_to_the_terminal() {
    if !skip::needs("python3") || !skip::needs("tmux") {
        return;
    }
    let arena = recorded();
    let broken = PYTHON.replace("    return {", "    breakpoint()\n    1 / (message['turn'] - 2)\n    return {");
    arena.write("bot.py", broken);
    let pane = Pane::new(&command(&arena, "python3 bot.py", "--wrap 'python3 -m pdb -c c'"));
    pane.shows(&["-> 1 / (message['turn'] - 2)", "(Pdb)"]);
    pane.keys(&["c", "Enter", "c", "Enter"]);
    pane.shows(&["ZeroDivisionError", "its last moment"]);
    pane.keys(&["p message['turn']", "Enter"]);
    pane.shows(&["\n2\n"]);
    pane.keys(&["q", "Enter"]);
    pane.shows(&["now: crashed", "status 1"]);
}

#[test]
fn valgrind_is_put_before_the_command_and_its_words_come_with_the_bots() {
    if !skip::needs("valgrind") || !skip::needs("gcc") {
        return;
    }
    let arena = recorded();
    compiled(&arena);
    let run = arena.also_words(&["debug", "m.jsonl", "--bot", "mine=./bot", "--wrap", "valgrind"]);
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.contains("Memcheck, a memory error detector"), "{run:#?}");
    assert!(run.stdout.contains("ERROR SUMMARY: 0 errors"), "what it says at the end is shown too\n{run:#?}");
}

#[test]
fn node_waits_for_its_inspector_on_a_port_of_this_machine() {
    if !skip::needs("node") || !skip::needs("tmux") {
        return;
    }
    let arena = recorded();
    arena.write("bot.js", JAVASCRIPT);
    let pane = Pane::new(&command(&arena, "node bot.js", "--wrap 'node --inspect-brk=127.0.0.1:0' | tee shown"));
    let shown = holds(&arena, "shown", "Debugger listening on ws://");
    let address = shown.split("ws://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address");
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let inspector = Pane::new(&format!("node inspect {address}; read line"));
    inspector.shows(&["Break on start in", "debug>"]);
    inspector.keys(&["setBreakpoint('bot.js', 3)", "Enter", "cont", "Enter"]);
    inspector.shows(&["break in", "return { turn"]);
    inspector.keys(&["clearBreakpoint('bot.js', 3)", "Enter", "cont", "Enter"]);
    pane.shows(&["no difference in 7 answers"]);
}

#[test]
fn jdb_attaches_to_a_port_of_this_machine() {
    if !skip::needs("jdb") || !skip::needs("javac") || !skip::needs("tmux") {
        return;
    }
    let arena = recorded();
    let source = arena.write("Bot.java", JAVA);
    assert!(Command::new("javac").arg("-g").arg(source).status().expect("javac runs").success());
    let pane = Pane::new(&command(&arena, "java -cp . Bot", "--wrap jdb | tee shown"));
    let shown = holds(&arena, "shown", "jdb -attach 127.0.0.1:");
    let address = shown.split("-attach ").nth(1).and_then(|rest| rest.split_whitespace().next()).expect("an address");
    let jdb = Pane::new(&format!("jdb -attach {address}; read line"));
    jdb.shows(&["main[1]"]);
    jdb.keys(&["stop in Bot.answer", "Enter", "run", "Enter"]);
    jdb.shows(&["Breakpoint hit", "Bot.answer()"]);
    jdb.keys(&["clear Bot.answer", "Enter", "cont", "Enter"]);
    pane.shows(&["no difference in 7 answers"]);
}

#[test]
fn at_a_terminal_it_waits_before_a_turn_so_that_a_debugger_can_be_attached() {
    if !skip::needs("gdb") || !skip::needs("gcc") || !skip::needs("tmux") {
        return;
    }
    let arena = recorded();
    compiled(&arena);
    let pane = Pane::new(&command(&arena, "./bot", "--turn 4 --no-limits"));
    let shown = pane.shows(&["it waits before turn 4 (process ", "press Enter"]);
    let pid =
        shown.split("(process ").nth(1).and_then(|rest| rest.split(')').next()).expect("a process id").to_string();
    let attached = Command::new("gdb")
        .args(["-q", "-batch", "-ex", "print answers + 40", "-p", &pid])
        .stdin(Stdio::null())
        .output()
        .expect("gdb runs");
    let text = String::from_utf8_lossy(&attached.stdout).into_owned();
    assert!(text.contains("$1 = 42"), "{text}{}", String::from_utf8_lossy(&attached.stderr));
    assert!(!pane.text().contains("turn 4  ●"), "it still waits");
    pane.keys(&["Enter"]);
    pane.shows(&["turn 4  ● mine: ", "no difference in 1 answer", "status 0"]);

    let pane = Pane::new(&command(&arena, "./bot", "--turn 4"));
    pane.shows(&["press Enter", "it has 1000 ms then: --no-limits lifts that"]);
    pane.keys(&["C-c"]);
    pane.shows(&["status 130"]);
}

#[test]
fn nothing_is_left_of_a_debugger_and_its_bot_when_the_arena_is_killed() {
    if !skip::needs("gdb") {
        return;
    }
    for signal in [Signal::SIGKILL, Signal::SIGTERM, Signal::SIGHUP] {
        let arena = recorded();
        let folder = arena.folder().to_owned();
        // A killed arena cannot remove its pipes.
        let arena = arena.env("TMPDIR", folder);
        let bot = format!("mine={}", arena.fixture_command("silent"));
        let words = ["debug", "m.jsonl", "--bot", &bot, "--wrap", "gdb -q -batch -ex run --args"];
        let mut running = arena.start_words(&words);
        // gdb and the bot; before it runs, gdb alone.
        let both =
            || processes::with_marker(arena.marker()).iter().filter(|pid| **pid != running.pid() as i32).count() == 2;
        assert!(processes::wait_until(Duration::from_secs(30), both), "the bot runs below gdb");
        running.signal(signal);
        assert!(running.finish(Duration::from_secs(20)).is_some(), "{signal} ends it");
        arena.no_process_left().unwrap();
    }
}

#[test]
fn a_match_is_played_on_with_its_bot_under_a_debugger() {
    if !skip::needs("gdb") || !skip::needs("gcc") {
        return;
    }
    let arena = recorded();
    compiled(&arena);
    let words = "debug m.jsonl --from-turn 4 --play-on --against greedy --transcript n.jsonl --bot mine=./bot --wrap";
    let words: Vec<&str> = words.split(' ').chain(["gdb -q -batch -ex run --args"]).collect();
    let run = arena.also_words(&words);
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.contains("untimed") && run.stdout.contains("exited normally"), "{run:#?}");
    assert_eq!(arena.also("verify n.jsonl").code, Some(0));
}
