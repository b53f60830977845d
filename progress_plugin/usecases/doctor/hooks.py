"""Check the hooks: the settings that start them, one real start, a rehearsal, and errors they survived."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from progress_plugin.core import environment, error_log
from progress_plugin.core.clients import CLAUDE_CONFIG_DIR, as_claude_code
from progress_plugin.core.data_directory import DATA_DIRECTORY
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import read_inside
from progress_plugin.core.processes import find_program
from progress_plugin.core.variables import is_set
from progress_plugin.log.store import LOG_FILE
from progress_plugin.text.bounds import counted
from progress_plugin.usecases.doctor.findings import Finding, note, ok, wrong
from progress_plugin.usecases.install.registrars import PLUGIN_ID, settings_path
from progress_plugin.usecases.reading import Reading

LAUNCHER = os.path.join(environment.PLUGIN_ROOT, "bin", "agent-progress")
TIMEOUT_S = 60.0
RECENT_ERROR = timedelta(days=1)
SETTINGS = ("XDG_", "AGENT_PROGRESS_", "CLAUDE")  # variables that the rehearsal does not inherit
RETRY = "run `agent-progress setup`, then this again"


class HookFailed(Exception):
    """A hook did not end with exit code 0, empty standard error and the expected output."""


def check_settings(root: str | None) -> Iterator[Finding]:
    """Check Claude Code's settings of the user and of the project: one of them must start the hooks."""
    home = settings_path(CLAUDE_CONFIG_DIR, "~/.claude")
    files: list[tuple[str, str | None]] = [(os.path.join(home, "settings.json"), None)]
    if root:
        files += [(f"{root}/.claude/{name}", root) for name in ("settings.json", "settings.local.json")]
    starter = ""
    for path, inside in files:
        try:
            settings = json.loads(read_inside(inside, path) or b"{}")
            is_enabled = (settings.get("enabledPlugins") or {}).get(PLUGIN_ID) is True
        except (AgentProgressError, ValueError, RecursionError, AttributeError) as error:
            yield wrong("hooks", f"{path} cannot be read: {error}", "correct it: the client ignores it")
            continue
        if settings.get("disableAllHooks") is True:
            yield wrong("hooks", f"{path} disables all hooks", "remove disableAllHooks from it")
        if is_enabled or "agent-progress" in json.dumps(settings.get("hooks")):
            starter = starter or path
    if starter:
        yield ok("hooks", f"Claude Code starts them by {starter}")
    else:
        what = "the settings of Claude Code do not name the plugin"
        yield note(
            "hooks", what, "`agent-progress install claude`; not needed with --plugin-dir or another client"
        )


def check_error_log(now: datetime, root: str | None) -> Finding:
    """Check the log of errors that hooks survived in this project: one of the last day counts as wrong."""
    path = error_log.place()
    lines = (read_inside(None, path) or b"").decode("utf-8", "replace").splitlines()
    if root is not None:
        lines = [line for line in lines if f"(in {root}{os.sep}" in line.replace(")", os.sep)]
    if not lines:
        return ok("errors", "no hook failed")
    what = f"hooks survived {counted(len(lines), 'error')}, the last: {lines[-1]}"
    since = (now - RECENT_ERROR).strftime("%Y-%m-%dT%H:%M:%SZ")
    finding = wrong if lines[-1].partition(" ")[0] > since else note
    return finding("errors", what, f"see {path}; remove it when the cause is gone")


def rehearse() -> Finding:
    """Finish a story in a scratch project, with a home of its own, and check that it is recorded once."""
    with tempfile.TemporaryDirectory(prefix="agent-progress-doctor-") as scratch:
        root = os.path.join(scratch, "project")
        os.mkdir(root)
        plan = os.path.join(root, "prd.json")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(SETTINGS)}
        variables = {**inherited, "HOME": scratch, "LOCALAPPDATA": scratch}
        edit = {"tool_name": "Write", "tool_input": {"file_path": plan}}
        try:
            _write_plan(plan, passes=False)
            # The launcher would look for the environment in this home.
            _run_hook(_python_command(), "SessionStart", root, {"source": "startup"}, variables)
            # A first start may be too late to record what is finished: Python still compiles the modules.
            _run_hook(_python_command(), "PostToolUse", root, edit, variables)
            _write_plan(plan, passes=True)
            _run_hook(_python_command(), "PostToolUse", root, edit, variables)
        except HookFailed as error:
            return wrong("rehearsal", f"in a scratch project: {error}", RETRY)
        entries = _wait_for_completed_tasks(root)
    if entries == 1:
        return ok("rehearsal", "in a scratch project: a story finished in a plan is recorded, once")
    what = f"in a scratch project: a finished story made {entries} entries instead of one"
    return wrong("rehearsal", what, f"if the machine is busy, try again later; otherwise {RETRY}")


def _write_plan(path: str, *, passes: bool) -> None:
    story = {"id": "US-001", "title": "Rehearse the hooks", "passes": passes}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"project": "Rehearsal", "userStories": [story]}, file)


def _wait_for_completed_tasks(root: str) -> int:
    """Return how many tasks the log calls done; a slow hook leaves the work to a background process."""
    path = os.path.join(root, DATA_DIRECTORY, LOG_FILE)
    until, number = time.monotonic() + TIMEOUT_S, 0
    while not number and time.monotonic() < until:
        time.sleep(0.1)
        entries = json.loads(read_inside(root, path) or b"{}").get("entries", ())
        number = sum(entry["type"] == "task_completed" for entry in entries)
    return number


def check_start(reading: Reading) -> tuple[Finding, str]:
    """Run a real session start that writes nothing; return the finding and the context an agent receives."""
    variables = {**os.environ, "AGENT_PROGRESS_READ_ONLY": "1"}
    shell = find_program("sh")
    has_launcher = shell and environment.python() and not environment.IS_INSTALLED
    command = [str(shell), LAUNCHER] if has_launcher else _python_command()
    try:
        answer = _run_hook(command, "SessionStart", reading.project.root, {"source": "startup"}, variables)
    except HookFailed as error:
        return wrong("session start", str(error), RETRY), ""
    context = str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))
    if not context:
        return _explain_silence(reading), ""
    return ok("session start", f"an agent receives {len(context):,} characters"), context


def _python_command() -> list[str]:
    """Return the command that the launcher ends in."""
    return [sys.executable, *environment.python_flags(), environment.MAIN]


def _run_hook(
    command: list[str], event: str, root: str, fields: Mapping[str, Any], variables: Mapping[str, str]
) -> dict[str, Any]:
    """Run a hook as Claude Code does and return its answer. Raises HookFailed."""
    event_input = json.dumps({"cwd": root, "hook_event_name": event, "session_id": "doctor", **fields})
    try:
        done = subprocess.run(
            [*command, "hook", event], input=event_input.encode(), capture_output=True, cwd=root, check=False,
            env={**variables, **as_claude_code(root), "AGENT_PROGRESS_NO_INSTALL": "1"}, timeout=TIMEOUT_S,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HookFailed(f"{event} failed: {error}") from error
    if done.returncode or done.stderr:
        errors = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise HookFailed(f"{event} failed: {errors[-1] if errors else f'exit code {done.returncode}'}")
    try:
        return dict(json.loads(done.stdout or b"{}"))
    except (ValueError, TypeError) as error:
        raise HookFailed(f"the output of {event} is not what a client expects: {error}") from error


def _explain_silence(reading: Reading) -> Finding:
    if is_set("DISABLED"):
        return note("session start", "disabled by AGENT_PROGRESS_DISABLED", "unset it")
    if not reading.settings.inject:
        what = "nothing is shown: it is switched off"
        return note("session start", what, "`agent-progress config set inject true`")
    if reading.is_empty:
        what = "nothing is shown: no plan, and nothing is recorded yet"
        return note("session start", what, "`agent-progress init` begins a log")
    what = "nothing is shown although something is recorded"
    return wrong("session start", what, f"see {error_log.place()}")
