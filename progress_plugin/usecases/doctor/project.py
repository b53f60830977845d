"""Check a project: its sources, what is recorded, the log, the summary, git, transcripts and the team."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.util import find_spec

from progress_plugin.core import data_directory
from progress_plugin.core.clients import CLIENTS, TASK_LIST_VARIABLE
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.project import Project
from progress_plugin.log.team_standing import lost_part, team_standing
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.text.safe_output import one_line
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.doctor.findings import Finding, note, ok, wrong
from progress_plugin.usecases.proposed_files import unread_files
from progress_plugin.usecases.share import still_tracked_remedy, tracked_files
from progress_plugin.usecases.starting.stale_reason import why
from progress_plugin.usecases.summarizing.last_session import reads_transcripts
from progress_plugin.usecases.summarizing.sources import Sources, foreign_notes
from progress_plugin.usecases.summarizing.unread_plans import unread_plans
from progress_plugin.usecases.team.psycopg import PACKAGE, environment_lacks_psycopg
from progress_plugin.usecases.team.team_address import address_of, holds_password
from progress_plugin.usecases.team.team_server import team_url
from progress_plugin.usecases.verify import findings

_MAX_NAMES = 3


def check_project(sources: Sources) -> Iterator[Finding]:
    """Run every check of this module; one that cannot read the log does not stop the others."""
    for check in _CHECKS:
        try:
            yield from check(sources)
        except AgentProgressError as error:
            yield wrong("log", str(error), "`agent-progress verify`")


def _check_sources(sources: Sources) -> Iterator[Finding]:
    faults = list(sources.config.faults)
    yield from (wrong("settings", fault, "`agent-progress config path` names the file") for fault in faults)
    known = (*faults, *sources.log.problems())  # `_check_log` reports those of the log
    problems = [problem for problem in sources.problems if problem not in known]
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


def _check_recording(sources: Sources) -> Iterator[Finding]:
    """Report which events can record finished work in this project."""
    if sources.plans:
        what = f"stories finished in {sources.plans[0].path} are recorded at edits and commits"
        yield ok("recording", what)
    elif sources.is_empty and not sources.project.has_directory:
        what = "nothing is recorded: no plan and no log"
        yield note("recording", what, "`agent-progress init` begins a log")
    else:
        yield note(
            "recording",
            "without a plan only TaskCompleted, the agents' log and `agent-progress log` report finished "
            f"work; newer models of Claude Code have a task list only with {TASK_LIST_VARIABLE}=1",
        )


def _check_log(sources: Sources) -> Iterator[Finding]:
    faults = findings(sources.project, datetime.now(UTC))
    yield from (wrong("log", fault.what, fault.remedy) for fault in faults)
    if not faults:
        yield ok("log", "log and archive are in order")


def _check_summary(sources: Sources) -> Iterator[Finding]:
    if sources.project.has_directory:
        state = why(sources.project)
        if state["fresh"]:
            yield ok("summary", f"fresh: {state['reason']}")
        else:
            yield note("summary", f"stale: {state['reason']}", "the next session start makes it anew")


def _check_ignored(sources: Sources) -> Iterator[Finding]:
    """Check that git tracks nothing of our directory but what is shared."""
    project, share, area = sources.project, sources.settings.share, ".gitignore"
    ignore = os.path.join(project.directory, ".gitignore")
    tracked = tracked_files(project)
    tracked = [name for name in tracked if not data_directory.may_be_tracked(name, share=share)]
    if tracked:
        files = counted(len(tracked), "file")
        what = f"git tracks {files} of our directory: {some_of(tracked, _MAX_NAMES)}"
        remedy = f"git rm -r --cached {project.directory}; `config set share true` shares the history"
        yield wrong(area, what, still_tracked_remedy(project, tracked) if share else remedy)
    elif project.has_directory and not os.path.exists(ignore):
        yield wrong(area, f"{ignore} is missing: git would track the log", "run `agent-progress init`")
    elif project.has_directory:
        yield ok(
            area, "git tracks shared/ and nothing else of ours" if share else "git ignores our directory"
        )


def _check_transcripts(sources: Sources) -> Iterator[Finding]:
    """Report which transcripts were read, and which were not understood."""
    area = "transcripts"
    if not reads_transcripts(sources.project):
        remedy = "`agent-progress config set transcripts true`"
        yield note(area, "switched off: no session is shown the last one", remedy)
        return
    records = SessionStore(sources.project).records()
    if not records:
        yield ok(area, "none was read here yet; they are read before compactions and at the end of sessions")
        return
    last, sessions = records[-1], counted(len(records), "session")
    place = f"{_title(last.client)}, session {last.short}, up to {last.ended[:16].replace('T', ' ')} UTC"
    yield ok(area, f"{sessions} read, the last: {place}")
    if faulty := Counter(_title(record.client) for record in records if not _is_understood(record)):
        number = counted(faulty.total(), "transcript was", "transcripts were")
        clients = ", ".join(f"{count} of {title}" for title, count in sorted(faulty.items()))
        yield note(area, f"{number} not or only partly understood ({clients}): empty, or of a new format")


def _is_understood(record: SessionRecord) -> bool:
    states = [state for state in record.reading.values() if isinstance(state, dict)]
    return bool(record.asked or record.keys) and not any(state.get("broken") for state in states)


def _title(client: str) -> str:
    return CLIENTS[client].title if client in CLIENTS else client


def _check_team(sources: Sources) -> Iterator[Finding]:
    """Report the configured server, whether this clone takes part, and whether it syncs; ask no server."""
    url, standing = team_url(), team_standing(sources.project)
    if url is not None:
        if find_spec(PACKAGE) is None or environment_lacks_psycopg():
            yield wrong("team", "psycopg is missing, so nothing syncs", "run `agent-progress setup`")
        if holds_password(url):
            remedy = "put it into ~/.pgpass, a file that PGPASSFILE names, or a service file"
            yield note("team", "team.url holds a password", remedy)
        yield _check_standing(sources.project, address_of(url).shown())
    elif standing is not None:
        what = f"this clone takes part in {one_line(standing.project)}, and no server is configured"
        remedy = "name it again (`config set --user team.url`), or run `agent-progress team leave`"
        yield note("team", what, remedy)


def _check_standing(project: Project, server: str) -> Finding:
    lost, standing = lost_part(project), team_standing(project)
    if lost is not None:
        what, _, remedy = lost.partition(": ")
        return wrong("team", f"{server}; {what}", remedy)
    if standing is None:
        what = f"{server}; this clone takes no part"
        return note("team", what, "`agent-progress sync` has it take part")
    place = f"{server}, project {one_line(standing.project)}"
    if standing.fault is not None:
        remedy = "nothing is lost; `agent-progress sync` tries at once and says what it finds"
        return wrong("team", f"{place}: {standing.line()}", remedy)
    waiting = f", {counted(standing.waiting, 'entry')} to be sent" if standing.waiting else ""
    return ok("team", f"{place}, synced {standing.synced or 'never yet'}{waiting}")


_CHECKS = (
    _check_sources,
    _check_recording,
    _check_log,
    _check_summary,
    _check_ignored,
    _check_transcripts,
    _check_team,
)
