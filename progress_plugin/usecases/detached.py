"""What outlasts a hook: work handed to a process of its own, which the client does not wait for."""

from __future__ import annotations

import os
import subprocess
import sys

from progress_plugin.core.environment import PLUGIN_ROOT


def hand_over(event: str, raw: bytes) -> None:
    """Send an event with the client's input to the door of all events, and do not wait for what comes of it.

    Raises OSError where no process can be started.
    """
    prefix = ["-X", f"pycache_prefix={sys.pycache_prefix}"] if sys.pycache_prefix else ["-B"]
    door = os.path.join(PLUGIN_ROOT, "hooks", "record.py")
    child = subprocess.Popen(
        [sys.executable, "-I", "-S", "-X", "utf8", *prefix, door, event],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        creationflags=getattr(subprocess, "DETACHED_PROCESS", 0),  # what Windows has instead
    )
    if child.stdin is not None:
        child.stdin.write(raw)
        child.stdin.close()
