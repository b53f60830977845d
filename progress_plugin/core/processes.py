"""Start this program in the background, and find external programs, but never one inside the project."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from progress_plugin.core.environment import MAIN, python_flags
from progress_plugin.core.paths import is_outside

_FOLDER_VARIABLES = (
    "PATH", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR",
    "XDG_CONFIG_DIRS", "XDG_DATA_DIRS",
)  # fmt: skip
_started: list[subprocess.Popen[bytes]] = []  # polled again later: a server must not leave zombies


def start_detached(*arguments: str, script: str = MAIN) -> subprocess.Popen[bytes]:
    """Run this program with these arguments in a session of its own, and do not wait for it.

    Raises OSError if no process can be started.
    """
    process = subprocess.Popen(
        [sys.executable, *python_flags(), script, *arguments],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True, creationflags=getattr(subprocess, "DETACHED_PROCESS", 0),
    )  # fmt: skip
    _started[:] = [process, *(each for each in _started if each.poll() is None)]
    return process


def find_program(name: str, *roots: str) -> str | None:
    """Return the path of a program in a folder of `PATH` outside the project; None if there is none."""
    found = shutil.which(name, path=_outside(os.environ.get("PATH", os.defpath), roots))
    return found if found and os.path.isabs(found) else None


def child_variables(*roots: str) -> dict[str, str]:
    """Return our environment for a program that we start, without folders that lie inside the project."""
    given = dict(os.environ)
    for name in _FOLDER_VARIABLES:
        if folders := _outside(given.pop(name, ""), roots):
            given[name] = folders
    return {"PATH": os.devnull, **given}


def _outside(folders: str, roots: tuple[str, ...]) -> str:
    return os.pathsep.join(folder for folder in folders.split(os.pathsep) if is_outside(folder, *roots))
