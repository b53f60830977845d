"""A door of a hook that tells on standard error what it opens and syncs, as far as that is no code."""

from __future__ import annotations

import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PYTHON = getattr(sys, "_base_executable", sys.executable)
_PROGRAM = """
import os, posix, sys
exec(open({openings!r}).read().partition("import annotations")[2])
openings = Openings()
def told(word, what):
    posix.write(2, f"{{word}} {{what}}\\n".encode())
def watch(event, arguments):
    path = openings.path(arguments[0], arguments[2]) if event == "open" else None
    if path and not path.endswith((".py", ".pyc")):
        told("write" if arguments[2] & os.O_CREAT else "read", path)
sync = posix.fsync
os.fsync = posix.fsync = lambda handle: told("sync", os.readlink(f"/proc/self/fd/{{handle}}")) or sync(handle)
sys.argv = [{name!r}, {event!r}]
door = compile(open({path!r}).read(), {path!r}, "exec")
sys.addaudithook(watch)
exec(door, {{"__file__": {path!r}}})
"""


def door(name: str) -> str:
    """Return the path of a door: `start.py` or `record.py`."""
    return str(REPOSITORY / "hooks" / name)


def watched(name: str, event: str) -> str:
    """Return the program that goes through a door; each line it tells is `read`, `write` or `sync`, and a path."""
    return _PROGRAM.format(
        name=name, event=event, path=door(name), openings=str(REPOSITORY / "tests/openings.py")
    )
