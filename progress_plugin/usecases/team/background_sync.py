"""The sync that a start or a write begins, in a process of its own.

A failure is noted in the clone until a sync succeeds, and shown by `doctor` and `status`.
"""

from __future__ import annotations

from importlib.util import find_spec

from progress_plugin.core import environment, error_log
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.project import find_project
from progress_plugin.log import team_state


def run_sync(root: str) -> None:
    """Sync until nothing was written meanwhile; another process that syncs looks once more itself."""
    environment.enter()
    project = find_project(root)
    if team_state.load(project.log_directory) is None:
        return
    from progress_plugin.usecases.team.project_key import team_url  # noqa: PLC0415 - only for a clone that takes part
    from progress_plugin.usecases.team.sync import sync  # noqa: PLC0415

    if team_url() is None or find_spec("psycopg") is None:
        return  # `doctor` says so
    while True:
        try:
            done = sync(project, joins=False, patience=0)
        except AgentProgressError:
            return
        for note in done.notes if done is not None else ():
            error_log.note("sync", AgentProgressError(note))  # for `doctor`
        if not team_state.is_wanted(project.log_directory):
            return
