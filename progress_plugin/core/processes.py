"""Start a process of our own that outlives this one."""

from __future__ import annotations

import os
import subprocess
import sys

_MAIN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "__main__.py")
_started: list[subprocess.Popen[bytes]] = []  # polled again later: a server must not leave zombies


def own_command(*arguments: str) -> list[str]:
    """Return the command line that runs this program with these arguments, by the Python that runs now."""
    cache = ["-X", f"pycache_prefix={sys.pycache_prefix}"] if sys.pycache_prefix else []
    return [sys.executable, "-I", "-S", "-X", "utf8", *cache, _MAIN, *arguments]


def start_detached(*arguments: str) -> None:
    """Run this program with these arguments in a session of its own, and do not wait for it.

    Raises OSError if no process can be started.
    """
    _started[:] = [process for process in _started if process.poll() is None]
    _started.append(
        subprocess.Popen(
            own_command(*arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            creationflags=getattr(subprocess, "DETACHED_PROCESS", 0),  # the same on Windows
        )
    )
