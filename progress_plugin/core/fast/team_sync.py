"""Starting the process that syncs with a team's server, when one is due (S20.4).

A hook opens no socket: it compares the age of one file and starts a process that nobody waits for. It is
imported only where this clone syncs, and uses neither `os` nor `subprocess`, which alone would cost more
than a whole start.
"""

import sys
import time

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

from progress_plugin.core.fast.hook_process import WAITED
from progress_plugin.core.fast.minimal_os import modified, read_regular
from progress_plugin.core.fast.start_cache import DATA_SUFFIX, seal

STATE = "/team/state"
"""What this clone knows of its team's server, below our directory; each sync touches it as it begins."""
STATE_MAGIC = b"agent-progress team "
_EVENT = "DetachedSync"
"""`hook_filter.SYNCING`, which a start has not loaded."""
_EVERY = 60.0
"""Seconds from one sync to that of the next start."""
_ENTRY_POINT = __file__.replace("\\", "/").rpartition("/progress_plugin/")[0] + "/hooks/record.py"
_started: list[int] = []
"""Processes that a server, which lives on, has started: looked at again, so that none stays a zombie."""


def start_if_due(root: str, *, is_member: bool = False) -> None:
    """Start a sync where this clone takes part in one, and the last began more than a minute ago.

    A state file that a repository brought lacks the seal of what was made here, and starts nothing; with
    `is_member` the caller has found out that it is ours.
    """
    path = root + DATA_SUFFIX + STATE
    when = modified(path)
    if when is None or 0 <= time.time() - when / 1e9 < _EVERY:
        return
    if is_member:
        start(root)
        return
    mark = seal(root)
    first = (read_regular(path) or b"").partition(b"\n")[0].split(b" ")
    if mark is not None and mark in first[3:]:
        start(root)


def start(root: str) -> None:
    """Start a sync of the project whose log is at `root`, in a session of its own, and do not wait for it."""
    if not hasattr(system, "posix_spawn"):
        return  # `agent-progress sync --watch` does it there
    prefix = ["-X", f"pycache_prefix={sys.pycache_prefix}"] if sys.pycache_prefix else ["-B"]
    words = [sys.executable, "-I", "-S", "-X", "utf8", *prefix, _ENTRY_POINT, _EVENT, root]
    nothing = [(system.POSIX_SPAWN_OPEN, handle, "/dev/null", system.O_RDWR, 0) for handle in range(3)]
    variables = {name: value for name, value in system.environ.items() if name != WAITED.encode()}
    try:
        _started[:] = [process for process in _started if system.waitpid(process, system.WNOHANG)[0] == 0]
    except OSError:
        _started.clear()  # somebody else has waited for them
    try:
        try:
            process = system.posix_spawn(words[0], words, variables, file_actions=nothing, setsid=True)
        except NotImplementedError:  # a system whose posix_spawn begins no session
            process = system.posix_spawn(words[0], words, variables, file_actions=nothing)
        _started.append(process)
    except OSError:
        return  # the next start tries again
