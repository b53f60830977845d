"""Check the hooks: the settings that start them, one real start, a rehearsal, and errors they survived."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from progress_plugin.core import environment, error_log
from progress_plugin.core.clients import CLAUDE_CONFIG_DIR, as_claude_code
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import read_inside
from progress_plugin.core.known_paths import DATA_DIRECTORY
from progress_plugin.core.processes import find_program
from progress_plugin.log.store import LOG_FILE
from progress_plugin.summary.start_context import CAP
from progress_plugin.text.bounds import counted, utf16_length
from progress_plugin.usecases.demo import EXAMPLE, EXAMPLE_FILES
from progress_plugin.usecases.doctor.findings import Finding, note, ok, wrong
from progress_plugin.usecases.install.registrars import settings_path
from progress_plugin.usecases.summarizing.sources import Sources

LAUNCHER = os.path.join(environment.PLUGIN_ROOT, "bin", "agent-progress")
_TIMEOUT_S = 60.0
_RECENT_ERROR = timedelta(days=1)
_REHEARSED_STORY = "US-013"
_SETTINGS = ("XDG_", "AGENT_PROGRESS_", "CLAUDE")  # variables that the rehearsal does not inherit
_RETRY = "run `agent-progress setup`, then this again"


class HookFailed(Exception):
    """A hook did not end with exit code 0, empty standard error and the expected output."""


def check_settings(root: str | None) -> Iterator[Finding]:
    """Check Claude Code's settings of the user and of the project: one of them must start the hooks."""
    starters: list[str] = []
    for path, inside in _settings_files(root):
        try:
            settings = json.loads(read_inside(inside, path) or b"null")
        except (AgentProgressError, ValueError, RecursionError) as error:
            yield wrong(
                "hooks", f"{path} cannot be read: {error}", "correct it: the client ignores all of it"
            )
            continue
        if not isinstance(settings, dict):
            continue
        if settings.get("disableAllHooks") is True:
            yield wrong("hooks", f"{path} disables all hooks", "remove disableAllHooks from it")
        enabled = settings.get("enabledPlugins")
        names = (
            [name for name, is_on in enabled.items() if is_on is True] if isinstance(enabled, dict) else []
        )
        starters += [f"the plugin {name}" for name in names if name.startswith("progress@")]
        starters += [path] if "agent-progress" in json.dumps(settings.get("hooks")) else []
    starters = list(dict.fromkeys(starters))
    if len(starters) > 1:
        remedy = "keep one: `claude plugin disable NAME`, or remove ours from the file"
        yield wrong("hooks", f"started more than once: by {' and '.join(starters)}", remedy)
    elif starters:
        yield ok("hooks", f"started by {starters[0]} in Claude Code")
    else:
        what = "the settings of Claude Code do not name the plugin"
        remedy = (
            "`agent-progress install claude` registers it; not needed with --plugin-dir or another client"
        )
        yield note("hooks", what, remedy)


def _settings_files(root: str | None) -> list[tuple[str, str | None]]:
    """Return each settings file once, with the root that it must lie in if the project brings it."""
    home = settings_path(CLAUDE_CONFIG_DIR, "~/.claude")
    names = ("settings.json", "settings.local.json")
    files: list[tuple[str, str | None]] = [(os.path.join(home, name), None) for name in names]
    if root and os.path.realpath(os.path.join(root, ".claude")) != os.path.realpath(home):
        files += [(os.path.join(root, ".claude", name), root) for name in names]
    return files


def check_error_log(now: datetime) -> Finding:
    """Check the log of errors that hooks survived: an error of the last day counts as wrong."""
    path = error_log.place()
    lines = (read_inside(None, path) or b"").decode("utf-8", "replace").splitlines()
    if not lines:
        return ok("errors", "no hook failed")
    what = f"hooks survived {counted(len(lines), 'error')}, the last: {lines[-1]}"
    since = (now - _RECENT_ERROR).strftime("%Y-%m-%dT%H:%M:%SZ")
    finding = wrong if lines[-1].partition(" ")[0] > since else note
    return finding("errors", what, f"see {path}; remove it when the cause is gone")


def rehearse() -> Finding:
    """Finish a story in a copy of the example, with a home of its own, and check that it is recorded once."""
    with tempfile.TemporaryDirectory(prefix="agent-progress-doctor-") as scratch:
        root, home = os.path.join(scratch, "harbour"), os.path.join(scratch, "home")
        os.mkdir(root)
        os.mkdir(home)
        for name in EXAMPLE_FILES:
            shutil.copyfile(os.path.join(EXAMPLE, name), os.path.join(root, name))
        plan = os.path.join(root, "prd.json")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(_SETTINGS)}
        variables = {**inherited, "HOME": home, "LOCALAPPDATA": home}
        edit = {"tool_name": "Write", "tool_input": {"file_path": plan}}
        try:
            _run_hook("SessionStart", root, {"source": "startup"}, variables)
            # A first start may be too late to record what is finished: Python still compiles the modules.
            _run_hook("PostToolUse", root, edit, variables)
            _finish_story(plan)
            _run_hook("PostToolUse", root, edit, variables)
            _run_hook("Stop", root, {}, variables)
        except HookFailed as error:
            return wrong("rehearsal", f"in a copy of the example: {error}", _RETRY)
        recorded = _wait_for_completed_tasks(root)
    if recorded == [_REHEARSED_STORY]:
        return ok("rehearsal", "in a copy of the example: a story finished in a plan is recorded, once")
    if not recorded:
        what = "in a copy of the example: a finished story was not recorded within a minute"
        return wrong("rehearsal", what, f"if the machine is busy, try again later; otherwise {_RETRY}")
    what = f"in a copy of the example: a finished story made {len(recorded)} entries instead of one"
    return wrong("rehearsal", what, _RETRY)


def _finish_story(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        plan = json.load(file)
    for story in plan["userStories"]:
        story["passes"] = story["passes"] or story["id"] == _REHEARSED_STORY
    with open(path, "w", encoding="utf-8") as file:
        json.dump(plan, file)


def _wait_for_completed_tasks(root: str) -> list[str | None]:
    """Return the stories that the log calls done; a slow hook leaves the work to a background process."""
    path = os.path.join(root, DATA_DIRECTORY, LOG_FILE)
    deadline = time.monotonic() + _TIMEOUT_S
    while True:
        entries = json.loads(read_inside(root, path) or b"{}").get("entries", ())
        found = [entry.get("task_id") for entry in entries if entry["type"] == "task_completed"]
        if found or time.monotonic() > deadline:
            return found
        time.sleep(0.1)


def check_start(sources: Sources) -> tuple[Finding, str]:
    """Run a real session start that writes nothing; return the finding and the context an agent receives."""
    variables = {**os.environ, "AGENT_PROGRESS_READ_ONLY": "1"}
    for _ in range(2):  # a first start may be too late: Python still compiles the modules
        try:
            output = _run_hook("SessionStart", sources.project.root, {"source": "startup"}, variables)
            context = _context_of(output)
        except HookFailed as error:
            return wrong("session start", str(error), _RETRY), ""
        if context:
            length = utf16_length(output.decode("utf-8", "replace"))
            what = f"an agent receives {length:,} of at most {CAP:,} characters"
            return ok("session start", what), context
    return _explain_silence(sources), ""


def _run_hook(event: str, root: str, fields: Mapping[str, Any], variables: Mapping[str, str]) -> bytes:
    """Run a hook as Claude Code does and return its output. Raises HookFailed."""
    event_input = json.dumps({"cwd": root, "hook_event_name": event, "session_id": "doctor", **fields})
    try:
        done = subprocess.run(
            _hook_command(event), input=event_input.encode(), capture_output=True, cwd=root, check=False,
            env={**variables, **as_claude_code(root), "AGENT_PROGRESS_NO_INSTALL": "1"}, timeout=_TIMEOUT_S,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HookFailed(f"{event} failed: {error}") from error
    if done.returncode or done.stderr:
        errors = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise HookFailed(f"{event} failed: {errors[-1] if errors else f'exit code {done.returncode}'}")
    return done.stdout


def _hook_command(event: str) -> list[str]:
    """Return the launcher's command if the packages are installed, else the one that the launcher ends in."""
    shell = find_program("sh")
    if shell and environment.python() and not environment.IS_INSTALLED:
        return [shell, LAUNCHER, "hook", event]
    return [sys.executable, *environment.python_flags(), environment.MAIN, "hook", event]


def _context_of(output: bytes) -> str:
    """Return the context in the output of a session start. Raises HookFailed if a client would refuse it."""
    if utf16_length(output.decode("utf-8", "replace")) > CAP:
        raise HookFailed(f"the output has more than {CAP:,} characters: the client would cut it")
    try:
        value = json.loads(output or b"{}")
        if not value.keys() - {"systemMessage"}:
            return ""
        answer = value["hookSpecificOutput"]
        return str({"SessionStart": answer["additionalContext"]}[answer["hookEventName"]])
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        raise HookFailed(f"the output of the session start is not what a client expects: {error}") from error


def _explain_silence(sources: Sources) -> Finding:
    area = "session start"
    if os.environ.get("AGENT_PROGRESS_DISABLED", "") not in ("", "0"):
        return note(area, "disabled by AGENT_PROGRESS_DISABLED", "unset it")
    if not sources.settings.inject:
        remedy = "`agent-progress config set inject true`"
        return note(area, "nothing is shown: it is switched off", remedy)
    if sources.is_empty:
        what = "nothing is shown: no plan, and nothing is recorded yet"
        return note(area, what, "the first entry or a plan changes that")
    what = "nothing is shown although something is recorded"
    return wrong(area, what, f"see {error_log.place()}, then run this again")
