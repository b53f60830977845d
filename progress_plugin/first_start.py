"""Run a command before the environment exists: make the environment, then continue in it.

`bin/agent-progress` starts this file then, with any Python from 3.11 on. A session start and the MCP server
wait up to 20 seconds for the environment, which a process of its own makes. After that the start shows the
last summary, and the server answers without tools. Other hook events are kept, and handled afterwards.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from progress_plugin import bootstrap
from progress_plugin.core import environment, error_log
from progress_plugin.core.clients import current_client, literal, session_start_output
from progress_plugin.core.errors import AgentProgressError, notify
from progress_plugin.core.files import read_inside
from progress_plugin.core.project import find_project
from progress_plugin.hooks.entry import read_input

WAIT_S = 20.0
MAX_EVENTS = 500
MAX_EVENT_CHARS = 1 << 20
MAX_SUMMARY_BYTES = 64 * 1024
ENTRIES = 5
MAIN = os.path.join(environment.PACKAGE, "__main__.py")
INSTALLING = "its packages are being installed, once for all clients; this takes less than a minute"


def main(arguments: list[str]) -> int:
    """Run a command of `bin/agent-progress`; return its exit code if it does not continue elsewhere."""
    command = arguments[0] if arguments else ""
    if command == "hook":
        try:
            _hook(arguments)
        except Exception as error:  # noqa: BLE001 - a hook never stops the client's work
            error_log.note(" ".join(arguments[1:2]), error)
        return 0
    if command == "statusline":
        return 0
    try:
        if command == bootstrap.BUILD:
            bootstrap.build(lambda _: None)
            _handle_kept_events()
        elif command == "mcp":
            return _serve_without_tools(_wait_for_environment(arguments))
        else:
            _build_for(arguments)
    except AgentProgressError as error:
        notify(str(error))
        return error.exit_code
    return 0


def _build_for(arguments: list[str]) -> None:
    is_setup = arguments[:1] == ["setup"]
    if not is_setup:
        if not environment.may_install():
            raise AgentProgressError(_not_allowed())
        if reason := bootstrap.back_off_reason(time.time()):
            raise AgentProgressError(reason)
    words = [word for argument in arguments for word in argument.split("=", 1)] if is_setup else []
    after = words.index("--wheelhouse") + 1 if "--wheelhouse" in words else len(words)
    bootstrap.build(notify, next(iter(words[after:]), None))
    _handle_kept_events()
    _continue(arguments)


def _not_allowed() -> str:
    return (
        "its packages are not installed, and AGENT_PROGRESS_NO_INSTALL forbids it; run: agent-progress setup"
    )


def _continue(arguments: list[str]) -> None:
    """Run the command in the environment; does not return."""
    python = environment.python()
    if python is None:
        raise AgentProgressError("the packages were removed while this command ran; try again")
    command = [python, *environment.python_flags(), MAIN, *arguments]
    if sys.platform == "win32":
        sys.exit(subprocess.call(command))
    os.execv(python, command)  # noqa: S606


def _wait_for_environment(arguments: list[str]) -> str:
    """Continue in the environment if it exists within 20 seconds; else return why it does not."""
    process = bootstrap.start_build()
    if process is not None:
        try:
            process.wait(WAIT_S)
        except subprocess.TimeoutExpired:
            return INSTALLING
        if environment.python():
            _continue(arguments)
    elif not environment.may_install():
        return _not_allowed()
    return (
        bootstrap.back_off_reason(time.time())
        or "its packages could not be installed; run: agent-progress setup"
    )


def _hook(arguments: list[str]) -> None:
    event, client = [*arguments[1:], "", ""][:2]
    if event != "SessionStart":
        _keep_event(arguments)
        return
    reason = _wait_for_environment(arguments)
    text = _last_summary(str(read_input().get("cwd") or os.getcwd()))
    context = f"agent-progress: {reason}. This is what was written last:\n\n{text}" if text else ""
    line = f"progress: {reason}"
    answer = session_start_output(current_client(client, set(os.environ)), literal(context), literal(line))
    sys.stdout.buffer.write(answer)


def _last_summary(directory: str) -> str:
    """Return the last written summary of the project, else its last five entries, else nothing."""
    from progress_plugin.text.safe_output import clean, item  # the patterns for secrets take a moment

    try:
        project = find_project(start=directory)
        folder = project.log_directory
        summary = read_inside(project.root, os.path.join(folder, "progress-summary.md"))
        if summary:
            return clean(summary[:MAX_SUMMARY_BYTES].decode("utf-8", "replace"))
        log = json.loads(read_inside(project.root, os.path.join(folder, "progress.json")) or b"{}")
        entries = log.get("entries", [])
        return "\n".join(
            f"- {item(json.dumps(entry, ensure_ascii=False), 300)}" for entry in entries[-ENTRIES:]
        )
    except (AgentProgressError, OSError, ValueError, AttributeError):
        return ""


def _events_directory() -> str:
    return os.path.join(environment.environments_directory(), "events")


def _keep_event(arguments: list[str]) -> None:
    """Keep a hook event in a file, with the variables by which its client and project are recognised."""
    fields = json.dumps(read_input())
    folder = _events_directory()
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if len(fields) > MAX_EVENT_CHARS or len(os.listdir(folder)) >= MAX_EVENTS:
        return
    names = {"CLAUDECODE", "CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "GEMINI_CLI", "COPILOT_CLI"}
    kept = {name: os.environ[name] for name in names & set(os.environ)}
    event = {
        "arguments": arguments,
        "input": fields,
        "variables": kept,
        "cwd": os.getcwd(),
    }
    with tempfile.NamedTemporaryFile(
        "w", dir=folder, prefix=f"{time.time_ns()}-", suffix=".json", delete=False, encoding="utf-8"
    ) as file:
        json.dump(event, file)


def _handle_kept_events() -> None:
    """Pass the kept events, in their order, to hooks that run in the environment."""
    python, folder = environment.python(), _events_directory()
    names = sorted(os.listdir(folder)) if python and os.path.isdir(folder) else []
    for name in names:
        path = os.path.join(folder, name)
        try:
            with open(path, encoding="utf-8") as file:
                event: dict[str, Any] = json.load(file)
            os.unlink(path)
            subprocess.run(
                [str(python), *environment.python_flags(), MAIN, *event["arguments"]],
                input=event["input"].encode(), cwd=event["cwd"],
                env=dict(os.environ) | event["variables"], capture_output=True, timeout=60, check=False,
            )  # fmt: skip
        except (OSError, ValueError, KeyError, TypeError, subprocess.TimeoutExpired) as error:
            error_log.note("kept event", error)


def is_damaged() -> bool:
    """Return whether the packages of the environment that this runs in cannot be imported."""
    return bool(sys.flags.no_site) and not bootstrap.works(environment.directory())


def _serve_without_tools(reason: str) -> int:
    from progress_plugin.mcp import protocol

    return protocol.serve(f"The tools are missing: {reason}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
