"""Check whether everything works on this machine and in a project; nothing of the user's is changed."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import NamedTuple

from progress_plugin import VERSION, bootstrap
from progress_plugin.core import environment, error_log
from progress_plugin.core.clients import PROJECT_VARIABLE
from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.files import read_inside
from progress_plugin.core.paths import PREFIX, database_path, is_set
from progress_plugin.core.processes import find_program
from progress_plugin.core.project import Project
from progress_plugin.core.session_state import files_of_sessions
from progress_plugin.log.timestamp import format_time
from progress_plugin.memory import database
from progress_plugin.team.connection import import_psycopg
from progress_plugin.team.state import load_with_waiting
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.last_session import reads_transcripts
from progress_plugin.usecases.reading import Reading, read_project
from progress_plugin.usecases.sharing import find_tracked
from progress_plugin.usecases.team.setup import server_address, team_url
from progress_plugin.usecases.upkeep import find_faults

LAUNCHER = os.path.join(environment.PLUGIN_ROOT, "bin", "agent-progress")
START_TIMEOUT_S = 60.0
RECENT_ERROR = timedelta(days=1)


class Finding(NamedTuple):
    """The result of one check."""

    state: str  # ok; note, if it may be intended; wrong, if something has to be done
    area: str  # subject, in a word or two
    what: str  # a sentence without a full stop
    remedy: str = ""


ok, note, wrong = (partial(Finding, state) for state in ("ok", "note", "wrong"))


def examine(project: Project | None, now: datetime) -> tuple[list[Finding], str]:
    """Return the findings about installation, hooks and project, and the context of a session start here."""
    root = project.root if project else None
    findings = [*check_installation(), check_error_log(now, root)]
    if project is None:
        no_project = note("project", "there is no project here", "go into one, or name it with -C DIR")
        return [*findings, no_project], ""
    reading = read_project(project, None, os.environ)
    start, context = check_start(reading)
    return [*findings, start, *check_project(reading)], context


def check_installation() -> Iterator[Finding]:
    """Check plugin, Python, packages and memory database."""
    yield ok("plugin", f"{VERSION} in {environment.PLUGIN_ROOT}")
    yield ok("python", f"{platform.python_version()}, {sys.executable}")
    if not environment.python():
        yield ok("packages", "those of the running Python; hooks get their own at the first session start")
    elif bootstrap.works(environment.directory()):
        yield ok("packages", environment.directory())
    else:
        yield wrong("packages", f"damaged in {environment.directory()}", "run `agent-progress setup`")
    if team_url() is not None:
        try:
            import_psycopg()
        except BadInput as error:
            what, _, remedy = str(error).rpartition("; ")
            yield wrong("packages", what, remedy)
    try:
        path = database_path()
        problem = database.why_unusable(path)
    except BadInput as error:
        problem = str(error)
    if problem:
        yield wrong("memory", f"the database cannot be used: {problem}", "see docs/memory.md")
    else:
        yield ok("memory", path if os.path.exists(path) else "nothing is stored yet")


def check_error_log(now: datetime, root: str | None) -> Finding:
    """Check the log of errors in this project: wrong if the last one is less than a day old."""
    path = error_log.log_path()
    lines = (read_inside(None, path) or b"").decode("utf-8", "replace").splitlines()
    if root is not None:
        lines = [line for line in lines if f"(in {root}{os.sep}" in line.replace(")", os.sep)]
    if not lines:
        return ok("errors", "none was noted")
    what = f"{counted(len(lines), 'error was', 'errors were')} noted, the last: {lines[-1]}"
    since = (now - RECENT_ERROR).strftime("%Y-%m-%dT%H:%M:%SZ")
    finding = wrong if lines[-1].partition(" ")[0] > since else note
    return finding("errors", what, f"see {path}; remove it when the cause is gone")


def check_start(reading: Reading) -> tuple[Finding, str]:
    """Start a session as Claude Code does, writing nothing; return the finding and the context."""
    root, shell = reading.project.root, find_program("sh")
    command = [sys.executable, *environment.python_flags(), environment.MAIN]
    if shell and environment.python() and not environment.IS_INSTALLED:
        command = [shell, LAUNCHER]
    event = {"cwd": root, "hook_event_name": "SessionStart", "session_id": "doctor", "source": "startup"}
    own = {f"{PREFIX}READ_ONLY": "1", f"{PREFIX}NO_INSTALL": "1"}
    variables = {"CLAUDECODE": "1", PROJECT_VARIABLE: root, **own}
    context = problem = ""
    try:
        done = subprocess.run(
            [*command, "hook", "SessionStart"], cwd=root, env={**os.environ, **variables}, check=False,
            input=json.dumps(event).encode(), capture_output=True, timeout=START_TIMEOUT_S,
        )  # fmt: skip
        if done.returncode or done.stderr:
            errors = done.stderr.decode("utf-8", "replace").strip().splitlines()
            problem = errors[-1] if errors else f"exit code {done.returncode}"
        else:
            output = json.loads(done.stdout or b"{}").get("hookSpecificOutput", {})
            context = str(output.get("additionalContext", ""))
    except (ValueError, AttributeError) as error:
        problem = f"its output is not what a client expects: {error}"
    except (OSError, subprocess.TimeoutExpired) as error:
        problem = str(error)
    if problem:
        remedy = "run `agent-progress setup`, then this again"
        return wrong("session start", f"it failed: {problem}", remedy), ""
    if not context:
        is_expected = reading.is_empty or is_set("DISABLED") or not reading.settings.inject
        remedy = "`agent-progress init` begins a log; `inject` and AGENT_PROGRESS_DISABLED switch it off"
        finding = note if is_expected else wrong
        return finding("session start", "an agent is shown nothing", remedy), ""
    return ok("session start", f"an agent receives {len(context):,} characters"), context


def check_project(reading: Reading) -> Iterator[Finding]:
    """Check hooks, sources, log, git, transcripts, team; a fault of one does not stop the others."""
    for check in (_check_hooks, _check_sources, _check_log, _check_transcripts, _check_team):
        try:
            yield from check(reading)
        except AgentProgressError as error:
            yield wrong("log", *str(error).rsplit("; ", 1))


def _check_hooks(reading: Reading) -> Iterator[Finding]:
    """Report when our hook for a session start last ran here."""
    if times := [os.stat(path).st_mtime for path in files_of_sessions(reading.project.root)]:
        last = format_time(datetime.fromtimestamp(max(times), UTC))
        yield ok("hooks", f"the last session here was at {last}")
    else:
        remedy = "start one, after `agent-progress install --all` if none has the plugin; hooks may be off"
        yield note("hooks", "no client has started a session here yet", remedy)


def _check_sources(reading: Reading) -> Iterator[Finding]:
    faults = list(reading.config.faults)
    yield from (wrong("settings", fault, "`agent-progress config path` names the file") for fault in faults)
    known = (*faults, *reading.log.problems(), reading.lost_history)  # `_check_log` reports those of the log
    problems = [problem for problem in reading.problems if problem not in known]
    yield from (wrong("sources", problem, "correct this; it is not read until then") for problem in problems)
    found = reading.facts.files
    yield from (ok("sources", f"{each.path} {each.role}: {each.reason}") for each in found)
    if not found:
        yield ok("sources", f"no plan and no log of an agent in {reading.project.root}")


def _check_log(reading: Reading) -> Iterator[Finding]:
    """Check log and archive, and that git tracks only the shared files of our directory."""
    faults = find_faults(reading.project, datetime.now(UTC))
    yield from (wrong("log", *fault) for fault in faults)
    if not faults:
        yield ok("log", "log and archive are in order")
    for fault in find_tracked(reading.project, share=reading.settings.share):
        yield wrong(".gitignore", *fault)


def _check_transcripts(reading: Reading) -> Iterator[Finding]:
    """Report how many sessions were read, and up to what time."""
    if not reads_transcripts(reading.project):
        what = "switched off: a session start does not show the last session"
        yield note("transcripts", what, "`agent-progress config set transcripts true`")
    elif records := SessionStore(reading.project).records():
        until = records[-1].ended[:16].replace("T", " ")
        yield ok("transcripts", f"{counted(len(records), 'session')} read, the last up to {until} UTC")


def _check_team(reading: Reading) -> Iterator[Finding]:
    """Report the server of the team, whether this clone takes part, and whether the last sync reached it."""
    url, team = team_url(), load_with_waiting(reading.project)
    place = server_address(url) if url else "no server is configured"
    if team is None:
        if url:
            remedy = (
                "join by `agent-progress sync`, without a remote by `agent-progress team join --key NAME`"
            )
            yield note("team", f"{place}; this clone takes no part", remedy)
        return
    place = f"{place}, project {one_line(team.project)}"
    if url is None:
        yield note("team", place, "name the server (`config set --user team.url`), or run `team leave`")
    elif team.failing_since:
        yield wrong("team", f"{place}: {team.line()}", "nothing is lost; `agent-progress sync` tries at once")
    else:
        waiting = f", {counted(team.waiting, 'entry')} to be sent" if team.waiting else ""
        yield ok("team", f"{place}, {f'synced {team.done}' if team.done else 'not synced yet'}{waiting}")
