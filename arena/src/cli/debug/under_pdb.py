"""Runs a script under pdb: the debugger has the terminal, the script the two pipes for stdin and stdout.

Arguments: the pipes, the number of commands for pdb, those commands, the script, its arguments.
"""

import io
import os
import pdb
import sys
import traceback
import types

stdin, stdout, count, *rest = sys.argv[1:]
commands, (script, *arguments) = rest[: int(count)], rest[int(count) :]

keyboard, screen = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
for path, flags, descriptor in [(stdin, os.O_RDONLY, 0), (stdout, os.O_WRONLY, 1)]:
    opened = os.open(path, flags)
    os.dup2(opened, descriptor)
    os.close(opened)
# As Python makes them where no terminal is: what does not flush must not do so here either.
unbuffered = bool(getattr(sys.stdout, "write_through", False))
sys.stdin = sys.__stdin__ = open(0, closefd=False)
sys.stdout = sys.__stdout__ = io.TextIOWrapper(
    open(1, "wb", buffering=0 if unbuffered else -1, closefd=False), write_through=unbuffered
)

main = types.ModuleType("__main__")
main.__file__ = script
main.__builtins__ = __builtins__
sys.modules["__main__"] = main
sys.argv = [script, *arguments]
sys.path[0] = os.path.dirname(os.path.abspath(script))

debugger = pdb.Pdb(stdin=keyboard, stdout=screen)
debugger.use_rawinput = False
debugger.rcLines.extend(commands)
# A `breakpoint()` in the script would else read its commands from the arena.
sys.breakpointhook = lambda *_, **__: debugger.set_trace(sys._getframe(1))
pdb.set_trace = lambda *_, **__: debugger.set_trace(sys._getframe(1))

try:
    with open(script, "rb") as file:
        code = compile(file.read(), script, "exec")
    debugger.run(code, main.__dict__)
except SystemExit:
    raise
except BaseException:
    traceback.print_exc()
    print("Uncaught exception: its last moment; `q` ends it", file=screen, flush=True)
    debugger.reset()
    debugger.interaction(None, sys.exc_info()[2])
    sys.exit(1)
