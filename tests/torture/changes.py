"""Every call of a process that changes the disk, seen from inside by an audit hook and from outside by strace."""

from __future__ import annotations

import os
import re
import runpy
import signal
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

KINDS = {
    "os.rename": "rename", "os.remove": "remove", "os.mkdir": "mkdir", "os.rmdir": "remove", "os.link": "link",
    "os.symlink": "link", "os.truncate": "truncate", "os.chmod": "chmod", "os.utime": "utime",
}  # fmt: skip
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
SYSTEM_CALLS = {
    "open": "open", "openat": "open", "creat": "open", "rename": "rename", "renameat": "rename", "renameat2": "rename",
    "unlink": "remove", "unlinkat": "remove", "rmdir": "remove", "mkdir": "mkdir", "mkdirat": "mkdir", "link": "link",
    "linkat": "link", "symlink": "link", "symlinkat": "link", "truncate": "truncate", "ftruncate": "truncate",
    "chmod": "chmod", "fchmod": "chmod", "fchmodat": "chmod", "utimensat": "utime", "utimes": "utime",
}  # fmt: skip
_CALL = re.compile(r"(\w+)\((.*)\) += (-?\d+)")


def kind_of(event: str, args: tuple[Any, ...]) -> str | None:
    """Return what kind of change an audit event announces, None for none."""
    if event == "open":
        return "open" if isinstance(args[2], int) and args[2] & WRITING and args[0] != os.devnull else None
    return KINDS.get(event)


def killed_at(step: int, work: Callable[[], object]) -> bool:
    """Do the work in a process that is killed before its n-th change; tell whether it came to that."""
    child = os.fork()
    if child == 0:
        try:
            sys.addaudithook(_killer(step))
            work()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def _killer(step: int) -> Callable[[str, tuple[Any, ...]], None]:
    count = 0

    def hook(event: str, args: tuple[Any, ...]) -> None:
        nonlocal count
        if kind_of(event, args):
            count += 1
            if count == step:
                os.kill(os.getpid(), signal.SIGKILL)

    return hook


def seen_by_strace(trace: str) -> Counter[str]:
    """Return how many changes of each kind succeeded, as strace wrote them down."""
    found: Counter[str] = Counter()
    for line in trace.splitlines():
        match = _CALL.search(line)
        if match is None or match[1] not in SYSTEM_CALLS or int(match[3]) < 0 or "/dev/" in match[2]:
            continue
        if match[1].startswith("open") and not re.search(r"O_(?:WRONLY|RDWR|CREAT|TRUNC)", match[2]):
            continue
        found[SYSTEM_CALLS[match[1]]] += 1
    return found


def main(list_: str, door: str, *arguments: str) -> None:
    """Run a door and write down each change it announces: `python -m tests.torture.changes LIST DOOR EVENT`."""
    notes = os.open(list_, os.O_WRONLY | os.O_CREAT)

    def hook(event: str, args: tuple[Any, ...]) -> None:
        kind = kind_of(event, args)
        if kind:
            os.write(notes, f"{kind}\n".encode())

    sys.addaudithook(hook)
    sys.argv = [door, *arguments]
    runpy.run_path(door, run_name="__main__")


if __name__ == "__main__":
    main(*sys.argv[1:])
    Path(sys.argv[1]).touch()
