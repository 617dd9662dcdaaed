//! `arena serve`, and `--serve` of the commands that play.

use super::DONE;
use super::bots::{self, PROGRAM_HELP};
use super::confine::{self, Confiner};
use super::failure::Failure;
use super::output::{self, Paper, harmless};
use super::signals::Signals;
use crate::files::temporary_folder;
use crate::games::bundled_bots;
use crate::isolation::{Mode, Settings};
use crate::serve::{PageBot, Served, Site};
use crate::transport::{Host, Program};
use nix::ifaddrs::getifaddrs;
use nix::poll::{PollFd, PollFlags};
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use std::io::{ErrorKind, IsTerminal};
use std::net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// Serve the page: cups, live matches, replays, play against a bot
#[derive(clap::Args)]
pub(super) struct ServeArguments {
    /// Where to listen; anything but this machine's own address lets others in
    #[arg(long, value_name = "HOST:PORT", default_value = DEFAULT_ADDRESS)]
    listen: String,
    /// The folder of the cups
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    /// A bot that can be played against [default: the bundled ones]
    #[arg(long = "bot", value_name = "BOT", num_args = 1, help = PROGRAM_HELP)]
    bots: Vec<String>,
    /// How bots are confined that do not come with the arena: `strict` (or they are not offered), `best-effort`, `none`
    #[arg(long, value_name = "MODE", default_value = "strict", value_parser = confine::mode)]
    isolation: Mode,
    /// Show what bots say besides their moves: notes, stderr. Their authors may not want that while a cup goes on
    #[arg(long)]
    show_logs: bool,
}

/// Where the page is served when nobody says.
pub(super) const DEFAULT_ADDRESS: &str = "127.0.0.1:8080";

pub(super) fn run(arguments: &ServeArguments) -> Result<u8, Failure> {
    let signals = Signals::take()?;
    let (bots, host) = bots(arguments, &signals)?;
    let site = Site::new(arguments.results.clone(), arguments.show_logs).with_bots(bots, host);
    let site = site.with_bundled(bundled()?).map_err(Failure::new)?;
    let served = start(&arguments.listen, site, &[])?;
    let mut paper = Paper::new(false);
    announce(&served, &mut paper)?;
    wait_for_stop(&signals)?;
    drop(served);
    Ok(signals.status().unwrap_or(DONE))
}

/// Bundled bots that play only with something else: a bot's command, a server.
const WITH_MORE: [&str; 2] = ["plain", "notipping-bridge"];

/// The names of the bundled bots that play by themselves.
fn alone() -> impl Iterator<Item = &'static str> {
    bundled_bots().into_iter().filter(|name| !WITH_MORE.contains(name))
}

/// The bundled bots that are there and play alone, whatever the caller's folder holds under their names.
fn bundled() -> Result<Vec<PageBot>, Failure> {
    let beside = bots::bundled_folder()?;
    let bot = |name: &str| PageBot {
        name: name.to_string(),
        program: Program::trusted(vec![beside.join(name).to_string_lossy().into_owned()], beside.clone()),
        games: None,
    };
    Ok(alone().filter(|name| beside.join(name).is_file()).map(bot).collect())
}

/// The bots that can be played against, ready to be started, and where they are.
fn bots(arguments: &ServeArguments, signals: &Signals) -> Result<(Vec<PageBot>, Host), Failure> {
    let mut names = arguments.bots.clone();
    if names.is_empty() {
        names = alone().map(str::to_string).collect();
    }
    let specs = bots::read_bots_of_any_game(&names)?;
    let settings = Settings { mode: arguments.isolation, ..Settings::default() };
    let confiner = Confiner::prepare(&settings, &specs)?;
    let mut ready = Vec::new();
    for spec in &specs {
        let program = confiner.ready(spec, &signals.interrupt())?;
        let program = program.ok_or_else(|| Failure::new("`human` is whoever opens the page: name programs"))?;
        ready.push(PageBot { name: spec.name.clone(), program, games: spec.games.clone() });
    }
    confiner.tell_programs();
    Ok((ready, confiner.host(false)))
}

/// Waits for Ctrl-C or SIGTERM.
pub(super) fn wait_for_stop(signals: &Signals) -> Result<(), Failure> {
    let interrupt = signals.interrupt();
    while !interrupt.raised() {
        crate::transport::wait(&mut [PollFd::new(interrupt.descriptor(), PollFlags::POLLIN)], None)?;
    }
    Ok(())
}

/// Listens, and serves, on these cores (on any, where none is named).
fn start(address: &str, site: Site, on: &[usize]) -> Result<Served, Failure> {
    Ok(Served::start(listen(address, DEFAULT_ADDRESS)?, site, on)?)
}

/// The page beside a command that plays.
pub(super) struct Beside {
    served: Served,
    /// Where matches are recorded that are to be recorded nowhere else.
    folder: TempDir,
}

impl Beside {
    /// Serves a page on `spare` cores (on any, where there is none), and tells where it is.
    pub fn start(address: &str, site: Site, spare: &[usize], paper: &mut Paper) -> Result<Beside, Failure> {
        let folder = temporary_folder("arena-").map_err(Failure::new)?;
        Beside::start_in(folder, address, site, spare, paper)
    }

    /// The same for single matches, of which there are so many, with so much time after each turn; the first, which is told of at once, is recorded so or so
    /// ([`Beside::record`]).
    pub fn start_with(
        address: &str,
        (first, transcript): (&str, Option<PathBuf>),
        (matches, pause): (usize, Duration),
        spare: &[usize],
        paper: &mut Paper,
    ) -> Result<Beside, Failure> {
        let folder = temporary_folder("arena-").map_err(Failure::new)?;
        let site = Site::new(PathBuf::new(), false).that_plays(matches).that_pauses(pause);
        site.show(first, record(&folder, first, transcript));
        Beside::start_in(folder, address, site, spare, paper)
    }

    fn start_in(
        folder: TempDir,
        address: &str,
        site: Site,
        spare: &[usize],
        paper: &mut Paper,
    ) -> Result<Beside, Failure> {
        let beside = Beside { served: start(address, site, spare)?, folder };
        announce(&beside.served, paper)?;
        Ok(beside)
    }

    /// Where a match is recorded: in its own file, or in one that goes with the page.
    pub fn record(&self, id: &str, transcript: Option<PathBuf>) -> PathBuf {
        record(&self.folder, id, transcript)
    }

    /// Tells where a cup is that the page shows.
    pub fn announce_cup(&self, name: &str, paper: &mut Paper) -> Result<(), Failure> {
        let address = self.served.address();
        let url = reachable(address).into_iter().next().unwrap_or_else(|| format!("http://{address}/"));
        Ok(paper.line(&format!("this cup is at {url}cup/{}", crate::report::url_part(name)))?)
    }

    /// Shows a match whose transcript is begun, or about to be.
    pub fn show(&self, id: &str, transcript: &Path) {
        self.served.site().show(id, transcript.to_path_buf());
    }

    /// All is played. Before a terminal the page stays for as long as it is wanted; else it goes as soon as whoever looks at it has been
    /// told the end.
    pub fn stay(mut self, signals: &Signals) -> Result<(), Failure> {
        if signals.status().is_some() {
            return Ok(());
        }
        if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() {
            output::complain("all is played; the page stays up until Ctrl-C");
            wait_for_stop(signals)?;
        } else {
            self.served.tell_to_the_end();
        }
        Ok(())
    }
}

fn record(folder: &TempDir, id: &str, transcript: Option<PathBuf>) -> PathBuf {
    transcript.unwrap_or_else(|| folder.path().join(format!("{}.jsonl", crate::report::url_part(id))))
}

/// What `--serve` takes, where it takes anything: the word after it may be meant for something else.
pub(super) fn address(text: &str) -> Result<String, String> {
    match text.rsplit_once(':') {
        Some((_, port)) if port.parse::<u16>().is_ok() => Ok(text.to_string()),
        _ => Err(format!("write it as HOST:PORT, like {DEFAULT_ADDRESS}, or put `--serve` last")),
    }
}

/// Listens at an address; `example` shows how one is written.
pub(super) fn listen(address: &str, example: &str) -> Result<TcpListener, Failure> {
    let shown = harmless(address);
    let addresses: Vec<_> = address
        .to_socket_addrs()
        .map_err(|error| {
            Failure::new(format!(
                "`{shown}` is no address to listen on ({error}): write it as HOST:PORT, like {example}"
            ))
        })?
        .collect();
    TcpListener::bind(&addresses[..]).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => Failure::new(format!(
            "{shown} is in use: end the program that listens there, or take another port (port 0 takes any free one)"
        )),
        ErrorKind::PermissionDenied => {
            Failure::new(format!("{shown} may not be listened on by this user: take a port from 1024 on"))
        }
        _ => Failure::new(format!("{shown} cannot be listened on: {error}")),
    })
}

/// Tells people where the page is; on a network also what that means, and a picture that telephones read.
pub(super) fn announce(served: &Served, paper: &mut Paper) -> Result<(), Failure> {
    let address = served.address();
    if address.ip().is_loopback() {
        return Ok(paper.line(&format!("the page is at http://{address}/ (Ctrl-C ends it)"))?);
    }
    output::complain(&format!(
        "warning: everybody who reaches this machine on port {} can look at the page, and play where that is offered; it asks for no \
         password, and what is sent can be read on the way. Serve it so only on a network whose people you trust",
        address.port()
    ));
    let reachable = reachable(address);
    for url in &reachable {
        paper.line(&format!("the page is at {url}"))?;
    }
    if let Some(code) = reachable.first().and_then(|url| QrCode::new(url).ok()) {
        paper.line(&code.render::<Dense1x2>().quiet_zone(true).build())?;
    }
    Ok(paper.line("(Ctrl-C ends it)")?)
}

/// The addresses to type elsewhere.
fn reachable(address: SocketAddr) -> Vec<String> {
    let own = |ip: IpAddr| format!("http://{}/", SocketAddr::new(ip, address.port()));
    if !address.ip().is_unspecified() {
        return vec![own(address.ip())];
    }
    let mut ips: Vec<IpAddr> = getifaddrs()
        .into_iter()
        .flatten()
        .filter_map(|interface| {
            let storage = interface.address?;
            let v4 = storage.as_sockaddr_in().map(|found| IpAddr::V4(found.ip()));
            v4.or_else(|| storage.as_sockaddr_in6().map(|found| IpAddr::V6(found.ip())))
        })
        // Addresses that hold on one link only cannot be typed into a browser.
        .filter(|ip| {
            !ip.is_loopback() && !matches!(ip, IpAddr::V6(ip) if ip.is_unicast_link_local() || address.is_ipv4())
        })
        .collect();
    ips.sort_by_key(IpAddr::is_ipv6);
    ips.dedup();
    ips.into_iter().map(own).collect()
}
