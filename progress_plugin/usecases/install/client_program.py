"""Find and run a client's own program."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from collections.abc import Mapping
from itertools import islice
from typing import Any, NamedTuple

from progress_plugin.core.clients import HOME_VARIABLES
from progress_plugin.core.paths import is_outside
from progress_plugin.core.programs import child_variables
from progress_plugin.core.programs import find_program as program_path

_TIMEOUT_S = 180.0  # OpenCode downloads a package first
_JSON_START = re.compile(r"^[ \t]*[\[{]", re.MULTILINE)
_MAX_JSON_STARTS = 100
_QUIET = {"NO_COLOR": "1", "TERM": "dumb", "CI": "1"}


class Result(NamedTuple):
    """The result of a command."""

    command: str
    """As a person types it."""
    code: int
    output: str

    @property
    def message(self) -> str:
        """Return the first line that reports an error, else the last line."""
        lines = [line.strip() for line in self.output.splitlines() if line.strip()]
        errors = [line for line in lines if line.lower().startswith(("error", "failed", "✘"))]
        return next(iter(errors or lines[::-1]), f"exit code {self.code}")


class ClientProgram:
    """A client's program, with the variables that are added to its environment."""

    def __init__(self, name: str, path: str, variables: Mapping[str, str]) -> None:
        self._name = name
        self._path = path
        self._variables = variables

    def command_line(self, words: tuple[str, ...]) -> str:
        """Return a command as a person types it."""
        assignments = [f"{name}={value}" for name, value in self._variables.items()]
        return shlex.join([*assignments, self._name, *words])

    def run(self, *words: str) -> Result:
        """Run one command in the user's home, where the client reads no project's settings."""
        home = os.path.expanduser("~")
        try:
            done = subprocess.run(
                [self._path, *words],
                cwd=home if os.path.isdir(home) else os.sep,
                env={**client_environment(), **_QUIET, **self._variables},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=_TIMEOUT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return Result(self.command_line(words), -1, str(error))
        return Result(self.command_line(words), done.returncode, done.stdout.decode("utf-8", "replace"))

    def query(self, *words: str) -> list[dict[str, Any]]:
        """Return the objects in the JSON list that a command prints, or in the lists of its JSON object."""
        answer = _first_json(self.run(*words).output)
        lists = answer.values() if isinstance(answer, dict) else [answer]
        return [
            each for items in lists if isinstance(items, list) for each in items if isinstance(each, dict)
        ]


def find_program(name: str, variables: Mapping[str, str]) -> ClientProgram | None:
    """Return the program of that name, None if PATH has none outside the project."""
    path = program_path(name)
    return ClientProgram(name, path, variables) if path else None


def client_environment() -> dict[str, str]:
    """Return the environment for a client: no variable names settings inside the project."""
    return {
        name: value
        for name, value in child_variables().items()
        if name not in HOME_VARIABLES or is_outside(value)
    }


def settings_path(variable: str, default: str) -> str:
    """Return the path that a variable gives to the client, else the default below the home."""
    return client_environment().get(variable) or os.path.expanduser(default)


def ignored_variables(client: str) -> tuple[str, ...]:
    """Return a line for each variable of a client that is set and not passed on."""
    passed = client_environment()
    return tuple(
        f"{name}={os.environ[name]} is ignored: it is not a full path outside the project; run this in "
        "another directory to use it"
        for name, owner in HOME_VARIABLES.items()
        if owner == client and os.environ.get(name) and name not in passed
    )


def _first_json(output: str) -> Any:
    """Return the first JSON value that begins a line: warnings may precede it."""
    for start in islice(_JSON_START.finditer(output), _MAX_JSON_STARTS):
        try:
            return json.JSONDecoder().raw_decode(output, start.end() - 1)[0]
        except (ValueError, RecursionError):
            continue
    return None
