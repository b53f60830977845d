"""Check the hooks: the settings that start them, one real start, and errors they survived."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from progress_plugin.core import environment, error_log
from progress_plugin.core.clients import CLAUDE_CONFIG_DIR, PROJECT_VARIABLE
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import read_inside
from progress_plugin.core.paths import PREFIX, is_set
from progress_plugin.core.processes import find_program
from progress_plugin.text.bounds import counted
from progress_plugin.usecases.doctor.findings import Finding, note, ok, wrong
from progress_plugin.usecases.install.registrars import PLUGIN_ID, settings_path
from progress_plugin.usecases.reading import Reading

LAUNCHER = os.path.join(environment.PLUGIN_ROOT, "bin", "agent-progress")
TIMEOUT_S = 60.0
RECENT_ERROR = timedelta(days=1)
RETRY = "run `agent-progress setup`, then this again"


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


def check_start(reading: Reading) -> tuple[Finding, str]:
    """Run a real session start that writes nothing; return the finding and the context an agent receives."""
    shell = find_program("sh")
    command = [sys.executable, *environment.python_flags(), environment.MAIN]
    if shell and environment.python() and not environment.IS_INSTALLED:
        command = [shell, LAUNCHER]
    try:
        answer = _run_start(command, reading.project.root)
    except AgentProgressError as error:
        return wrong("session start", str(error), RETRY), ""
    context = str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))
    if not context:
        return _explain_silence(reading), ""
    return ok("session start", f"an agent receives {len(context):,} characters"), context


def _run_start(command: list[str], root: str) -> dict[str, Any]:
    """Start a session as Claude Code does, writing nothing, and return the answer."""
    event = {"cwd": root, "hook_event_name": "SessionStart", "session_id": "doctor", "source": "startup"}
    own = {"READ_ONLY": "1", "NO_INSTALL": "1"}
    variables = {"CLAUDECODE": "1", PROJECT_VARIABLE: root} | {PREFIX + name: own[name] for name in own}
    try:
        done = subprocess.run(
            [*command, "hook", "SessionStart"], cwd=root, env={**os.environ, **variables}, check=False,
            input=json.dumps(event).encode(), capture_output=True, timeout=TIMEOUT_S,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise AgentProgressError(f"it failed: {error}") from error
    if done.returncode or done.stderr:
        errors = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise AgentProgressError(f"it failed: {errors[-1] if errors else f'exit code {done.returncode}'}")
    try:
        return dict(json.loads(done.stdout or b"{}"))
    except (ValueError, TypeError) as error:
        raise AgentProgressError(f"its output is not what a client expects: {error}") from error


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
