#!/usr/bin/python3
"""A bot that attacks at its first turn, says on stderr what each attempt gave back, and plays on.

Arguments: the name of one attack, `all-quiet`, or that of a build step; then KEY=VALUE targets. Every attack has a bound of its own, so that one which
succeeds takes no machine down. A line a finding: `NAME refused WHY`, or `NAME DONE WHAT`.
"""

import ctypes, errno, fcntl, glob, json, mmap, os, resource, signal, socket, struct, sys, time

TARGETS = dict(word.split("=", 1) for word in sys.argv[2:])
LIBC = ctypes.CDLL(None, use_errno=True)
X86 = os.uname().machine == "x86_64"
# x86-64's numbers; other processors' tables differ, there the library's own functions are tried only.
NUMBERS = dict(
    ptrace=101, process_vm_readv=310, pidfd_getfd=438, pidfd_open=434, kcmp=312, setpriority=141, sched_setattr=314, ioprio_set=251,
    unshare=272, setns=308, mount=165, umount2=166, pivot_root=155, chroot=161, fsopen=430, open_tree=428, add_key=248,
    request_key=249, keyctl=250, shmget=29, msgget=68, semget=64, mq_open=240, memfd_create=319, io_uring_setup=425, bpf=321,
    userfaultfd=323, perf_event_open=298, fanotify_init=300, open_by_handle_at=304, name_to_handle_at=303, settimeofday=164,
    clock_settime=227, adjtimex=159, sethostname=170, personality=135, clone=56, clone3=435, quotactl=179, syslog=103, acct=163,
    swapon=167, reboot=169, init_module=175, kexec_load=246, iopl=172, modify_ldt=154, process_madvise=440, prlimit64=302,
    sched_setscheduler=144, sched_setaffinity=203, mbind=237, migrate_pages=256)
QUIET, LOUD = {}, {}
# Before anything here opens a file.
BORN_WITH = [number for number in range(3, 1024) if os.path.exists(f"/proc/self/fd/{number}")]


def attack(table, name):
    def keep(function):
        table[name] = function
        return function
    return keep


def say(name, outcome):
    print(name, outcome, file=sys.stderr, flush=True)


def call(name, *arguments):
    """A raw call to the kernel: what it gave back, or OSError."""
    if not X86:
        raise OSError(errno.ENOSYS, "numbers of another processor")
    number = name if isinstance(name, int) else NUMBERS[name]
    ctypes.set_errno(0)
    arguments = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = LIBC.syscall(ctypes.c_long(number), *arguments)
    if result == -1 and ctypes.get_errno():
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def simple(name, number, *arguments):
    QUIET[name] = lambda: call(number, *arguments)


# --- calls that no bot has a use for --------------------------------------------------------------------------------------------
FLAGS = dict(mnt=0x20000, uts=0x4000000, ipc=0x8000000, user=0x10000000, pid=0x20000000, net=0x40000000, cgroup=0x2000000)
for kind, flag in FLAGS.items():
    simple(f"unshare-{kind}", "unshare", flag)
    simple(f"clone-{kind}", "clone", flag | signal.SIGCHLD, 0, 0, 0, 0)
simple("clone3", "clone3", ctypes.create_string_buffer(struct.pack("11Q", FLAGS["user"], *[0] * 3, 17, *[0] * 6)), 88)
for name, words in dict(
    mount=(b"x", b"/tmp", b"tmpfs", 0, 0), umount2=(b"/tmp", 2), pivot_root=(b"/tmp", b"/tmp"), chroot=(b"/tmp",), fsopen=(b"tmpfs", 0),
    open_tree=(-100, b"/", 1), add_key=(b"user", b"a", b"b", 1, -3), request_key=(b"user", b"a", 0, -3), keyctl=(0, -3, 1),
    shmget=(0, 4096, 0o1600), msgget=(0, 0o1600), semget=(0, 1, 0o1600), mq_open=(b"/a", 0o102, 0o600, 0), memfd_create=(b"a", 0),
    io_uring_setup=(4, ctypes.create_string_buffer(256)), bpf=(0, ctypes.create_string_buffer(128), 128), userfaultfd=(1,),
    perf_event_open=(ctypes.create_string_buffer(struct.pack("IIQ", 1, 112, 0) + bytes(96)), 0, -1, -1, 0), fanotify_init=(0, 0),
    settimeofday=(ctypes.create_string_buffer(16), 0), adjtimex=(ctypes.create_string_buffer(256),),
    clock_settime=(0, ctypes.create_string_buffer(16)), sethostname=(b"mine", 4), personality=(0x0040000,), syslog=(10, 0, 0),
    ioprio_set=(1, 0, 0x4007), acct=(0,), iopl=(3,), swapon=(b"/tmp/a", 0), quotactl=(0x800001 << 8, 0, 0, 0),
).items():
    simple(name, name, *words)
simple("second-numbering", 0x40000000 + 39)
simple("third-numbering", 521, 0, 0, 0, 0)


@attack(QUIET, "prctl-core-scheduling")
def _():
    if LIBC.prctl(62, 1, 0, 1, 0) != 0:
        raise OSError(ctypes.get_errno() or errno.EPERM, "")


@attack(QUIET, "int-0x80")
def _():
    """The 32-bit way to call: getpid, by another number."""
    if not X86:
        raise OSError(errno.ENOSYS, "")
    child = os.fork()
    if child == 0:
        code = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")
        run = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
        os._exit(0 if run() > 0 else 1)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status) or os.WEXITSTATUS(status):
        raise OSError(errno.EPERM, f"status {status}")


# --- priority and place -----------------------------------------------------------------------------------------------------------
QUIET["nice-up"] = lambda: os.setpriority(os.PRIO_PROCESS, 0, -5)
QUIET["nice-down"] = lambda: os.setpriority(os.PRIO_PROCESS, 0, 5)
QUIET["sched-fifo"] = lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
QUIET["sched-idle"] = lambda: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
simple("sched-attr", "sched_setattr", 0, ctypes.create_string_buffer(struct.pack("IIQiIQQQ", 48, 5, 0, 0, 0, 0, 0, 0)), 0)
QUIET["affinity"] = lambda: os.sched_setaffinity(0, range(os.cpu_count()))


def writes(path, what):
    def act():
        with open(path, "w") as file:
            file.write(what)
    return act


for name, path, what in [
    ("autogroup", "/proc/self/autogroup", "10"), ("oom-score", "/proc/self/oom_score_adj", "500"), ("slack", "/proc/self/timerslack_ns", "9"),
    ("uid-map", "/proc/self/uid_map", "0 0 1"), ("sysctl", "/proc/sys/kernel/hostname", "mine"), ("sysrq", "/proc/sysrq-trigger", "h"),
    ("cgroup", "/sys/fs/cgroup/cgroup.procs", "0"), ("cgroup-v2", "/sys/fs/cgroup/unified/cgroup.procs", "0"),
]:
    QUIET[f"write-{name}"] = writes(path, what)

# --- files ------------------------------------------------------------------------------------------------------------------------
for place in ["/", "/usr", "/usr/local", "/usr/bin", "/etc", "/dev", "/proc", "/run", "/var/tmp", "/home", os.path.dirname(os.path.abspath(__file__))]:
    QUIET[f"create-in-{place}"] = writes(os.path.join(place, "mine"), "mine")
QUIET["change-itself"] = writes(os.path.abspath(__file__), "mine")
for device in ["/dev/mem", "/dev/kmsg", "/dev/tty", "/dev/ptmx", "/dev/vsock", "/dev/kvm", "/dev/fuse", "/dev/net/tun", "/proc/kcore", "/proc/kmsg"]:
    QUIET[f"open-{device}"] = lambda device=device: os.close(os.open(device, os.O_RDWR))


def target(key, what):
    """An act on a path that the test names."""
    def act():
        return what(TARGETS[key])
    return act


def read(path):
    with open(path) as file:
        return file.read(40)


def append(path):
    with open(path, "a") as file:
        file.write("cheat\n")


for key in ["results", "rival", "secret"]:
    QUIET[f"read-{key}"] = target(key, read)
    QUIET[f"write-{key}"] = target(key, append)
    QUIET[f"see-{key}"] = target(key, lambda path: os.stat(path).st_size)
    QUIET[f"chmod-{key}"] = target(key, lambda path: os.chmod(path, 0o600))
    QUIET[f"touch-{key}"] = target(key, lambda path: os.utime(path, (1, 1)))
    QUIET[f"xattr-{key}"] = target(key, lambda path: os.setxattr(path, "user.mine", b"1"))
    QUIET[f"truncate-{key}"] = target(key, lambda path: os.truncate(path, 0))
    QUIET[f"unlink-{key}"] = target(key, os.unlink)
    QUIET[f"rename-{key}"] = target(key, lambda path: os.rename(path, path + ".gone"))
    QUIET[f"list-{key}"] = target(key, lambda path: os.listdir(os.path.dirname(path)))
    QUIET[f"link-{key}"] = target(key, lambda path: os.link(path, "/tmp/linked"))
    QUIET[f"watch-{key}"] = target(key, lambda path: watch(os.path.dirname(path)))
QUIET["chmod-itself"] = lambda: os.chmod(os.path.abspath(__file__), 0o777)
QUIET["shadow"] = lambda: read("/etc/shadow")


def watch(folder):
    notify = LIBC.inotify_init()
    if notify < 0 or LIBC.inotify_add_watch(notify, folder.encode(), 0xFFF) < 0:
        raise OSError(ctypes.get_errno(), "")


# --- the network, and sockets -------------------------------------------------------------------------------------------------------
for name, family in dict(inet=2, inet6=10, netlink=16, packet=17, alg=38, vsock=40, xdp=44, tipc=30, bluetooth=31).items():
    for kind in (1, 2, 3, 5):
        QUIET[f"socket-{name}-{kind}"] = lambda family=family, kind=kind: socket.socket(family, kind).close()
QUIET["connect-tcp"] = lambda: socket.create_connection(("127.0.0.1", int(TARGETS["port"])), 2)
QUIET["send-udp"] = lambda: socket.socket(2, 2).sendto(b"x", ("127.0.0.1", int(TARGETS["port"])))
QUIET["connect-abstract"] = lambda: socket.socket(1, 1).connect("\0" + TARGETS["abstract"])
QUIET["connect-path"] = lambda: socket.socket(1, 1).connect(TARGETS["socket"])


@attack(QUIET, "send-path-by-pair")
def _():
    one, _two = socket.socketpair(1, 2)
    one.sendto(b"x", TARGETS["datagrams"])


QUIET["larger-socket"] = lambda: socket.socketpair()[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
for kind in (1, 5):
    QUIET[f"connect-path-by-pair-{kind}"] = lambda kind=kind: socket.socketpair(1, kind)[0].connect(TARGETS["socket"])


# --- other processes ------------------------------------------------------------------------------------------------------------------
def neighbours():
    """Processes that are not its own: who started it, and whoever has a number near by."""
    own = os.getpid()
    near = set(range(max(1, own - 300), own + 300)) | {os.getppid(), 1} | {int(TARGETS.get("pid", 1))}
    return sorted(near - {own, 0})


def on_neighbours(act, skip=()):
    """Done when it works on any; else the last refusal."""
    def attempt():
        reached, last = [], OSError(errno.ESRCH, "")
        for pid in neighbours():
            if pid in skip:
                continue
            try:
                act(pid)
                reached.append(pid)
            except OSError as error:
                last = error
        if not reached:
            raise last
        return reached
    return attempt


def by_descriptor(act):
    def attempt(pid):
        descriptor = os.pidfd_open(pid)
        try:
            act(descriptor)
        finally:
            os.close(descriptor)
    return attempt


# The first process of its own namespace is its launcher, and the kernel lets nothing through to it from inside.
LAUNCHER = (1,) if os.getppid() == 1 else ()
QUIET["signal"] = on_neighbours(lambda pid: os.kill(pid, 0), LAUNCHER)
QUIET["signal-group-of-parent"] = lambda: os.killpg(os.getpgid(os.getppid()), 0) if not LAUNCHER else call(521)
QUIET["pidfd-signal"] = on_neighbours(by_descriptor(lambda descriptor: signal.pidfd_send_signal(descriptor, 0)), LAUNCHER)
QUIET["ptrace-attach"] = on_neighbours(lambda pid: call("ptrace", 16, pid, 0, 0))
QUIET["ptrace-seize"] = on_neighbours(lambda pid: call("ptrace", 0x4206, pid, 0, 0))
QUIET["read-memory"] = on_neighbours(lambda pid: call("process_vm_readv", pid, 0, 0, 0, 0, 0))
QUIET["kcmp"] = on_neighbours(lambda pid: call("kcmp", os.getpid(), pid, 2, 0, 0))
QUIET["prlimit"] = on_neighbours(lambda pid: resource.prlimit(pid, resource.RLIMIT_NOFILE))
QUIET["prlimit-set"] = on_neighbours(lambda pid: resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0)))
QUIET["affinity-of-others"] = on_neighbours(lambda pid: os.sched_setaffinity(pid, {0}))
QUIET["nice-of-others"] = on_neighbours(lambda pid: os.setpriority(os.PRIO_PROCESS, pid, 19))
QUIET["steal-descriptor"] = on_neighbours(by_descriptor(lambda descriptor: call("pidfd_getfd", descriptor, 0, 0)))


@attack(QUIET, "signal-by-descriptor")
def _():
    """The kernel signals a descriptor's owner on its holder's behalf."""
    one, two = socket.socketpair()
    fcntl.fcntl(one, fcntl.F_SETOWN, int(TARGETS["victim"]))
    fcntl.fcntl(one, 10, signal.SIGKILL)
    fcntl.fcntl(one, fcntl.F_SETFL, fcntl.fcntl(one, fcntl.F_GETFL) | os.O_ASYNC)
    two.send(b"x")
    # Whether it came is seen outside.
    raise OSError(errno.EPERM, "")


for part in ["environ", "mem", "root/etc", "cwd", "fd/0", "maps", "status", "cmdline", "fdinfo/0", "io", "stack"]:
    def look(pid, part=part):
        path = f"/proc/{pid}/{part}"
        if part in ("root/etc", "cwd"):
            os.listdir(path)
        else:
            with open(path, "rb") as file:
                file.read(10)
    # That there is a launcher, and by which name, is no secret.
    QUIET[f"proc-{part}"] = on_neighbours(look, LAUNCHER if part in ("status", "cmdline") else ())

# --- what it was born with --------------------------------------------------------------------------------------------------------------
@attack(QUIET, "arena-environment")
def _():
    if "secret" not in str(os.environ).lower():
        raise OSError(errno.ENOENT, "")


@attack(QUIET, "inherited-descriptors")
def _():
    if not BORN_WITH:
        raise OSError(errno.EBADF, "")
    return BORN_WITH


@attack(QUIET, "rights")
def _():
    status = open("/proc/self/status").read().split("\n")
    lines = {line.split(":")[0]: line.split(":")[1].strip() for line in status if ":" in line}
    caps = [int(lines[key], 16) for key in ("CapInh", "CapPrm", "CapEff", "CapAmb")]
    if lines["NoNewPrivs"] == "1" and not any(caps) and os.getuid() != 0 and lines["Seccomp"] == "2":
        raise OSError(errno.EPERM, "")
    return lines


QUIET["setuid"] = lambda: os.setuid(0)
QUIET["setgroups"] = lambda: os.setgroups([0])
for name in ["NPROC", "NOFILE", "FSIZE", "MEMLOCK", "CORE"]:
    kind = getattr(resource, "RLIMIT_" + name)
    QUIET[f"raise-{name}"] = lambda kind=kind: resource.setrlimit(kind, (resource.RLIM_INFINITY,) * 2)
QUIET["drop-core-limit"] = lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


# --- attacks with a match of their own ------------------------------------------------------------------------------------------------
def nap():
    time.sleep(30)
    os._exit(0)


@attack(LOUD, "fork-bomb")
def _():
    made = 0
    try:
        for _ in range(400):
            if os.fork() == 0:
                nap()
            made += 1
    except OSError:
        pass
    return made


@attack(LOUD, "memory-bomb")
def _():
    held = []
    for _ in range(64):
        held.append(b"x" * (16 << 20))
        time.sleep(0.01)
    return 1024


@attack(LOUD, "memory-by-many")
def _():
    children = []
    told, tells = os.pipe()
    for _ in range(24):
        children.append(os.fork())
        if children[-1] == 0:
            os.close(told)
            held = b"x" * (40 << 20)
            os.write(tells, b"x")
            nap()
    os.close(tells)
    # Each has either taken what it wants or was ended before it could.
    alive, until = set(children), time.monotonic() + 20
    holding = 0
    while time.monotonic() < until and (holding == 0 or len(alive) > 3):
        os.set_blocking(told, False)
        try:
            holding += len(os.read(told, 24))
        except BlockingIOError:
            pass
        alive -= {child for child in alive if os.waitpid(child, os.WNOHANG)[0]}
        time.sleep(0.05)
    return len(alive)


@attack(LOUD, "memory-by-page-tables")
def _():
    """Reading a page of zeros costs nothing but the table that leads to it."""
    size = 1 << 39
    LIBC.mmap.restype = ctypes.c_void_p
    place = LIBC.mmap(None, ctypes.c_size_t(size), 1, 0x4022, -1, ctypes.c_long(0))
    LIBC.madvise(ctypes.c_void_p(place), ctypes.c_size_t(size), 15)
    for step in range(size >> 21):
        ctypes.c_byte.from_address(place + (step << 21)).value
    time.sleep(0.5)
    return size >> 21


def fill(folder, most):
    """Bytes written into new files of a folder."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    written, block = 0, b"x" * (1 << 20)
    for number in range(8):
        try:
            with open(os.path.join(folder, f"fill{number}"), "wb", buffering=0) as file:
                while written < most and file.tell() < most // 4:
                    written += file.write(block)
        except OSError:
            pass
    return written >> 20


@attack(LOUD, "fill-disk")
def _():
    places = ["/", "/tmp", "/dev/shm", "/dev", "/run", "/run/lock", "/var/tmp", "/proc", "/home", os.environ["HOME"], os.getcwd()]
    return json.dumps({place: fill(place, 256 << 20) for place in places})


def empty_files(folder):
    made = 0
    try:
        for made in range(200_000):
            os.close(os.open(f"{folder}/{made}", os.O_CREAT | os.O_WRONLY))
    except OSError:
        pass
    time.sleep(1)
    return made


LOUD["empty-files"] = lambda: empty_files("/tmp")
LOUD["empty-files-shm"] = lambda: empty_files("/dev/shm")


@attack(LOUD, "daemon")
def _():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for name in ("SIGTERM", "SIGHUP", "SIGINT", "SIGPIPE"):
                signal.signal(getattr(signal, name), signal.SIG_IGN)
            os.closerange(0, 64)
            nap()
        os._exit(0)
    return 1


@attack(LOUD, "burn")
def _():
    until = time.monotonic() + 20
    while time.monotonic() < until:
        pass


@attack(LOUD, "burn-by-many")
def _():
    """Each process is short, so that none passes a limit of its own."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        if os.fork() == 0:
            end = time.process_time() + 0.2
            while time.process_time() < end:
                pass
            os._exit(0)
        os.wait()


@attack(LOUD, "big-file")
def _():
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    with open(os.path.join(os.environ["HOME"], "big"), "wb", buffering=0) as file:
        for _ in range(8):
            file.write(b"x" * (1 << 20))


@attack(LOUD, "end-what-holds-it")
def _():
    """Its launcher only: whoever else it could reach is looked for quietly."""
    for number in (signal.SIGSTOP, signal.SIGKILL, signal.SIGTERM):
        try:
            os.kill(os.getppid(), number)
        except OSError:
            pass
    try:
        resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (0, 0))
    except OSError:
        pass
    return 1


@attack(LOUD, "end-everybody")
def _():
    """Whoever the kernel lets it reach, but not where it has the rights of the tests' own user."""
    if not LAUNCHER and os.getuid() < 61000:
        raise OSError(errno.EPERM, "")
    os.kill(-1, signal.SIGKILL)


@attack(LOUD, "nothing")
def _():
    """Only plays."""


@attack(LOUD, "links")
def _():
    for name, act in [("link-out", lambda: read("out.csv")), ("link-up", lambda: os.listdir("up"))]:
        run(name, act)


def run(name, function):
    try:
        result = function()
    except OSError as error:
        say(name, f"refused {errno.errorcode.get(error.errno, error)}")
    except ValueError as error:
        # What Python makes of a refusal to raise a limit.
        say(name, f"refused EPERM {error}")
    except KeyError as error:
        say(name, f"refused: no target {error}")
    else:
        say(name, f"DONE {result}")


def build():
    """A build step that attacks, and makes what is to be run."""
    with open(os.path.abspath(__file__)) as own:
        text = own.read()
    for name, function in QUIET.items():
        run(name, function)
    say("all-tried", len(QUIET))
    with open("made", "w") as made:
        made.write(text)
    os.chmod("made", 0o755)


def build_fill():
    """More than a folder may hold, without a block of it on any disk."""
    for number in range(3):
        with open(f"hole{number}", "wb") as file:
            file.truncate(400 << 20)
    time.sleep(30)


def build_files():
    for number in range(60_000):
        os.close(os.open(f"empty{number}", os.O_CREAT | os.O_WRONLY))
    time.sleep(30)


def build_nest():
    for _ in range(200):
        os.mkdir("in")
        os.chdir("in")
    time.sleep(30)


def main():
    steps = {"build": build, "build-fill": build_fill, "build-files": build_files, "build-nest": build_nest}
    if sys.argv[1] in steps:
        return steps[sys.argv[1]]()
    chosen = QUIET if sys.argv[1] == "all-quiet" else {sys.argv[1]: LOUD[sys.argv[1]]}
    fresh = True
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            print('{"type":"ready"}', flush=True)
        elif message["type"] == "turn":
            if fresh:
                fresh = False
                parent = os.getpid()
                for name, function in chosen.items():
                    run(name, function)
                    # A clone that worked is two of us.
                    if os.getpid() != parent:
                        os._exit(0)
                say("all-tried", len(chosen))
            print(json.dumps({"type": "move", "turn": message["turn"], "move": message["legal"][0]}), flush=True)
        elif message["type"] == "end":
            break


main()
