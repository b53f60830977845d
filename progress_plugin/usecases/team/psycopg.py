"""psycopg, which only a team's server needs, in the environment that hooks and commands run in."""

from __future__ import annotations

import os
from importlib import invalidate_caches
from importlib.util import find_spec

from progress_plugin import bootstrap
from progress_plugin.core import environment
from progress_plugin.core.errors import AgentProgressError, DiskRefused
from progress_plugin.core.lock import FileLock
from progress_plugin.core.paths import is_set

PACKAGE = "psycopg"


def provide_psycopg(report: bootstrap.Report, wheelhouse: str | None = None) -> None:
    """Install psycopg into the environment if it lacks it, and have it installed into each later one.

    Nothing is installed if `AGENT_PROGRESS_NO_INSTALL` forbids it. Raises AgentProgressError if psycopg is
    missing afterwards.
    """
    if is_set("NO_INSTALL"):
        return
    place = environment.directory()
    if environment.python() is not None and not bootstrap.works(place, PACKAGE):
        home = os.path.dirname(place)
        try:
            with FileLock(os.path.join(home, "build.lock"), bootstrap.TIMEOUT_S):
                open(os.path.join(home, bootstrap.TEAM_MARK), "w", encoding="utf-8").close()
                report("installing psycopg for your team's server")
                bootstrap.install_locked(environment.TEAM_LOCK_FILE, place, wheelhouse)
        except OSError as error:
            raise DiskRefused(f"psycopg cannot be installed in {place}", error) from error
        invalidate_caches()
    if find_spec(PACKAGE) is None:
        raise AgentProgressError("psycopg is missing; run: pip install 'agent-progress[team]'")
