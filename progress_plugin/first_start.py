"""Run a command before the environment exists: make the environment, then continue in it.

`bin/agent-progress` starts this file then, with any Python from 3.11 on. A session start and the MCP server
wait up to 20 seconds for the environment, which a separate process makes. Without it the start shows the
last summary, and the server answers without tools. All other events wait in the spool.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from progress_plugin import bootstrap
from progress_plugin.core import data_directory, environment, error_log
from progress_plugin.core.clients import HookEvent, current_client, session_start_output
from progress_plugin.core.errors import AgentProgressError, NoProject, notify
from progress_plugin.core.project import find_project
from progress_plugin.hooks import read_input, recording

WAIT_S = 20.0
MAX_SUMMARY_BYTES = 64 * 1024


def main(arguments: list[str]) -> int:
    """Run a command and return its exit code; does not return if the command continues in the environment."""
    command = arguments[0] if arguments else ""
    try:
        if command == "hook":
            _answer_hook(*[*arguments[1:], "", ""][:2])
        elif command == bootstrap.BUILD:
            bootstrap.build(lambda _: None)
        elif command == "mcp":
            from progress_plugin.mcp import server

            return server.serve(f"The tools are missing: {_wait_for_environment(arguments)}")
        elif command != "statusline":
            _build_for(arguments)
    except AgentProgressError as error:
        notify(str(error))
        return error.exit_code
    return 0


def _build_for(arguments: list[str]) -> None:
    """Make the environment, and run the command in it. Only `setup` disregards `bootstrap.refusal`."""
    reason = bootstrap.refusal()
    if reason and arguments[:1] != ["setup"]:
        raise AgentProgressError(reason)
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--wheelhouse")
    bootstrap.build(notify, parser.parse_known_args(arguments)[0].wheelhouse)
    _continue(arguments)


def _continue(arguments: list[str]) -> None:
    """Run the command in the environment; does not return."""
    python = str(environment.python())
    command = [python, *environment.python_flags(), environment.MAIN, *arguments]
    if sys.platform == "win32":
        sys.exit(subprocess.call(command))
    os.execv(python, command)  # noqa: S606


def _wait_for_environment(arguments: list[str]) -> str:
    """Let a process make the environment, and continue in it; after 20 seconds return why it is not there."""
    process = bootstrap.start_build()
    if process is not None:
        try:
            process.wait(WAIT_S)
        except subprocess.TimeoutExpired:
            return "packages are being installed; this takes less than a minute"
        if environment.python():
            _continue(arguments)
    return bootstrap.refusal() or "the packages could not be installed; run: agent-progress setup"


def _answer_hook(name: str, named_client: str) -> None:
    """Show the last summary at a session start, and spool any other event; never stop the client's work."""
    client = current_client(named_client, set(os.environ))
    try:
        reason = _wait_for_environment(["hook", name, named_client]) if name == "SessionStart" else ""
        event = HookEvent(name, client, read_input())
        if reason:
            text = _last_summary(event.directory)
            context = f"agent-progress: {reason}. This is what was written last:\n\n{text}" if text else ""
            sys.stdout.buffer.write(session_start_output(client, context, f"progress: {reason}"))
        else:
            project = find_project(start=event.directory)
            if project.has_directory:
                recording.put_into_spool(event, project)
    except Exception as error:  # noqa: BLE001
        error_log.note(name, error)


def _last_summary(directory: str | None) -> str:
    """Return the last summary of this worktree, else the last five entries of the project, else nothing."""
    from progress_plugin.log.store import describe_last_entries  # both imports take a moment
    from progress_plugin.text.safe_output import clean

    try:
        project = find_project(start=directory)
    except NoProject:
        return ""
    if summary := data_directory.read(project.directory, data_directory.SUMMARY_FILE):
        return clean(summary[:MAX_SUMMARY_BYTES].decode("utf-8", "replace"))
    return describe_last_entries(project.log_directory)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
