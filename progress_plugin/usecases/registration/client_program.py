"""A client's own program, run for its commands about plugins."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from collections.abc import Mapping
from itertools import islice
from typing import Any, NamedTuple

from progress_plugin.core import untrusted_paths
from progress_plugin.usecases.registration import client_variables

_LONGEST = 180.0
"""Seconds: OpenCode fetches a package first."""
_BEGINS = re.compile(r"^[ \t]*[\[{]", re.MULTILINE)
_MOST_TRIED = 100
"""Lines of an answer that may begin with a bracket and be no JSON: each is read as deep as Python goes."""
_QUIET = {"NO_COLOR": "1", "TERM": "dumb", "CI": "1"}


class Ran(NamedTuple):
    """What came of a command."""

    command: str
    """As a person types it."""
    code: int
    output: str

    @property
    def last_line(self) -> str:
        """Return what the program said in the end, without the lines of a backtrace."""
        said = [line.strip() for line in self.output.splitlines() if line.strip()]
        wrong = [line for line in said if line.lower().startswith(("error", "failed", "✘"))]
        return next(iter(wrong or said[::-1]), f"exit code {self.code}")


class ClientProgram:
    """A program found on PATH outside the project, with the variables that it is started with."""

    def __init__(self, name: str, path: str, variables: Mapping[str, str]) -> None:
        self._name = name
        self._path = path
        self._variables = variables

    def shown(self, words: tuple[str, ...]) -> str:
        """Return a command as a person types it."""
        given = [f"{name}={value}" for name, value in self._variables.items()]
        return shlex.join([*given, self._name, *words])

    def run(self, *words: str) -> Ran:
        """Run one command to its end, in the user's home: no project's settings are read there."""
        home = os.path.expanduser("~")
        try:
            done = subprocess.run(
                [self._path, *words],
                cwd=home if os.path.isdir(home) else os.sep,
                env={**client_variables.variables(), **_QUIET, **self._variables},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=_LONGEST,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return Ran(self.shown(words), -1, str(error))
        return Ran(self.shown(words), done.returncode, done.stdout.decode("utf-8", "replace"))

    def ask(self, *words: str) -> Any:
        """Return the JSON that a command prints, after whatever warnings; None where it prints none."""
        ran = self.run(*words)
        for found in islice(_BEGINS.finditer(ran.output), _MOST_TRIED):
            try:
                return json.JSONDecoder().raw_decode(ran.output, found.end() - 1)[0]
            except (ValueError, RecursionError):
                continue
        return None


def find(name: str, variables: Mapping[str, str] | None = None) -> ClientProgram | None:
    """Return the program of that name; None where PATH has none outside the project."""
    path = untrusted_paths.program(name)
    return ClientProgram(name, path, variables or {}) if path else None
