//! Seccomp: calls to the kernel that no bot has a use for, refused for a process and all that it starts. A list of what is
//! denied, not of what is allowed, because bots come in any language.

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter, sock_filter,
};
use std::collections::BTreeMap;

/// Refused whatever the arguments: they change, watch or load what is not the bot's, are kept out of the other layers'
/// sight, or leave something behind.
const DENIED: &[i64] = &[
    // Other processes, and what they hold.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // Its place on the processors.
    libc::SYS_setpriority,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setaffinity,
    libc::SYS_ioprio_set,
    libc::SYS_mbind,
    libc::SYS_set_mempolicy,
    SYS_SET_MEMPOLICY_HOME_NODE,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    // Namespaces and mounts.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_open_tree,
    SYS_OPEN_TREE_ATTR,
    libc::SYS_move_mount,
    libc::SYS_mount_setattr,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    // What outlives a process, or is shared by all of a user.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    // Memory that belongs to no process and to no folder.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    // Interfaces that do the work of other calls, past this list.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    libc::SYS_perf_event_open,
    libc::SYS_fanotify_init,
    libc::SYS_lookup_dcookie,
    // The machine.
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_syslog,
    libc::SYS_acct,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
    libc::SYS_personality,
];

/// Calls that only one kind of processor has.
#[cfg(target_arch = "x86_64")]
const DENIED_HERE: &[i64] = &[libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_modify_ldt];
#[cfg(not(target_arch = "x86_64"))]
const DENIED_HERE: &[i64] = &[];

/// Refused besides to a bot that has no namespaces: Landlock decides on opening a file, not on these.
const DENIED_OUTSIDE: &[i64] = &[
    libc::SYS_inotify_init1,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SYS_SETXATTRAT,
    SYS_REMOVEXATTRAT,
    SYS_FILE_SETATTR,
];
// Newer than the library that lists the others; the same on every processor.
const SYS_SET_MEMPOLICY_HOME_NODE: i64 = 450;
const SYS_OPEN_TREE_ATTR: i64 = 467;
const SYS_SETXATTRAT: i64 = 463;
const SYS_REMOVEXATTRAT: i64 = 466;
const SYS_FILE_SETATTR: i64 = 469;

/// And besides, unless it has a folder to write in, as a build step has.
const DENIED_TO_READERS: &[i64] =
    &[libc::SYS_fchmod, libc::SYS_fchmodat, SYS_FCHMODAT2, libc::SYS_fchown, libc::SYS_fchownat, libc::SYS_utimensat];
const SYS_FCHMODAT2: i64 = 452;

#[cfg(target_arch = "x86_64")]
const OLDER_OUTSIDE: &[i64] = &[libc::SYS_inotify_init];
#[cfg(target_arch = "x86_64")]
const OLDER_TO_READERS: &[i64] =
    &[libc::SYS_chmod, libc::SYS_chown, libc::SYS_lchown, libc::SYS_utime, libc::SYS_utimes, libc::SYS_futimesat];
#[cfg(not(target_arch = "x86_64"))]
const OLDER_OUTSIDE: &[i64] = &[];
#[cfg(not(target_arch = "x86_64"))]
const OLDER_TO_READERS: &[i64] = &[];

/// What else stands around a process, on which its filter depends.
#[derive(Clone, Copy, Debug)]
pub struct Around {
    /// Whether it may use the machine's network.
    pub network: bool,
    /// Whether it has namespaces of its own, and sees no file or socket of others.
    pub namespaces: bool,
    /// Whether it has a folder to write in.
    pub writes: bool,
}

/// The `prctl` that binds a core's other half to what this process does.
const PR_SCHED_CORE: u64 = 62;

/// Flags of `clone` that make a namespace.
const NEW_NAMESPACE: [i32; 8] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWTIME,
];

/// Confines the calling thread, which has to have given up new rights before.
pub fn confine(around: Around) -> Result<(), String> {
    for filter in filters(around)? {
        apply_filter(&filter).map_err(|error| format!("seccomp refuses: {error}"))?;
    }
    Ok(())
}

fn filters(around: Around) -> Result<Vec<BpfProgram>, String> {
    let refused = SeccompAction::Errno(libc::EPERM as u32);
    let absent = SeccompAction::Errno(libc::ENOSYS as u32);
    // Its flags lie in memory, where no filter looks; C libraries go on with `clone`.
    let clone3 = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    let outside = [DENIED_OUTSIDE, OLDER_OUTSIDE].into_iter().filter(|_| !around.namespaces);
    let to_readers = [DENIED_TO_READERS, OLDER_TO_READERS].into_iter().filter(|_| !around.namespaces && !around.writes);
    let lists = [DENIED, DENIED_HERE].into_iter().chain(outside).chain(to_readers);
    let mut denied: BTreeMap<i64, Vec<SeccompRule>> = lists.flatten().map(|call| (*call, Vec::new())).collect();
    let families = if around.network { [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6] } else { [libc::AF_UNIX; 3] };
    let other_family = families.map(|family| is(0, SeccompCmpOp::Ne, family as u64));
    denied.insert(libc::SYS_socket, vec![all_of(other_family)?]);
    if !around.namespaces && !around.network {
        // Sockets that have a path are the system's and its users', and Landlock lets everybody connect. Half of a pair of
        // datagram sockets can still send to any of them.
        denied.insert(libc::SYS_socket, Vec::new());
        let kind = |kind: i32| all_of([is(1, SeccompCmpOp::MaskedEq(0xf), kind as u64)]);
        denied.insert(libc::SYS_socketpair, vec![kind(libc::SOCK_DGRAM)?, kind(libc::SOCK_RAW)?]);
    }
    if !around.network {
        // Where memory is watched nobody sees what waits in a socket: each holds what it holds at first, and no more.
        let buffer = |option: i32| {
            all_of([is(1, SeccompCmpOp::Eq, libc::SOL_SOCKET as u64), is(2, SeccompCmpOp::Eq, option as u64)])
        };
        denied.insert(libc::SYS_setsockopt, vec![buffer(libc::SO_SNDBUF)?, buffer(libc::SO_SNDBUFFORCE)?]);
    }
    // Limits of other processes, with which one can end those of one's own user; and the limit that keeps a crash from starting
    // the system's collector of crashes, outside of all limits.
    let core = libc::RLIMIT_CORE as u64;
    let sets_core = [is(1, SeccompCmpOp::Eq, core), (2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)];
    denied.insert(libc::SYS_prlimit64, vec![all_of([is(0, SeccompCmpOp::Ne, 0)])?, all_of(sets_core)?]);
    denied.insert(libc::SYS_setrlimit, vec![all_of([is(0, SeccompCmpOp::Eq, core)])?]);
    denied.insert(libc::SYS_prctl, vec![all_of([is(0, SeccompCmpOp::Eq, PR_SCHED_CORE)])?]);
    let namespaces = NEW_NAMESPACE.map(|flag| {
        let flag = flag as u32 as u64;
        all_of([is(0, SeccompCmpOp::MaskedEq(flag), flag)])
    });
    denied.insert(libc::SYS_clone, namespaces.into_iter().collect::<Result<_, _>>()?);
    Ok(vec![program(clone3, absent)?, program(denied, refused)?, other_numbering()])
}

/// What is asked of one argument: which, how much of it, how, and the value.
type Asked = (u8, SeccompCmpArgLen, SeccompCmpOp, u64);

fn is(argument: u8, operator: SeccompCmpOp, value: u64) -> Asked {
    (argument, SeccompCmpArgLen::Dword, operator, value)
}

fn all_of<const N: usize>(conditions: [Asked; N]) -> Result<SeccompRule, String> {
    let conditions = conditions
        .into_iter()
        .map(|(argument, length, operator, value)| {
            SeccompCondition::new(argument, length, operator, value).map_err(|error| error.to_string())
        })
        .collect::<Result<Vec<_>, _>>()?;
    SeccompRule::new(conditions).map_err(|error| error.to_string())
}

fn program(rules: BTreeMap<i64, Vec<SeccompRule>>, action: SeccompAction) -> Result<BpfProgram, String> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH).map_err(|error| error.to_string())?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, architecture);
    filter.and_then(BpfProgram::try_from).map_err(|error| error.to_string())
}

/// On x86-64 every call has a second number, of a rare way to call, which the filters above do not know; older kernels take some of
/// these without the bit that marks them, from 512 on, where no call is otherwise. They do refuse (by killing) calls of other processors' kinds.
fn other_numbering() -> BpfProgram {
    const SECOND_NUMBERS: u32 = 512;
    let statement = |code: u32, k: u32| sock_filter { code: code as u16, jt: 0, jf: 0, k };
    vec![
        // The call's number is the first field of what a filter is given.
        statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0),
        sock_filter { code: (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16, jt: 0, jf: 1, k: SECOND_NUMBERS },
        statement(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
        statement(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ALLOW),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filters_can_be_made() {
        for bits in 0..8 {
            let around = Around { network: bits & 1 > 0, namespaces: bits & 2 > 0, writes: bits & 4 > 0 };
            assert_eq!(filters(around).unwrap().len(), 3);
        }
    }

    #[test]
    fn no_call_is_listed_twice() {
        let lists = [DENIED, DENIED_HERE, DENIED_OUTSIDE, OLDER_OUTSIDE, DENIED_TO_READERS, OLDER_TO_READERS];
        let mut all: Vec<i64> = lists.concat();
        all.sort_unstable();
        let many = all.len();
        all.dedup();
        assert_eq!(all.len(), many);
    }
}
