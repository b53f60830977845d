"""The command `archive`: move old entries now. When they move by themselves: `log.archive`."""

from datetime import datetime
from typing import NamedTuple

from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.log import archive, store
from progress_plugin.log.archive import limits_of
from progress_plugin.usecases.project_writes import lock_of, prepare
from progress_plugin.usecases.reading import read_log
from progress_plugin.usecases.recording.append import renew


class Archived(NamedTuple):
    """What an archiving did."""

    moved: int
    left: int
    """Entries that are in the log now."""
    notes: list[str]


def archive_old(
    project: Project, now: datetime, *, days: int | None = None, at_least: int | None = None
) -> Archived:
    """Move what is due by the settings, or by `days` and `at_least` entries where they are given.

    `now` carries its zone. Nothing due: nothing is written. Raises BadInput for a log that may not be
    written, Busy where another process holds the lock, AgentProgressError where the disk refuses.
    """
    if store.load(project.log_directory).raw is None:
        return Archived(0, 0, [])
    prepare(project)
    reading = read_log(project)
    limits = limits_of(reading.settings)
    limits = limits._replace(
        days=limits.days if days is None else days,
        entries=limits.entries if at_least is None else at_least,
    )
    with lock_of(project, DEFAULT_TIMEOUT_S):
        log = store.load(project.log_directory)
        before = len(log.items)
        if not archive.due(log.items, limits, now) and not archive.moving_months(project.log_directory):
            return Archived(0, before, [])
        notes = store.save(
            project.log_directory,
            log,
            now=now,
            project_name=reading.name,
            limits=limits,
        )
    return Archived(before - len(log.items), len(log.items), notes + renew(project))
