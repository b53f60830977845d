"""Check a project: what is read and what is not, the log, the summary, `.gitignore`, and what is recorded."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime

from progress_plugin.core import data_directory
from progress_plugin.core.clients import TASK_LIST_VARIABLE
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.project import Project
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.usecases.doctor.findings import Finding, note, ok, wrong
from progress_plugin.usecases.proposed_files import unread_files
from progress_plugin.usecases.share import still_tracked_remedy, tracked_files
from progress_plugin.usecases.summarize import why
from progress_plugin.usecases.summarizing.sources import Sources, foreign_notes
from progress_plugin.usecases.summarizing.unread_plans import unread_plans
from progress_plugin.usecases.verify import findings

_MAX_NAMES = 3


def check_project(sources: Sources) -> Iterator[Finding]:
    """Check the files of a project."""
    yield from _check_sources(sources)
    yield _check_recording(sources)
    try:
        yield from _check_log(sources.project)
        if sources.project.has_directory:
            yield _check_summary(sources.project)
            yield _check_ignored(sources.project, share=sources.settings.share)
    except AgentProgressError as error:
        yield wrong("log", str(error), "`agent-progress verify`")


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
        remedy = "`agent-progress init` says how to have it read"
        yield note("sources", what + some_of(logs, _MAX_NAMES), remedy)
    if not faults and not problems:
        read = ", ".join([*(plan.path for plan in sources.plans), *names]) or "no plan, no log of an agent"
        yield ok("sources", f"root {sources.project.root}, read: {read}")


def _check_recording(sources: Sources) -> Finding:
    """Report which events can record finished work in this project."""
    if sources.plans:
        what = f"stories finished in {sources.plans[0].path} are recorded at edits and commits"
        return ok("recording", what)
    if sources.is_empty and not sources.project.has_directory:
        what = "nothing is recorded: no plan and no log"
        return note("recording", what, "`agent-progress init` begins a log")
    return note(
        "recording",
        "without a plan only TaskCompleted, the agents' log and `agent-progress log` report finished work; "
        f"newer models of Claude Code have a task list only with {TASK_LIST_VARIABLE}=1",
    )


def _check_log(project: Project) -> Iterator[Finding]:
    faults = findings(project, datetime.now(UTC))
    yield from (wrong("log", fault.what, fault.remedy) for fault in faults)
    if not faults:
        yield ok("log", "log and archive are in order")


def _check_summary(project: Project) -> Finding:
    state = why(project)
    if state["fresh"]:
        return ok("summary", f"fresh: {state['reason']}")
    return note("summary", f"stale: {state['reason']}", "the next session start makes it anew")


def _check_ignored(project: Project, *, share: bool) -> Finding:
    """Check that git tracks nothing of our directory but what is shared."""
    area, directory = ".gitignore", project.directory
    ignore = os.path.join(directory, ".gitignore")
    tracked = tracked_files(project)
    tracked = [name for name in tracked if not data_directory.may_be_tracked(name, share=share)]
    if tracked:
        files = counted(len(tracked), "file")
        what = f"git tracks {files} of our directory: {some_of(tracked, _MAX_NAMES)}"
        remedy = f"git rm -r --cached {directory}; `config set share true` shares the history"
        return wrong(area, what, still_tracked_remedy(project, tracked) if share else remedy)
    if not os.path.exists(ignore):
        return wrong(area, f"{ignore} is missing: git would track the log", "run `agent-progress init`")
    return ok(area, "git tracks shared/ and nothing else of ours" if share else "git ignores our directory")
