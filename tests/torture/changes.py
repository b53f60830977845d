"""Kill a process before its n-th change of the disk, counted by an audit hook."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

KINDS = {
    "os.rename": "rename", "os.remove": "remove", "os.mkdir": "mkdir", "os.rmdir": "remove", "os.link": "link",
    "os.symlink": "link", "os.truncate": "truncate", "os.chmod": "chmod", "os.utime": "utime",
}  # fmt: skip
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


def kind_of(event: str, args: tuple[Any, ...]) -> str | None:
    """Return the kind of change of an audit event; None if it changes nothing."""
    if event == "open":
        return "open" if isinstance(args[2], int) and args[2] & WRITING and args[0] != os.devnull else None
    return KINDS.get(event)


def killed_at(step: int, work: Callable[[], object]) -> bool:
    """Do the work in a process that is killed before its n-th change; return whether it was killed."""
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
