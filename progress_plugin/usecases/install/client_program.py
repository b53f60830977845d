"""Find and run a client's own program."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from collections.abc import Mapping
from typing import Any

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.paths import is_outside
from progress_plugin.core.processes import child_variables, find_program

_TIMEOUT_S = 180.0  # OpenCode downloads a package first
_QUIET = {"NO_COLOR": "1", "TERM": "dumb", "CI": "1"}


class ClientProgram:
    """A client's program, with the variables that are added to its environment."""

    def __init__(self, name: str, variables: Mapping[str, str]) -> None:
        self._name = name
        self._variables = variables
        self.path = find_program(name)
        """None if PATH has no such program outside the project."""

    def command_line(self, *words: str) -> str:
        """Return a command as a person types it."""
        assignments = [f"{name}={value}" for name, value in self._variables.items()]
        return shlex.join([*assignments, self._name, *words])

    def run(self, *words: str, may_fail: bool = False) -> str:
        """Run one command in the user's home, where the client reads no project's settings.

        Return its output. Raises AgentProgressError if it fails.
        """
        try:
            done = subprocess.run(
                [self.path or self._name, *words], cwd=os.path.expanduser("~"),
                env={**child_variables(), **_QUIET, **self._variables}, timeout=_TIMEOUT_S, check=False,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            raise AgentProgressError(f"{self.command_line(*words)}: {error}") from error
        output = done.stdout.decode("utf-8", "replace")
        if done.returncode and not may_fail:
            problem = _error_line(output) or f"exit code {done.returncode}"
            raise AgentProgressError(f"{self.command_line(*words)}: {problem}")
        return output

    def query(self, *words: str) -> list[dict[str, Any]]:
        """Return the objects in the JSON list that a command prints, or in the lists of its JSON object."""
        answer = _first_json(self.run(*words, may_fail=True))
        lists = answer.values() if isinstance(answer, dict) else [answer]
        items = [each for found in lists if isinstance(found, list) for each in found]
        return [each for each in items if isinstance(each, dict)]


def settings_path(variable: str, default: str) -> str:
    """Return the path outside the project that a variable gives to the client, else the default one."""
    named = os.environ.get(variable, "")
    return named if is_outside(named) else os.path.expanduser(default)


def _error_line(output: str) -> str:
    """Return the first line that reports an error, else the last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith(("error", "failed", "✘"))]
    return next(iter(errors or lines[::-1]), "")


def _first_json(output: str) -> Any:
    """Return the first JSON value that begins a line: warnings may precede it."""
    for start in re.finditer(r"^[ \t]*(?=[\[{])", output, re.MULTILINE):
        try:
            return json.JSONDecoder().raw_decode(output, start.end())[0]
        except (ValueError, RecursionError):
            continue
    return None
