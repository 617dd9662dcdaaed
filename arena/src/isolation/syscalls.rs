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

/// Confines the calling thread, which has to have given up new rights before. `network`: whether it may use the machine's.
pub fn confine(network: bool) -> Result<(), String> {
    for filter in filters(network)? {
        apply_filter(&filter).map_err(|error| format!("seccomp refuses: {error}"))?;
    }
    Ok(())
}

fn filters(network: bool) -> Result<Vec<BpfProgram>, String> {
    let refused = SeccompAction::Errno(libc::EPERM as u32);
    let absent = SeccompAction::Errno(libc::ENOSYS as u32);
    // Its flags lie in memory, where no filter looks; C libraries go on with `clone`.
    let clone3 = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    let mut denied: BTreeMap<i64, Vec<SeccompRule>> =
        DENIED.iter().chain(DENIED_HERE).map(|call| (*call, Vec::new())).collect();
    let families = if network { [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6] } else { [libc::AF_UNIX; 3] };
    let other_family = families.map(|family| (0, SeccompCmpOp::Ne, family as u64));
    denied.insert(libc::SYS_socket, vec![all_of(other_family)?]);
    let namespaces = NEW_NAMESPACE.map(|flag| {
        let flag = flag as u32 as u64;
        all_of([(0, SeccompCmpOp::MaskedEq(flag), flag)])
    });
    denied.insert(libc::SYS_clone, namespaces.into_iter().collect::<Result<_, _>>()?);
    Ok(vec![program(clone3, absent)?, program(denied, refused)?, other_numbering()])
}

fn all_of<const N: usize>(conditions: [(u8, SeccompCmpOp, u64); N]) -> Result<SeccompRule, String> {
    let conditions = conditions
        .into_iter()
        .map(|(argument, operator, value)| {
            SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value).map_err(|error| error.to_string())
        })
        .collect::<Result<Vec<_>, _>>()?;
    SeccompRule::new(conditions).map_err(|error| error.to_string())
}

fn program(rules: BTreeMap<i64, Vec<SeccompRule>>, action: SeccompAction) -> Result<BpfProgram, String> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH).map_err(|error| error.to_string())?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, architecture);
    filter.and_then(BpfProgram::try_from).map_err(|error| error.to_string())
}

/// On x86-64 every call has a second number, of a rare way to call, which the filters above do not know. They do refuse
/// (by killing) calls of other processors' kinds.
fn other_numbering() -> BpfProgram {
    const SECOND_NUMBERS: u32 = 0x4000_0000;
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
        assert_eq!(filters(false).unwrap().len(), 3);
    }

    #[test]
    fn no_call_is_listed_twice() {
        let mut all: Vec<i64> = DENIED.iter().chain(DENIED_HERE).copied().collect();
        all.sort_unstable();
        let many = all.len();
        all.dedup();
        assert_eq!(all.len(), many);
    }
}
