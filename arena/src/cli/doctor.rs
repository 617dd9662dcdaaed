//! `arena doctor`: how well bots are confined on this machine, found out by a probe that attacks, confined like a bot.

use super::failure::Failure;
use super::signals::Signals;
use super::{DONE, FOUND_WRONG, confine, output};
use crate::config::program_in;
use crate::files::read_regular_text;
use crate::files::{temporary_file, temporary_folder};
use crate::isolation::probe::{self, Finding, Findings, Targets};
use crate::isolation::{Mode, Sandbox, Settings, USERS, View};
use crate::transport::{Host, Interrupt, Job, JobEnd, Limits, Program, cores, tree};
use nix::unistd::Pid;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::io::{Read, Seek};
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

#[derive(clap::Args)]
pub(super) struct DoctorArguments {
    /// The isolation that is asked for: `strict`, `best-effort`, `none`
    #[arg(long, value_name = "MODE", default_value = "strict", value_parser = confine::mode)]
    isolation: Mode,
    /// One JSON object on stdout
    #[arg(long)]
    json: bool,
}

/// Programs that bots are often run with.
const PROGRAMS: [&str; 4] = ["python3", "node", "java", "gcc"];

/// How long a probe may take.
const PROBE_TIME: Duration = Duration::from_secs(20);

/// Where a probe finds itself.
const PROBE: &str = "/run/arena/probe";

/// What a probe may take of memory, and what it takes.
const MEMORY: u64 = 64 << 20;

/// One layer: its name, what there is of it or why there is none, and what follows from that.
struct Layer {
    name: &'static str,
    state: Result<String, String>,
    means: &'static str,
}

pub(super) fn run(arguments: &DoctorArguments) -> Result<u8, Failure> {
    let signals = Signals::take()?;
    let settings = Settings { mode: Mode::BestEffort, ..Settings::default() };
    let sandbox = Sandbox::prepare(&settings).map_err(Failure::new)?;
    let sandbox = Arc::new(sandbox.ok_or_else(|| Failure::new("no isolation was asked for".to_string()))?);
    let host = Host::new(true).confining(Some(Arc::clone(&sandbox)));
    let mut missing: Vec<String> = sandbox.lacks_for_strict().map(str::to_string).into_iter().collect();
    let place = temporary_folder("arena-doctor-").map_err(Failure::new)?;
    let found = attack(place.path(), &sandbox, &host, &signals.interrupt());
    if let Some(status) = signals.status() {
        return Ok(status);
    }
    let findings = found.unwrap_or_else(|why| {
        missing.push(format!("a probe cannot be confined: {why}"));
        Findings { attacks: Vec::new(), programs: Vec::new() }
    });
    missing.extend(findings.attacks.iter().filter(|one| !one.refused).map(|one| format!("a bot {}", one.attack)));
    let holds = match arguments.isolation {
        Mode::Strict => missing.is_empty(),
        Mode::BestEffort => !findings.attacks.is_empty(),
        Mode::None => true,
    };
    let layers = layers(&sandbox, &host);
    let report = Report { mode: arguments.isolation, holds, missing, layers, findings: &findings };
    if arguments.json {
        output::line(&report.json().to_string())?
    } else {
        report.print()?
    }
    Ok(if holds { DONE } else { FOUND_WRONG })
}

/// Runs as the probe; `words` are the arguments after the subcommand.
pub(super) fn be_the_probe(words: &[String]) -> ExitCode {
    match words {
        [word, bytes] if word == probe::MEMORY => probe::take_memory(bytes.parse().unwrap_or(0)),
        [word, many] if word == probe::THREADS => {
            return if probe::start_threads(many.parse().unwrap_or(0)) { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
        [word] if probe::is_orphan(word) => {}
        [targets] => {
            let Ok(targets) = serde_json::from_str::<Targets>(targets) else { return ExitCode::FAILURE };
            let findings = probe::attack(&targets);
            let _ = output::line(&serde_json::to_string(&findings).unwrap_or_default());
        }
        _ => return ExitCode::FAILURE,
    }
    ExitCode::SUCCESS
}

/// Has probes attack, and tells what each attack gave back. In `place` is put what any program of this machine could reach,
/// besides one that is confined.
fn attack(place: &Path, sandbox: &Sandbox, host: &Host, interrupt: &Interrupt) -> Result<Findings, String> {
    let text = |error: std::io::Error| error.to_string();
    std::fs::set_permissions(place, PermissionsExt::from_mode(0o755)).map_err(text)?;
    let file = place.join("file");
    std::fs::write(&file, "private\n").map_err(text)?;
    let socket = place.join("socket");
    let _with_path = UnixListener::bind(&socket).map_err(text)?;
    for path in [&file, &socket] {
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o666)).map_err(text)?;
    }
    let nameless_socket = format!("arena-doctor-{}", Pid::this());
    let name = SocketAddr::from_abstract_name(&nameless_socket).map_err(text)?;
    let _without_path = UnixListener::bind_addr(&name).map_err(text)?;
    let listener = TcpListener::bind("127.0.0.1:0").map_err(text)?;
    let limits = Limits { memory_bytes: Some(MEMORY), ..Limits::default() }.for_confined();
    let targets = Targets {
        process: Pid::this().as_raw(),
        file,
        port: listener.local_addr().map_err(text)?.port(),
        nameless_socket,
        socket,
        programs: PROGRAMS.map(str::to_string).to_vec(),
        temp_bytes: limits.temp_bytes.filter(|_| sandbox.bubble().is_ok()),
    };
    let targets = serde_json::to_string(&targets).map_err(|error| error.to_string())?;
    let (said, end) = probe(sandbox, host, &limits, &[&targets], interrupt)?;
    let mut findings: Findings = said
        .lines()
        .last()
        .and_then(|line| serde_json::from_str(line).ok())
        .ok_or_else(|| format!("the probe told nothing ({end:?}): {}", said.trim()))?;
    let left = tree::children(Pid::this());
    findings.attacks.push(Finding {
        attack: "leaves a process behind".to_string(),
        refused: left.is_empty(),
        said: if left.is_empty() { "it was ended".to_string() } else { format!("process {} runs on", left[0]) },
    });
    let threads = 4 * limits.processes.unwrap_or_default();
    for (what, attack, amount) in [
        (probe::MEMORY, "takes more memory than it may", 4 * MEMORY),
        (probe::THREADS, "starts more processes than it may", threads),
    ] {
        let (_, end) = probe(sandbox, host, &limits, &[what, &amount.to_string()], interrupt)?;
        let (refused, said) = match end {
            JobEnd::Ended(_, Some(limit)) => (true, format!("ended for {limit}")),
            JobEnd::Ended(ended, None) if what == probe::THREADS && ended.code == Some(0) => {
                (true, "the kernel starts no more".to_string())
            }
            _ => (false, "it worked".to_string()),
        };
        findings.attacks.push(Finding { attack: attack.to_string(), refused, said });
    }
    Ok(findings)
}

/// Runs one probe, confined like a bot: what it said, and how it ended.
fn probe(
    sandbox: &Sandbox,
    host: &Host,
    limits: &Limits,
    words: &[&str],
    interrupt: &Interrupt,
) -> Result<(String, JobEnd), String> {
    let argv = [PROBE, probe::SUBCOMMAND].iter().chain(words).map(ToString::to_string).collect();
    let view = View { read: vec![(sandbox.program().to_path_buf(), PathBuf::from(PROBE))], write: Vec::new() };
    let program = Program { argv, folder: PathBuf::from("/usr"), env: Vec::new(), view: Some(view), user: None };
    let job = Job { program: &program, limits, network: false, time: PROBE_TIME, stop: &|| None };
    let mut log = temporary_file()?;
    let end = job.run(host, &log, interrupt).map_err(|error| error.to_string())?;
    let mut said = String::new();
    log.rewind().and_then(|()| log.read_to_string(&mut said)).map_err(|error| error.to_string())?;
    Ok((said, end))
}

fn layers(sandbox: &Sandbox, host: &Host) -> Vec<Layer> {
    let layer = |name, state, means| Layer { name, state, means };
    let landlock = match sandbox.landlock() {
        0 => Err("this kernel has none, or it is switched off".to_string()),
        version if version < 6 => Ok(format!("version {version}, without signals and sockets")),
        version => Ok(format!("version {version}")),
    };
    vec![
        layer(
            "user",
            if sandbox.has_users() {
                Ok(format!("one of {}-{} a bot", USERS.start(), USERS.end()))
            } else {
                Err("the arena is not run by root".to_string())
            },
            "bots cannot touch what is others', also where another layer fails",
        ),
        layer(
            "namespaces",
            sandbox.bubble().map(|version| format!("bubblewrap {version}")),
            "a bot sees no other process, no file but its own and the system's, no network",
        ),
        layer("landlock", landlock, "the same once more, decided by the kernel on each file, signal and socket"),
        layer("seccomp", Ok("in force".to_string()), "calls to the kernel that no bot needs are refused"),
        layer(
            "memory",
            Ok(host.memory_hold().to_string()),
            "a control group cannot be passed; \"watched\" is looked at 20 times a second, against mistakes rather than attacks",
        ),
        layer(
            "freezing",
            host.has_groups().map(|()| "cgroup v2: freeze, kill, pressure".to_string()),
            "else bots are stopped and ended process by process, when that is needed",
        ),
        layer(
            "fair clock",
            match host.fair_clock() {
                "none" => Err("this kernel tells no run times".to_string()),
                source => Ok(source.to_string()),
            },
            "tells a slow bot from a crowded core",
        ),
    ]
}

struct Report<'a> {
    mode: Mode,
    holds: bool,
    missing: Vec<String>,
    layers: Vec<Layer>,
    findings: &'a Findings,
}

impl Report<'_> {
    fn json(&self) -> Value {
        let layers = self.layers.iter().map(|layer| {
            let (works, state) = match &layer.state {
                Ok(state) => (true, state),
                Err(why) => (false, why),
            };
            json!({"layer": layer.name, "works": works, "state": state, "means": layer.means})
        });
        let cores = cores::claims().into_iter().map(|(core, by)| json!({"core": core, "claimed_by": by}));
        json!({
            "type": "doctor",
            "isolation": self.mode.as_str(),
            "holds": self.holds,
            "missing": self.missing,
            "layers": layers.collect::<Vec<_>>(),
            "attacks": self.findings.attacks,
            "cores": cores.collect::<Vec<_>>(),
            "kernel": kernel(),
            "programs": PROGRAMS.map(|name| {
                json!({"program": name, "yours": yours(name), "bots_see": self.seen(name)})
            }),
        })
    }

    fn print(&self) -> Result<(), Failure> {
        let mut lines = vec![format!("{:12} {:4} ", "layer", "")];
        for layer in &self.layers {
            let (mark, state) = match &layer.state {
                Ok(state) => ("yes", state),
                Err(why) => ("no", why),
            };
            lines.push(format!("{:12} {mark:4} {state}", layer.name));
            lines.push(format!("{:17} {}", "", layer.means));
        }
        lines.push(String::new());
        lines.push("what a probe tried, confined like a bot:".to_string());
        for one in &self.findings.attacks {
            let mark = if one.refused { "refused" } else { "WORKED" };
            lines.push(format!("  {mark:8} {:46} {}", one.attack, one.said));
        }
        lines.push(String::new());
        let cores = cores::claims().into_iter().map(|(core, by)| match by {
            Some(pid) => format!("{core} (claimed by process {pid})"),
            None => format!("{core} (free)"),
        });
        lines.push(format!("cores        {}", cores.collect::<Vec<_>>().join(", ")));
        lines.push(format!("kernel       {}", kernel()));
        for name in PROGRAMS {
            let state = match (self.seen(name), yours(name)) {
                (Some(seen), Some(yours)) if *seen == yours => format!("bots see {}", seen.display()),
                (Some(seen), Some(yours)) => format!("bots see {}, not your {}", seen.display(), yours.display()),
                (Some(seen), None) => format!("bots see {}", seen.display()),
                (None, Some(yours)) => {
                    format!("bots do not see your {}: `read` in [isolation] shows them more", yours.display())
                }
                (None, None) => "not installed".to_string(),
            };
            lines.push(format!("{name:12} {state}"));
        }
        lines.push(String::new());
        let mode = self.mode.as_str();
        let verdict = if self.holds { "holds here" } else { "does not hold here:" };
        lines.push(format!("isolation {mode} {verdict}"));
        if self.holds && !self.missing.is_empty() {
            lines.push("what strict isolation would lack:".to_string());
        }
        lines.extend(self.missing.iter().map(|why| format!("  {why}")));
        output::line(lines.join("\n").trim_start_matches('\n'))?;
        Ok(())
    }

    fn seen(&self, name: &str) -> Option<&PathBuf> {
        self.findings.programs.iter().find(|path| path.file_name() == Some(OsStr::new(name)))
    }
}

fn yours(name: &str) -> Option<PathBuf> {
    program_in(OsStr::new(name), &std::env::var_os("PATH")?.to_string_lossy())
}

fn kernel() -> String {
    let release = read_regular_text(Path::new("/proc/sys/kernel/osrelease")).unwrap_or_default();
    format!("{} {}", std::env::consts::OS, release.trim())
}
