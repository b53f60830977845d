"""The command `repair`: mend log and archive of a project."""

from __future__ import annotations

import os
from datetime import datetime

from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.log import backup, repair, verify
from progress_plugin.log.archive import limits_of
from progress_plugin.usecases.project_writes import lock_of, prepare
from progress_plugin.usecases.reading import read_log
from progress_plugin.usecases.recording.append import renew
from progress_plugin.usecases.recording.record_events import drain
from progress_plugin.usecases.shared_faults import share_again


def repair_log(project: Project, now: datetime, *, adopt: bool = False) -> list[str]:
    """Return what was mended, one sentence each; nothing wrong is an empty list, and nothing is written.

    `now` carries its zone. With `adopt` copies come in that nothing shows to be this project's; without, they
    are named. Raises BadInput for a log that may not be written, Busy if another process holds the lock,
    AgentProgressError if the disk refuses.
    """
    directory = project.log_directory
    done = share_again(project)
    found = verify.find_mendable(directory, now, adopt=adopt)
    if found:
        kept = set(backup.corrupt_copies(directory))
        prepare(project)
        drain(project, DEFAULT_TIMEOUT_S)  # it mends a damaged log, too, and tells nobody
        reading = read_log(project)
        with lock_of(project, DEFAULT_TIMEOUT_S):
            notes = repair.repair(
                directory,
                now=now,
                project_name=reading.name,
                limits=limits_of(reading.settings),
                adopt=adopt,
            )
        left = verify.find_mendable(directory, now, adopt=adopt)
        new = [path for path in backup.corrupt_copies(directory) if path not in kept]
        notes = notes or [f"mended: {fault.what}" for fault in found if fault not in left]
        shown = " ".join(notes)
        notes += [f"the damaged original is kept: {os.path.relpath(path, directory)}"
                  for path in new if os.path.basename(path) not in shown]  # fmt: skip
        done += notes
    if done:
        done += renew(project)
    unproven = verify.find_unproven(directory)
    return [*done, *(f"not brought back: {fault.what}; {fault.remedy}" for fault in unproven)]
