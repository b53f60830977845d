"""Find the background processes of a project, and wait for them."""

from __future__ import annotations

import os
import re
import select
from contextlib import suppress
from pathlib import Path


def find_processes(place: Path, action: str = "[a-z]+") -> list[int]:
    """Return the processes that run an action of `hooks.background` for a project at or below a path."""
    mark = re.compile(rb"\0background\0%b\0%b" % (action.encode(), re.escape(os.fsencode(place))))
    found = []
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        with suppress(OSError):
            found += [int(pid)] if mark.search(Path(f"/proc/{pid}/cmdline").read_bytes()) else []
    return found


def wait_for_processes(place: Path, action: str = "[a-z]+") -> None:
    """Wait until no process runs an action for a project at or below a path."""
    while running := find_processes(place, action):
        for pid in running:
            with suppress(OSError):
                handle = os.pidfd_open(pid)
                select.select([handle], [], [])
                os.close(handle)
