"""The newest entries of a project and its open blockers (S4)."""

from __future__ import annotations

from progress_plugin.core.project import Project
from progress_plugin.log import history, recovery, store
from progress_plugin.log.recent import Recent


def recent_of(project: Project, n: int) -> Recent:
    """Return the newest `n` entries, archived ones included; nothing recorded is an empty answer.

    Raises BadInput where something else than a file stands in the place of the log.
    """
    return history.load(project.log_directory).recent(n)


def vanished_of(project: Project) -> str | None:
    """Return a line about a history that only copies hold; None where there is none (S1.5)."""
    return recovery.vanished(project.log_directory, store.load(project.log_directory))
