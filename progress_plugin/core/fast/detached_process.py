"""Starting a process of our own that nobody waits for, by the fast path's own means.

What it does is named by its first word, the event (`core.fast.hook_filter`). It uses neither `os` nor
`subprocess`, which alone would cost more than a whole start.
"""

import sys

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

from progress_plugin.core.fast.hook_process import WAITED

_ENTRY_POINT = __file__.replace("\\", "/").rpartition("/progress_plugin/")[0] + "/hooks/record.py"
_started: list[int] = []
"""Processes that a server, which lives on, has started: looked at again, so that none stays a zombie."""


def command_of(*words: str) -> list[str]:
    """Return the command that does what these words say by the entry point of events, as launched."""
    prefix = ["-X", f"pycache_prefix={sys.pycache_prefix}"] if sys.pycache_prefix else []
    return [sys.executable, "-I", "-S", "-B", "-X", "utf8", *prefix, _ENTRY_POINT, *words]


def start(*words: str) -> None:
    """Start a process that does what an event and its arguments say, in a session of its own.

    Nothing is started where the system has no quick way, or refuses.
    """
    if not hasattr(system, "posix_spawn"):
        return
    command = command_of(*words)
    nothing = [(system.POSIX_SPAWN_OPEN, handle, "/dev/null", system.O_RDWR, 0) for handle in range(3)]
    variables = {name: value for name, value in system.environ.items() if name != WAITED.encode()}
    try:
        _started[:] = [process for process in _started if system.waitpid(process, system.WNOHANG)[0] == 0]
    except OSError:
        _started.clear()  # somebody else has waited for them
    try:
        try:
            process = system.posix_spawn(command[0], command, variables, file_actions=nothing, setsid=True)
        except NotImplementedError:  # a system whose posix_spawn begins no session
            process = system.posix_spawn(command[0], command, variables, file_actions=nothing)
        _started.append(process)
    except OSError:
        return
