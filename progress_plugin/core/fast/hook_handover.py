"""An event given to a process that nobody waits for, where the clock ends the hook it came to.

It begins with what the client said, since nobody knows how far the hook has come: what it wrote already is
recognised. `core.fast.hook_process` decides when; the fast path's own means only, as on a machine that
is overloaded an import is what there is no time for.
"""

import sys

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

from progress_plugin.core.fast.hook_filter import HANDED_OVER
from progress_plugin.core.fast.hook_process import WAITED


def hand_over(arguments: list[str], raw: bytes) -> None:
    """Start a process that records the event of a hook's `arguments` and input.

    Raises OSError where none can be started.
    """
    prefix = ["-X", f"pycache_prefix={sys.pycache_prefix}"] if sys.pycache_prefix else []
    entry_point = __file__.rpartition("progress_plugin")[0] + "hooks/record.py"
    command = [sys.executable, "-I", "-S", "-B", "-X", "utf8", *prefix, entry_point, HANDED_OVER, *arguments]
    if not hasattr(system, "posix_spawn"):
        _by_subprocess(command, raw)
        return
    variables = {name: value for name, value in system.environ.items() if name != WAITED.encode()}
    read, write = system.pipe()
    actions = [
        (system.POSIX_SPAWN_DUP2, read, 0),
        *((system.POSIX_SPAWN_OPEN, number, "/dev/null", system.O_WRONLY, 0) for number in (1, 2)),
    ]
    try:
        system.posix_spawn(command[0], command, variables, file_actions=actions, setsid=True)
    except NotImplementedError:  # an older system: it stays in the client's process group
        system.posix_spawn(command[0], command, variables, file_actions=actions)
    system.write(write, raw)
    system.close(write)


def _by_subprocess(command: list[str], raw: bytes) -> None:
    import subprocess  # noqa: PLC0415, TID251 - where the system has no other way

    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "DETACHED_PROCESS", 0),
    )
    if process.stdin is not None:
        process.stdin.write(raw)
        process.stdin.close()
