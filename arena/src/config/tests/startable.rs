//! Why a program cannot be started: each cause has words of its own.

use super::{Ground, says};
use crate::config::{Launch, check_startable};
use std::fs;

/// The error for a lone program, which is named with its whole path.
#[track_caller]
fn problem(ground: &Ground, bot: &str) -> String {
    let message = check_startable(&ground.launch(bot)).expect_err("it cannot be started").to_string();
    says(&message, &[&ground.text(bot)]);
    message
}

/// A program of this machine, to be damaged.
fn native() -> Vec<u8> {
    let shell = fs::canonicalize("/bin/sh").expect("there is a shell");
    fs::read(shell).expect("the shell can be read")
}

#[test]
fn what_is_right_is_accepted() {
    let ground = Ground::new();
    ground.program("native", native());
    ground.program("script", "#!/bin/sh\nexit\n");
    ground.program("spaces", "#! \t/bin/sh -e\nexit\n");
    ground.program("env", "#!/usr/bin/env sh\nexit\n");
    ground.program("env-words", "#!/usr/bin/env -S A=1 sh -e\nexit\n");
    ground.program("env-option", "#!/usr/bin/env -S -u HOME -i sh -e\nexit\n");
    ground.program("long", format!("#!/bin/sh -{}\nexit\n", "e".repeat(300)));
    ground.program("no-newline", "#!/bin/sh");
    std::os::unix::fs::symlink("script", ground.path("link")).expect("a link can be made");
    ground.file("bot.sh", "exit\n");
    for bot in [
        "native",
        "script",
        "spaces",
        "env",
        "env-words",
        "env-option",
        "long",
        "no-newline",
        "link",
        "sh bot.sh",
        "sh -c 'exit 0'",
    ] {
        assert_eq!(check_startable(&ground.launch(bot)), Ok(()), "{bot}");
    }
}

#[test]
fn without_the_execute_bit() {
    let ground = Ground::new();
    ground.file("bot", native());
    says(&problem(&ground, "bot"), &["is not executable (mode 0644)", "`chmod +x "]);
    ground.file("a b.py", "#!/usr/bin/env sh\n");
    says(&problem(&ground, "a b.py"), &["is not executable", &format!("`chmod +x '{}'`", ground.text("a b.py"))]);
    ground.file("bare.py", "print(1)\n");
    says(
        &problem(&ground, "bare.py"),
        &[
            "is not executable and has no first line that names its interpreter",
            "`#!/usr/bin/env python3`",
            "`chmod +x ",
            &format!("\"python3 {}\"", ground.text("bare.py")),
        ],
    );
    ground.file("notes", "some words\n");
    says(
        &problem(&ground, "notes"),
        &["is a text, not a program", "neither an execute bit nor a first line", "chmod +x"],
    );
}

#[test]
fn execute_bits_count_for_root_too() {
    let ground = Ground::new();
    ground.program("tools/aide", "#!/bin/sh\n");
    ground.program("bot", "#!/usr/bin/env aide\n");
    let launch = Launch { env: vec![("PATH".to_string(), ground.text("tools"))], ..ground.launch("bot") };
    for (mode, startable) in [(0o755, true), (0o644, false), (0o600, false), (0o700, true), (0o555, true)] {
        ground.mode("bot", mode);
        assert_eq!(check_startable(&launch).is_ok(), startable, "a script of mode {mode:o}");
        ground.mode("bot", 0o755);
        ground.mode("tools/aide", mode);
        assert_eq!(check_startable(&launch).is_ok(), startable, "an interpreter of mode {mode:o}");
        ground.mode("tools/aide", 0o755);
    }
}

#[test]
fn texts_without_an_interpreter() {
    let ground = Ground::new();
    ground.program("bot.py", "print(1)\n");
    says(&problem(&ground, "bot.py"), &["has no first line that names its interpreter", "#!/usr/bin/env python3"]);
    assert!(!problem(&ground, "bot.py").contains("chmod"), "it is executable already");
    ground.program("bot.jar.txt", "words\n");
    says(&problem(&ground, "bot.jar.txt"), &["is a text, not a program"]);
    ground.program("bot.rs", "fn main() {}\n");
    says(&problem(&ground, "bot.rs"), &["is source code, not a program: build it"]);
    ground.program("marked.py", "\u{feff}#!/bin/sh\n");
    says(&problem(&ground, "marked.py"), &["byte order mark"]);
    ground.program("empty", "");
    says(&problem(&ground, "empty"), &["is an empty file"]);
}

#[test]
fn windows_line_endings_in_the_first_line() {
    let ground = Ground::new();
    for (bot, line, name) in [
        ("a.py", "#!/usr/bin/env python3\r\nprint(1)\r\n", "`python3\\r`"),
        ("b.sh", "#!/bin/sh\r\nexit\r\n", "`/bin/sh\\r`"),
        ("c.sh", "#!/bin/sh", "`/bin/sh\\r`"),
    ] {
        let line = if line.ends_with('\n') { line.to_string() } else { format!("{line}\r") };
        ground.program(bot, line);
        let fix = format!("sed -i 's/\\r$//' {}", ground.text(bot));
        says(&problem(&ground, bot), &["is there, but its interpreter is not", "line endings", name, &fix]);
    }
}

#[test]
fn interpreters_that_are_not_there() {
    let ground = Ground::new();
    let long = format!("#!/{}\n", "x".repeat(400));
    ground.file("not-a-program", "words");
    let words = format!("#!{}\n", ground.text("not-a-program"));
    for (bot, content, parts) in [
        ("a", "#!/opt/none/python9\n", vec!["is there, but the interpreter", "`/opt/none/python9` does not exist"]),
        ("b", "#!/opt/none/sh\n", vec!["`/opt/none/sh` does not exist; here it is `/"]),
        ("c", "#!/usr/bin/env python-none-9\n", vec!["is there, but the interpreter", "`python-none-9` is in PATH"]),
        ("d", "#!/usr/bin/env sh -e\n", vec!["more than one word", "`#!/usr/bin/env -S sh -e`"]),
        ("k", "#!/usr/bin/env -i sh\n", vec!["more than one word", "`#!/usr/bin/env -S -i sh`"]),
        ("l", "#!/usr/bin/env -S -u HOME python-none-9\n", vec!["`python-none-9` is in PATH"]),
        ("e", "#!/usr/bin/env\n", vec!["names no interpreter after `env`"]),
        ("f", "#!\n", vec!["names no interpreter in its first line `#!`"]),
        ("g", "#!/tmp\n", vec!["`/tmp`", "no program that can be executed"]),
        ("h", words.as_str(), vec!["no program that can be executed"]),
        ("i", long.as_str(), vec!["longer than the system reads"]),
    ] {
        ground.program(bot, content);
        says(&problem(&ground, bot), &parts);
    }
    ground.program("hollow", "");
    ground.program("j", format!("#!{}\n", ground.text("hollow")));
    says(&problem(&ground, "j"), &["names `", "hollow` in its first line", "which is an empty file"]);
    ground.program("tools/mine", "#!/bin/sh\n");
    ground.program("script", "#!/usr/bin/env mine\n");
    let launch = ground.launch("script");
    says(&check_startable(&launch).expect_err("`mine` is nowhere").to_string(), &["no program `mine` is in PATH"]);
    let with_path = Launch { env: vec![("PATH".to_string(), ground.text("tools"))], ..launch };
    assert_eq!(check_startable(&with_path), Ok(()), "the PATH that the bot is given counts");
}

#[test]
fn programs_for_another_machine() {
    let ground = Ground::new();
    let change = |at: usize, bytes: &[u8]| {
        let mut program = native();
        program[at..at + bytes.len()].copy_from_slice(bytes);
        program
    };
    let (number, name) = if cfg!(target_arch = "s390x") { (183_u16, "aarch64") } else { (22, "s390x") };
    ground.program("bot", change(18, &number.to_ne_bytes()));
    says(&problem(&ground, "bot"), &[&format!("another machine ({name})"), std::env::consts::ARCH, "build it here"]);
    ground.file("bot", change(18, &number.to_ne_bytes()));
    says(&problem(&ground, "bot"), &["another machine"]);
    ground.program("object", change(16, &1_u16.to_ne_bytes()));
    says(&problem(&ground, "object"), &["compiled but not linked"]);
    ground.program("short", &native()[..40]);
    says(&problem(&ground, "short"), &["only the beginning of a program"]);
    ground.program("cut", &native()[..3000]);
    says(&problem(&ground, "cut"), &["only the beginning of a program"]);
    ground.program("windows.exe", b"MZ\x90\0\x03\0");
    says(&problem(&ground, "windows.exe"), &["is a Windows program"]);
    ground.program("mac", b"\xcf\xfa\xed\xfe\x0c\0\0\x01");
    says(&problem(&ground, "mac"), &["is a macOS program"]);
    ground.program("Bot.class", b"\xca\xfe\xba\xbe\0\0\0\x41\0\0");
    says(&problem(&ground, "Bot.class"), &["compiled Java class", "java -cp"]);
    ground.program("bot.jar", b"PK\x03\x04\0\0");
    says(&problem(&ground, "bot.jar"), &["`java -jar FILE`"]);
    ground.program("noise", b"\x01\x02\0\x03");
    says(&problem(&ground, "noise"), &["neither a program for this machine", "nor a script"]);
}

#[test]
fn a_program_whose_loader_is_not_here() {
    let mut program = native();
    let loader =
        program.windows(4).take(4096).position(|bytes| bytes == b"/lib").expect("the shell is loaded by /lib…");
    program[loader..loader + 4].copy_from_slice(b"/mib");
    let ground = Ground::new();
    ground.program("bot", program);
    says(&problem(&ground, "bot"), &["built for another system", "the loader that it asks for, `/mib", "statically"]);
}

#[test]
fn what_is_no_program_at_all() {
    let ground = Ground::new();
    nix::unistd::mkfifo(&ground.path("pipe"), nix::sys::stat::Mode::S_IRWXU).expect("a pipe can be made");
    says(&problem(&ground, "pipe"), &["is no regular file"]);
    ground.folder("folder/inner");
    ground.file("folder/bot.toml", "run = [\"./inner\"]");
    let message = check_startable(&ground.launch("folder")).expect_err("a folder").to_string();
    says(&message, &[&ground.text("folder/inner"), "is a folder, not a program"]);
    let none = Launch { argv: Vec::new(), ..ground.launch("folder") };
    says(&check_startable(&none).expect_err("no words").to_string(), &["without a command"]);
}

#[test]
fn an_interpreter_needs_its_script() {
    let ground = Ground::new();
    ground.file("bots/alpha.sh", "exit\n");
    let message = |bot: &str| check_startable(&ground.launch(bot)).expect_err(bot).to_string();
    says(&message("sh -e bots/alhpa.sh"), &[&ground.text("bots/alhpa.sh"), "is not there, did you mean", "alpha.sh"]);
    says(&message("sh none/deep/a.sh"), &[&ground.text("none/deep/a.sh"), "as far as the path leads"]);
    ground.folder("dir.sh");
    says(&message("sh dir.sh"), &["dir.sh", "is not a file"]);
}

#[test]
fn what_went_since_it_was_read_is_missed() {
    let ground = Ground::new();
    ground.program("bots/bot", "#!/bin/sh\n");
    let launch = ground.launch("bots/bot");
    fs::remove_file(ground.path("bots/bot")).expect("it is there");
    says(&check_startable(&launch).expect_err("it is gone").to_string(), &["bots/bot` is not there"]);
    fs::remove_dir(ground.path("bots")).expect("it is empty");
    says(&check_startable(&launch).expect_err("all is gone").to_string(), &["the folder", "is not there"]);
    std::os::unix::fs::symlink("round", ground.path("round")).expect("a link can be made");
    let round = Launch { argv: vec![ground.text("round")], folder: ground.path(""), ..launch };
    says(&check_startable(&round).expect_err("a circle").to_string(), &["is a symbolic link to `round`"]);
}
