"""Check a project: what is read and what is not, the log, the summary, `.gitignore`, and what is recorded."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime

from progress_plugin.core import data_directory
from progress_plugin.core.clients import TASK_LIST_VARIABLE, current_client
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import leads_outside
from progress_plugin.core.known_paths import FILE_NAMES
from progress_plugin.core.project import Project
from progress_plugin.log.shared_entries import SHARED_FOLDER
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.usecases.doctor.findings import Finding, note, ok, wrong
from progress_plugin.usecases.proposed_files import unread_files
from progress_plugin.usecases.share import is_ignored, still_tracked_remedy, tracked_files
from progress_plugin.usecases.summarize import why
from progress_plugin.usecases.summarizing.sources import Sources, foreign_notes
from progress_plugin.usecases.summarizing.unread_plans import unread_plans
from progress_plugin.usecases.verify import findings

_MAX_NAMES = 3


def check_project(sources: Sources) -> Iterator[Finding]:
    """Check the files of a project."""
    project = sources.project
    yield from _check_sources(sources)
    yield from _check_recording(sources)
    yield from _check_file_notes(sources)
    yield from _check_log(project)
    if project.has_directory and not _leads_outside(project):
        yield _check_summary(project)
        yield from _check_ignored(project, share=sources.settings.share)


def _check_sources(sources: Sources) -> Iterator[Finding]:
    faults = list(sources.config.faults)
    yield from (wrong("settings", fault, "`agent-progress config path` names the file") for fault in faults)
    of_log = sources.log.problems()  # `_check_log` reports them
    problems = [problem for problem in sources.problems if problem not in (*faults, *of_log)]
    yield from (wrong("sources", problem, "it is not read until it is corrected") for problem in problems)
    yield from (note("sources", line) for line in (*foreign_notes(sources), *unread_plans(sources)))
    names = [log.source for log in sources.logs]
    if logs := unread_files(sources.project.root, names).logs:
        what = f"not read, by {'its name a log' if len(logs) == 1 else 'their names logs'} of agents: "
        yield note(
            "sources", what + some_of(logs, _MAX_NAMES), "`agent-progress init` says how to have it read"
        )
    if not faults and not problems:
        names = [*(plan.path for plan in sources.plans), *names]
        read = ", ".join(names) or "no plan, no log of an agent"
        yield ok("sources", f"root {sources.project.root}, read: {read}")


def _check_recording(sources: Sources) -> Iterator[Finding]:
    """Report which events can record finished work in this project."""
    if sources.is_empty and not sources.project.has_directory:
        yield note(
            "recording", "nothing is recorded: no plan and no log", "`agent-progress init` begins a log"
        )
        return
    names = [*(plan.path for plan in sources.plans), *(log.source for log in sources.logs)]
    if late := [path for path in names if path.rpartition("/")[2] not in FILE_NAMES]:
        yield note("recording", f"{', '.join(late)}: compared at the end of a turn, not at each edit")
    if sources.plans:
        yield ok(
            "recording", f"stories finished in {sources.plans[0].path} are recorded at edits and commits"
        )
        return
    yield note(
        "recording",
        "without a plan only TaskCompleted, the agents' log and `agent-progress log` report finished work; "
        f"newer models of Claude Code have a task list only with {TASK_LIST_VARIABLE}=1",
    )


def _check_file_notes(sources: Sources) -> Iterator[Finding]:
    """Report why an agent is not shown what is recorded about a file that it opens."""
    client = current_client(None, set(os.environ))
    if not client.takes_tool_context:
        yield note("files", f"{client.title} takes no context after a tool use: nothing is shown at files")
    off = [name for name in ("inject", "jit") if not getattr(sources.settings, name)]
    if off:
        remedy = ", ".join(f"`agent-progress config set {name} true`" for name in off)
        yield note("files", "nothing is shown when a file is opened: it is switched off", remedy)


def _check_log(project: Project) -> Iterator[Finding]:
    try:
        faults = findings(project, datetime.now(UTC))
    except AgentProgressError as error:
        yield wrong("log", str(error), "`agent-progress verify`")
        return
    yield from (wrong("log", fault.what, fault.remedy) for fault in faults)
    if not faults:
        yield ok("log", "log and archive are in order")


def _check_summary(project: Project) -> Finding:
    state = why(project)
    if state["fresh"]:
        return ok("summary", f"fresh: {state['reason']}")
    return note("summary", f"stale: {state['reason']}", "the next session start makes it anew")


def _leads_outside(project: Project) -> bool:
    """Return whether our directory is a link out of the project; `_check_log` reports that."""
    places = ((project.directory, project.root), (project.log_directory, project.main_root))
    return any(leads_outside(root, place) for place, root in places)


def _check_ignored(project: Project, *, share: bool) -> Iterator[Finding]:
    """Check that git tracks nothing of our directory but what is shared."""
    area, directory = ".gitignore", project.directory
    ignore = os.path.join(directory, ".gitignore")
    tracked = [
        name for name in tracked_files(project) if not data_directory.may_be_tracked(name, share=share)
    ]
    if os.path.isdir(directory) and not os.path.exists(ignore):
        yield wrong(area, f"{ignore} is missing: git would track the log", "run `agent-progress init`")
    if tracked:
        remedy = f"git rm -r --cached {directory}; `config set share true` shares the history"
        yield wrong(
            area,
            f"git tracks {counted(len(tracked), 'file')} of our directory: {some_of(tracked, _MAX_NAMES)}",
            still_tracked_remedy(project, tracked) if share else remedy,
        )
    if share and is_ignored(project):
        yield wrong(
            area,
            f"a rule of the repository, or your own, hides {SHARED_FOLDER}/ from git",
            f"git check-ignore -v {os.path.join(directory, SHARED_FOLDER)} names the line to change",
        )
    if os.path.exists(ignore) and not tracked:
        yield ok(
            area, "git tracks shared/ and nothing else of ours" if share else "git ignores our directory"
        )
