"""What is in a project: the log, its `.gitignore`, its lock, and what was read.

What is wrong with the log itself is found in `log.verify` (`verify`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import datetime

from progress_plugin.core import data_directory
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import leads_outside
from progress_plugin.core.project import Project
from progress_plugin.log.shared_entries import SHARED_FOLDER
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.usecases.doctor.finding import Finding, note, ok, wrong
from progress_plugin.usecases.proposed_files import unread_files
from progress_plugin.usecases.share import is_ignored, still_tracked_remedy, tracked_files
from progress_plugin.usecases.summarize import why
from progress_plugin.usecases.summarizing.sources import Sources, foreign_notes
from progress_plugin.usecases.summarizing.unread_plans import unread_plans
from progress_plugin.usecases.verify import findings

_SHOWN = 3


def look_at_project(sources: Sources, now: datetime) -> Iterator[Finding]:
    """Look at inputs, log, freshness, ignore file and lock of a project. `now` carries its zone."""
    project = sources.project
    yield from _inputs(sources)
    yield from _log(project, now)
    if project.has_directory and not _is_elsewhere(project):
        yield _freshness(project)
        yield from _ignored(project, share=sources.settings.share)


def _is_elsewhere(project: Project) -> bool:
    """Return whether our directory is a link out of the project: that is named, and no more looked at."""
    places = ((project.directory, project.root), (project.log_directory, project.main_root))
    return any(leads_outside(root, place) for place, root in places)


def _inputs(sources: Sources) -> Iterator[Finding]:
    faults = list(sources.config.faults)
    yield from (wrong("settings", fault, "`agent-progress config path` names the file") for fault in faults)
    of_log = sources.log.problems()  # told with the log, with what to do about it
    others = [problem for problem in sources.problems if problem not in (*faults, *of_log)]
    yield from (wrong("sources", problem, "it is passed over until it is mended") for problem in others)
    notes = (*foreign_notes(sources), *unread_plans(sources))
    yield from (note("sources", told) for told in notes)
    yield from _unread_logs(sources)
    if not faults and not others:
        names = [plan.path for plan in sources.plans] + [log.source for log in sources.logs]
        yield ok(
            "sources",
            f"root {sources.project.root}, read: {', '.join(names) or 'no plan, no log of an agent'}",
        )


def _unread_logs(sources: Sources) -> Iterator[Finding]:
    """Name the logs at other places, such as what an agent moved out of its own: nothing of them is told."""
    read = [log.source for log in sources.logs]
    if logs := unread_files(sources.project.root, read).logs:
        told = f"not read, by {'its name a log' if len(logs) == 1 else 'their names logs'} of agents: "
        yield note("sources", told + some_of(logs, _SHOWN), "`agent-progress init` says how to have it read")


def _log(project: Project, now: datetime) -> Iterator[Finding]:
    try:
        found = findings(project, now)
    except AgentProgressError as error:
        yield wrong("log", str(error), "`agent-progress verify`")
        return
    yield from (wrong("log", each.what, each.remedy) for each in found)
    if not found:
        yield ok("log", "log and archive are in order")


def _freshness(project: Project) -> Finding:
    told = why(project)
    if told["fresh"]:
        return ok("summary", f"fresh: {told['reason']}")
    return note("summary", f"stale: {told['reason']}", "the next session start makes it anew")


def _ignored(project: Project, *, share: bool) -> Iterator[Finding]:
    ignore = os.path.join(project.directory, ".gitignore")
    if os.path.isdir(project.directory) and not os.path.exists(ignore):
        yield wrong(
            ".gitignore", f"{ignore} is missing: git would track the log", "run `agent-progress init`"
        )
    tracked = [
        name for name in tracked_files(project) if not data_directory.may_be_tracked(name, share=share)
    ]
    if tracked:
        some = some_of(tracked, _SHOWN)
        yield wrong(".gitignore", f"git tracks {counted(len(tracked), 'file')} of our directory: {some}",
                    _untrack(project, tracked, share=share))  # fmt: skip
    if share and is_ignored(project):
        yield wrong(
            ".gitignore",
            f"a rule of the repository, or your own, hides {SHARED_FOLDER}/ from git",
            f"git check-ignore -v {os.path.join(project.directory, SHARED_FOLDER)} names the line to change",
        )
    if os.path.exists(ignore) and not tracked:
        yield ok(
            ".gitignore",
            "git leaves our directory alone" if not share else "git tracks shared/ and no more of ours",
        )


def _untrack(project: Project, tracked: Sequence[str], *, share: bool) -> str:
    if not share:
        return f"git rm -r --cached {project.directory}; `config set share true` shares the history"
    return still_tracked_remedy(project, tracked)
