//! Bots in many languages play whole matches, strictly confined, as they are.

use super::support::{C_BOT, SHELL_BOT, can_confine, everybody, executable, strict_match, was_played};
use std::fs;
use std::process::Command;
use tests::arena::Arena;
use tests::binaries;
use tests::skip::needs;

/// Everybody plays this bot against itself: by its command, and from a folder with a bot.toml.
fn plays(tool: &str, command: &str, prepare: impl Fn(&Arena, &str)) {
    if !can_confine() || !needs(tool) {
        return;
    }
    for arena in everybody() {
        prepare(&arena, "");
        was_played(&arena, &strict_match(&arena, [&format!("one={command}"), &format!("two={command}")]));
        prepare(&arena, "folder/");
        let run: Vec<String> = command.split(' ').map(|word| format!("{word:?}")).collect();
        arena.write("folder/bot.toml", format!("run = [{}]\n", run.join(", ")));
        was_played(&arena, &strict_match(&arena, ["one=folder", "two=folder"]));
    }
}

#[test]
fn python_with_threads_and_a_pool_of_processes() {
    let bot = r#"
import json, os, sys, threading
from multiprocessing import Pool

def square(x):
    return x * x

def say(message):
    print(json.dumps(message), flush=True)

if __name__ == "__main__":
    threads = [threading.Thread(target=square, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Pool(3) as pool:
        assert pool.map(square, [1, 2, 3]) == [1, 4, 9]
        pool.close()
        pool.join()
    with open(os.path.join(os.environ["TMPDIR"], "mine"), "w") as file:
        file.write("kept")
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            say({"type": "ready"})
        elif message["type"] == "turn":
            say({"turn": message["turn"], "move": message["legal"][0]})
"#;
    plays("python3", "python3 bot.py", |arena, folder| drop(arena.write(&format!("{folder}bot.py"), bot)));
}

#[test]
fn node() {
    let bot = r#"
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type == "start") console.log('{"type":"ready"}');
  if (message.type == "turn") console.log(JSON.stringify({ turn: message.turn, move: message.legal[0] }));
});
"#;
    plays("node", "node bot.js", |arena, folder| drop(arena.write(&format!("{folder}bot.js"), bot)));
}

#[test]
fn java_from_its_source() {
    let bot = r#"
import java.io.*;
import java.util.regex.*;

public class Bot {
    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        Pattern turn = Pattern.compile("\"turn\":(\\d+)"), legal = Pattern.compile("\"legal\":\\[\"(\\w+)\"");
        for (String line; (line = input.readLine()) != null; ) {
            if (line.startsWith("{\"type\":\"start\"")) System.out.println("{\"type\":\"ready\"}");
            if (line.startsWith("{\"type\":\"turn\"")) {
                Matcher number = turn.matcher(line), move = legal.matcher(line);
                number.find();
                move.find();
                System.out.println("{\"turn\":" + number.group(1) + ",\"move\":\"" + move.group(1) + "\"}");
            }
        }
    }
}
"#;
    plays("java", "java Bot.java", |arena, folder| drop(arena.write(&format!("{folder}Bot.java"), bot)));
}

#[test]
fn c() {
    plays("gcc", "./bot", |arena, folder| {
        let (source, program) = (arena.write(&format!("{folder}bot.c"), C_BOT), arena.path(&format!("{folder}bot")));
        let done = Command::new("gcc").arg("-o").arg(program).arg(source).status().expect("it is on the PATH");
        assert!(done.success());
    });
}

#[test]
fn rust() {
    plays("sh", "./bot good", |arena, folder| {
        arena.write(&format!("{folder}README"), "a compiled bot");
        fs::copy(binaries::fixture(), arena.path(&format!("{folder}bot"))).expect("there is room for a program");
    });
}

#[test]
fn shells() {
    plays("sh", "./bot.sh", |arena, folder| drop(executable(arena, &format!("{folder}bot.sh"), SHELL_BOT)));
    plays("bash", "./bot.bash", |arena, folder| {
        executable(arena, &format!("{folder}bot.bash"), SHELL_BOT.replace("/bin/sh", "/usr/bin/env bash"));
    });
}

#[test]
fn perl() {
    let bot = r#"#!/usr/bin/env perl
$| = 1;
while (<STDIN>) {
    if (/"type":"start"/) { print "{\"type\":\"ready\"}\n" }
    elsif (/"type":"turn","turn":(\d+).*?"legal":\["(\w+)"/) { print "{\"turn\":$1,\"move\":\"$2\"}\n" }
}
"#;
    plays("perl", "./bot.pl", |arena, folder| drop(executable(arena, &format!("{folder}bot.pl"), bot)));
}
