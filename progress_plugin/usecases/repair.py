"""The command `repair`: mend log and archive of a project. What is mended is in `log.repair`."""

from __future__ import annotations

import os
from datetime import datetime

from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.log import backup, repair, verify
from progress_plugin.log.archive import limits_of
from progress_plugin.log.verify import Fault
from progress_plugin.usecases.project_writes import lock_of, prepare
from progress_plugin.usecases.reading import read_log
from progress_plugin.usecases.recording.append import renew
from progress_plugin.usecases.recording.record_events import drain
from progress_plugin.usecases.shared_faults import share_again


def repair_log(project: Project, now: datetime, *, adopt: bool = False) -> list[str]:
    """Return what was mended, one sentence each; nothing wrong is an empty list, and nothing is written.

    `now` carries its zone. With `adopt` copies come in that nothing shows to be this project's; without, they
    are named. Raises BadInput for a log that may not be written, Busy where another process holds the lock,
    AgentProgressError where the disk refuses.
    """
    directory = project.log_directory
    shared = share_again(project)
    if shared:
        shared += renew(project)
    found = verify.find_mendable(directory, now, adopt=adopt)
    if not found:
        return [*shared, *_named(directory)]
    aside = set(backup.corrupt_copies(directory))
    prepare(project)
    drain(project, DEFAULT_TIMEOUT_S)
    # Whoever records what waits mends, too, and tells nobody.
    left = verify.find_mendable(directory, now, adopt=adopt)
    done = [*_mended(found, left), *_kept_aside(directory, aside)]
    reading = read_log(project)
    with lock_of(project, DEFAULT_TIMEOUT_S):
        done += repair.repair(
            directory,
            now=now,
            project_name=reading.name,
            limits=limits_of(reading.settings),
            adopt=adopt,
        )
    done = done or _mended(found, verify.find_mendable(directory, now, adopt=adopt))
    return [*shared, *done, *(renew(project) if done else []), *_named(directory)]


def _mended(found: list[Fault], left: list[Fault]) -> list[str]:
    return [f"mended: {fault.what}" for fault in found if fault not in left]


def _kept_aside(directory: str, before: set[str]) -> list[str]:
    new = (path for path in backup.corrupt_copies(directory) if path not in before)
    return [f"the damaged original is kept: {os.path.relpath(path, directory)}" for path in new]


def _named(directory: str) -> list[str]:
    return [f"not brought back: {each.what}; {each.remedy}" for each in verify.find_unproven(directory)]
