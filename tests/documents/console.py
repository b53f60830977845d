"""Console blocks of the documents: `$ command`, and under it what it prints.

A document's blocks run one after the other in one fresh copy of the example project. A line of three dots
stands for lines left out. Ids, clock times and milliseconds differ from run to run and are not compared.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from tests.conftest import REPOSITORY

EXAMPLE = REPOSITORY / "examples" / "harbour"
HOME = "/home/ann"
LEFT_OUT = "..."
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_VOLATILE = (
    (re.compile(r"entry-\d{8}-\d{6}-[0-9a-z]+"), "entry-ID"),
    (re.compile(r"\b20\d{6}T\d{6}Z"), "TIME"),
    (re.compile(r"\b\d+ ms\b"), "N ms"),
    (re.compile(r"\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?"), "TIME"),
    (re.compile(r"^## 20\d\d-\d\d-\d\d$", re.MULTILINE), "## DAY"),
    (re.compile(r"\b[0-9a-f]{16}\b"), "HASH"),
)


@dataclass(frozen=True)
class Step:
    """One command of a block and the output shown for it."""

    command: str
    shown: str


class Place:
    """A copy of the example project, a home, and `agent-progress` on the PATH."""

    def __init__(self, scratch: Path) -> None:
        self.project = scratch / "harbour"
        shutil.copytree(EXAMPLE, self.project, ignore=shutil.ignore_patterns("progress-summary.md"))
        home, programs = scratch / "home", scratch / "programs"
        home.mkdir()
        programs.mkdir()
        program = programs / "agent-progress"
        main = REPOSITORY / "progress_plugin" / "__main__.py"
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(str(main))} "$@"\n')
        program.chmod(0o755)
        path = f"{programs}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        self.environment = {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8", "NO_COLOR": "1"}

    def run(self, command: str) -> tuple[int, str]:
        """Return exit code and output of a shell command, with the paths of a person called Ann."""
        done = subprocess.run(
            ["sh", "-c", command.replace("sh bin/agent-progress", "agent-progress")],
            cwd=self.project,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        home = os.path.realpath(self.environment["HOME"])
        project = os.path.realpath(self.project)
        output = done.stdout.replace(project, f"{HOME}/harbour").replace(
            quote(project, safe=""), "%2Fharbour"
        )
        return done.returncode, output.replace(home, HOME)


def steps(text: str) -> list[Step]:
    """Return the commands of all console blocks of a document, in order."""
    return [step for block in _BLOCK.findall(text) for step in _steps(block)]


def _steps(block: str) -> list[Step]:
    parts = [part.partition("\n") for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return [Step(command, shown) for command, _, shown in parts]


def agrees(shown: str, actual: str) -> bool:
    """Return whether a document shows what a command prints."""
    head, dots, tail = _stable(shown).partition(f"\n{LEFT_OUT}\n")
    output = _stable(actual).rstrip("\n")
    if not dots:
        return head.rstrip("\n") == output
    lines = (head.split("\n"), tail.rstrip("\n").split("\n"))
    printed = output.split("\n")
    return printed[: len(lines[0])] == lines[0] and printed[-len(lines[1]) :] == lines[1]


def renewed(text: str, place: Place) -> str:
    """Return a document whose console blocks show the present output, with the same lines left out."""

    def block(found: re.Match[str]) -> str:
        return "```console\n" + "".join(map(shown_now, _steps(found[1]))) + "```"

    def shown_now(step: Step) -> str:
        _, actual = place.run(step.command)
        output = step.shown if agrees(step.shown, actual) else _cut(step.shown, actual)
        return f"$ {step.command}\n{output}"

    return _BLOCK.sub(block, text)


def _cut(shown: str, actual: str) -> str:
    head, dots, tail = shown.partition(f"\n{LEFT_OUT}\n")
    if not dots:
        return actual.rstrip("\n") + ("\n\n" if shown.endswith("\n\n") else "\n")
    lines = actual.rstrip("\n").split("\n")
    first, last = head.count("\n") + 1, tail.rstrip("\n").count("\n") + 1
    return "\n".join([*lines[:first], LEFT_OUT, *lines[-last:]]) + "\n"


def _stable(text: str) -> str:
    for pattern, word in _VOLATILE:
        text = pattern.sub(word, text)
    return text
