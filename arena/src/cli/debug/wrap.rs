//! `--wrap`: a bot's command with a debugger around it. Those that live in the terminal (gdb, lldb, pdb) have it to
//! themselves, and the bot has named pipes; jdb comes by a port; any other words are put before the command.

use crate::cli::failure::Failure;
use crate::config::{same_interpreter, script_of, split_command};
use crate::play::Program;
use crate::table::{Chair, Dialect};
use crate::transport::{Debugger, Pipes};
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;

/// Gives a script to pdb.
const PDB: &str = include_str!("under_pdb.py");

/// How a debugger is put around a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Gdb,
    Lldb,
    Pdb,
    Jdb,
    Other,
}

/// The words of `--wrap`.
pub(super) struct Wrap {
    words: Vec<String>,
    kind: Kind,
}

/// A bot's command, wrapped.
pub(super) enum Wrapped {
    /// It is started like any bot.
    Program {
        program: Program,
        /// What its user should do.
        hint: Option<String>,
    },
    /// Its debugger has the terminal.
    InTerminal { pipes: Pipes, program: Program, hint: &'static str },
}

impl Wrap {
    /// Reads `--wrap`.
    pub fn read(text: &str) -> Result<Wrap, Failure> {
        let mut words = split_command(text).map_err(|error| Failure::new(format!("--wrap: {error}")))?;
        if words[0].contains('/') {
            // It is started in the bot's folder.
            words[0] = utf8(&std::path::absolute(&words[0])?)?;
        }
        let kind = kind(&words);
        Ok(Wrap { words, kind })
    }

    /// Whether the debugger needs the terminal's keys, Ctrl-C among them.
    pub fn takes_terminal(&self) -> bool {
        matches!(self.kind, Kind::Gdb | Kind::Lldb | Kind::Pdb)
    }

    /// Puts it around a bot's command.
    pub fn around(&self, program: &Program) -> Result<Wrapped, Failure> {
        let with = |argv: Vec<String>| Program { argv, ..program.clone() };
        if !self.takes_terminal() {
            let (argv, hint) = match self.kind {
                Kind::Jdb => self.jdb(&program.argv, free_port()?)?,
                _ => (self.before(&program.argv), None),
            };
            return Ok(Wrapped::Program { program: with(argv), hint });
        }
        let pipes = Pipes::new()?;
        let (stdin, stdout) = (utf8(&pipes.stdin())?, utf8(&pipes.stdout())?);
        let (argv, hint) = match self.kind {
            Kind::Gdb => (self.gdb(&program.argv, &stdin, &stdout), "set breakpoints, then type: run"),
            Kind::Lldb => (self.lldb(&program.argv, &stdin, &stdout), "set breakpoints, then type: run"),
            _ => {
                let shim = utf8(&pipes.add("under_pdb.py", PDB)?)?;
                let pdb = self.pdb(&program.argv, [&shim, &stdin, &stdout])?;
                (pdb, "set breakpoints (b FILE:LINE), then type: c")
            }
        };
        let mut program = with(argv);
        if self.kind == Kind::Gdb {
            // It hands the line with the pipes to a shell.
            program.env.push(("SHELL".to_string(), "/bin/sh".to_string()));
        }
        Ok(Wrapped::InTerminal { pipes, program, hint })
    }

    /// gdb starts its program by a shell, which takes the pipes.
    fn gdb(&self, argv: &[String], stdin: &str, stdout: &str) -> Vec<String> {
        let arguments: Vec<&str> = argv[1..].iter().map(String::as_str).collect();
        let arguments = joined(&arguments);
        let [stdin, stdout] = [stdin, stdout].map(|pipe| joined(&[pipe]));
        let pipes = format!("set args {arguments} < {stdin} > {stdout}");
        let mut words = vec![self.words[0].clone()];
        words.extend(["-ex", "set startup-with-shell on", "-ex", &pipes].map(String::from));
        words.extend_from_slice(&self.words[1..]);
        if !words.iter().any(|word| word.trim_start_matches('-') == "args") {
            words.push("--args".to_string());
        }
        words.extend_from_slice(argv);
        words
    }

    fn lldb(&self, argv: &[String], stdin: &str, stdout: &str) -> Vec<String> {
        let mut words = self.words.clone();
        words.retain(|word| word != "--");
        let setting = |name: &str, pipe: &str| format!("settings set target.{name} {}", joined(&[pipe]));
        let own = ["-o", &setting("input-path", stdin), "-o", &setting("output-path", stdout)].map(String::from);
        // Before its user's own commands, one of which may be `run`.
        words.splice(1..1, own);
        words.push("--".to_string());
        words.extend_from_slice(argv);
        words
    }

    /// The script is run by ours, under pdb.
    fn pdb(&self, argv: &[String], [shim, stdin, stdout]: [&str; 3]) -> Result<Vec<String>, Failure> {
        let (options, script) = match script_of(argv) {
            Some(script) => {
                let at = argv.iter().position(|word| word == script).expect("it is one of them");
                (&argv[1..at], &argv[at..])
            }
            None if argv[0].ends_with(".py") => (&argv[..0], argv),
            None => {
                return Err(Failure::new(format!(
                    "--wrap {}: the bot's command names no Python script: {}",
                    joined(&self.words),
                    joined(argv)
                )));
            }
        };
        let module = self.words.iter().position(|word| word == "-m").expect("it is how this kind is known");
        let commands = self.words[module + 2..].iter().filter(|word| *word != "-c");
        let mut words = self.words[..module].to_vec();
        words.extend_from_slice(options);
        words.extend([shim, stdin, stdout].map(String::from));
        words.push(commands.clone().count().to_string());
        words.extend(commands.cloned());
        words.extend_from_slice(script);
        Ok(words)
    }

    /// The bot's own machine waits at a port until jdb comes.
    fn jdb(&self, argv: &[String], port: u16) -> Result<(Vec<String>, Option<String>), Failure> {
        if !same_interpreter(&argv[0], "java") {
            let command = joined(argv);
            return Err(Failure::new(format!(
                "--wrap jdb: the bot's command does not start with java: {command}; name the program itself, as in --bot \"java -jar bot.jar\", \
                 or --bot \"plain -- java -jar bot.jar\" for a bot that reads words"
            )));
        }
        let agent = format!("-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,quiet=y,address=127.0.0.1:{port}");
        let mut words = vec![argv[0].clone(), agent];
        words.extend_from_slice(&argv[1..]);
        let attach =
            format!("it waits until you attach, in another terminal: {} -attach 127.0.0.1:{port}", self.words[0]);
        Ok((words, Some(attach)))
    }

    /// The words, then the command; its interpreter is not named twice.
    fn before(&self, argv: &[String]) -> Vec<String> {
        let rest = if same_interpreter(&self.words[0], &argv[0]) { &argv[1..] } else { argv };
        [&self.words[..], rest].concat()
    }
}

/// Starts a debugger with the terminal, and seats the bot below it.
pub(super) fn seat(pipes: Pipes, program: &Program, dialect: Box<dyn Dialect>) -> Result<Chair, Failure> {
    let debugger = Debugger::spawn(pipes, &program.argv, &program.folder, &program.env)
        .map_err(|error| Failure::new(format!("--wrap: {} cannot be started: {error}", program.argv[0])))?;
    Ok(Chair::new(Box::new(debugger), dialect))
}

fn kind(words: &[String]) -> Kind {
    let name = Path::new(&words[0]).file_name().and_then(|name| name.to_str()).unwrap_or(&words[0]);
    let module = words.iter().position(|word| word == "-m").and_then(|at| words.get(at + 1));
    let name = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '-' || letter == '.');
    match name {
        _ if name.ends_with("gdb") => Kind::Gdb,
        _ if name.ends_with("lldb") => Kind::Lldb,
        "jdb" => Kind::Jdb,
        _ if same_interpreter(name, "python") && module.is_some_and(|module| module == "pdb") => Kind::Pdb,
        _ => Kind::Other,
    }
}

fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

fn joined<W: AsRef<str>>(words: &[W]) -> String {
    let words = words.iter().map(AsRef::as_ref);
    shlex::try_join(words.clone()).unwrap_or_else(|_| words.collect::<Vec<_>>().join(" "))
}

fn utf8(path: &Path) -> Result<String, Failure> {
    let text = path.to_str().map(String::from);
    text.ok_or_else(|| Failure::new(format!("the path {} is not valid UTF-8: use another", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(String::from).collect()
    }

    fn wrap(text: &str) -> Wrap {
        let words = shlex::split(text).unwrap();
        Wrap { kind: kind(&words), words }
    }

    #[test]
    fn debuggers_are_known_by_their_words() {
        for (text, expected) in [
            ("gdb --args", Kind::Gdb),
            ("/usr/bin/rust-gdb", Kind::Gdb),
            ("lldb --", Kind::Lldb),
            ("lldb-19", Kind::Lldb),
            ("python3 -m pdb", Kind::Pdb),
            ("python3.12 -u -m pdb -c continue", Kind::Pdb),
            ("jdb", Kind::Jdb),
            ("node --inspect-brk", Kind::Other),
            ("valgrind --quiet", Kind::Other),
            ("python3 -m cProfile", Kind::Other),
        ] {
            assert_eq!(kind(&words(text)), expected, "{text}");
        }
    }

    #[test]
    fn gdb_is_told_of_the_pipes_before_its_users_own_commands() {
        let argv = wrap("gdb -q -ex run").gdb(&["/b".into(), "two words".into()], "/in", "/out");
        let pipes = "set args 'two words' < /in > /out";
        let expected =
            ["gdb", "-ex", "set startup-with-shell on", "-ex", pipes, "-q", "-ex", "run", "--args", "/b", "two words"];
        assert_eq!(argv, expected);
        assert_eq!(
            wrap("gdb --args").gdb(&words("/b"), "/in", "/out").iter().filter(|word| *word == "--args").count(),
            1
        );
    }

    #[test]
    fn lldb_is_told_of_the_pipes_before_its_users_own_commands() {
        let argv = wrap("lldb -b -o run --").lldb(&words("/b --x"), "/in", "/out");
        let expected = [
            "lldb",
            "-o",
            "settings set target.input-path /in",
            "-o",
            "settings set target.output-path /out",
            "-b",
            "-o",
            "run",
            "--",
            "/b",
            "--x",
        ];
        assert_eq!(argv, expected);
    }

    #[test]
    fn pdb_runs_the_script_and_keeps_both_interpreters_options() {
        let pdb = wrap("python3.12 -X dev -m pdb -c 'b 3' -c c");
        let argv = pdb.pdb(&words("/usr/bin/python3 -u bot.py --depth 3"), ["/shim", "/in", "/out"]).unwrap();
        let expected =
            ["python3.12", "-X", "dev", "-u", "/shim", "/in", "/out", "2", "b 3", "c", "bot.py", "--depth", "3"];
        assert_eq!(argv, expected);
        assert_eq!(pdb.pdb(&words("/b/bot.py"), ["/shim", "/in", "/out"]).unwrap().last().unwrap(), "/b/bot.py");
        assert!(pdb.pdb(&words("/b/bot"), ["/shim", "/in", "/out"]).is_err());
    }

    #[test]
    fn an_interpreter_is_not_named_twice() {
        let argv = wrap("node --inspect-brk").before(&words("/usr/bin/node bot.js 3"));
        assert_eq!(argv, words("node --inspect-brk bot.js 3"));
        assert_eq!(wrap("valgrind").before(&words("/usr/bin/python3 b.py")), words("valgrind /usr/bin/python3 b.py"));
    }

    #[test]
    fn jdb_comes_by_a_port_of_this_machine_alone() {
        let (argv, hint) = wrap("jdb").jdb(&words("/usr/bin/java -cp x Bot"), 4000).unwrap();
        assert!(argv[1].ends_with("address=127.0.0.1:4000") && argv[1].contains("quiet=y"), "{argv:?}");
        assert_eq!(argv[2..], words("-cp x Bot"));
        assert!(hint.unwrap().ends_with("jdb -attach 127.0.0.1:4000"));
        assert!(wrap("jdb").jdb(&words("/usr/bin/python3 b.py"), 4000).is_err());
    }
}
