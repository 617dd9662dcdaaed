//! Landlock: what a bot may do with files, the network and other processes, decided by the kernel for a process and all
//! that it starts, without any rights of the caller's.

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus, Scope,
};
use std::fs;
use std::path::{Path, PathBuf};

/// The newest set of rights that is handled here; a kernel that knows fewer confines with those that it knows.
const NEWEST: ABI = ABI::V6;

/// What programs of any language read of the system, and execute.
pub const SYSTEM: [&str; 7] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc"];

/// Devices that hold nothing.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Confines the calling process: reading of the system, of `read`, of its own part of /proc; writing below `write`; no network,
/// unless it is to have one.
pub fn confine(read: &[PathBuf], write: &[PathBuf], network: bool) -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| format!("Landlock refuses: {error}");
    let looking = AccessFs::from_read(NEWEST);
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))
        .and_then(|rules| if network { Ok(rules) } else { rules.handle_access(AccessNet::from_all(NEWEST)) })
        .and_then(|rules| rules.scope(Scope::from_all(NEWEST)))
        .and_then(Ruleset::create)
        .map_err(|error| failed(&error))?;
    let mut allow = |path: &Path, access: BitFlags<AccessFs>| -> Result<(), String> {
        // What is not there need not be allowed.
        let Ok(opened) = PathFd::new(path) else { return Ok(()) };
        let access = if path.is_dir() { access } else { access & AccessFs::from_file(NEWEST) };
        (&mut rules).add_rule(PathBeneath::new(opened, access)).map(drop).map_err(|error| failed(&error))
    };
    for path in SYSTEM.map(Path::new).into_iter().chain(read.iter().map(PathBuf::as_path)) {
        allow(path, looking)?;
    }
    for path in DEVICES {
        allow(Path::new(path), (looking | AccessFs::WriteFile) & !AccessFs::Execute)?;
    }
    for path in write {
        allow(path, AccessFs::from_all(NEWEST) & !AccessFs::MakeBlock & !AccessFs::MakeChar)?;
    }
    for path in own_part_of_proc() {
        allow(&path, looking & !AccessFs::Execute)?;
    }
    let status = rules.restrict_self().map_err(|error| failed(&error))?;
    match status.ruleset {
        RulesetStatus::NotEnforced => Err("Landlock is not enforced by this kernel".to_string()),
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
    }
}

/// Where the first process is our own, /proc holds nobody else's; elsewhere only what tells of the process itself and of
/// the machine.
fn own_part_of_proc() -> Vec<PathBuf> {
    if std::process::id() == 1 {
        return vec!["/proc".into()];
    }
    let own = fs::canonicalize("/proc/self").into_iter();
    own.chain(["cpuinfo", "meminfo", "stat", "filesystems", "sys"].map(|name| Path::new("/proc").join(name))).collect()
}

/// The version of Landlock that this kernel has, 0 when it has none.
pub fn version() -> u32 {
    #[allow(unsafe_code)]
    // SAFETY: with no attributes and this flag the call only tells a number.
    let version =
        unsafe { nix::libc::syscall(nix::libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0_usize, 1_u32) };
    u32::try_from(version).unwrap_or(0)
}
