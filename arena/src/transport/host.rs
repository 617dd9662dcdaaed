//! The machine that bots are started on: what stops, measures, holds and confines them here.

use super::group::{Group, Groups};
use super::keeper::{self, Watch};
use super::limits::Limits;
use super::load::Source;
use crate::isolation::{Confinement, InForce, Sandbox};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// What bots are started with on this machine. Shared by all matches.
#[derive(Debug, Clone)]
pub struct Host {
    pub(super) keeper: PathBuf,
    pub(super) groups: Option<Arc<Groups>>,
    memory: MemoryHold,
    pub(super) held_to_one_core: bool,
    pub(super) sandbox: Option<Arc<Sandbox>>,
}

/// What holds a bot to its memory.
#[derive(Debug, Clone)]
enum MemoryHold {
    /// The group in which it is frozen.
    OwnGroup,
    /// A group of another hierarchy.
    Groups(Arc<Groups>),
    /// Its keeper looks.
    Keeper,
}

impl Host {
    /// This machine, with this program's own file as keeper. `held_to_one_core`: whether each match is bound to a core.
    pub fn new(held_to_one_core: bool) -> Host {
        Host::with_keeper(PathBuf::from("/proc/self/exe"), held_to_one_core)
    }

    /// The same with the arena's program somewhere else, for benchmarks.
    pub fn with_keeper(keeper: PathBuf, held_to_one_core: bool) -> Host {
        // Orphans of a keeper that was killed come to us, so that they can be ended.
        let _ = nix::sys::prctl::set_child_subreaper(true);
        // Where there can be none, bots are stopped and ended by their process trees.
        let groups = Groups::new().ok().map(Arc::new);
        let memory = match &groups {
            Some(groups) if groups.hold_memory() => MemoryHold::OwnGroup,
            _ => Groups::for_memory().map_or(MemoryHold::Keeper, |groups| MemoryHold::Groups(Arc::new(groups))),
        };
        Host { keeper, groups, memory, held_to_one_core, sandbox: None }
    }

    /// The same with bots confined that are not trusted.
    pub fn confining(self, sandbox: Option<Arc<Sandbox>>) -> Host {
        Host { sandbox, ..self }
    }

    /// How bots are confined, and by what.
    pub fn in_force(&self) -> InForce {
        let Some(sandbox) = &self.sandbox else { return InForce::nothing() };
        let mut layers = sandbox.layers();
        layers.push(format!("memory ({})", self.memory_hold()));
        if self.groups.is_some() {
            layers.push("freezer (cgroup v2)".to_string());
        }
        InForce { mode: sandbox.mode(), layers }
    }

    /// Whether bots have control groups that freeze, kill and measure them; else why not.
    pub fn has_groups(&self) -> Result<(), String> {
        match &self.groups {
            Some(_) => Ok(()),
            None => Groups::new().map(drop),
        }
    }

    /// What tells a slow bot from a crowded core, as in a transcript.
    pub fn fair_clock(&self) -> &'static str {
        let group = self.groups.as_ref().and_then(|groups| groups.make().ok());
        self.gauge_source(group.as_ref()).as_str()
    }

    /// Where the waiting of a bot in this group is read.
    pub(super) fn gauge_source(&self, group: Option<&Group>) -> Source {
        let threads = Source::Threads { held: self.held_to_one_core };
        match group {
            Some(group) if self.held_to_one_core => Source::of_group(group).unwrap_or(threads),
            _ if fs::exists("/proc/self/schedstat").unwrap_or(false) => threads,
            _ => Source::None,
        }
    }

    /// What holds bots to their memory, in words.
    pub fn memory_hold(&self) -> &'static str {
        match self.memory {
            MemoryHold::OwnGroup => "cgroup v2",
            MemoryHold::Groups(_) => "cgroup v1",
            MemoryHold::Keeper => "watched",
        }
    }

    /// What a bot is held to that runs in this group, and the other group that it needs for that.
    pub(super) fn watch(
        &self,
        limits: &Limits,
        group: Option<&Group>,
        confinement: Option<&Confinement>,
    ) -> io::Result<(Watch, Option<Group>)> {
        let own = match (&self.memory, limits.memory_bytes) {
            (MemoryHold::Groups(groups), Some(_)) => Some(groups.make()?),
            _ => None,
        };
        let holder = match &self.memory {
            MemoryHold::OwnGroup => group,
            _ => own.as_ref(),
        };
        if let (Some(bytes), Some(holder)) = (limits.memory_bytes, holder) {
            keeper::hold_memory(holder.path(), bytes)?;
        }
        let path = |group: &Group| group.path().to_path_buf();
        let watch = Watch {
            memory_bytes: limits.memory_bytes,
            memory_group: holder.filter(|_| limits.memory_bytes.is_some()).map(path),
            cpu_us: limits.cpu_seconds.map(|seconds| seconds * 1_000_000),
            cpu_group: group.map(path),
            // Without a namespace there is no folder to write into.
            temporary: confinement.is_some_and(|confinement| confinement.order.first),
            processes: limits.processes.filter(|_| confinement.is_some_and(Confinement::shares_its_user)),
        };
        Ok((watch, own))
    }
}
