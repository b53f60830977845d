"""Share the log and the memory of a team through PostgreSQL. This module starts the process that syncs.

A hook opens no socket and waits for no server.
"""

from __future__ import annotations

import os
import time

from progress_plugin.core.paths import state_file

STATE = "team/state"  # this clone's state of the sync; each sync touches it as it begins
INTERVAL_S = 60.0


def start_if_due(root: str) -> None:
    """Start a sync if this clone is in a team and no sync began in the last minute.

    `root` is the root of the worktree that has the log. Raises OSError if no process can be started.
    """
    try:
        begun = os.stat(state_file(root, STATE)).st_mtime
    except OSError:
        return
    if not 0 <= time.time() - begun < INTERVAL_S:
        from progress_plugin.core.processes import start_detached  # noqa: PLC0415 - once in a minute at most

        start_detached("background", "sync", root)
