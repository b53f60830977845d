"""Run commands in this process, as `main` runs them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.cli.main import main

TABLES = json.loads((Path(__file__).with_name("fixtures") / "tables.json").read_text("utf-8"))
"""Examples of commands, by what they show: arguments and what is printed."""
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project with a plan of three stories and a log, which is the working directory."""
    root = tmp_path / "harbour"
    root.mkdir()
    stories = [
        {"id": f"US-00{n}", "title": f"Story {n}", "passes": n == 1, "dependsOn": []} for n in (1, 2, 3)
    ]
    stories[2]["dependsOn"] = ["US-002"]
    (root / "prd.json").write_text(json.dumps({"project": "Harbour", "userStories": stories}))
    (root / "progress.md").write_text(
        "# Progress Log\n\n## 2026-03-01 10:00 - US-001: Story 1\n\n- Laid the first stone\n\n"
        "**Learnings:**\n- The quarry gate locks at noon, fetch stones before\n"
    )
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
