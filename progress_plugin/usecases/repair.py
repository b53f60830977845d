"""Mend log and archive of a project (S1.8)."""

from __future__ import annotations

from datetime import datetime

from progress_plugin.core.files.input_records import Inputs
from progress_plugin.core.files.lock import PATIENCE
from progress_plugin.core.project import Project
from progress_plugin.log import repair, verify
from progress_plugin.usecases.recording.log_entry import drain_waiting, limits_of, renew
from progress_plugin.usecases.summarizing.sources import project_name, read_plans
from progress_plugin.usecases.summarizing.summary_files import lock_of, prepare


def repair_log(project: Project, now: datetime, *, adopt: bool = False) -> list[str]:
    """Return what was mended, one sentence each; nothing wrong is an empty list, and nothing is written.

    `now` carries its zone. With `adopt` copies come in that nothing shows to be this project's; without, they
    are named. Raises BadInput for a log that may not be written, Busy where another process holds the lock,
    AgentProgressError where the disk refuses.
    """
    directory = project.log_directory
    if not verify.mendable(directory, now, adopt=adopt):
        return _named(directory)
    prepare(project)
    drain_waiting(project)
    sources = read_plans(project, Inputs(project.root))
    with lock_of(project, PATIENCE):
        done = repair.repair(
            directory,
            now=now,
            project_name=project_name(sources),
            limits=limits_of(sources.settings),
            adopt=adopt,
        )
    return [*done, *(renew(project) if done else []), *_named(directory)]


def _named(directory: str) -> list[str]:
    return [f"not brought back: {each.what}; {each.remedy}" for each in verify.unproven(directory)]
