"""The newest entries of a project and its open blockers (S4)."""

from __future__ import annotations

from progress_plugin.core.freshness import Inputs
from progress_plugin.core.project import Project
from progress_plugin.log import history, recovery, store
from progress_plugin.log.entry import text_of
from progress_plugin.log.recent import Recent
from progress_plugin.usecases.sources import read_plans
from progress_plugin.usecases.standing import attribution_of, next_step, open_blockers


def recent_of(project: Project, n: int) -> Recent:
    """Return the newest `n` entries, archived ones included; nothing recorded is an empty answer.

    Raises BadInput where something else than a file stands in the place of the log.
    """
    log = history.load(project.log_directory)
    sources = read_plans(project, Inputs(project.root))._replace(log=log)
    attribution = attribution_of(sources)
    still_open = {blocker.id for blocker in open_blockers(sources, attribution)}
    blockers = [entry for entry in sources.log.blockers() if text_of(entry, "id") in still_open]
    return sources.log.recent(n, blockers, next_step(sources, attribution))


def vanished_of(project: Project) -> str | None:
    """Return a line about a history that only copies hold; None where there is none (S1.5)."""
    return recovery.vanished(project.log_directory, store.load(project.log_directory))
