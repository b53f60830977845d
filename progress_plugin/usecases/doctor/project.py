"""Check a project: its sources, the log, git, transcripts and the team."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.team.state import load_with_waiting
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.text.safe_output import one_line
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.doctor.findings import Finding, note, ok, wrong
from progress_plugin.usecases.last_session import reads_transcripts
from progress_plugin.usecases.reading import Reading
from progress_plugin.usecases.sharing import find_tracked, untrack_remedy
from progress_plugin.usecases.team.setup import server_address, team_url
from progress_plugin.usecases.upkeep import findings

MAX_NAMES = 3
MAX_SOURCES = 12


def check_project(reading: Reading) -> Iterator[Finding]:
    """Run every check of this module; one that cannot read the log does not stop the others."""
    for check in _CHECKS:
        try:
            yield from check(reading)
        except AgentProgressError as error:
            yield wrong("log", str(error), "`agent-progress verify`")


def _check_sources(reading: Reading) -> Iterator[Finding]:
    faults = list(reading.config.faults)
    yield from (wrong("settings", fault, "`agent-progress config path` names the file") for fault in faults)
    known = (*faults, *reading.log.problems())  # `_check_log` reports those of the log
    problems = [problem for problem in reading.problems if problem not in known]
    yield from (wrong("sources", problem, "it is not read until it is corrected") for problem in problems)
    found = reading.facts.files
    yield from (ok("sources", f"{each.path} {each.role}: {each.reason}") for each in found[:MAX_SOURCES])
    if len(found) > MAX_SOURCES:
        yield ok("sources", f"{len(found) - MAX_SOURCES} more files: `agent-progress status --json`")
    if not found:
        yield ok("sources", f"no plan and no log of an agent in {reading.project.root}")


def _check_log(reading: Reading) -> Iterator[Finding]:
    faults = findings(reading.project, datetime.now(UTC))
    yield from (wrong("log", fault.what, fault.remedy) for fault in faults)
    if not faults:
        yield ok("log", "log and archive are in order")


def _check_ignored(reading: Reading) -> Iterator[Finding]:
    """Check that git tracks nothing of our directory but what is shared."""
    if tracked := find_tracked(reading.project, share=reading.settings.share):
        what = f"git tracks files of our directory: {some_of(tracked, MAX_NAMES)}"
        yield wrong(".gitignore", what, untrack_remedy(reading.project, tracked))


def _check_transcripts(reading: Reading) -> Iterator[Finding]:
    """Report how many transcripts were read, and the last one."""
    area = "transcripts"
    if not reads_transcripts(reading.project):
        remedy = "`agent-progress config set transcripts true`"
        yield note(area, "switched off: no session is shown the last one", remedy)
    elif records := SessionStore(reading.project).records():
        until = records[-1].ended[:16].replace("T", " ")
        yield ok(area, f"{counted(len(records), 'session')} read, the last up to {until} UTC")


def _check_team(reading: Reading) -> Iterator[Finding]:
    """Report the server of the team, whether this clone takes part, and whether the last sync reached it."""
    url, standing = team_url(), load_with_waiting(reading.project)
    server = server_address(url) if url else "no server is configured"
    if standing is None:
        if url:
            remedy = "`agent-progress sync` has it take part"
            yield note("team", f"{server}; this clone takes no part", remedy)
        return
    place = f"{server}, project {one_line(standing.project)}"
    if url is None:
        yield note("team", place, "name the server (`config set --user team.url`), or run `team leave`")
    elif standing.failing_since:
        remedy = "nothing is lost; `agent-progress sync` tries at once"
        yield wrong("team", f"{place}: {standing.line()}", remedy)
    else:
        waiting = f", {counted(standing.waiting, 'entry')} to be sent" if standing.waiting else ""
        yield ok("team", f"{place}, synced {standing.done or 'never yet'}{waiting}")


_CHECKS = (_check_sources, _check_log, _check_ignored, _check_transcripts, _check_team)
