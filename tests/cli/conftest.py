"""Run commands in this process, as `main` runs them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.cli.main import main

FIXTURES = Path(__file__).with_name("fixtures")
TABLES = json.loads((FIXTURES / "tables.json").read_text("utf-8"))
"""Examples of commands, by what they show: arguments and what is printed."""
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project with a plan of three stories and a log, which is the working directory."""
    root = tmp_path / "harbour"
    shutil.copytree(FIXTURES / "harbour", root)
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command: exit code, standard output, standard error."""

    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(list(arguments))
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


@pytest.fixture
def answer(run: Run) -> Callable[..., Any]:
    """Return a function that runs a command with --json and returns what it says."""

    def call(*arguments: str, code: int = 0) -> Any:
        found, out, err = run(*arguments, "--json")
        assert (found, err) == (code, "")
        return json.loads(out)

    return call
